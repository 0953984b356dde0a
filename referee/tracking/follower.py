"""Follow a game from settled tables to what must be said. Rule 5.

The follower holds the game as far as it is certain (`state`), and explains each settled table against it
(`explain_table`): what can have happened by the rules (`move_search`), weighed with the reader's chances
(`evidence`). Where one explanation is clearly the likeliest it is taken. Where more remain they are carried
along (`hypotheses`), and the players are asked (`questions`); the next table may well decide. What the rules
forbid is asked about, never taken (`wrong_tables`). Nothing blocks: a tile that stays unreadable, or a
question that nobody answers, is set aside after `state.PATIENCE_S`. Not so how the game began, and whose turn
it is once it was lost, for every line would hang on a guess; what is seen meanwhile is judged afterwards.

No clock, no input or output: the same inputs in the same order give the same announcements.
"""

from __future__ import annotations

import math
from dataclasses import replace

from referee.rules.game import Game, Setup, Variant, Voice
from referee.rules.options import DEFAULTS, Options
from referee.rules.tiles import Tile
from referee.search.evidence import Evidence
from referee.search.hypotheses import Belief, agreed_tiles, beliefs
from referee.search.observation import Settled
from referee.tracking.announcements import Announcement, Asked, Remark, Remarked
from referee.tracking.answers import hear_answer, hear_correction
from referee.tracking.beginning import begin_beside_things, keep_row
from referee.tracking.game_start import count_left_over
from referee.tracking.inputs import Answered, CheckCalled, Corrected, Input
from referee.tracking.lost import asks_player
from referee.tracking.questions import Question
from referee.tracking.state import PATIENCE_S, State
from referee.tracking.unnamed_colours import explain
from referee.tracking.wrong_tables import without_things


class Follower:
    """Follows one game: `hear` takes what happens and returns what is said."""

    def __init__(
        self,
        players: int = 2,
        options: Options = DEFAULTS,
        variant: Variant = Variant.FAMILY,
        voice: Voice = Voice.ANNOUNCE,
    ) -> None:
        """Begin before the first settled table.

        Raises:
            ChoiceError: Not 2 to 6 players.
        """
        self._state = State(Setup(players, variant, voice, options))

    @property
    def game(self) -> Game:
        """The game as far as it is certain."""
        return self._state.game

    @property
    def is_waiting(self) -> bool:
        """Whether something is hidden or in doubt, so that the same table is worth hearing again later."""
        state = self._state
        return state.open_since is not None or state.hidden_since is not None or state.is_lost

    @property
    def is_lost(self) -> bool:
        """Whether nobody knows how the game stands; `game` is what was known last, `table` what lies."""
        return self._state.is_lost

    @property
    def has_begun(self) -> bool:
        """Whether the left-over tiles are known."""
        return self._state.has_begun

    @property
    def left_over(self) -> int:
        """How many tiles nobody gets: so many lie on the table before the first one is placed. Rule 5."""
        return count_left_over(self._state.setup)

    @property
    def question(self) -> Question | None:
        """The question that is open; its places are those of `table`."""
        return self._state.question

    @property
    def lying(self) -> tuple[Tile, ...]:
        """The tiles that lie there, as the likeliest explanation has it; but one alone may be a thing."""
        undecided = self._state.undecided
        likely = self.game.layout if undecided is None else undecided.candidates[0].layout
        return tuple((likely if len(likely.cells) > 1 else self.game.layout).cells.values())

    @property
    def certain_tiles(self) -> dict[tuple[int, int], Tile]:
        """The tiles on the table that are known for certain, by row and slot.

        While something is in doubt, hidden, wrong or read otherwise, those that people have named; never one
        that was set aside.
        """
        state = self._state
        is_open = self.is_waiting or state.question is not None or state.odd_table is not None
        if is_open or state.odd or not state.has_begun:
            return dict(state.named)
        return self._known(dict(state.game.layout.tiles))

    @property
    def agreed_tiles(self) -> dict[tuple[int, int], Tile]:
        """The tiles on the last table that all its explanations have there, by row and slot.

        Only once people have not said for a while what else is in doubt about a clear table, and unless the
        rules forbid it. Mostly they do, or the next table tells, within seconds.
        """
        state = self._state
        is_odd = state.odd_table is not None or state.hidden_since is not None
        is_due = state.undecided is not None and state.is_late(state.open_since, PATIENCE_S / 2)
        if not is_due or is_odd or not state.weighed:
            return {}
        return self._known(agreed_tiles(state.weighed))

    def _known(self, tiles: dict[tuple[int, int], Tile]) -> dict[tuple[int, int], Tile]:
        """Return those of some tiles that stand for no other one that cannot be read."""
        unknown = {*self._state.announcer.unread, *self._state.stand_ins}
        return {place: tile for place, tile in tiles.items() if tile not in unknown}

    @property
    def told_tiles(self) -> frozenset[Tile]:
        """The tiles that people have named, while something else is in doubt."""
        return frozenset(self._state.told)

    @property
    def unread(self) -> frozenset[Tile]:
        """The tiles of the game that were set aside: others may lie in their places."""
        return frozenset(self._state.announcer.unread)

    @property
    def renamed(self) -> list[tuple[Tile, Tile]]:
        """Which tile stood for one that was set aside, and which one has stood for it since; in order."""
        return self._state.announcer.renamed

    @property
    def judged(self) -> Settled | None:
        """The last settled table that was judged, as it was seen but for what people said is no tile."""
        return self._state.last

    @property
    def table(self) -> str:
        """The settled table in canonical form; not the game's where something is in doubt or wrong."""
        return self._state.announcer.table

    @property
    def beliefs(self) -> tuple[Belief, ...]:
        """What the last settled table was taken for, likeliest first; empty where no play led to it."""
        return beliefs(self._state.weighed)

    def hear(self, heard: Input) -> list[Announcement]:
        """Return what must be said about an input, in order.

        Raises:
            ChoiceError: A correction whose tiles do not add up to 45, or that has one in two places.
        """
        state, announcer = self._state, self._state.announcer
        announcer.time_s = heard.time_s
        match heard:
            case Settled():
                lines = _hear_settled(state, heard)
            case CheckCalled() if state.is_lost or asks_player(state):
                assert state.question is not None
                return [Asked(question=state.question, **announcer.now())]
            case CheckCalled():
                return announcer.check(None if state.wrong is None else state.wrong.announced)
            case Answered():
                lines = hear_answer(state, heard)
            case Corrected():
                lines = hear_correction(state, heard)
            case _:
                lines = [Remarked(remark=Remark.OUTSIDE, text=heard.text, **announcer.now())]
        return announcer.speak(lines)

    def close(self) -> list[Announcement]:
        """Return what was kept back, when nothing more will be heard."""
        return self._state.announcer.release()


def _hear_settled(state: State, settled: Settled) -> list[Announcement]:
    """Explain a settled table, unless something lies over it."""
    lines: list[Announcement] = []
    state.hidden_tables += settled.hidden
    if settled.left_out and not state.has_begun:
        begin_beside_things(state, Evidence.of(replace(settled, tiles=()) if settled.hidden else settled))
    if settled.hidden and not state.has_begun:
        keep_row(state, settled)
    if not settled.hidden:
        state.hidden_since = None
    elif state.hidden_since is None:
        state.hidden_since = settled.time_s
        return []
    elif not state.is_late(state.hidden_since):
        return []
    elif state.hidden_since > -math.inf:
        state.hidden_since = -math.inf  # said once
        lines.append(state.announcer.remark(Remark.COVERED))
    if state.game.winner is not None:
        return lines
    before = state.last
    state.last = settled = without_things(state, settled)
    if before is not None and not settled.hidden and not state.is_lost:
        # From a table that people were asked about one goes as they put it right.
        may_go = state.odd_table is not None
        state.has_shrunk |= len(settled.tiles) + may_go < len(before.tiles)
    state.named.clear()
    state.announcer.table = str(Evidence.of(settled).best_layout(state.game.layout, stand_ins=True))
    lines += explain(state, settled)
    state.hidden_tables = 0
    return lines
