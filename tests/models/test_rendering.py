"""The training pictures: what is drawn is what the labels say."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.training.rendering.boards import print_board, print_figures
from models.training.rendering.faces import FACE_PX, PaintedSet
from models.training.rendering.glyphs import GLYPH_PX, numeral
from models.training.rendering.other_games import OtherGame
from models.training.rendering.sheets import SIDE_PX, number_sheet
from models.training.rendering.textures import TextureBank
from models.training.scenes.arrangements import crossed_places
from models.training.scenes.laying import lay, tile_shapes
from models.training.scenes.tables import TablePainter


def plain_typeface() -> list[np.ndarray]:
    """Ten digits from OpenCV's own strokes, so that the tests need no fonts."""
    digits = []
    for digit in "0123456789":
        mask = np.zeros((GLYPH_PX, 48), np.uint8)
        cv2.putText(mask, digit, (4, 58), cv2.FONT_HERSHEY_SIMPLEX, 2.2, 255, 6, cv2.LINE_AA)
        digits.append(mask)
    return digits


@pytest.fixture
def painter() -> TablePainter:
    return TablePainter(np.random.default_rng(5), [plain_typeface()])


def test_the_same_seed_gives_the_same_picture() -> None:
    """Rendering can be repeated, so a shard that was lost can be made again."""
    one, two = (
        TablePainter(np.random.default_rng(5), [plain_typeface()]).table((320, 240)) for _ in range(2)
    )
    assert np.array_equal(one.image, two.image)
    assert [tile.face.code for tile in one.tiles] == [tile.face.code for tile in two.tiles]


def test_pictures_are_labelled_soundly(painter: TablePainter) -> None:
    """Sizes, types and shares hold over many pictures."""
    for _ in range(12):
        table = painter.table((320, 240))
        assert table.image.shape == (240, 320, 3)
        assert table.image.dtype == np.uint8
        for tile in table.tiles:
            assert tile.quad_px.shape == (4, 2)
            assert 0 <= tile.visible <= 1


def test_a_visible_tile_shows_its_own_face(painter: TablePainter) -> None:
    """The picture in a quad, seen upright, is more like the tile's face than like the face upside down."""
    alike = []
    for _ in range(20):
        table = painter.table((640, 480), tile_px=80)
        for tile in table.tiles:
            if tile.visible < 0.99:
                continue
            corners = np.array([[0, 0], [FACE_PX, 0], [FACE_PX, FACE_PX], [0, FACE_PX]], np.float32)
            to_face = cv2.getPerspectiveTransform(tile.quad_px, corners)
            seen = cv2.cvtColor(
                cv2.warpPerspective(table.image, to_face, (FACE_PX, FACE_PX)), cv2.COLOR_BGR2GRAY
            )
            face = cv2.cvtColor(tile.face.image, cv2.COLOR_BGR2GRAY)
            upright, over = (
                np.corrcoef(seen.ravel(), turned.ravel())[0, 1] for turned in (face, face[::-1, ::-1])
            )
            alike.append(upright > over)
    assert len(alike) > 30
    assert np.mean(alike) > 0.9


def test_numerals_stand_where_the_labels_say() -> None:
    """A numeral's box lies on the face, and its place changes the picture."""
    rng = np.random.default_rng(3)
    bank = TextureBank(rng)
    for _ in range(20):
        face = PaintedSet(rng, bank, [plain_typeface()]).face("R40")
        assert face.image.shape == (FACE_PX, FACE_PX, 3)
        for place in face.numerals:
            assert 0 < place.x < 1
            assert 0 < place.y < 1
            assert place.height > 0.09


def test_numerals_are_written_with_all_their_digits() -> None:
    """120 is wider than 20, and 20 is wider than 2."""
    digits = plain_typeface()
    widths = [numeral(digits, weight, 4).shape[1] for weight in (2, 20, 120)]
    assert widths == sorted(widths)
    assert len(set(widths)) == 3


def test_a_covered_tile_says_so(painter: TablePainter) -> None:
    """What hides a tile lowers the share of it that counts as visible; some pictures have such tiles."""
    shares = [tile.visible for _ in range(30) for tile in painter.table((320, 240)).tiles]
    assert any(share < 0.5 for share in shares)
    assert np.median(shares) > 0.9


def test_tiles_of_other_games_differ() -> None:
    """The marks of one set are different, and so are their faces; another printing is still the same mark."""
    rng = np.random.default_rng(3)
    bank = TextureBank(rng)
    for _ in range(6):
        game = OtherGame(rng, bank, [plain_typeface()])
        marks = game.marks(16)
        assert len(set(marks)) == len(marks) >= 12
        faces = [game.face(mark).image.astype(int) for mark in marks[:6]]
        assert all(face.shape == (FACE_PX, FACE_PX, 3) for face in faces)


def test_close_ups_show_the_face_where_the_label_says(painter: TablePainter) -> None:
    """The embedding learns from close-ups: the middle of the quad lies on the picture's tile."""
    rng = np.random.default_rng(4)
    faces = PaintedSet(rng, painter.bank, [plain_typeface()])
    for code in ("R40", "B2", "M200"):
        image, quad = painter.close_up(faces.face(code), [faces.face("Y10")] * 4, 30)
        assert image.shape[0] == image.shape[1]
        assert 0 < quad.min() < quad.max() < image.shape[0]
        assert cv2.contourArea(quad) > 0.2 * image.shape[0] ** 2


PX = 40
AT = np.array([[PX, 0, 300], [0, PX, 300], [0, 0, 1]], np.float64)
"""From the table's plane, in tile sides, to pixels."""


@pytest.mark.parametrize("seed", range(12))
def test_a_sheet_shows_its_numbers_where_it_says(seed: int) -> None:
    art, squares = number_sheet(np.random.default_rng(seed), [plain_typeface()])
    assert (art.shape, art.dtype) == ((SIDE_PX, SIDE_PX, 3), np.uint8)
    assert squares.shape[1:] == (4, 2)
    written = 0
    for square in squares:
        (left, top), (right, bottom) = np.clip(square[[0, 2]] * SIDE_PX, 0, SIDE_PX).astype(int)
        written += art[top:bottom, left:right].std() > 3
    assert written >= 0.7 * len(squares) > 0


@pytest.mark.parametrize("seed", range(12))
def test_tiles_that_cross_touch_each_other(seed: int) -> None:
    places = crossed_places(np.random.default_rng(seed), 1.0)
    xy = np.array([place[:2] for place in places])
    apart = np.hypot(*(xy[:, None] - xy[None]).transpose(2, 0, 1)) + 9 * np.eye(len(xy))
    assert len(xy) > 1
    assert apart.min() > 0.85
    assert (apart.min(axis=1) < 1.25).all()


def test_no_square_of_a_board_that_counts_as_free_lies_under_a_tile() -> None:
    """Some boards are made for the tiles: each tile then lies on one of their squares."""
    xy = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 1.0]])
    fitting = 0
    for seed in range(60):
        image = np.full((600, 600, 3), 128, np.float32)
        free = print_board(np.random.default_rng(seed), image, AT, xy)
        middles = np.array([quad.mean(axis=0) for quad in free]).reshape(-1, 2)
        sides = np.array([np.hypot(*(quad[1] - quad[0])) for quad in free])
        away = np.hypot(*(middles[:, None] - (xy * PX + 300)[None]).transpose(2, 0, 1))
        assert (away.min(axis=1, initial=1e9) > 0.4 * PX + sides / 2 - 1).all()
        is_level = len(free) > 0 and abs(free[0][0, 1] - free[0][1, 1]) < 0.1
        fitting += is_level and abs(sides[0] / PX - 1.02) < 0.021
    assert fitting > 8


@pytest.mark.parametrize("seed", range(8))
def test_figures_are_printed_all_over_a_cloth_and_leave_most_of_it(seed: int) -> None:
    xy = np.array([[0.0, 0.0], [1.0, 0.0]])
    image = np.full((600, 600, 3), 128, np.float32)
    free = print_figures(np.random.default_rng(seed), image, AT, xy)
    changed = np.abs(image - 128).max(axis=2) > 2
    assert 0.02 < changed.mean() < 0.7
    quarters = [changed[y : y + 300, x : x + 300].mean() for x in (0, 300) for y in (0, 300)]
    assert min(quarters) > 0.25 * max(quarters)
    middles = np.array([quad.mean(axis=0) for quad in free])
    assert (np.hypot(*(middles[:, None] - (xy * PX + 300)[None]).transpose(2, 0, 1)) > 0.4 * PX).all()


def test_art_of_any_size_is_laid_into_its_quad() -> None:
    quad = np.array([[20, 20], [100, 20], [100, 100], [20, 100]], np.float32)
    pictures = []
    for side in (128, 384):
        art = np.zeros((side, side, 3), np.uint8)
        cv2.circle(art, (side // 2, side // 2), side // 4, (255, 255, 255), -1)
        image = np.full((120, 120, 3), 60, np.float32)
        assert lay(np.random.default_rng(1), image, art, tile_shapes()[0], quad, sun=0.3)
        pictures.append(image)
    assert np.abs(pictures[0] - pictures[1]).mean() < 2
    assert pictures[1][60, 60].mean() > 200 > 30 > pictures[1][25, 25].mean()
