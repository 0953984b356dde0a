"""`python -m tests.other_hand OUT_DIR`: writes the pictures and their labels."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from referee.rules.tiles import CODES
from tests.other_hand.faces import SET_NAMES
from tests.other_hand.photographs import (
    Photograph,
    covered_photograph,
    cut_photograph,
    empty_photograph,
    enrol_photograph,
    table_photograph,
)

OTHER_PICTURES = 20
"""In each of the groups of hard cases."""


def write_photograph(folder: Path, name: str, photograph: Photograph, group: str, style: str | None) -> None:
    """Write a picture and, beside it, its label file."""
    folder.mkdir(parents=True, exist_ok=True)
    quality = [cv2.IMWRITE_JPEG_QUALITY, photograph.jpeg_quality]
    done, data = cv2.imencode(".jpg", photograph.image_bgr, quality)
    assert done
    (folder / f"{name}.jpg").write_bytes(data.tobytes())
    label = {
        "image": f"{name}.jpg",
        "layout": str(photograph.layout),
        "group": group,
        "tiles": photograph.tiles,
    }
    if style is not None:
        label["style"] = style
    (folder / f"{name}.json").write_text(json.dumps(label), encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Write everything; the same seed gives the same pictures."""
    parser = argparse.ArgumentParser(prog="python -m tests.other_hand", description=__doc__)
    parser.add_argument("out", type=Path, metavar="OUT_DIR")
    parser.add_argument("--tables", type=int, default=40, metavar="N", help="pictures of tables of each set")
    parser.add_argument(
        "--others", type=int, default=OTHER_PICTURES, metavar="N", help="pictures of each other group"
    )
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)

    def several(
        folder: str,
        number: int,
        kind: int,
        style: str | None,
        take: Callable[[np.random.Generator], Photograph],
    ) -> None:
        name = folder.rpartition("/")[2]
        for picture in range(number):
            rng = np.random.default_rng([args.seed, kind, picture])
            group = "normal" if name == "tables" else name
            write_photograph(args.out / folder, f"{picture:04}", take(rng), group, style)
            print(f"{folder}: {picture + 1} of {number}", file=sys.stderr)

    for kind, set_name in enumerate(SET_NAMES):
        codes = iter(np.random.default_rng([args.seed, kind]).permutation(CODES).reshape(3, 15).tolist())
        several(f"{set_name}/enrol", 3, 10 + kind, set_name, _enrolling(set_name, codes))
        several(f"{set_name}/tables", args.tables, 20 + kind, set_name, partial(table_photograph, set_name))
    several("covered", args.others, 30, SET_NAMES[0], partial(covered_photograph, SET_NAMES[0]))
    several("cut", args.others, 40, SET_NAMES[0], partial(cut_photograph, SET_NAMES[0]))
    several("no-tile", args.others, 50, None, empty_photograph)
    return 0


def _enrolling(set_name: str, codes: Iterator[list[str]]) -> Callable[[np.random.Generator], Photograph]:
    """Return what photographs the next 15 tiles."""
    return lambda rng: enrol_photograph(set_name, next(codes), rng)


if __name__ == "__main__":
    sys.exit(main())
