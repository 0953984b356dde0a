"""The cube game. Rule 7 (cube game's own leaflet). On its own: it shares nothing with the pyramids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product

from referee.errors import Fault, NotationError, PlacementError
from referee.formats.codec import is_far_off, json_type, of_type

Place = tuple[int, int, int]
"""(x, y, z), each 0 or more; x + y + z is 4 on the board and one less per layer."""


class Side(Enum):
    """A player, and the colour of a cube."""

    LIGHT = "light"
    DARK = "dark"

    @property
    def opponent(self) -> Side:
        """The other player."""
        return Side.DARK if self is Side.LIGHT else Side.LIGHT


SIDES = (Side.LIGHT, Side.DARK)
BOARD_SUM = 4
PLACES: tuple[Place, ...] = tuple(
    sorted(
        ((x, y, z) for x, y, z in product(range(BOARD_SUM + 1), repeat=3) if x + y + z <= BOARD_SUM),
        key=lambda place: (sum(place), place),
        reverse=True,
    )
)
"""All 35 places, from the board up, each layer in falling order. Rule 7."""

_STEPS = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
BELOW: Mapping[Place, tuple[Place, ...]] = {
    (x, y, z): tuple((x + i, y + j, z + k) for i, j, k in _STEPS) if x + y + z < BOARD_SUM else ()
    for x, y, z in PLACES
}
"""Place -> the three cubes that carry it; none on the board."""
ABOVE: Mapping[Place, tuple[Place, ...]] = {
    (x, y, z): tuple((x - i, y - j, z - k) for i, j, k in _STEPS if x >= i and y >= j and z >= k)
    for x, y, z in PLACES
}
"""Place -> the places that it helps to carry."""

AXES = ("x", "y", "z")


@dataclass(frozen=True, slots=True)
class Move:
    """A cube placed."""

    at: Place
    colour: Side


@dataclass(frozen=True, slots=True)
class Hand:
    """The cubes that a player holds."""

    light: int
    dark: int

    def count(self, colour: Side) -> int:
        """Return how many cubes of a colour are left."""
        return self.light if colour is Side.LIGHT else self.dark

    def without(self, colour: Side) -> Hand:
        """Return the hand with one cube of a colour less."""
        if colour is Side.LIGHT:
            return replace(self, light=self.light - 1)
        return replace(self, dark=self.dark - 1)

    @property
    def is_empty(self) -> bool:
        """Whether no cube is left."""
        return self.light == self.dark == 0


@dataclass(frozen=True, slots=True)
class CubeGame:
    """One moment of a cube game. Rule 7."""

    moves: tuple[Move, ...] = ()
    light: Hand = Hand(light=13, dark=5)
    """Light's cubes (leaflet, preparation)."""
    dark: Hand = Hand(light=5, dark=13)
    turn: Side | None = Side.LIGHT
    """Who places the next cube; Light starts. None once the pyramid is complete."""
    bonus: tuple[Place, ...] = ()
    """Spaces that the player on turn owes now, from the board up."""

    def hand(self, side: Side) -> Hand:
        """Return a player's cubes."""
        return self.light if side is Side.LIGHT else self.dark

    @property
    def board(self) -> dict[Place, Side]:
        """Place -> colour of the cube there, in the order of `PLACES`."""
        laid = {move.at: move.colour for move in self.moves}
        return {place: laid[place] for place in PLACES if place in laid}

    @property
    def is_complete(self) -> bool:
        """Whether all 35 places are taken (leaflet, end of the game)."""
        return len(self.moves) == len(PLACES)

    @property
    def free(self) -> tuple[Place, ...]:
        """Free squares and free spaces, in the order of `PLACES`. Rule 7 (leaflet, playing the game)."""
        board = self.board
        return tuple(
            place for place in PLACES if place not in board and all(under in board for under in BELOW[place])
        )

    @property
    def source(self) -> Side | None:
        """Whose cubes the next move uses: the opponent's for a bonus. Rule 7 (leaflet, playing the game)."""
        if self.turn is None:
            return None
        return self.turn.opponent if self.bonus else self.turn

    @property
    def legal(self) -> tuple[Move, ...]:
        """Every allowed move, in the order of `PLACES`, light before dark. Rule 7."""
        source = self.source
        if source is None:
            return ()
        hand = self.hand(source)
        colours = [side for side in SIDES if hand.count(side)]
        return tuple(Move(place, colour) for place in self.bonus or self.free for colour in colours)

    def play(self, move: Move) -> CubeGame:
        """Return the game after one more cube. Rule 7 (leaflet, playing the game).

        Raises:
            PlacementError: The move is not allowed now.
        """
        source = self.source
        if self.turn is None or source is None:
            raise PlacementError(Fault.PYRAMID_COMPLETE, at=move.at)
        board = self.board
        if move.at not in BELOW:
            raise PlacementError(Fault.NO_SUCH_PLACE, at=move.at)
        if move.at in board:
            raise PlacementError(Fault.CUBE_LIES_ALREADY, at=move.at)
        if self.bonus and move.at not in self.bonus:
            raise PlacementError(
                Fault.SPACE_OWED, at=move.at, side=self.turn.value, spaces=", ".join(map(str, self.bonus))
            )
        if any(under not in board for under in BELOW[move.at]):
            raise PlacementError(Fault.NOT_A_SPACE, at=move.at)
        if not self.hand(source).count(move.colour):
            raise PlacementError(Fault.NO_CUBE_LEFT, side=source.value, colour=move.colour.value, at=move.at)
        return self._after(move, source, self.turn, board)

    def _after(self, move: Move, source: Side, turn: Side, board: dict[Place, Side]) -> CubeGame:
        """Return the game after an allowed move."""
        board = {**board, move.at: move.colour}
        hand = self.hand(source).without(move.colour)
        light, dark = (hand, self.dark) if source is Side.LIGHT else (self.light, hand)
        owed = {place for place in self.bonus if place != move.at}
        owed.update(
            place for place in ABOVE[move.at] if len({board.get(under) for under in BELOW[place]}) == 1
        )
        opponent = dark if turn is Side.LIGHT else light
        bonus = () if opponent.is_empty else tuple(place for place in PLACES if place in owed)
        if len(board) == len(PLACES):
            following = None
        elif bonus or opponent.is_empty:
            following = turn
        else:
            following = turn.opponent
        return CubeGame((*self.moves, move), light, dark, following, bonus)

    @property
    def faces(self) -> dict[str, dict[Side, int]]:
        """Axis -> cubes of each colour on the face where that coordinate is 0. Rule 7 (leaflet, object)."""
        board = self.board
        return {
            axis: {
                side: sum(colour is side for place, colour in board.items() if place[number] == 0)
                for side in SIDES
            }
            for number, axis in enumerate(AXES)
        }

    @property
    def winner(self) -> Side | None:
        """Who has the most cubes on at least two faces of the complete pyramid. Rule 7 (leaflet, end)."""
        if not self.is_complete:
            return None
        won = sum(counts[Side.LIGHT] > counts[Side.DARK] for counts in self.faces.values())
        return Side.LIGHT if won >= 2 else Side.DARK


def play_moves(moves: Iterable[Move]) -> CubeGame:
    """Return the game after these moves; an error names the move by its number.

    Raises:
        PlacementError: A move is not allowed.
    """
    game = CubeGame()
    for number, move in enumerate(moves, 1):
        try:
            game = game.play(move)
        except PlacementError as error:
            raise PlacementError(Fault.IN_MOVE, number=number, problem=error) from error
    return game


def answer_request(request: Mapping[str, object]) -> dict[str, object]:
    """Return the answer to one request of `judge --game cube`.

    >>> answer_request({"moves": []})["turn"]
    'light'

    Raises:
        RefereeError: The request is bad; the fault says how.
    """
    moves = request.get("moves")
    if moves is None:
        raise NotationError(Fault.NO_MOVES)
    listed = enumerate(of_type("moves", list, moves), 1)
    return game_to_dict(play_moves([read_move(number, move) for number, move in listed]))


def read_move(number: int, move: object) -> Move:
    """Return a move of a request."""
    if type(move) is not dict:
        raise NotationError(Fault.MOVE_NOT_AN_OBJECT, number=number, found=json_type(move))
    at, colour = move.get("at"), move.get("colour")
    if type(at) is not list or len(at) != 3 or any(type(part) is not int for part in at):
        raise NotationError(Fault.MOVE_AT, number=number)
    if any(is_far_off(part) for part in at):
        raise NotationError(Fault.MOVE_FAR_OFF, number=number)
    if type(colour) is not str or colour not in ("light", "dark"):
        raise NotationError(Fault.MOVE_COLOUR, number=number)
    return Move((at[0], at[1], at[2]), Side(colour))


def game_to_dict(game: CubeGame) -> dict[str, object]:
    """Return a game as `judge --game cube` answers it."""
    return {
        "board": {",".join(map(str, place)): colour.value for place, colour in game.board.items()},
        "turn": game.turn.value if game.turn else None,
        "bonus": [list(place) for place in game.bonus],
        "hands": {
            owner.value: {side.value: game.hand(owner).count(side) for side in SIDES} for owner in SIDES
        },
        "legal": [{"at": list(move.at), "colour": move.colour.value} for move in game.legal],
        "complete": game.is_complete,
        "faces": {
            axis: {side.value: count for side, count in counts.items()} for axis, counts in game.faces.items()
        },
        "winner": game.winner.value if game.winner else None,
    }
