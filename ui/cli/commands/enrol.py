"""`pyramid-referee enrol`: learns a player's own tile set from a few photos."""

from __future__ import annotations

import argparse
import json
import os
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from ui.text.catalogue import Plural, _, mark, say
from ui.text.counts import PHOTOS, TILES
from ui.text.enrolment import disagreement_sentences, likeness_sentences
from ui.text.errors import error_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vision.recognition.model_store import Model
    from vision.tilesets.enrolment import LabelledPhoto, Learned

_LEFT_OUT = Plural(
    "{count} label of these photos is not confirmed and is left out. Check it in the app, under Own tiles, "
    "Review and learn.",
    "{count} labels of these photos are not confirmed and are left out. Check them in the app, under Own "
    "tiles, Review and learn.",
)
HELP = mark("learn a player's own tile set from a few photos, for --tiles NAME")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `enrol`."""
    parser.add_argument("name", metavar="NAME", help=_("the name of the tile set"))
    parser.add_argument(
        "photo",
        nargs="+",
        type=Path,
        metavar="PHOTO",
        help=_(
            "photos, or folders of photos such as a data set; together they show every tile. "
            "Confirmed labels in the *.json file beside each photo name the tiles, or --order does"
        ),
    )
    parser.add_argument(
        "--order",
        metavar='"Y1 Y2 …"',
        help=_("the codes of the tiles from left to right and from top to bottom, photo after photo"),
    )
    parser.add_argument(
        "--copies",
        type=int,
        default=1,
        metavar="N",
        help=_("how many there are of each tile, in tile sets of other games (1 to 20)"),
    )
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))


def run(args: argparse.Namespace) -> int:
    """Return 0 when the set was learned and kept, 1 when it could not be, 2 for wrong usage."""
    from ui.cli.photo_files import photo_files
    from ui.storage.paths import tile_sets_folder
    from vision.errors import TileSetError, VisionError
    from vision.recognition.model_store import open_model
    from vision.tilesets.tile_set_file import write_tile_set

    photos = list(dict.fromkeys(photo_files(args.photo)))
    try:
        codes = _checked_usage(args, photos)
    except TileSetError as error:
        return _refuse(args, error, status=2)
    confirmed = proposed = 0
    try:
        model = open_model("reader")
        if codes is None:
            confirmed, proposed = _checked_labels(photos)
        learned = _learn(args, photos, codes, model)
        path = write_tile_set(learned.tile_set, tile_sets_folder())
    except VisionError as error:
        _refuse(args, error, status=1)
        if confirmed:
            _tell_left_out(proposed, sys.stderr)
        return 1
    if args.json:
        answer = {**as_json(learned, path, len(photos)), "proposed": proposed}
        print(json.dumps(answer, ensure_ascii=False))
        return 0
    print("\n".join(as_text(learned, path, len(photos))))
    _tell_left_out(proposed, sys.stdout)
    return 0


def _tell_left_out(proposed: int, stream: TextIO) -> None:
    """Say how many labels were not learned, as they are only proposed."""
    if proposed:
        print(say(_LEFT_OUT, count=proposed), file=stream)


def _refuse(args: argparse.Namespace, error: Exception, *, status: int) -> int:
    sentence = error_sentence(error)
    if args.json and status == 1:
        print(json.dumps({"name": args.name, "error": sentence}, ensure_ascii=False))
    print(sentence, file=sys.stderr)
    return status


def _checked_usage(args: argparse.Namespace, photos: Sequence[Path]) -> list[str] | None:
    """Return the codes of --order, or None where label files tell what lies where.

    Raises:
        TileSetError: The arguments do not go together.
    """
    from vision.errors import TileSetError
    from vision.recognition.tile_set import MAX_COPIES, check_name, is_code
    from vision.tilesets.labelled_photos import label_file_of

    check_name(args.name)
    if not 1 <= args.copies <= MAX_COPIES:
        raise TileSetError(
            "--copies must be from 1 to {most}, not {copies}.", most=MAX_COPIES, copies=args.copies
        )
    if args.order is None:
        for photo in photos:
            if os.path.isfile(photo) and not os.path.exists(label_file_of(photo)):
                raise TileSetError(
                    "It is not known which tiles {photo!r} shows. Put its label file {labels!r} beside "
                    'it, or name its tiles with --order "CODE CODE …".',
                    photo=str(photo), labels=label_file_of(photo).name,
                )  # fmt: skip
        return None
    for photo in photos:
        if os.path.exists(label_file_of(photo)):
            raise TileSetError(
                "Use either --order or label files, not both. {labels!r} lies beside its photo.",
                labels=str(label_file_of(photo)),
            )
    codes: list[str] = args.order.split()
    for code in codes:
        if not is_code(code):
            raise TileSetError("{code!r} in --order is too long for the code of a tile.", code=code)
    return codes


def _checked_labels(photos: Sequence[Path]) -> tuple[int, int]:
    """Return how many labels of the photos are confirmed, and how many are only proposed.

    Raises:
        TileSetError: All are only proposed.
        LabelError: A label file is damaged.
    """
    from vision.errors import TileSetError
    from vision.tilesets.labelled_photos import count_labels

    confirmed, proposed = count_labels(photos)
    if proposed and not confirmed:
        raise TileSetError(
            "Nobody has confirmed the labels of these photos (proposed: {count}). Check them in the "
            "app, under Own tiles, Review and learn.",
            count=proposed,
        )
    return confirmed, proposed


def _learn(args: argparse.Namespace, photos: list[Path], codes: list[str] | None, model: Model) -> Learned:
    """Return what the photos teach: tiles in the order of `codes`, or those of the label files for None.

    Raises:
        VisionError: A photo or a model cannot be used, or --order does not fit the photos.
    """
    from ui.cli.progress import counted
    from vision.errors import TileSetError
    from vision.recognition.classifier import TileClassifier
    from vision.recognition.detector import TileDetector
    from vision.recognition.model_store import open_model
    from vision.recognition.reader import TileReader
    from vision.tilesets.enrolment import learn
    from vision.tilesets.labelled_photos import labelled_by_files, labelled_in_order

    with closing(counted(photos)) as shown:
        if codes is None:
            labelled: Iterable[LabelledPhoto] = labelled_by_files(shown)
        else:
            reader = TileReader(TileDetector(open_model("finder")), TileClassifier(model))
            labelled = labelled_in_order(shown, codes, reader)
        learned = learn(args.name, labelled, model, copies=args.copies)
    if codes is not None and learned.labels_are_mixed_up:
        one = learned.disagreements[0]
        raise TileSetError(
            "--order does not fit the photos. Tiles that are clearly different: {count} of {all}. For "
            "example, {photo!r} shows {read} where you named {code}. Name the tiles from left to right "
            "and from top to bottom, and give the photos in the same order.",
            count=len(learned.disagreements), all=len(learned.tile_set.examples),
            read=one.read, photo=one.photo, code=one.code,
        )  # fmt: skip
    return learned


def as_json(learned: Learned, path: Path, photos: int) -> dict[str, object]:
    """Return what was learned, for programs."""
    tile_set = learned.tile_set
    return {
        "name": tile_set.name,
        "file": str(path),
        "codes": list(tile_set.codes),
        "copies": tile_set.copies,
        "aspect": tile_set.aspect,
        "photos": photos,
        "examples": len(tile_set.examples),
        "alike": [
            {"codes": [pair.code, pair.other], "chance": pair.chance}
            for pair in learned.closest
            if pair.is_hard
        ],
        "disagreements": [
            {"image": other.photo, "code": other.code, "read": other.read} for other in learned.disagreements
        ],
    }


def as_text(learned: Learned, path: Path, photos: int) -> list[str]:
    """Return what was learned, in sentences."""
    tile_set = learned.tile_set
    return [
        say(
            "Learned {tiles} from {photos}.",
            tiles=say(TILES, count=len(tile_set.codes)),
            photos=say(PHOTOS, count=photos),
        ),
        say("The tile set is in {file!r}. Use it with --tiles {name}.", file=str(path), name=tile_set.name),
        *likeness_sentences(learned.closest),
        *disagreement_sentences(learned.disagreements),
    ]
