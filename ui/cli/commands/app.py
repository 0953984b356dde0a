"""`pyramid-referee app`: the desktop app."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ui.text.catalogue import _, mark
from vision.imaging.picture_names import is_picture_name

HELP = mark("open the app; the same happens without a command")

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
DEMO_OUT = "demo-out"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "photo", nargs="?", type=Path, metavar="PHOTO", help=_("a photo or an exported game to open")
    )
    parser.add_argument(
        "--demo",
        action="store_true",
        help=_(
            "show the sample photos; without a screen, print the verdict of one and write its marked picture"
        ),
    )
    parser.add_argument(
        "--tiles", metavar="NAME", help=_("read the tiles of this tile set, learned with enrol")
    )


def run(args: argparse.Namespace) -> int:
    """Open the window, or do the demo in the terminal where there is no screen."""
    from ui.cli.streams import refuse
    from ui.platform.display import has_screen
    from ui.services.own_tiles import open_playable
    from ui.text import window as window_texts
    from ui.text.catalogue import say
    from ui.text.errors import error_sentence
    from vision.errors import TileSetError

    try:
        tile_set = open_playable(args.tiles)
    except TileSetError as error:
        return refuse(error_sentence(error))
    samples = sample_photos()
    if args.demo and not samples:
        return refuse(say(window_texts.NO_SAMPLES, folder=str(SAMPLES)), status=1)
    if not has_screen():
        if args.demo:
            return _demo_in_terminal(args, samples[0])
        return refuse(say(window_texts.NO_SCREEN), status=1)
    if args.demo:
        print(say(window_texts.DEMO_IN_WINDOW), file=sys.stderr)
    from ui.app.main import run_app

    return run_app(
        [args.photo] if args.photo else [],
        samples,
        demo=args.demo,
        debug=args.debug,
        tile_set=tile_set,
        keep_language=args.lang is not None,
    )


def sample_photos() -> list[Path]:
    """Return the shipped photos, sorted by name."""
    return sorted(file for file in SAMPLES.glob("*") if is_picture_name(file))


def _demo_in_terminal(args: argparse.Namespace, sample: Path) -> int:
    from ui.cli.commands import check
    from ui.text import window as window_texts
    from ui.text.catalogue import say

    print(say(window_texts.DEMO_IN_TERMINAL, folder=DEMO_OUT), file=sys.stderr)
    parser = argparse.ArgumentParser()
    check.add_arguments(parser)
    # What was given to this command as well, such as --tiles, stays in `args`.
    return check.run(parser.parse_args([str(sample), "--annotate", DEMO_OUT], args))
