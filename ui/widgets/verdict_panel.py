"""The verdict card: the largest words on the screen."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from ui.viewmodels.table_view import Tone, VerdictView
from ui.widgets.theme import BODY_PX, CORNER_PX, HEADLINE_PX, SENTENCE_PX, Theme, text_px


class VerdictPanel(QFrame):
    """Shows a verdict in its tone. Each tone has a word, a shape and a colour.

    The first sentence is in full size; those after it are quieter, as they come later.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._scale = 1.0
        self._verdict = VerdictView(Tone.CALM, "")
        self._sign = ToneSign()
        self._headline = QLabel()
        self._headline.setWordWrap(True)
        top = QHBoxLayout()
        top.setSpacing(12)
        top.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self._headline, 1)
        self._lines = QWidget()
        self._lines_layout = QVBoxLayout(self._lines)
        self._lines_layout.setContentsMargins(0, 0, 8, 0)
        scroll = QScrollArea()
        scroll.setWidget(self._lines)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        for widget in (self, self._lines):
            widget.setProperty("scales itself", True)
        layout = QVBoxLayout(self)
        layout.addLayout(top)
        layout.addWidget(scroll, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(240, 140)

    def show_verdict(self, verdict: VerdictView) -> None:
        """Say this verdict."""
        self._verdict = verdict
        self.setAccessibleName(". ".join([verdict.headline, *self.lines()]))
        self._dress()

    def set_look(self, theme: Theme, scale: float) -> None:
        """Take the colours and the size of text from the window."""
        if (theme, scale) != (self._theme, self._scale):
            self._theme, self._scale = theme, scale
            self._dress()

    def lines(self) -> list[str]:
        """Return the sentences that are shown under the headline."""
        return [*self._verdict.sentences, *self._verdict.questions]

    def sizeHint(self) -> QSize:
        """Return the size that suits a laptop's window."""
        return QSize(520, 360)

    def _dress(self) -> None:
        """Show the current verdict again, in the current colours and sizes."""
        accent, ground = self._theme.tones[self._verdict.tone]
        edge = accent if self._verdict.tone in (Tone.MAYHEM, Tone.QUESTION) else ground
        self.setStyleSheet(
            f"VerdictPanel {{ background: {ground}; border: 2px solid {edge}; "
            f"border-radius: {CORNER_PX}px; }}"
            "QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; }"
        )
        margin = round(24 * self._scale)
        box = self.layout()
        assert box is not None
        box.setContentsMargins(margin, margin, margin, margin)
        box.setSpacing(round(14 * self._scale))
        self._lines_layout.setSpacing(round(14 * self._scale))
        size = text_px(HEADLINE_PX, self._scale)
        self._sign.show_tone(self._verdict.tone, accent, size)
        self._headline.setText(self._verdict.headline)
        self._headline.setFont(self._font(size, bold=True))
        self._headline.setStyleSheet(f"color: {accent};")
        while (item := self._lines_layout.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for at, text in enumerate(self.lines()):
            now = at == 0 or at >= len(self._verdict.sentences)
            self._lines_layout.addWidget(self._line(text, now=now))
        self._lines_layout.addStretch(1)

    def _line(self, text: str, *, now: bool) -> QLabel:
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setFont(self._font(text_px(SENTENCE_PX if now else BODY_PX, self._scale)))
        label.setStyleSheet(f"color: {self._theme.text if now else self._theme.quiet};")
        return label

    def _font(self, size_px: int, *, bold: bool = False) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(size_px)
        font.setBold(bold)
        return font


class ToneSign(QWidget):
    """The shape of a tone: tick, warning triangle, question mark or bar."""

    def __init__(self) -> None:
        super().__init__()
        self._tone, self._colour = Tone.CALM, "#000000"

    def show_tone(self, tone: Tone, colour: str, size_px: int) -> None:
        """Show the shape of this tone."""
        self._tone, self._colour = tone, colour
        self.setFixedSize(round(size_px * 1.2), round(size_px * 1.2))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the shape."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = float(min(self.width(), self.height()))
        colour = QColor(self._colour)
        pen = QPen(
            colour, side * 0.09, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
        )
        painter.setPen(pen)
        inner = QRectF(side * 0.1, side * 0.1, side * 0.8, side * 0.8)
        if self._tone is Tone.CALM:
            painter.drawEllipse(inner)
            points = [QPointF(side * x, side * y) for x, y in ((0.32, 0.52), (0.45, 0.65), (0.69, 0.38))]
            painter.drawPolyline(QPolygonF(points))
        elif self._tone is Tone.MISSED:  # a clock: it is too late
            painter.drawEllipse(inner)
            points = [QPointF(side * x, side * y) for x, y in ((0.5, 0.26), (0.5, 0.52), (0.68, 0.62))]
            painter.drawPolyline(QPolygonF(points))
        elif self._tone is Tone.NOTICE:
            painter.drawLine(QPointF(side * 0.2, side * 0.5), QPointF(side * 0.8, side * 0.5))
        else:
            shape = QPainterPath()
            if self._tone is Tone.MAYHEM:
                corners = [QPointF(side * x, side * y) for x, y in ((0.5, 0.12), (0.92, 0.86), (0.08, 0.86))]
                shape.addPolygon(QPolygonF([*corners, corners[0]]))
            else:
                shape.addEllipse(inner)
            painter.drawPath(shape)
            font = QFont(self.font())
            font.setBold(True)
            font.setPixelSize(round(side * 0.5))
            painter.setFont(font)
            mayhem = self._tone is Tone.MAYHEM
            where = inner.translated(0, side * 0.08) if mayhem else inner
            painter.drawText(where, Qt.AlignmentFlag.AlignCenter, "!" if mayhem else "?")
