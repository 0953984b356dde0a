"""Real photos in the finder's training: squares to find, places to say nothing of, tables to lay tiles on."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from models.training.scenes import real_photos, shards
from tests.models.test_rendering import plain_typeface

pytestmark = pytest.mark.slow  # torch is there with `make test-slow` alone

torch = pytest.importorskip("torch")


@pytest.fixture
def photos(tmp_path):
    for name, items, role in (
        ("faces", [{"quad": [[100, 100], [140, 100], [140, 140], [100, 140]], "ignore": False}], "train"),
        ("backgrounds", [], "background"),
    ):
        folder = tmp_path / "real" / name
        folder.mkdir(parents=True)
        image = np.full((300, 1200, 3), 90, np.uint8)
        cv2.imwrite(str(folder / "one.png"), image)
        picture = {"file": "one.png", "role": role, "complete": not items, "items": items}
        (folder / "labels.json").write_text(json.dumps({"images": [picture]}))
    return tmp_path / "real"


def test_photos_are_taken_in_beside_the_shards(photos, tmp_path) -> None:
    """They are made smaller with their squares; only bare tables become surfaces."""
    work = tmp_path / "corpus"
    real_photos.take_in(photos, work)
    bare, squares = real_photos.pictures(work)
    assert bare.tiles == ()
    assert bare.complete
    assert not squares.complete
    assert squares.image.shape == (225, 900, 3)
    assert squares.tiles[0].quad_px[0] == pytest.approx([75, 75])
    assert [image.shape for image, _ in shards.read_shard(work / shards.SURFACES)] == [(225, 900, 3)]
    assert real_photos.pictures(tmp_path) == []


def test_nothing_is_learned_of_places_beside_squares_that_nobody_marked(photos, tmp_path) -> None:
    """The finder takes no notice of what lies beside a known square, but of the square and of the rest."""
    from models.training.networks.finder_data import window as window_of
    from models.training.networks.nets import FINDER_STRIDE

    real_photos.take_in(photos, tmp_path / "corpus")
    _, squares = real_photos.pictures(tmp_path / "corpus")
    open_cells = []
    for seed in range(8):
        window = window_of(np.random.default_rng(seed), squares)
        row, column = np.unravel_index(window["heat"].argmax(), window["heat"].shape)
        if window["heat"].max() < 1:
            continue
        assert window["care"][row, column] == 1
        open_cells.append((window["care"] == 0).sum() * FINDER_STRIDE**2)
    assert min(open_cells) > 0


def test_windows_lie_round_what_may_pass_for_a_tile_as_well() -> None:
    """Far from all tiles, such a thing would hardly be seen otherwise."""
    from models.training.networks.finder_data import window as window_of
    from models.training.scenes.corpus import TrainingPicture, TrainingTile

    corner = np.array([[100, 100], [200, 100], [200, 200], [100, 200]], np.float32)
    image = np.full((3000, 4000, 3), 90, np.uint8)
    image[2700:2800, 3700:3800] = (0, 0, 250)
    tile, other = TrainingTile("R20", corner, 1.0, True, ()), corner + np.float32([3600, 2600])
    picture = TrainingPicture(image, (tile,), (other,), "")
    windows = [window_of(np.random.default_rng(seed), picture) for seed in range(60)]
    at_tile = sum(window["heat"].max() == 1 for window in windows)
    at_other = sum(bool((window["picture"][0] > 150).any()) for window in windows)
    assert at_tile > 25
    assert 5 < at_other < 25


def test_the_finder_gets_windows_of_both_kinds(photos, tmp_path) -> None:
    """Batches come from rendered shards with real photos among them, and give a loss that is a number."""
    from models.training.networks.finder_data import finder_batches, finder_loss
    from models.training.networks.nets import FinderNet
    from models.training.scenes import corpus

    work = tmp_path / "corpus"
    work.mkdir()
    np.savez(work / "typefaces.npz", **{f"0_{digit}": mask for digit, mask in enumerate(plain_typeface())})
    real_photos.take_in(photos, work)
    corpus.render_shard(work, 3, 0, pictures=3)
    batch = next(finder_batches(work, 4, 0, 11))
    loss, figures = finder_loss(FinderNet(), batch, 0.0)
    assert torch.isfinite(loss)
    assert set(figures) == {"centre", "plain_px", "turned_px"}


def test_a_photo_that_is_missing_is_named(photos, tmp_path) -> None:
    """Not a crash in the middle of the night."""
    (photos / "faces" / "one.png").unlink()
    with pytest.raises(OSError, match=r"one\.png"):
        real_photos.take_in(photos, tmp_path / "corpus")
