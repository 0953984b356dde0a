"""`pyramid-referee train`: rebuilds the shipped models from nothing, or lets the reader learn a data set."""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui.cli.streams import refuse
from ui.text.catalogue import _, mark, say
from ui.text.errors import error_sentence

if TYPE_CHECKING:
    from models.training.captured import Patches
    from vision.dataset.dataset import DataSet, Problems

HELP = mark("rebuild the shipped models, or with --data let the reader learn captured pictures")

NEEDED = ("torch", "onnx", "PIL")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `train`."""
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help=_("a data set made with capture: the shipped reader also learns its pictures (some minutes)"),
    )
    parser.add_argument(
        "--work",
        type=Path,
        default=Path("training-work"),
        metavar="DIR",
        help=_(
            "the folder for pictures and checkpoints, about 3 GB (default: training-work in this "
            "folder); a stopped run goes on from here"
        ),
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help=_(
            "the folder for the models (default: they replace the shipped ones; with --data, a "
            "folder of your own models with the name of the data set)"
        ),
    )
    parser.add_argument(
        "--real",
        type=Path,
        metavar="DIR",
        help=_("real photos for the training, each folder with a labels.json (default: none)"),
    )
    parser.add_argument(
        "--small",
        action="store_true",
        help=_("only a short run of some minutes, to see that everything works"),
    )


def run(args: argparse.Namespace) -> int:
    """Return 0 when the models were written, 1 when what training needs is not installed."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        sentence = mark(
            "Training needs packages that are not installed ({names}). Install them with: "
            "pip install 'pyramid-referee[train]'"
        )
        return refuse(say(sentence, names=", ".join(missing)), status=1)
    if args.data is not None:
        return _learn(args)
    from models.training.train import FULL, SMALL, printed_file, rebuild

    for pictures in ("corpus", "held-out"):
        _write_faces(printed_file(args.work / pictures))
    rebuild(args.work, args.out, SMALL if args.small else FULL, real=args.real)
    return 0


def _learn(args: argparse.Namespace) -> int:
    """Let the shipped reader learn a data set; return 0, or 1 if it cannot."""
    from models.training.captured import cut_patches
    from models.training.fine_tune import FULL, SMALL, fine_tune
    from models.training.train import printed_file
    from ui.cli.progress import ProgressBar
    from ui.storage.paths import models_folder
    from vision.errors import VisionError
    from vision.recognition.model_store import model_file, open_model

    try:
        data_set, problems = _opened(args.data)
        with ProgressBar() as progress:
            patches = cut_patches(data_set, progress.tell)
        for problem in (*problems, *patches.problems):
            print(error_sentence(problem), file=sys.stderr)
        if (sentence := _what_is_missing(data_set, patches)) is not None:
            return refuse(sentence, status=1)
        out = args.out or models_folder() / data_set.name
        _write_faces(printed_file(args.work / "corpus"))
        _write_faces(printed_file(args.work / "held-out"))
        model = open_model("reader")
        size = SMALL if args.small else FULL
        card = fine_tune(patches, model, model_file("reader"), args.work, out, size)
    except VisionError as error:
        return refuse(error_sentence(error), status=1)
    print(
        say(
            "The new reader is in {folder!r}, and its figures are in {card!r}. Use it with --model {name}.",
            folder=str(out),
            card=str(card),
            name=out.name,
        )
    )
    return 0


def _opened(folder: Path) -> tuple[DataSet, Problems]:
    """Return the data set in a folder, from its manifest; if it has none, from its label files.

    Raises:
        DataSetError: It cannot be read.
    """
    from referee.rules.tiles import CODES
    from vision.dataset.dataset import FILE_NAME, build_data_set, read_data_set

    if (folder / FILE_NAME).exists():
        return read_data_set(folder)
    return build_data_set(folder, shares=(70, 15, 15), codes=CODES)


def _what_is_missing(data_set: DataSet, patches: Patches) -> str | None:
    """Return why the reader cannot learn a data set; None if it can."""
    from models.training.fine_tune import LEAST_HELD_OUT, LEAST_TRAIN
    from referee.rules.tiles import CODES

    counts = {split: len(part) for split, part in patches.parts.items()}
    least = {"train": LEAST_TRAIN, "val": LEAST_HELD_OUT, "test": LEAST_HELD_OUT}
    if set(data_set.codes) == set(CODES) and all(counts[split] >= least[split] for split in least):
        return None
    return say(
        "This data set is too small to learn from, or it is of another game. Confirmed tiles: "
        "{train} to train, {val} to validate and {test} to test, in different photos. Needed: "
        "{least_train}, {least} and {least}. Tiles that nobody has confirmed: {proposed}.",
        **counts,
        least_train=LEAST_TRAIN,
        least=LEAST_HELD_OUT,
        proposed=patches.proposed,
    )


def _write_faces(path: Path) -> None:
    """Write the faces of the product's own tiles, (512, 512, 3) uint8 BGR by code, unless they are there."""
    import numpy as np

    from referee.rules.tiles import CODES
    from ui.artwork.tile_face import face_image
    from vision.files import replacing

    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as beside, beside.open("wb") as file:
        faces: dict[str, Any] = {code: face_image(code, 512) for code in CODES}
        np.savez_compressed(file, **faces)
