"""The referee's own artwork for the 45 tiles: what `tiles` prints and samples show.

A face has a strong flat ground, the weight as large as it goes, and below it, on a band that tells which
way is up, the colour's sign and what the tile is made of. The four grounds differ in lightness as
well as in hue, and two of them carry dark numerals, so that no pair hangs on telling red from green.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from referee.rules.tiles import Tile
from ui.artwork import materials as tile_pictures
from ui.artwork.colour_signs import symbol_path
from ui.artwork.numerals import paint_numeral
from ui.platform.qimages import to_bgr
from vision.imaging.arrays import ImageU8

GROUND = {"Y": "#FFC20E", "R": "#D4242C", "G": "#3FAE52", "B": "#174093"}
"""Colour letter -> its flat ground; their lightness (CIE L*) is 82, 44, 65 and 33."""
_SHADE = {"Y": "#D3A00A", "R": "#B41E25", "G": "#339142", "B": "#13367F"}
"""Colours of the band below. It is hardly darker than the ground: else a camera sees two tiles."""
_DEEP = {"Y": "#4F3800", "R": "#560A10", "G": "#0E3A14", "B": "#081A42", "M": "#26292E"}
_INK = {"Y": "#1D1400", "R": "#FFFFFF", "G": "#071F0A", "B": "#FFFFFF", "M": "#FFFFFF"}

_SIDE = 100.0
"""Side of a face, in the units in which it is drawn."""
_RIM = 3.0
"""The edge separates tiles of one colour that touch."""
_INSIDE = QRectF(_RIM, _RIM, _SIDE - 2 * _RIM, _SIDE - 2 * _RIM)
_BAND_TOP = 59.0
_NUMERAL = QRectF(8, 8, 84, 45)
_SIGN = QRectF(7, 65.5, 27, 27)
_PICTURE_CORNER = QPointF(38, 64)
_PLATE = QRectF(_RIM, 28, _SIDE - 2 * _RIM, 44)
"""Ground of the millstone's numeral."""


def edge_colour(code: str) -> QColor:
    """Return the colour of a face's edge. Prints continue in this colour beyond the cut."""
    return QColor(_DEEP[code[0]])


def paint_face(painter: QPainter, code: str, box: QRectF) -> None:
    """Paint one tile's printed face, upright, into a square box; the painter's state stays as it was.

    Args:
        painter: Open on anything; strokes and fills only, so print stays sharp at any size.
        code: One of the 45.
        box: The face's outer edge, in the painter's coordinates.

    Raises:
        TileError: There is no such tile.
    """
    weight = Tile.from_code(code).weight
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(box.topLeft())
    painter.scale(box.width() / _SIDE, box.height() / _SIDE)
    painter.fillRect(QRectF(0, 0, _SIDE, _SIDE), edge_colour(code))
    if code[0] in GROUND:
        _paint_coloured(painter, code[0], weight)
    else:
        _paint_millstone(painter, weight)
    painter.restore()


def face_image(code: str, side_px: int) -> ImageU8:
    """Return one tile's face as (side_px, side_px, 3) uint8, BGR; the same on every call.

    No application and no screen are needed.

    Raises:
        TileError: There is no such tile.
    """
    image = QImage(side_px, side_px, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    try:
        paint_face(painter, code, QRectF(0, 0, side_px, side_px))
    finally:
        painter.end()  # a picture that is still painted on must not be thrown away
    return to_bgr(image)


def _paint_coloured(painter: QPainter, letter: str, weight: int) -> None:
    painter.fillRect(_INSIDE, QColor(GROUND[letter]))
    painter.fillRect(_INSIDE.adjusted(0, _BAND_TOP - _RIM, 0, 0), QColor(_SHADE[letter]))
    paint_numeral(painter, weight, _NUMERAL, QColor(_INK[letter]))
    painter.fillPath(symbol_path(letter, _SIGN), QColor(_INK[letter]))
    painter.save()
    painter.translate(_PICTURE_CORNER)
    tile_pictures.paint_picture(painter, weight)
    painter.restore()


def _paint_millstone(painter: QPainter, weight: int) -> None:
    """Paint all four colours with their signs, round a millstone that carries the numeral."""
    half = _SIDE / 2
    inner = QRectF(_RIM, _RIM, half - _RIM, half - _RIM)
    for at, letter in enumerate(GROUND):
        corner = QPointF(at % 2, at // 2)
        painter.fillRect(inner.translated(corner * (half - _RIM)), QColor(GROUND[letter]))
        sign = QRectF(5, 5, 19, 19).translated(corner * (_SIDE - 29))
        painter.fillPath(symbol_path(letter, sign), QColor(_INK[letter]))
    tile_pictures.paint_millstone(painter, QPointF(half, half), 36)
    painter.fillRect(_PLATE, edge_colour("M200"))
    paint_numeral(painter, weight, _PLATE.adjusted(6, 3, -6, -3), QColor(_INK["M"]))
