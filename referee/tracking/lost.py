"""Say once that the game is lost, say nothing else, and go on from a table that is surely read. Rule 5."""

from __future__ import annotations

from referee.rules.layout import Layout
from referee.rules.mayhem import find_first
from referee.rules.options import Options
from referee.search.evidence import Evidence
from referee.search.hypotheses import Hypothesis, fit_hypotheses, is_decided
from referee.search.reconcile import taken_over
from referee.tracking.announcements import Announcement, Remark
from referee.tracking.candidates import decide
from referee.tracking.questions import AS_IT_LIES, Question, QuestionKind
from referee.tracking.state import State

MOST_ODD = 2
"""So many odd tables in a row are told or asked about, each otherwise than the one before; with the next one
the game is lost."""


def lose(state: State, evidence: Evidence) -> list[Announcement]:
    """Give up what is believed of the tables since the game was certain, and say so."""
    state.settle_at(state.game)
    state.wrong = None
    state.is_lost = True
    state.shown = _shown(state, evidence)
    return state.ask(Question(QuestionKind.LOST, answers=(AS_IT_LIES,)))


def find_again(state: State, evidence: Evidence) -> list[Announcement]:
    """Look for the game on a table: it follows from what was known, or from the table shown before it.

    A table that is read the same twice, every tile of it for certain, is taken as the game as well.
    """
    candidates, _ = fit_hypotheses([Hypothesis(state.game)], evidence, state.game)
    if candidates and is_decided(candidates) and not candidates[0].odd:
        return decide(state, candidates[0], evidence)
    shown = state.shown
    state.shown = _shown(state, evidence)
    if shown is not None and state.shown == shown:
        return pick_up(state, shown)
    if shown is not None:
        game = taken_over(state.game, shown)
        candidates, _ = fit_hypotheses([Hypothesis(game)], evidence, game)
        if candidates and is_decided(candidates) and not candidates[0].odd:
            return _take(state, shown) + decide(state, candidates[0], evidence)
    return []


def pick_up(state: State, layout: Layout) -> list[Announcement]:
    """Go on with a table as it lies, and say what must be resolved on it."""
    return _take(state, layout) + state.announcer.conclude()


def _take(state: State, layout: Layout) -> list[Announcement]:
    """Take a table as it lies; what happened before it is not told."""
    state.announcer.table = str(layout)
    state.announcer.unread.clear()
    state.announcer.tell(state.since(taken_over(state.game, layout)))
    state.settle_at(state.game)
    return [state.announcer.remark(Remark.FOUND)]


def _shown(state: State, evidence: Evidence) -> Layout | None:
    """Return the table if every tile was surely read, each as another one, and it can be one of a game."""
    tiles = {place: read.sure for place, read in evidence.cells.items()}
    sure = {place: tile for place, tile in tiles.items() if tile is not None}
    if not sure or len(set(sure.values())) < len(tiles):
        return None
    layout = Layout(sure)
    return layout if _may_be_a_game(layout, state.setup.options) else None


def _may_be_a_game(layout: Layout, options: Options) -> bool:
    """Whether nothing must be resolved on a table, or nothing but what one of its tiles causes."""
    tables = [layout, *(layout.without([place]) for place in layout.cells)]
    return any(find_first(table, options, None) is None for table in tables)
