"""A game as a strip of pictures, one for each turn with what was said: pages of a PDF, or one tall PNG."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QPageSize,
    QPainter,
    QPdfWriter,
)

from referee.errors import RefereeError
from referee.rules.layout import Layout
from ui.artwork.tile_face import paint_face
from ui.errors import StorageError, ToldError
from ui.platform.qimages import to_qimage
from ui.platform.qt_environment import clean_qt_environment
from ui.storage.stored_pictures import unpack_picture
from ui.text.errors import TOO_MANY_PAGES
from vision.files import MADE_HERE

UNITS_PER_MM = 10.0
"""The unit of all sizes below is a tenth of a millimetre, so that font sizes are whole numbers."""
PAGE = QRectF(0, 0, 2100, 2970)
BODY = PAGE.adjusted(120, 120, -120, -120)
PICTURE_WIDTH, PICTURE_HEIGHT = 840.0, 472.5
PNG_DPI = 150
MAX_PNG_PAGES = 18
"""Qt cannot paint on a picture that is taller than so many pages."""
PDF_DPI = 300

_MM_PER_INCH = 25.4
_SPACE = 45.0
_TITLE, _HEADING, _TEXT = 46, 42, 36
"""Font sizes."""
_INK, _LINE, _CARD = QColor("#15181C"), QColor("#D5D3CC"), QColor("#F0EEE8")
_WRAPPED = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
_MAX_TILE = 150.0


@dataclass(frozen=True, slots=True)
class StripTurn:
    """One turn, as the strip shows it."""

    heading: str
    sentences: tuple[str, ...]
    layout: str
    """Canonical; drawn where there is no picture."""
    picture: bytes | None = None
    """A JPEG."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A turn with the room that it takes."""

    turn: StripTurn
    text: str
    box: QRectF


def strip_pdf(title: str, turns: Sequence[StripTurn]) -> bytes:
    """Return the strip as a PDF file of A4 pages. Needs no screen."""
    application = _application()
    pages = _pages(title, turns)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(PDF_DPI)
    painter = QPainter(writer)
    try:
        painter.scale(*[PDF_DPI / _MM_PER_INCH / UNITS_PER_MM] * 2)
        for number, rows in enumerate(pages):
            if number:
                writer.newPage()
            _paint_page(painter, title if number == 0 else "", rows)
    finally:
        painter.end()
    del application  # kept until the words are painted
    return bytes(buffer.data().data()) + MADE_HERE


def strip_png(title: str, turns: Sequence[StripTurn]) -> bytes:
    """Return the strip as a PNG file, its pages one below the other. Needs no screen.

    Raises:
        ToldError: It has too many pages for one picture.
    """
    application = _application()
    pages = _pages(title, turns)
    if len(pages) > MAX_PNG_PAGES:
        raise ToldError(TOO_MANY_PAGES, pages=len(pages), limit=MAX_PNG_PAGES)
    scale = PNG_DPI / _MM_PER_INCH / UNITS_PER_MM
    width, height = round(PAGE.width() * scale), round(PAGE.height() * scale)
    image = QImage(width, height * len(pages), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    try:
        for number, rows in enumerate(pages):
            painter.resetTransform()
            painter.translate(0, number * height)
            painter.scale(scale, scale)
            _paint_page(painter, title if number == 0 else "", rows)
    finally:
        painter.end()
    del application
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs ask for bytes, and refuse them
    return bytes(buffer.data().data()) + MADE_HERE


STRIPS: dict[str, Callable[[str, Sequence[StripTurn]], bytes]] = {".pdf": strip_pdf, ".png": strip_png}
"""Ending of a file's name -> what makes such a file."""


def _application() -> object:
    """Return the application, which fonts need. If none runs yet, start one without a screen."""
    clean_qt_environment()
    without_screen = ["-platform", "offscreen"] if sys.platform.startswith("linux") else []
    return QGuiApplication.instance() or QGuiApplication(["pyramid-referee", *without_screen])


def _font(size: int, *, bold: bool = False) -> QFont:
    font = QFont()
    font.setPixelSize(size)
    font.setBold(bold)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def _height_of(text: str, size: int, width: float, *, bold: bool = False) -> float:
    room = QRectF(0, 0, width, 1e6)
    return QFontMetricsF(_font(size, bold=bold)).boundingRect(room, _WRAPPED, text).height()


def _pages(title: str, turns: Sequence[StripTurn]) -> list[list[_Row]]:
    """Return the rows of each page; at least one page."""
    pages: list[list[_Row]] = [[]]
    top = BODY.top() + _height_of(title, _TITLE, BODY.width(), bold=True) + _SPACE
    text_width = BODY.width() - PICTURE_WIDTH - _SPACE
    for turn in turns:
        heading = _height_of(turn.heading, _HEADING, text_width, bold=True)
        text = _fitted("\n".join(turn.sentences), text_width, BODY.height() - heading - 3 * _SPACE)
        height = max(PICTURE_HEIGHT, heading + _height_of(text, _TEXT, text_width))
        if top + height > BODY.bottom() and pages[-1]:
            pages.append([])
            top = BODY.top()
        pages[-1].append(_Row(turn, text, QRectF(BODY.left(), top, BODY.width(), height)))
        top += height + _SPACE
    return pages


def _fitted(text: str, width: float, height: float) -> str:
    """Return as much of a text as fits, with an ellipsis if that is not all."""
    while _height_of(text, _TEXT, width) > height:
        text = f"{text[: len(text) * 3 // 4].rstrip()}…"
    return text


def _paint_page(painter: QPainter, title: str, rows: Sequence[_Row]) -> None:
    """Paint a page, in tenths of a millimetre from its top left corner."""
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    _paint_text(painter, title, BODY, _TITLE, bold=True)
    for row in rows:
        box = row.box
        painter.fillRect(QRectF(box.left(), box.top() - _SPACE / 2, box.width(), 2), _LINE)
        place = QRectF(box.left(), box.top(), PICTURE_WIDTH, PICTURE_HEIGHT)
        picture = _unpacked(row.turn.picture)
        if picture is not None:
            _paint_picture(painter, picture, place)
        else:
            painter.fillRect(place, _CARD)
            _paint_layout(painter, row.turn.layout, place.adjusted(_SPACE, _SPACE, -_SPACE, -_SPACE))
        beside = box.adjusted(PICTURE_WIDTH + _SPACE, 0, 0, _SPACE)
        _paint_text(painter, row.turn.heading, beside, _HEADING, bold=True)
        heading = _height_of(row.turn.heading, _HEADING, beside.width(), bold=True)
        _paint_text(painter, row.text, beside.adjusted(0, heading, 0, 0), _TEXT)


def _paint_text(painter: QPainter, text: str, box: QRectF, size: int, *, bold: bool = False) -> None:
    painter.setFont(_font(size, bold=bold))
    painter.setPen(_INK)
    painter.drawText(box, _WRAPPED, text)


def _unpacked(jpeg: bytes | None) -> QImage | None:
    """Return a picture, or None if there is none or it cannot be read."""
    try:
        return None if jpeg is None else to_qimage(unpack_picture(jpeg))
    except StorageError:
        return None


def _paint_picture(painter: QPainter, picture: QImage, place: QRectF) -> None:
    """Paint a picture as large as it fits, at the left top of its place."""
    factor = min(place.width() / picture.width(), place.height() / picture.height())
    target = QRectF(place.topLeft(), QSizeF(picture.size()) * factor)
    painter.drawImage(target, picture)


def _paint_layout(painter: QPainter, layout: str, place: QRectF) -> None:
    """Paint a pyramid with its foot at the bottom of its place."""
    try:
        tiles = list(Layout.parse(layout).tiles)
    except RefereeError:
        return
    if not tiles:
        return
    lefts = [slot + row / 2 for (row, slot), _tile in tiles]
    left, right, rows = min(lefts), max(lefts) + 1, max(row for (row, _slot), _tile in tiles) + 1
    side = min(place.width() / (right - left), place.height() / rows, _MAX_TILE)
    start = place.center().x() - (right - left) * side / 2
    gap = side * 0.03
    for (row, slot), tile in tiles:
        x, y = start + (slot + row / 2 - left) * side, place.bottom() - (row + 1) * side
        paint_face(painter, tile.code, QRectF(x, y, side, side).adjusted(gap, gap, -gap, -gap))
