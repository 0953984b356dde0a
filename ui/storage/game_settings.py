"""What the players agree before a game, and how it is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec

from referee.errors import RefereeError
from referee.rules.game import Setup, Variant, Voice
from referee.rules.options import read_options, write_options
from referee.rules.tiles import Tile
from ui import __version__
from ui.errors import StorageError
from ui.storage.database import SCHEMA
from ui.storage.game_entries import shown_source
from ui.text import errors as texts

MIN_PLAYERS, MAX_PLAYERS = 2, 6


@dataclass(frozen=True, slots=True)
class GameSettings:
    """What the players agree before a game."""

    setup: Setup
    source: str = ""
    """What is watched, as people may see it."""
    names: tuple[str, ...] = ()
    """What the players are called; empty where by numbers."""
    tiles: str = ""
    """The player's own tile set; empty for the common ones."""
    colours: tuple[str, ...] = ()
    """The players' colours, such as #E07A3F; empty for the common ones."""
    wins: tuple[int, ...] = ()
    """How many rounds each player won before this one; empty for a first round."""
    address: str = ""
    """The whole address of a stream, with its secrets, to open it again; not shown, and never exported."""


def settings_to_dict(settings: GameSettings) -> dict[str, Any]:
    """Return game settings as JSON objects, with the versions of program and schema."""
    setup = settings.setup
    return {
        "players": setup.players,
        "variant": setup.variant.value,
        "voice": setup.voice.value,
        "rules": write_options(setup.options),
        "left_over": [tile.code for tile in setup.left_over],
        "source": shown_source(settings.source),
        "names": list(settings.names),
        "colours": list(settings.colours),
        "tiles": settings.tiles,
        "wins": list(settings.wins),
        "program": __version__,
        "schema": SCHEMA,
    }


@dataclass(frozen=True, slots=True)
class _Stored:
    """Game settings as JSON writes them."""

    players: Annotated[int, msgspec.Meta(ge=MIN_PLAYERS, le=MAX_PLAYERS)]
    variant: Variant
    voice: Voice
    rules: dict[str, Any]
    left_over: list[str]
    source: str
    names: list[str]
    tiles: str
    colours: list[str] = field(default_factory=list)
    wins: list[Annotated[int, msgspec.Meta(ge=0)]] = field(default_factory=list)


def settings_from_dict(settings: Mapping[str, Any]) -> GameSettings:
    """Return the game settings of a JSON object.

    Raises:
        StorageError: Something is missing or wrong, or a newer version wrote it.
    """
    try:
        stored = msgspec.convert(settings, _Stored)
        setup = Setup(
            players=stored.players,
            variant=stored.variant,
            voice=stored.voice,
            options=read_options(stored.rules),
            left_over=tuple(Tile.from_code(code) for code in stored.left_over),
        )
    except (RefereeError, ValueError) as error:
        raise StorageError(texts.SETTINGS_UNREADABLE) from error
    return GameSettings(
        setup,
        source=stored.source,
        names=tuple(stored.names),
        colours=tuple(colour[:7] for colour in stored.colours),
        tiles=stored.tiles,
        wins=tuple(stored.wins) if len(stored.wins) == stored.players else (),
    )
