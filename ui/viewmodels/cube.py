"""The cube game as the page shows it: the game with undo and redo, and everything to be said. No widgets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from referee.cube.game import BELOW, PLACES, SIDES, CubeGame, Hand, Move, Place, Side
from referee.cube.record import read_lines, write_lines
from referee.errors import RecordError
from ui.text import cube as texts
from ui.text.catalogue import say
from vision.files import replacing


@dataclass(frozen=True, slots=True)
class CubePlaceView:
    """One place of the pyramid."""

    at: Place
    colour: Side | None
    """Of the cube there; None where there is none yet."""
    is_legal: bool
    is_owed: bool
    is_last: bool
    """Whether the cube there was placed last."""


@dataclass(frozen=True, slots=True)
class FaceView:
    """How a face of the pyramid stands."""

    axis: str
    light: int
    dark: int


@dataclass(frozen=True, slots=True)
class CubeView:
    """Everything that the page shows at one moment."""

    places: tuple[CubePlaceView, ...]
    """From the board up; without those that nothing carries yet."""
    headline: str
    sentence: str
    turn: Side | None
    source: Side | None
    """Whose cubes are placed now."""
    chosen: Side
    """The colour of the next cube."""
    hands: dict[Side, Hand]
    faces: tuple[FaceView, ...]
    winner: Side | None
    can_undo: bool
    can_redo: bool


class CubeViewModel:
    """Holds a cube game; every method leaves it sound, and calls `on_change`."""

    def __init__(self, game: CubeGame | None = None) -> None:
        self.on_change: Callable[[], None] = lambda: None
        """Called after each change; the page sets it."""
        self._past: list[CubeGame] = []
        self._game = game or CubeGame()
        self._future: list[CubeGame] = []
        self._chosen = Side.LIGHT

    @property
    def game(self) -> CubeGame:
        """The game as it stands."""
        return self._game

    def view(self) -> CubeView:
        """Return what there is to be seen, in the chosen language."""
        game = self._game
        board, legal = game.board, {move.at for move in game.legal}
        last = game.moves[-1].at if game.moves else None
        return CubeView(
            places=tuple(
                CubePlaceView(at, board.get(at), at in legal, at in game.bonus, at == last)
                for at in PLACES
                if all(under in board for under in BELOW[at])
            ),
            headline=self._headline(),
            sentence=self._sentence(),
            turn=game.turn,
            source=game.source,
            chosen=self._colour(),
            hands={side: game.hand(side) for side in SIDES},
            faces=tuple(
                FaceView(axis, counts[Side.LIGHT], counts[Side.DARK]) for axis, counts in game.faces.items()
            ),
            winner=game.winner,
            can_undo=bool(self._past),
            can_redo=bool(self._future),
        )

    def choose(self, colour: Side) -> None:
        """Choose the colour of the next cube; one that is used up cannot be chosen."""
        if self._has(colour):
            self._chosen = colour
            self.on_change()

    def place(self, at: Place) -> bool:
        """Place a cube of the chosen colour, and return whether that was allowed."""
        move = Move(at, self._colour())
        if move not in self._game.legal:
            return False
        self._past.append(self._game)
        self._future.clear()
        self._game = self._game.play(move)
        self.on_change()
        return True

    def undo(self) -> None:
        """Take the last cube back."""
        if self._past:
            self._future.append(self._game)
            self._game = self._past.pop()
            self.on_change()

    def redo(self) -> None:
        """Place the cube again that was taken back last."""
        if self._future:
            self._past.append(self._game)
            self._game = self._future.pop()
            self.on_change()

    def begin_anew(self) -> None:
        """Begin a new game; undo brings the old one back."""
        if self._game.moves:
            self._past.append(self._game)
            self._future.clear()
            self._game = CubeGame()
            self.on_change()

    def save(self, path: Path) -> None:
        """Write the game to a file.

        Raises:
            OSError: It cannot be written there.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path, sync=True) as beside:
            beside.write_text("".join(f"{line}\n" for line in write_lines(self._game)), encoding="utf-8")

    def open(self, path: Path) -> RecordError | None:
        """Go on with a saved game; returns what is wrong with its end, if anything.

        Raises:
            RecordError: It is no saved cube game; the present game stays.
            OSError: It cannot be read; the present game stays.
        """
        # Bytes that are no text stay visible as faults of their line.
        loaded = read_lines(path.read_bytes().decode(errors="surrogateescape").splitlines())
        game = CubeGame()
        past = []
        for move in loaded.game.moves:
            past.append(game)
            game = game.play(move)
        self._past, self._game, self._future = past, game, []
        self.on_change()
        return loaded.problem

    def _has(self, colour: Side) -> bool:
        source = self._game.source
        return source is not None and bool(self._game.hand(source).count(colour))

    def _colour(self) -> Side:
        """Return the chosen colour, or the other one where that is used up."""
        return self._chosen if self._has(self._chosen) or self._game.turn is None else self._chosen.opponent

    def _headline(self) -> str:
        game = self._game
        if game.winner is not None:
            return say(texts.WINS[game.winner])
        assert game.turn is not None
        return say((texts.BONUS if game.bonus else texts.TURN)[game.turn])

    def _sentence(self) -> str:
        game = self._game
        if game.winner is not None:
            won = sum(counts[game.winner] > counts[game.winner.opponent] for counts in game.faces.values())
            return say(texts.WON_FACES, count=won)
        assert game.turn is not None
        assert game.source is not None
        if len(game.bonus) > 1:
            return say(texts.BONUSES_FROM[game.source], count=len(game.bonus))
        if game.bonus:
            return say(texts.BONUS_FROM[game.source])
        if game.hand(game.turn.opponent).is_empty:
            return say(texts.PASSES[game.turn.opponent])
        return say(texts.PLACE)
