"""Writes a recorded game as a strip: a picture of each turn, with what was said."""

from __future__ import annotations

from pathlib import Path

from ui.artwork.game_strip import STRIPS, StripTurn
from ui.services.recorded_turns import turns_of
from ui.storage.game_store import GameStore
from ui.text.announcements import recorded_sentences, turn_heading
from vision.files import replacing


def write_strip(store: GameStore, game: int, title: str, path: Path) -> None:
    """Write the strip of a game; the file's name ends as one of `game_strip.STRIPS`.

    Raises:
        StorageError: The game cannot be read.
        ToldError: It has too many pages for one picture.
        OSError: The file cannot be written.
    """
    settings = store.settings(game)
    names = settings.names or settings.setup.players
    turns = [
        StripTurn(
            turn_heading(turn.number, turn.player, names),
            tuple(sentence for said in turn.said for sentence in recorded_sentences(said, names)),
            turn.layout,
            None if turn.picture is None else store.picture(game, turn.picture),
        )
        for turn in turns_of(store.entries(game))
    ]
    strip = STRIPS[path.suffix.lower()](title, turns)
    with replacing(path) as beside:
        beside.write_bytes(strip)
