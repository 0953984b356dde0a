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
from ui.storage.game_settings import GameSettings
from ui.text import table as texts
from ui.text.catalogue import say
from ui.text.rulebook import challenge as challenge_texts
from ui.text.sentences import Names, numbered_steps, tile_name, tile_names
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
