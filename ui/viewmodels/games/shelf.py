"""The shelf of games: every stored game as a row with its picture."""

from __future__ import annotations

from dataclasses import dataclass

from ui.storage.game_entries import GameSummary
from ui.text import counts
from ui.text import pages as texts
from ui.text.catalogue import say
from ui.text.dates import day_of
from ui.text.table import NO_CAMERA, PHONE, name_of


@dataclass(frozen=True, slots=True)
class ShelfRow:
    """One stored game."""

    id: int
    title: str
    date: str
    players: str
    state: str
    """How far it is: turns, and who won."""
    layout: str
    """How the table lay last; drawn where there is no picture."""
    is_finished: bool = False
    picture: bytes | None = None
    """A small JPEG."""


def shelf_row(game: GameSummary, picture: bytes | None = None) -> ShelfRow:
    """Return a stored game as a row."""
    turns = say(counts.TURNS, count=game.turn)
    if game.winner is not None:
        state = say(texts.WON_BY, turns=turns, player=name_of(game.winner, game.names))
    else:
        state = say(texts.OVER if game.finished is not None else texts.GOES_ON, turns=turns)
    return ShelfRow(
        game.id,
        game.name or source_title(game.source),
        day_of(game.started),
        ", ".join(game.names) or say(counts.PLAYERS, count=game.players),
        state,
        game.layout,
        game.finished is not None,
        picture,
    )


def source_title(stored: str) -> str:
    """Return what people call a stored source: a recording by its file's name, no source by that."""
    if not stored:
        return say(NO_CAMERA)
    if "://" in stored:
        return say(PHONE)
    return stored.replace("\\", "/").rstrip("/").rpartition("/")[2] or stored
