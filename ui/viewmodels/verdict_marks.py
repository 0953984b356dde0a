"""From a reading and its verdict to the values that the window shows."""

from __future__ import annotations

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
from ui.text import window as window_texts
from ui.text.catalogue import say
from ui.text.sentences import (
    colour_question_sentence,
    covered_sentence,
    cut_sentence,
    hidden_sentence,
    numbered_steps,
    question_sentence,
)
from ui.viewmodels.table_view import FallArrow, Ring, TableView, TileView, Tone, VerdictView

if TYPE_CHECKING:
    from referee.rules.events import Event, Need
    from referee.rules.verdict import Verdict
    from referee.uncertain import Judged, ReadTable
    from vision.imaging.arrays import ImageU8

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


def table_view(
    name: str, reading: ReadTable, judged: Judged, picture_bgr: ImageU8 | None = None
) -> TableView:
    """Return what the window shows of a table that was read and judged."""
    marks = rings(judged.verdict)
    return TableView(
        name=name,
        verdict=_verdict_view(reading, judged),
        tiles=tuple(
            TileView(tile.code, tile.row, tile.slot, tile.unsure, marks.get(tile.code, Ring.NONE))
            for tile in reading.tiles
        ),
        arrows=_arrows(reading, judged.verdict),
        likely={
            (tile.row, tile.slot): (tile.code, *(code for code, _chance in tile.alternatives))
            for tile in reading.tiles
        },
        picture_bgr=picture_bgr,
    )


def _verdict_view(reading: ReadTable, judged: Judged) -> VerdictView:
    verdict = judged.verdict
    questions = tuple(_answerable(judged))
    if not reading.tiles:
        hint = say(window_texts.NOTHING_FOUND_HINT)
        return VerdictView(Tone.NOTICE, say(window_texts.NOTHING_FOUND), (hint,))
    if judged.hidden:
        return VerdictView(Tone.NOTICE, say(window_texts.TABLE_COVERED), questions=questions)
    if verdict.events or verdict.needs:
        kind = KIND_OF_EVENT[type(verdict.events[0])] if verdict.events else "air"
        headline = say(window_texts.MAYHEM[kind])
        return VerdictView(Tone.MAYHEM, headline, tuple(numbered_steps(verdict)), questions)
    if not verdict.certain:
        return VerdictView(Tone.QUESTION, say(window_texts.QUESTION), questions=questions)
    return VerdictView(Tone.CALM, say(window_texts.STABLE), (say(window_texts.STABLE_HINT),), questions)


def question_sentences(judged: Judged) -> list[str]:
    """Return what the referee must be told or shown: what hides the table, colours, tiles."""
    sentences = [hidden_sentence()] if judged.hidden else []
    sentences += [colour_question_sentence(asked.codes, asked.colours) for asked in judged.colour_questions]
    for asked in judged.questions:
        if asked.covered:
            sentences.append(covered_sentence(asked.row, asked.slot))
        elif asked.cut:
            sentences.append(cut_sentence(asked.row, asked.slot))
        else:
            sentences.append(question_sentence(asked.codes[:MOST_CODES_IN_QUESTION]))
    return sentences


def _answerable(judged: Judged) -> list[str]:
    """Return the questions of a photo, and how they are answered in the window."""
    hint = [say(window_texts.NAME_TILE)] if judged.questions else []
    return [*question_sentences(judged), *hint]


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


def _arrows(reading: ReadTable, verdict: Verdict) -> tuple[FallArrow, ...]:
    """Return the fall that belongs to the first step, or the choice of one."""
    steps: list[Event | Need | None] = [*verdict.events[:2], verdict.needs]
    if verdict.events and not isinstance(verdict.events[0], (Air, Collapse)):
        return ()
    for step in steps[:2]:
        if not isinstance(step, (Fall, FallNeed)):
            continue
        where = next((tile for tile in reading.tiles if tile.code == step.tile.code), None)
        if where is None:
            return ()
        asked = isinstance(step, FallNeed)
        left = asked or (isinstance(step, Fall) and step.direction is Side.LEFT)
        right = asked or (isinstance(step, Fall) and step.direction is Side.RIGHT)
        return (FallArrow(where.row, where.slot, left, right),)
    return ()
