"""The page of all rules, with small drawings; a field finds those in which some words stand."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from referee.rules.options import DEFAULTS, Options
from ui.pages.page import Page
from ui.text import pages as texts
from ui.viewmodels.game_view import RuleView
from ui.viewmodels.rulebook import rule_views
from ui.widgets.controls import make_card, make_label, scrolled
from ui.widgets.pyramid_view import PyramidView
from ui.widgets.style import dress
from ui.widgets.theme import Look

DRAWN_WIDE_PX, DRAWN_HIGH_PX = 210, 130
SMALL = 0.5
"""How large drawings are beside those of the table."""


class RulesPage(Page):
    """Lists the rules of a game."""

    def __init__(self) -> None:
        super().__init__(texts.RULES)
        self._options = DEFAULTS
        self.field = QLineEdit()
        self.field.setClearButtonEnabled(True)
        self.words.bind(self.field.setPlaceholderText, texts.FIND_RULE)
        self.words.bind(self.field.setAccessibleName, texts.FIND_RULE)
        self.field.textChanged.connect(lambda _text: self._find())
        self._none = make_label(self.words, texts.NO_RULE_FOUND, "quiet")
        self._rows: list[tuple[RuleView, QFrame, PyramidView | None]] = []
        inner = QWidget()
        self._list = QVBoxLayout(inner)
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(12)
        self._list.addWidget(self._none)
        self._list.addStretch(1)
        self.content.addWidget(self.field)
        self.content.addWidget(scrolled(inner), 1)
        self._write()

    def show_options(self, options: Options) -> None:
        """Show the rules as a game with these options plays them."""
        self._options = options
        self._write()

    def shown(self) -> list[str]:
        """Return the titles of the rules that are shown."""
        return [rule.title for rule, row, _drawing in self._rows if not row.isHidden()]

    def enter(self) -> None:
        """Give the keyboard to the field."""
        self.field.setFocus()
        self.field.selectAll()

    def renew_words(self) -> None:
        """Say everything in the language that is chosen now."""
        super().renew_words()
        self._write()

    def set_look(self, look: Look) -> None:
        """Take colours and sizes from the window."""
        super().set_look(look)
        for _rule, _row, drawing in self._rows:
            if drawing is not None:
                drawing.set_look(look.theme, look.scale * SMALL, reduced_motion=True)
                drawing.setFixedSize(look.px(DRAWN_WIDE_PX), look.px(DRAWN_HIGH_PX))

    def _write(self) -> None:
        """Write the list anew."""
        for _rule, row, _drawing in self._rows:
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows = []
        for at, rule in enumerate(rule_views(self._options)):
            row, drawing = _row(rule, self.look)
            self._rows.append((rule, row, drawing))
            self._list.insertWidget(at, row)
        self.set_look(self.look)
        self._find()

    def _find(self) -> None:
        found = {rule.topic for rule in rule_views(self._options, self.field.text())}
        for rule, row, _drawing in self._rows:
            row.setVisible(rule.topic in found)
        self._none.setVisible(not found)


def _row(rule: RuleView, look: Look) -> tuple[QFrame, PyramidView | None]:
    """Return the card of a rule, and its drawing, if it has one."""
    card, inside = make_card()
    grid = QGridLayout()
    grid.setColumnStretch(0, 1)
    grid.setHorizontalSpacing(16)
    inside.addLayout(grid)
    texts_of = [(rule.title, "heading"), *((text, "body") for text in rule.sentences), (rule.source, "quiet")]
    for at, (text, role) in enumerate(texts_of):
        label = QLabel(text)
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        dress(label, role)
        grid.addWidget(label, at, 0)
    if not rule.tiles:
        return card, None
    drawing = PyramidView(look.theme)
    drawing.show_tiles(rule.tiles, rule.arrows, rule.places)
    grid.addWidget(drawing, 0, 1, len(texts_of), 1, Qt.AlignmentFlag.AlignTop)
    return card, drawing
