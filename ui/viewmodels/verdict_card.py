"""The verdict card of a game: what stands now, as sentences and choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.errors import ChoiceError
from referee.rules.events import (
    Air,
    Collapse,
    Curse,
    Die,
    DieNeed,
    Direction,
    Event,
    Explosion,
    Fall,
    FallNeed,
    Fire,
    payer_of,
    removed_by,
    taken_by,
)
from referee.rules.game import Game, Variant
from referee.tracking.announcements import MayhemMissed
from referee.tracking.game_start import count_left_over
from referee.tracking.inputs import Reply
from referee.tracking.questions import Answer, QuestionKind
from ui.text import counts
from ui.text import table as texts
from ui.text import window as window_texts
from ui.text.announcements import announcement_sentences, remark_sentence, wrong_sentence
from ui.text.catalogue import say
from ui.text.questions import answer_label, question_sentence
from ui.text.rulebook import ending as ending_texts
from ui.text.rulebook.rules import DIE_MEANS, Topic
from ui.text.sentences import Names, needs_sentence, tile_name, tile_names, why_sentence
from ui.viewmodels.game_timeline import GameTimeline
from ui.viewmodels.game_view import (
    AnotherRound,
    CardView,
    CarryOut,
    Choice,
    Export,
    GoHome,
    LetFall,
    NameTiles,
    PickTile,
    ShowEnding,
    ShowRoll,
    Tell,
)
from ui.viewmodels.table_view import Tone
from ui.viewmodels.verdict_marks import KIND_OF_EVENT

if TYPE_CHECKING:
    from referee.tracking.questions import Question

MOST_SHOWN = 4
"""Of more tiles than this that look alike, these are enough to see their colour."""
MOST_TILES = 6
"""Of more tiles than this, the others are picked from all."""
_TOPICS: Mapping[type[Event], Topic] = {
    Air: Topic.AIR,
    Fall: Topic.FALL,
    Explosion: Topic.EXPLOSION,
    Fire: Topic.FIRE,
    Curse: Topic.CURSE,
    Die: Topic.DIE,
}
"""Of the events whose rule hangs on nothing else."""
ARROW_KEYS = ("Left", "Right", "Up", "Down")


@dataclass(frozen=True, slots=True)
class Moment:
    """What the card is made of."""

    game: Game
    story: GameTimeline
    names: Names
    question: Question | None = None
    has_begun: bool = True
    is_clicked: bool = False
    held: str | None = None
    chosen: Direction | None = None
    """Where the people at the keys said that the waiting tile falls to."""
    is_watched: bool = True
    """Whether the pictures of the camera come."""
    known_tiles: int = 0
    """How many tiles of an unknown set the game has taught, if that is worth a name; else 0."""
    kept_tiles: str = ""
    """The name under which they were kept."""

    @property
    def open_events(self) -> tuple[Event, ...]:
        """What of the pending verdict was said; nothing that the voice keeps back."""
        said = self.story.open
        if said is None or self.game.is_stable:
            return ()
        return self.game.pending.events[: len(said.verdict.events)]

    @property
    def open_need(self) -> FallNeed | DieNeed | None:
        """What was said to be needed."""
        said = self.story.open
        if said is None or said.verdict.needs is None or self.game.is_stable:
            return None
        return self.game.pending.needs

    @property
    def is_open(self) -> bool:
        """Whether something that was said must be resolved."""
        return bool(self.open_events) or self.open_need is not None

    @property
    def to_play(self) -> int:
        """Who places next, or resolves what was said."""
        game = self.game
        if game.has_placed and not self.is_open and game.winner is None:
            return (game.active + 1) % game.setup.players
        return game.active


def make_card(moment: Moment) -> CardView:
    """Return what the card says of a moment."""
    story = moment.story
    if moment.game.winner is not None:
        headline = say(texts.WINS, player=texts.name_of(moment.game.winner, moment.names))
        sentences = [say(texts.END_HINT)]
        choices = [
            Choice(say(ending_texts.HOW_IT_WENT), ShowEnding(), "Space"),
            Choice(say(ending_texts.ANOTHER_ROUND), AnotherRound()),
            Choice(say(texts.EXPORT), Export(), is_quiet=True),
        ]
        if moment.kept_tiles:
            sentences.append(say(texts.KEPT_TILES, name=moment.kept_tiles))
        elif moment.known_tiles:
            sentences.append(say(texts.LEARNED_TILES, tiles=say(counts.TILES, count=moment.known_tiles)))
            choices.append(Choice(say(texts.KEEP_TILES), NameTiles()))
        choices.append(Choice(say(texts.HOME), GoHome(), is_quiet=True))
        return CardView(
            Tone.CALM, headline, sentences=tuple(sentences), choices=tuple(choices), topic=Topic.WINNING
        )
    if moment.question is not None:
        return _question(moment.question, moment.names)
    if story.wrong is not None:
        return CardView(
            Tone.MAYHEM,
            say(texts.WRONG),
            sentences=(_without_kind(wrong_sentence(story.wrong)),),
            topic=Topic.FALL,
        )
    if moment.is_open:
        return _mayhem(moment)
    if not moment.has_begun:
        left_over = say(texts.LAY_LEFT_OVER, count=count_left_over(moment.game.setup))
        headline = say(texts.BEFORE_THE_GAME)
        return CardView(Tone.CALM, headline, sentences=(left_over,), topic=Topic.BEGINNING)
    return _calm(moment)


def _calm(moment: Moment) -> CardView:
    game = moment.game
    player = texts.name_of(moment.to_play, moment.names)
    choices: tuple[Choice, ...] = ()
    text = say(texts.PLACE_WATCHED) if moment.is_watched else say(texts.PLACE_UNWATCHED)
    if moment.is_clicked:
        text = say(texts.PLACE_CLICKED)
    if moment.held is not None:
        text = texts.with_tile(texts.PLACE_HELD, moment.held)
    elif game.setup.variant is Variant.STRATEGY and game.has_placed:
        text = say(texts.SAYS_OK, player=player)
        choices = (Choice(say(texts.OK), Tell(Answer(Reply.OK)), "Space"),)
    remark = moment.story.remark
    told = _rolled(moment) if remark is None else (remark_sentence(remark),)
    return CardView(
        Tone.CALM,
        say(texts.TURN_OF, player=player),
        sentences=(*told, text),
        choices=choices,
        topic=Topic.PLACING,
    )


def _rolled(moment: Moment) -> tuple[str, ...]:
    """Return what the fire die showed, and what came of it."""
    told = (announcement_sentences(said, moment.names) for said in moment.story.rolled)
    return tuple(sentence for sentences in told for sentence in sentences)


def _mayhem(moment: Moment) -> CardView:
    """Return the current step in full, and what follows in one line."""
    said, events, need = moment.story.open, moment.open_events, moment.open_need
    assert said is not None  # it is open
    current = events[0] if events else None
    falls = current is None or isinstance(current, (Air, Collapse))
    waits = need if falls and len(events) <= 1 else None
    headline = _mayhem_headline(current, need)
    sentences = [*_rolled(moment)]
    tone = Tone.MAYHEM
    if isinstance(said, MayhemMissed):
        tone = Tone.MISSED
        sentences.append(say(texts.MISSED_SINCE, turn=said.since, what=headline))
        headline = say(texts.MISSED)
    if current is not None:
        sentences.append(_without_kind(why_sentence(current)))
    elif isinstance(need, FallNeed):
        sentences.append(needs_sentence(need, moment.names))
    if current is not None and (gone := removed_by(current)):
        sentences.append(say(texts.LEAVES_AS_WELL, tiles=tile_names(gone)))
    if isinstance(waits, FallNeed) and moment.chosen is not None:
        slide = texts.SLIDE_LEFT if moment.chosen is Direction.LEFT else texts.SLIDE_RIGHT
        sentences.append(say(slide, short=tile_name(waits.tile)))
    step = moment.story.steps_done + 1
    more = len(events) > 1 or step > 1
    return CardView(
        tone,
        headline,
        step=say(texts.STEP, number=step) if more else "",
        sentences=tuple(sentences),
        taken=() if current is None else tuple(tile.code for tile in taken_by(current)),
        payment=_payment(moment, current),
        prompt=_prompt(moment, current, waits),
        choices=_mayhem_choices(moment, current, waits),
        hint=_hint(moment, current, waits),
        later=_later(moment, events, waits),
        topic=_topic(moment, current, waits),
    )


def _mayhem_headline(current: Event | None, need: FallNeed | DieNeed | None) -> str:
    """Return what an event is called, or what is needed where there is none."""
    if current is None and isinstance(need, FallNeed):
        return say(texts.FALL)
    kind = KIND_OF_EVENT[type(current)] if current else "die" if isinstance(need, DieNeed) else "air"
    return say(window_texts.MAYHEM[kind])


def _hint(moment: Moment, current: Event | None, waits: FallNeed | DieNeed | None) -> str:
    """Return what the numbers of the die mean where one is rolled; else how one answers without the keys."""
    if isinstance(waits, DieNeed) and current is None:
        return say(DIE_MEANS)
    return say(texts.OR_MOVE) if moment.is_watched and not moment.is_clicked else ""


def _topic(moment: Moment, current: Event | None, waits: FallNeed | DieNeed | None) -> Topic:
    """Return the rule behind a step of a game."""
    if isinstance(moment.story.open, MayhemMissed):
        is_family = moment.game.setup.variant is Variant.FAMILY
        return Topic.MISSED_FAMILY if is_family else Topic.MISSED_STRATEGY
    return topic_of(current, waits)


def topic_of(current: Event | None, waits: FallNeed | DieNeed | None) -> Topic:
    """Return the rule behind an event, or behind what is waited for where none came before."""
    if isinstance(current, Collapse):
        return Topic.COLLAPSE if len(current.taken) > 1 else Topic.OVERHANG
    if current is None:
        return Topic.DIE if isinstance(waits, DieNeed) else Topic.FALL
    return _TOPICS[type(current)]


def _payment(moment: Moment, current: Event | None) -> str:
    if current is None or not (taken := taken_by(current)):
        return ""
    payer = payer_of(current)
    if payer is None:
        return say(texts.OUT_OF_GAME)
    stock = moment.game.stocks[payer] + len(taken)
    return say(texts.UNDER_PILE, player=texts.name_of(payer, moment.names), count=len(taken), stock=stock)


def _prompt(moment: Moment, current: Event | None, waits: FallNeed | DieNeed | None) -> str:
    if isinstance(waits, DieNeed):
        return say(texts.WHICH_ROLL)
    if isinstance(waits, FallNeed) and current is not None and moment.chosen is None:
        return needs_sentence(waits, moment.names)
    return ""


def _mayhem_choices(
    moment: Moment, current: Event | None, waits: FallNeed | DieNeed | None
) -> tuple[Choice, ...]:
    if isinstance(waits, DieNeed) and current is None:
        rolls = tuple(Choice(str(roll), ShowRoll(roll), str(roll)) for roll in range(1, 7))
        return (*rolls, Choice(say(texts.ROLL), ShowRoll(), "Space", is_quiet=True))
    if isinstance(waits, FallNeed):
        return (
            Choice(say(texts.LEFT), LetFall(Direction.LEFT), "Left"),
            Choice(say(texts.RIGHT), LetFall(Direction.RIGHT), "Right"),
        )
    return (Choice(say(texts.NEXT), CarryOut(), "Space"),) if moment.is_clicked else ()


def _later(moment: Moment, events: Sequence[Event], waits: FallNeed | DieNeed | None) -> str:
    """Return what follows the current step; after a choice, what may follow."""
    rest = list(events[1:])
    if rest:
        kinds = [KIND_OF_EVENT[type(event)] for event in rest if not isinstance(event, Fall)]
        return texts.then(kinds, perhaps=False)
    if not isinstance(waits, FallNeed):
        return ""
    kinds = []
    for direction in Direction:
        try:
            after = fallen(moment.game, direction)
        except ChoiceError:
            return ""
        kinds += [KIND_OF_EVENT[type(event)] for event in after.pending.events[:1]]
        kinds += ["die"] if isinstance(after.needs, DieNeed) else []
    return texts.then(kinds, perhaps=True)


def fallen(game: Game, direction: Direction) -> Game:
    """Return the game after the waiting tile fell, and whatever happens before it waits.

    Raises:
        ChoiceError: No tile waits.
    """
    while game.needs is None:
        game = game.step()
    return game.choose(direction)


def _question(question: Question, names: Names) -> CardView:
    places = tuple(dict.fromkeys((place.row, place.slot) for place in question.places))
    shows = len(places) == 1 or question.kind is QuestionKind.WHICH_COLOUR
    return CardView(
        Tone.QUESTION,
        say(window_texts.QUESTION),
        sentences=(question_sentence(question),),
        choices=answer_choices(question, names),
        topic=Topic.QUESTION,
        asks_about=places[:MOST_SHOWN] if shows else (),
    )


def answer_choices(question: Question, names: Names = None) -> tuple[Choice, ...]:
    """Return a button for every answer; of very many tiles, the likeliest and a way to the others."""
    return tuple(_answers(question, names))


def _answers(question: Question, names: Names) -> Iterator[Choice]:
    """Yield the buttons of `answer_choices`."""
    tiles = [answer for answer in question.answers if answer.reply is Reply.TILE]
    quiet = (Reply.NO_TILE,) if question.asks_laid else (Reply.MENDED, Reply.NO_TILE)
    keys = iter(("Space",) if len(question.answers) == 1 else ARROW_KEYS)
    for answer in tiles[:MOST_TILES]:
        yield Choice(answer_label(question, answer), Tell(answer), next(keys, ""), answer.code or "")
    if question.takes_any_tile or len(tiles) > MOST_TILES:
        yield Choice(say(texts.ANOTHER_TILE), PickTile(question), is_quiet=True)
    for number, answer in enumerate(question.answers, 1):
        if answer.reply is Reply.TILE:
            continue
        is_quiet = answer.reply in quiet or question.stays_open_with(answer)
        key = "" if is_quiet else "Space"
        if answer.reply in (Reply.ROLL, Reply.COLOUR, Reply.PLAYER) or (question.asks_laid and not is_quiet):
            key = str(number if answer.roll is None else answer.roll)
        yield Choice(answer_label(question, answer, names), Tell(answer), key, is_quiet=is_quiet)


def _without_kind(sentence: str) -> str:
    """Return a sentence such as "Collapse: …" without its first word, which is the headline."""
    return texts.capital(sentence.partition(":")[2].strip()) or sentence
