"""Lets the product watch a filmed game, and compares what it says with what is true."""

from __future__ import annotations

import time
from pathlib import Path

from tests.simulation.filming import Film
from tests.simulation.following import ASIDE, Report, answers_to, compare, plain
from tests.simulation.play import Play, Said
from ui.services.game_session import GameSession
from ui.storage.game_settings import GameSettings
from ui.storage.game_store import GameStore
from ui.text.catalogue import choose_language
from vision.recognition.reader import TileReader

MOST_QUESTIONS = 5
"""So often the players answer at one moment."""


def watch_film(play: Play, seed: int, reader: TileReader, folder: Path, *, pictures: bool = True) -> Report:
    """Return how a game is followed that is watched as a film.

    Args:
        play: The game.
        seed: Says how table, light and camera are.
        reader: Reads the tiles.
        folder: Where the game is stored.
        pictures: Whether its pictures are stored as well.
    """
    choose_language("en")
    report = Report()
    true: list[tuple[int, Said]] = []
    said: list[tuple[int, Said]] = []
    at = -1
    with GameStore.open(folder / "games.sqlite3") as store:
        session = GameSession.begin(store, GameSettings(play.setup), reader, keeps_pictures=pictures)
        for number, frame in Film(play, seed):
            moment = play.moments[number]
            if number != at:
                at = number
                true += [(number, line) for line in moment.said]
            started = time.process_time()
            lines = session.see(frame)
            report.times_s.append(time.process_time() - started)
            for _ in range(MOST_QUESTIONS):
                said += [(number, plain(line)) for line in lines if not isinstance(line, ASIDE)]
                questions = report.note(number, lines)
                if not questions:
                    break
                truth = [each for _, each in true]
                heard = answers_to(questions[-1], moment, truth, session.last_s)
                lines = [line for answer in heard for line in session.hear(answer)]
        session.close()
    compare(true, said, play, report)
    return report
