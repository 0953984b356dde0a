"""`pyramid-referee check`: photos in, recognised layout and ordered verdict out."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ui.cli.streams import refuse
from ui.errors import ToldError
from ui.text.catalogue import _, mark
from ui.text.errors import error_sentence
from ui.text.sentences import written_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.rules.options import Options
    from referee.uncertain import Judged
    from vision.imaging.arrays import ImageU8
    from vision.imaging.photo import Photo
    from vision.recognition.reader import TileReader
    from vision.recognition.reading import Reading

HELP = mark("read photos of a pyramid and say what must be resolved, in what order")

JPEG_QUALITY = 92


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `check`."""
    parser.add_argument(
        "source", nargs="+", type=Path, metavar="SOURCE", help=_("a photo, or a folder of photos")
    )
    parser.add_argument(
        "--json", action="store_true", help=_("print one JSON object per line for each photo")
    )
    parser.add_argument(
        "--rules",
        default="",
        metavar="NAME=VALUE[,…]",
        help=_("house rules, such as curse=true; names and values are those of judge"),
    )
    parser.add_argument(
        "--annotate",
        type=Path,
        metavar="OUT",
        help=_(
            "write each photo with its tiles outlined and named into this folder, or into this picture file"
        ),
    )
    parser.add_argument(
        "--tiles", metavar="NAME", help=_("read the tiles of this tile set, learned with enrol")
    )
    parser.add_argument("--model", metavar="NAME", help=_("read with this model, made with train --data"))


def run(args: argparse.Namespace) -> int:
    """Return 0 when every photo was read, 1 when some could not be."""
    from referee.errors import RefereeError
    from referee.rules.options import read_options_text
    from ui.cli.photo_files import photo_files
    from ui.storage.paths import model_folder, open_tile_set
    from vision.errors import ModelError, TileSetError, VisionError
    from vision.imaging.photo import read_photo
    from vision.recognition.reader import TileReader

    try:
        options = read_options_text(args.rules)
        tile_set, folder = open_tile_set(args.tiles), model_folder(args.model)
    except (RefereeError, TileSetError, ModelError) as error:
        return refuse(error_sentence(error))
    of_another_game = tile_set is not None and not tile_set.is_of_the_game
    reader = TileReader.open(tile_set, folder)
    status = 0
    photos = list(photo_files(args.source))
    for path in photos:
        try:
            photo = read_photo(path)
            reading, judged = _read(reader, photo, path, options, of_another_game=of_another_game)
            if args.annotate:
                marked = _marked(photo, reading, judged)
                target = _write_marked(marked, path, args.annotate, photos)
                print(written_sentence(str(target)), file=sys.stderr)
        except (VisionError, ToldError) as error:
            status = 1
            _report_failure(path, error_sentence(error), as_json=args.json)
            continue
        if args.json:
            print(
                json.dumps(as_json(str(path), reading.scaled(photo.scale), judged), ensure_ascii=False),
                flush=True,
            )
        else:
            print(as_text(str(path), reading, judged), flush=True)
    return status


def _read(
    reader: TileReader, photo: Photo, path: Path, options: Options, *, of_another_game: bool
) -> tuple[Reading, Judged | None]:
    """Return what a photo shows, and what follows from it, which of another game's tiles nobody can say."""
    from referee.uncertain import judge_reading
    from vision.dataset.unordered_tiles import read_unordered_tiles

    if of_another_game:
        return read_unordered_tiles(reader.tiles, photo.image_bgr), None
    reading = reader.read_photo(photo.image_bgr, str(path))
    return reading, judge_reading(reading, options)


def _report_failure(path: Path, sentence: str, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"image": str(path), "error": sentence}, ensure_ascii=False), flush=True)
    print(sentence, file=sys.stderr)


def as_json(name: str, reading: Reading, judged: Judged | None) -> dict[str, object]:
    """Return the answer for one photo as INTERFACE.md describes it.

    Without a judgement the tiles are those of another game: they have no layout, rows, slots and verdict.
    """
    from referee.formats.judge_json import event_to_dict, need_to_dict

    answer: dict[str, object] = {
        "image": name,
        "layout": str(reading.layout) if judged else None,
        "tiles": [
            {
                "code": tile.code,
                "row": tile.row if judged else None,
                "slot": tile.slot if judged else None,
                "quad": [list(corner) for corner in tile.quad_px],
                "confidence": tile.confidence,
                **{flag: True for flag in ("covered", "cut") if getattr(tile, flag)},
            }
            for tile in reading.tiles
        ],
        "unsure": list(reading.unsure),
        "verdict": [event_to_dict(event) for event in judged.verdict.events] if judged else [],
        "needs": need_to_dict(judged.verdict.needs) if judged else None,
        "ms": {stage: round(value, 1) for stage, value in reading.timings_ms.items()},
    }
    if reading.unnamed:
        answer["unnamed"] = [
            {"codes": list(group.codes), "colours": [list(colour) for colour in group.colours]}
            for group in reading.unnamed
        ]
    if reading.hidden:
        answer["hidden"] = [[list(corner) for corner in quad] for quad in reading.hidden]
    return answer


def as_text(name: str, reading: Reading, judged: Judged | None) -> str:
    """Return the answer for one photo for people: drawing, questions, numbered sentences."""
    from ui.text import sentences as messages
    from ui.text import window as window_texts
    from ui.text.catalogue import say
    from ui.viewmodels.verdict_marks import question_sentences

    if not reading.tiles:
        return f"{name}\n\n{say(window_texts.NOTHING_FOUND)}\n{say(window_texts.NOTHING_FOUND_HINT)}\n"
    if judged is None:
        codes = " ".join(f"{tile.code}?" if tile.unsure else tile.code for tile in reading.tiles)
        return f"{name}\n\n{codes}\n"
    steps = [] if judged.hidden else messages.numbered_steps(judged.verdict)
    return "\n".join([name, "", reading.layout.drawing(), "", *question_sentences(judged), *steps, ""])


def _marked(photo: Photo, reading: Reading, judged: Judged | None) -> ImageU8:
    """Return the photo, (height, width, 3) uint8 BGR, with its tiles outlined and named."""
    from ui.viewmodels.table_view import Ring
    from ui.viewmodels.verdict_marks import rings
    from vision.evaluation.overlay import annotate

    marks = rings(judged.verdict) if judged else {}
    acting = [code for code, ring in marks.items() if ring is Ring.CAUSE]
    taken = [code for code, ring in marks.items() if ring is Ring.TAKEN]
    return annotate(photo.image_bgr, reading, acting=acting, taken=taken)


def _write_marked(marked_bgr: ImageU8, source: Path, out: Path, photos: Sequence[Path]) -> Path:
    """Write a marked photo, whole or not at all, and return its file.

    Args:
        marked_bgr: (height, width, 3) uint8, BGR.
        source: The photo's own file.
        out: The folder or picture file that was asked for.
        photos: All that are read; none of them is written to.

    Raises:
        ImageError: It cannot be written.
        ToldError: Something lies there that this program did not write.
    """
    import cv2

    from ui.cli.targets import check_target
    from vision.errors import ImageError
    from vision.files import MADE_HERE, replacing

    is_picture = not os.path.isdir(out) and cv2.haveImageWriter(f"a{out.suffix}")
    target = out if is_picture else out / f"{source.stem}.annotated.jpg"
    try:
        check_target(target, photos)
        packed = cv2.imencode(target.suffix.lower(), marked_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as beside:
            beside.write_bytes(packed.tobytes() + MADE_HERE)
    except (OSError, cv2.error) as error:
        reason = _("the picture is too large for this format") if isinstance(error, cv2.error) else None
        raise ImageError(
            "The marked picture cannot be written to {name!r}: {reason}.",
            name=str(target),
            reason=reason or getattr(error, "strerror", None) or error,
        ) from error
    return target
