"""The phones of the app: serves them while somebody wants it, and no longer than a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QLabel, QVBoxLayout

from ui.errors import ToldError
from ui.phones.addresses import local_addresses
from ui.phones.hub import PhoneHub
from ui.storage.paths import user_data_folder
from ui.text.errors import error_sentence
from ui.text.phones import words as texts
from ui.widgets.controls import make_button
from ui.widgets.phone_code import PhoneCode, other_addresses
from ui.widgets.style import dress
from ui.widgets.theme import Look
from ui.widgets.words import Words

if TYPE_CHECKING:
    from ui.app.main_window import MainWindow
    from ui.phones.server import PhoneServer
    from ui.workers.game_worker import GameWorker

WIDE_PX = 560


class AppPhones(QObject):
    """Holds at most one server; each has its own secret."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.hub = PhoneHub()
        self._server: PhoneServer | None = None
        self._dialog: PhonesDialog | None = None
        self.has_game = False
        """Whether the phones see a game, and not just a camera that is being chosen."""

    @property
    def is_open(self) -> bool:
        """Whether phones are served."""
        return self._server is not None

    def open(self) -> list[str]:
        """Serve phones from now on, and return the addresses; none where that cannot be."""
        from ui.phones.server import PhoneServer  # takes long; the window is to be seen before

        if self._server is None:
            hosts = local_addresses()
            if not hosts:
                return []
            server = PhoneServer(self.hub, hosts, user_data_folder())
            try:
                server.start()
            except ToldError as error:
                self._window.show_notice(error_sentence(error))
                return []
            self._server = server
        return [self._server.address(host) for host in self._server.hosts]

    def show_game(self, worker: GameWorker) -> None:
        """Let phones see a game, and choose in it."""
        self.has_game = True
        self.hub.on_act = worker.do

    def show_code(self) -> None:
        """Show what a phone scans, and serve it."""
        if self._dialog is None:
            self._dialog = PhonesDialog(self._window)
            self._dialog.stop.clicked.connect(self._on_stop)
        self._dialog.code.show_addresses(self.open())
        self._dialog.show()
        self._dialog.raise_()

    def close(self) -> None:
        """Serve phones no longer: the game was left."""
        self.hub.forget_game()
        self._on_stop()
        self.has_game = False

    def _on_stop(self) -> None:
        """Serve phones no longer, whatever becomes of the game."""
        if self._dialog is not None:
            self._dialog.close()
            self._dialog.deleteLater()
            self._dialog = None
        server, self._server = self._server, None
        if server is not None:
            server.stop()


class PhonesDialog(QDialog):
    """The code, and the other addresses; the game goes on beside it."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.setModal(False)
        self.setMinimumWidth(WIDE_PX)
        words = Words()
        words.bind(self.setWindowTitle, texts.PHONES)
        self.code = PhoneCode(words)
        self.code.set_look(Look())
        self._others = QLabel()
        self._others.setWordWrap(True)
        self._others.setTextFormat(Qt.TextFormat.PlainText)
        self._others.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        dress(self._others, "quiet")
        self.stop = make_button(words, texts.STOP_PHONES)
        self.stop.setAutoDefault(False)  # Enter and Space must not end them by accident
        self.code.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.code.setFocus()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 22)
        for part in (self.code, self._others, self.stop):
            layout.addWidget(part)
        self.code.chosen.connect(lambda address: self._others.setText(other_addresses(address)))
