"""What a follower is told, to JSON and back."""

from __future__ import annotations

from collections.abc import Mapping

from referee.errors import Fault, NotationError
from referee.formats.codec import (
    as_number,
    as_whole,
    flag_of,
    list_of,
    of_type,
    optional_whole_of,
    text_of,
    whole_of,
)
from referee.rules.layout import MAX_BASE, Layout
from referee.rules.tiles import Colour, Tile
from referee.search.observation import ObservedGroup, ObservedTile, Settled
from referee.tracking.inputs import Answered, CheckCalled, Corrected, Input, Noticed, Reply

MAX_TILES = 256
"""Most tiles of one settled table; a reader may see things that are none, but not as many."""
MAX_TEXT = 1000
"""Longest notice, in characters."""


def input_to_dict(heard: Input) -> dict[str, object]:
    """Return an input for JSON."""
    match heard:
        case Settled(time_s, tiles, hidden, groups, lifted, left_out):
            told: dict[str, object] = {}
            if groups:
                told["groups"] = [_group_to_dict(group) for group in groups]
            if lifted:
                told["lifted"] = [*lifted]
            if left_out:
                told["left_out"] = True
            return {
                "input": "settled", "time_s": time_s, "tiles": [_tile_to_dict(tile) for tile in tiles],
                "hidden": hidden, **told,
            }  # fmt: skip
        case CheckCalled(time_s, player):
            return {"input": "check", "time_s": time_s, "player": player}
        case Answered(time_s, reply, code, row, slot, roll, colour, player):
            return {"input": "answer", "time_s": time_s, "reply": reply.value, "code": code,
                    "row": row, "slot": slot, "roll": roll,
                    **({"colour": colour.value} if colour else {}),
                    **({} if player is None else {"player": player})}  # fmt: skip
        case Corrected(time_s, layout, stocks, out, turn):
            return {
                "input": "correction", "time_s": time_s, "layout": str(layout),
                "stocks": None if stocks is None else list(stocks),
                "out": None if out is None else [tile.code for tile in out],
                "turn": turn,
            }  # fmt: skip
    return {"input": "notice", "time_s": heard.time_s, "text": heard.text}


def _tile_to_dict(tile: ObservedTile) -> dict[str, object]:
    return {"row": tile.row, "slot": tile.slot, "codes": [[code, chance] for code, chance in tile.codes],
            "sure": tile.sure, "covered": tile.covered,
            **({"lay_first": True} if tile.lay_first else {})}  # fmt: skip


def _group_to_dict(group: ObservedGroup) -> dict[str, object]:
    return {"places": [[row, slot] for row, slot in group.places],
            "colours": [[colour.value, chance] for colour, chance in group.colours]}  # fmt: skip


def input_from_dict(found: Mapping[str, object]) -> Input:
    """Return the input that a JSON object describes.

    Raises:
        NotationError: It describes none.
        TileError: It names a tile that does not exist.
    """
    kind, time_s = found.get("input"), as_number("time_s", found.get("time_s"))
    match kind:
        case "settled":
            tiles = tuple(_observed_tile(each) for each in list_of(found, "tiles", MAX_TILES))
            groups = list_of(found, "groups", MAX_TILES) if "groups" in found else []
            lifted = list_of(found, "lifted", MAX_TILES) if "lifted" in found else []
            return Settled(
                time_s,
                tiles,
                flag_of(found, "hidden"),
                tuple(map(_observed_group, groups)),
                tuple(Tile.from_code(of_type("lifted", str, code)).code for code in lifted),
                "left_out" in found and flag_of(found, "left_out"),
            )
        case "check":
            return CheckCalled(time_s, optional_whole_of(found, "player", 0, 5))
        case "answer":
            code = found.get("code")
            if code is not None:
                code = Tile.from_code(text_of(found, "code")).code
            row, slot = (optional_whole_of(found, key, 0, MAX_BASE) for key in ("row", "slot"))
            roll = optional_whole_of(found, "roll", 0, 6)
            colour = _colour(text_of(found, "colour")) if found.get("colour") is not None else None
            player = optional_whole_of(found, "player", 0, 5)
            return Answered(time_s, _reply(text_of(found, "reply")), code, row, slot, roll, colour, player)
        case "correction":
            return _corrected(found, time_s)
        case "notice":
            return Noticed(time_s, text_of(found, "text")[:MAX_TEXT])
    raise NotationError(Fault.UNKNOWN_INPUT, kind=kind)


def _reply(text: str) -> Reply:
    """Return a reply by its name."""
    for reply in Reply:
        if reply.value == text:
            return reply
    raise NotationError(Fault.UNKNOWN_INPUT, kind=text)


def _colour(letter: str) -> Colour:
    """Return the colour of a group of tiles by its letter."""
    for colour in Colour:
        if colour.value == letter and colour is not Colour.EVERY:
            return colour
    raise NotationError(Fault.UNKNOWN_INPUT, kind=letter)


def _corrected(found: Mapping[str, object], time_s: float) -> Corrected:
    """Return a correction."""
    layout = Layout.parse(text_of(found, "layout"))
    stocks = out = None
    if found.get("stocks") is not None:
        stocks = tuple(as_whole("stocks", each, 0, 45) for each in list_of(found, "stocks", 6))
    if found.get("out") is not None:
        out = tuple(Tile.from_code(of_type("out", str, each)) for each in list_of(found, "out", 45))
    return Corrected(time_s, layout, stocks, out, optional_whole_of(found, "turn", 1, MAX_BASE))


def _observed_group(found: object) -> ObservedGroup:
    """Return tiles of one colour on a settled table."""
    group = of_type("a group", dict, found)
    places = [_pair("places", pair) for pair in list_of(group, "places", MAX_TILES)]
    colours = [_pair("colours", pair) for pair in list_of(group, "colours", len(Colour))]
    return ObservedGroup(
        tuple(
            (as_whole("places", row, 0, MAX_BASE), as_whole("places", slot, 0, MAX_BASE))
            for row, slot in places
        ),
        tuple(
            (_colour(of_type("colours", str, each)), as_number("colours", chance, 1.0))
            for each, chance in colours
        ),
    )


def _pair(key: str, found: object) -> tuple[object, object]:
    """Return the two values of a list."""
    parts = of_type(key, list, found)
    if len(parts) != 2:
        raise NotationError(Fault.NOT_A_PAIR, key=key)
    return parts[0], parts[1]


def _observed_tile(found: object) -> ObservedTile:
    """Return one tile of a settled table."""
    tile = of_type("a tile", dict, found)
    codes = []
    for pair in list_of(tile, "codes", 45):
        name, chance = _pair("codes", pair)
        code = Tile.from_code(of_type("codes", str, name)).code
        codes.append((code, as_number("codes", chance, 1.0)))
    row, slot = (whole_of(tile, key, 0, MAX_BASE) for key in ("row", "slot"))
    lay_first = "lay_first" in tile and flag_of(tile, "lay_first")
    sure, covered = flag_of(tile, "sure"), flag_of(tile, "covered")
    return ObservedTile(row, slot, tuple(codes), sure, covered, lay_first)
