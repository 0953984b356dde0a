"""What is said of a tile set that was learned, on the command line and in the app."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ui.text.catalogue import Plural, _, mark, say

if TYPE_CHECKING:
    from vision.tilesets.enrolment import AlikePair, Disagreement

MOST_PAIRS_TOLD = 6

_HARD = mark("These tiles are hard to tell apart, and the referee will have to ask: {pairs}.")
_HARD_AND_MORE = Plural(
    "These tiles are hard to tell apart, and the referee will have to ask: {pairs}, and {count} more pair.",
    "These tiles are hard to tell apart, and the referee will have to ask: {pairs}, and {count} more pairs.",
)


def likeness_sentences(closest: Sequence[AlikePair]) -> list[str]:
    """Return how well the tiles can be told apart."""
    pairs = ", ".join(f"{_called(pair.code)} / {_called(pair.other)}" for pair in closest[:MOST_PAIRS_TOLD])
    if not closest[0].is_hard:
        return [say("All tiles are easy to tell apart. The most similar are {pairs}.", pairs=pairs)]
    more = len(closest) - MOST_PAIRS_TOLD
    return [
        say(_HARD_AND_MORE if more > 0 else _HARD, pairs=pairs, count=more),
        _("A sharper photo may help, or a second one in different light."),
    ]


def disagreement_sentences(disagreements: Sequence[Disagreement]) -> list[str]:
    """Return which labels look wrong to the shipped reader."""
    return [
        say(
            "In {photo!r} the tile named {code} looks like {read}. Check its label.",
            photo=other.photo,
            code=_called(other.code),
            read=_called(other.read),
        )
        for other in disagreements
    ]


def _called(code: str) -> str:
    """Return what people call a tile; those of other games have no name but their code."""
    from referee.rules.tiles import TILES
    from ui.text.sentences import tile_name

    return tile_name(code) if code in TILES else code
