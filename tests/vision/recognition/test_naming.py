"""Which names are in doubt, however likely they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vision.imaging.geometry import UNIT_SQUARE, Points
from vision.imaging.photo import read_photo
from vision.recognition import naming
from vision.recognition.assignment import AssignedCode
from vision.recognition.classifier import Faces
from vision.recognition.naming import _BY_INK, FaceNamer, KnownInk, KnownLooks, KnownShape
from vision.recognition.pyramid_finder import FoundTile
from vision.recognition.reader import TileReader
from vision.recognition.reading import Quad, corners_of

PICTURES = Path(__file__).parents[2] / "data" / "images"
ONE_PEN = {"B100", "R120", "B7", "G100", "R40", "G40", "B2", "R20", "R6", "Y6", "G4"}
"""What lies on that table beside the blue 20."""
CODES = ("Y20", "Y100", "Y120")
FACES = SimpleNamespace(tile=[0.999], likeness=[1.0], log_codes=np.log([[0.9, 0.07, 0.03]]))


def classifier(*, is_shipped: bool, vouches_from: float = 0.0) -> Any:
    """What the namer asks of a classifier that is sure of the set."""
    return SimpleNamespace(
        codes=CODES,
        is_by_shipped_model=is_shipped,
        vouches_for=lambda _code, alone: alone >= vouches_from,
    )


@pytest.mark.parametrize(
    ("code", "chance", "is_shipped", "unsure"),
    [
        ("Y120", 0.97, True, True),
        ("Y120", 0.985, True, False),
        ("Y120", 0.97, False, True),
        ("Y20", 0.97, True, False),
        ("Y100", 0.97, True, False),
        ("Y100", 0.95, True, True),
    ],
)
def test_what_is_read_as_120_may_be_a_20_beside_what_looks_like_a_1(code, chance, is_shipped, unsure) -> None:
    """The edge of a plaque beside it did, and a collapse was told that was none (film 423382)."""
    named = AssignedCode(CODES.index(code), chance, ())
    assert FaceNamer(classifier(is_shipped=is_shipped)).is_unsure(FACES, 0, named, 0.96) is unsure


@pytest.mark.parametrize(("vouches_from", "unsure"), [(0.89, False), (0.91, True)])
def test_a_tile_is_in_doubt_where_the_face_alone_does_not_show_it(vouches_from, unsure) -> None:
    """A blue 20 looked like 60 or 100, the blue 60 was known, and blue 100 was told (film 426666)."""
    namer = FaceNamer(classifier(is_shipped=True, vouches_from=vouches_from))
    code = AssignedCode(0, 0.998, ())
    assert namer.is_unsure(FACES, 0, code, 0.96) is unsure
    (told,) = namer._as_vouched_for(FACES, [code])
    assert told.confidence == (0.95 if unsure else 0.998)


def seen(quads: list[Points], chances: list[float]) -> Faces:
    """Upright tiles that show the first code with some chances, and the second one else."""
    logs = np.log([[chance, (1 - chance) * 0.9, (1 - chance) * 0.1] for chance in chances])
    one, corners = np.ones(len(quads)), np.array(quads, np.float32).reshape(-1, 4, 2)
    return Faces(logs, logs, one, 0 * one, np.eye(4)[[0] * len(quads)], corners, 0 * one, one, one)


@pytest.mark.parametrize("game", [None, KnownLooks()], ids=["photo", "game"])
@pytest.mark.parametrize(
    ("chance", "pictures", "is_seen_again"),
    [(0.98, {"Y100"}, True), (0.98, {"Y20"}, False), (0.9995, set(), False), (0.98, None, False)],
    ids=["new", "known", "certain", "enrolled"],
)
def test_a_new_tile_that_is_likely_is_seen_once_more(chance, pictures, is_seen_again, game) -> None:
    """Cut a little closer it is another one: so were three first tiles of a game (447135, 449132, 436164)."""
    cuts: list[int] = []

    def read(_image: np.ndarray, quads: list[Points], *, sees_colour: bool) -> Faces:
        cuts.append(len(quads))
        return seen(quads, [0.2] * len(quads))

    own_set = None if pictures is None else SimpleNamespace(codes=pictures)
    known = SimpleNamespace(own_set=own_set, copies=1, read=read)
    namer = FaceNamer(SimpleNamespace(**vars(classifier(is_shipped=False)), **vars(known)))  # type: ignore[arg-type]
    quad, picture = (UNIT_SQUARE * 60 + 30).astype(np.float32), np.zeros((120, 120, 3), np.uint8)
    (code,) = namer.name(picture, seen([quad], [chance]), game, are_tiles=True).codes
    assert (code.confidence < 0.9) is is_seen_again
    assert cuts == ([] if not is_seen_again else [1, 6] if game is None else [6])


@pytest.mark.parametrize(("count", "cuts"), [(2, [12]), (3, [3])])
def test_of_many_new_tiles_each_is_only_cut_closer_in_a_game(count: int, cuts: list[int]) -> None:
    """As in a photo: the referee would be late."""
    seen_in: list[int] = []

    def read(_image: np.ndarray, quads: list[Points], *, sees_colour: bool) -> Faces:
        seen_in.append(len(quads))
        return seen(quads, [0.98] * len(quads))

    known = SimpleNamespace(own_set=SimpleNamespace(codes=set()), copies=count, read=read)
    namer = FaceNamer(SimpleNamespace(**vars(classifier(is_shipped=False)), **vars(known)))  # type: ignore[arg-type]
    quads = [(UNIT_SQUARE * 60 + 30).astype(np.float32)] * count
    faces = seen(quads, [0.98] * count)
    namer.name(np.zeros((120, 120, 3), np.uint8), faces, KnownLooks(), are_tiles=True)
    assert seen_in == cuts


@pytest.mark.parametrize(
    ("chances", "tells"),
    [([], False), ([1.0] * 3, False), ([1.0] * 4, True), ([0.95] * 4, True), ([1.0] * 3 + [0.5], False)],
)
def test_four_tiles_tell_whether_numbers_stand_in_one_ink(chances: list[float], tells: bool) -> None:
    """A tile that is seen again counts once, as it was seen last."""
    ink = KnownInk()
    for code, chance in zip(("Y10", "R40", "G2", "G100"), chances, strict=False):
        ink.learn(code, 0.0)
        ink.learn(code, chance)
        assert ink.has_seen(code)
    assert ink.tells is tells


@pytest.fixture(scope="module")
def reader() -> TileReader:
    """A reader without a tile set."""
    return TileReader.open()


@pytest.fixture
def one_pen(reader) -> Iterator[tuple[TileReader, np.ndarray, Quad]]:
    """A reader in a new game, a table of tiles that were made with one black pen, and where a blue 20 lies.

    The strokes of a blue pen under it begin with one that looks like a 1.
    """
    reader.known = KnownLooks()
    picture = read_photo(PICTURES / "one-pen.jpg").image_bgr
    (quad,) = [tile.quad_px for tile in reader.read(picture).tiles if (tile.row, tile.slot) == (0, 2)]
    reader.known = None
    yield reader, picture, quad
    reader.known = None


@pytest.mark.parametrize(("share", "code", "unsure"), [(_BY_INK, "B20", False), (0.0, "B120", True)])
def test_a_stroke_beside_a_number_is_told_by_the_ink_of_all_tiles(
    one_pen, share: float, code: str, unsure: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All others show their numbers without their colours; without that look it would seem to be a 120."""
    reader, picture, quad = one_pen
    monkeypatch.setattr(naming, "_BY_INK", share)
    reading = reader.read(picture)
    assert [(tile.code, tile.unsure) for tile in reading.tiles if tile.quad_px == quad] == [(code, unsure)]
    assert {tile.code for tile in reading.tiles if tile.quad_px != quad} == ONE_PEN


def test_a_game_remembers_that_its_numbers_stand_in_one_ink(one_pen) -> None:
    """So the tile is read rightly where it lies alone, after the others were seen."""
    reader, picture, quad = one_pen
    corners = [np.array(quad, np.float32)]
    reader.known = KnownLooks()
    assert [tile.code for tile in reader.name(picture, corners)] == ["B120"]
    reader.read(picture)
    assert reader.known.ink.tells
    assert [tile.code for tile in reader.name(picture, corners)] == ["B20"]


def test_a_game_knows_how_large_its_tiles_are() -> None:
    """Where nothing of that size looks like a tile, the camera may have come nearer."""
    size = KnownShape()

    def found(side: float, *, tile: float = 0.999) -> FoundTile:
        return FoundTile((UNIT_SQUARE * side + 100).astype(np.float32), np.full(4, 0.25), tile, 0.9)

    alike, larger, unclear = found(50), found(80), found(50, tile=0.99)
    assert size.fitting([alike, larger]) == [alike, larger]
    for _ in range(3):
        size.learn(corners_of(UNIT_SQUARE * 52))
    assert size.fitting([alike, larger]) == [alike]
    assert size.fitting([larger, unclear]) == [larger, unclear]
