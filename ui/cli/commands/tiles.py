"""`pyramid-referee tiles`: writes the sheets to print and cut the 45 tiles from."""

from __future__ import annotations

import argparse
from pathlib import Path

from ui.cli.streams import refuse
from ui.cli.targets import check_target
from ui.text.catalogue import _, mark, say
from ui.text.sentences import written_sentence

HELP = mark("write the sheets for printing and cutting out the 45 tiles (PDF)")

PAPERS = ("a4", "letter")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `tiles`."""
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE.pdf",
        help=_("the file or folder to write (default: pyramid-referee-tiles-PAPER.pdf in this folder)"),
    )
    parser.add_argument(
        "--paper", choices=PAPERS, default=PAPERS[0], help=_("the size of the paper (default: a4)")
    )


def run(args: argparse.Namespace) -> int:
    """Return 0 when the file was written, 1 when it could not be."""
    from ui.artwork.print_sheets import print_note, sheets_pdf
    from vision.files import replacing

    name = f"pyramid-referee-tiles-{args.paper}.pdf"
    target = args.file or Path(name)
    sheets = sheets_pdf(args.paper)
    try:
        if target.is_dir():
            target /= name
        check_target(target)
        with replacing(target) as beside:
            beside.write_bytes(sheets)
    except OSError as error:
        sentence = mark("The sheets cannot be written to {name!r}: {reason}. Name a file in another folder.")
        return refuse(say(sentence, name=str(target), reason=error.strerror or error), status=1)
    print(written_sentence(str(target)))
    print(print_note())
    return 0
