"""Saved games: one JSON object a line, for people to read and for `load_record` to replay. Rule 5.

The first line says what was agreed; each further line is one action with what it led to, the time if
it is known, and a check sum over the line and all before it. So a line that was changed, lost or cut
off is found, and everything before it still loads.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from referee.errors import RecordError, RefereeError
from referee.rules.events import Direction
from referee.rules.game import (
    Accept,
    Action,
    Challenge,
    Choose,
    Correct,
    Game,
    Place,
    Roll,
    Setup,
    Step,
    Variant,
    Voice,
    start_game,
)
from referee.rules.layout import Layout
from referee.rules.options import read_options, write_options
from referee.rules.tiles import Tile

FORMAT = "pyramid-referee game"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Undo:
    """The last action was taken back."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a record."""

    did: Action | Undo
    time_s: float | None = None
    """Seconds since the start of the game, where a clock ran."""


@dataclass(frozen=True, slots=True)
class Record:
    """A game and how it was played."""

    setup: Setup
    entries: tuple[Entry, ...] = ()

    def game(self) -> Game:
        """Return the game at the end of the record.

        Raises:
            RefereeError: An entry does not fit the game.
        """
        game = start_game(self.setup)
        for entry in self.entries:
            game = apply_entry(game, entry)
        return game


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a file gave: everything up to its last sound line."""

    record: Record
    game: Game
    problem: RecordError | None
    """What is wrong with the line after the last sound one; None for a whole file."""


def apply_entry(game: Game, entry: Entry) -> Game:
    """Return the game after one entry of a record."""
    return game.undo() if isinstance(entry.did, Undo) else game.play(entry.did)


def seal(line: Mapping[str, object], before: int) -> tuple[str, int]:
    """Return an object as a line with its check sum, and that sum for the line after it."""
    text = json.dumps(line, ensure_ascii=False)
    check = zlib.crc32(text.encode(), before)
    return f'{text[:-1]}, "check": "{check:08x}"}}', check


def unseal(text: str, number: int, before: int) -> tuple[dict[str, object], int]:
    """Return the object of a line, and its check sum.

    Raises:
        RecordError: The line is no such object, or it was changed.
    """
    try:
        line = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError("Line {number} is cut off or no JSON.", number=number) from error
    check = line.pop("check", None) if type(line) is dict else None
    if check is None:
        raise RecordError("Line {number} is no line of a record.", number=number)
    found = zlib.crc32(json.dumps(line, ensure_ascii=False).encode(errors="surrogatepass"), before)
    if check != f"{found:08x}":
        raise RecordError("Line {number} was changed, or one before it is missing.", number=number)
    return line, found


def write_lines(record: Record) -> Iterator[str]:
    """Yield the lines of a record, without line ends.

    Raises:
        RefereeError: An entry does not fit the game.
    """
    line, check = seal(_setup_to_dict(record.setup), 0)
    yield line
    game = start_game(record.setup)
    for entry in record.entries:
        game = apply_entry(game, entry)
        line, check = seal(_entry_to_dict(entry, game), check)
        yield line


def read_lines(lines: Iterable[str]) -> Loaded:
    """Return what the lines tell, up to the last sound one.

    Raises:
        RecordError: Not even the first line can be read.
    """
    lines = iter(lines)
    line, check = unseal(next(lines, ""), 1, 0)
    setup = _setup_from_dict(line)
    entries: list[Entry] = []
    game = start_game(setup)
    problem = None
    for number, text in enumerate(lines, 2):
        try:
            line, check = unseal(text, number, check)
            entry = _entry_from_dict(line, number)
            after = apply_entry(game, entry)
            if _entry_to_dict(entry, after) != line:
                raise RecordError("Line {number} does not follow from the lines before it.", number=number)
        except RecordError as error:
            problem = error
            break
        except RefereeError as error:
            problem = RecordError("Line {number}: {problem}", number=number, problem=error)
            break
        entries.append(entry)
        game = after
    return Loaded(Record(setup, tuple(entries)), game, problem)


def save_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a file whole or not at all: a neighbour file first, which then takes its place."""
    neighbour = path.with_name(f".{path.name}.part")
    try:
        with neighbour.open("wb") as file:
            file.writelines(line.encode() + b"\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())
        neighbour.replace(path)
    finally:
        neighbour.unlink(missing_ok=True)


def save_record(path: Path, record: Record) -> None:
    """Write a record to a file, whole or not at all."""
    save_lines(path, write_lines(record))


def load_record(path: Path) -> Loaded:
    """Return what a file tells, up to its last sound line.

    Raises:
        RecordError: It is no record at all.
    """
    return read_lines(file_lines(path))


def file_lines(path: Path) -> list[str]:
    """Return the lines of a file; bytes that are no text stay visible as faults of their line."""
    return path.read_bytes().decode(errors="surrogateescape").splitlines()


def _setup_to_dict(setup: Setup) -> dict[str, object]:
    """Return the first line."""
    return {
        "record": FORMAT,
        "version": VERSION,
        "players": setup.players,
        "variant": setup.variant.value,
        "voice": setup.voice.value,
        "rules": write_options(setup.options),
        "left_over": [tile.code for tile in setup.left_over],
    }


def _setup_from_dict(line: dict[str, object]) -> Setup:
    """Return what the first line agrees."""
    if line.get("record") != FORMAT or line.get("version") != VERSION:
        raise RecordError("This is no {format} of version {version}.", format=FORMAT, version=VERSION)
    try:
        setup = Setup(
            players=_whole(line["players"]),
            variant=Variant(line["variant"]),
            voice=Voice(line["voice"]),
            options=read_options(_object(line["rules"])),
            left_over=_tiles(line["left_over"]),
        )
        start_game(setup)
    except RefereeError as error:
        raise RecordError("Line {number}: {problem}", number=1, problem=error) from error
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError("Line {number} lacks something, or has it wrong.", number=1) from error
    return setup


def _entry_to_dict(entry: Entry, after: Game) -> dict[str, object]:
    """Return a line: what was done, and the game after it."""
    line: dict[str, object] = {}
    if entry.time_s is not None:
        line["time_s"] = entry.time_s
    line |= _action_to_dict(entry.did)
    line |= {
        "turn": after.turn,
        "player": after.active,
        "layout": str(after.layout),
        "stocks": list(after.stocks),
    }
    return line


def _action_to_dict(did: Action | Undo) -> dict[str, object]:
    """Return what was done, as a record writes it."""
    match did:
        case Place(tile, row, slot):
            return {"do": "place", "tile": tile.code, "row": row, "slot": slot}
        case Choose(direction):
            return {"do": "choose", "direction": direction.value}
        case Roll(roll):
            return {"do": "roll", "roll": roll}
        case Correct(layout, stocks, out, turn):
            line: dict[str, object] = {"do": "correct", "to": str(layout), "its_stocks": list(stocks),
                                       "its_out": [tile.code for tile in out]}  # fmt: skip
            return line if turn is None else line | {"its_turn": turn}
        case _:
            return {"do": next(name for name, kind in _PLAIN.items() if isinstance(did, kind))}


_PLAIN: Mapping[str, type[Step | Accept | Challenge | Undo]] = {
    "step": Step,
    "accept": Accept,
    "challenge": Challenge,
    "undo": Undo,
}


def _entry_from_dict(line: dict[str, object], number: int) -> Entry:
    """Return what a line says was done."""
    try:
        time_s = line.get("time_s")
        if time_s is not None and not (type(time_s) is float or type(time_s) is int):
            raise TypeError
        return Entry(_action_from_dict(line), time_s)
    except RefereeError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError("Line {number} lacks something, or has it wrong.", number=number) from error


def _action_from_dict(line: dict[str, object]) -> Action | Undo:
    """Return what a line says was done."""
    do = line["do"]
    if do == "place":
        return Place(Tile.from_code(str(line["tile"])), _whole(line["row"]), _whole(line["slot"]))
    if do == "choose":
        return Choose(Direction(line["direction"]))
    if do == "roll":
        return Roll(_whole(line["roll"]))
    if do == "correct":
        stocks = tuple(_whole(count) for count in _list(line["its_stocks"]))
        turn = None if line.get("its_turn") is None else _whole(line["its_turn"])
        return Correct(Layout.parse(str(line["to"])), stocks, _tiles(line["its_out"]), turn)
    return _PLAIN[str(do)]()


def _whole(value: object) -> int:
    if type(value) is not int:
        raise TypeError
    return value


def _list(value: object) -> list[object]:
    if type(value) is not list:
        raise TypeError
    return value


def _object(value: object) -> dict[str, object]:
    if type(value) is not dict:
        raise TypeError
    return value


def _tiles(value: object) -> tuple[Tile, ...]:
    return tuple(Tile.from_code(str(code)) for code in _list(value))
