"""`pyramid-referee evaluate`: measures recognition on pictures whose contents are known."""

from __future__ import annotations

import argparse
import json
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from ui.cli.batch import add_arguments as add_batch_arguments
from ui.cli.streams import refuse
from ui.text.catalogue import _, mark, say
from ui.text.errors import error_sentence

if TYPE_CHECKING:
    from ui.services.evaluation import Measured
    from vision.evaluation.metrics import Score

HELP = mark("measure recognition on a folder of pictures with labels")

SHIPPED = "shipped"
"""The name by which --model calls the shipped reader."""

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
        "directory", type=Path, metavar="DIR", help=_("a folder of pictures, each with its *.json file")
    )
    parser.add_argument(
        "--json", action="store_true", help=_("print one JSON object per line for each group of pictures")
    )
    parser.add_argument(
        "--turn",
        type=float,
        default=0.0,
        metavar="DEGREES",
        help=_("turn every picture first, as if seen from another seat"),
    )
    parser.add_argument(
        "--failures", action="store_true", help=_("also name the pictures that were not read correctly")
    )
    parser.add_argument(
        "--tiles", metavar="NAME", help=_("read the tiles of this tile set, learned with enrol")
    )
    parser.add_argument(
        "--resume",
        type=Path,
        metavar="FILE",
        help=_("keep the results in this file; run again with the same file to go on after a stop"),
    )
    parser.add_argument(
        "--model",
        action="append",
        metavar="NAME",
        help=_(
            "measure this model, made with train --data; give it twice to compare two models (the "
            "shipped model is called 'shipped')"
        ),
    )
    add_batch_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Return 0 when every picture was read, 1 when some could not be, or when there is none."""
    from referee.rules.tiles import CODES
    from ui.storage.paths import model_folder, open_tile_set
    from vision.dataset.ground_truth import label_files
    from vision.errors import BatchError, ModelError, TileSetError

    names: list[str] = args.model or [SHIPPED]
    if len(names) > 1 and args.resume:
        return refuse(_("--resume works with one model. Give only one --model."))
    try:
        tile_set = open_tile_set(args.tiles)
        folders = [None if name == SHIPPED else model_folder(name) for name in names]
    except (TileSetError, ModelError) as error:
        return refuse(error_sentence(error))
    files = label_files(args.directory)
    if not files:
        sentence = mark("{name!r} holds no picture with a *.json file of the same name beside it.")
        return refuse(say(sentence, name=str(args.directory)), status=1)
    of_the_game = tile_set is None or set(tile_set.codes) == set(CODES)
    overall: dict[str, Score] = {}
    status = 0
    for name, folder in zip(names, folders, strict=True):
        try:
            figures = _measure_all(files, folder, args)
        except (BatchError, ModelError) as error:
            return refuse(error_sentence(error), status=1)
        status = 1 if figures.failed else status
        overall[name] = figures.scores["all"]
        if len(names) > 1 and not args.json:
            print(say("Model {name}:", name=name))
        _report(figures, name if args.model else None, of_the_game=of_the_game, as_json=args.json)
    if len(overall) > 1 and not args.json:
        _compare(overall)
    return status


@dataclass(slots=True)
class Figures:
    """What was measured of one model."""

    scores: dict[str, Score]
    """By group of pictures; those of all pictures are under "all"."""
    times_ms: list[float] = field(default_factory=list)
    """How long each reading took."""
    failed: int = 0
    """How many pictures could not be read."""

    def count(self, measured: Measured) -> None:
        """Count a picture in its groups."""
        from vision.evaluation.metrics import Score

        self.times_ms.append(measured.ms)
        for group in ("all", *measured.groups, " ".join(measured.groups)):
            if group:
                self.scores.setdefault(group, Score()).include(measured.score)


def _compare(scores: dict[str, Score]) -> None:
    """Print the figures of several models side by side."""
    figures = {name: score.shares() for name, score in scores.items()}
    print(f"\n{'':<20}" + "".join(f"{name[:18]:>19}" for name in figures))
    for key, head in _HEADS.items():
        if all(key in shares for shares in figures.values()):
            print(f"{head:<20}" + "".join(f"{shares[key]:>18.2%} " for shares in figures.values()))


def _measure_all(files: list[Path], model: Path | None, args: argparse.Namespace) -> Figures:
    """Return what a model makes of the pictures; None for the shipped one.

    Raises:
        BatchError: The cluster, the workers or the file to resume from fail.
    """
    from ui.cli.batch import spread, threads_for_each, worker_count
    from ui.cli.progress import ProgressBar
    from ui.services.evaluation import EvaluationJob, Measured, ResumeFile, measure
    from vision.evaluation.metrics import Score

    figures = Figures({"all": Score()})
    workers = worker_count(len(files), args.workers)
    threads = threads_for_each(workers, args.scheduler)
    job = EvaluationJob(args.tiles, args.turn, threads, None if model is None else str(model.resolve()))
    work = partial(measure, job)

    def count(measured: Measured) -> None:
        figures.count(measured)
        if args.failures and measured.failure:
            progress.say(measured.failure)

    with ProgressBar(len(files)) as progress, ResumeFile(args.resume, job) as before:
        todo = []
        for path in files:
            if (known := before.find(path)) is None:
                todo.append(str(path.resolve()))
                continue
            count(known)
            progress.skip()
        with closing(spread(work, todo, workers=workers, scheduler=args.scheduler)) as results:
            for labels, measured in results:
                if isinstance(measured, Measured):
                    before.add(Path(labels), measured)
                    count(measured)
                else:
                    figures.failed += 1
                    progress.say(error_sentence(measured))
                progress.step()
    return figures


def _report(figures: Figures, model: str | None, *, of_the_game: bool, as_json: bool) -> None:
    """Print the figures; those of layouts only where the tiles are the game's own."""
    scores, times = figures.scores, figures.times_ms
    shares = {
        group: {name: value for name, value in score.shares().items() if of_the_game or "layouts" not in name}
        for group, score in scores.items()
    }
    if as_json:
        for group, score in scores.items():
            named = {} if model is None else {"model": model}
            counts = {"group": group, "pictures": score.pictures, "tiles": score.tiles}
            print(json.dumps(named | counts | shares[group]))
        return
    columns = [name for name in _HEADS if any(name in of_group for of_group in shares.values())]
    print(f"{'':<14}{'pictures':>9}{'tiles':>7}" + "".join(f"{_HEADS[name]:>19}" for name in columns))
    for group, score in scores.items():
        cells = [f"{shares[group][name]:>18.2%} " if name in shares[group] else " " * 19 for name in columns]
        print(f"{group:<14}{score.pictures:>9}{score.tiles:>7}" + "".join(cells))
    confusions = sorted(scores["all"].confusions.items(), key=lambda item: -item[1])[:12]
    if confusions:
        print(
            "taken for another: "
            + ", ".join(f"{true} as {read} x{count}" for (true, read), count in confusions)
        )
    if times:
        print(f"reading a picture: {median(times):.1f} ms (median of {len(times)})")
