"""What the keys mean at the table: a tile that is typed, and the way from place to place by the arrows."""

from __future__ import annotations

from collections.abc import Iterable

from referee.rules.tiles import CODES
from ui.viewmodels.game_view import Slot

LETTERS = {"Y": "Y", "R": "R", "G": "G", "B": "B", "M": "M", "J": "Y", "V": "G"}
"""What begins a tile: the letters of its code, and those of the colours in French."""
STEPS = {"Left": (-1, 0), "Right": (1, 0), "Up": (0, 1), "Down": (0, -1)}
"""Arrow key -> how many tiles to the right, and how many rows up."""
ASIDE = 2.0
"""A place that lies so much farther to the side than along the arrow is not meant by it."""


class TypedTile:
    """A tile that is being typed, such as G, then G1, then G10."""

    def __init__(self) -> None:
        self.text = ""
        """What was typed so far, in the letters of the codes."""

    @property
    def code(self) -> str | None:
        """The tile that was typed; None while it is none yet."""
        return self.text if self.text in CODES else None

    def press(self, key: str) -> bool:
        """Take a letter or a digit; return whether it belongs to a tile. A letter begins anew."""
        letter = LETTERS.get(key.upper())
        text = letter or self.text + key
        if not self.text and letter is None:
            return False
        if not any(code.startswith(text) for code in CODES):
            return False
        self.text = text
        return True

    def erase(self) -> None:
        """Take the last letter or digit back."""
        self.text = self.text[:-1]

    def clear(self) -> None:
        """Forget what was typed."""
        self.text = ""


def next_place(at: Slot | None, places: Iterable[Slot], arrow: str) -> Slot | None:
    """Return the nearest place in the direction of an arrow.

    Without a place to begin at it is the first, from the base up; where none lies in this direction it is
    the one to begin at.

    >>> next_place((0, 0), [(0, 0), (0, 1), (1, 0)], "Right")
    (0, 1)
    >>> next_place((0, 0), [(0, 0), (0, 1), (1, 0)], "Up")
    (1, 0)
    """
    places = list(places)
    if at is None or not places:
        return min(places, default=None)
    right, up = STEPS[arrow]
    best: tuple[float, Slot] | None = None
    for place in places:
        x, y = _middle(place)[0] - _middle(at)[0], _middle(place)[1] - _middle(at)[1]
        along, aside = x * right + y * up, abs(x * up) + abs(y * right)
        if along > 0 and aside <= ASIDE * along:
            best = min(best or (along + 2 * aside, place), (along + 2 * aside, place))
    return at if best is None else best[1]


def _middle(place: Slot) -> tuple[float, float]:
    """Return where a place lies, in tiles to the right and rows up."""
    row, slot = place
    return slot + row / 2, float(row)
