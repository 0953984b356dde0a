"""Saved cube games: a line for what it is, then one for each move. Rule 7."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from referee.cube.game import CubeGame, read_move
from referee.errors import Fault, RecordError, RefereeError
from referee.formats.record import check_head, seal, unseal

FORMAT = "pyramid-referee cube game"
VERSION = 1


@dataclass(frozen=True, slots=True)
class LoadedCube:
    """What a file gave: everything up to its last sound line."""

    game: CubeGame
    problem: RecordError | None


def write_lines(game: CubeGame) -> Iterator[str]:
    """Yield the lines of a cube game's record, without line ends."""
    line, check = seal({"record": FORMAT, "version": VERSION}, 0)
    yield line
    at = CubeGame()
    for move in game.moves:
        by = at.turn.value if at.turn else None
        at = at.play(move)
        line, check = seal({"by": by, "at": list(move.at), "colour": move.colour.value}, check)
        yield line


def read_lines(lines: Iterable[str]) -> LoadedCube:
    """Return the game that the lines tell, up to the last sound one.

    Raises:
        RecordError: Not even the first line can be read.
    """
    lines = iter(lines)
    line, check = unseal(next(lines, ""), 1, 0)
    check_head(line, FORMAT, VERSION)
    game = CubeGame()
    for number, text in enumerate(lines, 2):
        try:
            line, check = unseal(text, number, check)
            move = read_move(number - 1, line)
            game = game.play(move)
        except RecordError as error:
            return LoadedCube(game, error)
        except RefereeError as error:
            return LoadedCube(game, RecordError(Fault.IN_LINE, number=number, problem=error))
    return LoadedCube(game, None)
