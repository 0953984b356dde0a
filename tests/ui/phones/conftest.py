"""A game by clicking that is served to phones on this machine alone."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import cv2
import numpy as np
import pytest

from referee.rules.game import Setup
from ui.phones import server as servers
from ui.phones.hub import PhoneHub
from ui.phones.server import PhoneServer
from ui.services.game_session import GameSession
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.text.catalogue import choose_language
from ui.viewmodels.game import GameViewModel
from ui.viewmodels.game_view import Act, By

HOST = "127.0.0.1"
NAMES = ("Anna", "<b>Bruno</b>", "Chloé")
LIMIT_S = 60.0
"""After this, what is waited for does not come any more."""


@dataclass
class Served:
    """A server with a game; what phones choose is done at once, as the game's thread would."""

    hub: PhoneHub
    server: PhoneServer
    model: GameViewModel
    folder: Path
    acts: list[By] = field(default_factory=list)

    @property
    def address(self) -> str:
        return self.server.address(HOST)

    @property
    def port(self) -> int:
        return int(self.address.split(":")[2].split("/")[0])

    def do(self, act: Act) -> None:
        if isinstance(act, By):
            self.acts.append(act)
        self.model.do(act)
        self.hub.show(self.model)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[GameStore]:
    choose_language("en")
    with GameStore.open(tmp_path / "games.sqlite3") as opened:
        yield opened


def begin(store: GameStore, *, source: str = "", **agreed: object) -> GameViewModel:
    setup = Setup(**{"players": 3, **agreed})  # type: ignore[arg-type]
    settings = GameSettings(setup, source=source, names=NAMES[: setup.players])
    return GameViewModel(store, GameSession.begin(store, settings, None), settings, chance=random.Random(1))


@contextmanager
def serving(model: GameViewModel, folder: Path) -> Iterator[Served]:
    """Serve a game on this machine alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(servers, "HTTP_PORT", 0)  # two tests may run at a time
        patch.setattr(servers, "HTTPS_PORT", 0)
        hub = PhoneHub()
        server = PhoneServer(hub, [HOST], folder)
        server.start()
    served = Served(hub, server, model, folder)
    hub.on_act = served.do
    hub.show(model)
    try:
        yield served
    finally:
        assert server.stop()


@pytest.fixture
def served(store: GameStore, tmp_path: Path) -> Iterator[Served]:
    with serving(begin(store), tmp_path) as found:
        yield found


Visit = Callable[[aiohttp.ClientSession], Awaitable[object]]


def visit(what: Visit) -> None:
    """Do something as a guest."""

    async def run() -> None:
        async with asyncio.timeout(LIMIT_S), aiohttp.ClientSession() as guest:
            await what(guest)

    asyncio.run(run())


def jpeg(wide: int = 320, high: int = 180, grey: int = 90) -> bytes:
    done, data = cv2.imencode(".jpg", np.full((high, wide, 3), grey, np.uint8))
    assert done
    return data.tobytes()


def ours(served: Served) -> dict[str, str]:
    """Return what a browser says of a page of ours."""
    return {"Origin": served.address.rpartition("/")[0].rpartition("/")[0]}
