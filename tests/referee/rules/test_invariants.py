"""What must hold in every game and every resolution, over seeded random ones. Rules 4 and 5."""

from __future__ import annotations

import copy
import gc
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import RefereeError
from referee.formats.judge_json import answer_request, resolution_to_dict
from referee.rules.events import Air, Die, Direction, taken_by
from referee.rules.game import Whereabouts
from referee.rules.layout import Layout
from referee.rules.mayhem import CHECKS, find_air, find_collapse, find_curse, find_explosion, find_fire
from referee.rules.options import FireDie, Options, read_options, read_options_text, write_options
from referee.rules.outcomes import find_consequences, grow_tree, list_outcomes
from referee.rules.resolve import Missed, begin, begin_placed, make_terms, resolve
from referee.rules.tiles import ALL_TILES, TILES
from tests.referee.random_games import play_random_game
from tests.referee.random_tables import ALL_RULES, random_request, random_table, seeded, small_table
from tests.referee.slow_rules import write

numbers = st.integers(0, 10**6)


def total_height(layout):
    return sum(row + 1 for (row, _), _ in layout.tiles)


@pytest.mark.parametrize("seed", range(40))
def test_every_tile_is_always_in_exactly_one_place(seed):
    game = play_random_game(seed)
    while True:
        assert sum(game.stocks) + len(game.layout) + len(game.out) == 45
        assert len(set(game.out)) == len(game.out)
        assert not [tile for tile in game.out if game.layout.find(tile) is not None]
        places = [game.whereabouts(tile) for tile in ALL_TILES]
        assert places.count(Whereabouts.STOCKS) == sum(game.stocks)
        assert min(game.stocks) >= 0
        if game.before is None:
            break
        game = game.before


@pytest.mark.parametrize("seed", range(10))
def test_undo_gives_back_an_equal_game_and_replay_the_same_one(seed):
    game = play_random_game(seed)
    start = game
    while start.before is not None:
        start = start.before
    again = start
    for action in game.actions:
        after = again.play(action)
        assert after.undo() == again
        again = after
    assert again == game


@given(numbers, st.sampled_from(ALL_RULES))
@settings(max_examples=300)
def test_every_fall_and_every_removal_lowers_the_total_height(number, rules):
    layout = Layout.parse(write(random_table(seeded(number))))
    height = total_height(layout)
    choices = [Direction.LEFT, Direction.RIGHT] * 60
    for event in resolve(layout, read_options(rules), choices=choices).events:
        after = total_height(event.layout)
        assert after < height or (isinstance(event, (Air, Die)) and after == height)
        height = after


@given(numbers, st.sampled_from(ALL_RULES))
@settings(max_examples=200)
def test_nothing_hits_on_a_stable_pyramid_and_resolving_it_again_changes_nothing(number, rules):
    options = read_options(rules)
    layout = Layout.parse(write(random_table(seeded(number))))
    done = resolve(layout, options, choices=[Direction.RIGHT] * 200)
    assert done.stable
    assert all(check(done.layout, options, None) is None for check in CHECKS)
    assert resolve(done.layout, options).events == ()


SWAP = str.maketrans("YGRB", "GYBR")


@given(numbers, st.sampled_from(ALL_RULES))
@settings(max_examples=200)
def test_renaming_colours_in_pairs_renames_and_changes_nothing_else(number, rules):
    request = random_request(seeded(number), rules)
    renamed = {**request, "layout": request["layout"].translate(SWAP)}
    if "place" in request:
        renamed["place"] = {**request["place"], "tile": request["place"]["tile"].translate(SWAP)}
    assert answer_request(renamed) == _renamed(answer_request(request))


def _renamed(value):
    """The answer with every code and layout renamed; other texts hold no capital letter."""
    if isinstance(value, dict):
        return {key: _renamed(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each) for each in value]
    return value.translate(SWAP) if isinstance(value, str) else value


def test_the_checks_stand_in_the_order_of_the_rules():
    order = (find_air, find_collapse, find_explosion, find_fire, find_curse)
    assert order == CHECKS


@given(numbers)
@settings(max_examples=60)
def test_a_tree_lists_what_answering_step_by_step_gives(number):
    request = random_request(seeded(number), ALL_RULES[number % len(ALL_RULES)], small_table)
    request.update(choices=[], die=None)
    for outcome in answer_request({**request, "tree": True})["outcomes"]:
        single = answer_request({**request, "choices": outcome["choices"], "die": outcome["die"]})
        assert single["stable"]
        assert {key: single[key] for key in ("layout", "piles", "out")} == {
            key: outcome[key] for key in ("layout", "piles", "out")
        }


@pytest.mark.parametrize("is_on", [True, False])
def test_pythons_search_for_garbage_is_as_it_was_after_a_tree(is_on, monkeypatch):
    start = begin(Layout.parse("R40 B20/G60"), make_terms())
    before = gc.isenabled()
    try:
        (gc.enable if is_on else gc.disable)()
        grow_tree(start, Options())
        assert gc.isenabled() is is_on
        monkeypatch.setattr("referee.rules.outcomes.MAX_NODES", 0)
        with pytest.raises(RefereeError):
            grow_tree(start, Options())
        assert gc.isenabled() is is_on
    finally:
        (gc.enable if before else gc.disable)()


def test_equal_positions_are_resolved_once():
    tree = grow_tree(begin(Layout.parse("R40 B20 R2/G60 -"), make_terms()), Options())
    left, right = (branch.node for branch in tree.root.branches)
    assert (left.endings, right.endings, tree.root.endings) == (1, 1, 2)
    same = grow_tree(begin(Layout.parse("R40 B20/G60"), make_terms()), Options())
    assert same.root.branches[0].node is same.root.branches[1].node
    assert len(list(list_outcomes(same))) == 2
    known = {}
    first = grow_tree(begin(Layout.parse("R40 B20/G60"), make_terms()), Options(), known=known)
    again = grow_tree(begin(Layout.parse("- -/G60"), make_terms()), Options(), known=known)
    assert again.root.branches[0].node is first.root.branches[0].node


def test_many_ways_to_few_endings_are_summed_up():
    """Each of the falls from up there may go left or right, so that there are far too many ways to list."""
    table = Layout.from_tiles({(0, 0): "R40", (0, 1): "B20", (40, 2): "G60"})
    (found,) = find_consequences(table, TILES["R4"])
    assert found.paths == 2**40
    assert len(found.endings) == 41


def test_looking_ahead_may_find_as_many_positions_in_all_as_one_tree(monkeypatch):
    """Three in each of the two places: the collapse, and the two ways to fall."""
    table = Layout.parse("R40 B20 G60")
    monkeypatch.setattr("referee.rules.outcomes.MAX_NODES", 6)
    assert len(find_consequences(table, TILES["Y4"])) == 2
    monkeypatch.setattr("referee.rules.outcomes.MAX_NODES", 5)
    with pytest.raises(RefereeError, match="tree-too-large"):
        find_consequences(table, TILES["Y4"])


@given(numbers, st.sampled_from(ALL_RULES))
@settings(max_examples=60)
def test_consequences_sum_up_the_outcomes_of_every_place(number, rules):
    layout = Layout.parse(write(small_table(seeded(number))))
    tile = next(tile for tile in ALL_TILES if layout.find(tile) is None)
    found = find_consequences(layout, tile, read_options(rules), players=3, active=1)
    for consequence in found:
        place = {"tile": tile.code, "row": consequence.row, "slot": consequence.slot}
        request = {
            "layout": str(layout),
            "place": place,
            "players": 3,
            "active": 1,
            "rules": rules,
            "tree": True,
        }
        outcomes = answer_request(request)["outcomes"]
        assert consequence.paths == len(outcomes)
        expected = {
            (
                each["layout"],
                tuple((int(who), len(pile)) for who, pile in each["piles"].items()),
                len(each["out"]),
            )
            for each in outcomes
        }
        assert {(str(e.layout), e.cost, e.lost) for e in consequence.endings} == expected
        counts = [len(each["piles"].get("1", [])) for each in outcomes]
        assert consequence.cost_range(1) == (min(counts), max(counts))


def test_consequences_under_a_known_roll():
    options = Options(fire_die=FireDie.NEWER)
    (found,) = find_consequences(Layout.parse("R60 B60"), TILES["R7"], options)
    assert found.paths == 1
    (found,) = find_consequences(Layout.parse("R60 B20"), TILES["R7"], options, die=4)
    assert [(ending.cost, ending.lost) for ending in found.endings] == [(((0, 1),), 1)]
    (found,) = find_consequences(Layout.parse("R60 B20"), TILES["R7"], options)
    assert found.cost_range(0) == (0, 2)


def test_two_play_where_nothing_else_is_said_about_consequences():
    (found,) = find_consequences(Layout.parse("R40 B40"), TILES["G40"], Options(curse=True))
    assert found.cost_range(1) == (3, 3)


def test_the_answers_of_an_ending_lead_to_it():
    jenny = Layout.parse("Y40 R60 Y120 R100 B120/Y100 R120 Y60 R7/Y6 R4 G60/B6 R30")
    (found,) = find_consequences(jenny, TILES["Y1"])
    assert [(ending.answers, ending.cost, ending.lost) for ending in found.endings] == [
        ((Direction.LEFT,), ((0, 4),), 1),
        ((Direction.RIGHT, Direction.LEFT), ((0, 5),), 1),
        ((Direction.RIGHT, Direction.RIGHT), ((0, 7),), 2),
    ]
    assert found.cost_range(0) == (4, 7)
    assert found.cost_range(1) == (0, 0)


def test_two_play_and_the_first_is_active_where_nothing_else_is_said():
    assert resolve(Layout.parse("R40 B2/R7")).piles == {0: (TILES["R40"], TILES["B2"])}
    assert list(resolve(Layout.parse("R40 B40/G40"), Options(curse=True)).piles) == [1]
    assert make_terms() == make_terms(2, 0, None)


def test_answers_are_used_as_it_lies_and_after_a_placement():
    die = Options(fire_die=FireDie.NEWER)
    done = resolve(Layout.parse("R40 B20"), die, place=(TILES["B7"], 1, 0), die=3, choices=[Direction.RIGHT])
    kinds = [type(event).__name__ for event in done.events]
    assert (kinds, str(done.layout)) == (["Die", "Fire", "Air", "Fall"], "B7")
    assert done.events[-1].direction is Direction.RIGHT


def test_without_the_die_it_makes_no_difference_which_tile_was_placed_last():
    layout = Layout.parse("R40 B20/B7")
    assert begin_placed(layout, TILES["B7"], make_terms(), Options()) == begin(layout, make_terms())
    dice = Options(fire_die=FireDie.NEWER)
    assert begin_placed(layout, TILES["B7"], make_terms(), dice) != begin(layout, make_terms())


def test_a_resolution_says_who_took_what():
    done = resolve(Layout.parse("R40 B20"), place=(TILES["B7"], 1, 0), players=4, active=3)
    assert done.piles == {3: (TILES["R40"], TILES["B20"])}
    assert done.out == (TILES["B7"],)
    assert done.stable
    assert done.needs is None
    assert [tile for event in done.events for tile in taken_by(event)] == list(done.piles[3])
    family = resolve(Layout.parse("R40 B2/R7"), missed=Missed.FAMILY)
    assert (family.piles, [tile.code for tile in family.out]) == ({}, ["R40", "B2", "R7"])


@pytest.mark.parametrize("rules", ALL_RULES, ids=lambda rules: "-".join(map(str, rules.values())))
def test_settings_are_written_and_read_again(rules):
    options = read_options(rules)
    assert write_options(options) == rules
    text = ",".join(f"{name}={str(value).lower()}" for name, value in rules.items())
    assert read_options_text(f" {text}, ") == options


def test_settings_that_are_null_leave_the_others_as_they_are_said():
    assert read_options({"overhang": None, "curse": True, "fire_die": None}) == Options(curse=True)


@pytest.mark.parametrize(
    ("text", "words"),
    [("curse", "^not-name-and-value: part='curse'$"), ("curse=maybe", "name='curse', value='maybe'"),
     ("x=1", "^unknown-rule: name='x', known='overhang, fire_order, curse, fire_die'$"),
     ("fire_die=a=b", "name='fire_die', value='a=b'"), ("fire_die=true", "value='true'")],
)  # fmt: skip
def test_settings_that_do_not_exist_are_refused(text, words):
    with pytest.raises(ValueError, match=words):
        read_options_text(text)


def test_a_resolution_can_be_copied_and_sent_to_another_process():
    done = resolve(Layout.parse("R40 B20/G60"), choices=[Direction.LEFT])
    for again in (copy.deepcopy(done), pickle.loads(pickle.dumps(done))):
        assert again == done
        assert resolution_to_dict(again.events, again.state) == resolution_to_dict(done.events, done.state)
