"""How well a game reads its next tile: `python -m models.training.calibration.taught [--work DIR]`.

A picture of a set that no network has learned from is one game: its tiles come one after the other, and of
each people say, once it was read, which it is. Printed is by group how many are right, asked about, and
silently wrong, with what the tiles before them have taught, as shipped, and without.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.training.rendering.artists.held_out import HELD_OUT
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points
from vision.recognition.colour_groups import tint_values
from vision.recognition.naming import FaceNamer, KnownLooks
from vision.recognition.own_set import Shown
from vision.recognition.reader import TileReader

FEWEST = 8
"""A picture with fewer tiles teaches too little."""
_ORDER_SEED = 55


@dataclass(frozen=True, slots=True)
class ReadTile:
    """How one tile was read when it came."""

    is_right: bool
    is_unsure: bool


def play(
    reader: TileReader, image_bgr: ImageU8, quads_px: Sequence[Points], codes: Sequence[str], *, teaches: bool
) -> Iterator[ReadTile]:
    """Yield how each tile of a picture is read when it comes; the first one is not taught by any.

    Args:
        reader: The shipped one; what it was taught before is forgotten.
        image_bgr: (H, W, 3) uint8 BGR.
        quads_px: n quads, (4, 2) each, from the faces' own top left, in the order in which they come.
        codes: n codes, each once.
        teaches: Whether the tiles that have come teach what they are.
    """
    classifier, own_set, known = reader.classifier, reader.own_set, KnownLooks()
    assert own_set is not None  # no set is enrolled
    own_set.restore(())
    namer = FaceNamer(classifier)
    for at, code in enumerate(codes):
        faces = classifier.read(image_bgr, quads_px[: at + 1])
        named = namer.name(image_bgr, faces, known, are_tiles=True)
        read = named.codes[at]
        is_unsure = namer.is_unsure(named.faces, at, read, classifier.sure_confidence)
        yield ReadTile(classifier.codes[read.index] == code, is_unsure)
        if teaches:
            own_set.learn(image_bgr, [Shown(code, named.faces.quads_px[at], is_told=True)], at)
            known.colours.learn(code, tint_values(named.faces.log_codes)[at])


def line(group: str, tiles: Sequence[ReadTile]) -> str:
    """Return a line of the table."""
    right = np.mean([tile.is_right for tile in tiles])
    asked = np.mean([tile.is_unsure for tile in tiles])
    silent = sum(not (tile.is_right or tile.is_unsure) for tile in tiles)
    return f"| {group} | {len(tiles)} | {right:.1%} | {asked:.1%} | {silent} ({silent / len(tiles):.2%}) |"


def main() -> None:
    """Read the pictures of all held-out groups, with and without what their tiles teach."""
    from models.training.calibration.sets import CALIBRATION_SEED, pictured_sets

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("training-work/calibration"), help="the pictures")
    parser.add_argument("--shards", type=int, default=24, help="of 15 pictures, for each held-out group")
    asked = parser.parse_args()
    reader = TileReader.open()
    found: dict[bool, list[ReadTile]] = {True: [], False: []}
    print("| group | tiles | right | asked about | silently wrong |\n| --- | --- | --- | --- | --- |")
    for group in HELD_OUT:
        rng = np.random.default_rng(_ORDER_SEED)
        tiles: dict[bool, list[ReadTile]] = {True: [], False: []}
        for each in pictured_sets(asked.work, group, CALIBRATION_SEED, asked.shards):
            # A picture may show one tile twice; a game has each once.
            first = [index for index, code in enumerate(each.codes) if each.codes.index(code) == index]
            if len(first) < FEWEST:
                continue
            order = rng.permutation(first).tolist()
            quads, codes = [each.quads_px[index] for index in order], [each.codes[index] for index in order]
            for teaches, read in tiles.items():
                read += play(reader, each.image, quads, codes, teaches=teaches)
        for teaches, read in tiles.items():
            print(line(f"{group}{', taught' if teaches else ''}", read), flush=True)
            found[teaches] += read
    for teaches, read in found.items():
        print(line(f"all{', taught' if teaches else ''}", read))


if __name__ == "__main__":
    main()
