"""The page of own tiles: print a set, and which sets the referee has learned."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from ui import page_texts as texts
from ui.pages.page import Page, make_button, make_card, make_label, scrolled
from ui.style import dress
from ui.words import say

COMMAND = 'pyramid-referee enrol NAME PHOTO PHOTO PHOTO --order "R40 B20 G60 …"'


class TilesPage(Page):
    """Tells what can be done about own tiles."""

    sheets_wanted = Signal()
    """Somebody wants the tiles as a PDF."""

    def __init__(self) -> None:
        super().__init__(texts.OWN_TILES)
        self._names: tuple[str, ...] = ()
        self._known = QLabel()
        self._known.setWordWrap(True)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        column.addWidget(make_label(self.words, texts.OWN_TILES_HINT))
        print_card, inside = make_card()
        inside.addWidget(make_label(self.words, texts.PRINT_TILES, "heading"))
        inside.addWidget(make_label(self.words, texts.PRINT_TILES_HINT, "quiet"))
        save = make_button(self.words, texts.PRINT_BUTTON)
        save.clicked.connect(self.sheets_wanted)
        inside.addWidget(save, 0, Qt.AlignmentFlag.AlignLeft)
        learn_card, inside = make_card()
        inside.addWidget(make_label(self.words, texts.LEARN_TILES, "heading"))
        inside.addWidget(make_label(self.words, texts.LEARN_TILES_HINT, "quiet"))
        command = QLabel(COMMAND)
        command.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        inside.addWidget(command)
        known_card, inside = make_card()
        inside.addWidget(make_label(self.words, texts.KNOWN_SETS, "heading"))
        dress(self._known, "quiet")
        inside.addWidget(self._known)
        for card in (print_card, learn_card, known_card):
            column.addWidget(card)
        column.addStretch(1)
        self.content.addWidget(scrolled(inner), 1)
        self.words.bind_made(self._known.setText, self._known_text)

    def show_tile_sets(self, names: Sequence[str]) -> None:
        """List the sets that were learned."""
        self._names = tuple(names)
        self._known.setText(self._known_text())

    def _known_text(self) -> str:
        return "\n".join(self._names) or say(texts.NO_SETS)
