"""Tells places that nothing hides, though they look so: a square of a cloth, or a thing that stays there.

A hand that lies over a place does not look the same again once tiles were moved: it was what moved them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from vision.imaging.arrays import ImageU8
from vision.recognition.reading import Quad, TileReading
from vision.tracking.camera_motion import is_same_place
from vision.tracking.change_detection import is_unchanged

_MOST_EARLIER = 6
"""So many pictures on which tiles lay otherwise are compared with: the first and the last on which they lay
in the same places."""


class StillPlaces:
    """Remembers the last tables on which something seemed to hide a place."""

    def __init__(self) -> None:
        """Begin with nothing seen."""
        self._earlier: list[tuple[ImageU8, Sequence[TileReading]]] = []

    def look(
        self,
        image_bgr: ImageU8,
        quads: Collection[Quad],
        tiles: Sequence[TileReading],
        known: Collection[TileReading] = (),
    ) -> set[Quad]:
        """Return those of some places that look as they did when tiles lay otherwise.

        Args:
            image_bgr: (H, W, 3) uint8 BGR; it is kept, and must not be written into.
            quads: Places that something may hide.
            tiles: What lies there.
            known: What lay on the last clear table. What was read once and is no tile of either was a thing.
        """
        codes = {tile.code for tile in (*tiles, *known)}
        lay_there = [[tile for tile in lay if tile.code in codes] for _, lay in self._earlier]
        alike = [at for at, lay in enumerate(lay_there) if _lie_alike(lay, tiles)]
        earlier = [image for at, (image, _) in enumerate(self._earlier) if at not in alike]
        if quads:
            for at in reversed(alike[1:]):
                del self._earlier[at]
            self._earlier = [*self._earlier, (image_bgr, tiles)][-_MOST_EARLIER:]
        return {
            quad for quad in quads if any(is_unchanged(before, quad, image_bgr, quad) for before in earlier)
        }


def _lie_alike(some: Sequence[TileReading], others: Sequence[TileReading]) -> bool:
    """Return whether tiles lie in the same places, whatever they are."""
    return len(some) == len(others) and all(
        any(is_same_place(one.quad_px, other.quad_px) for other in others) for one in some
    )
