"""`pyramid-referee replay --strip`: the pictures of a game's turns."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QImage

from tests.ui.cli.conftest import lay_down
from tests.ui.recorded_games import SETTINGS, picture, recorded_file
from ui.artwork import game_strip as turn_strip
from ui.artwork.game_strip import StripTurn, strip_pdf, strip_png
from ui.platform.qimages import to_bgr
from ui.storage.game_store import GameStore
from ui.storage.stored_pictures import pack_picture


def pixels(png):
    """Return a PNG as an array, (H, W, 3) uint8, BGR."""
    return to_bgr(QImage.fromData(png, "PNG"))


def test_a_strip_has_the_first_picture_of_each_turn(replay, game, tmp_path):
    path = tmp_path / "strip.png"
    assert replay(game, "--strip", path) == (0, f"Written: {path}\n", "")
    image = pixels(path.read_bytes())
    assert image.shape == (1754, 1240, 3)
    column = image[:, 100].astype(int)
    green = np.abs(column - (70, 110, 60)).max(axis=1) < 12
    starts = np.flatnonzero(np.diff(green.astype(int)) == 1)
    assert len(starts) == 5
    for number, top in enumerate(starts, 1):
        shown = image[top + 1 : top + 277, 71:566]
        likeness = [np.abs(shown.astype(int) - as_shown(picture(each))).mean() for each in range(1, 7)]
        assert np.argmin(likeness) + 1 == (1, 2, 3, 5, 6)[number - 1]
    beside = image[starts[2] : starts[2] + 270, 600:1150]
    assert (beside.min(axis=2) < 100).mean() > 0.02  # words


def as_shown(jpeg):
    return to_bgr(QImage.fromData(jpeg, "JPEG").scaled(495, 276)).astype(int)


def test_a_strip_without_pictures_shows_the_pyramids(replay, data, tmp_path):
    lay_down(data, recorded_file(with_pictures=False))
    path = tmp_path / "strip.png"
    assert replay(1, "--strip", path)[0] == 0
    image = pixels(path.read_bytes())
    red = (44, 36, 212)
    rows = np.flatnonzero((np.abs(image[:, 70:566].astype(int) - red).max(axis=2) < 3).any(axis=1))
    assert len(np.flatnonzero(np.diff(rows) > 100)) == 2  # red 40 lies in the first three turns


def test_a_strip_as_pdf(replay, game, tmp_path):
    path = tmp_path / "strip.PDF"
    assert replay(game, "--strip", path)[0] == 0
    pdf = path.read_bytes()
    assert pdf.startswith(b"%PDF-")
    assert pdf.count(b"/Subtype /Image") == 5
    assert pdf.count(b"/Type /Page\n") == 1


def a_turn(number=1, text="Placed: red 40.", layout="R40", jpeg=None):
    return StripTurn(f"Turn {number}, Ann", (text,), layout, jpeg)


def test_many_turns_go_on_on_further_pages():
    turns = [a_turn(number) for number in range(1, 13)]
    assert strip_pdf("Game 1", turns).count(b"/Type /Page\n") == 3
    image = pixels(strip_png("Game 1", turns))
    assert image.shape == (3 * 1754, 1240, 3)
    red = (np.abs(image[:, 200:450].astype(int) - (44, 36, 212)).max(axis=2) < 3).any(axis=1)
    assert len(np.flatnonzero(np.diff(np.flatnonzero(red)) > 100)) == 11


def test_more_turns_than_a_png_can_hold_are_a_sentence(replay, game, tmp_path, monkeypatch):
    monkeypatch.setattr(turn_strip, "MAX_PNG_PAGES", 0)
    status, out, err = replay(game, "--strip", tmp_path / "strip.png")
    assert (status, out) == (1, "")
    assert err == "The strip has 1 pages; a PNG can hold 0. Write it as a PDF.\n"


def test_a_game_in_which_nothing_was_said_is_a_title(replay):
    with GameStore.open() as store:
        game = store.start_game(SETTINGS)
    assert replay(game)[1] == replay()[1]
    assert strip_pdf("Game 1", []).count(b"/Type /Page\n") == 1


def test_turns_whose_picture_and_layout_cannot_be_shown_are_told_in_words():
    turns = [a_turn(layout=layout, jpeg=b"\xff\xd8 no picture") for layout in ("-", "no layout", "R41")]
    image = pixels(strip_png("Game 1", turns))
    for top in (135, 441, 747):
        assert (image[top : top + 265, 80:560] == (232, 238, 240)).all()  # an empty card
        assert image[top : top + 265, 600:1150].min() < 100


def test_a_long_text_is_cut_where_the_page_ends():
    words = "Collapse: yellow 100 matches neither red 40 nor blue 20. " * 300
    image = pixels(strip_png("Game 1", [a_turn(), a_turn(2, words), a_turn(3)]))
    assert image.shape == (3 * 1754, 1240, 3)
    page = image[1754 : 2 * 1754, 600:1150]
    inked = np.flatnonzero((page < 100).any(axis=(1, 2)))
    assert 1200 < inked[-1] < 1754 - 60


def test_a_tall_picture_stays_within_its_place():
    tall = np.full((640, 360, 3), (70, 110, 60), np.uint8)
    image = pixels(strip_png("Game 1", [a_turn(jpeg=pack_picture(tall))]))
    green = np.abs(image.astype(int) - (70, 110, 60)).max(axis=2) < 12
    rows, columns = np.flatnonzero(green.any(axis=1)), np.flatnonzero(green.any(axis=0))
    assert np.ptp(columns) / np.ptp(rows) == pytest.approx(360 / 640, rel=0.02)
