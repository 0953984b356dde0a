"""What each number of the reading brings: `python -m models.training.thresholds DIR ...`.

The labelled pictures of the folders (as for `pyramid-referee evaluate`) are read as shipped, and then with
one number at a time set so that its rule never holds, or always, or sooner. A number without
which nothing gets worse can go.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import cv2

from referee.rules.tiles import CODES
from vision.dataset.label_file import LabelledPicture, read_labels
from vision.evaluation.metrics import Score
from vision.imaging.arrays import ImageU8
from vision.imaging.photo import read_photo
from vision.pyramid import way_up
from vision.pyramid.slant import STRAIGHT, Squash
from vision.recognition import assignment, naming, places_beside, pyramid_finder, reader
from vision.recognition.classifier import SecondOpinion, TileClassifier
from vision.recognition.detector import TileCandidate, TileDetector
from vision.recognition.model_store import open_model
from vision.recognition.reader import TileReader

NEVER, ALWAYS = 2.0, -1.0
"""Chances and shares are never above the first, and always above the second."""
TRIED: dict[ModuleType, dict[str, tuple[float, ...]]] = {
    places_beside: {
        "CLEARLY_COVERED": (NEVER, 0.7),
        "UNCOVERED": (ALWAYS, 0.5),
        "STRANGE_SHARE": (ALWAYS, 0.4),
        "PARTLY_STRANGE_SHARE": (ALWAYS, 0.2),
        "POSSIBLE_TILE_CHANCE": (NEVER, 0.2),
        "READABLE": (ALWAYS, 0.9),
        "CLEAR_SCORE": (0.3, 0.6),
        "MOST_OFF": (0.2, 0.4),
        "CLEARLY_UPRIGHT": (NEVER, 0.5),
        "PART_SCORE": (0.1, 0.45),
        "_MOST_CUTS": (0, 1),
    },
    reader: {
        "CERTAIN_TILE_CHANCE": (NEVER, 0.9),
        "CLEARLY_READABLE": (NEVER, 0.8),
        "COVERED_CHANCE": (NEVER, 0.9, 0.3),
        "WELL_CUT": (NEVER, 0.0),
        "BADLY_CUT": (NEVER, 0.05),
    },
    naming: {
        "CLEAR_TILE_CHANCE": (0.99, 0.5),
        "LIKELY_TILE_CHANCE": (0.9, 0.2),
        "DOUBTFUL_CONFIDENCE": (ALWAYS, 0.99),
        "NEW_AND_CERTAIN": (ALWAYS, NEVER),
    },
    pyramid_finder: {
        "SURE_STRAY_CHANCE": (NEVER, 0.5),
        "_PLAIN_CHANCE": (NEVER, 0.9),
        "_PLAIN_SQUARENESS": (NEVER, 0.8),
        "_ALONE_CHANCE": (NEVER, 0.9),
        "_ALONE_SQUARENESS": (NEVER, 0.6),
        "CLEARLY_UPRIGHT": (0.0, 10.0),
        "ONE_TILE": (0.4, 1.0),
    },
    way_up: {
        "_CLOSE_WAYS": (0.0, 40.0),
        "_CLOSE_BY_TILE": (0.0, 6.0),
        "_HELD": (0.0, 6.0),
        "_LAID_OUT": (0.0, 9.0),
        "_MOST_BY_ONE": (0.0, 100.0),
        "_MOST_KNOWN": (0.0, 100.0),
        "_MOST_BY_LOOK": (0.0, 10.0),
        "_CLOSE_LOOK": (0.0, 10.0),
    },
    assignment: {
        "_HARD_CONFIDENCE": (0.0, 0.99),
        "_HARD_SHARE": (0.3, 0.5),
    },
}
"""Module -> number -> what it is set to, there and in `_USERS`."""
_USERS = (reader, naming, places_beside)
"""Where numbers of other modules are used, too."""


class _FoundBefore(TileDetector):
    """Finds the tiles of a picture once, however often it is read."""

    def __init__(self) -> None:
        super().__init__(open_model("finder", threads=1))
        self._found: dict[int, list[TileCandidate]] = {}

    def find(self, image_bgr: ImageU8, squash: Squash | None = STRAIGHT) -> list[TileCandidate]:
        """Return what was found in this very picture before."""
        if id(image_bgr) not in self._found:
            self._found[id(image_bgr)] = super().find(image_bgr, squash)
        return self._found[id(image_bgr)]


def labelled_pictures(folders: list[Path]) -> Iterator[tuple[ImageU8, LabelledPicture]]:
    """Yield the pictures of folders, (H, W, 3) uint8 BGR, with what lies there in the picture's pixels."""
    for folder in folders:
        for path in sorted(folder.glob("*.json")):
            known = read_labels(path, CODES)
            photo = read_photo(path.with_name(known.name))
            yield photo.image_bgr, known.scaled(1 / photo.scale)


def row(of: TileReader, known: list[tuple[ImageU8, LabelledPicture]]) -> str:
    """Return how the pictures are read, as the columns of the table."""
    score = Score()
    for image, what in known:
        score.add(what, of.read(image))
    return (
        f"{score.right / max(score.tiles, 1):>9.2%}{score.unsure / max(score.reported, 1):>9.2%}"
        f"{score.silent:>8}{score.layouts:>9}{score.layouts_vouched:>9}{score.layouts_wrong_silently:>8}"
        f"  {score.covered_found} of {score.covered}"
    )


def main(arguments: list[str] | None = None) -> None:
    """Print a table, a row for each number and value, beside what is shipped."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", metavar="DIR")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="the numbers to try; all by default")
    asked = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    known = list(labelled_pictures(asked.folders))
    model = open_model("reader", threads=2)
    of = TileReader(_FoundBefore(), TileClassifier(model, second=SecondOpinion.of(model)))
    print(f"{len(known)} pictures", file=sys.stderr)
    print(f"{'':<34}{'right':>9}{'asked':>9}{'silent':>8}{'layouts':>9}{'vouched':>9}{'wrong':>8}  covered")
    print(f"{'as shipped':<34}{row(of, known)}", flush=True)
    for module, numbers in TRIED.items():
        for name, values in numbers.items():
            if asked.only and name not in asked.only:
                continue
            shipped = getattr(module, name)
            for value in values:
                _set(module, name, value)
                print(f"{f'{name} {shipped:g} -> {value:g}':<34}{row(of, known)}", flush=True)
            _set(module, name, shipped)


def _set(module: ModuleType, name: str, value: float) -> None:
    for each in (module, *_USERS):
        if hasattr(each, name):
            setattr(each, name, value)


if __name__ == "__main__":
    main()
