"""Things that were taken for tiles, until people said that they are none, and that lie there still."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Matrix, map_points
from vision.recognition.reading import Quad
from vision.tracking.camera_motion import as_quad, find_view, place_of, shrink
from vision.tracking.change_detection import is_unchanged, still_holds

_MOST_THINGS = 8
"""So many things are remembered, each with its picture."""
_SEEN_SHARE = 0.5
"""A sleeve may hide the rest of a thing's pattern; a tile that is laid on it hides more."""
_LARGER = 1.15
"""What is painted over is so much larger than the thing, which has an edge and a shadow."""
_REACH_PX = 3
"""Each pixel that is painted over is like those at so many pixels from it."""


@dataclass(frozen=True, slots=True)
class _Thing:
    image_bgr: ImageU8
    """As it lay when it was denied."""
    quad_px: Quad
    """Where it lies there."""
    now_px: Quad
    """Where it lies now."""

    def lies(self, image_bgr: ImageU8, quad: Quad) -> bool:
        """Return whether it lies in a quad as it lay when it was denied, of which a part may be seen."""
        lay = self.image_bgr, self.quad_px
        return is_unchanged(*lay, image_bgr, quad) or still_holds(*lay, image_bgr, quad, least=_SEEN_SHARE)

    def seen_from(self, view: Matrix) -> _Thing:
        """Return it after the camera moved by a (3, 3) homography of pixels."""
        return replace(self, now_px=as_quad(map_points(view, np.array(self.now_px))))


class DeniedThings:
    """Paints them over. For one thread."""

    def __init__(self) -> None:
        """Begin without any thing."""
        self._things: deque[_Thing] = deque(maxlen=_MOST_THINGS)

    def deny(self, image_bgr: ImageU8, quads_px: Iterable[Quad]) -> None:
        """Hear that no tile lies in some quads of a (H, W, 3) uint8 BGR picture; it is kept."""
        self._things.extend(_Thing(image_bgr, quad, quad) for quad in quads_px)

    def see_from(self, view: Matrix) -> None:
        """Hear that the camera moved by a (3, 3) homography of pixels."""
        self._things = deque([thing.seen_from(view) for thing in self._things], maxlen=_MOST_THINGS)

    def painted_over(self, image_bgr: ImageU8, before_bgr: ImageU8 | None) -> ImageU8:
        """Return a picture with the table around it where a thing lies as it did.

        Args:
            image_bgr: (H, W, 3) uint8 BGR.
            before_bgr: The last clear table; the camera may have moved since.
        """
        lie = [thing.now_px for thing in self._things if thing.lies(image_bgr, thing.now_px)]
        if len(lie) < len(self._things) and before_bgr is not None and before_bgr.shape == image_bgr.shape:
            before, now = shrink(before_bgr), shrink(image_bgr)
            view, _changed = find_view(before, now, (), (), now.shape[1] / image_bgr.shape[1])
            moved = [] if view is None else [(thing, thing.seen_from(view)) for thing in self._things]
            lie += [then.now_px for thing, then in moved if thing.lies(image_bgr, then.now_px)]
        if not lie:
            return image_bgr
        mask = np.zeros(image_bgr.shape[:2], np.uint8)
        for quad in lie:
            cv2.fillConvexPoly(mask, place_of(quad, 1.0, _LARGER), 1)
        return np.asarray(cv2.inpaint(image_bgr, mask, _REACH_PX, cv2.INPAINT_TELEA), np.uint8)
