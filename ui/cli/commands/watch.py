"""`pyramid-referee watch`: follows a camera, stream, video or folder of frames, and referees the game."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

from ui.cli.interrupts import may_break_off
from ui.cli.keyboard import Keyboard
from ui.cli.targets import check_target
from ui.errors import TOLD, ToldError
from ui.text.catalogue import _, mark, say
from ui.text.errors import NOT_WRITTEN, error_sentence
from ui.text.sentences import set_aside_sentence

if TYPE_CHECKING:
    from types import FrameType

    from referee.tracking.announcements import Announcement
    from ui.services.game_session import GameSession
    from ui.storage.game_settings import GameSettings
    from ui.storage.game_store import GameStore
    from ui.text.sentences import Names
    from vision.recognition.reader import TileReader
    from vision.sources.frame import Frame, Source, SourceNotice

SAVED_BEGINNING = b'{"event": '
"""Of every file that --save writes."""

NOTHING_SEEN_S = -1.0
"""Before the first picture of every source."""

HELP = mark("follow a game as it is played, and say what must be resolved")

_Result = TypeVar("_Result")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `watch`."""
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help=_(
            "the number of a camera (0 is the first), the address of a stream, a video file or a "
            "folder of frames"
        ),
    )
    _add_settings(parser)
    parser.add_argument(
        "--tiles", metavar="NAME", help=_("read the tiles of this tile set, learned with enrol")
    )
    parser.add_argument("--model", metavar="NAME", help=_("read with this model, made with train --data"))
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help=_("write what is said to this file, too, as JSON lines")
    )
    parser.add_argument("--json", action="store_true", help=_("print one JSON object per line"))
    parser.add_argument("--no-pictures", action="store_true", help=_("store the game without its pictures"))
    parser.add_argument(
        "--resume",
        action="store_true",
        help=_("continue the last unfinished game, with its own settings"),
    )


def _add_settings(parser: argparse.ArgumentParser) -> None:
    """Declare what is agreed for a new game: how many play, and by which rules."""
    parser.add_argument("--players", type=int, default=2, metavar="N", help=_("2 to 6 players (default: 2)"))
    parser.add_argument(
        "--variant",
        choices=("family", "strategy"),
        default="family",
        help=_("who pays for missed mayhem: nobody (family, the default) or the active player (strategy)"),
    )
    parser.add_argument(
        "--voice",
        choices=("announce", "silent"),
        default="announce",
        help=_("whether mayhem is said at once (announce, the default) or only after a check (silent)"),
    )
    parser.add_argument(
        "--rules",
        default="",
        metavar="NAME=VALUE[,…]",
        help=_("house rules, such as curse=true; names and values are those of judge"),
    )


def run(args: argparse.Namespace) -> int:
    """Return 0 at the end of the game or recording, 1 where it cannot be followed, 2 for wrong settings."""
    from ui.storage.game_store import GameStore
    from vision.errors import TileSetError, VisionError
    from vision.sources.open_source import open_source

    status = 2
    try:
        settings = _settings(args)
        with ExitStack() as held:
            status = 1
            store = held.enter_context(GameStore.open())
            if store.aside:
                print(set_aside_sentence(str(store.path), str(store.aside)), file=sys.stderr)
            game = _last_unfinished(store) if args.resume else None
            if args.resume and game is None:
                print(_("There is no unfinished game to continue. Leave --resume out."), file=sys.stderr)
                return 1
            if game is not None:
                store.follow(game)
            tiles = args.tiles or (store.settings(game).tiles if game is not None else None)
            reader = _open_reader(tiles or None, args.model)
            source = held.enter_context(open_source(args.source))
            return _follow(args, store, game, settings, reader, source)
    except (VisionError, *TOLD) as error:
        if args.debug:
            raise
        print(error_sentence(error), file=sys.stderr)
        return 2 if isinstance(error, TileSetError) else status


def _settings(args: argparse.Namespace) -> GameSettings:
    """Return what is agreed for a new game.

    Raises:
        RefereeError: A setting that does not exist.
    """
    from referee.rules.game import Setup, Variant, Voice
    from referee.rules.options import read_options_text
    from referee.tracking.follower import Follower
    from ui.storage.game_settings import GameSettings

    setup = Setup(args.players, Variant(args.variant), Voice(args.voice), read_options_text(args.rules))
    Follower(setup.players, setup.options, setup.variant, setup.voice)
    return GameSettings(setup, tiles=args.tiles or "")


def _open_reader(tiles: str | None, model: str | None) -> TileReader:
    """Return a reader for the shipped tiles or a player's own.

    Raises:
        TileSetError: There is no such set, or it is of another game.
        ModelError: A model is missing or damaged.
    """
    from ui.storage.paths import model_folder, open_tile_set
    from vision.errors import TileSetError
    from vision.recognition.reader import TileReader

    tile_set = open_tile_set(tiles)
    if tile_set is not None and not tile_set.is_of_the_game:
        raise TileSetError(
            "{name!r} has the tiles of another game, and watch knows only the rules of this one. Read "
            "them with: pyramid-referee check --tiles {name}",
            name=tiles,
        )
    reader = TileReader.open(tile_set, model_folder(model))
    reader.make_ready()
    return reader


def _last_unfinished(store: GameStore) -> int | None:
    """Return the last game that was not finished; one whose camera never gave a picture comes last."""
    from ui.storage.game_entries import EntryKind

    games = [game.id for game in store.unfinished()]
    seen = (game for game in games if any(entry.kind is EntryKind.SETTLED for entry in store.entries(game)))
    return next(seen, games[0] if games else None)


def _follow(
    args: argparse.Namespace,
    store: GameStore,
    game: int | None,
    settings: GameSettings,
    reader: TileReader,
    source: Source,
) -> int:
    """Follow the source until its end, the game's end or Ctrl-C. A new game begins with its first picture."""
    from dataclasses import replace
    from itertools import chain

    from ui.services.game_session import GameSession
    from vision.sources.frame import of_one_size

    keeps_pictures = not args.no_pictures
    session, passed_s = None, NOTHING_SEEN_S
    if game is not None:
        settings = store.settings(game)
        session = GameSession(store, game, reader, keeps_pictures=keeps_pictures)
        passed_s = _go_on(session, settings, source)
    names = settings.names or settings.setup.players
    with ExitStack() as held:
        said_before = [] if session is None else session.said_before
        save = held.enter_context(_saving(args.save, Path(args.source), said_before)) if args.save else None
        show = _Shower(names, as_json=args.json, save=save)
        stop = held.enter_context(_Stop.on_interrupt())
        items = of_one_size(source)
        if session is None and (first := _first_frame(items, settings, stop, show)) is not None:
            items = chain([first], items)
            settings = replace(settings, source=source.name, address=_address(args.source, source))
            session = GameSession.begin(store, settings, reader, keeps_pictures=keeps_pictures)
        if session is None:
            print(_("No picture came, so no game was stored."), file=sys.stderr)
        else:
            session.learn_tiles(reader)
            _follow_game(session, items, passed_s, stop, show, is_live=source.is_live)
    if stop.is_wanted:
        raise KeyboardInterrupt
    return 0 if session is not None else 1


def _go_on(session: GameSession, settings: GameSettings, source: Source) -> float:
    """Let a game that was left go on with a source; return until when its pictures were seen before."""
    from vision.sources.motion_gate import REST_S

    if settings.source == source.name and not source.is_live:
        # The last clear table is seen once more, to compare the next ones with.
        return session.clear_s - 2 * REST_S
    session.go_on_after()
    return NOTHING_SEEN_S


def _first_frame(
    items: Iterator[Frame | SourceNotice], settings: GameSettings, stop: _Stop, show: _Shower
) -> Frame | None:
    """Return the first picture; None where none comes. What the camera tells before is shown, not stored."""
    from referee.tracking.follower import Follower
    from referee.tracking.inputs import Noticed
    from ui.text.errors import error_sentence
    from vision.sources.frame import Frame

    setup = settings.setup
    follower = Follower(setup.players, setup.options, setup.variant, setup.voice)
    while (item := stop.wait_for(lambda: next(items, None))) is not None:
        if isinstance(item, Frame):
            return item
        show(follower.hear(Noticed(round(item.time_s, 3), error_sentence(item))))
    return None


def _follow_game(
    session: GameSession,
    items: Iterator[Frame | SourceNotice],
    passed_s: float,
    stop: _Stop,
    show: _Shower,
    *,
    is_live: bool,
) -> None:
    """Follow a game to the end of its pictures, its own end or Ctrl-C; what was seen before is passed by."""
    from ui.cli.late_lines import LateLines
    from vision.sources.frame import Frame

    keyboard = Keyboard()
    session.is_unattended = not (is_live or keyboard.is_there)
    late = LateLines() if session.is_unattended else None
    print(say("Following game {number}. Press Ctrl-C to stop.", number=session.game), file=sys.stderr)
    while not stop.is_wanted and not session.is_over:
        item = stop.wait_for(lambda: next(items, None))
        if item is None:
            break
        if not isinstance(item, Frame) or item.time_s > passed_s:
            said = session.see(item)
            show(said if late is None else late.hear(said, session.follower))
        for typed in keyboard.lines():
            _answer(typed, session, show)
    said = session.close()
    show(said if late is None else late.close(said, session.follower))
    _tell_of_tiles(session)
    if not session.is_over:
        print(
            say("Game {number} is not finished. Add --resume to continue it.", number=session.game),
            file=sys.stderr,
        )


def _address(text: str, source: Source) -> str:
    """Return what opens a source again where its name does not, because it hides a password."""
    return text if source.name != text and "://" in text else ""


def _tell_of_tiles(session: GameSession) -> None:
    """Say how tiles that had to be asked about can be known the next time."""
    if session.learned is not None and session.learned.is_worth_a_name:
        print(
            _(
                "The referee had to ask about these tiles. Learn them with: pyramid-referee enrol NAME "
                "PHOTO… Or play in the app: at the end of a game it can keep them under a name."
            ),
            file=sys.stderr,
        )


@contextmanager
def _saving(path: Path, source: Path, said_before: list[dict[str, Any]]) -> Iterator[IO[str]]:
    """Open a file for the lines; those of a game that goes on are written first, beside and replaced.

    Args:
        path: The file.
        source: What is watched; where it is a file, it is not written to.
        said_before: The lines of the game so far.

    Raises:
        ToldError: It cannot be written.
    """
    from vision.files import replacing

    check_target(path, [source], beginning=SAVED_BEGINNING)
    try:
        with replacing(path) as beside:
            beside.write_text("".join(_line(said) for said in said_before), encoding="utf-8")
        file = path.open("a", encoding="utf-8")
    except OSError as error:
        raise ToldError(NOT_WRITTEN, name=str(path), reason=error.strerror or error) from error
    with file:
        yield file


def _line(said: dict[str, Any]) -> str:
    return json.dumps(said, ensure_ascii=False) + "\n"


class _Shower:
    """Prints what is said, and writes it to the file that was asked for."""

    def __init__(self, names: Names, *, as_json: bool, save: IO[str] | None) -> None:
        self._names, self._as_json, self._save = names, as_json, save
        self._turn: tuple[int, int] | None = None

    def __call__(self, said: Sequence[Announcement]) -> None:
        from ui.text.announcements import announcement_json

        for each in said:
            line = _line(announcement_json(each))
            if self._save is not None:
                self._save.write(line)
                self._save.flush()
            if self._as_json:
                print(line, end="", flush=True)
            else:
                self._print_sentences(each)

    def _print_sentences(self, said: Announcement) -> None:
        from referee.tracking.announcements import Asked
        from ui.text.announcements import announcement_sentences, turn_heading
        from ui.text.questions import answers_sentence

        turn = said.turn, said.player
        if turn != self._turn:
            self._turn = turn
            print(f"\n{turn_heading(*turn, self._names)}")
        for sentence in announcement_sentences(said, self._names):
            print(f"  {sentence}", flush=True)
        if isinstance(said, Asked):
            print(f"  {answers_sentence(said.question)}", flush=True)


def _answer(typed: str, session: GameSession, show: _Shower) -> None:
    """Give the follower the answer that somebody typed, or say what can be typed."""
    from ui.text.questions import answers_sentence, read_answer

    question = session.follower.question
    if question is None:
        print(_("There is no question at the moment."), file=sys.stderr)
        return
    answer = read_answer(question, typed)
    if answer is None:
        print(answers_sentence(question), file=sys.stderr)
    else:
        show(session.hear(answer.at(session.last_s)))


class _Stop:
    """Lets Ctrl-C end the wait for a frame at once, and everything else only when it is stored and shown."""

    def __init__(self) -> None:
        self.is_wanted = False
        self._is_waiting = False

    @classmethod
    @contextmanager
    def on_interrupt(cls) -> Iterator[_Stop]:
        """Take the place of Python's own handling of Ctrl-C."""
        stop = cls()

        def interrupt(_number: int, frame: FrameType | None) -> None:
            stop.is_wanted = True
            if stop._is_waiting and may_break_off(frame):
                raise KeyboardInterrupt

        before = signal.signal(signal.SIGINT, interrupt)
        try:
            yield stop
        finally:
            signal.signal(signal.SIGINT, before)

    def wait_for(self, wait: Callable[[], _Result]) -> _Result | None:
        """Return what is waited for; None once Ctrl-C was pressed."""
        try:
            self._is_waiting = True
            if self.is_wanted:
                return None
            found = wait()
            self._is_waiting = False
        except KeyboardInterrupt:
            return None
        finally:
            self._is_waiting = False
        return found
