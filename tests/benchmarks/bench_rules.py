"""How fast the rules are: `python -m pytest tests/benchmarks/bench_rules.py`.

Not collected by default, for its name does not begin with `test_`. One core; medians count.
"""

from __future__ import annotations

import itertools
import json
import random
import subprocess
import sys

import pytest

from referee.errors import RefereeError
from referee.rules.events import Direction
from referee.rules.game import Setup, Whereabouts, start_game
from referee.rules.layout import EMPTY, Layout
from referee.rules.mayhem import find_first
from referee.rules.options import DEFAULTS
from referee.rules.outcomes import find_consequences, grow_tree
from referee.rules.placement import find_places, place_tile
from referee.rules.resolve import begin, begin_placed, make_terms, resolve, settle
from referee.rules.tiles import ALL_TILES, TILES
from tests.places import ROOT

ANSWERS = 20_000
WORST = (
    "M200 R120 Y120 Y100 R100 G120 B100 Y60 G60/B40 Y40 Y30 R30 G40 B60 B30 R60/Y10 Y6 R4 R2 G10 B2 G30/"
    "Y2 Y4 G2 B10 B4 B20/G4 G6 B6 R10 Y20/R6 - - -"
)
"""Stable, with the largest tree within the limit that a local search found; B120 goes to row 5, slot 3."""

MISSED = (
    "G60 B7 Y10 G2 R4 B100 R7 R20/Y60 Y4 G30 G120 G6 R2 Y1/B120 Y6 B20 G20 G100 R120/"
    "R30 B60 R10 Y100 B40/B6 B2 M200 G4/B30 B10 G1/R6 G10/R60"
)
"""The one with most positions among 20 laid by chance, no mayhem of which was seen to."""


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


def legal_pyramid(rng, tiles, missed=1):
    """A state of so many tiles after a legal game, where somebody must choose; None where it came to none.

    All but the last so many tiles are placed so that they cause no mayhem, as far as there is such a tile,
    and other mayhem is resolved. The last ones are placed as chance has it, and their mayhem is missed.
    """
    layout, stock = EMPTY, rng.sample(ALL_TILES, len(ALL_TILES))
    for _ in range(100):
        options = [(tile, *place) for tile in stock for place in find_places(layout)]
        rng.shuffle(options)
        if len(layout) >= tiles - missed:
            tile, row, slot = options[0]
            layout = place_tile(layout, tile, row, slot)
            stock.remove(tile)
            if len(layout) == tiles:
                state = begin_placed(layout, tile, make_terms(), DEFAULTS)
                return state if settle(state, DEFAULTS)[1].need else None
            continue
        sound = (each for each in options if find_first(layout.with_tile(*each), DEFAULTS, None) is None)
        tile, row, slot = next(sound, options[0])
        done = resolve(layout, place=(tile, row, slot), choices=rng.choices(list(Direction), k=60))
        layout = done.layout
        stock.remove(tile)
        stock += [each for pile in done.piles.values() for each in pile]
    return None


@pytest.mark.parametrize(
    ("tiles", "missed", "pyramids"),
    [(15, 1, 300), (21, 1, 300), (28, 1, 300), (36, 1, 300), (15, 15, 300), (21, 21, 100), (36, 36, 20)],
)
def test_the_trees_of_pyramids_that_legal_play_leads_to(benchmark, tiles, missed, pyramids):
    """One tree for each of so many pyramids; `-s` shows the longest times and how many are refused."""
    found = (legal_pyramid(random.Random(f"{tiles} {number}"), tiles, missed) for number in itertools.count())
    states = filter(None, found)
    refused = []

    def grow(state):
        try:
            grow_tree(state, DEFAULTS)
        except RefereeError:
            refused.append(state)

    benchmark.pedantic(grow, setup=lambda: ((next(states),), {}), rounds=pyramids)
    times = sorted(benchmark.stats.stats.data)
    late = times[pyramids * 99 // 100]
    print(f"\n{tiles} tiles, {missed} unchecked: 99th percentile {late:.3f} s, longest {times[-1]:.3f} s, "
          f"{len(refused)} of {pyramids} refused")  # fmt: skip


def test_the_whole_tree_of_the_worst_pyramid_found(benchmark):
    placed = Layout.parse(WORST).with_tile(TILES["B120"], 5, 3)
    benchmark.pedantic(lambda: grow_tree(begin(placed, make_terms()), DEFAULTS), rounds=1)


def test_looking_ahead_on_the_worst_pyramid_found_is_refused(benchmark):
    """Its three places have more positions together than are allowed."""

    def look_ahead():
        with pytest.raises(RefereeError):
            find_consequences(Layout.parse(WORST), TILES["B120"])

    benchmark.pedantic(look_ahead, rounds=1)


def test_how_long_a_tree_of_too_many_positions_takes_to_be_refused(benchmark):
    def grow():
        with pytest.raises(RefereeError):
            grow_tree(begin(Layout.parse(MISSED), make_terms()), DEFAULTS)

    benchmark.pedantic(grow, rounds=3)


def test_the_whole_tree_of_missed_mayhem_without_a_limit(benchmark, monkeypatch):
    """Takes some gigabytes."""
    monkeypatch.setattr("referee.rules.outcomes.MAX_NODES", sys.maxsize)
    benchmark.pedantic(lambda: grow_tree(begin(Layout.parse(MISSED), make_terms()), DEFAULTS), rounds=1)
