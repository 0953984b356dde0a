"""A server with a game whose camera is a phone, as the app has it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from referee.rules.game import Setup
from ui.phones.hub import PhoneHub
from ui.phones.server import PhoneServer
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.viewmodels.requests import PHONE_SOURCE
from ui.workers.game_worker import GamePlan, GameWorker
from vision.recognition.reader import TileReader

HOST = "127.0.0.1"
NAMES = ("Anna", "Bruno", "Chloé")


@dataclass(frozen=True)
class Served:
    """A server, and where its games are stored."""

    hub: PhoneHub
    server: PhoneServer
    store: GameStore

    @property
    def addresses(self) -> tuple[str, str]:
        """Those of the first page, over http and over https."""
        return self.server.address(HOST), self.server.address(HOST, encrypted=True)

    def begin(self, kind: type[GameWorker] = GameWorker) -> GameWorker:
        """Begin a new game."""
        settings = GameSettings(Setup(3), source=PHONE_SOURCE, names=NAMES)
        pictures = self.hub.pictures
        plan = GamePlan(self.store, settings, None, pictures.open_source, TileReader.open, audience=self.hub)
        worker = kind(plan)
        self.hub.on_act = worker.do
        worker.start()
        return worker

    def leave(self, worker: GameWorker) -> None:
        """Leave a game; the phones stay."""
        worker.stop()
        self.hub.forget_game()


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    """Serve on this machine alone."""
    with GameStore.open(folder / "games.sqlite3") as store:
        hub = PhoneHub()
        server = PhoneServer(hub, [HOST], folder)
        server.start()
        try:
            yield Served(hub, server, store)
        finally:
            server.stop()
