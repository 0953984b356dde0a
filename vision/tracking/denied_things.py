"""Things that were taken for tiles, until people said that they are none, and that lie there still."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points
from vision.recognition.reading import DetectedTile, Quad, Reading
from vision.tracking.camera_motion import is_same_place
from vision.tracking.change_detection import is_unchanged
from vision.tracking.initial_table import TileLook
from vision.tracking.lattice_track import own_places, with_only

_MOST_THINGS = 8
"""So many things are remembered, each with its picture."""


class DeniedThings:
    """Sees what somebody else sees, but for the things. For one thread."""

    def __init__(self, look: TileLook) -> None:
        """Begin without any thing."""
        self._look = look
        self._things: deque[tuple[Quad, ImageU8]] = deque(maxlen=_MOST_THINGS)

    def deny(self, image_bgr: ImageU8, quads_px: Iterable[Quad]) -> None:
        """Hear that no tile lies in some quads of a (H, W, 3) uint8 BGR picture; it is kept."""
        self._things.extend((quad, image_bgr) for quad in quads_px)

    def tiles(self, image_bgr: ImageU8) -> Sequence[DetectedTile]:
        """Return every face-up tile of a (H, W, 3) uint8 BGR picture that is no thing."""
        return [tile for tile in self._look.tiles(image_bgr) if not self._is_thing(image_bgr, tile.quad_px)]

    def name(self, image_bgr: ImageU8, quads_px: list[Points]) -> Sequence[DetectedTile]:
        """Return what lies in the given upright quads of a picture."""
        return self._look.name(image_bgr, quads_px)

    def without(self, image_bgr: ImageU8, reading: Reading) -> Reading:
        """Return a reading of a (H, W, 3) uint8 BGR picture without the things."""
        found = dict(zip(own_places(reading.tiles), reading.tiles, strict=True))
        kept = {at: tile for at, tile in found.items() if not self._is_thing(image_bgr, tile.quad_px)}
        if len(kept) == len(found):
            return reading
        return with_only(reading, kept, min((place.row for place in kept), default=0))

    def _is_thing(self, image_bgr: ImageU8, quad: Quad) -> bool:
        return any(
            is_same_place(thing, quad) and is_unchanged(before, thing, image_bgr, thing)
            for thing, before in self._things
        )
