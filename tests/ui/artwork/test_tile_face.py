"""The artwork: every face can be told from every other, by people and by the shipped reader."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from referee.errors import TileError
from referee.rules.tiles import CODES
from ui.artwork.tile_face import face_image, paint_face
from vision.imaging.arrays import ImageU8

GRAY_WEIGHTS = np.array([0.114, 0.587, 0.299])
"""Of blue, green and red."""


def gray(image_bgr: ImageU8) -> np.ndarray:
    return image_bgr @ GRAY_WEIGHTS


def ground_bgr(letter: str) -> np.ndarray:
    """The flat ground, beside the numeral of a tile whose numeral is narrow."""
    return face_image(f"{letter}2", 200)[60, 20].astype(float)


def luminance(colour_bgr: np.ndarray) -> float:
    """Relative luminance as accessibility guidelines define it for sRGB."""
    share = colour_bgr / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return float(linear @ np.array([0.0722, 0.7152, 0.2126]))


@pytest.mark.parametrize("side_px", [1, 30, 100, 333])
def test_a_face_is_a_square_picture_that_is_the_same_each_time(side_px: int) -> None:
    face = face_image("R40", side_px)
    assert (face.shape, face.dtype) == ((side_px, side_px, 3), np.uint8)
    assert np.array_equal(face, face_image("R40", side_px))


def test_a_red_face_is_red_in_bgr() -> None:
    blue, green, red = ground_bgr("R")
    assert red > 3 * max(blue, green)


def test_faces_need_no_application_and_are_the_same_in_every_process() -> None:
    """All 45 three times over are also more calls than Python 3.11 lives through with PySide6 6.12.0."""
    code = """
import hashlib
from PySide6.QtGui import QGuiApplication
from referee.rules.tiles import CODES
from ui.artwork.tile_face import face_image
for _ in range(3):
    faces = b"".join(face_image(code, 40).tobytes() for code in CODES)
assert QGuiApplication.instance() is None
print(hashlib.sha256(faces).hexdigest())
"""
    line = [sys.executable, "-c", code]
    first, second = (
        subprocess.run(line, capture_output=True, text=True, timeout=60, check=True).stdout for _ in range(2)
    )
    assert len(first.strip()) == 64
    assert first == second


def test_an_unknown_tile_is_refused() -> None:
    with pytest.raises(TileError):
        face_image("R41", 40)


def test_the_painter_stays_as_it_was() -> None:
    image = QImage(60, 60, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    for code in CODES:
        paint_face(painter, code, QRectF(10, 20, 30, 30))
    assert painter.transform().isIdentity()
    assert not painter.testRenderHint(QPainter.RenderHint.Antialiasing)
    painter.end()
    inside = QRectF(10, 20, 30, 30).toRect()
    lit = {
        (x, y) for x in range(60) for y in range(60) if image.pixelColor(x, y).lightness() > 0
    }  # nothing beside the box
    assert lit
    assert all(inside.contains(x, y) for x, y in lit)


def test_every_face_differs_clearly_from_every_other_even_small_and_turned() -> None:
    """At 32 pixels a side; turned by quarters too, so that one sees which way is up."""
    faces = {code: face_image(code, 32).astype(float) for code in CODES}
    for code, other in combinations(CODES, 2):
        for quarters in range(4):
            assert np.abs(faces[code] - np.rot90(faces[other], quarters)).mean() > 7, (code, other, quarters)
    for code in CODES:
        for quarters in (1, 2, 3):
            assert np.abs(faces[code] - np.rot90(faces[code], quarters)).mean() > 20, (code, quarters)


def test_the_grounds_differ_in_lightness_alone() -> None:
    shades = sorted(float(ground_bgr(letter) @ GRAY_WEIGHTS) for letter in "YRGB")
    assert min(np.diff(shades)) > 25


def test_the_faces_of_one_weight_differ_in_grey() -> None:
    """The signs and the grounds tell the colours apart for whoever sees none."""
    for weight in (2, 4, 6, 10, 20, 30, 40, 60, 100, 120):
        greys = [gray(face_image(f"{letter}{weight}", 40)) for letter in "YRGB"]
        assert min(np.abs(grey - other).mean() for grey, other in combinations(greys, 2)) > 15


@pytest.mark.parametrize("letter", "YRGB")
def test_numerals_stand_out_from_their_ground(letter: str) -> None:
    """At least 4.5 to 1, what accessibility guidelines ask of text."""
    upper = face_image(f"{letter}40", 200)[10:110, 10:-10].reshape(-1, 3)
    colours, counts = np.unique(upper, axis=0, return_counts=True)
    ink, ground = colours[np.argsort(counts)[-2:]]
    assert ground.tolist() == ground_bgr(letter).tolist()
    dark, light = sorted((luminance(ink), luminance(ground)))
    assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_the_millstone_has_every_colour() -> None:
    face = face_image("M200", 200)
    seen = {tuple(int(value) for value in pixel) for pixel in face.reshape(-1, 3)}
    assert {tuple(int(value) for value in ground_bgr(letter)) for letter in "YRGB"} <= seen


class TestShippedReader:
    """The reader was trained on rendered sets of other artwork, and has never seen this one."""

    @pytest.mark.parametrize("side_px", [30, 60])
    def test_it_names_every_face(self, side_px: int) -> None:
        from vision.recognition.classifier import TileClassifier
        from vision.recognition.model_store import open_model

        corner = 80
        quad = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32) * side_px + corner
        classifier = TileClassifier(open_model("reader"))
        named = {}
        for code in CODES:
            table = np.full((220, 220, 3), (120, 150, 170), np.uint8)
            table[corner : corner + side_px, corner : corner + side_px] = face_image(code, side_px)
            faces = classifier.read(table, [quad])
            assert int(faces.up[0].argmax()) == 0, code
            named[code] = classifier.codes[int(faces.log_codes[0].argmax())]
        assert named == {code: code for code in CODES}

    @pytest.mark.parametrize("side_px", [36, 60])
    def test_it_reads_all_45_in_one_pyramid_without_a_question(self, side_px: int) -> None:
        from vision.recognition.reader import TileReader

        base, edge = 9, 40
        across = base * side_px + 2 * edge
        table = np.full((across, across, 3), (150, 165, 175), np.uint8)
        codes = iter(CODES)
        rows = [[next(codes) for _ in range(base - row)] for row in range(base)]
        for row, tiles in enumerate(rows):
            y = across - edge - (row + 1) * side_px
            for slot, code in enumerate(tiles):
                x = edge + slot * side_px + row * side_px // 2
                table[y : y + side_px, x : x + side_px] = face_image(code, side_px)
        reading = TileReader.open().read(table)
        assert str(reading.layout) == "/".join(" ".join(tiles) for tiles in rows)
        assert reading.unsure == ()
