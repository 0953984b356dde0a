"""The photo that a crop comes from, with its tiles outlined. The current tile's corners can be dragged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QImage,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.widgets.theme import BODY_PX, CORNER_PX, Look

if TYPE_CHECKING:
    from vision.dataset.review import Crop
    from vision.recognition.reading import Quad

MAX_ZOOM, ZOOM_STEP = 12.0, 1.25
TILE_SHARE = 0.28
"""Share of the pane's height that the current tile takes, until somebody turns the wheel."""
GRAB_PX = 14
"""In pixels of the design: how near to a corner the mouse must be."""
CORNERS = 4


class PhotoPane(QWidget):
    """Shows a photo with the outlines of its tiles; quads are in pixels of the photo's file."""

    quad_moved = Signal(int, object)
    """A crop's number and its new corners."""
    picked = Signal(int)
    """The number of a crop that was clicked."""
    corner_clicked = Signal(int)
    """How many corners of a new tile have been clicked so far."""
    corners_clicked = Signal(object)
    """The four corners of a new tile."""

    def __init__(self) -> None:
        super().__init__()
        self._look = Look()
        self._empty = ""
        self._image: QImage | None = None
        self._scale = 1.0
        self._picture: int | None = None
        self._crops: tuple[Crop, ...] = ()
        self._current: int | None = None
        self._quad: list[tuple[float, float]] = []
        self._drawn_from: list[tuple[float, float]] = []
        self._held: int | None = None
        self._clicked: list[tuple[float, float]] | None = None
        self._wheel_zoom: float | None = None
        self._middle = (0.5, 0.5)
        self._dragged_from: QPointF | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(220, 120)
        self.setMouseTracking(True)

    def show_photo(
        self,
        picture: int | None,
        photo: tuple[QImage, float] | None,
        crops: Sequence[Crop],
        current: int | None,
    ) -> None:
        """Show a photo.

        Args:
            picture: Which one, or None for none.
            photo: The photo and how many pixels of the file each of its pixels is; None while it is fetched.
            crops: Its tiles.
            current: The number of the one whose corners can be dragged.
        """
        if picture != self._picture:
            self._clicked = None
            self._wheel_zoom, self._middle = None, (0.5, 0.5)
            self._image = None
        self._picture = picture
        is_other = current != self._current or (photo is not None and self._image is None)
        self._image, self._scale = photo or (self._image, self._scale)
        self._crops, self._current, self._held = tuple(crops), current, None
        self._quad = next((list(each.label.quad_px) for each in crops if each.number == current), [])
        if is_other:
            self._drawn_from = list(self._quad)
            self._show_current()
        self.update()

    def begin_adding(self) -> None:
        """Take the next four clicks as the corners of a new tile."""
        if self._image is not None:
            self._clicked = []
            self._wheel_zoom = 1.0
            self.setCursor(Qt.CursorShape.CrossCursor)
            self.corner_clicked.emit(0)
            self.update()

    def stop_adding(self) -> None:
        """Forget the corners that were clicked."""
        self._clicked = self._wheel_zoom = None
        self.unsetCursor()
        self.update()

    @property
    def is_adding(self) -> bool:
        """Whether clicks are corners of a new tile."""
        return self._clicked is not None

    def set_empty_text(self, text: str) -> None:
        """Show this text while there is no photo."""
        self._empty = text
        self.update()

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        self._look = look
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size that suits a laptop's window."""
        return QSize(540, 320)

    def to_pane(self, point: tuple[float, float]) -> QPointF:
        """Return where in the pane a point of the file is shown."""
        frame = self._frame()
        assert self._image is not None
        factor = frame.width() / self._image.width()
        x, y = ((part + 0.5) / self._scale * factor for part in point)
        return QPointF(frame.x() + x, frame.y() + y)

    def to_file(self, point: QPointF) -> tuple[float, float]:
        """Return which point of the file a point of the pane shows."""
        frame = self._frame()
        assert self._image is not None
        factor = self._image.width() / frame.width() * self._scale
        return (point.x() - frame.x()) * factor - 0.5, (point.y() - frame.y()) * factor - 0.5

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of a corner, click one, or choose a tile."""
        at = event.position()
        if self._image is None or event.button() != Qt.MouseButton.LeftButton:
            return
        if self._clicked is not None:
            self._click(at)
            return
        near = [self._distance(at, corner) for corner in self._quad]
        if near and min(near) < self._look.px(GRAB_PX):
            self._held = near.index(min(near))
            return
        inside = [crop for crop in self._crops if self._outline(crop.label.quad_px).containsPoint(
            at, Qt.FillRule.OddEvenFill)]  # fmt: skip
        if inside and inside[0].number != self._current:
            self.picked.emit(inside[0].number)
        else:
            self._dragged_from = at

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the corner that is held, or the photo where it is larger than the pane."""
        if self._image is None:
            return
        at = event.position()
        if self._held is not None:
            self._quad[self._held] = self.to_file(at)
            self.update()
        elif self._dragged_from is not None and self._zoom() > 1:
            frame, way = self._frame(), at - self._dragged_from
            self._dragged_from = at
            self._look_at(
                self._middle[0] - way.x() / frame.width(), self._middle[1] - way.y() / frame.height()
            )
        elif self._clicked is None:
            near = any(self._distance(at, corner) < self._look.px(GRAB_PX) for corner in self._quad)
            self.setCursor(Qt.CursorShape.SizeAllCursor if near else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of a corner."""
        self._dragged_from = None
        if self._held is not None and self._current is not None:
            self._held = None
            self.quad_moved.emit(self._current, tuple(self._quad))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Show the photo larger or smaller. The point under the mouse stays where it is."""
        if self._image is None or not event.angleDelta().y():
            return
        frame, at = self._frame(), event.position()
        x, y = (at.x() - frame.x()) / frame.width(), (at.y() - frame.y()) / frame.height()
        old = self._zoom()
        step = ZOOM_STEP if event.angleDelta().y() > 0 else 1 / ZOOM_STEP
        self._wheel_zoom = min(MAX_ZOOM, max(1.0, old * step))
        share = old / self._wheel_zoom
        self._look_at(x + (self._middle[0] - x) * share, y + (self._middle[1] - y) * share)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the photo and the outlines."""
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        theme = self._look.theme
        card = QPainterPath()
        whole = QRectF(self.rect())
        if self._image is None:
            card.addRoundedRect(whole, CORNER_PX, CORNER_PX)
            painter.fillPath(card, QColor(theme.card))
            font = QFont(self.font())
            font.setPixelSize(self._look.text_px(BODY_PX))
            painter.setFont(font)
            painter.setPen(QColor(theme.quiet))
            painter.drawText(
                self.rect().adjusted(24, 8, -24, -8),
                Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap,
                self._empty,
            )
            return
        frame = self._frame()
        card.addRoundedRect(frame.intersected(whole), CORNER_PX, CORNER_PX)
        painter.setClipPath(card)
        painter.drawImage(frame, self._image)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for crop in self._crops:
            if crop.number != self._current:
                colour = theme.ring_taken if crop.is_proposed else theme.accent
                self._draw_outline(painter, crop.label.quad_px, colour, 1.5, dashed=crop.is_proposed)
        if self._quad:
            self._draw_outline(painter, self._quad, theme.accent, 3, dashed=False)
            if self._clicked is None:
                self._draw_corners(painter, self._quad)
        if self._clicked:
            self._draw_corners(painter, self._clicked)
            line = QPolygonF([self.to_pane(corner) for corner in self._clicked])
            painter.setPen(QPen(QColor(theme.accent), self._look.px(2)))
            painter.drawPolyline(line)

    def _draw_outline(
        self,
        painter: QPainter,
        quad: Sequence[tuple[float, float]],
        colour: str,
        width: float,
        *,
        dashed: bool,
    ) -> None:
        outline = self._outline(quad)
        style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
        wide = max(1.2, width * self._look.scale)
        painter.setPen(QPen(QColor(0, 0, 0, 140), wide + 2))
        painter.drawPolygon(outline)
        painter.setPen(QPen(QColor(colour), wide, style))
        painter.drawPolygon(outline)

    def _draw_corners(self, painter: QPainter, corners: Sequence[tuple[float, float]]) -> None:
        """Draw the corners that can be dragged. The one at the number's top left is filled."""
        theme, radius = self._look.theme, self._look.px(6)
        for number, corner in enumerate(corners):
            painter.setPen(QPen(QColor(theme.accent), self._look.px(2)))
            painter.setBrush(QColor(theme.accent if number == 0 else "#FFFFFF"))
            painter.drawEllipse(self.to_pane(corner), radius, radius)
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _click(self, at: QPointF) -> None:
        """Take a corner of a new tile."""
        assert self._clicked is not None
        self._clicked.append(self.to_file(at))
        count = len(self._clicked)
        if count < CORNERS:
            self.corner_clicked.emit(count)
        else:
            corners = _clockwise(self._clicked)
            self.stop_adding()
            self.corners_clicked.emit(corners)
        self.update()

    def _zoom(self) -> float:
        """Return how much larger than the pane the photo is, so that the current tile can be seen well."""
        if self._wheel_zoom is not None or self._image is None or not self._quad:
            return self._wheel_zoom or 1.0
        xs, ys = zip(*self._drawn_from, strict=True)
        side = max(max(xs) - min(xs), max(ys) - min(ys)) / self._scale
        fit = min(self.width() / self._image.width(), self.height() / self._image.height())
        return min(MAX_ZOOM, max(1.0, float(TILE_SHARE * self.height() / (side * fit))))

    def _frame(self) -> QRectF:
        """Return where the whole photo would be drawn."""
        assert self._image is not None
        fit = min(self.width() / self._image.width(), self.height() / self._image.height()) * self._zoom()
        wide, high = self._image.width() * fit, self._image.height() * fit
        x = (self.width() - wide) / 2 if wide <= self.width() else self.width() / 2 - self._middle[0] * wide
        y = (
            (self.height() - high) / 2
            if high <= self.height()
            else self.height() / 2 - self._middle[1] * high
        )
        if wide > self.width():
            x = min(0.0, max(self.width() - wide, x))
        if high > self.height():
            y = min(0.0, max(self.height() - high, y))
        return QRectF(x, y, wide, high)

    def _look_at(self, x: float, y: float) -> None:
        self._middle = (min(1.0, max(0.0, x)), min(1.0, max(0.0, y)))
        self.update()

    def _show_current(self) -> None:
        """Bring the current tile to the middle."""
        if self._image is None or not self._quad:
            return
        middle = [sum(part) / CORNERS / self._scale for part in zip(*self._quad, strict=True)]
        self._look_at(middle[0] / self._image.width(), middle[1] / self._image.height())

    def _outline(self, quad: Sequence[tuple[float, float]] | Quad) -> QPolygonF:
        return QPolygonF([self.to_pane(corner) for corner in quad])

    def _distance(self, at: QPointF, corner: tuple[float, float]) -> float:
        way = at - self.to_pane(corner)
        return float(max(abs(way.x()), abs(way.y())))


def _clockwise(corners: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return four corners clockwise, beginning with the first."""
    following = [*corners[1:], corners[0]]
    area = sum(x * v - u * y for (x, y), (u, v) in zip(corners, following, strict=True))
    return list(corners) if area > 0 else [corners[0], *reversed(corners[1:])]
