"""All 45 tiles to choose from, for games without a camera and for corrections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QWidget

from referee.rules.tiles import CODES
from ui.text.sentences import tile_name
from ui.viewmodels.typed_tile import next_place
from ui.widgets.pyramid_view import ARROWS
from ui.widgets.style import restyle
from ui.widgets.table.tile_icon import tile_icon
from ui.widgets.theme import Look

COLOURS = "YRGB"
WEIGHTS = (1, 2, 4, 6, 10, 20, 30, 40, 60, 100, 120, 200)
"""One column for each weight; the blowtorches (7) are in the column of the coals."""
COLUMNS = len(WEIGHTS)
SMALLEST_PX, GAP_PX = 22, 3


class TilePalette(QWidget):
    """A row for each colour from light to heavy, and the millstone. Tiles that cannot be chosen are faint.

    For the keyboard it is one stop: arrows go from tile to tile.
    """

    chosen = Signal(str)
    """The code of the tile that was clicked."""

    def __init__(self, look: Look, *, largest_px: int = 60) -> None:
        super().__init__()
        self._look, self._largest = look, largest_px
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GAP_PX)
        self._buttons: dict[str, QPushButton] = {}
        for code in CODES:
            weight = 1 if code[1:] == "7" else int(code[1:])
            row = max(0, COLOURS.find(code[0]))
            self._grid.addWidget(self._button(code), row, WEIGHTS.index(weight))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._side = 0
        self._is_dressed = False
        self._stop = "Y1"
        """The tile that Tab leads to."""
        self._stop_at(self._stop)

    def _button(self, code: str) -> QPushButton:
        button = QPushButton()
        button.setFlat(True)
        button.setCheckable(True)
        button.setAutoDefault(True)  # Enter presses it, too
        button.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        button.installEventFilter(self)
        button.setAccessibleName(tile_name(code))
        button.clicked.connect(lambda: self.chosen.emit(code))
        self._buttons[code] = button
        return button

    def button(self, code: str) -> QPushButton:
        """Return the button of a tile."""
        return self._buttons[code]

    def buttons(self) -> list[QPushButton]:
        """Return the buttons of all tiles."""
        return list(self._buttons.values())

    def focus_on(self, code: str) -> None:
        """Let the keyboard stop at this tile."""
        self._stop_at(code)
        self._buttons[code].setFocus(Qt.FocusReason.TabFocusReason)

    def _stop_at(self, code: str) -> None:
        self._buttons[self._stop].setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._stop = code
        self._buttons[code].setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrows go from tile to tile, before they mean anything else."""
        if event.type() not in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride):
            return super().eventFilter(watched, event)
        assert isinstance(event, QKeyEvent)
        arrow = ARROWS.get(Qt.Key(event.key()))
        if arrow is None:
            return super().eventFilter(watched, event)
        event.accept()
        if event.type() == QEvent.Type.KeyPress:
            code = next(code for code, button in self._buttons.items() if button is watched)
            free = {_place_of(each): each for each, button in self._buttons.items() if button.isEnabled()}
            place = next_place(_place_of(code), free, arrow)
            self.focus_on(free.get(place or (0, 0), code))
        return True

    def show_state(self, elsewhere: Mapping[str, str], held: str | None = None) -> None:
        """Draw tiles that cannot be chosen faint, with the reason, and mark the chosen tile."""
        for code, button in self._buttons.items():
            reason = elsewhere.get(code, "")
            button.setEnabled(not reason)
            button.setToolTip(reason or tile_name(code))
            button.setChecked(code == held)
        if held is not None:
            self._stop_at(held)
        elif not self._buttons[self._stop].isEnabled():
            self._stop_at(next((code for code in CODES if code not in elsewhere), CODES[0]))

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        self._look = look
        self._fit(anew=True)

    def sizeHint(self) -> QSize:
        """Return the size for tiles that are easy to click."""
        side = self._look.px(self._largest)
        return QSize((side + GAP_PX) * COLUMNS, (side + GAP_PX) * len(COLOURS))

    def minimumSizeHint(self) -> QSize:
        """Return the width of small tiles, and the height that these tiles have now."""
        side = max(SMALLEST_PX, self._side)
        return QSize(SMALLEST_PX * COLUMNS, (side + GAP_PX) * len(COLOURS) - GAP_PX)

    def _side_for(self, width: int) -> int:
        fits = (width - GAP_PX * (COLUMNS - 1)) // COLUMNS
        return max(SMALLEST_PX, min(self._look.px(self._largest), fits))

    def _fit(self, *, anew: bool = False) -> None:
        side = self._side_for(self.width())
        if side == self._side and not anew:
            return
        self._side = side
        self.setFixedHeight((side + GAP_PX) * len(COLOURS) - GAP_PX)
        for button in self._buttons.values():
            button.setFixedSize(side, side)
        self._is_dressed = False
        if self.isVisible():
            self._dress()

    def _dress(self) -> None:
        """Draw the tiles. A palette that nobody sees waits with it, as that takes long."""
        self._is_dressed = True
        for code, button in self._buttons.items():
            button.setIconSize(QSize(self._side - 6, self._side - 6))
            button.setIcon(tile_icon(code, self._side))
        theme = self._look.theme
        restyle(
            self,
            "QPushButton { padding: 0; border: 3px solid transparent; background: transparent; }"
            f"QPushButton:checked {{ border: 3px solid {theme.accent}; border-radius: 8px; }}"
            f"QPushButton:focus {{ border: 3px solid {theme.text}; border-radius: 8px; }}",
        )

    def showEvent(self, event: QShowEvent) -> None:
        """Draw the tiles if that has waited."""
        if not self._is_dressed:
            self._dress()
        super().showEvent(event)

    def resizeEvent(self, event: object) -> None:
        """Make the tiles as large as fits."""
        self._fit()


def _place_of(code: str) -> tuple[int, int]:
    """Return where a tile is among the others, such that those of a column lie straight above each other."""
    row = len(COLOURS) - 1 - max(0, COLOURS.find(code[0]))
    column = WEIGHTS.index(1 if code[1:] == "7" else int(code[1:]))
    return 2 * row, column - row


def likeliest(codes: Sequence[str], known: str | None, elsewhere: Mapping[str, str], most: int) -> list[str]:
    """Return which codes a popup puts first: what was read, then the same weight and colour."""
    near = [
        code
        for code in CODES
        if known is not None
        and code not in elsewhere
        and (code[1:] == known[1:] or (code[0] == known[0] and len(code) == len(known)))
    ]
    ordered = dict.fromkeys([*(code for code in codes if code not in elsewhere), *near])
    return [code for code in ordered if code != known][:most]
