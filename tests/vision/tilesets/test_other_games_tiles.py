"""Tiles of other games, square or oblong: they lie any way, and a 9 is a 6 on its head."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import cv2
import numpy as np
import pytest

from vision.imaging.arrays import ImageU8
from vision.recognition.model_store import open_model
from vision.recognition.reader import TileReader
from vision.recognition.reading import DetectedTile
from vision.tilesets.enrolment import LabelledPhoto, learn

COLOURS = {"red": (40, 30, 215), "green": (60, 160, 60)}
CARDS = [f"{colour}-{number}" for colour, number in product(COLOURS, (2, 3, 5, 6, 9))]
SQUARE, OBLONG = 100, 150
"""How high they are, in pixels."""
WIDE, LEFT, TOP, STEP = 100, 150, 120, 160


def card(code: str, high: int) -> ImageU8:
    """Return a card, (high, WIDE, 3) uint8 BGR: a number on its colour, a line below 6 and 9, a light rim."""
    colour, number = code.split("-")
    face, middle = np.full((high, WIDE, 3), 240, np.uint8), high // 2
    cv2.rectangle(face, (7, 7), (WIDE - 8, high - 8), COLOURS[colour], -1)
    at = 25, middle + 28
    cv2.putText(face, number, at, cv2.FONT_HERSHEY_DUPLEX, 2.6, (245, 245, 245), 9, cv2.LINE_AA)
    if number in "69":
        cv2.line(face, (32, middle + 38), (68, middle + 38), (245, 245, 245), 5)
    return face


def table(cards: Sequence[str], high: int, turns: Sequence[int]) -> ImageU8:
    """Return a picture, (480, 1280, 3) uint8 BGR, of cards in a row, each turned by some quarters."""
    noise = np.random.default_rng(3).normal(120, 6, (480, 1280, 3))
    picture = cv2.GaussianBlur(np.clip(noise, 0, 255).astype(np.uint8), (0, 0), 1.5)
    for at, (code, quarters) in enumerate(zip(cards, turns, strict=True)):
        face, left = np.rot90(card(code, high), quarters), LEFT + STEP * at
        picture[TOP : TOP + face.shape[0], left : left + face.shape[1]] = face
    return picture


def learned(high: int) -> TileReader:
    """Return what has learned the cards from one photo of each."""
    corners = [(LEFT, TOP), (LEFT + WIDE, TOP), (LEFT + WIDE, TOP + high), (LEFT, TOP + high)]
    quad = np.array(corners, np.float32) - 0.5
    photos = [LabelledPhoto(code, table([code], high, [0]), ((code, quad),)) for code in CARDS]
    return TileReader.open(learn("cards", photos, open_model("reader"), copies=2).tile_set)


@pytest.fixture(scope="module")
def square() -> TileReader:
    """Return what knows square cards."""
    return learned(SQUARE)


@pytest.fixture(scope="module")
def oblong() -> TileReader:
    """Return what knows oblong cards."""
    return learned(OBLONG)


def seen(reader: TileReader, picture: ImageU8) -> list[DetectedTile]:
    """Return what is seen of cards in a row, from the left."""
    return sorted(reader.tiles(picture), key=lambda tile: float(np.mean(tile.quad_px, axis=0)[0]))


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("turns", [(0, 0, 0), (2, 2, 2), (0, 2, 0)])
def test_oblong_ones_are_named_whichever_way_they_lie(
    oblong: TileReader, colour: str, turns: tuple[int, ...]
) -> None:
    cards = [f"{colour}-{number}" for number in (2, 3, 5)]
    assert [tile.code for tile in seen(oblong, table(cards, OBLONG, turns))] == cards


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("turns", [(0, 0, 0), (1, 1, 1), (0, 2, 3), (2, 1, 0), (3, 0, 1)])
def test_square_ones_are_named_whichever_way_each_lies(
    square: TileReader, colour: str, turns: tuple[int, ...]
) -> None:
    cards = [f"{colour}-{number}" for number in (2, 3, 5)]
    assert [tile.code for tile in seen(square, table(cards, SQUARE, turns))] == cards


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("turns", [(0, 0), (2, 0), (0, 2), (2, 2)])
@pytest.mark.parametrize(("shape", "high"), [("square", SQUARE), ("oblong", OBLONG)])
def test_six_and_nine_are_told_apart_or_asked_about(
    shape: str, high: int, colour: str, turns: tuple[int, int], request: pytest.FixtureRequest
) -> None:
    cards = [f"{colour}-6", f"{colour}-9"]
    found = seen(request.getfixturevalue(shape), table(cards, high, turns))
    for code, tile in zip(cards, found, strict=True):
        others = [other for other, _chance in tile.alternatives]
        assert tile.code == code or (tile.unsure and code in others)


@pytest.mark.parametrize(("covered", "is_asked"), [(0.1, False), (0.3, True)])
def test_what_something_may_lie_over_is_asked_about(
    oblong: TileReader, covered: float, is_asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The corner of a card in a hand looks like a small card, and the others like what covers it."""
    corners = ((150.0, 120.0), (250.0, 120.0), (250.0, 270.0), (150.0, 270.0))
    tile = DetectedTile("red-2", corners, 1.0, False, 1.0, 0.9, covered)
    monkeypatch.setattr(oblong, "name", lambda _image, quads: [tile] * len(quads))
    assert [each.unsure for each in oblong.tiles(table(["red-2"], OBLONG, [0]))] == [is_asked]
