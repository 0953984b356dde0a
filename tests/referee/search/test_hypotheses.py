"""Ways in which a game may stand: weighed and compared. Rule 5."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from referee.rules.events import Direction
from referee.rules.game import Action, Choose, Game, Place, Roll, Setup, Step, start_game
from referee.rules.options import FireDie, Options
from referee.rules.tiles import CODES, TILES, Tile
from referee.search.evidence import MAX_DOUBT, Evidence
from referee.search.hypotheses import (
    MARGIN,
    MAX_HYPOTHESES,
    Candidate,
    Hypothesis,
    answered,
    beliefs,
    close_ones,
    first_open,
    fit_hypotheses,
    is_decided,
    is_open,
    is_unannounced,
    others_there,
    roll_of,
    told_roll,
)
from tests.referee.tracking.tables import table

DIE = Setup(3, options=Options(fire_die=FireDie.NEWER))
BASE = ("R40 0 0", "B20 0 1")


def action(text: str) -> Action:
    """`B20 0 1` places, `roll 4` rolls, `left` chooses, `step` steps."""
    words = text.split()
    if words == ["left"]:
        return Choose(Direction.LEFT)
    if words[0] == "roll":
        return Roll(int(words[1]))
    return Step() if words == ["step"] else Place(TILES[words[0]], int(words[1]), int(words[2]))


def play(*actions: str, game: Game | None = None, setup: Setup | None = None) -> Game:
    game = game or start_game(setup or Setup(3))
    for text in actions:
        game = game.play(action(text))
    return game


def candidate(*tail: str, start: Game, score: float = 0.0, **doubts: float) -> Candidate:
    """What was played since a game; `doubts` gives the odds that a placed tile is another one."""
    actions = tuple(map(action, tail))
    placed = [each.tile for each in actions if isinstance(each, Place)]
    memory = {tile: (0.0, doubts.get(tile.code, 0.0)) for tile in placed}
    return Candidate(Hypothesis(play(*tail, game=start), 0.0, memory), score, (), actions)


def evidence(text: str, **unlike: str) -> Evidence:
    return Evidence.of(table(text, **unlike))


START = play(*BASE)


@pytest.mark.parametrize(
    ("texts", "passes"),
    [
        ([], True),
        (["R40 B20 Y2/R4 -"], True),
        (["R40 B20/R4", "R40 B20 Y2/R4 -"], True),
        (["R40 B20", "R40 B20/R4", "R40 B20 Y2/R4 -"], True),
        (["R40 B20", "R40 B20"], True),
        (["R40 B20 Y2/R4 -", "R40 B20/R4"], False),
        (["R40 B20 G2"], False),
        # This one lay there before the game was certain.
        (["R40"], False),
    ],
)
def test_a_way_leads_over_the_tables_seen_in_their_order(texts, passes):
    found = candidate("R4 1 0", "Y2 0 2", start=START)
    tables = [(evidence(text), -1.0) for text in texts]
    assert (found.passed(tables, START) is not None) is passes
    assert len(tables) == len(texts)


def test_a_way_leads_over_a_table_that_fits_well_enough():
    found = candidate("R4 1 0", start=START)
    seen = evidence("R40 B20/R4", R4="R4 0.5 R2 0.4")
    fit = seen.fit(found.layout)
    assert fit is not None
    assert found.passed([(seen, fit.log_chance)], START) == [found.hypothesis.game]
    assert found.passed([(seen, fit.log_chance + 0.001)], START) is None


def test_before_the_first_table_of_a_game_there_is_none():
    start = start_game(Setup(3))
    assert candidate("R40 0 0", start=start).passed([(evidence("B20"), -1.0)], start) is None


def test_the_events_of_an_action_are_what_it_alone_brought_about():
    found = candidate("G60 1 0", "step", "left", "Y2 0 1", start=play(*BASE))
    assert [type(event).__name__ for event in found.events_of(1)] == ["Collapse"]
    assert [type(event).__name__ for event in found.events_of(2)] == ["Fall"]
    assert [found.events_of(at) for at in (0, 3, 4)] == [(), (), ()]
    two = candidate("B7 1 0", "step", "roll 4", start=play(*BASE, setup=DIE))
    assert [type(event).__name__ for event in two.events_of(2)] == ["Die", "Fire"]


def test_what_is_in_doubt_is_added_up():
    found = candidate("R4 1 0", "Y2 0 2", start=START, R4=0.01, Y2=0.02)
    assert found.doubt == pytest.approx(0.03)
    assert [tile.code for tile in found.placed] == ["R4", "Y2"]


@pytest.mark.parametrize(("doubt", "is_doubtful"), [(MAX_DOUBT, False), (MAX_DOUBT + 0.001, True)])
def test_from_some_doubt_on_a_tile_is_doubtful(doubt, is_doubtful):
    assert MAX_DOUBT == 0.01
    found = candidate("G60 1 0", "step", start=START, G60=doubt)
    assert found.is_doubtful(found.tail[0]) is is_doubtful
    assert not found.is_doubtful(found.tail[1])
    assert is_decided([found]) is not is_doubtful


@pytest.mark.parametrize(("others", "decided"), [([0.008], True), ([0.012], False), ([0.008, 0.008], False)])
def test_all_others_together_put_the_likeliest_in_doubt(others, decided):
    best = candidate("R4 1 0", start=START, score=-3.0)
    rest = [candidate("R6 1 0", start=START, score=-3.0 + math.log(odds)) for odds in others]
    assert is_decided([best, *rest]) is decided
    doubtful = candidate("R4 1 0", start=START, score=-3.0, R4=0.005)
    assert is_decided([doubtful, *rest[:1]]) is False


def test_a_belief_is_the_share_of_all_explanations_of_a_table():
    one = candidate("R4 1 0", start=START, score=-2.0, R4=0.5)
    again = candidate("R4 1 0", start=START, score=-2.0 + math.log(0.5))
    other = candidate("R6 1 0", start=START, score=-2.0 + math.log(3.0))
    found = beliefs([one, other, again])
    assert [belief.layout for belief in found] == [other.layout, one.layout]
    assert [belief.chance for belief in found] == pytest.approx([3 / 5, 1.5 / 5])
    assert beliefs([]) == ()


def test_what_is_less_likely_by_more_than_a_margin_is_dropped():
    assert math.log(1 / MAX_DOUBT) + 2 == MARGIN
    scores = (0.0, -MARGIN, -MARGIN - 0.001)
    found = [candidate("R4 1 0", start=START, score=score) for score in scores]
    assert close_ones(found) == found[:2]
    many = [candidate("R4 1 0", start=START, score=-0.01 * at) for at in range(MAX_HYPOTHESES + 2)]
    assert close_ones(many) == many[:MAX_HYPOTHESES]
    assert MAX_HYPOTHESES >= 44  # of a covered tile nothing is known


def test_of_too_many_explanations_those_are_kept_that_do_something_else():
    """The first of five tiles that could not be read seemed certain (film 423731, unanswered)."""
    codes = [code for code in CODES if code not in ("R4", "R6", "R40", "B20")]
    alike = [
        candidate("R4 1 0", f"{code} 0 2", start=START, score=-0.01 * at) for at, code in enumerate(codes)
    ]
    many = [*alike, *(replace(each, score=each.score - 0.5) for each in alike)]
    other = candidate("R6 1 0", "Y2 0 2", start=START, score=-1.5)
    assert len(alike) < MAX_HYPOTHESES < len(many)
    kept = close_ones([*many, other])
    assert kept == [*many[: MAX_HYPOTHESES - 1], other]
    assert first_open(kept) == 0


def test_the_first_action_that_is_not_shared_is_open():
    best = candidate("R4 1 0", "Y2 0 2", "Y4 1 1", start=START)
    assert first_open([best]) == 3
    assert first_open([best, candidate("R4 1 0", "Y2 0 2", "Y6 1 1", start=START)]) == 2
    assert first_open([best, candidate("R4 1 0", start=START)]) == 1
    assert first_open([best, best, candidate("R6 1 0", "Y2 0 2", "Y4 1 1", start=START)]) == 0
    assert first_open([candidate("R4 1 0", "Y2 0 2", start=START, Y2=0.1)]) == 1
    assert not is_open([best, best], 1)


def test_what_an_action_brought_about_is_certain_where_all_say_the_same():
    fell = candidate("G60 1 0", "step", start=START)
    assert not is_unannounced([fell], 1)
    assert not is_unannounced([fell, fell], 1)
    # Another tile collapsed, or nothing is known of the one that did.
    assert is_unannounced([fell, candidate("Y60 1 0", "step", start=START)], 1)
    assert is_unannounced([candidate("G60 1 0", "step", start=START, G60=0.1)], 1)
    # The tile in doubt has no part in it.
    built = play("R4 1 0", game=START)
    other = candidate("R4 1 0", "Y6 0 2", "G60 1 1", "step", start=START, R4=0.1)
    assert not is_unannounced([other], 3)
    # It lay below, and was taken.
    below = candidate("Y6 0 2", "G60 1 1", "step", start=built, Y6=0.1)
    assert is_unannounced([below], 2)
    # A placement is announced where it is not open.
    assert not is_unannounced([below], 1)
    assert is_unannounced([below], 0)


def test_others_there_are_those_that_other_ways_place_in_the_same_slot():
    best = candidate("R4 1 0", start=START)
    ways = [
        best,
        candidate("R6 1 0", start=START),
        candidate("B4 1 0", start=START),
        candidate("R6 1 0", start=START),
        candidate(start=START),
    ]
    assert [tile.code for tile in others_there(ways, 0)] == ["R6", "B4"]
    built = play("R4 1 0", game=START)
    assert others_there([candidate(f"{place}", start=built) for place in ("Y2 0 2", "Y4 0 -1")], 0) == []
    stepped = candidate("G60 1 0", "step", start=START)
    assert others_there([stepped, ways[0]], 0) == [TILES["R4"]]
    assert others_there([stepped, ways[0]], 1) == []


def codes(found: list[Candidate]) -> list[str]:
    return [found.placed[0].code for found in found]


def test_an_answer_leaves_the_ways_in_which_that_tile_was_placed_first():
    ways = [candidate(f"{code} 1 0", start=START, **{code: 0.5}) for code in ("R4", "R6", "B4")]
    (found,) = answered(ways, TILES["R6"])
    assert codes([found]) == ["R6"]
    assert found.doubt == 0
    assert ways[1].doubt == 0.5
    assert answered(ways, TILES["Y100"]) == ways


def test_an_answer_may_name_a_tile_that_lies_there_and_was_not_placed_first():
    ways = [
        candidate("R4 1 0", "Y2 0 2", start=START, Y2=0.5),
        candidate("R6 1 0", "Y2 0 2", start=START, Y2=0.5),
        candidate("R6 1 0", "Y4 0 2", start=START, Y4=0.5),
    ]
    found = answered(ways, TILES["Y2"])
    assert codes(found) == ["R4", "R6"]
    assert {way.doubt for way in found} == {0.0}
    # That red 40 lies there everybody knew.
    assert answered(ways, TILES["R40"]) == ways


def test_an_answer_leaves_the_ways_in_which_that_tile_lay_there_already():
    lay = candidate("Y2 0 2", start=play("R6 1 0", game=START))
    ways = [lay, candidate("R6 1 0", "Y2 0 2", start=START), candidate("R4 1 0", "Y2 0 2", start=START)]
    assert answered(ways, TILES["R6"])[0] is lay
    assert codes(answered(ways, TILES["R6"])[1:]) == ["R6"]


def test_an_answer_leaves_the_ways_with_that_roll():
    start = play(*BASE, "B7 1 0", setup=DIE)
    ways = [candidate("step", *rolled, start=start) for rolled in ([], ["roll 1"], ["roll 6"])]
    ways = [way for way in ways if way.tail]
    assert answered(ways, 6) == ways[2:]
    assert answered(ways, 3) == ways[1:2]
    assert answered(ways, 0) == ways[:1]
    assert answered(ways, 5) == ways


def test_two_and_three_do_what_one_does():
    assert [told_roll(roll) for roll in range(7)] == [0, 1, 1, 1, 4, 5, 6]


def test_a_roll_is_told_up_to_the_next_placement():
    rolled = (Step(), Roll(4), Place(TILES["Y2"], 0, 2), Roll(5))
    assert [roll_of(rolled[at:]) for at in range(4)] == [4, 4, 0, 5]
    assert roll_of(()) == 0


def fit(*hypotheses: Hypothesis, seen: Evidence, fresh: str = "") -> tuple[list[Candidate], bool]:
    bits = sum(TILES[code].bit for code in fresh.split())
    return fit_hypotheses(hypotheses, seen, START, bits)


def test_of_two_ways_to_one_end_the_likelier_is_kept():
    unlikely, likely = Hypothesis(START, 9.0), Hypothesis(START, 2.0)
    for ways in ((unlikely, likely), (likely, unlikely)):
        (found,), covered = fit(*ways, seen=evidence("R40 B20/R4"))
        assert (found.hypothesis.cost, found.score, covered) == (2.0, -2.0, False)
        assert found.hypothesis.memory == {TILES["R4"]: (0.0, 0.0)}


def test_what_is_put_back_where_it_lay_was_not_placed():
    found, _ = fit(Hypothesis(START), seen=evidence("R40 B20/R4"), fresh="R4")
    assert found == []
    # It does not keep the others from being looked at.
    seen = evidence("R40 B20/R4", R4="R4 0.6 R6 0.4")
    found, _ = fit(Hypothesis(START), seen=seen, fresh="R4")
    assert codes(found) == ["R6"]


def test_a_covered_tile_may_keep_all_ways_from_it():
    gone = Hypothesis(play("Y60 0 0", "Y30 0 1"))
    seen = evidence("R40 B20/R4", R4="covered")
    assert fit(Hypothesis(START), gone, seen=seen) == ([], True)
    assert fit(gone, Hypothesis(START), seen=seen) == ([], True)
    assert fit(seen=seen) == ([], False)


def seen_before(tile: Tile, log: float, odds: float) -> dict[Tile, tuple[float, float]]:
    return {tile: (log, odds)}


def test_what_was_read_of_a_tile_before_counts_while_it_does_not_lie_there():
    """R4 was placed in doubt, and came off; how well it was read then is all that is known of it."""
    placed = Hypothesis(play("G60 1 0", game=START), 1.0, seen_before(TILES["G60"], -0.7, 0.3))
    found, _ = fit(placed, seen=evidence("R40 B20/G60", G60="G60 0.6 R6 0.2"))
    assert found[0].hypothesis.memory[TILES["G60"]] == (pytest.approx(math.log(0.6)), 0.3)
    assert found[0].score == pytest.approx(math.log(0.6) - 1)
    found, _ = fit(placed, seen=evidence("R40 B20/G60", G60="G60 0.8 R6 0.1"))
    assert found[0].hypothesis.memory[TILES["G60"]][1] == pytest.approx(0.1 / 0.8)
    burnt = Hypothesis(play("R7 1 0", game=START), 1.0, seen_before(TILES["R7"], -0.7, 0.3))
    (best, *_), _ = fit(burnt, seen=evidence("-"))
    assert best.hypothesis.memory[TILES["R7"]] == (-0.7, 0.3)
    assert best.score == pytest.approx(-0.7 - 1)


def test_who_names_a_tile_does_not_say_whether_the_die_was_thrown_before():
    """Only the way in which it was not was left, and half a game was told wrongly (220387)."""
    start = play(*BASE, "B7 1 0", setup=DIE)
    ways = [candidate("step", "roll 6", "Y2 0 2", start=start), candidate("Y2 0 2", start=start)]
    assert [len(each.tail) for each in answered(ways, TILES["Y2"])] == [3, 1]
