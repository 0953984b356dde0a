"""The turns of a game as a strip of small pictures."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QFrame, QScrollArea, QToolTip, QWidget

from ui.artwork.small_pyramid import paint_pyramid
from ui.text import table as texts
from ui.text.catalogue import say
from ui.viewmodels.game_view import TurnView
from ui.viewmodels.table_view import Tone
from ui.widgets.theme import Look

WIDE_PX, HIGH_PX, GAP_PX = 104, 62, 8


class Timeline(QScrollArea):
    """One picture for each turn, the newest on the right. A click shows that turn again."""

    turn_clicked = Signal(int)
    """The index of a turn among those that are shown."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._strip = _Strip(look)
        self._strip.turn_clicked.connect(self.turn_clicked)
        self.setWidget(self._strip)
        self._wanted = 0
        # How far can be scrolled is known only after the strip was laid out.
        self.horizontalScrollBar().rangeChanged.connect(lambda _least, _most: self._scroll())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        self.set_look(look)

    def show_turns(self, turns: Sequence[TurnView], selected: int | None) -> None:
        """Show these turns. Scroll to the selected one, or else to the newest."""
        self._strip.show_turns(tuple(turns), selected)
        self._wanted = max(0, len(turns) - 1 if selected is None else selected)
        self._scroll()

    def _scroll(self) -> None:
        """Scroll to the turn that should be in view."""
        rect = self._strip.rect_of(self._wanted)
        self.ensureVisible(int(rect.center().x()), 0, int(rect.width()), 0)

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        self._strip.set_look(look)
        self.setFixedHeight(look.px(HIGH_PX) + 6)

    def rect_of(self, at: int) -> QRectF:
        """Return where a turn is drawn, in the strip."""
        return self._strip.rect_of(at)

    def strip(self) -> QWidget:
        """Return the widget that holds the turns."""
        return self._strip


class _Strip(QWidget):
    """All turns in a row."""

    turn_clicked = Signal(int)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.turns: tuple[TurnView, ...] = ()
        self._selected: int | None = None
        self._images: dict[int, QImage] = {}
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def show_turns(self, turns: tuple[TurnView, ...], selected: int | None) -> None:
        self.turns, self._selected = turns, selected
        self._say()
        self._fit()
        self.update()

    def set_look(self, look: Look) -> None:
        self._look = look
        self._fit()
        self.update()

    def rect_of(self, at: int) -> QRectF:
        px = self._look.px
        return QRectF(3 + at * (px(WIDE_PX) + px(GAP_PX)), 3, px(WIDE_PX), px(HIGH_PX))

    def sizeHint(self) -> QSize:
        return QSize(int(self.rect_of(len(self.turns)).left()), self._look.px(HIGH_PX) + 6)

    def _fit(self) -> None:
        self.resize(self.sizeHint())

    def _at(self, x: float) -> int | None:
        return next(
            (at for at in range(len(self.turns)) if self.rect_of(at).adjusted(0, -9, 0, 9).contains(x, 9)),
            None,
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self._at(event.position().x())
        if at is not None:
            self.turn_clicked.emit(at)

    def _say(self) -> None:
        """Name the turn that is shown, or the newest, for screen readers."""
        if not self.turns:
            return
        at = len(self.turns) - 1 if self._selected is None else self._selected
        turn = self.turns[at]
        said = " ".join(turn.sentences)
        name = say(texts.TURN_NAME, turn=turn.number, turns=self.turns[-1].number, player=turn.player)
        self.setAccessibleName(f"{name}. {said}")
        self.setAccessibleDescription(say(texts.TURNS_HINT))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self.turns) - 1
        now = last + 1 if self._selected is None else self._selected
        steps = {
            Qt.Key.Key_Home: 0, Qt.Key.Key_End: last,
            Qt.Key.Key_Left: max(0, now - 1), Qt.Key.Key_Right: min(last, now + 1),
        }  # fmt: skip
        wanted = steps.get(Qt.Key(event.key()))
        if self.turns and wanted is not None:
            if wanted != self._selected:
                self.turn_clicked.emit(wanted)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        is_key = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if is_key and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):  # type: ignore[attr-defined]
            event.accept()  # they go from turn to turn here
            return True
        if event.type() == QEvent.Type.ToolTip:
            at = self._at(event.pos().x())  # type: ignore[attr-defined]  # a QHelpEvent
            if at is not None:
                text = "\n".join([self.turns[at].player, *self.turns[at].sentences])
                QToolTip.showText(event.globalPos(), text, self)  # type: ignore[attr-defined]
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        for at, turn in enumerate(self.turns):
            rect = self.rect_of(at)
            if rect.intersects(QRectF(event.rect())):
                newest = self._selected is None and self.hasFocus() and at == len(self.turns) - 1
                self._draw(painter, rect, turn, is_selected=at == self._selected or newest)

    def _draw(self, painter: QPainter, rect: QRectF, turn: TurnView, *, is_selected: bool) -> None:
        theme = self._look.theme
        shape = QPainterPath()
        shape.addRoundedRect(rect, 8, 8)
        painter.fillPath(shape, QColor(theme.card))
        painter.save()
        painter.setClipPath(shape)
        image = self._image(turn)
        if image is not None:
            high = rect.width() * image.height() / image.width()
            painter.drawImage(QRectF(rect.x(), rect.center().y() - high / 2, rect.width(), high), image)
        else:
            paint_pyramid(painter, rect.adjusted(22, 5, -6, -5), turn.layout)
        badge = QRectF(rect.x(), rect.bottom() - self._look.px(20), self._look.px(30), self._look.px(20))
        painter.fillRect(badge, QColor(20, 22, 26, 205))
        painter.restore()
        font = QFont(self.font())
        font.setPixelSize(self._look.text_px(13))
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor("#FFFFFF"))
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, str(turn.number))
        if turn.was_mayhem:
            painter.setPen(QColor(theme.tones[Tone.MAYHEM][0]))
            painter.drawText(rect.adjusted(0, 2, -7, 0), Qt.AlignmentFlag.AlignRight, "▲")
        if is_selected:
            painter.setPen(QPen(QColor(theme.accent), 3))
            painter.drawPath(shape)

    def _image(self, turn: TurnView) -> QImage | None:
        if turn.entry is None or not turn.thumbnail:
            return None
        if turn.entry not in self._images:
            self._images[turn.entry] = QImage.fromData(turn.thumbnail)
        image = self._images[turn.entry]
        return None if image.isNull() else image
