"""Say once that the game is lost, say nothing else, and go on from a table that is surely read. Rule 5."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

from referee.rules.layout import Layout
from referee.rules.mayhem import find_first
from referee.rules.tiles import ALL_TILES, Tile
from referee.search.evidence import Evidence
from referee.search.hypotheses import Hypothesis, UnreadTile, fit_hypotheses, is_decided
from referee.search.reconcile import taken_over, with_missed
from referee.tracking.announcements import Announcement, Remark
from referee.tracking.candidates import decide
from referee.tracking.questions import AS_IT_LIES, Question, QuestionKind, ask_player
from referee.tracking.state import ShownTable, State

MOST_ODD = 2
"""So many odd tables in a row are told or asked about, each otherwise than the others; with the next one the
game is lost."""


MOST_CAUSES = 3
"""Where more tiles than this lie against the rules, it is no table of a game: so are 5 % of 2,517 simulated
tables, and 38 % of 723 in disorder."""
MOST_UNREAD = 1
"""So many tiles need not be surely read, on the tables taken together, when the game is found on them."""


def lose(state: State, evidence: Evidence) -> list[Announcement]:
    """Give up what is believed of the tables since the game was certain, and say so."""
    has_shrunk = state.has_shrunk
    state.settle_at(state.game)
    state.has_shrunk = has_shrunk
    state.is_lost = True
    state.shown = _shown(evidence, state.game.out)
    return state.ask(Question(QuestionKind.LOST, answers=(AS_IT_LIES,)))


def find_again(state: State, evidence: Evidence) -> list[Announcement]:
    """Look for the game on a table: it follows from what was known, or from the table shown before it.

    A table that is well read, and the same twice, is taken as the game as well.
    """
    if not evidence.cells:
        return []  # it tells nothing of how the game stands
    if state.game.layout.cells:
        candidates, _ = fit_hypotheses([Hypothesis(state.game)], evidence, state.game)
        if candidates and is_decided(candidates) and not candidates[0].odd:
            return decide(state, candidates[0], evidence)
    shown, state.shown = state.shown, _shown(evidence, state.game.out)
    if shown is None:
        return []
    both = None if state.shown is None else _agreeing(shown, state.shown)
    if both is not None:
        return pick_up(state, both) if _may_be_game(state, both) else []
    if not _may_be_game(state, shown):
        return []
    game = taken_over(state.game, shown.layout)
    candidates, _ = fit_hypotheses([Hypothesis(game)], evidence, game)
    if candidates and is_decided(candidates) and not candidates[0].odd:
        if not _may_have_gone(state, shown.layout):
            return _take(state, shown) + decide(state, candidates[0], evidence)
        lines = pick_up(state, shown)
        state.judge_later()
        return lines
    return []


def pick_up(state: State, shown: ShownTable) -> list[Announcement]:
    """Go on with a table as it lies, and say what must be resolved on it.

    Where known tiles have gone, others may have come and gone in turns that nobody saw: of 93 such games 46
    stood at another turn than could be reckoned, and of 41 others 4. So it is asked first whose turn it is.
    """
    has_gone = _may_have_gone(state, shown.layout)
    lines = _take(state, shown)
    return lines + (ask_turn(state) if has_gone else state.announcer.conclude())


def ask_turn(state: State) -> list[Announcement]:
    """Ask who placed the last tile: on the table that was taken over, known tiles have gone."""
    state.unjudged.clear()
    state.stay_open()
    return state.ask(ask_player(state.setup.players))


def asks_player(state: State) -> bool:
    """Return whether it is asked whose turn it is; nothing else is said before that is known."""
    return state.question is not None and state.question.kind is QuestionKind.PLACED_LAST


def hear_player(state: State, player: int) -> list[Announcement]:
    """Somebody says who placed the last tile. No fewer turns were played than can be reckoned.

    What waited before that tile came was missed: it was told as the last player's (231667, film 426048).
    """
    game = state.game
    before = game.undo()
    ahead = (player - game.active) % state.setup.players
    lines: list[Announcement] = []
    if ahead:
        corrected = game.correct(game.layout, turn=game.turn + ahead)
        lines = state.announcer.tell(state.since(corrected), range(2))
    state.settle_at(with_missed(before, state.game))
    return lines + state.announcer.missed() + state.announcer.conclude()


def _may_have_gone(state: State, layout: Layout) -> bool:
    """Return whether tiles have gone: known ones, or others before the game was lost, or none ever was known.

    Of what nobody had named nothing was known but a left-over tile, three had gone, and each turn was told as
    the one three turns before it (films 426435 and 426964, unanswered).
    """
    return not state.game.layout.cells or state.has_shrunk or bool(state.gone_from(layout))


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


def _shown(evidence: Evidence, out: Collection[Tile]) -> ShownTable | None:
    """Return the table if something was read of each tile, and each may be another one.

    Args:
        evidence: The table.
        out: Tiles that left the game: a tile that may be another one is rather that.
    """
    read: dict[int, Sequence[Tile]] = {}
    for place, each in evidence.cells.items():
        likely = sorted(each.likely, key=lambda tile: tile in out)
        first, others = likely[:1], likely[1:]
        if first and not (others or each.is_surely(first[0])):
            others = [tile for tile in ALL_TILES if tile is not first[0]]
        read[place] = first if first and each.is_surely(first[0]) else [*first, *others]
    return _named(read)


def _named(read: Mapping[int, Sequence[Tile]]) -> ShownTable | None:
    """Return a table on which each tile lies once, those that are surely read first; None if there is none.

    Args:
        read: What the tile at each place number may be, likeliest first.
    """
    found: dict[int, Tile] = {}
    unread: dict[Tile, tuple[Tile, ...]] = {}
    for place in sorted(read, key=lambda place: len(read[place]) > 1):
        free = [tile for tile in read[place] if tile not in found.values()]
        if not free:
            return None
        found[place] = free[0]
        if len(free) > 1:
            unread[free[0]] = tuple(free[1:])
    return ShownTable(Layout(dict(sorted(found.items()))), unread) if found else None


def _agreeing(one: ShownTable, other: ShownTable) -> ShownTable | None:
    """Return what two tables may both be, with the doubts that they share; None where they differ."""
    if one.layout.cells.keys() != other.layout.cells.keys():
        return None

    def may_be(shown: ShownTable, place: int) -> tuple[Tile, ...]:
        tile = shown.layout.cells[place]
        return tile, *shown.unread.get(tile, ())

    return _named(
        {
            place: [tile for tile in may_be(other, place) if tile in may_be(one, place)]
            for place in other.layout.cells
        }
    )


def _may_be_game(state: State, shown: ShownTable) -> bool:
    """Whether a table is read well enough to be the game, some of it surely, and can be one of a game.

    Nothing must be resolved on it, or nothing but what few of its tiles cause; and no tile lies apart: that
    was a telephone that passed for a millstone (film 411179).
    """
    layout = shown.layout
    lies_apart = len(layout.cells) > 1 and not all(map(layout.touching, layout.cells))
    if lies_apart or len(shown.unread) == len(layout.cells):
        return False
    options = state.setup.options
    return len(shown.unread) <= MOST_UNREAD and any(
        find_first(shown.layout.without(causes), options, None) is None
        for count in range(MOST_CAUSES + 1)
        for causes in combinations(shown.layout.cells, count)
    )
