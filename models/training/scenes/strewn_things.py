"""Strews over a table what is no tile of the pyramid: backs, paper, dice, cards, cups, pencils."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendering.clutter import die_art, print_art
from models.training.rendering.faces import FACE_PX, tile_back
from models.training.rendering.glyphs import Mask
from models.training.rendering.sheets import number_sheet
from models.training.rendering.textures import TextureBank, any_colour
from models.training.scenes.laying import is_near, lay, tile_shapes
from models.training.scenes.table_plane import Place, project, square
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points

_THINGS = {
    "back": 0.18, "paper": 0.07, "sheet": 0.14, "die": 0.12, "card": 0.1, "cup": 0.09, "coin": 0.06,
    "pencil": 0.06, "box": 0.06, "square": 0.06, "phone": 0.06,
}  # fmt: skip
"""How often each is among what lies about."""
_MOST, _SOME_NUMBERS = 9, 3


class Strewer:
    """Strews things; holds what they are made of."""

    def __init__(self, rng: np.random.Generator, bank: TextureBank, typefaces: list[list[Mask]]) -> None:
        """Draw from `rng`, with the textures and typefaces given."""
        self._rng = rng
        self._bank = bank
        self._typefaces = typefaces
        self._sharp = tile_shapes()[0]

    def strew(self, image: NDArray[np.float32], homography: Points, xy: NDArray[np.float64]) -> list[Points]:
        """Put up to eight things on a table, mostly beside the pyramid.

        Args:
            image: (H, W, 3) float32 BGR; painted on.
            homography: From the table's plane to the picture.
            xy: Where the pyramid's tiles will lie, (n, 2) on the table's plane.

        Returns:
            The quads, (4, 2) in pixels, of those that may pass for a tile.
        """
        rng = self._rng
        low, top = xy.min(axis=0) - 1.2, xy.max(axis=0) + 1.2
        decoys: list[Points] = []
        for _ in range(int(rng.integers(0, _MOST))):
            x, y = rng.uniform(low[0] - 5, top[0] + 5), rng.uniform(low[1] - 4, top[1] + 4)
            if low[0] - 0.5 < x < top[0] + 0.5 and low[1] - 0.5 < y < top[1] + 0.5 and rng.random() < 0.85:
                continue
            kind = str(rng.choice(list(_THINGS), p=list(_THINGS.values())))
            place = (x, y, rng.uniform(0, 360))
            if kind in {"back", "square"}:
                decoys.append(self._backs(image, homography, place, is_plain=kind == "square"))
            elif kind == "sheet":
                decoys.extend(self._sheet(image, homography, place))
            elif kind in {"paper", "box", "card", "phone"}:
                decoys.append(self._print(image, homography, place, kind))
            elif kind == "die":
                quad = project(homography, square(x, y, rng.uniform(0.25, 0.6), place[2]))
                self._paste(image, die_art(rng), quad)
                decoys.append(quad)
            else:
                self._drawn(image, homography, place, kind)
        return decoys

    def _backs(
        self, image: NDArray[np.float32], homography: Points, place: Place, *, is_plain: bool
    ) -> Points:
        """Put a pile of tile backs, or of squares of one colour, on the table; return the topmost quad."""
        rng, (x, y, turn) = self._rng, place
        art = tile_back(rng, self._bank)
        if is_plain:
            art = np.full((FACE_PX, FACE_PX, 3), any_colour(rng), np.uint8)
        for layer in range(int(rng.choice([1, 1, 1, 3, 6]))):
            quad = project(homography, square(x + 0.03 * layer, y - 0.02 * layer, 1, turn + rng.normal(0, 6)))
            self._paste(image, art, quad)
        return quad

    def _sheet(self, image: NDArray[np.float32], homography: Points, place: Place) -> list[Points]:
        """Put a sheet with numbers on the table; return the quads of some of the numbers on it."""
        rng, (x, y, turn) = self._rng, place
        art, squares = number_sheet(rng, self._typefaces)
        size, angle = rng.uniform(1.5, 6.5), np.radians(turn)
        turned = size * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        narrow = np.array([1, rng.uniform(0.6, 1.2)])
        self._paste(image, art, project(homography, (square(0, 0, 1, 0) * narrow) @ turned.T + [x, y]))
        some = squares[rng.permutation(len(squares))[:_SOME_NUMBERS]]
        return [project(homography, ((each - 0.5) * narrow) @ turned.T + [x, y]) for each in some]

    def _print(self, image: NDArray[np.float32], homography: Points, place: Place, kind: str) -> Points:
        """Put paper, a box, a playing card or a phone on the table; return its quad."""
        rng, (x, y, turn) = self._rng, place
        art = print_art(rng, self._typefaces, kind)
        size = {
            "paper": rng.uniform(1.2, 5),
            "box": rng.uniform(3, 6),
            "card": rng.uniform(1.2, 2),
            "phone": rng.uniform(2, 3.4),
        }[kind]
        narrow = {"card": [0.7, 1], "phone": [0.48, 1]}.get(kind, [1, rng.uniform(0.7, 1.4)])
        angle = np.radians(turn)
        turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        quad = project(homography, (square(0, 0, size, 0) * narrow) @ turned.T + [x, y])
        self._paste(image, art, quad)
        return quad

    def _drawn(self, image: NDArray[np.float32], homography: Points, place: Place, kind: str) -> None:
        """Draw a cup, a coin or a pencil on the table."""
        rng, (x, y, turn) = self._rng, place
        if kind in {"cup", "coin"}:
            radius = rng.uniform(0.6, 1.6) if kind == "cup" else rng.uniform(0.15, 0.35)
            angles = np.linspace(0, 2 * np.pi, 30)
            for shrink in (1.0, 0.87, 0.8):
                circle = [x + shrink * radius * np.cos(angles), y + shrink * radius * np.sin(angles)]
                ring = project(homography, np.stack(circle, 1))
                if is_near(ring):
                    cv2.fillPoly(image, [ring.astype(np.int32)], any_colour(rng), cv2.LINE_AA)
            return
        ends = project(homography, np.array([[x, y], [x + 4 * np.cos(turn), y + 4 * np.sin(turn)]]))
        if is_near(ends):
            start, stop = ((int(u), int(v)) for u, v in ends)
            cv2.line(image, start, stop, any_colour(rng), int(rng.integers(2, 10)), cv2.LINE_AA)

    def _paste(self, image: NDArray[np.float32], art: ImageU8, quad: Points) -> None:
        if is_near(quad):
            lay(self._rng, image, art, self._sharp, quad, sun=0.5)
