"""Looking back at a game: the way from event to event, and past calls that players have judged again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from referee.rules.game import Voice
from referee.rules.layout import Layout
from referee.rules.resolve import resolve_from
from referee.rules.tiles import TILES, Tile
from referee.rules.verdict import Verdict, common_resolution
from referee.search.hypotheses import Belief
from referee.tracking.follower import Follower
from ui.services.challenges import follower_at
from ui.services.game_session import GameSession
from ui.storage.game_pictures import GamePictures
from ui.storage.game_settings import GameSettings
from ui.text import table as texts
from ui.text.announcements import announcement_sentences
from ui.text.catalogue import say, spoken
from ui.text.rulebook import challenge as challenge_texts
from ui.text.sentences import Names, numbered_steps, tile_name, tile_names
from ui.text.table import name_of
from ui.viewmodels.game_timeline import GameTimeline
from ui.viewmodels.game_view import (
    CardView,
    Challenge,
    ChallengeView,
    Choice,
    GameView,
    LookBack,
    PastView,
    PlayOn,
    Ruling,
    Slot,
    StepView,
    TurnView,
)
from ui.viewmodels.table_acts import corrected, with_other
from ui.viewmodels.table_view import Tone

MOST_WEIGHED = 3
"""So many other tables are told; further ones are less likely than all of them."""


def positions(turns: Sequence[TurnView]) -> list[LookBack]:
    """Return every moment that can be looked at, in order."""
    return [LookBack(at, step) for at, turn in enumerate(turns) for step in range(len(turn.steps))]


def position_of(turns: Sequence[TurnView], past: PastView) -> int:
    """Return which of these moments is looked at."""
    return positions(turns).index(LookBack(past.at, past.step or 0))


def moved(turns: Sequence[TurnView], past: PastView, by: int) -> LookBack:
    """Return the moment so many events later, or earlier for a negative number; at most the ends."""
    every = positions(turns)
    return every[min(max(0, position_of(turns, past) + by), len(every) - 1)]


def past_card(view: GameView) -> CardView:
    """Return the card of a moment that is looked back at."""
    assert view.past is not None  # or there is no such card
    turn, step = view.turns[view.past.at], view.past.step
    shown = turn.steps if step is None else turn.steps[: step + 1]
    at = (view.past.at, step or 0)
    if view.past.challenge is not None:
        call = turn.steps[step or 0].input
        said = [sentence for each in turn.steps if each.input == call for sentence in each.sentences]
        card = challenge_card(view.past.challenge, turn.number, turn.player, said, at)
        return replace(card, topic=view.card.topic)
    choices = [Choice(say(texts.RESUME_LIVE), LookBack(None), "Space")]
    if shown:
        choices.append(Choice(say(challenge_texts.CHALLENGE), Challenge(*at), is_quiet=True))
        choices.append(Choice(say(texts.PLAY_ON), PlayOn(shown[-1].input), is_quiet=True))
    rulings = dict.fromkeys(each.ruling for each in shown if each.ruling)
    return CardView(
        Tone.NOTICE,
        say(texts.LOOK_BACK_AT, turn=turn.number, player=turn.player),
        sentences=(*(sentence for each in shown for sentence in each.sentences), *rulings),
        choices=tuple(choices),
        topic=view.card.topic,
    )


@dataclass(frozen=True, slots=True)
class ChallengedCall:
    """A call while it is judged again."""

    input: int
    """The number of the input that it was said to."""
    beliefs: tuple[Belief, ...]
    """What the table was taken for then."""
    table: Layout
    """The table that is judged now: the one of the call, or what really lay there."""
    was: Tile | None = None
    """The tile that was taken to lie where another one lay."""
    really: Tile | None = None
    """The tile that lay there."""
    verdict: Verdict | None = None
    """What had to be resolved with it."""
    can_name: bool = True
    """Whether players may say what really lay there, without learning what the silent voice keeps back."""


class ChallengeTable:
    """Where players have the calls of one game judged again."""

    def __init__(self, session: GameSession, settings: GameSettings) -> None:
        """Begin with no call challenged."""
        self._session, self._settings = session, settings
        self.call: ChallengedCall | None = None
        """The call that is judged again; None: none."""

    def judge(self, act: Challenge, step: StepView) -> None:
        """Judge a call again.

        Args:
            act: What is challenged, and perhaps what really lay there.
            step: The call.

        Raises:
            ToldError: There is no tile where one is named.
        """
        game = self._session.follower.game
        can_name = game.setup.voice is Voice.ANNOUNCE or game.winner is not None
        then = follower_at(self._settings, self._session.heard, step.input)
        self.call = _judged(act, step, then, can_name=can_name)

    def rule(self, act: Ruling) -> None:
        """Store whether the call was wrong, and put right what still lies there.

        Raises:
            StorageError: It could not be stored; the game must be taken up again.
        """
        call, self.call, session = self.call, None, self._session
        if call is None:
            return
        session.challenge(call.input, is_overturned=act.is_overturned)
        game, lying = session.follower.game, session.correctable
        right = _corrected(call, lying) if act.is_overturned and game.winner is None else None
        if right is not None:
            session.hear(corrected(session, session.last_s, right))

    def view(self, names: Names) -> ChallengeView | None:
        """Return the challenged call in words; None where none is."""
        call = self.call
        return None if call is None else ChallengeView(tuple(_sentences(call, names)), call.can_name)


class PastTurns:
    """The turns of one game as the timeline shows them, and the moment that somebody looks back at."""

    def __init__(self, pictures: GamePictures, challenges: ChallengeTable, names: Names) -> None:
        """Look back at nothing.

        Args:
            pictures: The pictures of the game.
            challenges: Where its calls are judged again.
            names: What the players are called.
        """
        self._pictures, self._challenges, self._names = pictures, challenges, names
        self.looks_at = LookBack(None)
        self._turns: dict[str | None, tuple[TurnView, ...]] = {}

    def forget(self) -> None:
        """Make the turns anew when they are asked for: something was said, or taken back."""
        self._turns = {}

    def leave(self) -> None:
        """Look at the table as it is."""
        self.look_at(LookBack(None))

    def look_at(self, moment: LookBack) -> None:
        """Look at a moment as it was told; no call is judged again."""
        self.looks_at, self._challenges.call = moment, None

    def shown(self, story: GameTimeline) -> tuple[TurnView, ...]:
        """Return all turns, in the language that is spoken.

        Raises:
            StorageError: A picture cannot be read.
        """
        if spoken() not in self._turns:
            self._turns[spoken()] = tuple(self._turn_views(story))
        return self._turns[spoken()]

    def past(self, story: GameTimeline) -> PastView | None:
        """Return what is looked back at; None for nothing, or what is no more.

        Raises:
            StorageError: A picture cannot be read.
        """
        at, step = self.looks_at.at, self.looks_at.step
        if at is None or not 0 <= at < len(self.shown(story)):
            return None
        turn = self.shown(story)[at]
        if step is not None and not 0 <= step < len(turn.steps):
            return None
        # The picture shows the table at the beginning of the turn, or that of the challenged call.
        entry = turn.entry if not step else None
        if self._challenges.call is not None:
            entry = self._pictures.entry(self._challenges.call.input) or entry
        picture = None if entry is None else self._pictures.picture(entry)
        return PastView(at, picture, step, self._challenges.view(self._names))

    def step(self, story: GameTimeline, past: PastView) -> StepView:
        """Return what is shown of a moment."""
        return self.shown(story)[past.at].steps[past.step or 0]

    def table(self, story: GameTimeline, past: PastView) -> Layout:
        """Return the table that is drawn of a moment."""
        call = self._challenges.call
        return Layout.parse(self.step(story, past).layout) if call is None else call.table

    def _turn_views(self, story: GameTimeline) -> Iterator[TurnView]:
        for turn in story.turns:
            entry = self._pictures.entry(turn.input)
            steps = tuple(
                StepView(
                    number,
                    said.layout,
                    said.stocks,
                    tuple(announcement_sentences(said, self._names)),
                    _ruling(story, number),
                )
                for number, said in zip(turn.inputs, turn.said, strict=True)
            )
            yield TurnView(
                turn.number,
                name_of(turn.player, self._names),
                tuple(sentence for step in steps for sentence in step.sentences),
                turn.layout,
                entry,
                None if entry is None else self._pictures.thumbnail(entry),
                turn.was_mayhem,
                steps,
            )


def _ruling(story: GameTimeline, number: int) -> str:
    is_overturned = story.rulings.get(number)
    return "" if is_overturned is None else ruling_sentence(is_overturned=is_overturned)


def _judged(act: Challenge, step: StepView, then: Follower, *, can_name: bool) -> ChallengedCall:
    """Return a call as it is judged again, with the game as it stood right after it."""
    table = Layout.parse(step.layout)
    if act.code is None or not can_name:
        return ChallengedCall(step.input, then.beliefs, table, can_name=can_name)
    row, slot = act.place
    really = with_other(table, row, slot, TILES[act.code])
    state = replace(then.game.state, layout=really, need=None)
    verdict = common_resolution([resolve_from(state, then.game.options)])
    return ChallengedCall(step.input, then.beliefs, really, table.get(row, slot), TILES[act.code], verdict)


def _corrected(call: ChallengedCall, lying: Layout) -> Layout | None:
    """Return the present table with the tile that really lay there; None where the wrong one lies no more."""
    place = next((at for at, tile in lying.tiles if tile is call.was), None)
    if call.really is None or call.really is call.was or place is None:
        return None
    return with_other(lying, *place, call.really)


def challenge_card(view: ChallengeView, turn: int, player: str, shown: Sequence[str], at: Slot) -> CardView:
    """Return the card of a challenged call.

    Args:
        view: What there is to say of it.
        turn: Its number.
        player: Whose turn it was.
        shown: What was said.
        at: Turn and step that are looked at.
    """
    return CardView(
        Tone.QUESTION,
        say(challenge_texts.HEADLINE, turn=turn, player=player),
        sentences=(*shown, *view.sentences),
        choices=(
            Choice(say(challenge_texts.STANDS), Ruling(is_overturned=False), "Space"),
            Choice(say(challenge_texts.WRONG), Ruling(is_overturned=True)),
            Choice(say(challenge_texts.BACK), LookBack(*at), is_quiet=True),
        ),
        hint=say(challenge_texts.NAME_IT) if view.can_name else "",
    )


def ruling_sentence(*, is_overturned: bool) -> str:
    """Return how players ruled on a challenged call."""
    return say(challenge_texts.WAS_OVERTURNED if is_overturned else challenge_texts.STOOD)


def _sentences(call: ChallengedCall, names: Names) -> Iterator[str]:
    if call.verdict is not None and call.really is not None:
        yield say(challenge_texts.WITH_IT, tile=tile_name(call.really))
        yield from numbered_steps(call.verdict, names)
        return
    if not call.beliefs:
        yield say(challenge_texts.NOT_WEIGHED)
        return
    best, *others = call.beliefs
    percent = round(100 * best.chance)
    yield (
        say(challenge_texts.SURE)
        if percent == 100
        else say(challenge_texts.HOW_SURE, percent=min(percent, 99))
    )
    told = [other for other in others if round(100 * other.chance)]
    for other in told[:MOST_WEIGHED]:
        lay = {*best.layout.cells.values()}
        new = [tile for tile in other.layout.cells.values() if tile not in lay]
        percent = round(100 * other.chance)
        if new:
            yield say(challenge_texts.ALSO_TILES, tiles=tile_names(new), percent=percent)
        else:
            yield say(challenge_texts.ALSO_TABLE, layout=str(other.layout), percent=percent)
