"""From a picture to candidate tile quads: one small network, run at the scale that suits the tiles."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points, are_convex, side_px
from vision.imaging.rectify import upright_crops
from vision.pyramid.slant import STRAIGHT, Squash, straightening, usual_squash, within
from vision.recognition.model_store import Model

WORKING_SIDE_PX = 640
"""The picture's longer side for the first look."""
_GOOD_SIDES_PX = (26.0, 118.0)
"""The network sees corners well at tile sides in this range. For others the part of the picture with tiles is
searched again at another scale."""
_SMALL_PX, _LARGE_PX = 45.0, 60.0
"""The tile sides to aim at then."""
_SAME_SCALE = 1.2
"""Two scales that differ by less than this factor show the same."""
_MARGIN_SIDES = 2.5
"""How far beyond the outermost candidates to search again, in tile sides."""
_CLEAR = 0.5
_WEAK, FAINT_SCORE = 0.25, 0.1
"""If no candidate is clear, those above the first score count. All above the second are reported: lattice and
reader decide."""
_MAX_PEAKS = 300
_MOST_STRETCHES, _MOST_STRETCHED_PX = 3, 4096
"""So often a picture is stretched, and to no more pixels a side: OpenCV warps none of more than 32,767."""
_SQUASHED, _FURTHER, _MOST_GUESSED = 0.1, 2.0, 0.4
"""Squares that are squashed by less than the first number are square. The network makes them squarer than
they are, so a picture is stretched by the second times as much, to the third at most unless they look
squashed by more. Of 120 stills of tables that are seen from 0 to 30 degrees 3 look squashed by the first
number, of 120 from 45 to 60 degrees all (decision 75)."""
_DIM, _TRIED = 0.6, 0.3
"""Where what is clear has a lower mean score than the first number, so much is tried: of 268 tiles on 40
stills from 50 to 60 degrees 261 were found instead of 251; of 80 from 0 to 30 degrees 4 are looked at
twice."""
_CLEARER, _ASLANT = 0.15, 0.2
"""So much more must be clear in a stretched picture, and squares look squashed by so much: else it was
chance, and the cards of a hand were told (table-dev2 031, upside down, 0.10 clearer; where tiles were missed,
stills from 45 to 60 degrees gain 0.2 to 2.5)."""
_FLOOD = 90
"""More candidates than this are not all tiles: a game has 45, and little else there seems one."""
_ALIKE, _ALIKE_PX, _MOST_ALIKE = 0.8, 16, 11
"""Of those, what looks like more others than this, any side up, may be printed on the cloth: so did 13 to 251
figures of each of six cloths, and of the tiles of 17 sets those of plain ones alone, which differ by a
number."""


@dataclass(frozen=True, slots=True)
class TileCandidate:
    """A place where a tile may lie."""

    quad_px: Points
    """(4, 2) float32, clockwise on the screen, from the corner that is top left on the screen."""
    score: float
    may_be_print: bool = False
    """Whether so many others look like it that it may be printed on the cloth again and again."""


class TileDetector:
    """Detects face-up tiles of any artwork."""

    def __init__(self, model: Model) -> None:
        """Use the opened model of the task "finder"."""
        self._model = model
        self._stride = int(model.manifest["stride_px"])
        self._unit = float(model.manifest["corner_unit_px"])

    def find(self, image_bgr: ImageU8, squash: Squash | None = STRAIGHT) -> list[TileCandidate]:
        """Return the candidates in a picture, best first; empty where there is none.

        Of a table that is seen aslant two tiles that touch look like one square (film 474130), so the picture
        is stretched until its tiles are square.

        Args:
            image_bgr: (H, W, 3) uint8 BGR.
            squash: How squares look squashed in it, as far as that is known; None where its tiles may be no
                squares.
        """
        found = self._seen(image_bgr) if squash is None else self._seen_square(image_bgr, squash)
        return found if len(found) <= _FLOOD else _with_prints(image_bgr, found)

    def _seen_square(self, image_bgr: ImageU8, squash: Squash) -> list[TileCandidate]:
        """Return all candidates in a (H, W, 3) uint8 BGR picture, stretched until its squares are square."""
        found = self._seen_straight(image_bgr, squash)
        for _ in range(_MOST_STRETCHES):
            further = _further(found, squash)
            if further is None:
                break
            straight = self._seen_straight(image_bgr, further)
            if _clearness(straight) < _clearness(found) + _CLEARER or not _bears_out(straight, further):
                break
            found, squash = straight, further
        return found

    def _seen_straight(self, image_bgr: ImageU8, squash: Squash) -> list[TileCandidate]:
        """Return all candidates in a (H, W, 3) uint8 BGR picture, as they are seen if squares are square."""
        if np.hypot(*squash) < _SQUASHED:
            return self._seen(image_bgr)
        high, wide = image_bgr.shape[:2]
        corners, stretch = np.array([[0, 0], [wide, 0], [wide, high], [0, high]]), straightening(squash)
        stretch *= min(1.0, _MOST_STRETCHED_PX / float(np.ptp(corners @ stretch.T, axis=0).max()))
        corners = corners @ stretch.T
        low, size_wh = corners.min(axis=0), np.ceil(np.ptp(corners, axis=0)).astype(int).tolist()
        straight = cv2.warpAffine(image_bgr, np.column_stack([stretch, -low]), size_wh)
        back = np.linalg.inv(stretch).T
        return [
            replace(each, quad_px=((each.quad_px + low) @ back).astype(np.float32))
            for each in self._seen(np.asarray(straight, np.uint8))
        ]

    def _seen(self, image_bgr: ImageU8) -> list[TileCandidate]:
        """Return all candidates in a (H, W, 3) uint8 BGR picture, best first."""
        high, wide = image_bgr.shape[:2]
        if min(high, wide) < 16:
            return []
        scale = min(1.0, WORKING_SIDE_PX / max(high, wide))
        found = self._look(image_bgr, scale)
        looks = {scale: found}
        if not any(candidate.score > _CLEAR for candidate in found):
            for other in (min(1.0, 2 * scale), scale / 2.5):
                if other not in looks:
                    looks[other] = self._look(image_bgr, other)
                if any(candidate.score > _CLEAR for candidate in looks[other]):
                    found = looks[other]
                    break
        clear = _clear(found)
        if not clear:
            return found
        side = float(np.median([side_px(candidate.quad_px) for candidate in clear]))
        if side * scale < _GOOD_SIDES_PX[0] and scale < 1:
            closer = min(1.0, _SMALL_PX / side)
            nearest = min(looks, key=lambda other: abs(np.log(other / closer)))
            if max(nearest / closer, closer / nearest) < _SAME_SCALE:
                return looks[nearest]
            return self._look_closer(image_bgr, found, clear, closer)
        if side * scale > _GOOD_SIDES_PX[1]:
            return self._look(image_bgr, _LARGE_PX / side)
        return found

    def _look_closer(
        self, image_bgr: ImageU8, found: list[TileCandidate], clear: list[TileCandidate], scale: float
    ) -> list[TileCandidate]:
        """Return the candidates seen at one scale in the part of the picture that holds the clear ones.

        Those found outside of it stay: what is small and clear may be no tile, and a tile lie elsewhere.
        """
        margin_px = _MARGIN_SIDES * float(np.median([side_px(candidate.quad_px) for candidate in clear]))
        corners = np.concatenate([candidate.quad_px for candidate in clear])
        x0, y0 = np.maximum(corners.min(axis=0) - margin_px, 0).astype(int)
        x1, y1 = np.ceil(corners.max(axis=0) + margin_px).astype(int)
        closer = _moved(self._look(image_bgr[y0:y1, x0:x1], scale), x0, y0)
        for candidate in found:
            x, y = candidate.quad_px.mean(axis=0)
            if not (x0 <= x < x1 and y0 <= y < y1):
                closer.append(candidate)
        return sorted(closer, key=lambda candidate: -candidate.score)

    def _look(self, image_bgr: ImageU8, scale: float) -> list[TileCandidate]:
        """Return the candidates seen at one scale, best first, in the picture's own pixels."""
        height, width = image_bgr.shape[:2]
        small_wh = (max(16, round(width * scale)), max(16, round(height * scale)))
        small = cv2.resize(image_bgr, small_wh, interpolation=cv2.INTER_AREA)
        below, right = (-side % self._stride for side in small.shape[:2])
        small = cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_REPLICATE)
        answer = self._model.run(np.asarray(small[None], np.uint8))[0][0]
        quads, scores = self._peaks(answer)
        back = np.array([width / small_wh[0], height / small_wh[1]])
        quads = ((quads + 0.5) * back - 0.5).astype(np.float32)
        order = np.argsort(-scores)[:_MAX_PEAKS]
        order = order[are_convex(quads[order])]
        quads, scores = quads[order], scores[order]
        middles, sides = quads.mean(axis=1), np.array([side_px(quad) for quad in quads])
        kept: list[int] = []
        for index in range(len(quads)):
            away = middles[kept] - middles[index]
            if (np.hypot(away[:, 0], away[:, 1]) > 0.45 * sides[index]).all():
                kept.append(index)
        return [TileCandidate(quads[index], float(scores[index])) for index in kept]

    def _peaks(self, answer: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
        """Return quads (n, 4, 2) in pixels of the network's picture, and scores (n,)."""
        heat = 1 / (1 + np.exp(-answer[0]))
        highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
        rows, columns = np.nonzero((heat >= highest) & (heat > FAINT_SCORE))
        is_turned = answer[17, rows, columns] > 0
        offsets = np.where(is_turned[None], answer[9:17, rows, columns], answer[1:9, rows, columns])
        middles = (np.stack([columns, rows], 1) + 0.5) * self._stride
        quads = offsets.T.reshape(-1, 4, 2) * self._unit + middles[:, None]
        return quads, heat[rows, columns]


def _clear(candidates: list[TileCandidate]) -> list[TileCandidate]:
    """Return the candidates that are seen clearly; where none is, those that are not but faint."""
    return [each for each in candidates if each.score > _CLEAR] or [
        each for each in candidates if each.score > _WEAK
    ]


def _further(found: list[TileCandidate], squash: Squash) -> Squash | None:
    """Return how squares may be squashed, by what was found where they were taken for squashed so.

    None: they are. What is hardly seen clearly may be squashed more than it seems.
    """
    clear = _clear(found)
    off = usual_squash([each.quad_px for each in clear]) - squash
    length = float(np.hypot(*off))
    if length >= _SQUASHED:
        lies, further = squash + off, squash + _FURTHER * off
        if further @ squash < 0 or not further.any():
            return STRAIGHT
        longest = max(_MOST_GUESSED, float(np.hypot(*lies)))
        return within(further * min(1.0, longest / float(np.hypot(*further))))
    if squash.any() or not length or np.mean([each.score for each in clear]) >= _DIM:
        return None
    return off / length * _TRIED


def _bears_out(found: list[TileCandidate], squash: Squash) -> bool:
    """Return whether what was found where squares were taken for squashed looks so: else it is by chance."""
    lies, length = usual_squash([each.quad_px for each in _clear(found)]), float(np.hypot(*squash))
    return length < _SQUASHED or float(lies @ squash) / length >= _ASLANT


def _clearness(candidates: list[TileCandidate]) -> float:
    """Return how much is clearly seen."""
    return sum(candidate.score - _CLEAR for candidate in candidates if candidate.score > _CLEAR)


def _moved(candidates: list[TileCandidate], x: int, y: int) -> list[TileCandidate]:
    """Return the candidates of a part of a picture as they lie in it; its corner lies at x, y."""
    by = np.array([x, y], np.float32)
    return [replace(candidate, quad_px=candidate.quad_px + by) for candidate in candidates]


def _with_prints(image_bgr: ImageU8, candidates: list[TileCandidate]) -> list[TileCandidate]:
    """Return candidates, of which it is said whether they look like many others."""
    crops = upright_crops(image_bgr, [candidate.quad_px for candidate in candidates], _ALIKE_PX, 1.0)
    blurred = np.stack([cv2.blur(crop, (3, 3)) for crop in crops]).astype(np.float32)
    looks = blurred - blurred.mean(axis=(1, 2), keepdims=True)
    ways = [np.rot90(looks, way, (1, 2)).reshape(len(looks), -1) for way in range(4)]
    lengths = np.maximum(np.linalg.norm(ways[0], axis=1), 1e-3)
    alike = np.max([ways[0] @ way.T for way in ways], axis=0) >= _ALIKE * np.outer(lengths, lengths)
    are_many = alike.sum(axis=1) - 1 > _MOST_ALIKE
    return [
        replace(candidate, may_be_print=bool(are))
        for candidate, are in zip(candidates, are_many, strict=True)
    ]
