"""`pyramid-referee train`: rebuilds the shipped models from nothing."""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from ui.messages import _

HELP = "rebuild the shipped models from nothing (hours; takes up where it was stopped)"

NEEDED = ("torch", "onnx", "PIL")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `train`."""
    parser.add_argument(
        "--work",
        type=Path,
        default=Path("training-work"),
        metavar="DIR",
        help="where pictures and checkpoints lie, about 3 GB (default: training-work in this folder)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="where the models go (default: over the shipped ones)",
    )
    parser.add_argument(
        "--small", action="store_true", help="a run of some minutes that only shows that all of it works"
    )


def run(args: argparse.Namespace) -> int:
    """Return 0 when the models were written, 1 when what training needs is not installed."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        print(
            _(
                "Training needs packages that are not installed ({names}). Install them with: "
                "pip install 'pyramid-referee[train]'"
            ).format(names=", ".join(missing)),
            file=sys.stderr,
        )
        return 1
    from models.training.train import FULL, SMALL, printed_file, rebuild

    for pictures in ("corpus", "held-out"):
        _write_faces(printed_file(args.work / pictures))
    rebuild(args.work, args.out, SMALL if args.small else FULL)
    return 0


def _write_faces(path: Path) -> None:
    """Write the faces of the product's own tiles, (512, 512, 3) uint8 BGR by code, unless they are there."""
    import numpy as np

    from referee.tiles import CODES
    from ui.tile_artwork import face_image

    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"part.{path.name}")
    np.savez_compressed(beside, **{code: face_image(code, 512) for code in CODES})
    beside.replace(path)
