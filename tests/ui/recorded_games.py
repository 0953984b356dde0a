"""A short game as `watch` records it, for the tests of the memory and of `replay`."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from referee.events import Direction
from referee.game import Game, Setup, start_game
from referee.judge import event_to_dict, need_to_dict
from referee.tiles import TILES
from ui.memory import EntryKind, GameSettings, Memory, pack_picture

SETTINGS = GameSettings(Setup(players=3), source="evening.mp4", names=("Ann", "Béa", "Kōji 🔥"))
MOVES = [("R40", 0, 0), ("B20", 0, 1), ("Y100", 1, 0), ("Y2", 0, 1), ("Y4", 1, 0)]
"""The third one collapses and slides to the left."""


def picture(number: int) -> bytes:
    """Return a picture that shows a number."""
    image = np.full((360, 640, 3), (70, 110, 60), np.uint8)
    cv2.putText(image, str(number), (250, 240), cv2.FONT_HERSHEY_SIMPLEX, 6, (240, 240, 240), 12)
    return pack_picture(image)


def record_game(memory: Memory, *, with_pictures: bool = True, settings: GameSettings = SETTINGS) -> int:
    """Store a game of five turns, one collapse and an end, and return its number."""
    id = memory.start_game(settings)
    game = start_game(settings.setup)
    for number, (code, row, slot) in enumerate(MOVES, 1):
        if game.has_placed:
            game = game.accept()
        game = game.place(TILES[code], row, slot)
        said = [_said(game, "placed", tile=code, row=row, slot=slot)]
        unresolved = not game.is_stable
        if unresolved:
            verdict = game.pending
            events = [event_to_dict(event) for event in verdict.events]
            said.append(_said(game, "verdict", verdict=events, needs=need_to_dict(verdict.needs)))
        _store(memory, id, game, said, picture(number) if with_pictures else None)
        if unresolved:
            game = game.settle().choose(Direction.LEFT).settle()
            steps = [_said(game, "step", step=event_to_dict(event)) for event in game.events]
            _store(memory, id, game, steps, picture(10 * number) if with_pictures else None)
    _store(memory, id, game, [_said(game, "end", winner=1)], None)
    memory.finish(id)
    return id


@cache
def recorded_file(*, with_pictures: bool = True) -> bytes:
    """Return a data base that holds `record_game` as game 1; made once, as every store waits for the disk."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite3"
        with Memory.open(path) as memory:
            record_game(memory, with_pictures=with_pictures)
        return path.read_bytes()


def _said(game: Game, event: str, **more: object) -> dict[str, object]:
    return {
        "event": event,
        "turn": game.turn,
        "player": game.active,
        "layout": str(game.layout),
        "stocks": list(game.stocks),
        "time_s": 10.0 * game.turn,
        **more,
    }


def _store(memory: Memory, id: int, game: Game, said: list[dict[str, object]], picture: bytes | None) -> None:
    settled = {"input": "settled", "time_s": 10.0 * game.turn, "tiles": _seen(game), "hidden": False}
    lines = [(EntryKind.SAID, line) for line in said]
    memory.store(id, [(EntryKind.SETTLED, settled), *lines], picture)


def _seen(game: Game) -> list[dict[str, object]]:
    """Return the table as a reader without doubts sees it."""
    return [
        {"row": row, "slot": slot, "codes": [[tile.code, 1.0]], "sure": True, "covered": False}
        for (row, slot), tile in game.layout.tiles
    ]
