"""Finds out frame by frame when the table is at rest, without reading a single tile.

Each frame is shrunk to about 160 x 90 pixels and compared with the picture since the table came to rest.
These differences do not count:

- *sensor noise and JPEG*: averaged away by the shrinking (64 pixels become one) and by a threshold that rises
  with the noise of the frame itself;
- *drifting and flickering light*, auto exposure, soft shadows: the old picture is lit like the new one before
  they are compared, by the ratio of their blurred copies;
- *colours that flicker*: a picture that was packed coarsely has them right to 16 pixels and a few levels, so
  that noise changes a whole patch by one step; they count less than brightness, which hands and tiles change;
- *a trembling camera*: each pixel may differ by a part of the contrast around it;
- *a swaying camera*, as a telephone that somebody holds over the table: where the whole picture has moved
  a little, it is moved back before it is compared.

Where no 3 x 3 pixels differ at all by as much as motion does, nothing moved, and none of this is worked out.
All other differences are motion: a hand, a tile that came or went, a bumped camera. The table has settled
when there was no motion for a while. A hand that lies still is at rest, too. The reading finds out that it
covers tiles, and the caller then calls `covered`.

Somebody at the table's edge may move all the time, shuffle tiles or drink. Where it is known where the game
is played, it is enough after a while that nothing moves there.
"""

from __future__ import annotations

import math
from enum import Enum, auto

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imaging.arrays import ImageU8
from vision.sources.frame import Frame

REST_S = 0.4
"""The table has settled after this many seconds at rest, in the source's time. A hand that places a tile
moves on sooner, and this is too short for people to notice."""
SMALL_SIDE_PX = 160
"""The longer side of the shrunk picture: a tile is then about 10 pixels wide, a finger tip 3."""
MIN_CHANGE = 6.0
"""Levels of 255 by which 3 x 3 pixels of the shrunk picture must differ. On rendered tables, noise of 10
levels, JPEG of quality 15 and flicker of 5 % stay below; a finger of the table's colour, 12 levels lighter,
reaches 8; the faintest tile that was placed or taken, 42 in blue, green or red."""
COLOUR_WEIGHT = 0.6
"""How much a change of colour counts, beside one of brightness."""
MAX_CHANGE = 14.0
"""The threshold never rises above this, however noisy the frame: a picture in which everything differs must
not count as noise."""
NOISE_FACTOR = 10.0
"""The threshold in median differences of the frame, for noise beyond that."""
TREMBLE_PX = 0.25
"""Pixels of the shrunk picture (two of 1280) by which the camera may tremble."""
MOST_SWAY_PX = 5.0
"""Pixels of the shrunk picture (forty of 1280) by which the camera may sway while the table is at rest."""
SWAYED_PX = 0.5
"""Pixels of the shrunk picture by which one may be off after it was moved back. Of the pictures of tables at
rest by a camera that sways by eight pixels of 1280 (475160 to 475162), 4 to 29 of 100 were at rest so within
3 x 3 pixels, 90 to 99 within 5 x 5."""
KNOCKED_S = 2.0
"""If the camera was not back for so many seconds, it may have been knocked: the table is looked at again."""
LIGHT_CHANGE = 1.15
"""A ratio of overall brightness beyond this is a lamp that was switched, not flicker (5 % up and down)."""
DRIFT_S = 5.0
"""Changes that take longer than this many seconds are drift of the light and are forgotten."""
PATIENCE_S = 1.5
"""While somebody moves for longer than this many seconds without a rest, it is enough that the game is at
rest: with 3.0 turns were missed in three of four films (472710 to 472713), with this in none."""
Box = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels."""
_SAME_PX = 20
"""The same tiles are read in a box that differs by no more than so many pixels."""
_BRIGHTNESS = np.array([0.114, 0.587, 0.299])
_RED, _BLUE = np.array([0, 0, 1]), np.array([1, 0, 0])
_WEIGHED = np.column_stack(
    [
        [
            _BRIGHTNESS,
            COLOUR_WEIGHT * 0.713 * (_RED - _BRIGHTNESS),
            COLOUR_WEIGHT * 0.564 * (_BLUE - _BRIGHTNESS),
        ],
        [0, 128, 128],
    ]
)
"""(3, 4): from blue, green and red to brightness and two colours as JPEG has them, the colours weighed."""
_BLUR_PX = 17
_LEAST_SWAY_PX = 0.2
"""By less than this the picture seems to move where a hand moves before a camera that stands: in 86 of 100
pictures that differ (475300 to 475302). To move one of the others back costs a millisecond."""
_MOST_PARTS, _LEAST_CONTRAST = 6, 24.0
"""So many of nine parts must each show an edge of so many levels of 255. Not measured but for the tests."""
_ECC_ENDS = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 10, 1e-4)
_WHITE = 215.0


class TableMotion(Enum):
    """What a frame shows of the table as a whole."""

    MOVING = auto()
    """Something moves, or has moved until less than `REST_S` ago."""
    SETTLED = auto()
    """The table has just come to rest: this frame is the one to read. Said once."""
    STILL = auto()
    """Nothing has changed since it came to rest."""


class MotionGate:
    """Compares the frames of one source."""

    def __init__(self) -> None:
        """Begin with a table of which nothing is known."""
        self._whole, self._near = _Rest(), _Rest()
        self._near_box: Box | None = None
        self._rested_s = math.inf

    def covered(self) -> None:
        """Remember that something lay over the table when it last settled.

        Then no change is forgotten as drift, however slow, until the table has settled anew.
        """
        self._whole.is_covered = self._near.is_covered = True

    def see(self, frame: Frame, near_px: Box | None = None, *, tiles_lie_there: bool = False) -> TableMotion:
        """Return what the table does at the time of a frame; frames come in the order of time.

        Args:
            frame: The frame.
            near_px: Left, top, right and bottom of where the game is played, if that is known. While somebody
                moves beside it all the time, for `PATIENCE_S` and longer, that it is at rest is enough.
            tiles_lie_there: Whether tiles are known to lie on the table: they show that the camera sways. A
                hand may be all that is seen on a bare one.
        """
        small = _shrink(frame.image_bgr)
        motion = self._whole.see(small, frame.time_s, tiles_lie_there=tiles_lie_there)
        if motion is not TableMotion.MOVING or not self._rested_s <= frame.time_s:
            self._rested_s, self._near_box = frame.time_s, None
        if near_px is None or frame.time_s - self._rested_s < PATIENCE_S:
            return motion
        if self._near_box is None or not np.allclose(near_px, self._near_box, atol=_SAME_PX):
            self._near, self._near_box = _Rest(), near_px
        near = _within(small, self._near_box, frame.image_bgr)
        return self._near.see(near, frame.time_s, tiles_lie_there=tiles_lie_there)


class _Rest:
    """Whether shrunk pictures are at rest."""

    def __init__(self) -> None:
        self._reference: NDArray[np.float32] | None = None
        self._frames = 0
        self._since_s = self._last_s = 0.0
        self._in_place_s = 0.0
        """When the camera was last where it was when the table came to rest."""
        self._has_settled = False
        self.is_covered = False

    def see(self, small: ImageU8, time_s: float, *, tiles_lie_there: bool) -> TableMotion:
        """Return what the next picture shows."""
        reference = self._reference
        passed_s = time_s - self._last_s
        self._last_s = time_s
        as_before = None
        if reference is not None and passed_s >= 0:
            as_before = self._seen_as(reference, small, time_s, tiles_lie_there=tiles_lie_there)
        if reference is None or as_before is None:
            self._reference, self._frames = small.astype(np.float32), 1
            self._since_s = self._in_place_s = time_s
            self._has_settled = False
            return TableMotion.MOVING
        small = as_before
        if self._has_settled:
            if not self.is_covered:
                weight = 1 - math.exp(-passed_s / DRIFT_S)
                cv2.accumulateWeighted(small, reference, weight)
            return TableMotion.STILL
        self._frames += 1
        cv2.accumulateWeighted(small, reference, 1 / self._frames)
        if time_s - self._since_s < REST_S - 1e-6:
            return TableMotion.MOVING
        self._has_settled, self.is_covered = True, False
        return TableMotion.SETTLED

    def _seen_as(
        self, reference: NDArray[np.float32], small: ImageU8, time_s: float, *, tiles_lie_there: bool
    ) -> ImageU8 | None:
        """Return a picture as the camera sees it from where it was before; None where something moved."""
        if not _differ(small, reference):
            self._in_place_s = time_s
            return small
        is_knocked = time_s - self._in_place_s > KNOCKED_S
        if is_knocked or not (tiles_lie_there or _shows_table(reference)):
            return None
        return _moved_back(small, reference)


def _shows_table(small: NDArray[np.float32]) -> bool:
    """Return whether most of nine parts of a shrunk picture show something: not a hand over bare table."""
    kernel = np.ones((3, 3), np.uint8)
    contrast = cv2.morphologyEx(np.ascontiguousarray(small[..., 0]), cv2.MORPH_GRADIENT, kernel)
    parts = [part for rows in np.array_split(contrast, 3) for part in np.array_split(rows, 3, axis=1)]
    return sum(bool(part.max(initial=0.0) > _LEAST_CONTRAST) for part in parts) >= _MOST_PARTS


def _moved_back(small: ImageU8, reference: NDArray[np.float32]) -> ImageU8 | None:
    """Return a shrunk picture moved back to where the camera saw another one from; None where they differ.

    Its edges, which the camera does not see from there, are those of the other one.
    """
    edge = math.ceil(MOST_SWAY_PX)
    if small.shape != reference.shape or min(small.shape[:2]) < 4 * edge:
        return None
    before, now = reference[..., 0].copy(), small[..., 0].astype(np.float32)
    window = cv2.createHanningWindow((before.shape[1], before.shape[0]), cv2.CV_32F)
    moved, _response = cv2.phaseCorrelate(before, now, window)
    if not _LEAST_SWAY_PX < math.hypot(*moved) < MOST_SWAY_PX:
        return None  # a hand moves, as nearly always
    view = np.array([[1.0, 0.0, moved[0]], [0.0, 1.0, moved[1]]], np.float32)
    try:
        _likeness, view = cv2.findTransformECC(before, now, view, cv2.MOTION_EUCLIDEAN, _ECC_ENDS, None, 1)  # type: ignore[call-overload]
    except cv2.error:
        return None  # the pictures have nothing in common
    inner = np.s_[edge:-edge, edge:-edge]
    back = np.round(reference).astype(np.uint8)
    size_wh = small.shape[1], small.shape[0]
    back[inner] = cv2.warpAffine(small, view, size_wh, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)[inner]
    return None if _differ(back, reference, has_swayed=True) else back


def _within(small: ImageU8, near_px: Box, image_bgr: ImageU8) -> ImageU8:
    """Return the part of a shrunk picture that shows what is near."""
    high, wide = small.shape[:2]
    left, top, right, bottom = np.round(np.array(near_px) * wide / image_bgr.shape[1]).astype(int).tolist()
    left, top = min(max(left, 0), wide - 1), min(max(top, 0), high - 1)  # it may be of another camera
    return np.ascontiguousarray(small[top : max(bottom, top + 1), left : max(right, left + 1)])


def is_at_rest(one_bgr: ImageU8, other_bgr: ImageU8) -> bool:
    """Return whether nothing moved between two (H, W, 3) uint8 BGR pictures, nor was a lamp switched."""
    return not _differ(_shrink(other_bgr), _shrink(one_bgr).astype(np.float32))


def _shrink(image_bgr: ImageU8) -> ImageU8:
    """Return a (H, W, 3) uint8 picture, shrunk by a whole factor: brightness, and two weighed colours.

    OpenCV is fast at whole factors, and fastest at 2.
    """
    height, width = image_bgr.shape[:2]
    factor = max(1, round(max(height, width) / SMALL_SIDE_PX))
    wide, high = max(1, width // factor), max(1, height // factor)
    small: ImageU8 = image_bgr[: high * factor, : wide * factor]
    while factor > 1:
        factor = factor // 2 if factor % 2 == 0 else 1
        small = cv2.resize(small, (wide * factor, high * factor), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    return np.asarray(cv2.transform(small, _WEIGHED), np.uint8)


def _differ(small_u8: ImageU8, reference: NDArray[np.float32], *, has_swayed: bool = False) -> bool:
    """Return whether something moved between two shrunk pictures, or a lamp was switched.

    Args:
        small_u8: (H, W, 3), as `_shrink` makes them.
        reference: The other one, of the same size.
        has_swayed: Whether the first one was moved back: pixels that were averaged otherwise differ by more.
    """
    if small_u8.shape != reference.shape:
        return True
    brightness = (cv2.mean(small_u8)[0] + 1) / (cv2.mean(reference)[0] + 1)
    if not 1 / LIGHT_CHANGE < brightness < LIGHT_CHANGE:
        return True
    plain = cv2.blur(cv2.subtract(reference, small_u8, dtype=cv2.CV_32F), (3, 3))
    if max(plain.max(), -plain.min()) <= MIN_CHANGE:
        return False  # as nearly always
    small = small_u8.astype(np.float32)
    box = (_BLUR_PX, _BLUR_PX)
    lit_alike = reference * ((cv2.blur(small, box) + 1) / (cv2.blur(reference, box) + 1))
    difference = np.where(np.minimum(small, reference) > _WHITE, 0, small - lit_alike)
    change = np.abs(cv2.blur(difference, (3, 3)))
    noise = float(np.median(change[::3, ::3]))
    threshold = min(max(MIN_CHANGE, NOISE_FACTOR * noise), MAX_CHANGE)
    kernel = np.ones((5, 5) if has_swayed else (3, 3), np.uint8)
    contrast = cv2.morphologyEx(reference, cv2.MORPH_GRADIENT, kernel)
    return bool((change - (SWAYED_PX if has_swayed else TREMBLE_PX) * contrast).max() > threshold)
