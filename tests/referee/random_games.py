"""Seeded random games, with every variant, voice and setting, played to some length."""

from __future__ import annotations

import random

from referee.rules.events import DieNeed, Direction, FallNeed
from referee.rules.game import Setup, Variant, Voice, Whereabouts, start_game
from referee.rules.options import read_options
from referee.rules.tiles import ALL_TILES
from tests.referee.random_tables import ALL_RULES


def random_setup(rng):
    """Any set-up that adds up."""
    players = rng.randint(2, 6)
    return Setup(
        players=players,
        variant=rng.choice(list(Variant)),
        voice=rng.choice(list(Voice)),
        options=read_options(rng.choice(ALL_RULES)),
        left_over=tuple(rng.sample(ALL_TILES, 45 % players)),
    )


def random_step(rng, game):
    """One more action: mostly what the rules ask for, now and then something missed, called or accepted."""
    if game.has_placed and rng.random() < 0.05:
        return game.accept()
    if rng.random() < 0.03:
        return game.challenge()
    missed = rng.random() < 0.1
    if not missed and isinstance(game.needs, FallNeed):
        return game.choose(rng.choice(list(Direction)))
    if not missed and isinstance(game.needs, DieNeed):
        return game.roll(rng.randint(1, 6))
    if not missed and not game.is_stable:
        return game.step()
    if (game.has_placed and game.stocks[game.active] == 0) or not game.places:
        return game.accept() if game.has_placed else game.settle()
    tile = rng.choice([tile for tile in ALL_TILES if game.whereabouts(tile) is Whereabouts.STOCKS])
    return game.place(tile, *rng.choice(game.places))


def play_random_game(seed, actions=120):
    """A game after some number of actions, or at its end."""
    rng = random.Random(f"game {seed}")
    game = start_game(random_setup(rng))
    for _ in range(actions):
        if game.winner is not None:
            break
        after = random_step(rng, game)
        if after is game:
            break
        game = after
    return game
