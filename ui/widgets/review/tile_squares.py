"""One small square for each tile: whether the data set shows it, confirmed, and under two lights."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QSizePolicy, QWidget

from referee.rules.tiles import CODES
from ui.artwork.palette import MILLSTONE_HUB, TILE_COLOURS, TILE_INK
from ui.text import review as texts
from ui.text.catalogue import say
from ui.widgets.review.crop_grid import called
from ui.widgets.theme import Look
from vision.dataset.review_progress import ReviewProgress, ReviewState

WEIGHTS = (1, 2, 4, 6, 10, 20, 30, 40, 60, 100, 120, 200)
"""One column for each weight; the blowtorches (7) are in the column of the coals."""
SIDE_PX, GAP_PX = 36, 4
COLUMNS = len(WEIGHTS)


class TileSquares(QWidget):
    """Shows how far each tile is."""

    chosen = Signal(object)
    """Somebody wants to see the pictures of this code, or of all tiles for None."""

    def __init__(self) -> None:
        super().__init__()
        self._look = Look()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self.squares: dict[str, Square] = {}
        self.setProperty("scales itself", True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def show_progress(self, progress: ReviewProgress, only: str | None) -> None:
        """Show how far each tile is, and for which tile pictures are shown."""
        if list(self.squares) != list(progress.states):
            self._make(list(progress.states))
        for code, square in self.squares.items():
            square.show_state(progress.states[code], progress.counts[code], chosen=code == only)

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        self._look = look
        self._grid.setSpacing(look.px(GAP_PX))
        for square in self.squares.values():
            square.set_look(look)

    def _make(self, codes: Sequence[str]) -> None:
        for square in self.squares.values():
            self._grid.removeWidget(square)
            square.deleteLater()
        self.squares = {code: Square(code) for code in codes}
        for at, (code, square) in enumerate(self.squares.items()):
            row, column = divmod(at, COLUMNS)
            if set(codes) <= set(CODES):
                row = max(0, "YRGB".find(code[0]))
                column = WEIGHTS.index(1 if code[1:] == "7" else int(code[1:]))
            self._grid.addWidget(square, row, column)
            square.clicked.connect(lambda _on=False, code=code: self._on_clicked(code))
        self.set_look(self._look)

    def _on_clicked(self, code: str) -> None:
        self.chosen.emit(None if self.squares[code].is_chosen else code)


class Square(QAbstractButton):
    """One tile."""

    def __init__(self, code: str) -> None:
        super().__init__()
        self._code, self._look = code, Look()
        self._state = ReviewState.UNSEEN
        self.is_chosen = False
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def show_state(self, state: ReviewState, counts: tuple[int, int], *, chosen: bool) -> None:
        """Show how far the tile is, and whether only its pictures are shown."""
        self._state, self.is_chosen = state, chosen
        sentence = {ReviewState.UNSEEN: texts.SQUARE_UNSEEN, ReviewState.COMPLETE: texts.SQUARE_COMPLETE}
        text = say(
            sentence.get(state, texts.SQUARE), tile=called(self._code), confirmed=counts[0], all=counts[1]
        )
        self.setToolTip(text)
        self.setAccessibleName(text)
        self.update()

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        self._look = look
        self.setMinimumSize(look.px(18), look.px(SIDE_PX))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return the size of a square."""
        return QSize(self._look.px(SIDE_PX), self._look.px(SIDE_PX))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the square: an outline, a fuller one, filled, or filled with a ticked corner."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look, theme = self._look, self._look.theme
        colour = TILE_COLOURS.get(self._code[0]) if self._code in CODES else theme.accent
        ink = TILE_INK.get(self._code[0], theme.accent_text) if self._code in CODES else theme.accent_text
        box = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        shape = QPainterPath()
        shape.addRoundedRect(box, look.px(6), look.px(6))
        is_filled = self._state in (ReviewState.CONFIRMED, ReviewState.COMPLETE)
        if is_filled:
            painter.fillPath(shape, QColor(colour or MILLSTONE_HUB))
        elif self._state is ReviewState.PROPOSED:
            tint = QColor(colour or theme.quiet)
            tint.setAlphaF(0.22)
            painter.fillPath(shape, tint)
        edge = QPen(QColor(theme.line if self._state is ReviewState.UNSEEN else (colour or theme.quiet)), 1.6)
        if self._state is not ReviewState.COMPLETE and not is_filled:
            edge.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(edge)
        painter.drawPath(shape)
        font = QFont(painter.font())
        font.setPixelSize(max(9, min(look.text_px(13), round(box.width() / 2.1))))
        font.setBold(is_filled)
        painter.setFont(font)
        unseen = self._state is ReviewState.UNSEEN
        painter.setPen(QColor(ink if is_filled else theme.quiet if unseen else theme.text))
        text = self._code[1:] if self._code in CODES else self._code
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        if self._state is ReviewState.COMPLETE:
            painter.setClipPath(shape)
            _paint_corner(painter, box, QColor(ink))
            painter.setClipping(False)
        if self.is_chosen or self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.accent if self.is_chosen else theme.text), 2.5))
            painter.drawPath(shape)


def _paint_corner(painter: QPainter, box: QRectF, colour: QColor) -> None:
    """Tick the upper right corner of a square."""
    side = box.height() * 0.3
    corner = QPolygonF([box.topRight(), box.topRight() - QPointF(side, 0), box.topRight() + QPointF(0, side)])
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(corner)
