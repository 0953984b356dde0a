"""Tiles of a set that are no squares, such as cards: they may lie on their head, and a 6 is a 9 then."""

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

COLOURS = {"red": (40, 30, 215), "green": (60, 160, 60), "blue": (190, 100, 20)}
CARDS = [f"{colour}-{number}" for colour, number in product(COLOURS, (2, 3, 5, 6, 9))]
WIDE, HIGH, FIRST, STEP = 100, 150, (150, 120), 160


def card(code: str) -> ImageU8:
    """Return a card, (HIGH, WIDE, 3) uint8 BGR: a number on its colour, a line below 6 and 9, a light rim."""
    colour, number = code.split("-")
    face = np.full((HIGH, WIDE, 3), 240, np.uint8)
    cv2.rectangle(face, (7, 7), (WIDE - 8, HIGH - 8), COLOURS[colour], -1)
    cv2.putText(face, number, (25, 103), cv2.FONT_HERSHEY_DUPLEX, 2.6, (245, 245, 245), 9, cv2.LINE_AA)
    if number in "69":
        cv2.line(face, (32, 118), (68, 118), (245, 245, 245), 5)
    return face


def table(cards: Sequence[str], turned: Sequence[bool]) -> ImageU8:
    """Return a picture, (480, 1280, 3) uint8 BGR, of cards in a row, some of them on their head."""
    noise = np.random.default_rng(3).normal(120, 6, (480, 1280, 3))
    picture = cv2.GaussianBlur(np.clip(noise, 0, 255).astype(np.uint8), (0, 0), 1.5)
    for at, (code, is_turned) in enumerate(zip(cards, turned, strict=True)):
        left, top = FIRST[0] + STEP * at, FIRST[1]
        picture[top : top + HIGH, left : left + WIDE] = card(code)[::-1, ::-1] if is_turned else card(code)
    return picture


@pytest.fixture(scope="module")
def reader() -> TileReader:
    """Return what has learned the cards from one photo of each."""
    left, top = FIRST
    corners = [(left, top), (left + WIDE, top), (left + WIDE, top + HIGH), (left, top + HIGH)]
    quad = np.array(corners, np.float32) - 0.5
    photos = [LabelledPhoto(code, table([code], [False]), ((code, quad),)) for code in CARDS]
    return TileReader.open(learn("cards", photos, open_model("reader"), copies=2).tile_set)


def seen(reader: TileReader, cards: Sequence[str], turned: Sequence[bool]) -> list[DetectedTile]:
    """Return what is seen of cards in a row, from the left."""
    return sorted(
        reader.tiles(table(cards, turned)), key=lambda tile: float(np.mean(tile.quad_px, axis=0)[0])
    )


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("is_turned", [False, True])
def test_they_are_named_whichever_way_they_lie(reader: TileReader, colour: str, is_turned: bool) -> None:
    cards = [f"{colour}-{number}" for number in (2, 3, 5)]
    found = seen(reader, cards, [is_turned] * 3)
    assert [tile.code for tile in found] == cards


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
def test_six_and_nine_are_told_apart_or_asked_about(
    reader: TileReader, colour: str, turned: tuple[bool, bool]
) -> None:
    cards = [f"{colour}-6", f"{colour}-9"]
    for code, tile in zip(cards, seen(reader, cards, turned), strict=True):
        others = [other for other, _chance in tile.alternatives]
        assert tile.code == code or (tile.unsure and code in others)


@pytest.mark.parametrize(("covered", "is_asked"), [(0.1, False), (0.3, True)])
def test_what_something_may_lie_over_is_asked_about(
    reader: TileReader, covered: float, is_asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The corner of a card in a hand looks like a small card, and the others like what covers it."""
    corners = ((150.0, 120.0), (250.0, 120.0), (250.0, 270.0), (150.0, 270.0))
    tile = DetectedTile("red-2", corners, 1.0, False, 1.0, 0.9, covered)
    monkeypatch.setattr(reader, "name", lambda _image, quads: [tile] * len(quads))
    assert [each.unsure for each in reader.tiles(table(["red-2"], [False]))] == [is_asked]
