"""How enrolment, reader and finder do on real photographs: `python -m tests.benchmarks.real_photos DIR`.

The data is the folder `rummikub` of the project's shared data: "rummikue, Rummikub dataset, Roboflow
Universe", CC BY 4.0, with quads fitted by hand. 132 phone photos of oblong number tiles (black, blue, orange
and red, 1 to 13, two of each): 52 photos of one tile each are learned from (two more show jokers); 625 tiles
in 67 photos of three groups are read; and 11 photos of bare surfaces are looked at for false alarms. No model
was trained on any of them. Jokers and tiles cut by the frame (`ignore`) do not count, neither as tiles nor as
errors.

What is measured, by group, for all, and for the quick subset `core`:
- given quads: the labelled corners are given, and the reader names the tiles;
- found: finder and reader work by themselves; a tile is found where a reported one has its middle within half
  a short side of the labelled one's;
- background: pictures without a tile in which any is reported.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points
from vision.imaging.photo import read_photo
from vision.recognition.model_store import open_model
from vision.recognition.reader import TileReader
from vision.recognition.reading import DetectedTile
from vision.tilesets.enrolment import LabelledPhoto, learn

COPIES = 2


@dataclass(frozen=True)
class Labelled:
    """A tile of a picture."""

    code: str
    quad: Points
    ignore: bool
    core: bool


@dataclass(frozen=True)
class Picture:
    """A photo and its tiles."""

    name: str
    group: str
    complete: bool
    """Whether every tile that can be seen is labelled."""
    image_bgr: ImageU8
    tiles: list[Labelled]


@dataclass
class Count:
    """What became of the labelled tiles of a group."""

    tiles: int = 0
    found: int = 0
    right: int = 0
    silent: int = 0
    """Named wrongly, or reported where none lies, without being unsure."""
    unsure: int = 0
    """Labelled tiles that were reported as unsure, right or wrong."""

    def shares(self) -> dict[str, float]:
        """Return the counts as shares of the labelled tiles."""
        names = ("found", "right", "silent", "unsure")
        return {name: round(getattr(self, name) / max(self.tiles, 1), 4) for name in names}


def pictures(directory: Path, role: str) -> Iterator[Picture]:
    """Yield the photos of a role, quads in the pixels of the photo as it is read."""
    for item in json.loads((directory / "labels.json").read_text(encoding="utf-8"))["images"]:
        if item["role"] == role:
            photo = read_photo(directory / item["file"])
            tiles = [
                Labelled(
                    f"{tile['colour']}-{tile['number']}",
                    ((np.array(tile["quad"]) + 0.5) / photo.scale - 0.5).astype(np.float32),
                    bool(tile["ignore"]),
                    bool(tile.get("core", False)),
                )
                for tile in item["items"]
            ]
            yield Picture(item["file"], item["group"], bool(item["complete"]), photo.image_bgr, tiles)


def learned_reader(directory: Path) -> TileReader:
    """Return a reader of the set as the photos of the role `enrol` show it."""
    photos = (
        LabelledPhoto(
            picture.name,
            picture.image_bgr,
            tuple((tile.code, tile.quad) for tile in picture.tiles if not tile.ignore),
        )
        for picture in pictures(directory, "enrol")
    )
    return TileReader.open(learn("rummikub", photos, open_model("reader"), copies=COPIES).tile_set)


def short_side(quad: Points) -> float:
    """Return the shorter of a quad's two mean sides, in pixels."""
    edges = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    return float(min(edges[0] + edges[2], edges[1] + edges[3]) / 2)


def nearest(quad: Points, seen: list[DetectedTile], taken: set[int]) -> int | None:
    """Return the index of the reported tile that lies where a labelled one does, or None."""
    best, limit = None, 0.5 * short_side(quad)
    for index, tile in enumerate(seen):
        distance = float(np.hypot(*(np.mean(tile.quad_px, axis=0) - quad.mean(axis=0))))
        if index not in taken and distance < limit:
            best, limit = index, distance
    return best


def add(count: Count, tile: Labelled, seen: DetectedTile | None) -> None:
    """Count one labelled tile."""
    count.tiles += 1
    if seen is not None:
        count.found += 1
        count.right += seen.code == tile.code
        count.silent += seen.code != tile.code and not seen.unsure
        count.unsure += seen.unsure


def groups_of(picture: Picture, tile: Labelled) -> tuple[str, ...]:
    """Return the rows of the table that a tile counts for."""
    return (picture.group, "all", "core") if tile.core else (picture.group, "all")


def with_given_quads(reader: TileReader, picture: Picture, counts: dict[str, Count]) -> None:
    """Count what the reader names where the true corners are given."""
    tiles = [tile for tile in picture.tiles if not tile.ignore]
    for tile, seen in zip(tiles, reader.name(picture.image_bgr, [tile.quad for tile in tiles]), strict=True):
        for group in groups_of(picture, tile):
            add(counts.setdefault(group, Count()), tile, seen)


def with_found_tiles(reader: TileReader, picture: Picture, counts: dict[str, Count]) -> None:
    """Count what finder and reader do by themselves."""
    seen = reader.tiles(picture.image_bgr)
    taken: set[int] = set()
    for tile in sorted(picture.tiles, key=lambda tile: tile.ignore):
        index = nearest(tile.quad, seen, taken)
        taken |= set() if index is None else {index}
        for group in () if tile.ignore else groups_of(picture, tile):
            add(counts.setdefault(group, Count()), tile, None if index is None else seen[index])
    if picture.complete:
        ghosts = sum(not tile.unsure for index, tile in enumerate(seen) if index not in taken)
        for group in (picture.group, "all"):
            counts.setdefault(group, Count()).silent += ghosts


def measure(
    reader: TileReader, directory: Path, look: Callable[[TileReader, Picture, dict[str, Count]], None]
) -> dict[str, Count]:
    """Return the counts of all groups."""
    counts: dict[str, Count] = {}
    for picture in pictures(directory, "validation"):
        look(reader, picture, counts)
    return dict(sorted(counts.items(), key=lambda item: item[0] in ("all", "core")))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("directory", type=Path, metavar="DIR")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    started = time.perf_counter()
    reader = learned_reader(args.directory)
    learned_s = time.perf_counter() - started
    parts = {
        "given quads": measure(reader, args.directory, with_given_quads),
        "found": measure(reader, args.directory, with_found_tiles),
    }
    empty = [len(reader.tiles(picture.image_bgr)) for picture in pictures(args.directory, "background")]
    alarms = sum(count > 0 for count in empty)
    if args.json:
        answer: dict[str, Any] = {
            part: {group: {"tiles": count.tiles} | count.shares() for group, count in counts.items()}
            for part, counts in parts.items()
        }
        answer["background"] = {"pictures": len(empty), "with_tiles": alarms, "tiles": sum(empty)}
        print(json.dumps(answer | {"learning_s": round(learned_s, 2)}))
        return
    print(f"{'':<34}{'tiles':>6}{'found':>9}{'right':>9}{'silent':>9}{'unsure':>9}")
    for part, counts in parts.items():
        for group, count in counts.items():
            shares = "".join(f"{share:>9.1%}" for share in count.shares().values())
            print(f"{part:<14}{group:<20}{count.tiles:>6}{shares}")
    print(f"background: tiles reported in {alarms} of {len(empty)} pictures ({sum(empty)} tiles)")
    print(f"learned in {learned_s:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
