"""Which colour tiles have that look alike is asked once, and before single tiles are asked about. Rule 5."""

from __future__ import annotations

from dataclasses import replace

from referee.rules.game import Setup
from referee.rules.tiles import Colour
from referee.search.observation import ObservedGroup, Settled
from referee.tracking.announcements import Asked, Remark
from referee.tracking.follower import Follower
from referee.tracking.inputs import Answered, Reply
from referee.tracking.questions import QuestionKind
from referee.tracking.state import PATIENCE_S
from tests.referee.tracking.tables import in_doubt, kind_of, table

ROW = "Y40 R40 Y60"
"""Three left-over tiles, of which two may be yellow or red."""


def asked_colour() -> Follower:
    """A follower that asks for a colour."""
    follower = Follower(6)
    (asked,) = follower.hear(in_doubt(ROW))
    assert isinstance(asked, Asked)
    assert kind_of(asked) == (QuestionKind.WHICH_COLOUR, "")
    return follower


def tell(follower: Follower, colour: Colour | None) -> list[object]:
    reply = Reply.AS_IT_LIES if colour is None else Reply.COLOUR
    return list(follower.hear(Answered(1.0, reply, colour=colour)))


def row_of(follower: Follower) -> str:
    return str(follower.game.layout)


def test_the_colour_counts_for_all_tiles_of_the_group() -> None:
    follower = asked_colour()
    (begins,) = tell(follower, Colour.YELLOW)
    assert begins.remark is Remark.BEGINS
    assert row_of(follower) == ROW
    assert follower.question is None


def test_an_unlikely_colour_is_believed() -> None:
    follower = asked_colour()
    tell(follower, Colour.BLUE)
    assert row_of(follower) == "B40 R40 B60"


def test_who_does_not_know_the_colour_is_asked_tile_by_tile() -> None:
    follower = asked_colour()
    (asked,) = tell(follower, None)
    assert kind_of(asked) == (QuestionKind.WHICH_TILE, "Y40 R40")


def test_the_same_table_is_not_asked_about_twice() -> None:
    follower = asked_colour()
    assert follower.hear(in_doubt(ROW, 2.0)) == []
    doubtful = table(ROW, 3.0, Y40="Y40 0.5 R40 0.4", R40="R40 0.6 R10 0.3", Y60="Y60 0.6 R60 0.3")
    doubtful = replace(doubtful, groups=in_doubt(ROW).groups)
    follower.hear(doubtful)
    tell(follower, Colour.YELLOW)
    again = follower.hear(replace(doubtful, time_s=4.0))
    assert all(kind_of(each)[0] is not QuestionKind.WHICH_COLOUR for each in again)
    assert follower.question is not None
    assert follower.question.kind is QuestionKind.WHICH_TILE


def test_nobody_need_answer() -> None:
    follower = asked_colour()
    said = follower.hear(in_doubt(ROW, PATIENCE_S + 1))
    assert follower.has_begun
    assert said


def test_a_colour_that_was_not_asked_changes_nothing() -> None:
    follower = Follower(6)
    follower.hear(table(ROW))
    assert tell(follower, Colour.RED) == []
    assert row_of(follower) == ROW


def test_tiles_that_are_known_already_are_not_asked_about() -> None:
    follower = Follower(6)
    follower.hear(table(ROW))
    assert follower.hear(in_doubt(ROW, 5.0)) == []
    assert follower.question is None


def test_the_group_that_tells_most_comes_first() -> None:
    yellow = in_doubt("Y40 Y60 Y100 Y20 Y30", 0.0)
    pair, rest = yellow.groups[0].places[:2], yellow.groups[0].places[2:]
    likely = ((Colour.YELLOW, 0.6), (Colour.RED, 0.4))
    settled = replace(yellow, groups=(ObservedGroup(pair, likely), ObservedGroup(rest, likely)))
    follower = Follower(5)
    assert Setup(5)  # no tile is left over, so the first tiles are placed
    follower.hear(settled)
    assert follower.question is not None
    assert [(place.row, place.slot) for place in follower.question.places] == list(rest)


def test_a_group_of_tiles_that_are_not_there_is_none() -> None:
    gone: Settled = replace(table(ROW), groups=(ObservedGroup(((0, 7), (0, 8)), ((Colour.RED, 0.5),)),))
    follower = Follower(6)
    follower.hear(gone)
    assert row_of(follower) == ROW


def test_a_weight_that_a_colour_does_not_have_stays_open() -> None:
    settled = in_doubt("Y1 Y40 Y60")
    follower = Follower(6)
    follower.hear(
        replace(settled, tiles=(replace(settled.tiles[0], codes=(("Y1", 0.9),)), *settled.tiles[1:]))
    )
    tell(follower, Colour.RED)
    assert not follower.has_begun


def test_doubt_about_the_weight_stays_once_the_colour_is_told() -> None:
    settled = in_doubt(ROW)
    vague = replace(settled.tiles[0], codes=(("R60", 0.5), ("Y40", 0.3), ("R40", 0.15), ("M200", 0.05)))
    follower = Follower(6)
    follower.hear(replace(settled, tiles=(vague, settled.tiles[1], replace(settled.tiles[2], sure=False))))
    (asked,) = tell(follower, Colour.YELLOW)
    assert kind_of(asked) == (QuestionKind.WHICH_TILE, "Y60 Y40")


def test_the_places_of_a_group_are_counted_from_the_leftmost_tile() -> None:
    settled = in_doubt(ROW)
    (group,) = settled.groups
    moved = replace(
        settled,
        tiles=tuple(replace(tile, slot=tile.slot + 3) for tile in settled.tiles),
        groups=(replace(group, places=tuple((row, slot + 3) for row, slot in group.places)),),
    )
    follower = Follower(6)
    (asked,) = follower.hear(moved)
    assert isinstance(asked, Asked)
    assert [(place.row, place.slot) for place in asked.question.places] == [(0, 0), (0, 2)]


def test_of_two_groups_the_one_whose_colour_is_less_sure_comes_first() -> None:
    yellow = in_doubt("Y40 Y60 Y100 Y20")
    pair, rest = yellow.groups[0].places[:2], yellow.groups[0].places[2:]
    groups = (
        ObservedGroup(pair, ((Colour.YELLOW, 0.9), (Colour.RED, 0.1))),
        ObservedGroup(rest, ((Colour.YELLOW, 0.55), (Colour.RED, 0.3), (Colour.BLUE, 0.15))),
    )
    follower = Follower(5)
    follower.hear(replace(yellow, groups=groups))
    assert follower.question is not None
    assert [(place.row, place.slot) for place in follower.question.places] == list(rest)


def test_one_new_tile_of_a_group_is_asked_about_by_itself() -> None:
    follower = Follower(3)
    follower.hear(table("Y40"))
    follower.hear(table("Y40 R40", 5.0))
    (asked,) = follower.hear(in_doubt("Y40 R40/Y60", 9.0))
    assert kind_of(asked)[0] is QuestionKind.WHICH_TILE


def test_new_tiles_that_are_surely_read_are_not_asked_about() -> None:
    follower = Follower(6)
    (begins,) = follower.hear(replace(table(ROW), groups=in_doubt(ROW).groups))
    assert begins.remark is Remark.BEGINS


def test_tiles_that_are_not_there_are_no_group_to_ask_about() -> None:
    gone = ObservedGroup(((0, 7), (0, 8)), ((Colour.RED, 0.5), (Colour.BLUE, 0.5)))
    follower = Follower(6)
    (asked,) = follower.hear(replace(in_doubt(ROW), groups=(gone,)))
    assert kind_of(asked)[0] is QuestionKind.WHICH_TILE


def test_what_was_said_of_colours_holds_until_something_is_certain() -> None:
    follower = asked_colour()
    tell(follower, Colour.YELLOW)
    follower.hear(table(f"{ROW}/B2 -", 5.0))
    assert not follower._state.colours


def test_a_tile_that_was_set_aside_is_told_apart_from_those_that_are_certain() -> None:
    follower = Follower(3)
    follower.hear(table("R40"))
    doubt = "B20 0.6 B10 0.39"
    follower.hear(table("R40 B20", 30.0, B20=doubt))
    assert follower.unread == frozenset()
    follower.hear(table("R40 B20", 31.0 + PATIENCE_S, B20=doubt))
    assert {tile.code for tile in follower.unread} == {"B20"}


def test_a_question_stays_while_the_tiles_are_in_doubt_though_their_group_is_not() -> None:
    """Two questions took turns from look to look (game-hard, opposite)."""
    follower = asked_colour()
    question = follower.question
    assert follower.hear(replace(in_doubt(ROW, 1.0), groups=())) == []
    assert follower.question == question
    assert follower.hear(table(ROW, 2.0, Y40="Y40 0.6 R40 0.39")) == []
    assert follower.question == question
    tell(follower, Colour.YELLOW)
    assert follower.has_begun, "what was said counts though nobody sees the group"


ASKED = "R40 Y30/Y60"
"""A left-over tile, and two that were placed, which may be yellow or red."""


def asked_of_two(*later: Settled) -> Follower:
    """A follower that asks for the colour of two tiles, and sees a tile come to their left."""
    follower = Follower(3)
    follower.hear(table("R40"))
    (asked,) = follower.hear(in_doubt(ASKED, 5.0))
    assert kind_of(asked)[0] is QuestionKind.WHICH_COLOUR
    for settled in later:
        assert follower.hear(settled) == []
    return follower


def asked_places(follower: Follower) -> list[tuple[int, int]]:
    assert follower.question is not None
    assert follower.question.kind is QuestionKind.WHICH_COLOUR
    return [(place.row, place.slot) for place in follower.question.places]


def test_the_same_tiles_are_not_asked_about_anew_where_another_lies_to_their_left() -> None:
    """They had other places then, and were asked about on each table (game-hard, seen from another seat)."""
    shifted = in_doubt("B20 R40 Y30/- Y60", 9.0)
    follower = asked_of_two(shifted, replace(shifted, time_s=10.0, groups=()))
    assert asked_places(follower) == [(0, 2), (1, 1)]
    (asked,) = tell(follower, Colour.YELLOW)
    assert kind_of(asked) == (QuestionKind.TAKE_OFF, "Y30 Y60"), "they are named now"


def test_the_colour_of_tiles_of_which_one_was_asked_about_is_not_asked_as_well() -> None:
    follower = Follower(3)
    follower.hear(table("R40"))
    (asked,) = follower.hear(in_doubt("R40 Y30", 3.0))
    assert kind_of(asked) == (QuestionKind.WHICH_TILE, "Y30 R30")
    assert follower.hear(in_doubt(ASKED, 5.0)) == []
    assert follower.hear(in_doubt("B20 R40 Y30/- Y60", 9.0)) == []
    follower.hear(Answered(10.0, Reply.TILE, "Y30", 0, 2))
    follower.hear(table("B20 R40 Y30/- Y60", 11.0))
    assert str(follower.game.layout) == "B20 R40 Y30/- Y60"


def test_one_tile_of_them_is_not_asked_about_by_itself() -> None:
    one_read = table("B20 R40 Y30/- Y60", 9.0, Y30="Y30 0.6 R30 0.39")
    assert asked_places(asked_of_two(one_read)) == [(0, 2), (1, 1)]


def test_where_none_of_them_lies_any_more_another_is_asked_about() -> None:
    follower = asked_of_two()
    follower.hear(Settled(9.0, ()))
    follower.hear(table("R40 B20", 12.0, B20="B20 0.6 B10 0.39"))
    assert follower.question is not None
    assert follower.question.kind is not QuestionKind.WHICH_COLOUR
