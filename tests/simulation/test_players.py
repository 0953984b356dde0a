"""What the players press: a button of the card that says what is true, and nothing that is not offered."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from referee.rules.layout import Layout, place_number
from referee.rules.tiles import TILES
from referee.tracking.announcements import Asked
from referee.tracking.inputs import Reply
from referee.tracking.questions import (
    AS_IT_LIES,
    MENDED,
    NO_TILE,
    Answer,
    Question,
    QuestionKind,
    ask_about_table,
    ask_unread,
    or_no_tile,
)
from tests.simulation.play import FLAWLESS, Moment, play_game
from tests.simulation.players import MOST_PRESSES, Players
from ui.viewmodels.game_view import Retile, Tell
from ui.viewmodels.table_view import TileView
from ui.viewmodels.verdict_card import Moment as CardMoment
from ui.viewmodels.verdict_card import make_card

PLAY = play_game(300_001, FLAWLESS, max_turns=8)
AT = next(at for at, moment in enumerate(PLAY.moments) if len(moment.layout) >= 4)
MOMENT = PLAY.moments[AT]
(ROW, SLOT), LIES = next(iter(MOMENT.layout.tiles))
PLACE = place_number(ROW, SLOT)
OTHER = next(tile for tile in TILES.values() if MOMENT.layout.find(tile) is None)


class App:
    """A view model with one question, and a drawing; notes what is done."""

    def __init__(self, question: Question | None, drawn: Layout = MOMENT.layout) -> None:
        self.session = SimpleNamespace(follower=SimpleNamespace(question=question))
        self.drawn, self.done = drawn, []

    def view(self) -> SimpleNamespace:
        moment = CardMoment(MOMENT.game, None, 3, self.session.follower.question)  # type: ignore[arg-type]
        card = make_card(moment) if moment.question is not None else SimpleNamespace(choices=())
        tiles = tuple(TileView(tile.code, row, slot) for (row, slot), tile in self.drawn.tiles)
        return SimpleNamespace(card=card, tiles=tiles)

    def do(self, act: object) -> None:
        self.done.append(act)


def pressed(
    app: App,
    moment: Moment = MOMENT,
    *,
    layout: Layout | None = None,
    times: int = 1,
    is_last: bool = True,
    outlined: dict[tuple[int, int], str] | None = None,
) -> list[object]:
    """Return what the players of an app press that has asked its question about a layout."""
    players = Players(app)  # type: ignore[arg-type]
    question = app.session.follower.question
    if question is not None:
        shown = str(layout or moment.layout)
        players.hear([Asked(turn=1, player=0, layout=shown, stocks=(), time_s=0.0, question=question)])
    for _ in range(times):
        truth = [{"event": "placed", "tile": LIES.code}]
        players.press(0, moment, truth, is_last=is_last, outlined=outlined)
    return app.done


def test_they_name_the_tile_that_lies_there() -> None:
    question = ask_unread(PLACE, [OTHER, LIES])
    (act,) = pressed(App(question))
    assert isinstance(act, Tell)
    assert (act.answer.reply, act.answer.code) == (Reply.TILE, LIES.code)


def test_they_pick_a_tile_that_is_not_among_the_answers_from_all() -> None:
    question = ask_unread(PLACE, [OTHER])
    (act,) = pressed(App(question))
    assert isinstance(act, Tell)
    assert (act.answer.reply, act.answer.code) == (Reply.TILE, LIES.code)


def test_they_say_that_a_table_is_right_only_when_it_is_read_as_it_lies() -> None:
    expected = Layout.from_tiles({**dict(MOMENT.layout.tiles), (ROW, SLOT): OTHER})
    question = ask_about_table(expected, MOMENT.layout)
    assert pressed(App(question)) == [Tell(AS_IT_LIES)]
    misread = App(ask_about_table(MOMENT.layout, expected))
    assert pressed(misread, layout=expected, times=2) == [Tell(MENDED), Tell(AS_IT_LIES)]


@pytest.mark.parametrize("roll", [0, 6])
def test_of_several_rolls_they_press_the_one_that_was_thrown(roll: int) -> None:
    question = Question(
        QuestionKind.WAS_ROLLED,
        answers=(Answer(Reply.ROLL, roll=0), Answer(Reply.ROLL, roll=6), AS_IT_LIES),
    )
    said = [{"event": "step", "step": {"event": "die", "roll": 6}}] if roll else []
    (act,) = pressed(App(question), replace(MOMENT, said=said))
    assert act == Tell(Answer(Reply.ROLL, roll=roll))


def test_they_say_that_a_thing_is_no_tile() -> None:
    seen = Layout.from_tiles({**dict(MOMENT.layout.tiles), (ROW + 5, SLOT): OTHER})
    question = ask_about_table(MOMENT.layout, seen)
    assert pressed(App(question), layout=seen) == [Tell(NO_TILE)]


def test_they_answer_about_the_tile_in_the_outline_and_that_an_empty_one_surrounds_none() -> None:
    question = ask_unread(PLACE, [OTHER, LIES], may_go_on=True)
    (act,) = pressed(App(question), outlined={(ROW, SLOT): OTHER.code})
    assert isinstance(act, Tell)
    assert act.answer.code == OTHER.code
    empty = {(ROW, SLOT): ""}
    assert pressed(App(question), outlined=empty) == [Tell(AS_IT_LIES)]
    assert pressed(App(or_no_tile(question)), outlined=empty) == [Tell(NO_TILE)]


def test_they_put_a_mishap_right_before_they_answer() -> None:
    wrong = Layout.from_tiles({**dict(MOMENT.layout.tiles), (ROW, SLOT): OTHER})
    mishap = replace(MOMENT, what="exchanged", layout=wrong)
    question = ask_about_table(MOMENT.layout, wrong)
    assert pressed(App(question), mishap) == []
    assert pressed(App(question), replace(MOMENT, what="restored"), layout=wrong) == [Tell(MENDED)]


def test_they_correct_a_wrong_name_in_the_drawing_once_the_table_is_at_rest() -> None:
    drawn = Layout.from_tiles({**dict(MOMENT.layout.tiles), (ROW, SLOT): OTHER})
    assert pressed(App(None, drawn), is_last=False) == []
    assert pressed(App(None, drawn)) == [Retile(ROW, SLOT, LIES.code)]
    assert pressed(App(None)) == []
    assert len(pressed(App(None, drawn), times=9)) == MOST_PRESSES
    fewer = MOMENT.layout.without([PLACE])
    assert pressed(App(None, fewer)) == []
