"""What each player of the cube game holds, and how the three faces stand."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy, QWidget

from referee.cube.game import SIDES, Side
from ui.artwork.cube import RIMS, SHADES
from ui.text import cube as texts
from ui.text.catalogue import say
from ui.viewmodels.cube import CubeView
from ui.widgets.style import dress
from ui.widgets.theme import Look

FACE_CUBES = 15
SMALLEST_SQUARE_PX = 5.0
WIDEST_STEP = 1.3
"""Distance from one square to the next, as a share of the row's height."""


class CubePanel(QFrame):
    """A table of hands and a table of faces."""

    def __init__(self) -> None:
        super().__init__()
        dress(self, "card")
        grid = QGridLayout(self)
        grid.setContentsMargins(24, 20, 24, 22)
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        self._headings = [_label("heading"), _label("heading")]
        self._names = [_label("body") for _ in range(5)]
        self._numbers = [_label("quiet") for _ in range(5)]
        self._bars = [_Bar() for _ in range(5)]
        for at, heading in enumerate(self._headings):
            grid.addWidget(heading, at * 3, 0, 1, 3)
        for at, row in enumerate((1, 2, 4, 5, 6)):
            grid.addWidget(self._names[at], row, 0)
            grid.addWidget(self._bars[at], row, 1)
            grid.addWidget(self._numbers[at], row, 2, Qt.AlignmentFlag.AlignRight)

    def show_view(self, view: CubeView) -> None:
        """Show hands and faces."""
        for heading, sentence in zip(self._headings, (texts.HANDS, texts.SCORES), strict=True):
            heading.setText(say(sentence))
        rows = [
            (say(texts.PLAYER[side]), view.hands[side].light, view.hands[side].dark, 18) for side in SIDES
        ]
        rows += [(say(texts.FACES[face.axis]), face.light, face.dark, FACE_CUBES) for face in view.faces]
        for at, (name, light, dark, whole) in enumerate(rows):
            self._names[at].setText(name)
            self._numbers[at].setText(say(texts.SCORE, light=light, dark=dark))
            self._bars[at].show_counts(light, dark, whole)

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        for bar in self._bars:
            bar.set_look(look)


class _Bar(QWidget):
    """Counts of both colours side by side: light from the left, dark from the right."""

    def __init__(self) -> None:
        super().__init__()
        self._look = Look()
        self._light = self._dark = 0
        self._whole = 1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_counts(self, light: int, dark: int, whole: int) -> None:
        """Show how many of the whole are light and dark."""
        self._light, self._dark, self._whole = light, dark, whole
        self.update()

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        self._look = look
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return a low, wide size."""
        return QSize(self._look.px(80), self._look.px(14))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw one small square for each cube."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        step = min(self.width() / self._whole, self.height() * WIDEST_STEP)
        side = min(step - 1.5, self.height() - 2)
        if side < SMALLEST_SQUARE_PX:
            self._draw_solid(painter)
            return
        for at in range(self._whole):
            square = QRectF(at * step + (step - side) / 2, (self.height() - side) / 2, side, side)
            colour = Side.LIGHT if at < self._light else Side.DARK if at >= self._whole - self._dark else None
            painter.setPen(QColor(self._look.theme.line if colour is None else RIMS[colour]))
            painter.setBrush(Qt.BrushStyle.NoBrush if colour is None else QColor(SHADES[colour][0]))
            painter.drawRoundedRect(square, side * 0.2, side * 0.2)

    def _draw_solid(self, painter: QPainter) -> None:
        """Draw two bars, for counts whose squares would be too small to be seen."""
        width, height = float(self.width()), float(self.height())
        light, dark = (count * width / self._whole for count in (self._light, self._dark))
        painter.setPen(Qt.PenStyle.NoPen)
        for x, length, colour in (
            (0.0, width, QColor(self._look.theme.line)),
            (0.0, light, QColor(SHADES[Side.LIGHT][0])),
            (width - dark, dark, QColor(SHADES[Side.DARK][0])),
        ):
            painter.setBrush(colour)
            painter.drawRoundedRect(QRectF(x, height * 0.2, length, height * 0.6), 2, 2)


def _label(role: str) -> QLabel:
    label = QLabel()
    dress(label, role)
    return label
