"""States of the table page, for its pictures and its tests: the sample game up to a moment, and others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from PySide6.QtGui import QImage

from referee.rules.events import Direction
from referee.rules.game import Setup, Variant, Voice
from referee.rules.options import FireDie, Options
from referee.search.observation import ObservedTile
from referee.tracking.inputs import Corrected
from ui.platform.qimages import ImageU8, to_qimage
from ui.services.game_session import GameSession, as_settled
from ui.services.sample_source import FOLDER
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.viewmodels.game import GameViewModel
from ui.viewmodels.game_view import GameView, Hold, LetFall, LookBack, Put
from ui.viewmodels.table_view import Outline
from ui.workers.game_worker import outlines
from vision.imaging.photo import read_photo
from vision.recognition.reader import TileReader
from vision.recognition.reading import Reading

NAMES = ("Anna", "Bruno", "Chloé")


@dataclass(frozen=True, slots=True)
class TableState:
    """What the page is given."""

    name: str
    view: GameView
    picture: QImage | None = None
    outlines: tuple[Outline, ...] = ()
    lost: str = ""
    is_tour: bool = False
    """Whether it is the sample game, as a guided tour."""
    is_big: bool = False
    """Whether the big view is shown."""


@cache
def _readings() -> list[tuple[str, ImageU8, Reading]]:
    """Return each table of the sample game: name, picture, and what the shipped reader reads."""
    reader = TileReader.open()
    found = []
    for path in sorted(FOLDER.glob("*.jpg")):
        if not path.stem.endswith("-hand"):
            image = read_photo(path).image_bgr
            found.append((path.stem, image, reader.read(image)))
    return found


def _watched(
    store: GameStore, until: str, setup: Setup, name: str, *, unsure: bool = False, thing: bool = False
) -> TableState:
    settings = GameSettings(setup, "Desk camera", NAMES)
    session = GameSession.begin(store, settings, None)
    model = GameViewModel(store, session, settings)
    for at, (stem, image, reading) in enumerate(_readings()):
        settled = as_settled(reading, 10.0 * at + 1, hidden=False)
        if stem == until and unsure:
            top = max(settled.tiles, key=lambda tile: tile.row)
            doubt = ObservedTile(top.row, top.slot, ((top.codes[0][0], 0.52), ("R10", 0.4)), sure=False)
            settled = replace(settled, tiles=tuple(doubt if tile is top else tile for tile in settled.tiles))
        if stem == until and thing:
            taken_for = ObservedTile(3, 4, (("M200", 0.99),))
            settled = replace(settled, tiles=(*settled.tiles, taken_for))
        session.hear(settled, image)
        session.reading = reading
        model._forget()
        if stem == until:
            break
    return TableState(name, model.view(), to_qimage(image), outlines(model, image.shape[:2]))


def table_states(folder: Path) -> Iterator[TableState]:
    """Yield every state worth a picture; `folder` takes the store.

    Shows the texts in the language that is chosen when a state is taken.
    """
    with GameStore.open(folder / "states.sqlite3") as store:
        family = Setup(3)
        yield _watched(store, "20", family, "calm")
        mayhem = _watched(store, "46", family, "mayhem")
        yield mayhem
        yield replace(
            mayhem, name="lost", lost="Desk camera: no picture has come for 3 seconds; it is tried again."
        )
        yield replace(mayhem, name="tour", is_tour=True)
        yield replace(mayhem, name="big", is_big=True)
        yield _watched(store, "22", family, "explosion")
        yield _watched(store, "24", family, "missed")
        yield _watched(store, "48", family, "wrong")
        yield _watched(store, "30", family, "question", unsure=True)
        yield _watched(store, "20", family, "no-place", thing=True)
        silent = Setup(3, Variant.STRATEGY, Voice.SILENT)
        yield _watched(store, "46", silent, "silent")
        settings = GameSettings(family, "Desk camera", NAMES)
        before = GameViewModel(store, GameSession.begin(store, settings, None), settings)
        yield TableState("no-tiles", before.view())
        yield from _clicked_states(store)


def _clicked_states(store: GameStore) -> Iterator[TableState]:
    settings = GameSettings(Setup(3), "", NAMES)
    model = GameViewModel(store, GameSession.begin(store, settings, None), settings)
    for code, row, slot in (
        ("R40", 0, 0), ("B20", 0, 1), ("B2", 1, 0), ("Y40", 0, 2), ("B40", 1, 1), ("B4", 2, 0),
        ("G10", 0, -1),
    ):  # fmt: skip
        model.do(Put(code, row, slot))
    model.do(Hold("R30", wants_forecast=True))
    yield TableState("clicked", model.view())
    model.do(Put("G100", 1, 0))
    yield TableState("clicked-mayhem", model.view())
    model.do(LetFall(Direction.LEFT))
    model.do(LookBack(3))
    yield TableState("look-back", model.view())
    model.do(LookBack(None))
    layout = model.session.follower.game.layout
    turn = model.session.follower.game.turn
    total = 45 - len(layout) - len(model.session.follower.game.out)
    player = turn % 3
    stocks = [(total - 1) // 2, (total - 1) // 2, (total - 1) // 2]
    stocks[player] = 1
    stocks[(player + 1) % 3] += total - sum(stocks)
    model.session.hear(Corrected(100.0, layout, tuple(stocks)))
    model._forget()
    place = model.view().places[0]
    model.do(Put("G6", place.row, place.slot))
    yield TableState("end", model.view())
    settings = replace(settings, setup=replace(settings.setup, options=Options(fire_die=FireDie.NEWER)))
    model = GameViewModel(store, GameSession.begin(store, settings, None), settings)
    for code, slot in (("R40", 0), ("R7", 1)):
        model.do(Put(code, 0, slot))
    yield TableState("die", model.view())
