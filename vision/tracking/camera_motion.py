"""How the camera moved between two pictures of a table, and what else has changed between them.

A camera is sometimes bumped or zoomed. The tiles that both pictures show can tell how it moved, and so can
the table itself. The movement that explains most of the change is taken.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Matrix, map_points, side_px
from vision.recognition.reading import Quad, TileReading

_Pair = tuple[NDArray[np.float64], NDArray[np.float64]]
"""The corners of one tile in two pictures."""
_View = tuple[Matrix | None, NDArray[np.uint8]]
"""How the camera moved, a (3, 3) homography of pixels or None; and what has changed then, a (h, w) mask."""
Small = NDArray[np.float32]
"""A picture with a longer side of `SMALL_SIDE_PX`, (h, w, 3) BGR, 0 to 255."""
_Picture = TypeVar("_Picture", ImageU8, Small)

SMALL_SIDE_PX = 320
"""The longer side of the pictures that are compared."""
MIN_CHANGE = 22.0
"""A colour must differ by this many levels of 255, after both pictures were made equally bright."""
FAINT_CHANGE = 11.0
"""This is enough beside a place that differs by `MIN_CHANGE`."""
DAZZLED, MOST_DAZZLED = 240.0, 1.5
"""A colour that is at least this bright may have been up to the second factor brighter. In less light it may
then darken less than other colours."""
_CELL_PX, _DARK, _FITS, _USUALLY_OFF, _LEVEL_TABLE = 12, 8.0, 6, 0.03, 1e-3
"""How light is fitted: in cells of so many pixels, to the logarithm of how much brighter each is (above so
many levels), in so many rounds. Cells that are off by more than the fourth number, and by more than most,
count less; the last one keeps the fit steady on a table of one level."""
TREMBLE_PX = 0.3
"""The camera may move by this many pixels of the small picture without a change."""
SAME_PLACE = 0.5
"""Two quads that lie closer than this, in tile sides, have the same place."""
STILL = 0.02
"""A tile has not moved if its middle has moved by less than this share of its side."""
PUSHED = 0.1
"""A pyramid of which most tiles have moved by more than this, in their sides, was pushed. Not fitted: films
have pushes by 0.15 and more, and a tile that did not move is found within `STILL`."""
STAYED = 0.2
"""A tile that has moved by less than this has the same place; the camera may have been bumped."""
_MOST_CHANGED = 0.25
"""Share of the picture. If more has changed, and nothing lies over it, the camera's movement is unknown."""
MANY_CHANGED = 0.1
"""Share of the picture. If more has changed, the camera may have been moved."""
CERTAIN = 0.98
"""A code of this chance is certain."""
FEW_BESIDE, LIKELY_BUMP = 0.002, 0.5
"""The camera was not moved if less than the first share of the picture has changed beyond the tiles, or if
more than the second share of that change remains after the supposed movement."""
MARGIN = 1.5
"""The place of a tile is this much larger than the tile: tiles have edges and shadows, and are not exactly
placed."""
LIKELY_JUMP = 0.5
"""A movement by half a tile or more must leave at most this share of the change unexplained."""
_MANY_TILES = 3
"""If this many tiles have not moved, the camera has not moved."""
_MOST_POINTS, _FEWEST_POINTS = 200, 12
"""How many corners of the table are followed at most, and are needed, to find the camera's movement."""
_MOST_MARKS, _LEAST_CONTRAST, _ALIKE, _MARK_PX = 600, 0.01, 0.8, 1.5
"""How many marks are looked for at most, with how much contrast of 1. One is found again if none but one is
nearly as alike, and fits a movement within so many pixels of the small picture."""


def find_view(
    before: Small,
    now: Small,
    known: Sequence[TileReading],
    tiles: Sequence[TileReading],
    factor: float,
) -> _View:
    """Return how the camera moved between two pictures, and what has changed beside that.

    Args:
        before: The first picture.
        now: The second one, of the same size.
        known: The tiles of the first.
        tiles: Those of the second.
        factor: Pixels of the small pictures for one of those in which the tiles were read.

    Returns:
        A (3, 3) homography of the pixels in which the tiles were read, None where the camera did not move;
        and a (h, w) mask of 0 and 1.
    """
    best: _View = None, changes(before, now)
    if (by_tiles := view_change(known, tiles)) is not None:
        best = _better(best, by_tiles, before, now, factor)
    if _lie_still(known, tiles):
        return best
    if best[1].mean() <= MANY_CHANGED:
        return _better_beyond(best, before, now, known, tiles, factor)
    if (by_table := _by_table(before, now, factor)) is not None:
        best = _better(best, by_table, before, now, factor)
    if best[1].mean() > MANY_CHANGED and (by_marks := _by_marks(before, now, factor)) is not None:
        best = _better(best, by_marks, before, now, factor)
    # If the pattern of the table repeats, only the tiles show how far; but they may have been moved.
    pairs = _pairs(known, tiles)
    if pairs and (jump := _fitted(pairs)) is not None:
        after = seen_from(before, jump, factor)
        if changes(after, now).mean() < LIKELY_JUMP * best[1].mean():
            best = _better(best, jump, before, now, factor)
            if (rest := _by_table(after, now, factor)) is not None:
                best = _better(best, rest @ jump, before, now, factor)
    return best


def view_change(before: Sequence[TileReading], now: Sequence[TileReading]) -> Matrix | None:
    """Return how the camera moved between two readings, as a (3, 3) homography of pixels; None if it did not.

    Most tiles of both readings must agree. A tile that has gone by half a slot or more was probably moved
    itself. If most have gone that far, none of them may lie where it lay before.
    """
    pairs = _pairs(before, now)
    moves = [move_of(*pair) for pair in pairs]
    if not moves or (len(moves) < 3 and max(moves) >= 0.45) or float(np.median(moves)) < STILL:
        return None
    if float(np.median(moves)) >= 0.45 and min(moves) < STAYED:
        return None  # tiles fell side by side
    return _fitted(pairs)


def is_still(before: Sequence[TileReading], now: Sequence[TileReading]) -> bool:
    """Return whether the tiles alone tell that the camera did not move between two readings."""
    lay = {tile.code: tile.quad_px for tile in before}
    stay = [tile for tile in now if tile.code in lay and distance(lay[tile.code], tile.quad_px) < STAYED]
    return len(stay) >= _MANY_TILES and view_change(before, now) is None


def _lie_still(before: Sequence[TileReading], now: Sequence[TileReading]) -> bool:
    """Return whether so many tiles lie to the pixel where they lay that the camera did not move."""
    moves = [move_of(*pair) for pair in _pairs(before, now)]
    return len(moves) >= _MANY_TILES and float(np.median(moves)) < STILL


def _pairs(before: Sequence[TileReading], now: Sequence[TileReading]) -> list[_Pair]:
    """Return the corners of each tile whose code is certain in both of two readings."""
    old = {tile.code: np.array(tile.quad_px) for tile in before if is_certain(tile)}
    return [(old[tile.code], np.array(tile.quad_px)) for tile in now if tile.code in old and is_certain(tile)]


def is_certain(tile: TileReading) -> bool:
    """Return whether a tile's code is certain.

    It may be unsure all the same whether the tile belongs to the pyramid.
    """
    return not (tile.covered or tile.cut) and (not tile.unsure or tile.confidence >= CERTAIN)


def _fitted(pairs: Sequence[_Pair]) -> Matrix | None:
    """Return the (3, 3) homography by which most tiles have moved as one; None where they have not."""
    one, two = (np.concatenate(quads).astype(np.float32) for quads in zip(*pairs, strict=True))
    limit = 0.12 * side_px(two[:4])
    affine, inliers = cv2.estimateAffinePartial2D(one, two, ransacReprojThreshold=limit)
    if affine is None or inliers.mean() < 0.6:
        return None
    return np.vstack([affine, [0, 0, 1]])


def carried(tiles: tuple[TileReading, ...], view: Matrix | None) -> tuple[TileReading, ...]:
    """Return tiles with their corners where they are after the camera moved."""
    if view is None:
        return tiles
    return tuple(replace(tile, quad_px=as_quad(map_points(view, np.array(tile.quad_px)))) for tile in tiles)


def shrink(image_bgr: ImageU8) -> Small:
    """Return a picture with a longer side of about `SMALL_SIDE_PX`."""
    height, width = image_bgr.shape[:2]
    factor = SMALL_SIDE_PX / max(height, width)
    size_wh = max(1, round(width * factor)), max(1, round(height * factor))
    if factor <= 0.25:
        # Halves are faster.
        image_bgr = cv2.resize(image_bgr, (width // 2, height // 2), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    small = cv2.resize(image_bgr, size_wh, interpolation=cv2.INTER_AREA)
    return cv2.blur(small, (3, 3)).astype(np.float32)


def view_since(
    before_bgr: ImageU8, image_bgr: ImageU8, known: Sequence[TileReading], tiles: Sequence[TileReading]
) -> tuple[Matrix | None, bool]:
    """Return how the camera moved between two (H, W, 3) uint8 BGR pictures, and whether that is known.

    A few tiles alone are not enough evidence where much else has changed.

    Args:
        before_bgr: The first picture.
        image_bgr: The second one, of the same size.
        known: The tiles of the first.
        tiles: Those of the second.
    """
    if is_still(known, tiles):
        return None, True
    before, now = shrink(before_bgr), shrink(image_bgr)
    view, changed = find_view(before, now, known, tiles, now.shape[1] / image_bgr.shape[1])
    return view, bool(changed.mean() <= _MOST_CHANGED)


def moved_as_one(before: Sequence[TileReading], now: Sequence[TileReading]) -> Matrix | None:
    """Return how the tiles of two readings moved, as a (3, 3) homography of pixels; None if they did not.

    Most of those that both show must agree, and have moved farther than tiles are found exactly.
    """
    pairs = _pairs(before, now)
    if len(pairs) < 2 or float(np.median([move_of(*pair) for pair in pairs])) < PUSHED:
        return None
    return _fitted(pairs)


def after_push(
    before: _Picture, quads: Sequence[Quad], push: Matrix, factor: float, beneath: _Picture
) -> _Picture:
    """Return how a picture would have looked after people pushed the tiles that lie in some quads.

    Args:
        before: (h, w, 3) BGR; not modified.
        quads: Where the tiles lie, in pixels of the picture in which they were read.
        push: How they move there, a (3, 3) homography.
        factor: Pixels of `before` for one of that picture.
        beneath: What is seen where they lay, as `before`.
    """
    lay, lie = (np.zeros(before.shape[:2], np.uint8) for _ in range(2))
    for quad in quads:
        cv2.fillConvexPoly(lay, place_of(quad, factor, MARGIN), 1)
        cv2.fillConvexPoly(lie, place_of(as_quad(map_points(push, np.array(quad))), factor, 1.0), 1)
    size_wh = before.shape[1], before.shape[0]
    moved = cv2.warpPerspective(before, _at_scale(push, factor), size_wh, borderMode=cv2.BORDER_REPLICATE)
    seen = np.where(lay[..., None] > 0, beneath, before)
    return np.where(lie[..., None] > 0, moved, seen)


def _by_table(before: Small, now: Small, factor: float) -> Matrix | None:
    """Return how the camera moved between two small pictures by what lies still in them; None if unknown.

    Returns:
        A (3, 3) homography of the pixels of the large pictures.
    """
    old, new = (
        cv2.cvtColor(each.astype(np.uint8), cv2.COLOR_BGR2GRAY) for each in (_lit_alike(before, now), now)
    )
    points = cv2.goodFeaturesToTrack(old, _MOST_POINTS, 0.001, 6)
    if points is None:
        return None
    there, status, _ = cv2.calcOpticalFlowPyrLK(old, new, points, points.copy(), winSize=(31, 31), maxLevel=3)
    is_found = status.ravel() > 0
    if is_found.sum() < _FEWEST_POINTS:
        return None
    pairs = points[is_found], there[is_found]
    affine, inliers = cv2.estimateAffinePartial2D(*pairs, ransacReprojThreshold=1.0)
    if affine is None or inliers.sum() < max(_FEWEST_POINTS, is_found.sum() / 4):
        return None
    return _at_scale(np.vstack([affine, [0, 0, 1]]), 1 / factor)


def _at_scale(view: Matrix, factor: float) -> Matrix:
    """Return a (3, 3) homography of the pixels of pictures so many times as large."""
    scale = np.diag([factor, factor, 1.0])
    return np.asarray(scale @ view @ np.linalg.inv(scale), np.float64)


def _by_marks(before: Small, now: Small, factor: float) -> Matrix | None:
    """Return how the camera moved between two small pictures, however far; None if unknown.

    A phone that is held by hand shows each table from another side. Marks of the table and of what lies on it
    are found again by how they look, not by where they are.

    Returns:
        A (3, 3) homography of the pixels of the large pictures.
    """
    sift = cv2.SIFT.create(nfeatures=_MOST_MARKS, contrastThreshold=_LEAST_CONTRAST)
    (old_at, old), (new_at, new) = (
        sift.detectAndCompute(cv2.cvtColor(each.astype(np.uint8), cv2.COLOR_BGR2GRAY), None)
        for each in (before, now)
    )
    if min(len(old_at), len(new_at)) < 2:
        return None
    found = [
        (old_at[best.queryIdx].pt, new_at[best.trainIdx].pt)
        for best, next_best in cv2.BFMatcher().knnMatch(old, new, k=2)
        if best.distance < _ALIKE * next_best.distance
    ]
    if len(found) < _FEWEST_POINTS:
        return None
    one, two = (np.array(points, np.float32) for points in zip(*found, strict=True))
    homography, inliers = cv2.findHomography(one, two, cv2.USAC_MAGSAC, _MARK_PX)
    if homography is None or inliers.sum() < max(_FEWEST_POINTS, len(found) / 4):
        return None
    return _at_scale(np.asarray(homography, np.float64), 1 / factor)


def _better(best: _View, view: Matrix, before: Small, now: Small, factor: float) -> _View:
    """Return the more likely movement of the camera, with what has changed then.

    A tile that is half covered or lies askew may seem to have moved with the camera.
    """
    changed = changes(seen_from(before, view, factor), now)
    return (view, changed) if changed.mean() < best[1].mean() else best


def _better_beyond(
    best: _View,
    before: Small,
    now: Small,
    known: Sequence[TileReading],
    tiles: Sequence[TileReading],
    factor: float,
) -> _View:
    """Return the more likely movement of the camera if little has changed on a table without a pattern.

    The rest of the table shows it: it has moved too, or it has not. Where a tile lies as it lay, the camera
    has not moved far.
    """
    beyond = ~_over((*known, *tiles), now, factor)
    beside = (best[1] & beyond).mean()
    if beside <= FEW_BESIDE:
        return best
    is_near = any(move_of(*pair) < STAYED for pair in _pairs(known, tiles))
    for view_by in (_by_table,) if is_near else (_by_table, _by_marks):
        if (view := view_by(before, now, factor)) is not None:
            changed = changes(seen_from(before, view, factor), now)
            if (changed & beyond).mean() < LIKELY_BUMP * beside:
                return view, changed
    return best


def _over(tiles: Sequence[TileReading], small: Small, factor: float) -> NDArray[np.bool_]:
    """Return a (h, w) mask of the places of tiles in a small picture, with their edges."""
    mask = np.zeros(small.shape[:2], np.uint8)
    for tile in tiles:
        cv2.fillConvexPoly(mask, place_of(tile.quad_px, factor, MARGIN), 1)
    return mask > 0


def place_of(quad: Quad, factor: float, margin: float) -> NDArray[np.int32]:
    """Return a tile's corners in a small picture, (4, 2), moved away from its middle by a factor `margin`."""
    corners = np.array(quad)
    middle = corners.mean(axis=0)
    return np.asarray(np.round((middle + (corners - middle) * margin) * factor), np.int32)


def seen_from(before: Small, view: Matrix, factor: float) -> Small:
    """Return a small picture as the camera would have seen it from where it is now.

    What it did not see then looks like the edge of the picture.
    """
    small = _at_scale(view, factor)
    height, width = before.shape[:2]
    return np.asarray(
        cv2.warpPerspective(before, small, (width, height), borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def unseen_share(view: Matrix, small: Small, factor: float) -> float:
    """Return which share of a small picture the camera did not see before it moved."""
    seen = np.ones(small.shape[:2], np.uint8)
    return 1 - float(cv2.warpPerspective(seen, _at_scale(view, factor), seen.shape[::-1]).mean())


def changes(before: Small, now: Small) -> NDArray[np.uint8]:
    """Return a (H, W) mask of 0 and 1: where two pictures differ by more than the light.

    Parts of an arm may have nearly the table's colour, so a faint change counts if it touches a strong one.
    """
    lit = _lit_alike(before, now)
    contrast = cv2.morphologyEx(lit, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    brightest = np.where(before >= DAZZLED, np.minimum(MOST_DAZZLED * lit, 255), lit)
    by_colour = cv2.split(cv2.max(lit - now, now - brightest) - TREMBLE_PX * contrast)
    differs = reduce(cv2.max, by_colour)
    faint = cv2.morphologyEx(
        (differs > FAINT_CHANGE).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)
    )
    _count, labels = cv2.connectedComponents(faint)
    strong = np.unique(labels[differs > MIN_CHANGE])
    return np.isin(labels, strong[strong > 0]).astype(np.uint8)


def _lit_alike(before: Small, now: Small) -> Small:
    """Return a picture in the light of another one.

    A lamp brightens one side more than the other, but smoothly; and a camera does more than multiply: dark
    and bright levels change by different factors. Both are fitted together, by colour.
    """
    high, wide = before.shape[:2]
    cells_wh = max(1, wide // _CELL_PX), max(1, high // _CELL_PX)
    old, new = (
        cv2.resize(each, cells_wh, interpolation=cv2.INTER_AREA).reshape(-1, 3) + _DARK
        for each in (before, now)
    )
    bends, levels, brighter = _bends(*cells_wh), np.log(old), np.log(new / old)
    is_known = old.max(axis=1) < DAZZLED
    weights = is_known.astype(np.float64)
    for _ in range(_FITS):
        # What came, went or lies in a shadow is brighter or darker than the rest, and hardly counts.
        by_colour = [
            _fit(np.column_stack([bends, levels[:, at]]), brighter[:, at], weights) for at in range(3)
        ]
        fitted = np.column_stack([lit for _, lit in by_colour])
        off = np.abs(brighter - fitted).max(axis=1)
        weights = is_known / np.square(1 + np.square(off / max(2 * float(np.median(off)), _USUALLY_OFF)))
    factors = np.column_stack([terms for terms, _ in by_colour])
    smooth = np.exp(bends @ factors[:-1]).reshape(cells_wh[1], cells_wh[0], 3).astype(np.float32)
    by_level = np.exp(np.outer(np.log(np.arange(256) + _DARK), factors[-1])).astype(np.float32)
    lit = cv2.LUT(before.astype(np.uint8), by_level.reshape(1, 256, 3)) * cv2.resize(smooth, (wide, high))
    lit *= before + _DARK
    lit -= _DARK
    return np.asarray(np.clip(lit, 0, 255, out=lit), np.float32)


def _fit(
    terms: NDArray[np.float64], values: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the factors by which (n, terms) fit n weighted values best, and the (n,) fitted values."""
    weighted = terms.T * weights
    factors = np.linalg.solve(weighted @ terms + _LEVEL_TABLE * np.eye(terms.shape[1]), weighted @ values)
    return np.asarray(factors, np.float64), np.asarray(terms @ factors, np.float64)


def _bends(wide: int, high: int) -> NDArray[np.float64]:
    """Return what a smooth light may look like on a grid: (wide * high, 10) polynomials of third order."""
    down, across = np.mgrid[0:high, 0:wide]
    x, y = 2 * (across.ravel() + 0.5) / wide - 1, 2 * (down.ravel() + 0.5) / high - 1
    return np.stack([x**i * y**j for i in range(4) for j in range(4 - i)], axis=1)


def move_of(old: NDArray[np.float64], new: NDArray[np.float64]) -> float:
    """Return how far a tile's middle has moved, in its sides."""
    return float(np.hypot(*(new.mean(axis=0) - old.mean(axis=0)))) / side_px(old.astype(np.float32))


def is_same_place(one: Quad, other: Quad) -> bool:
    """Return whether two quads lie in one place."""
    return distance(one, other) < SAME_PLACE


def distance(one: Quad, other: Quad) -> float:
    """Return how far the middles of two quads lie apart, in sides of the first.

    This uses no arrays, nor loops, which would be slower for so few numbers.
    """
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = one
    (px, py), (qx, qy), (rx, ry), (sx, sy) = other
    away = math.hypot(ax + bx + cx + dx - px - qx - rx - sx, ay + by + cy + dy - py - qy - ry - sy) / 4
    area = abs((cx - ax) * (dy - by) - (dx - bx) * (cy - ay)) / 2
    return away / math.sqrt(area) if area else math.inf


def as_quad(points: NDArray[np.floating]) -> Quad:
    """Return (4, 2) corners as a tile has them."""
    return tuple((float(x), float(y)) for x, y in points)  # type: ignore[return-value]
