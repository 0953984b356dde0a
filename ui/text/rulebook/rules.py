"""Every rule in two plain sentences, and where it stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from referee.rules.options import FireDie, FireOrder, Options, Overhang
from ui.text.catalogue import _, mark, say


class Topic(Enum):
    """What a rule is about."""

    MAYHEM = "mayhem"
    PLACING = "placing"
    AIR = "air"
    COLLAPSE = "collapse"
    OVERHANG = "overhang"
    FALL = "fall"
    EXPLOSION = "explosion"
    FIRE = "fire"
    FIRE_ORDER = "fire order"
    CURSE = "curse"
    DIE = "die"
    ORDER = "order"
    BEGINNING = "beginning"
    TURN = "turn"
    MISSED_FAMILY = "missed, family"
    MISSED_STRATEGY = "missed, strategy"
    QUESTION = "question"
    WINNING = "winning"


class Source(Enum):
    """Where a rule stands."""

    OLDER_HELP = mark("the older online rules")
    ENGLISH = mark("the English rulebook")
    FRENCH = mark("the French rulebook")
    NEWER_HELP = mark("the newer online rules")
    APP = mark("this app; no rulebook speaks of it")


ALL = (Source.ENGLISH, Source.FRENCH, Source.OLDER_HELP, Source.NEWER_HELP)
BOOKS = (Source.ENGLISH, Source.FRENCH)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as people read it."""

    topic: Topic
    title: str
    """A marked sentence, as are the next."""
    sentences: tuple[str, ...]
    sources: tuple[Source, ...]
    example: str = ""
    """A layout that shows it; empty where nothing is to be drawn."""


_BY_COLOUR = mark(
    "A tile that rests on one tile alone is an overhang: it must have the colour of that tile, "
    "and must not be heavier."
)
_BY_WEIGHT = mark(
    "A tile that rests on one tile alone is an overhang: it must have the colour or the weight of "
    "that tile, and must not be heavier."
)
_WOOD_FIRST = mark("Of several fires, blowtorches burn before coals.")
_BY_POSITION = mark("Of several fires, they burn from the top down, each row from left to right.")
_NEWER = mark(
    "On an explosion the incendiaries that caused it leave the game, and every tile that touches "
    "one goes under the pile."
)
_OLDER = mark(
    "On an explosion the incendiaries and the tiles that they would have burned leave the game, "
    "and every tile that touches one goes under the pile."
)
DIE_MEANS = mark(
    "1, 2, 3: fire, the incendiary stays · 4: fire, it leaves the game · 5: explosion · 6: smoke, "
    "nothing burns"
)

_RULES = (
    Rule(
        Topic.MAYHEM,
        mark("Mayhem"),
        (
            mark(
                "Mayhem is everything that happens to a pyramid by itself: a tile in free air, a "
                "collapse, an explosion, a fire or a curse."
            ),
            mark("After each of them the pyramid is checked again, until it is stable."),
        ),
        ALL,
    ),
    Rule(
        Topic.PLACING,
        mark("Where a tile may be placed"),
        (
            mark(
                "Gaps come first: a place on two tiles, or a gap in the base. Only where there is "
                "none, the base grows at one of its ends."
            ),
            mark("You may place a tile that causes mayhem, but you must place one."),
        ),
        ALL,
        "R40 B20 G60/R4 -",
    ),
    Rule(
        Topic.AIR,
        mark("Free air"),
        (
            mark(
                "A tile above the base that rests on nothing slides down one row, to the left "
                "or to the right."
            ),
            mark("Nothing comes off the pyramid for that."),
        ),
        (Source.NEWER_HELP,),
        "R40 - - B20/- G10 -",
    ),
    Rule(
        Topic.COLLAPSE,
        mark("Collapse"),
        (
            mark(
                "A tile needs the colour or the weight of one of the two tiles below it, and must "
                "not be heavier than the two together."
            ),
            mark("Otherwise these two go under the pile, the left one first, and the tile falls one row."),
        ),
        ALL,
        "R40 B20/Y100",
    ),
    Rule(
        Topic.OVERHANG,
        mark("Overhang"),
        (_BY_COLOUR, mark("Otherwise the tile below goes under the pile, and the overhang falls one row.")),
        (Source.OLDER_HELP, Source.NEWER_HELP),
        "R40 -/B20",
    ),
    Rule(
        Topic.FALL,
        mark("Fall"),
        (
            mark("A tile that falls slides down one row, to the left or to the right."),
            mark("The player who pays chooses the side; in a family's missed mayhem all choose together."),
        ),
        ALL,
        "R40 B20/Y100",
    ),
    Rule(
        Topic.EXPLOSION,
        mark("Explosion"),
        (
            mark(
                "Two or more incendiary tiles (coals, blowtorches) that touch explode "
                "together and leave the game."
            ),
            mark("Every tile that touches one of them goes under the pile."),
        ),
        ALL,
        "B20 R7 B7 R40",
    ),
    Rule(
        Topic.FIRE,
        mark("Fire"),
        (
            mark(
                "A coal burns the straw that it touches, a blowtorch straw and wood, and so "
                "on from tile to tile."
            ),
            mark("What burns goes under the pile; then the incendiary leaves the game. Stone never burns."),
        ),
        ALL,
        "B60 B7 B20/B2 B10",
    ),
    Rule(
        Topic.FIRE_ORDER,
        mark("Several fires"),
        (_WOOD_FIRST, mark("After each fire the pyramid is checked again.")),
        (Source.FRENCH,),
    ),
    Rule(
        Topic.CURSE,
        mark("The curse"),
        (
            mark(
                "Three tiles of one weight, one of them on the two others, go under the "
                "previous player's pile."
            ),
            mark("From then on the previous player pays and chooses, until the pyramid is stable."),
        ),
        (Source.FRENCH, Source.OLDER_HELP, Source.NEWER_HELP),
        "R40 B40/G40",
    ),
    Rule(
        Topic.DIE,
        mark("The fire die"),
        (mark("If the tile that was just placed makes a fire, a die is rolled."), DIE_MEANS, _NEWER),
        (Source.NEWER_HELP,),
    ),
    Rule(
        Topic.ORDER,
        mark("What comes first"),
        (
            mark("First free air, then collapses, explosions, fires and at last the curse."),
            mark("Of two of a kind the higher one comes first, then the one farther left."),
        ),
        ALL,
    ),
    Rule(
        Topic.BEGINNING,
        mark("The beginning"),
        (
            mark("Everybody gets as many tiles; those left over are laid side by side and begin the base."),
            mark("Incendiaries among them leave the game."),
        ),
        BOOKS,
    ),
    Rule(
        Topic.TURN,
        mark("A turn"),
        (
            mark("Place one tile, resolve what it causes, and draw back to five tiles."),
            mark("What you must take goes under your pile."),
        ),
        ALL,
    ),
    Rule(
        Topic.MISSED_FAMILY,
        mark("Missed mayhem, family"),
        (
            mark("Mayhem that nobody saw in time is resolved as soon as somebody finds it."),
            mark("Nobody pays: what comes off until the pyramid is stable leaves the game."),
        ),
        (Source.FRENCH,),
    ),
    Rule(
        Topic.MISSED_STRATEGY,
        mark("Missed mayhem, strategy"),
        (
            mark("The next player checks and says OK, and with that takes over what was missed."),
            mark("Mayhem found later is paid and directed by the player whose turn it is then."),
        ),
        (Source.FRENCH,),
    ),
    Rule(
        Topic.QUESTION,
        mark("Questions"),
        (
            mark(
                "The referee asks where it cannot see which tile lies there, or where the "
                "rules do not fit the table."
            ),
            mark("It announces nothing that depends on the answer, and the game can go on."),
        ),
        (Source.APP,),
    ),
    Rule(
        Topic.WINNING,
        mark("The winner"),
        (
            mark("Who has no tile left at the end of the own turn, mayhem included, wins."),
            mark("In the strategy game the next player must have said OK first."),
        ),
        BOOKS,
    ),
)


def rules_of(options: Options) -> list[Rule]:
    """Return all rules as a game with these options plays them."""
    return [_as_agreed(rule, options) for rule in _RULES]


def _as_agreed(rule: Rule, options: Options) -> Rule:
    """Return a rule with the sentence that was agreed on, where there are two."""
    first, *others = rule.sentences
    if rule.topic is Topic.OVERHANG and options.overhang is Overhang.COLOUR_OR_WEIGHT:
        return Rule(rule.topic, rule.title, (_BY_WEIGHT, *others), (Source.FRENCH,), rule.example)
    if rule.topic is Topic.FIRE_ORDER and options.fire_order is FireOrder.POSITION:
        return Rule(rule.topic, rule.title, (_BY_POSITION, *others), (Source.ENGLISH, Source.NEWER_HELP))
    if rule.topic is Topic.DIE and options.fire_die is FireDie.OLDER:
        sources = (Source.FRENCH, Source.OLDER_HELP)
        return Rule(rule.topic, rule.title, (first, others[0], _OLDER), sources)
    return rule


def source_sentence(sources: Iterable[Source]) -> str:
    """Return where a rule stands."""
    return say("Source: {sources}", sources=_(", ").join(_(source.value) for source in sources))
