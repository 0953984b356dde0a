"""`pyramid-referee evaluate`: measures recognition on pictures whose contents are known."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from ui.messages import _, error_sentence

if TYPE_CHECKING:
    from vision.metrics import Score

HELP = "measure recognition on a folder of pictures with known contents"

_HEADS = {
    "tiles_right": "tiles right",
    "layouts_right": "layouts right",
    "silent_errors": "silent errors",
    "unsure": "unsure",
    "layouts_vouched": "vouched for",
    "layouts_wrong_silently": "silently wrong",
    "covered_found": "covered found",
    "cut_found": "cut found",
    "corner_error": "corner error",
    "calibration_error": "calibration error",
}
"""The columns of the table; those of covered and cut tiles only where there are such."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `evaluate`."""
    parser.add_argument(
        "directory", type=Path, metavar="DIR", help="folder of pictures, each with its *.json file"
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object a line for each group of pictures"
    )
    parser.add_argument(
        "--turn",
        type=float,
        default=0.0,
        metavar="DEGREES",
        help="turn every picture first, as from another seat",
    )
    parser.add_argument(
        "--failures", action="store_true", help="also name the pictures that were not read right"
    )
    parser.add_argument("--tiles", metavar="NAME", help="read the tiles of this set, learned with enrol")


def run(args: argparse.Namespace) -> int:
    """Return 0 when every picture was read, 1 when some could not be, or when there is none."""
    from referee.tiles import CODES
    from ui.user_data import open_tile_set
    from vision.annotations import label_files, read_known_picture, turn_picture
    from vision.errors import TileSetError, VisionError
    from vision.loose_tiles import read_loose_tiles
    from vision.metrics import Score
    from vision.photo import read_photo
    from vision.reader import TileReader

    try:
        tile_set = open_tile_set(args.tiles)
    except TileSetError as error:
        print(error_sentence(error), file=sys.stderr)
        return 2
    codes = CODES if tile_set is None else tile_set.codes
    of_the_game = set(codes) == set(CODES)
    files = label_files(args.directory)
    if not files:
        print(
            _("{name!r} holds no picture with a *.json file of the same name beside it.").format(
                name=str(args.directory)
            ),
            file=sys.stderr,
        )
        return 1
    reader = TileReader.open(tile_set)
    scores: dict[str, Score] = {"all": Score()}
    times: list[float] = []
    status = 0
    for number, path in enumerate(files, 1):
        try:
            known = read_known_picture(path, codes)
            photo = read_photo(known.image)
        except VisionError as error:
            status = 1
            print(error_sentence(error), file=sys.stderr)
            continue
        image, scale = photo.image_bgr, photo.scale
        if args.turn:
            image, known = turn_picture(image, known.scaled(1 / scale), args.turn)
            scale = 1.0
        reading = (reader.read(image) if of_the_game else read_loose_tiles(reader, image)).scaled(scale)
        times.append(reading.timings_ms["total"])
        for group in ("all", *known.groups, " ".join(known.groups)):
            if group:
                scores.setdefault(group, Score()).add(known, reading)
        if args.failures and reading.layout != known.layout:
            unsure = f", unsure: {' '.join(reading.unsure)}" if reading.unsure else ", nothing unsure"
            print(
                f"{known.image.name}: read {reading.layout}\n  where {known.layout} lies{unsure}",
                file=sys.stderr,
            )
        if sys.stderr.isatty():
            print(f"{number}/{len(files)}", end="\r", file=sys.stderr, flush=True)
    _report(scores, times, of_the_game=of_the_game, as_json=args.json)
    return status


def _report(scores: dict[str, Score], times: list[float], *, of_the_game: bool, as_json: bool) -> None:
    """Print the figures; those of layouts only where the tiles are the game's own."""
    figures = {
        group: {name: value for name, value in score.shares().items() if of_the_game or "layouts" not in name}
        for group, score in scores.items()
    }
    if as_json:
        for group, score in scores.items():
            counts = {"group": group, "pictures": score.pictures, "tiles": score.tiles}
            print(json.dumps(counts | figures[group]))
        return
    columns = [name for name in _HEADS if any(name in shares for shares in figures.values())]
    print(f"{'':<14}{'pictures':>9}{'tiles':>7}" + "".join(f"{_HEADS[name]:>19}" for name in columns))
    for group, score in scores.items():
        cells = [
            f"{figures[group][name]:>18.2%} " if name in figures[group] else " " * 19 for name in columns
        ]
        print(f"{group:<14}{score.pictures:>9}{score.tiles:>7}" + "".join(cells))
    confusions = sorted(scores["all"].confusions.items(), key=lambda item: -item[1])[:12]
    if confusions:
        print(
            "taken for another: "
            + ", ".join(f"{true} as {read} x{count}" for (true, read), count in confusions)
        )
    if times:
        print(f"reading a picture: {median(times):.1f} ms (median of {len(times)})")
