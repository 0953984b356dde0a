"""How far the review of a data set is, tile by tile."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class ReviewState(Enum):
    """What a data set has of a tile."""

    UNSEEN = "unseen"
    PROPOSED = "proposed"
    """It was found, and nobody has confirmed it."""
    CONFIRMED = "confirmed"
    """It is confirmed, under one light."""
    COMPLETE = "complete"
    """It is confirmed under two lights."""


@dataclass(frozen=True, slots=True)
class ReviewProgress:
    """How far the review of a data set is."""

    proposed: int
    confirmed: int
    states: dict[str, ReviewState]
    counts: dict[str, tuple[int, int]]
    """Code -> how many of its pictures are confirmed, and how many there are."""

    @property
    def unseen(self) -> list[str]:
        """The codes of the tiles that no picture shows."""
        return [code for code, state in self.states.items() if state is ReviewState.UNSEEN]

    @property
    def in_one_light(self) -> list[str]:
        """The codes of the tiles that are confirmed under one light only."""
        return [code for code, state in self.states.items() if state is ReviewState.CONFIRMED]
