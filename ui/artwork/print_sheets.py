"""The print-and-play sheets: all 45 tiles at true size, with marks to cut by and a bar to measure."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from PySide6.QtCore import (
    QBuffer,
    QIODevice,
    QLineF,
    QMarginsF,
    QPointF,
    QRectF,
    QSizeF,
    Qt,
    qInstallMessageHandler,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QGuiApplication,
    QPageSize,
    QPainter,
    QPainterPath,
    QPdfWriter,
    QPen,
    QTransform,
)

from referee.rules.tiles import CODES
from ui.artwork.tile_face import edge_colour, paint_face
from ui.platform.qt_environment import clean_qt_environment
from ui.text.catalogue import _, say
from vision.files import MADE_HERE

PAPERS = {"a4": QPageSize.PageSizeId.A4, "letter": QPageSize.PageSizeId.Letter}
TILE_MM = 50.0
COLUMNS, ROWS = 3, 5
SHEETS = tuple(CODES[at : at + COLUMNS * ROWS] for at in range(0, len(CODES), COLUMNS * ROWS))
"""The tiles of each sheet, row by row."""
GAP_MM = 2.0
"""Gap between two tiles. Each tile is printed into half of it, so that a bad cut shows no white."""
PITCH_MM = TILE_MM + GAP_MM
BLOCK_MM = QSizeF(COLUMNS * PITCH_MM - GAP_MM, ROWS * PITCH_MM - GAP_MM)
BAR_MM = 50.0
BAR_AWAY_MM = 12.0
"""From the tiles to the bar that shows whether the print has its true size."""

_MARK_MM = (1.7, 5.7)
"""Where crop marks begin and end, from the tiles outwards: 5 mm of even a Letter page stay clear."""
_LINES_MM = (17.0, 13.0, 9.0)
"""Distances of the text's baselines from the tiles."""
_TEXT_MM = 3.0
_FONT_PX = 100
_RESOLUTION_DPI = 1200
_MM_PER_INCH = 25.4
_BLACK = QColor("#000000")


def print_note() -> str:
    """Return how to print the sheets at their true size."""
    return _(
        "Print at 100 % (actual size), not fitted to the page, best on thick paper. "
        "The bar in the margin is then 50 mm long."
    )


def sheets_pdf(paper: str) -> bytes:
    """Return the sheets as a PDF file; its words are in the chosen language. Needs no screen.

    Args:
        paper: One of `PAPERS`.
    """
    clean_qt_environment()
    without_screen = ["-platform", "offscreen"] if sys.platform.startswith("linux") else []
    application = QGuiApplication.instance() or QGuiApplication(["pyramid-referee", *without_screen])
    assert application is not None  # kept until the words are painted
    page = QPageSize(PAPERS[paper])
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(_("Tiles to print"))
    writer.setPageSize(page)
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(_RESOLUTION_DPI)
    painter = QPainter(writer)
    try:
        painter.scale(_RESOLUTION_DPI / _MM_PER_INCH, _RESOLUTION_DPI / _MM_PER_INCH)
        for number in range(1, len(SHEETS) + 1):
            if number > 1:
                writer.newPage()
            paint_sheet(painter, page.size(QPageSize.Unit.Millimeter), number)
    finally:
        # Of a painting that Ctrl-C broke off Qt would say that it is not complete.
        handler = qInstallMessageHandler(lambda *_said: None)
        painter.end()
        qInstallMessageHandler(handler)
    return bytes(buffer.data().data()) + MADE_HERE


def paint_sheet(painter: QPainter, page_mm: QSizeF, number: int) -> None:
    """Paint one sheet; needs a QGuiApplication, for the fonts.

    Args:
        painter: Its unit is the millimetre, its origin the page's top left corner.
        page_mm: Size of the page.
        number: Of the sheet, from 1.
    """
    block = QRectF(QPointF(0, 0), BLOCK_MM)
    block.moveCenter(QPointF(page_mm.width() / 2, page_mm.height() / 2))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    boxes = tile_boxes(block)
    half_gap = GAP_MM / 2
    for code, box in zip(SHEETS[number - 1], boxes, strict=True):
        painter.fillRect(box.adjusted(-half_gap, -half_gap, half_gap, half_gap), edge_colour(code))
        paint_face(painter, code, box)
    _paint_crop_marks(painter, block, boxes)
    lines = (
        say("Pyramid Referee: the 45 tiles, sheet {number} of {count}", number=number, count=len(SHEETS)),
        print_note(),
        _("Cut from mark to mark; each tile is 50 mm wide and high."),
    )
    for text, away in zip(lines, _LINES_MM, strict=True):
        _paint_upwards(painter, text, QPointF(block.left() - away, block.bottom()))
    bar = QRectF(block.right() + BAR_AWAY_MM, block.center().y() - BAR_MM / 2, 3, BAR_MM)
    _paint_bar(painter, bar)
    _paint_upwards(painter, "50 mm", QPointF(bar.right() + 4, bar.bottom()))


def tile_boxes(block: QRectF) -> tuple[QRectF, ...]:
    """Return the cut edges of the tiles in a block of `BLOCK_MM`, row by row."""
    return tuple(
        QRectF(block.x() + column * PITCH_MM, block.y() + row * PITCH_MM, TILE_MM, TILE_MM)
        for row in range(ROWS)
        for column in range(COLUMNS)
    )


def _paint_crop_marks(painter: QPainter, block: QRectF, boxes: Sequence[QRectF]) -> None:
    """Paint short lines outside the block, in line with every edge to be cut."""
    painter.setPen(QPen(_BLACK, 0.15, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
    near, far = _MARK_MM
    for x in {edge for box in boxes for edge in (box.left(), box.right())}:
        painter.drawLine(QLineF(x, block.top() - near, x, block.top() - far))
        painter.drawLine(QLineF(x, block.bottom() + near, x, block.bottom() + far))
    for y in {edge for box in boxes for edge in (box.top(), box.bottom())}:
        painter.drawLine(QLineF(block.left() - near, y, block.left() - far, y))
        painter.drawLine(QLineF(block.right() + near, y, block.right() + far, y))


def _paint_bar(painter: QPainter, bar: QRectF) -> None:
    """Paint a bar of centimetres, every other one black."""
    cell = bar.height() / 5
    for at in range(5):
        painter.fillRect(
            QRectF(bar.x(), bar.y() + at * cell, bar.width(), cell),
            _BLACK if at % 2 == 0 else QColor("#C8C8C8"),
        )


def _paint_upwards(painter: QPainter, text: str, start: QPointF) -> None:
    """Paint a line of text that runs up the page from `start`, as outlines of the system's own font."""
    font = QFont()
    font.setPixelSize(_FONT_PX)
    outline = QPainterPath()
    outline.addText(0, 0, font, text)
    size = _TEXT_MM / _FONT_PX
    turned = QTransform().translate(start.x(), start.y()).rotate(-90).scale(size, size)
    painter.fillPath(turned.map(outline), _BLACK)
