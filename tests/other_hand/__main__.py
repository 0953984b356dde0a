"""`python -m tests.other_hand OUT_DIR`: writes the pictures and their labels."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from referee.tiles import CODES
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

    def several(folder: str, number: int, kind: int, group: str, style: str | None, take: Callable[[np.random.Generator], Photograph]) -> None:  # fmt: skip
        for picture in range(number):
            rng = np.random.default_rng([args.seed, kind, picture])
            write_photograph(args.out / folder, f"{picture:04}", take(rng), group, style)
            print(f"{folder}: {picture + 1} of {number}", file=sys.stderr)

    for kind, set_name in enumerate(SET_NAMES):
        order = np.random.default_rng([args.seed, kind]).permutation(CODES).tolist()
        shares = iter([order[start : start + 15] for start in range(0, 45, 15)])
        several(f"{set_name}/enrol", 3, 10 + kind, "enrol", set_name, lambda rng, s=set_name, c=shares: enrol_photograph(s, next(c), rng))  # type: ignore[misc]  # fmt: skip
        several(f"{set_name}/tables", args.tables, 20 + kind, "normal", set_name, lambda rng, s=set_name: table_photograph(s, rng))  # type: ignore[misc]  # fmt: skip
    several(
        "covered", args.others, 30, "covered", SET_NAMES[0], lambda rng: covered_photograph(SET_NAMES[0], rng)
    )
    several("cut", args.others, 40, "cut", SET_NAMES[0], lambda rng: cut_photograph(SET_NAMES[0], rng))
    several("no-tile", args.others, 50, "no-tile", None, empty_photograph)
    return 0


if __name__ == "__main__":
    sys.exit(main())
