"""The page about the program: version, models with their cards, folders, licences, details for a report."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QTextBrowser, QVBoxLayout, QWidget

from ui import __version__
from ui.pages.page import Page
from ui.services.about import ModelCard, details_for_a_report, folders, model_cards
from ui.storage.paths import shown_folder
from ui.text import pages as texts
from ui.text import window as window_texts
from ui.text.catalogue import say
from ui.widgets.button_flow import ButtonFlow
from ui.widgets.controls import make_button, make_card, make_label, scrolled
from ui.widgets.style import dress


class AboutPage(Page):
    """Shows what the program is made of. The texts are read when somebody asks for them."""

    copied = Signal(str)
    """The details for a report are on the clipboard; a sentence that says so."""

    def __init__(self) -> None:
        super().__init__(texts.ABOUT)
        self._version = QLabel()
        dress(self._version, "name")
        self.words.bind_made(self._version.setText, lambda: say(texts.ABOUT_VERSION, version=__version__))
        self._games_folder, self._log_folder = QLabel(), QLabel()
        for label in (self._games_folder, self._log_folder):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy = make_button(self.words, texts.COPY_DETAILS)
        self.copy.clicked.connect(self._on_copy)
        self.text = QTextBrowser()
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setOpenLinks(False)
        self.words.bind(self.text.setAccessibleName, texts.ABOUT_TEXT)
        self.cards = model_cards()
        self._folders = folders()
        self._arrange()

    def enter(self) -> None:
        """Begin with the first card."""
        self.show_folders(*folders())
        if self.cards:
            self.show_card(self.cards[0])
        self.copy.setFocus()

    def renew_words(self) -> None:
        """Say everything in the language that is chosen now."""
        super().renew_words()
        self.show_folders(*self._folders)

    def show_card(self, card: ModelCard) -> None:
        """Show what a model can do and what it cannot."""
        self.text.setMarkdown(card.card)

    def show_notices(self) -> None:
        """Show the licences of everything that is packed with the program."""
        from ui.services.notices import notices_text

        self.text.setPlainText(notices_text())

    def show_folders(self, games: Path, log: Path) -> None:
        """Say where games, settings and the log are kept."""
        self._folders = games, log
        self._games_folder.setText(say(texts.ABOUT_GAMES_FOLDER, folder=shown_folder(games)))
        self._log_folder.setText(say(texts.ABOUT_LOG_FOLDER, folder=shown_folder(log)))

    def _on_copy(self) -> None:
        screen = self.screen()
        size = screen.size()
        seen = (
            f"screen {size.width()} x {size.height()} at {screen.devicePixelRatio():g}, "
            f"{QGuiApplication.platformName()}, {len(QGuiApplication.screens())} in all"
        )
        QGuiApplication.clipboard().setText(details_for_a_report(seen))
        self.copied.emit(say(texts.ABOUT_COPIED))

    def _arrange(self) -> None:
        program, inside = make_card()
        inside.addWidget(make_label(self.words, window_texts.APP_NAME, "heading"))
        inside.addWidget(self._version)
        for sentence in (texts.ABOUT_PRIVACY, texts.ABOUT_NOT_THEIRS, texts.ABOUT_REPORT):
            inside.addWidget(make_label(self.words, sentence, "quiet"))
        inside.addWidget(self.copy)
        kept, inside = make_card()
        inside.addWidget(make_label(self.words, texts.ABOUT_FOLDERS, "heading"))
        inside.addWidget(self._games_folder)
        inside.addWidget(self._log_folder)
        left = QVBoxLayout()
        left.setSpacing(16)
        left.addWidget(program)
        left.addWidget(kept)
        left.addStretch(1)
        inner = QWidget()
        halves = self.make_halves(inner)
        halves.addLayout(left, 5)
        halves.addWidget(self._reading_card(), 6)
        self.content.addWidget(scrolled(inner), 1)

    def _reading_card(self) -> QWidget:
        card, inside = make_card()
        inside.addWidget(make_label(self.words, texts.ABOUT_MODELS, "heading"))
        if not self.cards:
            inside.addWidget(make_label(self.words, texts.ABOUT_NO_MODELS, "quiet"))
        buttons = ButtonFlow(fills=True)
        for one in self.cards:
            button = make_button(self.words, one.name)
            button.clicked.connect(lambda _=False, one=one: self.show_card(one))
            buttons.add(button)
        self.notices = make_button(self.words, texts.ABOUT_NOTICES)
        self.notices.clicked.connect(self.show_notices)
        buttons.add(self.notices)
        inside.addWidget(buttons)
        self.text.setMinimumHeight(320)
        inside.addWidget(self.text, 1)
        return card
