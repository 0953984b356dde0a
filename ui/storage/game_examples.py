"""What the games have taught of their tiles: pictures, each with the tile that it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ui.storage.database import Database


@dataclass(frozen=True, slots=True)
class StoredExample:
    """A picture of one tile that a game was certain of."""

    code: str
    input: int
    """The number, among the game's inputs, of that at which it was learned; of each only one of a tile."""
    is_told: bool
    """Whether a player said which tile it is."""
    png: bytes


class GameExamples:
    """The pictures of one game. May be used from any thread."""

    def __init__(self, database: Database, game: int) -> None:
        """Take the data base and the number of the game."""
        self._database, self._game = database, game

    def all(self) -> list[StoredExample]:
        """Return them in the order in which they were learned.

        Raises:
            StorageError: The file cannot be read.
        """
        with self._database.reading() as db:
            rows = db.execute(
                "SELECT code, input, told, png FROM example WHERE game = ? ORDER BY rowid", (self._game,)
            ).fetchall()
        return [StoredExample(code, number, bool(told), bytes(png)) for code, number, told, png in rows]

    def keep(self, examples: Sequence[StoredExample]) -> None:
        """Store these, and nothing else of the game.

        Raises:
            StorageError: There is no such game, or the file cannot be written.
        """
        wanted = {(each.input, each.code): each for each in examples}
        with self._database.writing() as db:
            rows = db.execute("SELECT input, code FROM example WHERE game = ?", (self._game,)).fetchall()
            for key in set(rows) - wanted.keys():
                gone = (self._game, *key)
                db.execute("DELETE FROM example WHERE game = ? AND input = ? AND code = ?", gone)
            db.executemany(
                "INSERT INTO example VALUES (?, ?, ?, ?, ?)",
                [
                    (self._game, new.code, new.input, int(new.is_told), new.png)
                    for key, new in wanted.items()
                    if key not in set(rows)
                ],
            )
