"""What the referee asks: the kind of question, the places it is about, and every answer that fits. Rule 5."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from referee.rules.game import Action, Place
from referee.rules.layout import Layout, place_number, row_of, slot_of
from referee.rules.tiles import TILES, Colour, Material, Tile
from referee.search.hypotheses import roll_of, told_roll
from referee.search.mistakes import find_differences
from referee.tracking.inputs import Answered, Reply

MAX_NAMED = 4
"""Most tiles that a question about one place names; where more are possible, any tile may be the answer."""


class QuestionKind(Enum):
    """What a question asks."""

    WHICH_TILE = "which-tile"
    """Which tile lies in a place."""
    WHICH_COLOUR = "which-colour"
    """Which colour several tiles have that look alike."""
    EXCHANGED = "exchanged"
    """Which of two tiles lies in a place: the known one, or the one that is read there now."""
    UNSEEN_TILE = "unseen-tile"
    """Which tile was placed, and came off again before it was seen."""
    PLACED_FIRST = "placed-first"
    """Which of several tiles was placed first."""
    ROLL = "roll"
    """What the fire die showed."""
    WAS_ROLLED = "was-rolled"
    """Whether the fire die was rolled, and what it showed."""
    UNCLEAR = "unclear"
    """What happened; nothing in particular can be named."""
    NO_PLACE = "no-place"
    """Whether a tile is right where it lies, though it may not be placed there."""
    PUT_BACK = "put-back"
    """Whether the table is right without tiles that the rules leave lying."""
    TAKE_OFF = "take-off"
    """Whether the table is right with tiles that the rules do not lead to."""
    MOVE_BACK = "move-back"
    """Whether the table is right with tiles in places that the rules do not lead to."""
    PUT_RIGHT = "put-right"
    """Whether the table is right, though several things about it are not as the rules lead to."""
    FIRST_TABLE = "first-table"
    """Whether a game has begun with tiles that lie on the first table, though they cannot lie there first."""
    UNLIKELY = "unlikely"
    """Whether the table is right, though the rules lead to it in a contrived way alone."""
    LOST = "lost"
    """What lies on the table; the referee does not know any more how the game stands."""
    PLACED_LAST = "placed-last"
    """Who placed the last tile, where nobody saw all that was placed."""
    LEFT_OVER = "left-over"
    """Whether the tiles that are missing from the left-over ones are incendiaries, which leave the game."""


@dataclass(frozen=True, slots=True)
class AskedPlace:
    """One place that a question is about."""

    row: int
    slot: int
    """In the layout of the announcement."""
    codes: tuple[str, ...]
    """What may lie there or was placed there, likeliest first; empty where nothing is known."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer that fits a question."""

    reply: Reply
    code: str | None = None
    """With `Reply.TILE`: the tile."""
    row: int | None = None
    """With `Reply.TILE`: the place, where the question is about one."""
    slot: int | None = None
    roll: int | None = None
    """With `Reply.ROLL`: 1 to 6; 0: nobody rolled the die."""
    colour: Colour | None = None
    """With `Reply.COLOUR`: the colour of all tiles that the question is about."""
    player: int | None = None
    """With `Reply.PLAYER`: who, from 0."""

    def at(self, time_s: float) -> Answered:
        """Return what the follower is told when somebody gives this answer."""
        about = self.code, self.row, self.slot, self.roll, self.colour, self.player
        return Answered(time_s, self.reply, *about)


AS_IT_LIES = Answer(Reply.AS_IT_LIES)
MENDED = Answer(Reply.MENDED)
NO_TILE = Answer(Reply.NO_TILE)


@dataclass(frozen=True, slots=True)
class Question:
    """A question with every answer that fits it."""

    kind: QuestionKind
    places: tuple[AskedPlace, ...] = ()
    tiles: tuple[Tile, ...] = ()
    """The tiles that it names, likeliest first."""
    answers: tuple[Answer, ...] = ()
    """At least one, but for `takes_any_tile`; the likeliest first."""
    left_over: int = 0
    """With `LEFT_OVER`: how many tiles nobody gets."""
    lying: int = 0
    """With `LEFT_OVER`: how many of them are seen."""

    @property
    def asks_laid(self) -> bool:
        """Whether a tile came after it was asked for the last left-over one: is it that, or was it placed?"""
        return self.kind is QuestionKind.LEFT_OVER and bool(self.tiles)

    @property
    def takes_any_tile(self) -> bool:
        """Whether a tile that is not among the answers may be the right one, in the first place named."""
        return self.kind is QuestionKind.WHICH_TILE

    def answer_with(self, code: str) -> Answer | None:
        """Return the answer that names a tile; None where no such answer fits."""
        for answer in self.answers:
            if answer.reply is Reply.TILE and answer.code == code:
                return answer
        if not self.takes_any_tile or code not in TILES:
            return None
        return Answer(Reply.TILE, code, self.places[0].row, self.places[0].slot)

    def stays_open_with(self, answer: Answer) -> bool:
        """Whether an answer fits that decides nothing: the game goes on, and what was asked is left open."""
        fits = answer in self.answers and answer.reply is Reply.AS_IT_LIES
        return fits and self.kind in _MAY_STAY_OPEN


_MAY_STAY_OPEN = {
    QuestionKind.WHICH_TILE,
    QuestionKind.WHICH_COLOUR,
    QuestionKind.UNSEEN_TILE,
    QuestionKind.PLACED_FIRST,
    QuestionKind.ROLL,
    QuestionKind.WAS_ROLLED,
}

Alternative = tuple[Layout, Sequence[Action]]
"""A table, and how it came about since the game was certain."""


def ask_which(alternatives: Sequence[Alternative], at: int) -> Question:
    """Return what to ask when several explanations remain, the likeliest first.

    The game may always go on with the likeliest of them; what is in doubt is then left open.

    Args:
        alternatives: The explanations.
        at: Index of the first action that is in doubt.
    """
    codes: dict[tuple[int, int, bool], list[str]] = {}
    for layout, actions in alternatives:
        action = actions[at] if at < len(actions) else None
        if not isinstance(action, Place):
            return _ask_unplaced(alternatives, at)
        place = layout.find(action.tile)
        where = (action.row, max(action.slot, 0)) if place is None else (row_of(place), slot_of(place))
        found = codes.setdefault((*where, place is not None), [])
        if action.tile.code not in found:
            found.append(action.tile.code)
    unnamed = max(codes, key=lambda place: len(codes[place]))
    if len(codes) > 1 and len(codes[unnamed]) > 1 and all(is_seen for _, _, is_seen in codes):
        codes = {unnamed: codes[unnamed]}  # what it is first: none of those named may be right (film 420018)
    places = tuple(AskedPlace(row, slot, tuple(named)) for (row, slot, _), named in codes.items())
    (_row, _slot, is_seen), *others = codes
    kind = QuestionKind.PLACED_FIRST if others else QuestionKind.WHICH_TILE
    if not is_seen:
        kind = QuestionKind.UNSEEN_TILE
    return _ask_tiles(kind, places, may_go_on=True)


def _ask_unplaced(alternatives: Sequence[Alternative], at: int) -> Question:
    """Return what to ask where not all that may have happened begins with a placement."""
    likeliest = alternatives[0][0]
    differences = [find_differences(likeliest, layout) for layout, _ in alternatives[1:]] or [()]
    rolls = {roll_of(actions[at:]) for _, actions in alternatives}
    if not differences[0] and len(rolls) > 1:
        was_rolled = 0 not in rolls
        kind = QuestionKind.ROLL if was_rolled else QuestionKind.WAS_ROLLED
        # Only these rolls lead to what is seen.
        answers = tuple(Answer(Reply.ROLL, roll=roll) for roll in range(7) if told_roll(roll) in rolls)
        return Question(kind, answers=(*answers, AS_IT_LIES))
    found = [each for between in differences for each in between]
    if len({(each.row, each.slot) for each in found}) == 1:
        # What else is open is asked once it is known which tile lies there (film 404089).
        tiles = [tile for tile in (found[0].expected, *(each.seen for each in found)) if tile is not None]
        return ask_unread(place_number(found[0].row, found[0].slot), [*dict.fromkeys(tiles)], may_go_on=True)
    return Question(QuestionKind.UNCLEAR, answers=(AS_IT_LIES, MENDED))


def ask_unread(place: int, likely: Sequence[Tile] = (), *, may_go_on: bool = False) -> Question:
    """Return what to ask about a tile that cannot be told, and that is probably one of a few, if of any.

    Args:
        place: Its place number.
        likely: What it may be, likeliest first.
        may_go_on: Whether the game may go on without an answer.
    """
    asked = AskedPlace(row_of(place), slot_of(place), tuple(tile.code for tile in likely))
    return _ask_tiles(QuestionKind.WHICH_TILE, (asked,), may_go_on=may_go_on)


def ask_at_first(place: int, likely: Sequence[Tile]) -> Question:
    """Return what to ask about a thing on the first table, which may be no tile.

    Args:
        place: Its place number.
        likely: What it may be, likeliest first.
    """
    return or_no_tile(ask_unread(place, likely))


def or_no_tile(question: Question) -> Question:
    """Return a question about a tile to which that it is none is an answer, too."""
    return replace(question, answers=(*question.answers, NO_TILE))


def _ask_tiles(kind: QuestionKind, places: tuple[AskedPlace, ...], *, may_go_on: bool) -> Question:
    """Return a question whose answer is a tile; where it may be almost any, none is named."""
    tiles = _named(places)
    answers = [Answer(Reply.TILE, code, place.row, place.slot) for place in places for code in place.codes]
    return Question(
        kind,
        places,
        tiles if len(tiles) <= MAX_NAMED else (),
        (*answers, *([AS_IT_LIES] if may_go_on else [])),
    )


def _named(places: Iterable[AskedPlace]) -> tuple[Tile, ...]:
    """Return the tiles of some places, each once."""
    return tuple(TILES[code] for code in dict.fromkeys(code for place in places for code in place.codes))


def ask_about_table(expected: Layout, seen: Layout, *, hardly: bool = False) -> Question:
    """Return what to ask about a table that the rules forbid, or hardly lead to."""
    places: list[AskedPlace] = []
    for found in find_differences(seen, expected):
        codes = [tile.code for tile in (found.expected, found.seen) if tile is not None]
        places.append(AskedPlace(found.row, found.slot, tuple(codes)))
    answers: tuple[Answer, ...] = (AS_IT_LIES, MENDED)
    if not places:
        return Question(QuestionKind.UNCLEAR, answers=answers)
    known, lying = list(expected.cells.values()), list(seen.cells.values())
    tiles = _named(places)
    kind, are_new = QuestionKind.PUT_RIGHT, all(tile not in known for tile in tiles)
    if hardly:
        kind = QuestionKind.UNLIKELY
    elif len(places) == 1 and len(lying) == len(known) + 1:
        kind, tiles = QuestionKind.NO_PLACE, tiles[:1]
    elif all(tile in known and tile in lying for tile in tiles):
        kind = QuestionKind.MOVE_BACK
    elif all(tile not in lying for tile in tiles):
        kind = QuestionKind.PUT_BACK
    elif are_new:
        kind = QuestionKind.TAKE_OFF
    if are_new or kind is QuestionKind.NO_PLACE:
        answers = (*answers, NO_TILE)
    return Question(kind, tuple(places), tiles, answers)


def ask_first_table(seen: Layout, numbers: Collection[int]) -> Question:
    """Return what to ask about a first table on which more lies than can lie there.

    Args:
        seen: The table.
        numbers: The numbers of the places whose tiles may be other things.
    """
    places = tuple(
        AskedPlace(row, slot, (tile.code,))
        for (row, slot), tile in seen.tiles
        if place_number(row, slot) in numbers
    )
    return Question(QuestionKind.FIRST_TABLE, places, _named(places), (NO_TILE, MENDED, AS_IT_LIES))


def ask_first(firsts: Sequence[tuple[int, Tile]]) -> Question:
    """Return what to ask where the first table has one tile more than are left over.

    Args:
        firsts: The place numbers and tiles of which one was placed.
    """
    places = tuple(AskedPlace(row_of(place), slot_of(place), (tile.code,)) for place, tile in firsts)
    return _ask_tiles(QuestionKind.PLACED_FIRST, places, may_go_on=True)


def ask_exchanged(place: int, known: Tile, seen: Tile) -> Question:
    """Return what to ask when another tile than the known one is surely read, again and again."""
    asked = AskedPlace(row_of(place), slot_of(place), (known.code, seen.code))
    return _ask_tiles(QuestionKind.EXCHANGED, (asked,), may_go_on=False)


def ask_which_colour(places: Sequence[AskedPlace], likely: Sequence[Colour]) -> Question:
    """Return what to ask about tiles that look alike in colour.

    Args:
        places: Where they lie, and what they may be.
        likely: The colours that they may have, likeliest first; any other is offered after them.
    """
    colours = dict.fromkeys([*likely, *(each for each in Colour if each is not Colour.EVERY)])
    answers = (*(Answer(Reply.COLOUR, colour=colour) for colour in colours), AS_IT_LIES)
    return Question(QuestionKind.WHICH_COLOUR, tuple(places), answers=answers)


def ask_player(players: int) -> Question:
    """Return what to ask where it is not known whose turn it is.

    Args:
        players: How many play.
    """
    answers = tuple(Answer(Reply.PLAYER, player=player) for player in range(players))
    return Question(QuestionKind.PLACED_LAST, answers=answers)


def ask_laid(left_over: int, row: Sequence[Tile], at: int) -> Question:
    """Return what to ask of a tile that came after it was asked for the last left-over one.

    Args:
        left_over: How many tiles nobody gets.
        row: As many tiles as that, side by side.
        at: Index of the one that came: it is left over as well, or an incendiary was, and it was placed.
    """
    place = AskedPlace(0, at, (row[at].code,))
    asked = ask_left_over(left_over, ())
    answers = (AS_IT_LIES, MENDED, NO_TILE)
    return replace(asked, places=(place,), tiles=(row[at],), answers=answers, lying=len(row) - 1)


def ask_left_over(left_over: int, row: Sequence[Tile]) -> Question:
    """Return what to ask where fewer left-over tiles are seen than nobody gets.

    Args:
        left_over: How many tiles nobody gets.
        row: The tiles that are seen. Where one is missing, it may be named.
    """
    missing: list[Tile] = []
    if left_over - len(row) == 1:
        missing = [tile for tile in TILES.values() if tile.material is Material.INCENDIARY]
    answers = (AS_IT_LIES, *(Answer(Reply.TILE, tile.code) for tile in missing), MENDED)
    return Question(QuestionKind.LEFT_OVER, answers=answers, left_over=left_over, lying=len(row))
