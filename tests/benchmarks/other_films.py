"""How well games are followed on films that share nothing with the training.

`python -m tests.benchmarks.other_films [--first SEED] [--games N] [--difficulty tame|hard|all]` plays seeded
random games with mistakes (`tests.simulation.play`) and mishaps (`tests.simulation.mishaps`), lets the other
hand film them (`tests.other_hand.films`), and lets the app follow the films, its players pressing the buttons
that it offers; with `--no-answers` they play on, whatever they are asked, as `watch --json` sees it, and with
`--camera` another camera films them (`tests.other_hand.films.other_cameras`), with `--beside` printed matter
lies beside the game (`tests.other_hand.films.prints`), with `--face-up` the tiles that were taken lie so
beside the pyramid (`tests.other_hand.films.backs`), with `--any-way-up` people lay tiles as they come
or, with `--loosely`, askew and with gaps between them, with `--pushed` they push the whole pyramid now and
then (`tests.simulation.poses`), and with `--aslant` the camera looks down at 45 to 60 degrees from straight
above, as that of a laptop at the table's edge does.
Prints for each film, and for each difficulty with a 95 % interval: calls right, missing and wrong, turns
without a question, the same but for questions while a mishap lies there, which the referee has to speak of,
and mistakes caught, that is told with the right turn and player. With `--resume FILE` each film's result is
appended to the file, and a film that is in it is not played again. The exit status is 1 where any call was
wrong or missing.

Seeds from 300000 on are there to work with. Those from 478000 to 478299 are kept for the last measurement:
nobody looks at them before, and the command refuses them without `--last-measurement`.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.other_hand.faces import SET_NAMES
from tests.other_hand.films.film import HARD, TAME, Difficulty
from tests.other_hand.films.other_cameras import CAMERAS, OtherFilm
from tests.other_hand.films.prints import PRINTS
from tests.other_hand.films.tile_sets import OWN, home_made
from tests.other_hand.films.watched import enrolled, watch
from tests.simulation.mishaps import MISHAPS, with_mishaps
from tests.simulation.play import Play, play_game
from vision.recognition.reader import TileReader

FIRST = 300_000
KEPT = range(478_000, 478_300)
"""Seeds that nobody looks at until the last measurement."""
DIFFICULTIES = {"tame": (TAME,), "hard": (HARD,), "all": (TAME, HARD)}
STRANGE_SHARE = 0.7
"""Of strange sets, so many are home-made ones."""
Z_95 = 1.96


def set_of(seed: int, art: str) -> str:
    """Return the tile set of a film: the product's own, or one that no network was made for."""
    rng = np.random.default_rng([seed, 13])
    if art == "any":
        art = str(rng.choice(["known", "strange"]))
    if art == "known":
        return OWN
    return home_made(seed) if rng.random() < STRANGE_SHARE else str(rng.choice(SET_NAMES))


def play_of(seed: int, difficulty: Difficulty, turns: int) -> Play:
    """Return the game of a film."""
    play = play_game(seed, max_turns=turns)
    return with_mishaps(play, seed) if difficulty is HARD else play


def _beside(kind: str, seed: int) -> str:
    """Return what lies beside a game."""
    return list(PRINTS)[seed % len(PRINTS)] if kind == "any" else kind


def result_of(
    seed: int, difficulty: Difficulty, asked: argparse.Namespace, folder: Path | None
) -> dict[str, Any]:
    """Return what came of a film."""
    set_name = set_of(seed, asked.art)
    tile_set = enrolled(set_name, seed, folder) if asked.tiles == "enrolled" else None
    play = play_of(seed, difficulty, asked.turns)
    beside = _beside(asked.beside, seed)
    habits = {each: getattr(asked, each) for each in ("face_up", "any_way_up", "loosely", "pushed", "aslant")}
    film = OtherFilm(asked.camera, play, seed, set_name, difficulty, beside, **habits)
    began = time.process_time()
    with tempfile.TemporaryDirectory() as games:
        reader = TileReader.open(tile_set, folder)
        found = watch(film, play, reader, Path(games), answers=not asked.no_answers)
    report = found.report
    return {
        "seed": seed,
        "difficulty": difficulty.name,
        "set": set_name,
        "tiles": asked.tiles,
        "cloth": film.cloth,
        "side": film.side_deg,
        "players": play.setup.players,
        "turns": play.turns,
        "calls": found.calls,
        "right": found.right,
        "missing": found.missing,
        "wrong": len(report.wrong),
        "questions": len(report.questions),
        "kinds": [asked_.question.kind.value for _, asked_ in report.questions],
        "asked": len(report.asked_turns),
        "in_doubt": len({line.turn for at, line in report.questions if play.moments[at].what not in MISHAPS}),
        "left_open": found.left_open,
        "corrections": found.corrections,
        "mistakes": report.mistakes,
        "caught": report.caught,
        "first_wrong": found.first_wrong,
        "seconds": round(time.process_time() - began, 1),
    }


def interval(good: int, of: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share, in percent.

    >>> "{:.1f} {:.1f}".format(*interval(0, 300))
    '0.0 1.3'
    """
    if not of:
        return 0.0, 100.0
    share, weight = good / of, Z_95**2 / of
    middle = share + weight / 2
    reach = Z_95 * math.sqrt(share * (1 - share) / of + weight / of / 4)
    return 100 * max(0.0, middle - reach) / (1 + weight), 100 * (middle + reach) / (1 + weight)


def print_film(found: dict[str, Any]) -> None:
    """Print a line about a film, and one about its first wrong call."""
    print(
        f"{found['difficulty']} {found['seed']}: {found['cloth']} table from {found['side']} degrees, "
        f"{found['set']} ({'enrolled' if found['tiles'] == 'enrolled' else 'not enrolled'}), "
        f"{found['players']} players, {found['turns']} turns: "
        f"{found['right']} of {found['calls']} calls right, "
        f"{found['missing']} missing, {found['wrong']} wrong, {found['questions']} questions "
        f"({found['left_open']} left open), {found['corrections']} corrections, "
        f"{found['caught']} of {found['mistakes']} mistakes, {found['seconds']} s",
        flush=True,
    )
    if found["first_wrong"]:
        print(f"    first wrong: {found['first_wrong']}", flush=True)


def summary(name: str, films: Sequence[dict[str, Any]]) -> bool:
    """Print the figures of some films, and return whether every call was right."""

    def total(key: str) -> int:
        return sum(int(found[key]) for found in films)

    def line(what: str, good: int, of: int) -> None:
        low, high = interval(good, of)
        print(f"  {what:<34} {good} of {of}, {100 * good / max(1, of):.1f} % (95 %: {low:.1f} to {high:.1f})")

    turns, clean = total("turns"), sum(found["wrong"] == 0 for found in films)
    print(f"{name}: {len(films)} films, {turns} turns")
    line("films without a wrong call", clean, len(films))
    line("calls right", total("right"), total("calls"))
    print(f"  calls missing, wrong               {total('missing')}, {total('wrong')}")
    line("turns without a question", turns - total("asked"), turns)
    line("the same, mishaps aside", turns - total("in_doubt"), turns)
    questions, left_open = total("questions"), total("left_open")
    per = questions / max(1, turns)
    print(f"  questions                          {questions}, {per:.2f} a turn; left open {left_open}")
    line("mistakes caught", total("caught"), total("mistakes"))
    return total("wrong") == 0 and total("missing") == 0


def resumed(file: Path | None) -> Iterable[dict[str, Any]]:
    """Yield the results that a file holds."""
    if file is not None and file.exists():
        yield from map(json.loads, file.read_text(encoding="utf-8").splitlines())


def parsed() -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--first", type=int, default=FIRST)
    parser.add_argument("--difficulty", choices=DIFFICULTIES, default="all")
    parser.add_argument(
        "--tiles", choices=("none", "enrolled"), default="none", help="whether sets are enrolled"
    )
    parser.add_argument(
        "--art", choices=("known", "strange", "any"), default="any", help="which sets lie there"
    )
    parser.add_argument("--camera", choices=CAMERAS, default="as-filmed", help="what the film is seen by")
    parser.add_argument("--face-up", action="store_true", help="taken tiles lie face up beside the pyramid")
    parser.add_argument("--any-way-up", action="store_true", help="tiles are laid on heads and sides, too")
    parser.add_argument("--loosely", action="store_true", help="tiles are laid askew and with gaps")
    parser.add_argument("--pushed", action="store_true", help="the pyramid is pushed now and then")
    parser.add_argument("--aslant", action="store_true", help="the camera stands low at the table's edge")
    parser.add_argument("--beside", choices=("any", *PRINTS), default="", help="what lies beside the game")
    parser.add_argument("--no-answers", action="store_true", help="nobody presses a button")
    parser.add_argument("--turns", type=int, default=25, help="leave a game after so many turns")
    parser.add_argument(
        "--reader", type=Path, metavar="DIR", help="a reader model other than the shipped one"
    )
    parser.add_argument("--resume", type=Path, metavar="FILE", help="append results, leave out what is there")
    parser.add_argument(
        "--last-measurement", action="store_true", help="allow the seeds that are kept for it"
    )
    asked = parser.parse_args()
    if set(KEPT) & set(range(asked.first, asked.first + asked.games)) and not asked.last_measurement:
        parser.error(f"seeds {KEPT[0]} to {KEPT[-1]} are kept for the last measurement")
    return asked


def main() -> int:
    """Watch the films and print what came of them."""
    asked = parsed()
    cv2.setNumThreads(1)
    films: list[dict[str, Any]] = []
    known = {(found["seed"], found["difficulty"]): found for found in resumed(asked.resume)}
    for seed in range(asked.first, asked.first + asked.games):
        for difficulty in DIFFICULTIES[asked.difficulty]:
            found = known.get((seed, difficulty.name))
            if found is None:
                found = result_of(seed, difficulty, asked, asked.reader)
                if asked.resume is not None:
                    with asked.resume.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(found) + "\n")
            print_film(found)
            films.append(found)
    names = sorted({found["difficulty"] for found in films}, reverse=True)
    good = [summary(name, [found for found in films if found["difficulty"] == name]) for name in names]
    return int(not all(good))


if __name__ == "__main__":
    raise SystemExit(main())
