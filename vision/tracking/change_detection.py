"""Says how much two pictures differ in one place, whatever the light."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points, share_inside, side_px
from vision.imaging.rectify import upright_crop
from vision.imaging.smaller import made_smaller
from vision.recognition.reading import Quad

_CROP_PX, _FACE_SHARE, _ROOM_PX = 40, 1.15, 4
_TILE_PX = 48
_MIN_CHANGE = 32.0
"""A blurred pixel of a tile's crop must differ by this many levels of 255, after both were made equally
bright."""
_FAINT_CHANGE, _MOST_FAINT = 16.0, 0.2
"""Where a tile of the cloth's own colour came so few levels tell, if more than this share differs by them."""
MAX_CHANGED = 0.06
"""If nothing has changed, at most this share of the pixels differs."""
_STRIDE, _MOST_UNEVEN = 24, 1.3
"""In another light, a place may become brighter than the rest of the table by this factor, or less bright."""
HELD_SHARE = 0.2
"""A tile still lies there if at least this share of its pattern is as it was: of 164 places that tiles had
left in 28 films none kept more than 0.17, of 305 tiles beside or under a thing three kept less than 0.3."""
STAYED_SHARE = 0.55
"""A tile that is in doubt, and looks otherwise, lies there still if at least this share of its pattern is as
it was: so did 86 of 138 such tiles in 32 films, and none of 20 places where another lay (0.48 at most)."""
_LEAST_PATTERN = 0.2
"""Every face has a pattern on more than this share of it."""
_DARK = 8.0
"""How dark a pixel counts at least, so that noise in the dark is no pattern."""
_PRINT_PX, _PRINT_INSIDE_PX = 24, 18
"""A place of this side shows the figures of a cloth; the tiles about it reach into its edge."""
_SAME_PRINT, _LEAST_PRINTS = 0.85, 3
"""They are printed there if they are seen elsewhere so much alike, so many times: in three films with printed
cloths tiles, hands and backs had 0.73 at most, figures 0.90 and more (411598, 414181, 414182)."""
_LEAST_FIGURE = 6.0
"""What deviates by less, in levels of 255, has no figure."""
_MIN_INSIDE = 0.5
"""Share of a tile that must be in the picture to be compared."""
_NEW_VIEW = 0.6
"""Share of the picture. If more has changed, the camera was moved or the light was switched."""
_BLOCKS_WH, _IN_BLOCK, _MOST_BLOCKS = (8, 6), 0.15, 0.75
"""The same holds if many blocks of the picture have changed: an arm changes only those that it lies over.

Blocks across and down, the changed share of a block that counts, and the share of such blocks.
"""


def is_new_view(changed: NDArray[np.uint8]) -> bool:
    """Return whether the camera was moved or the light switched, by a (H, W) mask of what has changed."""
    blocks = cv2.resize(changed.astype(np.float32), _BLOCKS_WH, interpolation=cv2.INTER_AREA)
    return bool(changed.mean() > _NEW_VIEW or (blocks >= _IN_BLOCK).mean() >= _MOST_BLOCKS)


def is_seen(image_bgr: ImageU8, quad_px: Quad) -> bool:
    """Return whether enough of a quad lies in a (H, W, 3) picture to be compared with another one."""
    corners = np.array(quad_px, np.float32)
    return share_inside(corners, (image_bgr.shape[1], image_bgr.shape[0])) >= _MIN_INSIDE


def is_unchanged(before_bgr: ImageU8, before_px: Quad, now_bgr: ImageU8, now_px: Quad) -> bool:
    """Return whether two pictures show the same in two quads, as `changed_share` says."""
    return changed_share(before_bgr, before_px, now_bgr, now_px) <= MAX_CHANGED


def still_holds(
    before_bgr: ImageU8, before_px: Quad, now_bgr: ImageU8, now_px: Quad, *, least: float = HELD_SHARE
) -> bool:
    """Return whether what lay in a quad of a picture still lies there in another one, seen in part at least.

    Args:
        before_bgr: (H, W, 3) uint8.
        before_px: Where it lay.
        now_bgr: The same size.
        now_px: Where it would lie; it may be wrong by a tenth of a tile.
        least: The share of its pattern that must be seen.
    """
    if not (is_seen(now_bgr, before_px) and is_seen(now_bgr, now_px)):
        return False
    size = _TILE_PX + 2 * _ROOM_PX
    around = upright_crop(before_bgr, np.array(before_px, np.float32), size, _TILE_PX / size)
    now = upright_crop(now_bgr, np.array(now_px, np.float32), _TILE_PX, 1.0)
    x, y = cv2.minMaxLoc(cv2.matchTemplate(around, now, cv2.TM_CCOEFF_NORMED))[3]
    before = around[y : y + _TILE_PX, x : x + _TILE_PX]
    old, new = (cv2.blur(each, (3, 3)).astype(np.float32) for each in (before, now))
    pattern, stayed = _stayed(old, new, _ON_TILE)
    return bool(pattern.mean() >= _LEAST_PATTERN and stayed.sum() >= least * pattern.sum())


@dataclass(frozen=True, slots=True)
class Difference:
    """How much two pictures differ in one place."""

    levels: NDArray[np.float32] | None
    """(40, 40) of an upright crop: by how many levels of 255; None where too little of the place is seen."""

    @property
    def changed(self) -> NDArray[np.bool_] | None:
        """Where they differ, (40, 40); None where too little of the place is seen."""
        return None if self.levels is None else np.asarray(self.levels > _MIN_CHANGE)

    @property
    def share(self) -> float:
        """The share of the place in which they differ, 0 to 1; what the pictures do not show counts."""
        changed = self.changed
        return 1.0 if changed is None else float(changed.mean())

    @property
    def is_faint_at_least(self) -> bool:
        """Whether much of the place looks a little otherwise."""
        return self.levels is None or bool((self.levels > _FAINT_CHANGE).mean() > _MOST_FAINT)


def changed_share(before_bgr: ImageU8, before_px: Quad, now_bgr: ImageU8, now_px: Quad) -> float:
    """Return the share of a place in which two pictures differ, 0 to 1; arguments as for `difference`."""
    return difference(before_bgr, before_px, now_bgr, now_px).share


def difference(
    before_bgr: ImageU8,
    before_px: Quad,
    now_bgr: ImageU8,
    now_px: Quad,
    *,
    face_share: float = _FACE_SHARE,
    light: NDArray[np.float32] | None = None,
) -> Difference:
    """Return how much two (H, W, 3) uint8 BGR pictures of one size differ in a place.

    If the camera was bumped, the quads may be wrong by a tenth of a tile.

    Args:
        before_bgr: One picture.
        before_px: The place in it.
        now_bgr: The other one.
        now_px: The place in that.
        face_share: The share of the crop that the quads fill.
        light: What `light_between` says of the two, where it is known already.
    """
    crops = []
    for image, quad, room in ((before_bgr, before_px, _ROOM_PX), (now_bgr, now_px, 0)):
        if not is_seen(now_bgr, quad):
            return Difference(None)
        size = _CROP_PX + 2 * room
        crop = upright_crop(image, np.array(quad, np.float32), size, face_share * _CROP_PX / size)
        crops.append(cv2.blur(crop, (3, 3)).astype(np.float32))
    around, now = crops
    x, y = cv2.minMaxLoc(cv2.matchTemplate(around, now, cv2.TM_CCOEFF_NORMED))[3]
    before = around[y : y + _CROP_PX, x : x + _CROP_PX]
    # A tile on a table of its colour is not table in another light.
    everywhere = light_between(before_bgr, now_bgr) if light is None else light
    here = np.clip(_light(before, now), everywhere / _MOST_UNEVEN, everywhere * _MOST_UNEVEN)
    blue, green, red = cv2.split(cv2.absdiff(now, np.minimum(before * here, np.float32(255))))
    return Difference(np.asarray(cv2.max(cv2.max(blue, green), red), np.float32))


def light_between(before_bgr: ImageU8, now_bgr: ImageU8) -> NDArray[np.float32]:
    """Return (3,): how much brighter each colour of a (H, W, 3) uint8 BGR picture has become on the whole."""
    return _light(before_bgr[::_STRIDE, ::_STRIDE], now_bgr[::_STRIDE, ::_STRIDE])


def is_print(image_bgr: ImageU8, quad: Points, before_bgr: ImageU8, tiles: Iterable[Points]) -> bool:
    """Return whether what is seen in a place is printed on the table again and again.

    Args:
        image_bgr: (H, W, 3) uint8 BGR.
        quad: The place, (4, 2).
        before_bgr: (H, W, 3) uint8 BGR: a table over which nothing lay, from nearly the same place.
        tiles: Where tiles lay on it, (4, 2) each.
    """
    scale, half = _PRINT_PX / side_px(quad), _PRINT_INSIDE_PX // 2
    (left, top), (right, bottom) = (
        np.round(quad.mean(axis=0) + off / scale).astype(int) for off in (-half, half)
    )
    inside = image_bgr[max(top, 0) : bottom, max(left, 0) : right]
    if inside.shape[:2] != (bottom - top, right - left):
        return False
    seen = cv2.resize(inside, (2 * half, 2 * half), interpolation=cv2.INTER_AREA)
    bright = cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY)
    if bright.std() < _LEAST_FIGURE:
        return False
    before = made_smaller(before_bgr, scale)
    alike = cv2.matchTemplate(cv2.cvtColor(before, cv2.COLOR_BGR2GRAY), bright, cv2.TM_CCOEFF_NORMED)
    for middle in (quad, *tiles):
        left, top = np.round(middle.mean(axis=0) * scale).astype(int) - half
        cv2.circle(alike, (int(left), int(top)), _PRINT_PX, -1.0, cv2.FILLED)
    for _ in range(_LEAST_PRINTS):
        _least, most, _where, (left, top) = cv2.minMaxLoc(alike)
        there = before[top : top + 2 * half, left : left + 2 * half]
        # The stripes of a millstone were as bright and dark as the squares of a cloth (film 420235).
        if most < _SAME_PRINT or cv2.matchTemplate(there, seen, cv2.TM_CCOEFF_NORMED)[0, 0] < _SAME_PRINT:
            return False
        cv2.circle(alike, (left, top), _PRINT_PX // 2, -1.0, cv2.FILLED)
    return True


def without_light(
    before: NDArray[np.float32], now: NDArray[np.float32], changed: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Return a (H, W) mask of what has changed, without where only the light has: the table's pattern stayed.

    A lamp makes a cloth shine in one place, and its threads and squares are seen there as before. Where the
    table had no pattern this tells nothing, and what has changed stays changed.

    Args:
        before: (H, W, 3) float32 BGR, 0 to 255: how the camera would have seen the table before.
        now: The same now.
        changed: (H, W) mask of 0 and 1.
    """
    left, top, wide, high = cv2.boundingRect(changed)
    # Nothing further away than this tells of a pixel.
    reach = _ON_TABLE.window_px // 2 + math.ceil(4 * _ON_TABLE.smooth_px)
    part = (
        slice(max(0, top - reach), top + high + reach),
        slice(max(0, left - reach), left + wide + reach),
    )
    without = changed.copy()
    if wide:
        _pattern, stayed = _stayed(before[part], now[part], _ON_TABLE)
        without[part][stayed] = 0
    return without


@dataclass(frozen=True, slots=True)
class _Pattern:
    """What counts as a pattern of bright and dark."""

    window_px: int
    """It is looked at in windows of this side."""
    smooth_px: float
    """How much brighter each pixel is than what is this far around it counts, as a logarithm."""
    least: float
    """A window has a pattern where that deviates by this much,"""
    same: float
    """and the same one if two pictures correlate by this much."""


_ON_TABLE, _ON_TILE = _Pattern(15, 6.0, 0.02, 0.7), _Pattern(9, 4.0, 0.04, 0.8)


def _stayed(
    before: NDArray[np.float32], now: NDArray[np.float32], like: _Pattern
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return where a picture had a pattern, and where another one shows the same: two (H, W) masks."""

    def around(values: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(cv2.blur(values, (like.window_px, like.window_px)), np.float32)

    bright = [np.log(np.add.reduce(cv2.split(each)) / 3 + _DARK) for each in (before, now)]
    old, new = (each - cv2.GaussianBlur(each, (0, 0), like.smooth_px) for each in bright)
    both = around(old * new) - around(old) * around(new)
    strengths = [np.maximum(around(each * each) - around(each) ** 2, 0) for each in (old, new)]
    has_pattern = strengths[0] > like.least**2
    return has_pattern, has_pattern & (both > like.same * np.sqrt(strengths[0] * strengths[1]))


def _light(before: NDArray[np.generic], now: NDArray[np.generic]) -> NDArray[np.float32]:
    """Return (3,): how much brighter each colour of a (H, W, 3) picture has become on the whole."""
    ratio = (now.astype(np.float32) + 1) / (before.astype(np.float32) + 1)
    # Each colour by itself: a median over the last axis of three is several times slower.
    each = np.sort(np.ascontiguousarray(ratio.reshape(-1, 3).T), axis=1)
    count = each.shape[1]
    median = each[:, (count - 1) // 2 : count // 2 + 1].mean(axis=1)  # np.median takes four times as long
    return np.asarray(np.clip(median, 0.5, 2.0), np.float32)
