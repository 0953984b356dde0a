"""The rules as pages show them, and the rule behind every card."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.rules.events import Air, Collapse, Curse, Event, Explosion, Fire
from referee.rules.layout import Layout
from referee.rules.options import DEFAULTS, FireDie, FireOrder, Overhang
from referee.rules.verdict import common_verdict
from ui.text.catalogue import choose_language
from ui.text.rulebook.rules import Topic, rules_of
from ui.viewmodels.rulebook import rule_of_case, rule_views
from ui.viewmodels.table_view import FallArrow, Ring, TileView

EVENTS: dict[Topic, type[Event]] = {
    Topic.AIR: Air,
    Topic.COLLAPSE: Collapse,
    Topic.OVERHANG: Collapse,
    Topic.FALL: Collapse,
    Topic.EXPLOSION: Explosion,
    Topic.FIRE: Fire,
    Topic.CURSE: Curse,
}


@pytest.fixture(autouse=True)
def english() -> None:
    choose_language("en")


def test_every_topic_has_its_rule_once() -> None:
    assert [view.topic for view in rule_views(DEFAULTS)] == list(Topic)
    for view in rule_views(DEFAULTS):
        assert len(view.sentences) == 2 or view.topic is Topic.DIE
        assert view.source.startswith("Source: ")


@pytest.mark.parametrize("topic", EVENTS, ids=lambda topic: topic.value)
def test_an_example_shows_its_rule_and_nothing_else_happens_first(topic: Topic) -> None:
    rule = next(rule for rule in rules_of(DEFAULTS) if rule.topic is topic)
    options = replace(DEFAULTS, curse=topic is Topic.CURSE)
    verdict = common_verdict([Layout.parse(rule.example)], options)
    assert isinstance(verdict.events[0], EVENTS[topic])
    if topic is Topic.OVERHANG:
        assert len(verdict.events[0].taken) == 1
    (view,) = (view for view in rule_views(DEFAULTS) if view.topic is topic)
    assert any(tile.ring is not Ring.NONE for tile in view.tiles)


def test_the_places_of_the_example_are_dotted() -> None:
    (view,) = (view for view in rule_views(DEFAULTS) if view.topic is Topic.PLACING)
    assert [(place.row, place.slot) for place in view.places] == [(1, 1)]


def titles(wanted: str) -> list[str]:
    return [view.title for view in rule_views(DEFAULTS, wanted)]


def test_rules_are_found_by_their_words_with_or_without_accents() -> None:
    assert titles("CURSE previous") == ["The curse"]
    assert titles("no such word") == []
    assert len(titles("  ")) == len(Topic)
    choose_language("fr")
    assert titles("malediction") == titles("MALÉDICTION") != []


def test_rules_are_told_as_they_were_agreed() -> None:
    agreed = replace(
        DEFAULTS,
        overhang=Overhang.COLOUR_OR_WEIGHT,
        fire_order=FireOrder.POSITION,
        fire_die=FireDie.OLDER,
    )
    for one, other in zip(rule_views(DEFAULTS), rule_views(agreed), strict=True):
        is_other = one.topic in (Topic.OVERHANG, Topic.FIRE_ORDER, Topic.DIE)
        assert (one != other) is is_other
        assert (one.source != other.source) is is_other


def test_a_case_is_drawn_with_its_own_tiles_on_the_ground() -> None:
    tiles = [
        TileView("R40", 0, 0), TileView("R60", 0, 1), TileView("R100", 0, 2), TileView("R120", 0, 3),
        TileView("B40", 1, 1, ring=Ring.TAKEN), TileView("B60", 1, 2, ring=Ring.TAKEN),
        TileView("Y120", 2, 1, ring=Ring.CAUSE),
    ]  # fmt: skip
    view = rule_of_case(Topic.COLLAPSE, DEFAULTS, tiles, [FallArrow(2, 1, left=True, right=True)])
    assert [(tile.code, tile.row, tile.slot) for tile in view.tiles] == [
        ("B40", 0, 1), ("B60", 0, 2), ("Y120", 1, 1),
    ]  # fmt: skip
    assert [(arrow.row, arrow.slot) for arrow in view.arrows] == [(1, 1)]
    assert view.sentences[0].startswith("A tile needs the colour or the weight")
