"""Places of a table before and now: what the place head will learn from."""

from __future__ import annotations

import numpy as np
import pytest

from models.training.scenes import place_pairs
from models.training.scenes.place_pairs import OPEN, PATCH_PX, PairPainter, PlacePair
from tests.models.test_rendering import plain_typeface
from vision.tracking.place_head import STATES


@pytest.fixture(scope="module")
def pairs() -> list[PlacePair]:
    painter = PairPainter(np.random.default_rng(6), [plain_typeface()])
    return [pair for _ in range(32) for pair in painter.pairs()]


def test_every_state_comes_up(pairs) -> None:
    """Before and now, with places that keep their tile in the majority."""
    assert {pair.state_now for pair in pairs} >= set(range(len(STATES)))
    tile = STATES.index("tile")
    kept = [pair for pair in pairs if pair.state_before == pair.state_now == tile and pair.is_same]
    assert len(kept) > 0.2 * len(pairs)
    assert all(pair.before.shape == pair.now.shape == (PATCH_PX, PATCH_PX, 3) for pair in pairs)


def test_the_same_tile_looks_alike_and_another_does_not(pairs) -> None:
    """The label follows the picture: patches correlate where the tile stayed, and not where it went."""
    tile, table = STATES.index("tile"), STATES.index("table")

    def alike(pair: PlacePair) -> float:
        inner = slice(28, 84)
        return float(np.corrcoef(pair.before[inner, inner].ravel(), pair.now[inner, inner].ravel())[0, 1])

    stayed = [alike(p) for p in pairs if p.is_same and p.state_before == p.state_now == tile]
    went = [alike(p) for p in pairs if p.state_before == tile and p.state_now == table]
    assert np.median(stayed) > np.median(went) + 0.3


def test_what_hides_a_place_a_little_leaves_it_open() -> None:
    """A quarter hidden is an occluder; a tenth is neither that nor a tile."""
    quad = np.array([[10, 10], [50, 10], [50, 50], [10, 50]], np.float32)
    for columns, expected in ((0, STATES.index("table")), (5, OPEN), (20, STATES.index("occluder"))):
        hand, thing = np.zeros((60, 60), np.int16), np.zeros((60, 60), np.int16)
        hand[:, 10 : 10 + columns] = -1
        assert place_pairs._state(quad, None, {"occluder": hand, "other": thing}) == expected


def test_shards_of_pairs_can_be_read(tmp_path) -> None:
    """What was written comes back; the same seed gives the same pairs."""
    digits = {f"0_{digit}": mask for digit, mask in enumerate(plain_typeface())}
    np.savez(tmp_path / "typefaces.npz", **digits)
    path = place_pairs.render_shard(tmp_path, 3, 0, least=8)
    read = list(place_pairs.read_shard(path))
    assert len(read) >= 8
    path.unlink()
    again = list(place_pairs.read_shard(place_pairs.render_shard(tmp_path, 3, 0, least=8)))
    assert [pair.state_now for pair in again] == [pair.state_now for pair in read]
    assert np.array_equal(again[0].now, read[0].now)
