"""Things that were taken for tiles, until people said that they are none, and that lie there still."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Matrix, Points, map_points
from vision.recognition.reading import DetectedTile, Quad, Reading
from vision.tracking.camera_motion import as_quad, is_same_place
from vision.tracking.change_detection import is_unchanged
from vision.tracking.initial_table import TileLook
from vision.tracking.lattice_track import own_places, with_only

_MOST_THINGS = 8
"""So many things are remembered, each with its picture."""


@dataclass(frozen=True, slots=True)
class _Thing:
    image_bgr: ImageU8
    """As it lay when it was denied."""
    quad_px: Quad
    """Where it lies there."""
    now_px: Quad
    """Where it lies now."""


class DeniedThings:
    """Sees what somebody else sees, but for the things. For one thread."""

    def __init__(self, look: TileLook) -> None:
        """Begin without any thing."""
        self._look = look
        self._things: deque[_Thing] = deque(maxlen=_MOST_THINGS)

    def deny(self, image_bgr: ImageU8, quads_px: Iterable[Quad]) -> None:
        """Hear that no tile lies in some quads of a (H, W, 3) uint8 BGR picture; it is kept."""
        self._things.extend(_Thing(image_bgr, quad, quad) for quad in quads_px)

    def see_from(self, view: Matrix) -> None:
        """Hear that the camera moved by a (3, 3) homography of pixels."""
        things = [
            replace(thing, now_px=as_quad(map_points(view, np.array(thing.now_px)))) for thing in self._things
        ]
        self._things = deque(things, maxlen=_MOST_THINGS)

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
            is_same_place(thing.now_px, quad)
            and is_unchanged(thing.image_bgr, thing.quad_px, image_bgr, thing.now_px)
            for thing in self._things
        )
