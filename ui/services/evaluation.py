"""Measures recognition picture by picture, and keeps the results in a file to resume from.

The file has JSON lines: what was measured first (the models' checksums, the tile set, the turn), then one
line a picture. A picture counts as measured while neither it nor its label file has changed.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from vision.imaging.picture_names import PICTURE_SUFFIXES

if TYPE_CHECKING:
    from types import TracebackType

    from vision.errors import VisionError
    from vision.evaluation.metrics import Score
    from vision.recognition.reader import TileReader

VERSION = 1
MAX_LINE = 2**20
MAX_RESUMED_BYTES = 256 * 2**20


@dataclass(frozen=True, slots=True)
class EvaluationJob:
    """What a worker needs besides the label file; it may run on another machine."""

    tiles: str | None
    turn: float
    threads: int
    model: str | None = None
    """Folder of a reader model; None: the shipped one."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The result for one picture."""

    groups: tuple[str, ...]
    score: Score
    ms: float
    failure: str | None
    """How the layout was misread, if it was."""


def measure(job: EvaluationJob, labels: str) -> Measured | VisionError:
    """Read the picture of a label file, and return the result, or the error if it cannot be read."""
    from referee.rules.tiles import CODES
    from ui.services.kept_open import kept_open
    from vision.dataset.ground_truth import read_ground_truth, turn_picture
    from vision.dataset.unordered_tiles import read_unordered_tiles
    from vision.errors import ImageError, LabelError
    from vision.evaluation.metrics import Score
    from vision.imaging.photo import read_photo

    reader, codes = kept_open(_open_reader, (job.tiles, job.threads, job.model))
    try:
        known = read_ground_truth(Path(labels), codes)
        photo = read_photo(known.path)
    except (ImageError, LabelError) as error:
        return error
    image, scale = photo.image_bgr, photo.scale
    if job.turn:
        image, known = turn_picture(image, known.scaled(1 / scale), job.turn)
        scale = 1.0
    of_the_game = set(codes) == set(CODES)
    reading = (reader.read(image) if of_the_game else read_unordered_tiles(reader.tiles, image)).scaled(scale)
    failure = None
    if reading.layout != known.layout:
        unsure = f", unsure: {' '.join(reading.unsure)}" if reading.unsure else ", nothing unsure"
        failure = f"{known.name}: read {reading.layout}\n  where {known.layout} lies{unsure}"
    score = Score()
    score.add(known, reading)
    return Measured(known.groups, score, reading.timings_ms["total"], failure)


def _open_reader(key: tuple[str | None, int, str | None]) -> tuple[TileReader, tuple[str, ...]]:
    from referee.rules.tiles import CODES
    from ui.storage.paths import open_tile_set
    from vision.recognition.reader import TileReader

    name, threads, folder = key
    tile_set = open_tile_set(name)
    reader = TileReader.open(tile_set, None if folder is None else Path(folder), threads=threads)
    return reader, CODES if tile_set is None else tile_set.codes


class ResumeFile:
    """The file with earlier results, to go on from after an interruption. A context manager."""

    def __init__(self, path: Path | None, job: EvaluationJob) -> None:
        """Read the file and open it for more results; without a path, no results are kept.

        Raises:
            BatchError: It cannot be read or written, or holds what was measured otherwise.
        """
        from vision.errors import BatchError
        from vision.files import read_input_text

        self._done: dict[str, tuple[list[int], dict[str, Any]]] = {}
        self._file = None
        if path is None:
            return
        try:
            head = json.dumps({"version": VERSION, "measured": _what_is_measured(job)})
            lines = read_input_text(path, MAX_RESUMED_BYTES).splitlines() if path.exists() else []
            if lines and lines[0] != head:
                raise BatchError(
                    "{name!r} holds the results of other models, tiles or turns. Name another file with "
                    "--resume.",
                    name=str(path),
                )
            for line in lines[1:]:
                self._take(line)
            self._file = path.open("a", encoding="utf-8")
            # A line that was cut off by an interruption must not spoil the next.
            self._file.write(f"{head}\n" if not lines else "\n")
            self._file.flush()
        except (OSError, ValueError) as error:
            raise BatchError("{name!r} cannot be resumed: {reason}.", name=str(path),
                             reason=str(error)) from error  # fmt: skip

    def _take(self, line: str) -> None:
        """Take over the result of one line; if it cannot be read, the picture is measured again."""
        if not line or len(line) > MAX_LINE:
            return
        try:
            item = json.loads(line)
            measured = item["measured"]
            _from_json(measured)
            self._done[str(item["labels"])] = item["state"], measured
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return

    def find(self, labels: Path) -> Measured | None:
        """Return the earlier result for a picture, once; None if there is none or the picture has changed."""
        state, measured = self._done.pop(labels.name, (None, {}))
        return _from_json(measured) if state is not None and state == _state(labels) else None

    def add(self, labels: Path, measured: Measured) -> None:
        """Write the result for a picture to the file."""
        if self._file is not None:
            line = {"labels": labels.name, "state": _state(labels), "measured": _as_json(measured)}
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()

    def __enter__(self) -> Self:
        """Return the file itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


def _what_is_measured(job: EvaluationJob) -> list[object]:
    """Return what must be the same for two measurements to be compared."""
    from ui.storage.paths import tile_sets_folder
    from vision.files import read_input
    from vision.recognition.model_store import open_model
    from vision.tilesets.tile_set_file import MAX_BYTES

    folder = None if job.model is None else Path(job.model)
    opened = open_model("finder"), open_model("reader", folder), open_model("second")
    models = [model.manifest["sha256"] for model in opened]
    tiles = job.tiles and sha256(read_input(tile_sets_folder() / f"{job.tiles}.json", MAX_BYTES)).hexdigest()
    return [*models, tiles, job.turn]


def _state(labels: Path) -> list[int]:
    """Return sizes and times of a label file and of the pictures that may be its own."""
    files = [labels, *(labels.with_suffix(suffix) for suffix in PICTURE_SUFFIXES)]
    found = [os.stat(file) for file in files if file.exists()]
    return [value for stat in found for value in (stat.st_size, stat.st_mtime_ns)]


def _as_json(measured: Measured) -> dict[str, Any]:
    score = asdict(measured.score)
    score["confusions"] = [[*pair, count] for pair, count in measured.score.confusions.items()]
    return {
        "groups": measured.groups,
        "score": score,
        "ms": round(measured.ms, 2),
        "failure": measured.failure,
    }


def _from_json(item: dict[str, Any]) -> Measured:
    from vision.evaluation.metrics import Score

    counts = dict(item["score"])
    score = Score(
        corner_errors=[float(value) for value in counts.pop("corner_errors")],
        confidences=[(float(value), bool(right)) for value, right in counts.pop("confidences")],
        confusions={(str(true), str(read)): int(count) for true, read, count in counts.pop("confusions")},
        **{name: int(count) for name, count in counts.items()},
    )
    failure = item["failure"]
    groups = tuple(str(group) for group in item["groups"])
    return Measured(groups, score, float(item["ms"]), None if failure is None else str(failure))
