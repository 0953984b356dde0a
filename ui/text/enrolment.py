"""What is said of a tile set that was learned, on the command line and in the app."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ui.text.sentences import _

if TYPE_CHECKING:
    from vision.tilesets.enrolment import AlikePair, Disagreement

MOST_PAIRS_TOLD = 6


def likeness_sentences(closest: Sequence[AlikePair]) -> list[str]:
    """Return how well the tiles can be told apart."""
    pairs = ", ".join(f"{_called(pair.code)} / {_called(pair.other)}" for pair in closest[:MOST_PAIRS_TOLD])
    if not closest[0].is_hard:
        return [_("All tiles are easy to tell apart; the closest are {pairs}.").format(pairs=pairs)]
    hard = _("Hard to tell apart, so that the referee will have to ask: {pairs}.")
    if len(closest) > MOST_PAIRS_TOLD:
        hard = _("Hard to tell apart, so that the referee will have to ask: {pairs} and {count} more pairs.")
    return [
        hard.format(pairs=pairs, count=len(closest) - MOST_PAIRS_TOLD),
        _("A sharper photo, or a second one in other light, may help."),
    ]


def disagreement_sentences(disagreements: Sequence[Disagreement]) -> list[str]:
    """Return which labels look wrong to the shipped reader."""
    return [
        _("In {photo!r} the tile named {code} looks like {read}; check its label.").format(
            photo=other.photo, code=_called(other.code), read=_called(other.read)
        )
        for other in disagreements
    ]


def _called(code: str) -> str:
    """Return what people call a tile; those of other games have no name but their code."""
    from referee.rules.tiles import TILES
    from ui.text.sentences import tile_name

    return tile_name(code) if code in TILES else code
