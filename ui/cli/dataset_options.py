"""Data sets to and from other programs, for `pyramid-referee capture`.

The command that offers this declares `source` itself: the folder of the data set, or a list with it alone.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ui.cli.streams import refuse
from ui.text.catalogue import Plural, _, say
from ui.text.counts import LABELS, PICTURES
from ui.text.errors import error_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.cli.progress import ProgressBar
    from vision.dataset.dataset import DataSet, Problems

FORMATS = ("native", "coco", "yolo", "yolo-obb", "label-studio")
MOST_TOLD = 20

_MORE = Plural("… and {count} more like this.", "… and {count} more like these.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments that write, read and join data sets."""
    group = parser.add_argument_group(_("data sets for other people and from other programs"))
    what = group.add_mutually_exclusive_group()
    what.add_argument(
        "--export",
        choices=FORMATS,
        help=_("export the data set in SOURCE to a new folder, in this format"),
    )
    what.add_argument(
        "--import",
        nargs=2,
        metavar=("FORMAT", "FILE_OR_DIR"),
        dest="import_from",
        help=say("import the data set of another program: {formats}", formats=", ".join(FORMATS[1:])),
    )
    what.add_argument("--merge", nargs=2, type=Path, metavar="DIR", help=_("make one data set of two"))
    group.add_argument(
        "--to",
        type=Path,
        metavar="DIR",
        help=_(
            "the folder of the data set; when you capture, it may already hold pictures, otherwise "
            "it must be new"
        ),
    )
    group.add_argument("--blur", action="store_true", help=_("blur everything but the tiles and a margin"))
    group.add_argument("--crop", action="store_true", help=_("crop the pictures to the tiles and a margin"))
    group.add_argument(
        "--keep-exif",
        action="store_true",
        help=_("keep place, time and device in the picture files; otherwise they are removed"),
    )
    group.add_argument("--licence", metavar="TEXT", help=_("the licence for other people, such as CC-BY-4.0"))
    group.add_argument(
        "--split",
        type=_shares,
        metavar="80/10/10",
        help=_("how many of 100 pictures are to train, to validate and to test with"),
    )


def is_wanted(args: argparse.Namespace) -> bool:
    """Return whether the arguments ask for something of this module."""
    return bool(args.export or args.import_from or args.merge)


def _shares(text: str) -> tuple[int, ...]:
    parts = text.split("/")
    if len(parts) == 3 and all(part.isdecimal() for part in parts) and sum(map(int, parts)) == 100:
        return tuple(map(int, parts))
    raise argparse.ArgumentTypeError(
        say("{text!r} is not three whole numbers that add up to 100, such as 80/10/10", text=text)
    )


def run(args: argparse.Namespace) -> int:
    """Return 0 when all was written, 1 when something could not be, 2 for wrong usage."""
    from ui.cli.progress import ProgressBar
    from vision.dataset.anonymise import PrivacyOptions
    from vision.dataset.formats.convert import export
    from vision.errors import DataSetError, VisionError

    try:
        _check_usage(args)
    except DataSetError as error:
        return refuse(error_sentence(error))
    treatment = PrivacyOptions(blur=args.blur, crop=args.crop, keep_metadata=args.keep_exif)
    try:
        with ProgressBar() as progress:
            data_set, problems, notes = _wanted(args, progress)
            if not data_set.pictures:
                problems.append(DataSetError("There is no picture with labels to write."))
            else:
                problems += export(data_set, args.export or "native", args.to, treatment, progress.tell)
    except VisionError as error:
        _tell([error])
        return 1
    _tell([*notes, *problems])
    if data_set.pictures:
        counts = data_set.counts().values()
        print(
            say(
                "{folder!r} holds {pictures} with {labels}. Different tiles: {count}.",
                folder=str(args.to),
                pictures=say(PICTURES, count=len(data_set.pictures)),
                labels=say(LABELS, count=sum(counts)),
                count=sum(count > 0 for count in counts),
            )
        )
        if not data_set.licence:
            print(_("No licence is named, so nobody else may use these pictures. Name one with --licence."))
    return 1 if problems else 0


def _check_usage(args: argparse.Namespace) -> None:
    """Raise DataSetError where the arguments do not go together."""
    from vision.errors import DataSetError

    if args.to is None:
        raise DataSetError("Name a new folder for it with --to.")
    if args.export and len(_sources(args)) != 1:
        raise DataSetError("Name the folder of the data set: capture SOURCE --export FORMAT --to DIR")
    if args.import_from and args.import_from[0] not in FORMATS[1:]:
        raise DataSetError(
            "The format {name!r} cannot be read. These can: {formats}.",
            name=args.import_from[0], formats=", ".join(FORMATS[1:]),
        )  # fmt: skip
    if args.keep_exif and (args.blur or args.crop):
        raise DataSetError("Use either --keep-exif or --blur and --crop: a changed picture has no EXIF data.")


def _sources(args: argparse.Namespace) -> list[Path]:
    source = getattr(args, "source", None) or []
    return [Path(one) for one in (source if isinstance(source, list) else [source])]


def _wanted(args: argparse.Namespace, progress: ProgressBar) -> tuple[DataSet, Problems, Problems]:
    """Return the data set to write, what was left out of it, and other notes."""
    from vision.dataset.formats.convert import merge, read_foreign

    licence = args.licence or ""
    if args.import_from:
        fmt, path = args.import_from
        return read_foreign(fmt, Path(path), licence=licence, shares=args.split)
    if args.merge:
        (one, problems), (other, more) = (_opened(folder, args, progress) for folder in args.merge)
        whole, notes = merge(one, other, licence=licence, shares=args.split)
        return whole, problems + more, notes
    data_set, problems = _opened(_sources(args)[0], args, progress)
    return replace(data_set, licence=licence or data_set.licence), problems, []


def _opened(folder: Path, args: argparse.Namespace, progress: ProgressBar) -> tuple[DataSet, Problems]:
    """Return the data set in a folder, from its manifest; if it has none, from its label files."""
    from vision.dataset.dataset import FILE_NAME, SHARES, build_data_set, read_data_set, split_pictures

    if not (folder / FILE_NAME).exists():
        return build_data_set(folder, shares=args.split or SHARES, on_progress=progress.tell)
    data_set, problems = read_data_set(folder, progress.tell)
    if args.split:
        data_set = replace(data_set, pictures=split_pictures(data_set.pictures, args.split))
    return data_set, problems


def _tell(problems: Sequence[Exception]) -> None:
    for problem in problems[:MOST_TOLD]:
        print(error_sentence(problem), file=sys.stderr)
    if len(problems) > MOST_TOLD:
        print(say(_MORE, count=len(problems) - MOST_TOLD), file=sys.stderr)
