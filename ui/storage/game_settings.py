"""What is agreed before a game is followed, and how it is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from referee.errors import RefereeError
from referee.rules.game import Setup, Variant, Voice
from referee.rules.options import read_options, write_options
from referee.rules.tiles import Tile
from ui.errors import StorageError
from ui.storage.database import SCHEMA
from ui.text import errors as texts

MIN_PLAYERS, MAX_PLAYERS = 2, 6


@dataclass(frozen=True, slots=True)
class GameSettings:
    """What is agreed before a game is followed."""

    setup: Setup
    source: str = ""
    """What is watched, as people may see it."""
    names: tuple[str, ...] = ()
    """What the players are called; empty where by numbers."""
    tiles: str = ""
    """The player's own tile set; empty for the common ones."""
    colours: tuple[str, ...] = ()
    """The players' colours, such as #E07A3F; empty for the common ones."""


def settings_to_dict(settings: GameSettings) -> dict[str, Any]:
    """Return what was agreed as JSON writes it, with the versions of program and schema."""
    setup = settings.setup
    return {
        "players": setup.players,
        "variant": setup.variant.value,
        "voice": setup.voice.value,
        "rules": write_options(setup.options),
        "left_over": [tile.code for tile in setup.left_over],
        "source": _without_secrets(settings.source),
        "names": list(settings.names),
        "colours": list(settings.colours),
        "tiles": settings.tiles,
        "program": program_version(),
        "schema": SCHEMA,
    }


def settings_from_dict(settings: Mapping[str, Any]) -> GameSettings:
    """Return what was agreed.

    Raises:
        StorageError: Something is missing or wrong, or a newer version wrote it.
    """
    try:
        setup = Setup(
            players=settings["players"],
            variant=Variant(settings["variant"]),
            voice=Voice(settings["voice"]),
            options=read_options(settings["rules"]),
            left_over=tuple(Tile.from_code(str(code)) for code in settings["left_over"]),
        )
        if type(setup.players) is not int or not MIN_PLAYERS <= setup.players <= MAX_PLAYERS:
            raise ValueError("players")
        return GameSettings(
            setup,
            source=str(settings["source"]),
            names=tuple(str(name) for name in settings["names"]),
            colours=tuple(str(colour)[:7] for colour in settings.get("colours", ())),
            tiles=str(settings["tiles"]),
        )
    except (RefereeError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise StorageError(texts.SETTINGS_UNREADABLE) from error


def _without_secrets(source: str) -> str:
    """Return an address without user, password and query, in which passwords go as well."""
    scheme, is_address, rest = source.partition("://")
    if not is_address:
        return source
    place, _query, secret = rest.partition("?")
    return f"{scheme}://…" if "@" in secret else f"{scheme}://{place.rpartition('@')[2]}"


def program_version() -> str:
    """Return the version that is installed; empty where none is."""
    try:
        return version("pyramid-referee")
    except PackageNotFoundError:
        return ""
