"""The rules as a page shows them: in words, with a small drawing; and the rule behind what the card says."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from referee.rules.layout import Layout
from referee.rules.options import DEFAULTS, Options
from referee.rules.placement import find_places
from referee.rules.verdict import common_verdict
from ui.text.catalogue import _
from ui.text.rulebook.rules import Rule, Topic, rules_of, source_sentence
from ui.viewmodels.game_view import PlaceView, RuleView
from ui.viewmodels.table_view import FallArrow, Ring, TileView
from ui.viewmodels.verdict_marks import rings

FALLING = (Topic.AIR, Topic.COLLAPSE, Topic.OVERHANG, Topic.FALL)


def rule_views(options: Options, wanted: str = "") -> list[RuleView]:
    """Return the rules of a game in which every word that is looked for stands, with or without accents."""
    looked_for = _plain(wanted).split()
    views = [_with_example(rule, options) for rule in rules_of(options)]
    return [view for view in views if all(word in _plain(view.words) for word in looked_for)]


def rule_of_case(
    topic: Topic,
    options: Options,
    tiles: Sequence[TileView],
    arrows: Sequence[FallArrow] = (),
    places: Sequence[PlaceView] = (),
) -> RuleView:
    """Return the rule behind a card, drawn with the tiles of this case.

    Args:
        topic: What the card is about.
        options: Of the game.
        tiles: All that lie on the table; where some are marked, these alone are drawn.
        arrows: The falls that are shown.
        places: Where the next tile may go.
    """
    rule = next(rule for rule in rules_of(options) if rule.topic is topic)
    marked = [tile for tile in tiles if tile.ring is not Ring.NONE]
    down = min((tile.row for tile in marked), default=0)
    if marked:
        places = ()
    return RuleView(
        topic,
        _(rule.title),
        tuple(_(sentence) for sentence in rule.sentences),
        source_sentence(rule.sources),
        tuple(replace(tile, row=tile.row - down, slot=tile.slot + down // 2) for tile in marked or tiles),
        tuple(replace(arrow, row=arrow.row - down, slot=arrow.slot + down // 2) for arrow in arrows),
        tuple(places),
    )


def _with_example(rule: Rule, options: Options) -> RuleView:
    """Return a rule with its example; what happens there is marked by the rules themselves."""
    if not rule.example:
        return rule_of_case(rule.topic, options, ())
    layout = Layout.parse(rule.example)
    marks = rings(common_verdict([layout], replace(DEFAULTS, curse=rule.topic is Topic.CURSE)))
    tiles = [TileView(tile.code, *at, ring=marks.get(tile.code, Ring.NONE)) for at, tile in layout.tiles]
    arrows = [
        FallArrow(tile.row, tile.slot, left=True, right=True)
        for tile in tiles
        if tile.ring is Ring.CAUSE and rule.topic in FALLING
    ]
    places = [PlaceView(*at) for at in find_places(layout)] if rule.topic is Topic.PLACING else []
    view = rule_of_case(rule.topic, options, (), arrows, places)
    return replace(view, tiles=tuple(tiles))


def _plain(text: str) -> str:
    """Return a text without capitals and accents."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))
