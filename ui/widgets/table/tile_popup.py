"""The popup that asks which tile lies somewhere: the likeliest tiles first, then all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ui.platform.accessibility import announce
from ui.text import table as texts
from ui.text.catalogue import say
from ui.text.questions import NOTHING_HERE
from ui.text.sentences import tile_name
from ui.viewmodels.typed_tile import TypedTile
from ui.widgets.popup import Popup
from ui.widgets.table.tile_icon import tile_icon
from ui.widgets.table.tile_palette import TilePalette, likeliest
from ui.widgets.theme import Look

MOST_LIKELY = 5


class TilePopup(Popup):
    """Asks which tile lies somewhere. Closes after the answer, or on a click elsewhere."""

    chosen = Signal(int, int, str)
    """Row, slot, and the code that was picked."""
    emptied = Signal(int, int)
    """Row and slot where no tile lies."""

    def __init__(self, parent: QWidget, look: Look, *, can_be_empty: bool = False) -> None:
        """Make a popup.

        Args:
            parent: The page.
            look: Colours and sizes.
            can_be_empty: Whether one may answer that no tile lies there.
        """
        super().__init__(parent)
        self._row = self._slot = 0
        self._look = look
        self._title = QLabel()
        self._typed = TypedTile()
        self._first = QHBoxLayout()
        self._first_buttons: list[QPushButton] = []
        self.palette_of_tiles = TilePalette(look, largest_px=34)
        self.palette_of_tiles.chosen.connect(self._on_chosen)
        whole = QVBoxLayout(self)
        whole.addWidget(self._title)
        whole.addLayout(self._first)
        whole.addWidget(self.palette_of_tiles)
        self.none = QPushButton()
        self.none.setAutoDefault(True)
        self.none.clicked.connect(self._on_none)
        whole.addWidget(self.none, 0, Qt.AlignmentFlag.AlignLeft)
        self.none.setVisible(can_be_empty)

    def ask(
        self,
        at: tuple[int, int],
        known: str | None,
        read: Sequence[str],
        elsewhere: Mapping[str, str],
        where: QPoint,
        look: Look,
    ) -> None:
        """Ask which tile lies there.

        Args:
            at: Row and slot.
            known: What is taken to lie there; None where that is asked.
            read: What it may be, as far as it was read, likeliest first.
            elsewhere: Why other tiles cannot lie there.
            where: Where the popup opens, on the screen.
            look: Colours and sizes.
        """
        (self._row, self._slot), self._look = at, look
        title = texts.with_tile(texts.WHICH_TILE, known) if known else say(texts.WHICH_TILE_IS_IT)
        self._title.setText(title)
        self.none.setText(say(NOTHING_HERE))
        self._offer_first(likeliest(read, known, elsewhere, MOST_LIKELY))
        self.palette_of_tiles.set_look(look)
        self.palette_of_tiles.show_state(elsewhere, known)
        self.adjustSize()
        screen = self.screen().availableGeometry()
        self.move(
            min(where.x(), screen.right() - self.sizeHint().width()),
            min(where.y(), screen.bottom() - self.sizeHint().height()),
        )
        self._typed.clear()
        self.show()
        (self._first_buttons or self.palette_of_tiles.buttons())[0].setFocus()
        announce(self, title, is_urgent=True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to a tile that is typed; Enter chooses it."""
        text = event.text()
        if text.isalnum() and len(text) == 1 and self._typed.press(text):
            code = self._typed.code
            if code is not None and self.palette_of_tiles.button(code).isEnabled():
                self.palette_of_tiles.focus_on(code)
        else:
            super().keyPressEvent(event)

    def likely_codes(self) -> list[str]:
        """Return the codes that are offered first."""
        return [str(button.property("code")) for button in self._first_buttons]

    def likely_button(self, at: int) -> QPushButton:
        """Return one of the buttons that are offered first."""
        return self._first_buttons[at]

    def _offer_first(self, codes: Sequence[str]) -> None:
        """Offer these tiles before all others, in place of those of the last question."""
        for old in self._first_buttons:
            self._first.removeWidget(old)
            old.deleteLater()
        self._first_buttons = [self._likely(code) for code in codes]
        for button in self._first_buttons:
            self._first.addWidget(button)

    def _likely(self, code: str) -> QPushButton:
        button = QPushButton()
        button.setProperty("code", code)
        side = self._look.px(52)
        button.setIcon(tile_icon(code, side))
        button.setIconSize(QSize(side, side))
        button.setToolTip(tile_name(code))
        button.setAccessibleName(tile_name(code))
        button.setAutoDefault(True)  # Enter presses it, too
        button.clicked.connect(lambda: self._on_chosen(code))
        return button

    def _on_chosen(self, code: str) -> None:
        self.hide()
        self.chosen.emit(self._row, self._slot, code)

    def _on_none(self) -> None:
        self.hide()
        self.emptied.emit(self._row, self._slot)
