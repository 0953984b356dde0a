"""Tiles of which the first crop shows little: they lie on their side, or the detector hardly sees them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from vision.imaging.geometry import UNIT_SQUARE, Points, distance_sides, turned
from vision.recognition.classifier import Faces
from vision.recognition.detector import TileCandidate
from vision.recognition.reader import TileReader

CODES = ("R40", "B20", "Y4")
PICTURE = np.full((720, 1280, 3), 120, np.uint8)
UPRIGHT = turned((UNIT_SQUARE * 80 + [600, 300]).astype(np.float32), 1)
"""A tile that lies on its side: its own top left is the top right corner on the screen."""


@dataclass
class OneTile:
    """A detector and a classifier that know one tile, and how much of it is seen upright and otherwise."""

    aspect = 1.0

    upright: tuple[float, float] = (0.999, 0.997)
    """Chance that it is a tile, and of its code."""
    on_its_side: tuple[float, float] = (0.64, 0.5)
    elsewhere: tuple[float, float] = (0.01, 0.4)
    likeness: float = 1.0
    up: float = 0.97
    candidates: list[TileCandidate] = field(default_factory=lambda: [TileCandidate(turned(UPRIGHT, -1), 0.6)])
    own_set: None = None
    is_by_shipped_model: bool = False
    codes: tuple[str, ...] = CODES
    copies: int = 1
    sure_confidence: float = 0.9

    def vouches_for(self, _code: int, _alone: float) -> bool:
        return True

    def find(self, _image: np.ndarray, _squash: object) -> list[TileCandidate]:
        return self.candidates

    def read(self, _image: np.ndarray, quads: list[Points], *, sees_colour: bool = True) -> Faces:
        rows = [self._seen(quad) for quad in quads]
        tile, readable, up, likeness = (np.array([row[at] for row in rows]) for at in range(4))
        codes = np.stack([readable, (1 - readable) / 2, (1 - readable) / 2], axis=-1)
        logs = np.log(codes.reshape(-1, 3))
        none = np.zeros(len(rows))
        corners = np.array(quads, np.float32).reshape(-1, 4, 2)
        return Faces(logs, logs, tile, none, up.reshape(-1, 4), corners, none, likeness, likeness)

    def _seen(self, quad: Points) -> tuple[float, float, list[float], float]:
        rest = (1 - self.up) / 3
        if distance_sides(quad, UPRIGHT) > 0.3:
            return (*self.elsewhere, [0.25] * 4, 0.5 * self.likeness)
        (first,) = [at for at in range(4) if np.allclose(turned(UPRIGHT, -at), quad, atol=1)]
        ups = [self.up if at == -first % 4 else rest for at in range(4)]
        seen = self.on_its_side if first else self.upright
        return (*seen, ups, self.likeness if not first else 0.7 * self.likeness)


def codes_read(one: OneTile) -> list[str]:
    """Return what is read with such a detector and classifier."""
    return [tile.code for tile in TileReader(one, one).read(PICTURE).tiles]  # type: ignore[arg-type]


def test_a_lone_tile_on_its_side_is_read_once_it_is_cut_upright() -> None:
    """On a striped cloth it neither looked like a tile nor could be read (film 310011)."""
    assert codes_read(OneTile()) == ["R40"]


def test_what_looks_like_a_tile_and_cannot_be_read_is_cut_upright() -> None:
    """Cut the same way once more, it still looked too little like one to be one unread (film 433128)."""
    assert codes_read(OneTile(on_its_side=(0.97, 0.3))) == ["R40"]


@pytest.mark.parametrize(
    "unlike",
    [
        {"upright": (0.98, 0.99)},
        {"upright": (0.999, 0.8)},
        {"likeness": 0.7},
        {"on_its_side": (0.2, 0.5)},
    ],
)
def test_what_does_not_look_like_a_tile_for_certain_then_is_none(unlike: dict) -> None:
    """Coins and dice look like tiles in one of the four ways."""
    assert codes_read(OneTile(**unlike)) == []


def test_a_faint_candidate_is_looked_at_again_where_hardly_any_tile_is_seen() -> None:
    """Other faint ones lie on the cloth; they are no tiles from any side."""
    faint = [TileCandidate(turned(UPRIGHT, -1), 0.35), TileCandidate(UPRIGHT + 200, 0.4)]
    assert codes_read(OneTile(candidates=faint)) == ["R40"]


@pytest.mark.parametrize("is_alone", [True, False])
def test_what_shows_no_tile_once_it_stands_upright_is_none(is_alone: bool) -> None:
    """Backs beside the pyramid looked like faces on their side (film 310011)."""
    back = turned(UPRIGHT + np.array([0, -84], np.float32), -1)
    one = OneTile(on_its_side=(0.999, 0.99), elsewhere=(0.99, 0.99))
    lying = [TileCandidate(back, 0.6)] + ([] if is_alone else one.candidates)
    one.candidates = lying
    looks = one.read

    def read(image: np.ndarray, quads: list[Points], *, sees_colour: bool = True) -> Faces:
        faces = looks(image, quads, sees_colour=sees_colour)
        for index, quad in enumerate(quads):
            if np.allclose(quad, back, atol=1):
                faces.up[index] = [0.01, 0.01, 0.01, 0.97]
            if np.allclose(quad, turned(back, 1), atol=1):
                faces.tile[index] = 0.01
        return faces

    one.read = read  # type: ignore[method-assign]
    assert codes_read(one) == ([] if is_alone else ["R40"])


class HalfWay(OneTile):
    """One that sees corners half as far away as they are, and a tile once they are near."""

    def read(self, image: np.ndarray, quads: list[Points], *, sees_colour: bool = True) -> Faces:
        faces = super().read(image, [UPRIGHT for _ in quads], sees_colour=sees_colour)
        off = np.array([distance_sides(quad, UPRIGHT) for quad in quads])
        nearer = np.array([(quad + UPRIGHT) / 2 for quad in quads]).reshape(-1, 4, 2)
        return replace(
            faces,
            tile=np.select([off > 0.2, off > 0.1], [0.8, 0.95], 0.999),
            quads_px=nearer.astype(np.float32),
            moved=off / 2,
        )


@pytest.mark.parametrize(("off", "found"), [(0.05, ["R40"]), (0.3, ["R40"]), (0.8, [])])
def test_a_tile_that_was_cut_badly_is_cut_again_until_it_is_one(off: float, found: list[str]) -> None:
    """It lay over a printed figure, and was not seen; then a phone beside it was told (film 422279)."""
    seen = UPRIGHT + np.float32(80 * off * np.array([1, 0]))
    assert codes_read(HalfWay(candidates=[TileCandidate(seen, 0.6)])) == found
