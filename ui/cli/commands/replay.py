"""`pyramid-referee replay`: lists, shows, verifies, exports and imports the games that were followed."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui.cli.streams import refuse
from ui.cli.targets import check_target
from ui.errors import TOLD
from ui.text.catalogue import _, mark, say
from ui.text.counts import ANNOUNCEMENTS, ENTRIES, PLAYERS, TURNS
from ui.text.dates import moment_of
from ui.text.errors import error_sentence
from ui.text.sentences import set_aside_sentence, written_sentence

if TYPE_CHECKING:
    from ui.storage.game_entries import GameSummary
    from ui.storage.game_settings import GameSettings
    from ui.storage.game_store import GameStore
    from ui.text.sentences import Names

HELP = mark("list, show, verify, export and import recorded games")

STRIP_ENDINGS = (".pdf", ".png")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `replay`."""
    parser.add_argument(
        "session",
        nargs="?",
        type=int,
        metavar="SESSION",
        help=_("the number of a game; without it, all games are listed"),
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help=_("print JSON lines: one for each game of the list, or those that watch printed for this game"),
    )
    does = parser.add_mutually_exclusive_group()
    does.add_argument(
        "--verify", action="store_true", help=_("replay the game and compare with what was said")
    )
    does.add_argument("--export", type=Path, metavar="FILE.jsonl", help=_("export the game to a file"))
    does.add_argument(
        "--import",
        dest="take_in",
        type=Path,
        metavar="FILE.jsonl",
        help=_("import the game of a file as a new one"),
    )
    does.add_argument(
        "--strip",
        type=Path,
        metavar="FILE.pdf|FILE.png",
        help=_("write a strip: a picture of each turn, with what was said"),
    )
    parser.add_argument("--with-pictures", action="store_true", help=_("export the pictures, too"))


def run(args: argparse.Namespace) -> int:
    """Return 0 when it was done, 1 when something could not be, 2 for arguments that do not go together."""
    needs_session = args.verify or args.export or args.strip
    if needs_session and args.session is None:
        return refuse(
            _("Give the number of a game, such as: replay 3. Without a number, replay lists the games.")
        )
    if args.take_in and args.session is not None:
        return refuse(_("An imported game gets a new number. Leave the number out."))
    if args.with_pictures and not args.export:
        return refuse(_("Use --with-pictures only together with --export."))
    if args.strip and args.strip.suffix.lower() not in STRIP_ENDINGS:
        return refuse(_("The name of a strip must end in .pdf or .png."))
    from ui.storage.game_store import GameStore

    try:
        with GameStore.open() as store:
            if store.aside:
                print(set_aside_sentence(str(store.path), str(store.aside)), file=sys.stderr)
            return _do(args, store)
    except TOLD as error:
        return refuse(error_sentence(error), status=1)


def _do(args: argparse.Namespace, store: GameStore) -> int:
    """Do the one thing that was asked for."""
    if args.take_in:
        return _take_in(store, args.take_in)
    if args.session is None:
        return _list_games(store, as_json=args.json)
    if args.verify:
        return _verify(store, args.session)
    if args.export:
        return _export(store, args.session, args.export, with_pictures=args.with_pictures)
    if args.strip:
        return _write_strip(store, args.session, args.strip)
    return _show(store, args.session, as_json=args.json)


def _list_games(store: GameStore, *, as_json: bool) -> int:
    games = store.games()
    if as_json:
        for game in games:
            print(json.dumps(_summary(game), ensure_ascii=False))
    elif games:
        for game in games:
            print(_summary_line(game))
    else:
        print(_("No game has been recorded yet. Follow one with: pyramid-referee watch SOURCE"))
    return 0


def _summary(game: GameSummary) -> dict[str, object]:
    return {
        "game": game.id,
        "started": game.started,
        "finished": game.finished,
        "players": game.players,
        "names": list(game.names),
        "turns": game.turn,
        "winner": game.winner,
        "source": game.source,
    }


def _summary_line(game: GameSummary) -> str:
    """Return a game as one line of the list."""
    from ui.text.announcements import called, plain

    if game.winner is not None:
        state = say("won by {player}", player=called(game.winner, game.names))
    elif game.finished is not None:
        state = _("finished")
    else:
        state = _("not finished")
    line = say(
        "Game {number}: {date}, {players}, {turns}, {state}",
        number=game.id,
        date=moment_of(game.started),
        players=", ".join(game.names) or say(PLAYERS, count=game.players),
        turns=say(TURNS, count=game.turn),
        state=state,
    )
    return plain(f"{line} ({game.source})" if game.source else line)


def _names(settings: GameSettings) -> Names:
    return settings.names or settings.setup.players


def _show(store: GameStore, game: int, *, as_json: bool) -> int:
    from ui.services.challenges import rulings
    from ui.services.recorded_turns import turns_of, what_counts
    from ui.storage.game_entries import EntryKind
    from ui.text.announcements import recorded_sentences, turn_heading
    from ui.text.rulebook.challenge import count_sentence

    entries = store.entries(game)
    if as_json:
        for entry in what_counts(entries):
            if entry.kind is EntryKind.SAID:
                print(json.dumps(entry.content, ensure_ascii=False))
        return 0
    names = _names(store.settings(game))
    print(_title(store, game))
    for turn in turns_of(entries):
        print(f"\n{turn_heading(turn.number, turn.player, names)}")
        for said in turn.said:
            for sentence in recorded_sentences(said, names):
                print(f"  {sentence}")
    if challenged := count_sentence(rulings(entry.content for entry in what_counts(entries))):
        print(f"\n{challenged}")
    return 0


def _title(store: GameStore, game: int) -> str:
    """Return what a game is called in one line.

    Raises:
        StorageError: There is no such game.
    """
    store.head(game)
    return next(_summary_line(found) for found in store.games() if found.id == game)


def _verify(store: GameStore, game: int) -> int:
    """Follow a game again, and say whether the referee says the same."""
    from ui.services.replay import follow_again
    from ui.storage.game_entries import EntryKind
    from ui.text.announcements import announcement_json

    count = store.check(game)
    entries = store.entries(game)
    inputs = [entry.content for entry in entries if entry.kind is not EntryKind.SAID]
    said = [entry.content for entry in entries if entry.kind is EntryKind.SAID]
    again = [announcement_json(each) for each in follow_again(store.settings(game), inputs)[1]]
    for number, (first, second) in enumerate(zip(said, again, strict=False), 1):
        if _meant(first, first) != _meant(second, first):
            print(
                _difference(game, number, first, second),
                f"  {json.dumps(first, ensure_ascii=False)}",
                f"  {json.dumps(second, ensure_ascii=False)}",
                sep="\n",
            )
            return 1
    if len(said) != len(again):
        print(
            say(
                "Game {game}: {first} in the record, {second} in the replay.",
                game=game,
                first=say(ANNOUNCEMENTS, count=len(said)),
                second=say(ANNOUNCEMENTS, count=len(again)),
            )
        )
        return 1
    print(
        say(
            "Game {game}: the record is complete ({entries}), and the replay says the same.",
            game=game,
            entries=say(ENTRIES, count=count),
        )
    )
    return 0


def _difference(game: int, number: int, recorded: dict[str, Any], again: dict[str, Any]) -> str:
    """Return from where on a replay differs. Older versions told no 2, 3 or 5 of the fire die."""
    if None not in (_roll_of(recorded), _roll_of(again)):
        return say(
            "Game {game}: the replay differs from announcement {number} on, for an older version recorded "
            "another roll of the fire die. The game can go on all the same.",
            game=game,
            number=number,
        )
    return say("Game {game}: the replay differs from announcement {number} on.", game=game, number=number)


def _roll_of(said: dict[str, Any]) -> object:
    """Return what the fire die showed, if that was said."""
    step = said.get("step")
    return step.get("roll") if isinstance(step, dict) else None


def _meant(said: dict[str, Any], recorded: dict[str, Any]) -> dict[str, Any]:
    """Return what was said without the words, which depend on the language.

    Keys that a record lacks are of a newer version, such as the answers to a question.
    """
    added = {"kind", "answers"} - recorded.keys() if recorded.get("event") == "question" else set()
    return {key: value for key, value in said.items() if key not in {"text", *added}}


def _export(store: GameStore, game: int, path: Path, *, with_pictures: bool) -> int:
    from ui.storage.game_export import BEGINNING, export_game

    check_target(path, [store.path], beginning=BEGINNING)
    try:
        export_game(store, game, path, with_pictures=with_pictures)
    except OSError as error:
        return _not_written(path, error)
    print(written_sentence(str(path)))
    return 0


def _take_in(store: GameStore, path: Path) -> int:
    from ui.storage.game_export import import_game

    try:
        game, problem = import_game(store, path)
    except OSError as error:
        reason = error.strerror or error
        return refuse(say("{name!r} cannot be opened: {reason}.", name=str(path), reason=reason), status=1)
    print(say("Stored as game {number}.", number=game))
    if problem is None:
        return 0
    print(
        say("Only the part before this problem was imported: {problem}", problem=error_sentence(problem)),
        file=sys.stderr,
    )
    return 1


def _write_strip(store: GameStore, game: int, path: Path) -> int:
    from ui.artwork.strip_file import write_strip

    check_target(path)
    try:
        write_strip(store, game, _title(store, game), path)
    except OSError as error:
        return _not_written(path, error)
    print(written_sentence(str(path)))
    return 0


def _not_written(path: Path, error: OSError) -> int:
    sentence = mark("{name!r} cannot be written: {reason}. Name a file in another folder.")
    return refuse(say(sentence, name=str(path), reason=error.strerror or error), status=1)
