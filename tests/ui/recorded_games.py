"""A short game as `watch` records it, for the tests of the store and of `replay`."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from referee.formats.input_json import input_to_dict
from referee.rules.game import Setup
from referee.rules.layout import Layout
from referee.search.observation import ObservedTile, Settled
from referee.tracking.follower import Follower
from referee.tracking.inputs import Corrected, Input
from ui.storage.game_entries import EntryKind
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.storage.stored_pictures import pack_picture
from ui.text.announcements import announcement_json

SETTINGS = GameSettings(Setup(players=3), source="evening.mp4", names=("Ann", "Béa", "Kōji 🔥"))
TABLES = ("R40", "R40 B20", "R40 B20/Y100", "Y100", "Y100 Y2", "Y100 Y2/Y4")
"""The third one collapses and slides to the left."""


def settled(layout: str, time_s: float) -> Settled:
    """Return a table as a reader without doubts sees it."""
    tiles = Layout.parse(layout).tiles
    return Settled(time_s, tuple(ObservedTile(row, slot, ((tile.code, 1.0),)) for (row, slot), tile in tiles))


def picture(number: int) -> bytes:
    """Return a picture that shows a number."""
    image = np.full((360, 640, 3), (70, 110, 60), np.uint8)
    cv2.putText(image, str(number), (250, 240), cv2.FONT_HERSHEY_SIMPLEX, 6, (240, 240, 240), 12)
    return pack_picture(image)


def record_game(store: GameStore, *, with_pictures: bool = True, settings: GameSettings = SETTINGS) -> int:
    """Store a game of five turns, one collapse and an end, and return its number."""
    id = store.start_game(settings)
    setup = settings.setup
    follower = Follower(setup.players, setup.options, setup.variant, setup.voice)

    def hear(heard: Input, jpeg: bytes | None = None) -> None:
        lines = [(EntryKind.SAID, announcement_json(line)) for line in follower.hear(heard)]
        content = input_to_dict(heard)
        store.append(id, [(EntryKind(content["input"]), content), *lines], jpeg)

    for number, table in enumerate(TABLES, 1):
        time_s = 10.0 * number
        if number == len(TABLES):  # so that Béa has but one tile, and wins
            hear(Corrected(time_s - 1, Layout.parse(TABLES[-2]), stocks=(20, 1, 22)))
        hear(settled(table, time_s), picture(number) if with_pictures else None)
    store.finish(id)
    return id


@cache
def recorded_file(*, with_pictures: bool = True) -> bytes:
    """Return a data base that holds `record_game` as game 1; made once, as every store waits for the disk."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite3"
        with GameStore.open(path) as store:
            record_game(store, with_pictures=with_pictures)
        return path.read_bytes()
