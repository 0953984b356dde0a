"""How fast the rules are: `python -m pytest tests/benchmarks/bench_rules.py`.

Not collected by default, for its name does not begin with `test_`. One core; medians count.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from referee.events import Direction
from referee.game import Setup, Whereabouts, start_game
from referee.layout import EMPTY, Layout
from referee.mayhem import find_first
from referee.options import DEFAULTS
from referee.outcomes import find_consequences, grow_tree
from referee.placement import find_places
from referee.resolve import begin_placed, make_terms, resolve
from referee.tiles import ALL_TILES, TILES

ROOT = Path(__file__).parents[2]
ANSWERS = 20_000
WORST = (
    "M200 R120 Y120 Y100 R100 G120 B100 Y60 G60/B40 Y40 Y30 R30 G40 B60 B30 R60/Y10 Y6 R4 R2 G10 B2 G30/"
    "Y2 Y4 G2 B10 B4 B20/G4 G6 B6 R10 Y20/R6 - - -"
)
"""Stable, with the largest tree that a local search found; B120 goes to row 5, slot 3."""


def careful_games(seed, longest=20):
    """Yield (layout, tile, row, slot) as people play: what is legal, if the hand of five allows it."""
    rng = random.Random(seed)
    while True:
        layout, game = EMPTY, start_game(Setup(players=3))
        stock = [tile for tile in ALL_TILES if game.whereabouts(tile) is Whereabouts.STOCKS]
        rng.shuffle(stock)
        while len(layout) < longest and stock:
            options = [(tile, *place) for tile in stock[:5] for place in find_places(layout)]
            sound = [each for each in options if find_first(layout.with_tile(*each), DEFAULTS, None) is None]
            tile, row, slot = rng.choice(sound or options)
            yield layout, tile, row, slot
            done = resolve(layout, place=(tile, row, slot), choices=[rng.choice(list(Direction))] * 40)
            back = [each for pile in done.piles.values() for each in pile]
            stock = [each for each in stock if each is not tile] + back
            layout = done.layout


def placements(count, tiles):
    """Placements on pyramids of so many tiles."""
    found = (each for each in careful_games("benchmark", tiles + 1) if len(each[0]) == tiles)
    return [next(found) for _ in range(count)]


def test_a_placement_on_15_tiles(benchmark):
    asked = placements(200, 15)

    def place_all():
        for layout, tile, row, slot in asked:
            resolve(layout, place=(tile, row, slot), choices=[Direction.LEFT] * 9)

    benchmark.extra_info["placements a round"] = len(asked)
    benchmark(place_all)


@pytest.mark.parametrize("tiles", [None, 15], ids=["a-game", "15-tiles"])
def test_judge_from_standard_input_to_standard_output(benchmark, tiles):
    games = careful_games("judge")
    asked = (
        [next(games) for _ in range(ANSWERS)] if tiles is None else placements(200, tiles) * (ANSWERS // 200)
    )
    lines = "".join(
        json.dumps({"layout": str(layout), "place": {"tile": tile.code, "row": row, "slot": slot},
                    "choices": ["left"] * 9}) + "\n"
        for layout, tile, row, slot in asked
    ).encode()  # fmt: skip

    def judge():
        done = subprocess.run([sys.executable, "-m", "ui", "judge"], input=lines, stdout=-1, cwd=ROOT,
                              check=True)  # fmt: skip
        assert done.stdout.count(b"\n") == ANSWERS

    benchmark.extra_info["answers a round"] = ANSWERS
    benchmark.pedantic(judge, rounds=5, warmup_rounds=1)


def test_all_consequences_of_a_tile_on_20_tiles(benchmark):
    asked = placements(50, 20)

    def look_ahead():
        for layout, tile, _, _ in asked:
            find_consequences(layout, tile)

    benchmark.extra_info["tiles a round"] = len(asked)
    benchmark(look_ahead)


def test_the_whole_tree_of_the_worst_pyramid_found(benchmark):
    placed = Layout.parse(WORST).with_tile(TILES["B120"], 5, 3)
    standing = begin_placed(placed, TILES["B120"], make_terms(), DEFAULTS)
    benchmark.pedantic(lambda: grow_tree(standing, DEFAULTS), rounds=1)
