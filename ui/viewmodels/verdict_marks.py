"""What a verdict marks on the table: rings, arrows; and what must be asked before more can be said."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from referee.rules.events import (
    Air,
    Collapse,
    Curse,
    Die,
    Explosion,
    Fall,
    FallNeed,
    Fire,
    taken_by,
)
from referee.rules.events import Direction as Side
from ui.text.sentences import (
    colour_question_sentence,
    covered_sentence,
    cut_sentence,
    hidden_sentence,
    question_sentence,
)
from ui.viewmodels.table_view import FallArrow, Ring

if TYPE_CHECKING:
    from referee.rules.events import Event, Need
    from referee.rules.verdict import Verdict
    from referee.uncertain import Judged, ReadTile, TileQuestion

KIND_OF_EVENT: dict[type[Event], str] = {
    Air: "air",
    Fall: "air",
    Collapse: "collapse",
    Explosion: "explosion",
    Fire: "fire",
    Curse: "curse",
    Die: "die",
}
MOST_CODES_IN_QUESTION = 4


def question_sentences(judged: Judged) -> list[str]:
    """Return what the referee must be told or shown: what hides the table, colours, tiles."""
    sentences = [hidden_sentence()] if judged.hidden else []
    sentences += [colour_question_sentence(asked.codes, asked.colours) for asked in judged.colour_questions]
    return sentences + [tile_question_sentence(asked) for asked in judged.questions]


def tile_question_sentence(asked: TileQuestion) -> str:
    """Return what the referee must be told or shown of one tile."""
    if asked.covered:
        return covered_sentence(asked.row, asked.slot)
    if asked.cut:
        return cut_sentence(asked.row, asked.slot)
    return question_sentence(asked.codes[:MOST_CODES_IN_QUESTION])


def rings(verdict: Verdict) -> dict[str, Ring]:
    """Return how the tiles of the first step are marked, by code."""
    if not verdict.events:
        need = verdict.needs
        return {need.tile.code: Ring.CAUSE} if isinstance(need, FallNeed) else {}
    first = verdict.events[0]
    marks = {tile.code: Ring.TAKEN for tile in taken_by(first)}
    if isinstance(first, (Air, Collapse, Fire)):
        marks[first.tile.code] = Ring.CAUSE
    elif isinstance(first, Explosion):
        marks.update((tile.code, Ring.CAUSE) for tile in first.tiles)
    return marks


def fall_arrows(tiles: Iterable[ReadTile], verdict: Verdict) -> tuple[FallArrow, ...]:
    """Return the fall that belongs to the first step, or the choice of one."""
    steps: list[Event | Need | None] = [*verdict.events[:2], verdict.needs]
    if verdict.events and not isinstance(verdict.events[0], (Air, Collapse)):
        return ()
    for step in steps[:2]:
        if not isinstance(step, (Fall, FallNeed)):
            continue
        where = next((tile for tile in tiles if tile.code == step.tile.code), None)
        if where is None:
            return ()
        asked = isinstance(step, FallNeed)
        left = asked or (isinstance(step, Fall) and step.direction is Side.LEFT)
        right = asked or (isinstance(step, Fall) and step.direction is Side.RIGHT)
        return (FallArrow(where.row, where.slot, left, right),)
    return ()
