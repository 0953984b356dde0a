"""What the pages of the window ask for, as plain frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from referee.rules.game import Variant, Voice
from referee.rules.options import DEFAULTS, Options

PLAYER_COLOURS = ("#E07A3F", "#3E8FC4", "#8C6BC8", "#4F9D69", "#C75B8A", "#8A8F98")
"""Colours that players begin with; not those of the tiles, and told apart by lightness as well."""
PHONE_SOURCE = "phone://"
"""How a phone that opens our own page is stored as a game's source."""
MIN_PLAYERS, MAX_PLAYERS = 2, 6
MAX_NAME = 24
"""Characters of a player's name."""


@dataclass(frozen=True, slots=True)
class PlayerRequest:
    """One player of a game to be."""

    name: str
    """As the player wrote it; never empty."""
    colour: str
    """Such as #E07A3F."""


def as_address(typed: str) -> str:
    """Return the address of a stream as it is opened; one that was typed without its beginning gets it.

    >>> as_address(" 192.168.1.20:8080/video ")
    'http://192.168.1.20:8080/video'
    >>> as_address("rtsp://camera/live")
    'rtsp://camera/live'
    """
    typed = typed.strip()
    return typed if not typed or "://" in typed else f"http://{typed.lstrip('/')}"


class SourceKind(Enum):
    """Where a game's pictures come from."""

    CAMERA = "camera"
    ADDRESS = "address"
    RECORDING = "recording"
    PHONE = "phone"
    """A phone that opens our own page."""


@dataclass(frozen=True, slots=True)
class SourceRequest:
    """A camera, an address or a recording."""

    kind: SourceKind
    text: str
    """What `open_source` takes; may hold a password, so it is not shown, and only the owner may read it."""
    name: str
    """What people call it, without any credentials."""
    holds: tuple[str, ...] = ()
    """What a camera is to hold still, as `vision.sources.open_source.open_source` takes it."""


@dataclass(frozen=True, slots=True)
class GameRequest:
    """A new game, as it was agreed on the start page."""

    players: tuple[PlayerRequest, ...]
    variant: Variant = Variant.FAMILY
    voice: Voice = Voice.ANNOUNCE
    options: Options = DEFAULTS
    source: SourceRequest | None = None
    """None: the game is played by clicking."""
    tiles: str | None = None
    """The name of the player's own tile set; None for the shipped reader's own tiles."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game that can be resumed, as a row of the start page."""

    path: Path
    title: str
    date: str
    """Already written the way people read it."""
    players: str
    """Their names, joined."""
    is_finished: bool = False
    """Whether it is over, so that it can only be looked at."""
