"""The popup that tells the rule behind a card, with the tiles of the case."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from ui.platform.accessibility import announce
from ui.text import table as texts
from ui.text.catalogue import say
from ui.viewmodels.game_view import RuleView
from ui.widgets.button_flow import ButtonFlow
from ui.widgets.popup import Popup
from ui.widgets.pyramid_view import PyramidView
from ui.widgets.style import dress
from ui.widgets.theme import Look

WIDE_PX, DRAWN_PX = 460, 190


class WhyPopup(Popup):
    """Shows one rule. Closes on Esc, or on a click elsewhere."""

    rules_wanted = Signal()
    """Somebody wants to read all rules."""

    def __init__(self, parent: QWidget, look: Look) -> None:
        super().__init__(parent)
        self._title, self._sentences, self._source = QLabel(), QLabel(), QLabel()
        dress(self._title, "heading")
        dress(self._sentences, "body")
        dress(self._source, "quiet")
        self.drawing = PyramidView(look.theme)
        self._rules, self._close = QPushButton(), QPushButton()
        for button, on_click in ((self._rules, self._on_rules), (self._close, self.hide)):
            button.setAutoDefault(True)
            button.clicked.connect(on_click)
        whole = self._whole = QVBoxLayout(self)
        for label in (self._title, self._sentences, self._source):
            label.setWordWrap(True)
        for part in (self._title, self.drawing, self._sentences, self._source):
            whole.addWidget(part)
        whole.addWidget(ButtonFlow((self._rules, self._close)))

    def tell(self, rule: RuleView, corner: QPoint, look: Look) -> None:
        """Open with a rule.

        Args:
            rule: What is told.
            corner: Where the popup's upper right corner goes, on the screen.
            look: Colours and sizes.
        """
        self._title.setText(rule.title)
        self._sentences.setText("\n\n".join(rule.sentences))
        self._source.setText(rule.source)
        self._rules.setText(say(texts.ALL_RULES))
        self._close.setText(say(texts.CLOSE))
        self.drawing.set_look(look.theme, look.scale * 0.6, reduced_motion=True)
        self.drawing.show_tiles(rule.tiles, rule.arrows, rule.places)
        self.drawing.setVisible(bool(rule.tiles))
        self.drawing.setFixedHeight(look.px(DRAWN_PX))
        screen = self.screen().availableGeometry()
        wide = min(look.px(WIDE_PX), screen.width())
        self.ensurePolished()
        self._whole.activate()
        # `adjustSize` asks for the height at the width that the words would like to have.
        self.setFixedSize(wide, self._whole.totalHeightForWidth(wide))
        self.move(
            max(screen.left(), min(corner.x() - self.width(), screen.right() - self.width())),
            max(screen.top(), min(corner.y(), screen.bottom() - self.height())),
        )
        self.show()
        self._rules.setFocus()
        announce(self, rule.words, is_urgent=True)

    def said(self) -> str:
        """Return all that the popup says."""
        return "\n".join(label.text() for label in (self._title, self._sentences, self._source))

    def _on_rules(self) -> None:
        self.hide()
        self.rules_wanted.emit()
