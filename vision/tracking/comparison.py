"""A picture compared with the last clear table of a game, and with the first one, place by place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Matrix, Points, map_points
from vision.recognition.reading import Quad, TileReading
from vision.tracking.camera_motion import as_quad, is_same_place
from vision.tracking.change_detection import (
    MAX_CHANGED,
    Difference,
    difference,
    light_between,
    still_holds,
)

_STRANGE_SHARE = 0.5
"""Something hides a place if at least this share of it is not the table of the first clear picture."""

_SAME_SHARE = 0.6
"""In another light a thing is the one that lay there before if this share of its pattern is the same. Not
fitted: places that tiles had left kept at most 0.17 (`HELD_SHARE`), and one film (366014) asked for it."""


@dataclass(frozen=True, slots=True)
class BareTable:
    """The first clear table: where no tile lay yet, it shows what the bare table looks like."""

    image_bgr: ImageU8
    taken: Sequence[Quad]
    """Where a tile lay, or something of which nobody knew what it was."""
    moved: Matrix
    """How the camera has moved since, as a (3, 3) homography of pixels."""


class Comparison:
    """A picture compared with the last clear table and the first one."""

    def __init__(
        self,
        image_bgr: ImageU8,
        known_bgr: ImageU8,
        bare: BareTable | None,
        view: Matrix | None,
        unknown: Sequence[Quad] = (),
    ) -> None:
        """Compare (H, W, 3) uint8 BGR pictures.

        Args:
            image_bgr: The picture.
            known_bgr: The last clear table.
            bare: The first one, if it can still be compared with.
            view: How the camera has moved since the last clear table, None if it has not.
            unknown: Where something lay on that table of which nobody knew what it was.
        """
        self._image_bgr, self._known_bgr, self._bare = image_bgr, known_bgr, bare
        self._back = np.asarray(np.eye(3) if view is None else np.linalg.inv(view), np.float64)
        self._unknown = unknown
        self._since_known: dict[Quad, Difference] = {}
        self._since_first: dict[Quad, Difference | None] = {}
        self._lights: dict[bool, NDArray[np.float32]] = {}

    def before(self, quads: Iterable[Points]) -> tuple[ImageU8, list[Points]]:
        """Return the last clear table, (H, W, 3) uint8 BGR, and where (4, 2) quads lie on it."""
        return self._known_bgr, [np.asarray(map_points(self._back, quad), np.float32) for quad in quads]

    @property
    def first_bgr(self) -> ImageU8 | None:
        """The first clear table, (H, W, 3) uint8 BGR; None if the camera has moved since."""
        bare = self._bare
        if bare is None or not np.allclose(np.linalg.inv(bare.moved) @ self._back, np.eye(3)):
            return None
        return bare.image_bgr

    def is_unchanged(self, quad: Quad) -> bool:
        """Return whether a quad shows what it showed on the last clear table."""
        return self._changed(quad).share <= MAX_CHANGED

    def is_faintly_changed(self, quad: Quad) -> bool:
        """Return whether much of a quad looks otherwise than on the last clear table, but only a little."""
        return self.is_unchanged(quad) and self._changed(quad).is_faint_at_least

    def _changed(self, quad: Quad) -> Difference:
        """Return how a quad differs from what it showed on the last clear table."""
        if quad not in self._since_known:
            before = as_quad(map_points(self._back, np.array(quad)))
            self._since_known[quad] = self._compared(self._known_bgr, before, quad)
        return self._since_known[quad]

    def _compared(self, before_bgr: ImageU8, before_px: Quad, quad: Quad) -> Difference:
        """Return how a quad differs from a place of one of the two earlier pictures."""
        is_known = before_bgr is self._known_bgr
        if is_known not in self._lights:
            self._lights[is_known] = light_between(before_bgr, self._image_bgr)
        return difference(before_bgr, before_px, self._image_bgr, quad, light=self._lights[is_known])

    def is_table(self, quad: Quad) -> bool:
        """Return whether a quad that showed table on the last clear table shows the same.

        What is not as on the first clear table may be a tile that nobody saw yet (film 407029).
        """
        return self.is_unchanged(quad) and not (self._was_unknown(quad) or self.is_strange(quad))

    def lay_there(self, quad: Quad) -> bool:
        """Return whether what lies in a quad where no tile lay is what lay there, in whatever light."""
        return (self.is_unchanged(quad) or self._is_same(quad)) and not self._was_unknown(quad)

    def _is_same(self, quad: Quad) -> bool:
        """Return whether a quad has the pattern that it had, and no other besides.

        A tile on the plain part of a tartan left the stripes beside it as they were (film 392270).
        """
        before = as_quad(map_points(self._back, np.array(quad)))
        pictures = (self._known_bgr, before), (self._image_bgr, quad)
        return all(still_holds(*one, *other, least=_SAME_SHARE) for one, other in (pictures, pictures[::-1]))

    def _was_unknown(self, quad: Quad) -> bool:
        """Return whether something unknown lay in a quad on the last clear table."""
        before = as_quad(map_points(self._back, np.array(quad)))
        return any(is_same_place(each, before) for each in self._unknown)

    def unknown(self, tiles: Iterable[TileReading], new: Iterable[Quad]) -> list[Quad]:
        """Return where something unknown lies that is none of some tiles, each place once.

        Args:
            tiles: The tiles.
            new: Where something unknown is seen now; what lay on the last clear table may lie there still.
        """
        view = np.asarray(np.linalg.inv(self._back), np.float64)
        read = [tile.quad_px for tile in tiles]
        found = list(new)
        for before in self._unknown:
            quad = as_quad(map_points(view, np.array(before)))
            if not any(is_same_place(quad, other) for other in (*read, *found)) and self.is_unchanged(quad):
                found.append(quad)
        return found

    def not_bare(self, before: Iterable[Quad]) -> list[Quad]:
        """Return where some quads of the last clear table lie now, but for those that show the bare table."""
        view = np.asarray(np.linalg.inv(self._back), np.float64)
        now = [as_quad(map_points(view, np.array(quad))) for quad in before]
        return [quad for quad in now if not self.is_bare(quad)]

    def holds(self, quad: Quad) -> bool:
        """Return whether what lay in a quad on the last clear table is seen there still, by its pattern."""
        before = as_quad(map_points(self._back, np.array(quad)))
        return still_holds(self._known_bgr, before, self._image_bgr, quad)

    def is_bare(self, quad: Quad) -> bool:
        """Return whether a quad shows what it showed on the first clear table, and no tile lay there."""
        share = self._strange_share(quad)
        return share is not None and share <= MAX_CHANGED

    def is_open(self, quad: Quad) -> bool:
        """Return whether the bare table is unknown in a quad, because a tile lay there at first."""
        return self._strange_share(quad) is None

    def is_strange(self, quad: Quad) -> bool:
        """Return whether a quad does not show the bare table as the first clear picture showed it."""
        share = self._strange_share(quad)
        return share is not None and share >= _STRANGE_SHARE

    def _strange_share(self, quad: Quad) -> float | None:
        """Return the share of a quad that is not as on the first clear table; None where a tile lay there."""
        if quad not in self._since_first:
            self._since_first[quad] = self._strange(quad)
        strange = self._since_first[quad]
        return None if strange is None else strange.share

    def _strange(self, quad: Quad) -> Difference | None:
        if self._bare is None:
            return None
        back = np.linalg.inv(self._bare.moved) @ self._back
        there = as_quad(np.asarray(map_points(back, np.array(quad)), np.float64))
        if any(is_same_place(quad, there) for quad in self._bare.taken):
            return None
        return self._compared(self._bare.image_bgr, there, quad)
