"""Who draws a tile set: what carries its colours, on what, how it is made, and how the number is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

CARRIERS: Mapping[str, str] = {
    "ground": "area", "panel": "area", "half": "area", "pattern": "area",
    "frame": "edge", "line": "edge", "corner": "edge", "edges": "edge", "stripe": "edge",
    "blob": "mark", "ring": "ring", "underline": "mark", "tab": "mark", "dots": "dots",
    "ink": "ink", "drawing": "ink",
    "symbol": "symbol",
}  # fmt: skip
"""What shows a tile's colour, and the family that it belongs to."""

GROUNDS: Mapping[str, str] = {
    "white": "pale", "cream": "pale", "tint": "pale", "paper": "pale",
    "grey": "middle", "muted": "middle", "marble": "middle", "wood": "wood",
    "black": "dark", "deep": "dark",
    "slate": "slate", "kraft": "kraft", "cloth": "cloth", "photo": "photo",
}  # fmt: skip
"""What the colour stands on where it does not fill the whole face, and the ground's family."""

TECHNIQUES = (
    "flat", "offset", "halftone", "watercolour", "gouache", "crayon", "pencil", "spray", "engraving", "pixel",
    "photo", "relief", "mosaic", "collage",
    "chalk", "marker", "woodcut", "stencil", "embroidery", "neon",
)  # fmt: skip

HANDS = ("type", "round", "biro", "brush", "nib", "felt")
"""The number is set in a typeface, or written by hand with a pen."""


@dataclass(frozen=True, slots=True)
class Artist:
    """How one tile set is drawn, in words."""

    carriers: tuple[str, ...]
    """What carries the colour; all of these on every tile, or one of them on each if `mixed`."""
    ground: str
    technique: str
    hand: str
    mixed: bool = False

    @property
    def group(self) -> str:
        """Return the group of artists that this one belongs to: carrier/ground/technique/hand."""
        families = sorted({CARRIERS[name] for name in self.carriers})
        carrier = families[0] if len(families) == 1 else "several"
        hand = "type" if self.hand == "type" else "hand"
        return f"{carrier}/{GROUNDS[self.ground]}/{self.technique}/{hand}"


def any_artist(
    rng: np.random.Generator, grounds: tuple[str, ...], techniques: tuple[str, ...], hands: tuple[str, ...]
) -> Artist:
    """Return an artist drawn at random from these grounds, techniques and hands, with any carriers."""
    names = tuple(CARRIERS)
    # Grounds, frames, inks and stripes are what sets have most; each other carrier gets its share.
    most = {"ground": 3.0, "frame": 2.0, "ink": 3.0, "drawing": 1.5, "stripe": 4.0}
    chances = np.array([most.get(name, 1.0) for name in names])
    count = int(rng.choice([1, 2, 3], p=[0.55, 0.35, 0.1]))
    mixed = bool(rng.random() < 0.15)
    chosen = rng.choice(len(names), 4 if mixed else count, replace=False, p=chances / chances.sum())
    hand = "type" if rng.random() < 0.5 else str(rng.choice([each for each in hands if each != "type"]))
    return Artist(
        tuple(names[index] for index in sorted(chosen)),
        str(rng.choice(grounds)),
        str(rng.choice(techniques)),
        hand,
        mixed,
    )
