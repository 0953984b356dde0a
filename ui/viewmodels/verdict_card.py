"""The verdict card of a game: what stands now, as sentences and choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.errors import ChoiceError
from referee.rules.events import (
    Air,
    Collapse,
    DieNeed,
    Direction,
    Event,
    Fall,
    FallNeed,
    payer_of,
    removed_by,
    taken_by,
)
from referee.rules.game import Game, Variant
from referee.tracking.game_start import count_left_over
from referee.tracking.inputs import Reply
from ui.text import table as texts
from ui.text import window as window_texts
from ui.text.errors import error_sentence
from ui.text.sentences import Names, needs_sentence, tile_name, tile_names, why_sentence
from ui.viewmodels.game_timeline import Said, Story
from ui.viewmodels.game_view import CardView, CarryOut, Choice, Export, GoHome, LetFall, ShowRoll, Tell
from ui.viewmodels.photo_table import KIND_OF_EVENT
from ui.viewmodels.table_view import Tone

if TYPE_CHECKING:
    from referee.tracking.announcements import Doubt
    from referee.tracking.questions import Asked

MOST_CHOICES = 4
CODES_IN_BUTTONS = 3


@dataclass(frozen=True, slots=True)
class Moment:
    """What the card is made of."""

    game: Game
    story: Story
    names: Names
    question: Asked | None = None
    has_begun: bool = True
    is_clicked: bool = False
    held: str | None = None
    chosen: Direction | None = None
    """Where the people at the keys said that the waiting tile falls to."""

    @property
    def open_events(self) -> tuple[Event, ...]:
        """What of the pending verdict was said; nothing that the voice keeps back."""
        said = self.story.open
        if said is None or self.game.is_stable:
            return ()
        return self.game.pending.events[: len(said["verdict"])]

    @property
    def open_need(self) -> FallNeed | DieNeed | None:
        """What was said to be needed."""
        said = self.story.open
        if said is None or said["needs"] is None or self.game.is_stable:
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
        headline = texts.wins(texts.name_of(moment.game.winner, moment.names))
        choices = (Choice(texts.export(), Export()), Choice(texts.home(), GoHome(), "Space"))
        return CardView(Tone.CALM, headline, sentences=(texts.end_hint(),), choices=choices)
    if moment.question is not None:
        return _question(moment, moment.question)
    if story.wrong is not None:
        return CardView(Tone.MAYHEM, texts.wrong_headline(), sentences=(_wrong_sentence(story.wrong),))
    if moment.is_open:
        return _mayhem(moment)
    if not moment.has_begun:
        count = count_left_over(moment.game.setup)
        return CardView(Tone.CALM, texts.before_the_game(), sentences=(texts.lay_left_over(count),))
    return _calm(moment)


def _calm(moment: Moment) -> CardView:
    game = moment.game
    player = texts.name_of(moment.to_play, moment.names)
    choices: tuple[Choice, ...] = ()
    text = texts.place_clicked() if moment.is_clicked else texts.place_watched()
    if moment.held is not None:
        text = texts.place_held(moment.held)
    elif game.setup.variant is Variant.STRATEGY and game.has_placed:
        text = texts.says_ok(player)
        choices = (Choice(texts.ok(), Tell(Reply.OK), "Space"),)
    notice = moment.story.notice
    told = () if notice is None else (texts.with_names(str(notice["text"])),)
    return CardView(Tone.CALM, texts.turn_of(player), sentences=(*told, text), choices=choices)


def _mayhem(moment: Moment) -> CardView:
    """Return the current step in full, and what follows in one line."""
    said, events, need = moment.story.open, moment.open_events, moment.open_need
    assert said is not None  # it is open
    current = events[0] if events else None
    falls = current is None or isinstance(current, (Air, Collapse))
    waits = need if falls and len(events) <= 1 else None
    kind = KIND_OF_EVENT[type(current)] if current else "die" if isinstance(need, DieNeed) else "air"
    headline = window_texts.mayhem_headline(kind)
    if current is None and isinstance(need, FallNeed):
        headline = texts.fall_headline()
    sentences: list[str] = []
    tone = Tone.MAYHEM
    if said["event"] == "missed":
        tone = Tone.MISSED
        sentences.append(texts.missed_since(int(said["since"]), headline))
        headline = texts.missed_headline()
    if current is not None:
        sentences.append(_without_kind(why_sentence(current)))
    elif isinstance(need, FallNeed):
        sentences.append(needs_sentence(need, moment.names))
    if current is not None and (gone := removed_by(current)):
        sentences.append(texts.leaves_as_well(tile_names(gone)))
    if isinstance(waits, FallNeed) and moment.chosen is not None:
        slide = texts.slide_left if moment.chosen is Direction.LEFT else texts.slide_right
        sentences.append(slide(waits.tile.code))
    step = moment.story.steps_done + 1
    more = len(events) > 1 or step > 1
    return CardView(
        tone,
        headline,
        step=texts.step(step) if more else "",
        sentences=tuple(sentences),
        taken=() if current is None else tuple(tile.code for tile in taken_by(current)),
        payment=_payment(moment, current),
        prompt=_prompt(moment, current, waits),
        choices=_mayhem_choices(moment, current, waits),
        hint="" if moment.is_clicked else texts.or_move(),
        later=_later(moment, events, waits),
    )


def _payment(moment: Moment, current: Event | None) -> str:
    if current is None or not (taken := taken_by(current)):
        return ""
    payer = payer_of(current)
    if payer is None:
        return texts.out_of_game()
    stock = moment.game.stocks[payer] + len(taken)
    return texts.under_pile(texts.name_of(payer, moment.names), len(taken), stock)


def _prompt(moment: Moment, current: Event | None, waits: FallNeed | DieNeed | None) -> str:
    if isinstance(waits, DieNeed):
        return texts.which_roll()
    if isinstance(waits, FallNeed) and current is not None and moment.chosen is None:
        return needs_sentence(waits, moment.names)
    return ""


def _mayhem_choices(
    moment: Moment, current: Event | None, waits: FallNeed | DieNeed | None
) -> tuple[Choice, ...]:
    if isinstance(waits, DieNeed) and current is None:
        rolls = tuple(Choice(str(roll), ShowRoll(roll), str(roll)) for roll in range(1, 7))
        return (*rolls, Choice(texts.roll(), ShowRoll(), "Space", is_quiet=True))
    if isinstance(waits, FallNeed):
        return (
            Choice(texts.left(), LetFall(Direction.LEFT), "Left"),
            Choice(texts.right(), LetFall(Direction.RIGHT), "Right"),
        )
    return (Choice(texts.done(), CarryOut(), "Space"),) if moment.is_clicked else ()


def _later(moment: Moment, events: Sequence[Event], waits: FallNeed | DieNeed | None) -> str:
    """Return what follows the current step; after a choice, what may follow."""
    rest = list(events[1:])
    if rest:
        kinds = [KIND_OF_EVENT[type(event)] for event in rest if not isinstance(event, Fall)]
        return texts.then(list(dict.fromkeys(kinds))) if kinds else ""
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
    return texts.then_perhaps(list(dict.fromkeys(kinds))) if kinds else ""


def fallen(game: Game, direction: Direction) -> Game:
    """Return the game after the waiting tile fell, and whatever happens before it waits.

    Raises:
        ChoiceError: No tile waits.
    """
    while game.needs is None:
        game = game.step()
    return game.choose(direction)


def _question(moment: Moment, asked: Asked) -> CardView:
    doubts, sentence = asked
    choices = _answers(moment, doubts, sentence.values)
    knows_place = len({(doubt.row, doubt.slot) for doubt in doubts}) == 1
    is_about_tile = "tile" not in sentence.values and "missing" not in sentence.values
    return CardView(
        Tone.QUESTION,
        window_texts.question_headline(),
        sentences=(texts.with_names(error_sentence(sentence)),),
        choices=choices,
        hint=texts.click_the_tile() if is_about_tile and doubts else "",
        asks_about=(doubts[0].row, doubts[0].slot) if knows_place else None,
    )


def _answers(moment: Moment, doubts: Sequence[Doubt], values: object) -> tuple[Choice, ...]:
    """Return the buttons for a question; which kind it is shows in what its sentence is filled with."""
    keys = set(values) if isinstance(values, dict) else set()
    as_it_lies = Choice(texts.as_it_lies(), Tell(Reply.AS_IT_LIES), "Space")
    put_right = Choice(texts.put_right(), Tell(Reply.MENDED), is_quiet=True)
    if isinstance(values, dict) and "rolls" in values:
        return tuple(
            Choice(str(roll) if roll else texts.nobody_rolled(), ShowRoll(roll), str(roll))
            for roll in values["rolls"]
        )
    if keys & {"tile", "missing", "players"} or not doubts:
        return (as_it_lies, put_right)
    named = [(doubt, code) for doubt in doubts for code in doubt.codes][:MOST_CHOICES]
    if len(named) == 1:
        doubt, code = named[0]
        return (Choice(texts.yes_it_is(code), Tell(Reply.TILE, code, doubt.row, doubt.slot), "Space", code),)
    return tuple(
        Choice(texts.capital(tile_name(code)), Tell(Reply.TILE, code, doubt.row, doubt.slot), key, code)
        for (doubt, code), key in zip(named, ("Left", "Right", "Up", "Down"), strict=False)
    )


def _wrong_sentence(said: Said) -> str:
    """Return what was done wrongly; the drawing shows the rest of what the line says in notation."""
    text = str(said["text"])
    before, found, _after = text.partition(str(said["right"][0]))
    sentence = before.rpartition(". ")[0]
    return texts.with_names(f"{sentence}." if found and sentence else text)


def _without_kind(sentence: str) -> str:
    """Return a sentence such as "Collapse: …" without its first word, which is the headline."""
    return texts.capital(sentence.partition(":")[2].strip()) or sentence
