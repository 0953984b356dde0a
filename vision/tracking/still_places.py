"""Tells which places something hides, and which only look so: a square of a cloth, or a thing that stays.

A hand that lies over a place does not look the same again once tiles were moved: it was what moved them. But
another hand may lie where one lay before, over a tile that was seen in between.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from vision.imaging.arrays import ImageU8
from vision.recognition.lattice import LatticePlace
from vision.recognition.reading import Quad, Reading, TileReading
from vision.tracking.camera_motion import is_same_place
from vision.tracking.change_detection import is_unchanged
from vision.tracking.comparison import Comparison
from vision.tracking.lattice_track import TilesByPlace

_MOST_EARLIER = 6
"""So many pictures on which tiles lay otherwise are compared with: the first and the last on which they lay
in the same places."""


class StillPlaces:
    """Remembers the last tables on which something seemed to hide a place."""

    def __init__(self) -> None:
        """Begin with nothing seen."""
        self._earlier: list[tuple[ImageU8, Sequence[TileReading]]] = []
        self._clear: list[ImageU8] = []
        """Those that are older than the last clear table."""

    def is_clear(self) -> None:
        """Hear that the table that was looked at last is clear."""
        self._clear = [image for image, _ in self._earlier]

    def look(
        self,
        image_bgr: ImageU8,
        quads: Collection[Quad],
        tiles: Sequence[TileReading],
        known: Collection[TileReading] = (),
        laid_over: Collection[Quad] = (),
    ) -> set[Quad]:
        """Return those of some places that look as they did when tiles lay otherwise.

        Args:
            image_bgr: (H, W, 3) uint8 BGR; it is kept, and must not be written into.
            quads: Places that something may hide.
            tiles: What lies there.
            known: What lay on the last clear table. What was read once and is no tile of either was a thing.
            laid_over: Those of the places in which a tile was seen then, and what is now in its place is no
                table: it came since.
        """
        codes = {tile.code for tile in (*tiles, *known)}
        lay_there = [[tile for tile in lay if tile.code in codes] for _, lay in self._earlier]
        alike = [at for at, lay in enumerate(lay_there) if _lie_alike(lay, tiles)]
        earlier = [image for at, (image, _) in enumerate(self._earlier) if at not in alike]
        since = [image for image in earlier if not any(image is older for older in self._clear)]
        if quads:
            for at in reversed(alike[1:]):
                del self._earlier[at]
            self._earlier = [*self._earlier, (image_bgr, tiles)][-_MOST_EARLIER:]
        return {
            quad
            for quad in quads
            for images in [since if quad in laid_over else earlier]
            if any(is_unchanged(before, quad, image_bgr, quad) for before in images)
        }


def _lie_alike(some: Sequence[TileReading], others: Sequence[TileReading]) -> bool:
    """Return whether tiles lie in the same places, whatever they are."""
    return len(some) == len(others) and all(
        any(is_same_place(one.quad_px, other.quad_px) for other in others) for one in some
    )


def hidden_places(
    reading: Reading,
    found: TilesByPlace,
    before: TilesByPlace,
    gone: Mapping[str, LatticePlace],
    covered: Collection[LatticePlace],
    beside: Comparison,
) -> list[Quad]:
    """Return where something hides the table, or a tile that lay there before."""
    hidden = [quad for quad in reading.hidden if not beside.is_unchanged(quad) and not beside.is_bare(quad)]
    hidden += [
        tile.quad_px
        for place, tile in before.items()
        if tile.code in gone
        and place not in found
        and (
            beside.is_strange(tile.quad_px)
            or (beside.holds(tile.quad_px) and not beside.is_bare(tile.quad_px))
            or (place in covered and not tile.unsure and beside.is_open(tile.quad_px))
        )
        and not any(is_same_place(tile.quad_px, quad) for quad in hidden)
    ]
    return hidden
