"""The verdict card of a photo: what its table calls for, what must be asked, and what can be tried out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from referee.rules.events import (
    Air,
    Collapse,
    DieNeed,
    Direction,
    Event,
    FallNeed,
    removed_by,
    taken_by,
)
from referee.rules.options import Options
from referee.rules.resolve import ResolutionState, answer
from referee.rules.tiles import Tile
from referee.rules.verdict import Verdict
from referee.tracking.inputs import Reply
from referee.tracking.questions import Answer, AskedPlace, Question, QuestionKind, ask_which_colour
from referee.uncertain import Judged, TileQuestion
from ui.text import table as texts
from ui.text import window as window_texts
from ui.text.catalogue import say
from ui.text.photos import words
from ui.text.questions import NOTHING_HERE, question_sentence
from ui.text.rulebook.rules import DIE_MEANS, Topic
from ui.text.sentences import (
    colour_question_sentence,
    hidden_sentence,
    needs_sentence,
    numbered_steps,
    tile_names,
)
from ui.viewmodels.game_view import (
    CardView,
    CarryOut,
    Choice,
    LetFall,
    PickTile,
    ShowRoll,
    Slot,
    TakeAway,
    Tell,
)
from ui.viewmodels.photo.known_table import KnownTable
from ui.viewmodels.table_view import Tone
from ui.viewmodels.verdict_card import MOST_SHOWN, answer_choices, topic_of
from ui.viewmodels.verdict_marks import KIND_OF_EVENT, MOST_CODES_IN_QUESTION, tile_question_sentence

MOST_LIKELY = 12
"""Of a tile that may be more than so many, nothing is known: it is picked from all."""


@dataclass(frozen=True, slots=True)
class AskedView:
    """One thing that the referee must be told."""

    sentence: str
    choices: tuple[Choice, ...]
    places: tuple[Slot, ...] = ()
    """Where the tiles lie that it is about."""


def first_question(table: KnownTable, judged: Judged) -> AskedView | None:
    """Return what must be asked first of a table, with every answer that fits; None where all is known."""
    if judged.hidden:
        answers = (Choice(say(words.NOTHING_HIDDEN), Tell(Answer(Reply.AS_IT_LIES)), "Space"),)
        return AskedView(hidden_sentence(), answers)
    for group in table.unnamed:
        if colours := table.colours_of(group):
            tiles = [tile for tile in table.tiles if tile.unsure and tile.code in group.codes]
            places = [AskedPlace(tile.row, tile.slot, tile.codes) for tile in tiles]
            question = ask_which_colour(places, colours)
            fitting = tuple(each for each in question.answers if each.colour in colours)
            likely = [letter for letter, _chance in group.colours]
            return AskedView(
                colour_question_sentence(group.codes, likely),
                answer_choices(replace(question, answers=fitting)),
                tuple((tile.row, tile.slot) for tile in tiles),
            )
    return _tile_question(judged.questions[0]) if judged.questions else None


def _tile_question(asked: TileQuestion) -> AskedView:
    """Return a question about one tile, with a button for each that the sentence names."""
    is_open = asked.covered or asked.cut or len(asked.codes) > MOST_LIKELY
    codes = () if is_open else asked.codes[:MOST_CODES_IN_QUESTION]
    place = AskedPlace(asked.row, asked.slot, codes)
    answers = tuple(Answer(Reply.TILE, code, asked.row, asked.slot) for code in codes)
    question = Question(QuestionKind.WHICH_TILE, (place,), answers=answers)
    choices, sentence = answer_choices(question), tile_question_sentence(asked)
    if not codes:
        choices = (Choice(say(words.CHOOSE_TILE), PickTile(question), "Space"),)
        if not asked.covered and not asked.cut:
            sentence = question_sentence(question)
    gone = Choice(say(NOTHING_HERE), TakeAway(asked.row, asked.slot), is_quiet=True)
    return AskedView(sentence, (*choices, gone), ((asked.row, asked.slot),))


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the card of a table is made of."""

    verdict: Verdict
    asked: AskedView | None
    is_hidden: bool = False
    state: ResolutionState | None = None
    """Where the resolution stops, if it is known for sure."""
    came_off: tuple[Tile, ...] = ()
    """What has come off since something is tried out."""
    is_thought: bool = False
    """Whether something is tried out."""


def photo_card(outlook: Outlook, options: Options) -> CardView:
    """Return what the card says of a table."""
    verdict, asked = outlook.verdict, outlook.asked
    if verdict.events or verdict.needs is not None:
        return _with_question(_mayhem(outlook, options), asked)
    if asked is not None and not verdict.certain:
        tone = Tone.NOTICE if outlook.is_hidden else Tone.QUESTION
        headline = window_texts.TABLE_COVERED if outlook.is_hidden else window_texts.QUESTION
        card = CardView(
            tone, say(headline), sentences=(asked.sentence,), choices=asked.choices, topic=Topic.QUESTION
        )
        return replace(card, asks_about=asked.places[:MOST_SHOWN])
    sentences = [_came_off(outlook), say(window_texts.STABLE_HINT)]
    hint = words.IN_THOUGHT if outlook.is_thought else words.TRY_HINT
    card = CardView(
        Tone.CALM,
        say(window_texts.STABLE),
        sentences=tuple(sentence for sentence in sentences if sentence),
        hint=say(hint),
        topic=Topic.PLACING,
    )
    return _with_question(card, asked)


def empty_card(*, was_read: bool) -> CardView:
    """Return what the card says of a table without tiles; `was_read`: a photo that shows no pyramid."""
    if was_read:
        hint = say(window_texts.NOTHING_FOUND_HINT)
        return CardView(Tone.NOTICE, say(window_texts.NOTHING_FOUND), sentences=(hint,))
    return CardView(
        Tone.CALM, say(words.NO_TILES), sentences=(say(words.NO_TILES_HINT),), topic=Topic.PLACING
    )


def _with_question(card: CardView, asked: AskedView | None) -> CardView:
    """Return a card that also asks what is not certain; nothing is tried out before that is known."""
    if asked is None:
        return card
    return replace(
        card, prompt=asked.sentence, choices=asked.choices, later="", hint="",
        asks_about=asked.places[:MOST_SHOWN],
    )  # fmt: skip


def _mayhem(outlook: Outlook, options: Options) -> CardView:
    events, need = outlook.verdict.events, outlook.verdict.needs
    current = events[0] if events else None
    waits = need if _waits_now(outlook.verdict) else None
    headline = say(window_texts.MAYHEM[KIND_OF_EVENT[type(current)] if current else _kind_of(need)])
    if current is None and isinstance(need, FallNeed):
        headline = say(texts.FALL)
    steps = numbered_steps(outlook.verdict)
    if current is None and isinstance(need, FallNeed):
        steps = [needs_sentence(need)]
    sentences = [_came_off(outlook), *steps]
    hint = words.IN_THOUGHT if outlook.is_thought else words.MISSING_HINT
    if isinstance(waits, DieNeed):
        hint = DIE_MEANS
    later = " ".join(_falls(outlook.state, options)) if isinstance(waits, FallNeed) else ""
    return CardView(
        Tone.MAYHEM,
        headline,
        sentences=tuple(sentence for sentence in sentences if sentence),
        choices=_choices(waits),
        prompt=say(texts.WHICH_ROLL) if isinstance(waits, DieNeed) else "",
        hint=say(hint),
        later=later,
        topic=topic_of(current, waits),
    )


def _came_off(outlook: Outlook) -> str:
    return say(words.CAME_OFF, tiles=tile_names(outlook.came_off)) if outlook.came_off else ""


def _kind_of(need: FallNeed | DieNeed | None) -> str:
    return "die" if isinstance(need, DieNeed) else "air"


def _waits_now(verdict: Verdict) -> bool:
    """Return whether the first step is what somebody must choose, and no event comes before it."""
    if isinstance(verdict.needs, DieNeed):
        return not verdict.events
    falls = not verdict.events or isinstance(verdict.events[0], (Air, Collapse))
    return verdict.needs is not None and falls and len(verdict.events) <= 1


def _choices(waits: FallNeed | DieNeed | None) -> tuple[Choice, ...]:
    """Return what can be tried out now."""
    if isinstance(waits, DieNeed):
        return tuple(Choice(str(roll), ShowRoll(roll), str(roll)) for roll in range(1, 7))
    if isinstance(waits, FallNeed):
        return (
            Choice(say(texts.LEFT), LetFall(Direction.LEFT), "Left"),
            Choice(say(texts.RIGHT), LetFall(Direction.RIGHT), "Right"),
        )
    return (Choice(say(texts.NEXT), CarryOut(), "Space"),)


def _falls(state: ResolutionState | None, options: Options) -> Iterator[str]:
    """Yield what follows of either fall."""
    if state is None or not isinstance(state.need, FallNeed):
        return
    for direction in Direction:
        events, after = answer(state, direction, options)
        kinds = [KIND_OF_EVENT[type(event)] for event in events[1:]]
        if isinstance(after.need, DieNeed):
            kinds.append("die")
        yield _fall_sentence(direction, kinds, sum(len(_leaving(event)) for event in events))


def _fall_sentence(direction: Direction, kinds: Sequence[str], count: int) -> str:
    is_left, events = direction is Direction.LEFT, texts.kinds_in_words(kinds)
    if not kinds:
        return say(words.LEFT_CALM if is_left else words.RIGHT_CALM)
    if not count:
        return say(words.LEFT_MOVES if is_left else words.RIGHT_MOVES, events=events)
    return say(words.LEFT_TAKES if is_left else words.RIGHT_TAKES, events=events, count=count)


def _leaving(event: Event) -> tuple[Tile, ...]:
    """Return the tiles that an event takes off the table."""
    return (*taken_by(event), *removed_by(event))


def left_by(events: Sequence[Event]) -> tuple[Tile, ...]:
    """Return the tiles that some events take off the table, in order."""
    return tuple(tile for event in events for tile in _leaving(event))
