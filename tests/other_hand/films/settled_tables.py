"""How well settled tables are read on films that share nothing with the training, without following the game.

`python -m tests.other_hand.films.settled_tables [--first SEED] [--games N] [--turns N] [--tiles enrolled]`
films seeded games with all difficulties as `tests.benchmarks.other_films` does, and reads each settled table
as the app does: reader, `TableTracker`, `OcclusionCheck`. It tells the tracker which tiles truly lay there.
Counted is what differs from the truth, by cause. A table is right if nothing is said to lie over it and no
tile is invented, lost, in a wrong place or surely misnamed.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from tests.benchmarks.other_films import FIRST, KEPT, play_of, set_of
from tests.other_hand.films.film import HARD, Film
from tests.other_hand.films.watched import enrolled
from vision.imaging.geometry import side_px
from vision.recognition.naming import KnownLooks
from vision.recognition.reader import TileReader
from vision.recognition.reading import Reading, TileReading
from vision.sources.motion_gate import MotionGate, TableMotion
from vision.tracking.occlusion import OcclusionCheck
from vision.tracking.table_tracker import TableTracker

NEAR, FAR = 0.5, 1.6
"""A tile is one that lies there if it is at most this many sides off; an invented one lies near or far."""
Quads = dict[str, np.ndarray]
Cells = dict[tuple[int, int], str]


def cells_of(tiles: Sequence[TileReading]) -> Cells:
    """Return what was read at each place, counted from the leftmost slot in use."""
    left = min((tile.slot for tile in tiles), default=0)
    return {(tile.row, tile.slot - left): tile.code for tile in tiles}


def wrongs(reading: Reading, quads: Quads, layout: Cells) -> Iterator[str]:
    """Yield what is wrong with the reading of a table at rest."""
    middles = {code: quad.mean(axis=0) for code, quad in quads.items()}
    side = float(np.mean([side_px(quad) for quad in quads.values()])) if quads else 1.0
    seen = set()
    for tile in reading.tiles:
        middle = np.mean(tile.quad_px, axis=0)
        off = {code: float(np.hypot(*(middle - other))) / side for code, other in middles.items()}
        code = min(off, key=lambda each: off[each], default=None)
        if code is None or off[code] > NEAR:
            where = "near" if code is not None and off[code] <= FAR else "far"
            yield f"invented {where}, {'unsure' if tile.unsure else 'sure'}"
            continue
        seen.add(code)
        if tile.code != code:
            yield f"misnamed, {'unsure' if tile.unsure else 'sure'}"
    yield from ["lost"] * len(quads.keys() - seen)
    if len(seen) == len(quads) == len(reading.tiles) and cells_of(reading.tiles).keys() != layout.keys():
        yield "in a wrong place"


def count(seed: int, turns: int, art: str, *, is_enrolled: bool) -> tuple[Film, Counter[str]]:
    """Return a film and what was counted in it."""
    play, set_name = play_of(seed, HARD, turns), set_of(seed, art)
    film, found = Film(play, seed, set_name, HARD), Counter[str]()
    reader = TileReader.open(enrolled(set_name, seed) if is_enrolled else None)
    reader.known = KnownLooks()
    gate, tracker, occlusion = MotionGate(), TableTracker(reader), OcclusionCheck()
    lying: list[str] = []
    for shot in film:
        if gate.see(shot.frame) is not TableMotion.SETTLED:
            continue
        image, time_s = shot.frame.image_bgr, shot.frame.time_s
        reading = tracker.amend(image, reader.read(image), time_s, lying)
        is_over = occlusion.is_over(image, reading, time_s)
        if is_over:
            gate.covered()
        else:
            tracker.accept()
        if not shot.is_calm:
            found["with a hand"] += 1
            found["with a hand, not noticed"] += not is_over
            continue
        moment = play.moments[shot.number]
        lying = list(film.poses[shot.number])
        layout = {place: tile.code for place, tile in moment.layout.tiles}
        quads = {code: film.quad(pose) for code, pose in film.poses[shot.number].items()}
        wrong = list(wrongs(reading, quads, layout)) + ["said to be covered"] * is_over
        found.update(wrong)
        found["at rest"] += 1
        found["right"] += all(each == "misnamed, unsure" for each in wrong)
    return film, found


def main() -> None:
    """Read the tables of the films and print what was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--first", type=int, default=FIRST)
    parser.add_argument("--turns", type=int, default=14, help="leave a game after so many turns")
    parser.add_argument("--tiles", choices=("none", "enrolled"), default="none")
    parser.add_argument("--art", choices=("known", "strange", "any"), default="any")
    asked = parser.parse_args()
    seeds = range(asked.first, asked.first + asked.games)
    if set(KEPT) & set(seeds):
        parser.error(f"seeds {KEPT[0]} to {KEPT[-1]} are kept for the last measurement")
    cv2.setNumThreads(1)
    total = Counter[str]()
    for seed in seeds:
        film, found = count(seed, asked.turns, asked.art, is_enrolled=asked.tiles == "enrolled")
        print(
            f"{seed}: {film.cloth} table from {film.side_deg} degrees, {film.set_name}: {dict(found)}",
            flush=True,
        )
        total += found
    print(f"all: {total['right']} of {total['at rest']} tables at rest right; {dict(total)}")


if __name__ == "__main__":
    main()
