"""Say once that the game is lost, say nothing else, and go on from a table that is surely read. Rule 5."""

from __future__ import annotations

from itertools import combinations

from referee.rules.layout import Layout
from referee.rules.mayhem import find_first
from referee.rules.options import Options
from referee.search.evidence import Evidence
from referee.search.hypotheses import Hypothesis, UnreadTile, fit_hypotheses, is_decided
from referee.search.reconcile import taken_over
from referee.tracking.announcements import Announcement, Remark
from referee.tracking.candidates import decide
from referee.tracking.questions import AS_IT_LIES, Question, QuestionKind
from referee.tracking.state import ShownTable, State

MOST_ODD = 2
"""So many odd tables in a row are told or asked about, each otherwise than the one before; with the next one
the game is lost."""


MOST_CAUSES = 2
"""Where more tiles than this lie against the rules, it is no table of a game."""
MOST_UNREAD = 1
"""So many tiles of a table need not be surely read when the game is found on it."""


def lose(state: State, evidence: Evidence) -> list[Announcement]:
    """Give up what is believed of the tables since the game was certain, and say so."""
    state.settle_at(state.game)
    state.wrong = None
    state.is_lost = True
    state.shown = _shown(state, evidence)
    return state.ask(Question(QuestionKind.LOST, answers=(AS_IT_LIES,)))


def find_again(state: State, evidence: Evidence) -> list[Announcement]:
    """Look for the game on a table: it follows from what was known, or from the table shown before it.

    A table that is well read, and the same twice, is taken as the game as well.
    """
    candidates, _ = fit_hypotheses([Hypothesis(state.game)], evidence, state.game)
    if candidates and is_decided(candidates) and not candidates[0].odd:
        return decide(state, candidates[0], evidence)
    shown = state.shown
    state.shown = _shown(state, evidence)
    if shown is None:
        return []
    if state.shown is not None and state.shown.layout == shown.layout:
        return pick_up(state, state.shown)
    game = taken_over(state.game, shown.layout)
    candidates, _ = fit_hypotheses([Hypothesis(game)], evidence, game)
    if candidates and is_decided(candidates) and not candidates[0].odd:
        return _take(state, shown) + decide(state, candidates[0], evidence)
    return []


def pick_up(state: State, shown: ShownTable) -> list[Announcement]:
    """Go on with a table as it lies, and say what must be resolved on it."""
    return _take(state, shown) + state.announcer.conclude()


def _take(state: State, shown: ShownTable) -> list[Announcement]:
    """Take a table as it lies; what happened before it is not told."""
    announcer = state.announcer
    announcer.table = str(shown.layout)
    announcer.tell(state.since(taken_over(state.game, shown.layout)))
    state.settle_at(state.game)
    game = state.game
    announcer.unread = {
        tile: UnreadTile(game.turn, game.active, others) for tile, others in shown.unread.items()
    }
    return [announcer.remark(Remark.FOUND)]


def _shown(state: State, evidence: Evidence) -> ShownTable | None:
    """Return the table if it was well read, each tile as another one, and if it can be one of a game."""
    if any(not read.likely for read in evidence.cells.values()):
        return None
    found = {place: read.likely[0] for place, read in evidence.cells.items()}
    unread = {read.likely[0]: tuple(read.likely[1:]) for read in evidence.cells.values() if read.sure is None}
    layout = Layout(found)
    is_read = len(unread) <= MOST_UNREAD and len(set(found.values())) == len(found) > 0
    return ShownTable(layout, unread) if is_read and _may_be_a_game(layout, state.setup.options) else None


def _may_be_a_game(layout: Layout, options: Options) -> bool:
    """Whether nothing must be resolved on a table, or nothing but what few of its tiles cause."""
    return any(
        find_first(layout.without(causes), options, None) is None
        for count in range(MOST_CAUSES + 1)
        for causes in combinations(layout.cells, count)
    )
