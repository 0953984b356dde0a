"""Events, needs and questions as whole sentences, in the language of the user.

The command line and the app share these sentences; no Qt is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.rules import events
from referee.rules.tiles import Colour, Kind, Tile
from referee.rules.verdict import Verdict
from ui.text.catalogue import _, mark, say

Names = Sequence[str] | int | None
"""How players are called: by these names, by numbers from 1 (the number of players), or, where only
the table is known, as the player whose turn it is and the previous one."""

_COLOURED_KINDS: Mapping[Kind, Mapping[Colour, str]] = {
    Kind.COAL: {Colour.YELLOW: mark("yellow coal {weight}"), Colour.GREEN: mark("green coal {weight}")},
    Kind.BLOWTORCH: {
        Colour.RED: mark("red blowtorch {weight}"),
        Colour.BLUE: mark("blue blowtorch {weight}"),
    },
    Kind.MILLSTONE: {Colour.EVERY: mark("millstone {weight}")},
}
_COLOURED = {
    Colour.YELLOW: mark("yellow {weight}"),
    Colour.RED: mark("red {weight}"),
    Colour.GREEN: mark("green {weight}"),
    Colour.BLUE: mark("blue {weight}"),
}
_COLOURS = {
    Colour.YELLOW: mark("yellow"),
    Colour.RED: mark("red"),
    Colour.GREEN: mark("green"),
    Colour.BLUE: mark("blue"),
}
_SHORT = {
    Kind.COAL: mark("the coal"),
    Kind.BLOWTORCH: mark("the blowtorch"),
    Kind.MILLSTONE: mark("the millstone"),
}


def tile_name(tile: Tile | str) -> str:
    """Return what people call a tile, such as "red 40" or "yellow coal 1"."""
    if isinstance(tile, str):
        tile = Tile.from_code(tile)
    pattern = _COLOURED_KINDS.get(tile.kind, _COLOURED)[tile.colour]
    return say(pattern, weight=tile.weight)


def colour_name(colour: Colour) -> str:
    """Return the name of one of the four colours, such as "red"."""
    return _(_COLOURS[colour])


def _short_name(tile: Tile) -> str:
    """Return what people call a tile that was just named."""
    return _(_SHORT[tile.kind]) if tile.kind in _SHORT else tile_name(tile)


def _listed(parts: Sequence[str], pattern: str) -> str:
    """Return some parts as a list, the last two joined by a pattern of {first} and {last}."""
    if len(parts) < 2:
        return "".join(parts)
    return say(pattern, first=_(", ").join(parts[:-1]), last=parts[-1])


def tile_names(tiles: Iterable[Tile]) -> str:
    """Return some tiles as "red 4, green 60 and blue 2"."""
    return _listed([tile_name(tile) for tile in tiles], mark("{first} and {last}"))


def either_tile(tiles: Iterable[Tile]) -> str:
    """Return some tiles of which one is meant, as "red 4, green 60 or blue 2"."""
    return _listed([tile_name(tile) for tile in tiles], mark("{first} or {last}"))


def player_name(index: int) -> str:
    """Return the name of a player who has none, such as "player 2" for index 1."""
    return say("player {number}", number=index + 1)


_ACTIVE, _PREVIOUS, _NUMBERED, _NAMED, _NOBODY = range(5)


def _role(index: int | None, names: Names) -> tuple[int, dict[str, object]]:
    """Return in which way a player is spoken of, and the values for that."""
    if index is None:
        return _NOBODY, {}
    if names is None:
        return (_ACTIVE if index == 0 else _PREVIOUS), {}
    if isinstance(names, int) or index >= len(names):  # a game from elsewhere may have fewer names
        return _NUMBERED, {"number": index + 1}
    return _NAMED, {"name": names[index]}


_PUT = {
    _ACTIVE: mark("Put {tiles} under the pile of the player whose turn it is."),
    _PREVIOUS: mark("Put {tiles} under the pile of the previous player."),
    _NUMBERED: mark("Put {tiles} under the pile of player {number}."),
    _NAMED: mark("Put {tiles} under the pile of {name}."),
    _NOBODY: mark("Take {tiles} out of the game."),
}
_PUT_AND_ASK = {
    _ACTIVE: mark(
        "Put {tiles} under the pile of the player whose turn it is, then slide {short} down, left or right."
    ),
    _PREVIOUS: mark(
        "Put {tiles} under the pile of the previous player, then slide {short} down, left or right."
    ),
    _NUMBERED: mark("Put {tiles} under the pile of player {number}, then slide {short} down, left or right."),
    _NAMED: mark("Put {tiles} under the pile of {name}, then slide {short} down, left or right."),
    _NOBODY: mark("Take {tiles} out of the game, then slide {short} down, left or right."),
}
_PUT_AND_SLIDE = {
    events.Direction.LEFT: {
        _ACTIVE: mark(
            "Put {tiles} under the pile of the player whose turn it is, then slide {short} down to the left."
        ),
        _PREVIOUS: mark(
            "Put {tiles} under the pile of the previous player, then slide {short} down to the left."
        ),
        _NUMBERED: mark(
            "Put {tiles} under the pile of player {number}, then slide {short} down to the left."
        ),
        _NAMED: mark("Put {tiles} under the pile of {name}, then slide {short} down to the left."),
        _NOBODY: mark("Take {tiles} out of the game, then slide {short} down to the left."),
    },
    events.Direction.RIGHT: {
        _ACTIVE: mark(
            "Put {tiles} under the pile of the player whose turn it is, then slide {short} down to the right."
        ),
        _PREVIOUS: mark(
            "Put {tiles} under the pile of the previous player, then slide {short} down to the right."
        ),
        _NUMBERED: mark(
            "Put {tiles} under the pile of player {number}, then slide {short} down to the right."
        ),
        _NAMED: mark("Put {tiles} under the pile of {name}, then slide {short} down to the right."),
        _NOBODY: mark("Take {tiles} out of the game, then slide {short} down to the right."),
    },
}
_ILLEGAL = {
    (2, (events.Reason.MISMATCH,)): mark("Collapse: {tile} matches neither {left} nor {right}."),
    (2, (events.Reason.OVERWEIGHT,)): mark("Collapse: {tile} is heavier than {left} and {right} together."),
    (2, (events.Reason.MISMATCH, events.Reason.OVERWEIGHT)): mark(
        "Collapse: {tile} matches neither {left} nor {right}, and is heavier than the two together."
    ),
    (1, (events.Reason.MISMATCH,)): mark(
        "Collapse: {tile} does not match {left}, the only tile it rests on."
    ),
    (1, (events.Reason.OVERWEIGHT,)): mark(
        "Collapse: {tile} is heavier than {left}, the only tile it rests on."
    ),
    (1, (events.Reason.MISMATCH, events.Reason.OVERWEIGHT)): mark(
        "Collapse: {tile} does not match {left}, the only tile it rests on, and is heavier."
    ),
}
_BURNS = {
    Kind.COAL: mark("Straw fire: {tile} burns {taken}."),
    Kind.BLOWTORCH: mark("Wood fire: {tile} burns {taken}."),
}
_BURNS_NOTHING = {
    Kind.COAL: mark("Straw fire: {tile} finds nothing left to burn."),
    Kind.BLOWTORCH: mark("Wood fire: {tile} finds nothing left to burn."),
}
_FALLEN = {
    events.Direction.LEFT: mark("Fall: {tile} slides down to the left."),
    events.Direction.RIGHT: mark("Fall: {tile} slides down to the right."),
}
_ROLLED = {
    1: mark("Fire die: {roll}, a fire, and the incendiary stays."),
    2: mark("Fire die: {roll}, a fire, and the incendiary stays."),
    3: mark("Fire die: {roll}, a fire, and the incendiary stays."),
    4: mark("Fire die: {roll}, a fire, and the incendiary leaves the game."),
    5: mark("Fire die: {roll}, an explosion."),
    6: mark("Fire die: {roll}, smoke; nothing burns."),
}
_CHOOSE = {
    _ACTIVE: mark("The player whose turn it is chooses: {tile} slides left or right."),
    _PREVIOUS: mark("The previous player chooses: {tile} slides left or right."),
    _NUMBERED: mark("Player {number} chooses: {tile} slides left or right."),
    _NAMED: mark("{name} chooses: {tile} slides left or right."),
    _NOBODY: mark("Choose together: {tile} slides left or right."),
}


def event_sentence(
    event: events.Event, names: Names = None, then: events.Fall | events.FallNeed | None = None
) -> str:
    """Return an event as whole sentences: what it is, then what the players do.

    Args:
        event: What happens.
        names: How players are called.
        then: What follows a collapse or a tile in free air, to be said in the same breath.
    """
    why = why_sentence(event)
    match event:
        case events.Air(tile):
            return why if then is None else f"{why} {_slide(tile, then)}"
        case events.Collapse(tile, _reasons, taken, payer):
            return f"{why} {_put(taken, payer, names, tile, then)}"
        case events.Fall() | events.Die():
            return why
    sentences = [why]
    if event.taken:
        sentences.append(_put(event.taken, event.payer, names))
    if removed := events.removed_by(event):
        sentences.append(say(_PUT[_NOBODY], tiles=tile_names(removed)))
    return " ".join(sentences)


def why_sentence(event: events.Event) -> str:
    """Return what an event is and why it happens, without what the players do."""
    match event:
        case events.Air(tile):
            return say("Free air: {tile} rests on nothing.", tile=tile_name(tile))
        case events.Collapse(tile, reasons, taken):
            return say(
                _ILLEGAL[len(taken), reasons],
                tile=tile_name(tile),
                left=tile_name(taken[0]),
                right=tile_name(taken[-1]),
            )
        case events.Fall(tile, direction):
            return say(_FALLEN[direction], tile=tile_name(tile))
        case events.Explosion(tiles):
            return _explosion(tiles)
        case events.Fire(tile, taken):
            pattern = (_BURNS if taken else _BURNS_NOTHING)[tile.kind]
            return say(pattern, tile=tile_name(tile), taken=tile_names(taken))
        case events.Curse(tiles):
            return say("Curse: {tiles} have the same weight.", tiles=tile_names(tiles))
        case events.Die(roll):
            return say(_ROLLED[roll], roll=roll)


def _explosion(tiles: tuple[Tile, ...]) -> str:
    """Return what explodes."""
    pattern = mark("Explosion: {tiles} touch.") if len(tiles) > 1 else mark("Explosion: {tiles} explodes.")
    return say(pattern, tiles=tile_names(tiles))


def _slide(tile: Tile, then: events.Fall | events.FallNeed) -> str:
    """Return where a tile in free air slides to, or that somebody must say."""
    if isinstance(then, events.FallNeed):
        return say("Slide {short} down, left or right.", short=_short_name(tile))
    if then.direction is events.Direction.LEFT:
        return say("Slide {short} down to the left.", short=_short_name(tile))
    return say("Slide {short} down to the right.", short=_short_name(tile))


def _put(
    taken: tuple[Tile, ...],
    payer: int | None,
    names: Names,
    falling: Tile | None = None,
    then: events.Fall | events.FallNeed | None = None,
) -> str:
    """Return what becomes of the tiles that come off, and of the tile that falls after that."""
    role, values = _role(payer, names)
    patterns = _PUT
    if isinstance(then, events.FallNeed):
        patterns = _PUT_AND_ASK
    elif then is not None:
        patterns = _PUT_AND_SLIDE[then.direction]
    values["short"] = _short_name(falling) if falling else ""
    return say(patterns[role], tiles=tile_names(taken), **values)


def needs_sentence(needs: events.Need, names: Names = None) -> str:
    """Return what must be said or rolled before the resolution can go on."""
    if isinstance(needs, events.DieNeed):
        return _("Roll the fire die.")
    role, values = _role(needs.chooser, names)
    return say(_CHOOSE[role], tile=tile_name(needs.tile), **values)


def question_sentence(codes: Sequence[str]) -> str:
    """Return the question for a tile that may be any of these, such as "Is this red 40 or red 10?"."""
    return say("Is this {tiles}?", tiles=either_tile([Tile.from_code(code) for code in codes]))


def colour_question_sentence(tiles: Iterable[str], colours: Iterable[str]) -> str:
    """Return the question for tiles that have one colour, by their codes and the colours' letters."""
    return say(
        "Which colour are these, {colours}: {tiles}?",
        tiles=tile_names(Tile.from_code(code) for code in tiles),
        colours=_listed([colour_name(Colour(letter)) for letter in colours], mark("{first} or {last}")),
    )


def covered_sentence(row: int, slot: int) -> str:
    """Return what to do about a tile that something lies over; `row` and `slot` count from 0."""
    return say(
        "The tile in row {row} from the bottom, slot {slot} from the left, is covered. Uncover it, or "
        "say which tile it is.",
        row=row + 1,
        slot=slot + 1,
    )


def cut_sentence(row: int, slot: int) -> str:
    """Return what to do about a tile that is only partly in the picture; `row` and `slot` count from 0."""
    return say(
        "The tile in row {row} from the bottom, slot {slot} from the left, is cut by the edge of the "
        "picture. Move the camera so that the whole pyramid is in the picture.",
        row=row + 1,
        slot=slot + 1,
    )


def hidden_sentence() -> str:
    """Return what to do where something lies over a place that a tile may be in."""
    return _(
        "Something lies beside the pyramid, and a tile may be under it. Take hands and things off the table."
    )


def numbered_steps(verdict: Verdict, names: Names = None) -> list[str]:
    """Return a verdict as numbered sentences, one step each; a fall is told with what it follows."""
    steps: list[str] = []
    for number, event in enumerate(verdict.events):
        after = verdict.events[number + 1 :]
        follower = after[0] if after else verdict.needs
        before = verdict.events[number - 1] if number else None
        if isinstance(event, events.Fall) and isinstance(before, (events.Air, events.Collapse)):
            continue
        then = follower if isinstance(follower, (events.Fall, events.FallNeed)) else None
        steps.append(event_sentence(event, names, then))
    if isinstance(verdict.needs, events.DieNeed):
        steps.append(needs_sentence(verdict.needs, names))
    steps = [f"{number}. {step}" for number, step in enumerate(steps, 1)]
    if not verdict.certain and steps:
        steps.append(_("As long as a tile is in doubt, I cannot say what else must be resolved."))
    elif not verdict.certain:
        steps.append(_("As long as a tile is in doubt, I cannot say what must be resolved."))
    elif not steps:
        steps.append(_("There is nothing to resolve: the pyramid is stable."))
    return steps


def in_words(value: object) -> object:
    """Return a value of a sentence as people say it; what has no words of its own stays as it is."""
    return tile_name(value) if isinstance(value, Tile) else value


def written_sentence(name: str) -> str:
    """Return that a file was written."""
    return say("Written: {name}", name=name)


def set_aside_sentence(name: str, aside: str) -> str:
    """Return that the file of the recorded games was damaged, and where it is now."""
    return say(
        "The recorded games in {name!r} were damaged. They are now in {aside!r}, and the app has begun "
        "a new file.",
        name=name,
        aside=aside,
    )
