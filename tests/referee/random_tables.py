"""Seeded random tables and `judge` requests: sensible, unstable and odd ones."""

from __future__ import annotations

import itertools
import random

from tests.referee import slow_rules

CODES = [f"{c}{w}" for c in "YRGB" for w in (2, 4, 6, 10, 20, 30, 40, 60, 100, 120)] + [
    "Y1",
    "G1",
    "R7",
    "B7",
    "M200",
]
INCENDIARY = ["Y1", "G1", "R7", "B7"]

ALL_RULES = [
    {"overhang": overhang, "fire_order": order, "curse": curse, "fire_die": die}
    for overhang, order, curse, die in itertools.product(
        ("colour", "colour-or-weight"), ("wood-first", "position"), (False, True), ("off", "newer", "older")
    )
]


def deck(rng):
    """All tiles, shuffled; at times the incendiaries, or tiles of two weights, come first."""
    tiles = rng.sample(CODES, len(CODES))
    kind = rng.randrange(4)
    if kind == 0:
        return sorted(tiles, key=lambda code: code not in INCENDIARY and rng.random() < 0.8)
    if kind == 1:
        weights = rng.sample(("2", "4", "6", "10", "40", "60", "100", "120"), 2)
        return sorted(tiles, key=lambda code: code[1:] not in weights and rng.random() < 0.95)
    return tiles


def dense(rng):
    """A pyramid of random tiles, with gaps here and there; mostly unstable."""
    tiles, width, gaps = deck(rng), rng.randint(1, 7), rng.choice([0, 0.1, 0.3, 0.6])
    wanted = [(row, slot) for row in range(width) for slot in range(width - row)]
    table = {}
    for at in wanted[: rng.randint(0, len(wanted))]:
        if rng.random() >= gaps and tiles:
            table[at] = tiles.pop(0)
    return table


def stacked(rng):
    """A pyramid in which nearly every tile is legal on those below it, as after some turns of play."""
    tiles, width = deck(rng), rng.randint(2, 8)
    table = {}
    slots = [(row, slot) for row in range(width) for slot in range(width - row)]
    for at in slots[: rng.randint(1, min(len(slots), 30))]:
        table[at] = tiles[0]
        for tile in tiles:
            table[at] = tile
            if at[0] == 0 or not slow_rules.why_illegal(table, at, slow_rules.DEFAULT_RULES):
                break
        tiles.remove(table[at])
    return table


def random_table(rng):
    """Any kind of table."""
    return rng.choice([dense, stacked, stacked])(rng)


def small_table(rng, most_falls=10):
    """Any kind of table whose tree of choices can be walked: each row above the base may mean a choice."""
    table = random_table(rng)
    while sum(row for row, _ in table) > most_falls:
        table = random_table(rng)
    return table


def written(rng, table):
    """A text for the table: canonical, or wider and higher than needed, and how far right it lies."""
    text = slow_rules.write(table)
    shift = 0
    if rng.random() < 0.3:
        left = min((slot for _, slot in table), default=0)
        width = max((row + slot - left for row, slot in table), default=0) + 1
        shift, more = rng.randint(0, 2), rng.randint(0, 2)
        width += shift + more
        height = min(width, max((row for row, _ in table), default=0) + 1 + rng.randint(0, 1))
        text = "/".join(
            " ".join(table.get((row, slot + left - shift), "-") for slot in range(width - row))
            for row in range(height)
        )
    return text


def random_request(rng, rules, make_table=random_table):
    """A sound `judge` request without `tree`."""
    table = make_table(rng)
    text = written(rng, table)
    request = {"layout": text, "rules": rules}
    table = slow_rules.read(text)
    if rng.random() < 0.7 and (found := slow_rules.places(table)):
        row, slot = rng.choice(found)
        left = [code for code in deck(rng) if code not in table.values()]
        if rng.random() < 0.3:
            left.sort(key=lambda code: code not in INCENDIARY)
        request["place"] = {"tile": left[0], "row": row, "slot": slot}
    request["players"] = rng.randint(2, 6)
    request["active"] = rng.randrange(request["players"])
    request["missed"] = rng.choice([None, None, "family", "strategy"])
    request["die"] = rng.choice([None, 1, 2, 3, 4, 5, 5, 6])
    request["choices"] = [rng.choice(["left", "right"]) for _ in range(rng.choice([0, 1, 2, 30]))]
    return request


def seeded(number):
    """A generator of its own for one position, so that any single one can be made again."""
    return random.Random(f"pyramid {number}")
