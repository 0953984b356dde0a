"""The groups of artists that no network is ever trained on: by them a model is chosen and measured.

Everything that is held out is declared here. `trained_artist` never gives such an artist; typefaces, seeds
and textures of the two sides are apart as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from models.training.rendering.artists.artist import GROUNDS, HANDS, TECHNIQUES, Artist, any_artist


@dataclass(frozen=True, slots=True)
class Group:
    """Artists that have much in common; one is drawn anew for each tile set."""

    carriers: tuple[tuple[str, ...], ...]
    grounds: tuple[str, ...]
    techniques: tuple[str, ...]
    hands: tuple[str, ...]
    mixed: bool = False

    def artist(self, rng: np.random.Generator) -> Artist:
        """Return one artist of the group."""
        carriers = self.carriers[rng.integers(len(self.carriers))]
        return Artist(
            carriers,
            str(rng.choice(self.grounds)),
            str(rng.choice(self.techniques)),
            str(rng.choice(self.hands)),
            self.mixed,
        )


HELD_OUT = {
    "woodcut corner": Group((("corner",),), ("white", "cream"), ("woodcut",), ("type",)),
    "neon on black": Group(
        (("ink",), ("ring",), ("line",), ("symbol", "ink")), ("black",), ("neon",), ("round", "type")
    ),
    "embroidery on cloth": Group(
        (("frame",), ("ink",), ("ink", "symbol"), ("blob",)), ("cloth",), ("embroidery",), ("type", "round")
    ),
    "stencil on kraft": Group(
        (("ink",), ("stripe",), ("tab",), ("edges",)), ("kraft",), ("stencil",), ("type",)
    ),
    "underline on photo": Group(
        (("underline",),), ("photo",), ("flat", "gouache", "spray"), ("type", "brush")
    ),
    "symbol alone": Group(
        (("symbol",),), ("white", "grey", "cream"), ("flat", "watercolour", "gouache"), ("type", "biro")
    ),
    "ring on wood": Group((("ring",),), ("wood",), ("flat", "relief", "gouache"), ("type", "nib")),
    "row of dots": Group((("dots",),), ("black", "grey", "white"), ("flat", "spray", "relief"), ("type",)),
}  # fmt: skip
"""By name; the worst of them counts."""

_TECHNIQUES = frozenset({"woodcut", "stencil", "embroidery", "neon"})
_GROUNDS = frozenset({"kraft", "cloth", "photo"})
_CARRIERS = frozenset({"dots"})
_ALONE = frozenset({"symbol"})
TRAINED_GROUNDS = tuple(name for name in GROUNDS if name not in _GROUNDS)
TRAINED_TECHNIQUES = tuple(name for name in TECHNIQUES if name not in _TECHNIQUES)
_EVERY = 8
"""Of the typefaces every one with this number is held out."""

Typeface = TypeVar("Typeface")


def is_held_out(artist: Artist) -> bool:
    """Return whether the networks must never see this artist while they learn."""
    carriers = frozenset(artist.carriers)
    return (
        artist.technique in _TECHNIQUES
        or artist.ground in _GROUNDS
        or bool(carriers & _CARRIERS)
        # On one tile of a mixed set a symbol or ring stands alone, too.
        or carriers == _ALONE
        or (artist.mixed and bool(carriers & _ALONE))
        or (artist.ground == "wood" and "ring" in carriers)
    )


def trained_artist(rng: np.random.Generator) -> Artist:
    """Return an artist to learn from, drawn at random."""
    while is_held_out(artist := any_artist(rng, TRAINED_GROUNDS, TRAINED_TECHNIQUES, HANDS)):
        pass
    return artist


def typefaces_of(typefaces: list[Typeface], *, held_out: bool) -> list[Typeface]:
    """Return the typefaces of one side; all of them where there are too few to divide."""
    if len(typefaces) < _EVERY:
        return typefaces
    return [face for number, face in enumerate(typefaces) if (number % _EVERY == 0) == held_out]
