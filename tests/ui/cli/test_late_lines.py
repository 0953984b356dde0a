"""Lines that wait until the tiles in them can be read, where nobody answers. Rule 5."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from referee.formats.announcement_json import announcement_to_dict
from referee.rules.events import Collapse
from referee.rules.layout import Layout
from referee.rules.tiles import TILES
from referee.rules.verdict import Verdict
from referee.tracking.announcements import (
    Announcement,
    MayhemMissed,
    Remark,
    Remarked,
    StepWrong,
    TilePlaced,
)
from referee.tracking.state import PATIENCE_S
from tests.referee.tracking.tables import follow, table, told
from ui.cli.commands.watch import _follow_game, _Stop
from ui.cli.late_lines import LateLines

UNSURE = {"B20": "B20 0.6 B10 0.4"}
NOW: dict[str, Any] = {
    "turn": 3,
    "player": 2,
    "layout": "R40 B20/R60",
    "stocks": (14, 14, 14),
    "time_s": 50.0,
}


def tables_told(lines: list[Announcement]) -> list[str]:
    """What each line is, and its table."""
    return [f"{event}: {line.layout}" for event, line in zip(told(lines), lines, strict=True)]


def test_what_was_said_with_another_tile_is_told_with_the_one_that_lies_there() -> None:
    """Later yellow 30 was read as green 30, and twelve lines had had the wrong table (game-hard, warm)."""
    follower, late = follow("R40"), LateLines()
    asked = late.hear(follower.hear(table("R40 B20", 10, **UNSURE)), follower)
    assert told(asked) == ["question B20/B10"]
    seen = [table("R40 B20", 11 + PATIENCE_S, **UNSURE), table("R40 B20/R60", 60, **UNSURE)]
    assert [late.hear(follower.hear(each), follower) for each in seen] == [[], []]
    lines = late.hear(follower.hear(table("R40 B20/R60", 70, B20="B10")), follower)
    assert tables_told(lines) == [
        "notice: R40 B10",
        "placed B10 turn 2 player 1: R40 B10",
        "placed R60 turn 3 player 2: R40 B10/R60",
        "notice: R40 B10/R60",
        "verdict: R40 B10/R60",
    ]
    assert (lines[1].time_s, lines[2].time_s) == (11 + PATIENCE_S, 60)
    assert late.hear(follower.hear(table("R40 B10 Y2/R60 -", 80)), follower) != [], "nothing waits any more"
    assert late.close([], follower) == []


def test_what_is_never_read_is_not_told_as_placed() -> None:
    """At the end of the recording everything else is told as it was said."""
    follower, late = follow("R40"), LateLines()
    follower.hear(table("R40 B20", 10, **UNSURE))
    assert late.hear(follower.hear(table("R40 B20", 11 + PATIENCE_S, **UNSURE)), follower) == []
    assert late.hear(follower.hear(table("R40 B20/R4", 60, **UNSURE)), follower) == []
    assert tables_told(late.close([], follower)) == [
        "notice: R40 B20",
        "placed R4 turn 3 player 2: R40 B20/R4",
    ]
    assert late.close([], follower) == []


def test_a_tile_that_came_off_unread_is_not_told_as_placed() -> None:
    follower, late = follow("R40"), LateLines()
    follower.hear(table("R40 B20", 10, **UNSURE))
    late.hear(follower.hear(table("R40 B20", 11 + PATIENCE_S, **UNSURE)), follower)
    late.hear(follower.hear(table("R40 B20/G60", 50, **UNSURE)), follower)
    lines = late.hear(follower.hear(table("G60", 60)), follower)
    assert told(lines) == ["notice", "placed G60 turn 3 player 2", "fall turn 3 player 2"]


def test_a_tile_that_is_read_in_its_turn_is_told_as_placed_once() -> None:
    follower, late = follow("R40"), LateLines()
    follower.hear(table("R40 B20", 10, **UNSURE))
    late.hear(follower.hear(table("R40 B20", 11 + PATIENCE_S, **UNSURE)), follower)
    assert told(late.hear(follower.hear(table("R40 B20", 60)), follower)) == [
        "notice", "placed B20 turn 2 player 1",
    ]  # fmt: skip


def test_all_parts_of_a_line_have_the_new_name() -> None:
    """Two tiles change places: what stood for the unread one, and what it is."""
    b10, b20, r60 = (TILES[code] for code in ("B10", "B20", "R60"))
    collapse = Collapse(b20, (), (b20, r60), None, Layout.parse("B20"))
    lines: list[Announcement] = [
        MayhemMissed(since=3, verdict=Verdict((collapse,), None, certain=True), payer=None, **NOW),
        StepWrong(right=(Layout.parse("B10 B20"),), put_back=(b10,), move=(b20, r60), **NOW),
    ]
    known = SimpleNamespace(renamed=[], unread={b20}, game=follow("R40").game)
    late = LateLines()
    assert late.hear(lines, known) == []  # type: ignore[arg-type]
    known.renamed.append((b20, b10))
    missed, wrong = late.close([], known)  # type: ignore[arg-type]
    assert isinstance(missed, MayhemMissed)
    assert isinstance(wrong, StepWrong)
    assert missed.verdict.events == (Collapse(b10, (), (b10, r60), None, Layout.parse("B10")),)
    assert (wrong.right, wrong.put_back, wrong.move) == ((Layout.parse("B20 B10"),), (b20,), (b10, r60))
    assert {missed.layout, wrong.layout} == {"R40 B10/R60"}
    assert announcement_to_dict(missed)["layout"] == "R40 B10/R60"


def test_a_name_that_changes_twice_is_the_last_one() -> None:
    b10, b20, g20 = (TILES[code] for code in ("B10", "B20", "G20"))
    known = SimpleNamespace(renamed=[], unread={b20}, game=follow("R40").game)
    late, line = LateLines(), TilePlaced(tile=b20, row=0, slot=1, **NOW)
    late.hear([line], known)  # type: ignore[arg-type]
    known.renamed += [(b20, g20), (g20, b10)]
    late.hear([line], known)  # type: ignore[arg-type]
    placed = late.close([], known)  # type: ignore[arg-type]
    assert [each.tile for each in placed if isinstance(each, TilePlaced)] == [b10, b20]


def test_a_tile_that_nobody_placed_is_only_remarked_upon() -> None:
    """A left-over one, or one that people put there by a correction."""
    known = SimpleNamespace(renamed=[], unread=set(), game=follow("R40").game)
    for place in ((0, 1), (3, 0)):
        line = Remarked(remark=Remark.SET_ASIDE, row=place[0], slot=place[1], **NOW)
        assert LateLines().hear([line], known) == [line]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("is_live", "shown"),
    [
        (False, [["question B20/B10"], [], [], ["notice", "placed R4 turn 3 player 2"]]),
        (True, [["question B20/B10"], ["notice"], ["placed R4 turn 3 player 2"], []]),
    ],
    ids=["recording", "camera"],
)
def test_watch_waits_only_where_nobody_can_answer(is_live: bool, shown: list[list[str]]) -> None:
    """A recording tells at its end what hangs on a tile that was never read; at a table nothing waits."""
    follower = follow("R40")
    session = SimpleNamespace(
        see=follower.hear, close=follower.close, follower=follower, is_over=False, game=1, learned=None
    )
    seen = [
        table("R40 B20", 10, **UNSURE),
        table("R40 B20", 11 + PATIENCE_S, **UNSURE),
        table("R40 B20/R4", 60, **UNSURE),
    ]
    said: list[list[str]] = []
    show: Any = lambda lines: said.append(told(lines))  # noqa: E731
    _follow_game(session, iter(seen), 0, _Stop(), show, is_live=is_live)  # type: ignore[arg-type]
    assert said == shown
