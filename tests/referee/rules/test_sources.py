"""What the source documents say, sentence by sentence. `referee/RULES.md` lists these cases.

Sources: 000 older online help, 001 English rulebook, 002 French rulebook, 003 newer online help.
"""

# ruff: noqa: E501  (a table: one sentence a line)

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from referee.formats.judge_json import answer_request


@dataclass(frozen=True)
class Case:
    """One sentence: what is asked of `judge`, and what must be in its answer."""

    name: str
    sources: str
    says: str
    layout: str
    place: str = ""
    """Tile, row and slot."""
    ask: dict = field(default_factory=dict)
    kinds: str | None = None
    """Kinds of the events, in order."""
    then: dict = field(default_factory=dict)
    """Further keys of the answer; of `first`, keys of the first event, of `last`, those of the last."""


DIE_NEWER, DIE_OLDER, CURSE = {"fire_die": "newer"}, {"fire_die": "older"}, {"curse": True}
JENNY = "Y40 R60 Y120 R100 B120/Y100 R120 Y60 R7/Y6 R4 G60/B6 R30"


def at(*slots):
    return [{"row": row, "slot": slot} for row, slot in slots]


CASES = [
    # Where a tile goes
    Case("first-tile-anywhere", "000 001 003", "On an empty table any tile may be played.", "-",
         then={"places": at((0, 0))}),
    Case("second-tile-left-or-right", "001 002", "One tile alone: the next goes left or right of it.", "R40",
         then={"places": at((0, -1), (0, 1))}),
    Case("two-side-by-side-must-be-topped", "000 001 002 003",
         "Two neighbours with nothing on them: that is where the tile must go.", "R40 B20",
         then={"places": at((1, 0))}),
    Case("complete-pyramid-is-extended", "000 001 002 003", "A complete pyramid is extended on either side.",
         "R40 B20/R4", then={"places": at((0, -1), (0, 2))}),
    Case("several-free-spaces-are-a-choice", "000 001 002 003",
         "After mayhem there may be several spaces, on two tiles or in the bottom row; the player picks.",
         "R40 B20 - G60 G100", then={"places": at((1, 0), (1, 3), (0, 2))}),
    Case("gap-under-an-overhang-comes-first", "002", "With an overhang the next space is the gap beside its support.",
         "B120 - R60/B60 -", then={"places": at((0, 1))}),
    Case("filling-gives-the-second-support", "002", "Filled, the gap gives the overhang its second support.",
         "B120 - R60/B60 -", "G60 0 1", kinds="", then={"layout": "B120 G60 R60/B60 -"}),
    Case("a-collapse-need-not-be-avoided", "002", "Avoiding a collapse is never an obligation.",
         "R40 B20", "G60 1 0", kinds="collapse"),
    # What carries what
    Case("base-takes-anything", "000 001 002 003", "In the base any colour and weight will do.",
         "R2", "M200 0 1", kinds="", then={"stable": True}),
    Case("same-colour-will-do", "000 001 002 003", "The tile shares a colour with one of the two below.",
         "Y40 B60", "Y20 1 0", kinds=""),
    Case("same-weight-will-do", "000 001 002 003", "The tile shares the weight with one of the two below.",
         "R100 B4", "G100 1 0", kinds=""),
    Case("red-6-on-red-40-and-a-2", "001 002", "Red 6 on red 40 and a 2 is legal.", "R40 B2", "R6 1 0", kinds=""),
    Case("exactly-the-sum-is-not-overweight", "000 001 002 003", "The weight may equal the sum of the two below.",
         "R20 G40", "B60 1 0", kinds="collapse", then={"first": {"reasons": ["mismatch"]}}),
    Case("green-60-on-30-and-4", "001 002", "Green 60 on a 30 and a 4 is too heavy.", "G30 B4", "G60 1 0",
         kinds="collapse", then={"first": {"reasons": ["overweight"]}}),
    Case("neither-colour-nor-weight", "000 001 002 003", "What matches neither of the two below collapses.",
         "R40 B20", "G10 1 0", kinds="collapse", then={"first": {"reasons": ["mismatch"]}}),
    Case("both-reasons-are-named", "002", "A tile may be wrong by colour, by weight and by heaviness at once.",
         "R40 B20", "G100 1 0", kinds="collapse", then={"first": {"reasons": ["mismatch", "overweight"]}}),
    Case("the-two-below-come-off", "000 001 002 003", "The two tiles below go under the player's pile.",
         "R40 B20", "G60 1 0", kinds="collapse", then={"piles": {"0": ["R40", "B20"]}}),
    Case("the-player-chooses-the-side", "000 001 002 003", "The tile falls down, left or right, as the player says.",
         "R40 B20 R60", "G60 1 0", {"active": 1},
         then={"needs": {"choice": "fall", "tile": "G60", "chooser": 1}}),
    Case("fall-to-the-left", "002", "To the left the collapse ends: 100 on 100 and 120.",
         "R100 B120 R40/R20 B4", "G100 2 0", {"choices": ["left"]}, "collapse fall",
         {"layout": "R100 B120 R40/G100 -", "stable": True}),
    Case("fall-to-the-right", "002", "To the right nothing matches, and a new collapse follows.",
         "R100 B120 R40/R20 B4", "G100 2 0", {"choices": ["right", "left"]}, "collapse fall collapse fall",
         {"layout": "R100 G100", "piles": {"0": ["R20", "B4", "B120", "R40"]}}),
    Case("upper-rows-are-checked-first", "000 001 002 003", "Rows are checked from top to bottom.",
         "R40 R20 R60/R30 B30/G2", then={"first": {"tile": "G2"}}),
    Case("left-is-checked-before-right", "000 001 002 003", "A row is checked from left to right.",
         "R40 R20 R60/G2 B2", then={"first": {"tile": "G2"}}),
    Case("collapses-go-on-until-all-tiles-fit", "000 001 003", "One collapse may trigger the next, until all tiles fit.",
         "R40 B20 G60/R4 B10", "G6 2 0", {"choices": ["left"]},
         "collapse fall collapse"),
    Case("a-coal-that-matches-nothing-collapses", "001 002", "A coal that matches neither tile collapses, no fire.",
         "B2 R10 G100/R6 R4", "G1 2 0", kinds="collapse"),
    Case("the-coal-slides-to-the-green-100", "001 002",
         "To the right the coal matches green 100 and is too far from blue 2.",
         "B2 R10 G100/R6 R4", "G1 2 0", {"choices": ["right"]}, "collapse fall",
         {"layout": "B2 R10 G100/- G1", "stable": True}),
    Case("the-coal-slides-to-blue-2-and-red-10", "002", "To the left it collapses again, down to the base.",
         "B2 R10 G100/R6 R4", "G1 2 0", {"choices": ["left", "left"]}, "collapse fall collapse fall",
         {"piles": {"0": ["R6", "R4", "B2", "R10"]}, "layout": "G1 - G100"}),
    Case("had-the-2-been-green", "002", "Had the 2 been green, it would have burned and the coal left the game.",
         "G2 R10 G100/R6 R4", "G1 2 0", {"choices": ["left"]}, "collapse fall fire",
         {"piles": {"0": ["R6", "R4", "G2"]}, "out": ["G1"]}),
    # Millstone
    Case("the-millstone-matches-everything-below", "000 001 002 003", "The 200 has every colour: on top.",
         "R100 B120", "M200 1 0", kinds=""),
    Case("everything-matches-the-millstone", "000 001 002 003", "The 200 has every colour: below.",
         "R2 M200", "G100 1 0", kinds=""),
    Case("the-millstone-is-easily-too-heavy", "000 001 002 003", "Its weight causes collapses higher up.",
         "R60 B120", "M200 1 0", kinds="collapse", then={"first": {"reasons": ["overweight"]}}),
    Case("the-millstone-does-not-burn", "000 001 002 003", "Like stone, the 200 cannot burn.",
         "M200 R40", "R7 1 0", kinds="fire", then={"piles": {"0": ["R40"]}, "layout": "M200"}),
    # Straw fires
    Case("a-coal-lights-straw", "000 001 002 003", "A coal beside straw starts a fire; straw to the pile, coal out.",
         "G10 Y4", "G1 1 0", kinds="fire", then={"piles": {"0": ["Y4"]}, "out": ["G1"], "layout": "G10"}),
    Case("straw-placed-beside-a-coal-burns", "000 001 002 003", "So does straw placed beside a coal that lies there.",
         "G60 G100 R60/G1 -", "G2 1 1", kinds="fire", then={"piles": {"0": ["G2"]}, "out": ["G1"]}),
    Case("straw-carries-the-fire-to-straw", "000 001 002 003", "Burning straw lights every straw tile it touches.",
         "Y2 R4 B6 G2", "Y1 1 0", kinds="fire",
         then={"piles": {"0": ["Y2", "R4", "B6", "G2"]}}),
    Case("a-straw-fire-passes-no-wood", "000 001 002 003", "A coal lights straw only; wood stops the fire.",
         "Y2 R10 B6", "Y1 1 0", kinds="fire", then={"piles": {"0": ["Y2"]}, "layout": "R10 B6"}),
    Case("collapse-before-fire", "000 001 002 003", "Collapses are checked before fires.",
         "R2 B40", "G1 1 0", kinds="collapse"),
    # Wood fires
    Case("a-blowtorch-lights-wood-and-straw", "000 001 002 003", "A blowtorch lights straw and wood.",
         "R40 B2", "R7 1 0", kinds="fire", then={"piles": {"0": ["R40", "B2"]}, "out": ["R7"]}),
    Case("straw-lights-wood-in-a-wood-fire", "002", "In a wood fire straw may light wood.",
         "R100 R2 R40 B60", "R7 1 0", kinds="fire", then={"piles": {"0": ["R2", "R40"]}}),
    Case("wood-fire-example", "001 002",
         "Blue 7 on red 40 and blue 20: three wood tiles and green 6 burn, yellow 30 is shielded, four tiles stay.",
         "Y30 R120 B40 G6 G60/Y1 R40 B20 -", "B7 2 1", kinds="fire",
         then={"piles": {"0": ["R40", "B20", "B40", "G6"]}, "out": ["B7"], "layout": "Y30 R120 - - G60/Y1 - - -"}),
    Case("incendiaries-carry-no-fire", "001 002", "Coals and blowtorches do not spread a fire.",
         "R40 R60 - B60 B40/R7 - - -", kinds="fire", then={"piles": {"0": ["R40"]}}),
    Case("only-the-starter-leaves", "001", "Only the incendiary that starts the fire leaves; another one stays.",
         "Y1 R4 G1", kinds="fire",
         then={"out": ["Y1"], "layout": "G1"}),
    Case("wood-fires-before-straw-fires", "002", "The wood fire is resolved before the straw fire.",
         "Y1 R4 R60 R7 R10", kinds="fire fire", then={"first": {"tile": "R7"}, "out": ["R7", "Y1"]}),
    Case("position-alone-orders-fires", "001 003", "Each check goes from top to bottom and left to right.",
         "Y1 R4 R60 R7 R10", ask={"rules": {"fire_order": "position"}}, kinds="fire fire",
         then={"first": {"tile": "Y1"}, "out": ["Y1", "R7"]}),
    # Explosions
    Case("explosion-example", "001 002", "A blowtorch beside a coal: the three tiles below explode, the 200 as well.",
         "Y60 M200 B40/Y1 -", "B7 1 1", kinds="explosion",
         then={"piles": {"0": ["Y60", "M200", "B40"]}, "out": ["Y1", "B7"], "layout": "-"}),
    Case("collapse-before-explosion", "000 001 002 003", "An explosion needs a legal placement.",
         "Y60 G100 R40/Y1 -", "B7 1 1", kinds="collapse"),
    Case("explosion-before-fire", "000 001 002 003", "Explosions are checked before fires.",
         "Y60 M200 B40/Y1 -", "B7 1 1", kinds="explosion"),
    Case("two-or-more-explode-together", "001", "Two or more incendiaries explode at once.",
         "R60 Y1 R7 G1 B60", kinds="explosion",
         then={"piles": {"0": ["R60", "B60"]}, "out": ["Y1", "R7", "G1"], "layout": "-"}),
    Case("every-material-explodes", "000 001 002 003", "Every touching tile goes, whatever it is made of.",
         "R2 Y1 R7 B120", kinds="explosion", then={"piles": {"0": ["R2", "B120"]}}),
    # One support, none
    Case("overhang-of-the-same-colour", "000 003", "On one tile: legal with the same colour and not heavier.",
         "R60 - B20/R40 -", kinds="", then={"stable": True}),
    Case("overhang-of-the-same-weight", "000 003", "The same weight is not enough.",
         "R60 - B20/G60 -", kinds="collapse", then={"first": {"reasons": ["mismatch"], "taken": ["R60"]}}),
    Case("overhang-by-weight-in-the-french-rulebook", "002", "The same colour or weight will do.",
         "R60 - B20/G60 -", ask={"rules": {"overhang": "colour-or-weight"}}, kinds="", then={"stable": True}),
    Case("overhang-that-is-heavier", "000 002 003", "It must not be heavier than the one tile below.",
         "R40 - B20/R60 -", kinds="collapse", then={"first": {"reasons": ["overweight"]}}),
    Case("free-air-comes-first", "003", "Tiles that sit on nothing are resolved first, by the active player.",
         "R40 B20 - -/G4 - -/- R6", ask={"active": 1}, kinds="air",
         then={"first": {"tile": "R6", "chooser": 1}, "needs": {"choice": "fall", "tile": "R6", "chooser": 1}}),
    Case("free-air-from-left-to-right", "003", "Of several such tiles the leftmost of the top row comes first.",
         "R40 - - - - -/- - B4 - G4", kinds="air", then={"first": {"tile": "B4"}}),
    Case("a-free-tile-moves-down-left-or-right", "003", "It moves down to the left or to the right; nothing comes off.",
         "R40 - -/- R6", ask={"choices": ["right"]}, kinds="air fall", then={"layout": "R40 - R6", "piles": {}}),
    # Curse
    Case("three-of-a-number-are-cursed", "000 002 003", "Three tiles of one number go to the previous player.",
         "R40 B40", "G40 1 0", {"players": 3, "active": 0, "rules": CURSE}, "curse",
         {"piles": {"2": ["G40", "R40", "B40"]}, "layout": "-"}),
    Case("no-curse-without-the-option", "000 002 003", "The curse is an optional variant.",
         "R40 B40", "G40 1 0", kinds=""),
    Case("curse-after-mayhem", "000 003", "It also comes of mayhem, not of a placement alone.",
         "R40 B40/G40", ask={"rules": CURSE}, kinds="curse"),
    Case("curse-comes-last", "000 002 003", "The curse is checked after collapse, explosion and fire.",
         "R40 B40 - R2 Y1/G40 - - -", ask={"rules": CURSE}, kinds="fire curse"),
    Case("follow-on-mayhem-hits-the-previous-player", "000 002 003",
         "What comes off after the curse goes to the previous player, who also directs the falls.",
         "R40 B40 R60 Y60/G40 R20 B60/G2 R6", ask={"players": 4, "active": 1, "rules": CURSE}, kinds="curse collapse",
         then={"piles": {"0": ["G40", "R40", "B40", "R20"]},
               "needs": {"choice": "fall", "tile": "G2", "chooser": 0}}),
    # Fire die
    Case("die-no-fire-by-collapse", "000 002 003", "With the die a collapse never causes a fire.",
         "Y4 B10 R60/B30 R6", "Y1 2 0", {"rules": DIE_NEWER, "choices": ["left"]}, "collapse fall",
         {"stable": True, "layout": "Y4 B10 R60/Y1 -"}),
    Case("die-incendiary-placed-beside-fuel", "000 002 003", "The die is rolled for fire placed beside fuel.",
         "R40 B2", "R7 1 0", {"rules": DIE_NEWER}, "", {"needs": {"choice": "die"}}),
    Case("die-fuel-placed-beside-incendiary", "000 002 003", "The die is rolled for fuel placed beside fire.",
         "G60 G100 R60/G1 -", "G2 1 1", {"rules": DIE_OLDER}, "", {"needs": {"choice": "die"}}),
    Case("die-fire-and-the-tile-stays", "000 002 003", "In 3 of 6 cases it burns and the fire tile stays.",
         "R40 B2", "R7 1 0", {"rules": DIE_NEWER, "die": 3, "choices": ["left"]}, "die fire air fall",
         {"piles": {"0": ["R40", "B2"]}, "out": [], "layout": "R7"}),
    Case("die-fire-and-the-tile-leaves", "000 002 003", "In 1 of 6 it burns and the fire tile leaves.",
         "R40 B2", "R7 1 0", {"rules": DIE_NEWER, "die": 4}, "die fire", {"out": ["R7"], "layout": "-"}),
    Case("die-explosion-newer", "003", "Explosion: the fire tile leaves, all that touches it goes to the pile.",
         "G60 G100 R60/G1 -", "G2 1 1", {"rules": DIE_NEWER, "die": 5}, "die explosion",
         {"out": ["G1"], "piles": {"0": ["G2", "G60", "G100"]}, "layout": "R60"}),
    Case("die-explosion-older", "000 002", "Explosion: fire and fuel leave, all that touches either goes to the pile.",
         "G60 G100 R60/G1 -", "G2 1 1", {"rules": DIE_OLDER, "die": 5}, "die explosion",
         {"out": ["G1", "G2"], "piles": {"0": ["G60", "G100", "R60"]}, "layout": "-"}),
    Case("die-smoke", "000 002 003", "Smoke: nothing happens for now.",
         "R40 B2", "R7 1 0", {"rules": DIE_OLDER, "die": 6}, "die", {"layout": "R40 B2/R7", "stable": True}),
    # Missed mayhem
    Case("family-missed-mayhem-leaves-the-game", "002", "What comes off in the interruption leaves the game.",
         "R40 B2/R7", ask={"missed": "family"}, kinds="fire",
         then={"piles": {}, "out": ["R40", "B2", "R7"], "first": {"payer": None}}),
    Case("strategy-missed-mayhem-hits-the-active-player", "002", "The now active player pays, whoever missed it.",
         "R40 B2/R7", ask={"missed": "strategy", "active": 1}, kinds="fire",
         then={"piles": {"1": ["R40", "B2"]}, "first": {"payer": 1}}),
    Case("strategy-missed-curse", "002", "All tiles, those of a curse too, go to the active player.",
         "R40 B40/G40", ask={"missed": "strategy", "active": 1, "rules": CURSE}, kinds="curse",
         then={"piles": {"1": ["G40", "R40", "B40"]}}),
    # Jenny
    Case("jenny-3-collapse", "002", "Yellow 1 matches nothing: blue 6 and red 30 to Jenny's pile.",
         JENNY, "Y1 4 0", kinds="collapse",
         then={"piles": {"0": ["B6", "R30"]}, "first": {"reasons": ["mismatch"]}}),
    Case("jenny-4a-left", "002", "Left: legal on yellow 6; a straw fire burns yellow 6 and red 4.",
         JENNY, "Y1 4 0", {"choices": ["left"]}, "collapse fall fire",
         {"piles": {"0": ["B6", "R30", "Y6", "R4"]}, "out": ["Y1"], "stable": True}),
    Case("jenny-4b-right", "002", "Right: no match again; red 4 and green 60 collapse.",
         JENNY, "Y1 4 0", {"choices": ["right"]}, "collapse fall collapse",
         {"last": {"taken": ["R4", "G60"], "reasons": ["mismatch"]}}),
    Case("jenny-5a-left", "002", "Then left: legal on red 120 and yellow 60; yellow 6 burns.",
         JENNY, "Y1 4 0", {"choices": ["right", "left"]}, "collapse fall collapse fall fire",
         {"piles": {"0": ["B6", "R30", "R4", "G60", "Y6"]}, "out": ["Y1"], "stable": True}),
    Case("jenny-5b-right", "002", "Then right: coal and blowtorch explode; seven tiles in all.",
         JENNY, "Y1 4 0", {"choices": ["right", "right"]}, "collapse fall collapse fall explosion",
         {"piles": {"0": ["B6", "R30", "R4", "G60", "Y60", "R100", "B120"]}, "out": ["Y1", "R7"], "stable": True}),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_sentence(case):
    assert case.kinds is not None or case.then
    request = {"layout": case.layout, **case.ask}
    if case.place:
        tile, row, slot = case.place.split()
        request["place"] = {"tile": tile, "row": int(row), "slot": int(slot)}
    answer = answer_request(request)
    if case.kinds is not None:
        assert " ".join(event["event"] for event in answer["events"]) == case.kinds
    for key, value in case.then.items():
        if key in ("first", "last"):
            event = answer["events"][0 if key == "first" else -1]
            assert {name: event[name] for name in value} == value
        else:
            assert answer[key] == value
