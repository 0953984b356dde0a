"""The live picture of the table, its tiles outlined and named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.artwork.palette import MILLSTONE_HUB, TILE_COLOURS
from ui.text import table as texts
from ui.text.catalogue import say
from ui.text.sentences import tile_name
from ui.viewmodels.game_view import CardView
from ui.viewmodels.table_view import Outline, Ring, TileView
from ui.widgets.theme import BODY_PX, CORNER_PX, Look

CROP_EDGE = 0.12
"""Of the pyramid's longer side: what is shown round it where it is shown alone."""


class LivePicture(QWidget):
    """Shows the newest picture as large as fits; a sentence if there is none."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._empty_text = ""
        self._image: QImage | None = None
        self._outlines: tuple[Outline, ...] = ()
        self._rings: Mapping[str, Ring] = {}
        self._is_cropped = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(240, 160)

    def show_image(self, image: QImage | None) -> None:
        """Show this picture, or none."""
        self._image = image
        self.setAccessibleName(say(texts.PICTURE_NAME) if image is not None else self._empty_text)
        self.update()

    def show_outlines(self, outlines: Sequence[Outline]) -> None:
        """Outline these tiles from now on."""
        if tuple(outlines) != self._outlines:
            self._outlines = tuple(outlines)
            self.setAccessibleDescription(", ".join(tile_name(each.code) for each in outlines))
            self.update()

    def show_rings(self, rings: Mapping[str, Ring]) -> None:
        """Mark tiles as the drawing marks them."""
        self._rings = rings
        self.update()

    def set_cropped(self, *, is_cropped: bool) -> None:
        """Show the pyramid alone, as large as fits, or the whole picture."""
        self._is_cropped = is_cropped
        self.update()

    def part(self) -> QRectF:
        """Return which part of the picture is shown, in shares of its width and height."""
        whole = QRectF(0, 0, 1, 1)
        corners = [corner for outline in self._outlines for corner in outline.quad]
        if not self._is_cropped or not corners:
            return whole
        xs, ys = [x for x, _y in corners], [y for _x, y in corners]
        box = QRectF(QPointF(min(xs), min(ys)), QPointF(max(xs), max(ys)))
        edge = CROP_EDGE * max(box.width(), box.height())
        return box.adjusted(-edge, -edge, edge, edge).intersected(whole)

    def set_empty_text(self, text: str) -> None:
        """Show this text while there is no picture."""
        self._empty_text = text
        self.update()

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        self._look = look
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size that suits a laptop's window."""
        return QSize(820, 480)

    def shown_rect(self) -> QRectF:
        """Return where the picture is drawn; empty without a picture."""
        if self._image is None:
            return QRectF()
        part = self.part()
        shown = QSizeF(self._image.width() * part.width(), self._image.height() * part.height())
        size = shown.scaled(QSizeF(self.size()), Qt.AspectRatioMode.KeepAspectRatio)
        left, top = (self.width() - size.width()) / 2, (self.height() - size.height()) / 2
        return QRectF(left, top, size.width(), size.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the picture with round corners, and over it the outlines."""
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        frame = QPainterPath()
        frame.addRoundedRect(QRectF(self.rect()), CORNER_PX, CORNER_PX)
        painter.fillPath(frame, QColor(self._look.theme.card))
        painter.setFont(self._font(BODY_PX))
        if self._image is None:
            painter.setPen(QColor(self._look.theme.quiet))
            inner = self.rect().adjusted(24, 24, -24, -24)
            painter.drawText(inner, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._empty_text)
        else:
            where = self.shown_rect()
            shape = QPainterPath()
            shape.addRoundedRect(where, CORNER_PX, CORNER_PX)
            painter.setClipPath(shape)
            part, wide, high = self.part(), self._image.width(), self._image.height()
            source = QRectF(part.x() * wide, part.y() * high, part.width() * wide, part.height() * high)
            painter.drawImage(where, self._image, source)
            for outline in sorted(self._outlines, key=lambda each: each.code in self._rings):
                self._draw_outline(painter, where, outline)

    def _draw_outline(self, painter: QPainter, where: QRectF, outline: Outline) -> None:
        part = self.part()
        corners = [
            QPointF(
                where.x() + (x - part.x()) / part.width() * where.width(),
                where.y() + (y - part.y()) / part.height() * where.height(),
            )
            for x, y in outline.quad
        ]
        ring = self._rings.get(outline.code, Ring.NONE)
        theme, px = self._look.theme, self._look.px
        colour = QColor("#FFFFFF")
        width = px(2)
        if ring is not Ring.NONE:
            colour = QColor(theme.ring_cause if ring is Ring.CAUSE else theme.ring_taken)
            width = px(5)
        style = Qt.PenStyle.DashLine if outline.unsure or ring is Ring.TAKEN else Qt.PenStyle.SolidLine
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(0, 0, 0, 110), width + 2))
        painter.drawPolygon(QPolygonF(corners))
        painter.setPen(QPen(colour, width, style))
        painter.drawPolygon(QPolygonF(corners))
        self._draw_name(painter, corners, outline)

    def _draw_name(self, painter: QPainter, corners: list[QPointF], outline: Outline) -> None:
        """Write a tile's number on its colour, low on the tile: its own number stays visible."""
        side = max(
            abs(a - b) for a, b in ((corners[0].x(), corners[2].x()), (corners[0].y(), corners[2].y()))
        )
        middle = (corners[0] + corners[1]) * 0.1 + (corners[2] + corners[3]) * 0.4
        size = min(self._look.text_px(15), max(9, int(side * 0.26)))
        painter.setFont(self._font(size, bold=True, scaled=False))
        text = f"{outline.code[1:]}?" if outline.unsure else outline.code[1:]
        box = QRectF(0, 0, painter.fontMetrics().horizontalAdvance(text) + size * 0.9, size * 1.35)
        box.moveCenter(middle)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(TILE_COLOURS.get(outline.code[0], MILLSTONE_HUB)))
        painter.drawRoundedRect(box, box.height() / 3, box.height() / 3)
        painter.setPen(QColor("#1B1402" if outline.code[0] == "Y" else "#FFFFFF"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _font(self, size_px: int, *, bold: bool = False, scaled: bool = True) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(self._look.text_px(size_px) if scaled else size_px)
        font.setBold(bold)
        return font


def crops_of(
    image: QImage | None, outlines: Sequence[Outline], card: CardView, tiles: Sequence[TileView]
) -> list[QImage]:
    """Return the parts of a picture that the question of a card is about."""
    asked = {tile.code for tile in tiles if (tile.row, tile.slot) in card.asks_about}
    if image is None:
        return []
    crops = []
    for outline in outlines:
        if outline.code in asked:
            xs = [x * image.width() for x, _y in outline.quad]
            ys = [y * image.height() for _x, y in outline.quad]
            box = QRect(QPoint(int(min(xs)), int(min(ys))), QPoint(int(max(xs)), int(max(ys))))
            crops.append(image.copy(box.adjusted(-8, -8, 8, 8).intersected(image.rect())))
    return crops
