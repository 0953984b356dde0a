"""The list of keys: what can be done without the mouse."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel

from ui.text import pages as texts
from ui.text import review as review_texts
from ui.text import table as table_texts
from ui.text.catalogue import say
from ui.text.phones import words as phone_words
from ui.text.photos import words as photo_words
from ui.text.window import key_name
from ui.widgets.style import dress

Standard = QKeySequence.StandardKey
KEYS = (
    (
        texts.KEYS_EVERYWHERE,
        (
            (texts.KEY_BACK, ("Esc",)),
            (texts.KEY_FULL_SCREEN, ("F",)),
            (texts.KEY_NEXT_FIELD, ("Tab",)),
            (texts.KEY_OPEN_PHOTO, (Standard.Open,)),
            (texts.KEY_QUIT, ("Ctrl+Q",)),
        ),
    ),
    (
        texts.KEYS_TABLE,
        (
            (texts.KEY_OK, ("Space",)),
            (texts.KEY_TYPE, ("G", "1", "0")),
            (texts.KEY_ARROWS, ("Left", "Right", "Up", "Down")),
            (texts.KEY_PUT, ("Return",)),
            (texts.KEY_FALL, ("Left", "Right")),
            (texts.KEY_CHECK, ("C",)),
            (texts.KEY_WHY, ("F1",)),
            (texts.KEY_UNDO, ("U",)),
            (texts.KEY_REDO, ("Shift+U",)),
            (table_texts.OTHER_CAMERA, ("Shift+C",)),
            (phone_words.PHONES, ("P",)),
        ),
    ),
    (
        texts.PHOTOS,
        (
            (photo_words.TAKE_AWAY, ("Del",)),
            (photo_words.TILES, ("T",)),
            (texts.NEXT_PHOTO, ("N",)),
            (texts.KEY_SAVE, (Standard.Save,)),
            (photo_words.SHARE, ("Ctrl+Shift+S",)),
        ),
    ),
    (
        review_texts.REVIEW,
        (
            (review_texts.RIGHT, ("Return",)),
            (review_texts.NO_TILE, ("Del",)),
            (review_texts.ADD_TILE, ("A",)),
            (texts.KEY_UNDO, ("U",)),
            (texts.KEY_REDO, ("Shift+U",)),
        ),
    ),
    (
        texts.KEYS_CUBE,
        (
            (texts.KEY_MOVE, ("Left", "Right", "Up", "Down")),
            (texts.KEY_PLACE, ("Space", "Return")),
            (texts.KEY_COLOUR, ("L", "D")),
            (texts.KEY_UNDO, ("U",)),
            (texts.KEY_REDO, ("Shift+U",)),
            (texts.KEY_SAVE, (Standard.Save,)),
        ),
    ),
)
"""Headings, each with its actions and their keys."""


class KeysCard(QFrame):
    """Shows the keys in two columns."""

    def __init__(self) -> None:
        super().__init__()
        dress(self, "card")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(24, 20, 24, 22)
        self._grid.setColumnStretch(0, 1)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(8)
        self.renew_words()

    def renew_words(self) -> None:
        """Write the list in the language that is chosen now."""
        while (item := self._grid.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        self._write(say(texts.SHORTCUTS), "", "heading")
        for heading, keys in KEYS:
            self._write(say(heading), "", "name")
            for what, names in keys:
                self._write(say(what), "  ".join(key_text(name) for name in names), "quiet")

    def _write(self, what: str, keys: str, role: str) -> None:
        row = self._grid.rowCount()
        label = QLabel(what)
        label.setWordWrap(True)
        dress(label, role)
        self._grid.addWidget(label, row, 0)
        if not keys:
            return
        cap = QLabel(keys)
        dress(cap, "key")
        self._grid.addWidget(cap, row, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


def key_text(key: str | QKeySequence.StandardKey) -> str:
    """Return a key as people read it."""
    return key_name(QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText))
