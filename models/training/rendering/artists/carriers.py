"""What carries the colour: shapes on a face, whole for one colour and in four parts for the millstone."""

from __future__ import annotations

import cv2
import numpy as np

from models.training.rendering import pictures
from models.training.rendering.artists.lettering import Lettered
from models.training.rendering.artists.strokes import Strokes
from models.training.rendering.artists.techniques import SIDE
from models.training.rendering.textures import Field, TextureBank

_YS, _XS = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
_CORNERS = ((0, 0), (1, 0), (0, 1), (1, 1))
_BY_NUMBER = frozenset({"blob", "ring", "underline", "tab"})
_NOT_FILLED = frozenset({"drawing", "symbol", "line", "ring"})
"""What is drawn as lines, and not filled."""


class Carrier:
    """One kind of shape, its size and place sampled once for a set; `parts` draws it on one face."""

    def __init__(
        self, rng: np.random.Generator, bank: TextureBank, name: str, strokes: Strokes | None = None
    ) -> None:
        """Sample a carrier of `artist.CARRIERS`, other than the ink of the number.

        Args:
            rng: The randomness.
            bank: Noise fields.
            name: Of the carrier.
            strokes: How it is filled by hand, if it is.
        """
        self._rng, self._bank, self.name, self._strokes = rng, bank, name, strokes
        self._thick = float(rng.uniform(0, 1))
        self._inset = float(rng.uniform(0, 1))
        self._form = int(rng.integers(4))
        # Half of the stripes end up at the very edge, where the next tile's stripe may touch theirs.
        self._place = float(rng.uniform(-0.5, 1.5))
        # Coloured corners: any one or more; most often the first or all.
        self._corners = [corner for corner in range(4) if rng.random() < 0.4] or [int(rng.integers(4))]
        kinds = rng.permutation(pictures.SYMBOLS)[:4]
        if rng.random() < 0.35:  # one symbol for all: the colour alone tells
            kinds = np.repeat(kinds[:1], 4)
        self._symbols = dict(zip("YRGB", (str(kind) for kind in kinds), strict=True))
        self._at_every_number = rng.random() < 0.5
        # A spot of colour is not always as large as the number on it, nor just under it.
        self._spot_size = float(rng.uniform(0.7, 1.6))
        self._spot_off = rng.normal(0, 0.15, 2)

    def parts(self, colour: str, weight: int, numbers: list[Lettered]) -> list[tuple[str, Field]]:
        """Return shapes with the name of the colour that each gets; four or more for the millstone (M)."""
        parts = self._shapes(colour, weight, numbers)
        if self._strokes is None or self.name in _NOT_FILLED:
            return parts
        return [(name, self._strokes.fill(shape)) for name, shape in parts]

    def _shapes(self, colour: str, weight: int, numbers: list[Lettered]) -> list[tuple[str, Field]]:
        if self.name in {"symbol", "dots", "corner"}:
            return self._several(colour, numbers)
        if self.name in _BY_NUMBER:
            chosen = numbers if self._at_every_number else numbers[:1]
            shapes = [self._by_number(number) for number in chosen]
        else:
            shapes = [self._drawing(weight, numbers) if self.name == "drawing" else self._on_face()]
        if colour != "M":
            return [(colour, shape) for shape in shapes]
        return [
            part
            for shape in shapes
            for part in in_four(self._rng, shape, banded=self.name in {"underline", "stripe"})
        ]

    def _on_face(self) -> Field:
        mask = np.zeros((SIDE, SIDE), np.float32)
        name, last = self.name, SIDE - 1
        if name == "ground":
            mask[:] = 1
        elif name == "panel":
            edge = int(SIDE * (0.05 + 0.12 * self._inset))
            mask[edge:-edge, edge:-edge] = 1
        elif name == "half":
            mask[[_XS > _YS, _XS + _YS > SIDE, _YS > SIDE * 0.5, _XS < SIDE * 0.5][self._form]] = 1
        elif name == "pattern":
            pitch = 12 + 16 * self._thick
            across = [_XS, _YS, _XS + _YS, _XS - _YS][self._form]
            mask = (across % pitch < pitch * (0.3 + 0.3 * self._inset)).astype(np.float32)
        elif name == "frame":
            edge, thick = (
                int(SIDE * 0.05 * self._inset * (self._form > 1)),
                int(SIDE * (0.06 + 0.11 * self._thick)),
            )
            mask[edge : SIDE - edge, edge : SIDE - edge] = 1
            mask[edge + thick : SIDE - edge - thick, edge + thick : SIDE - edge - thick] = 0
        elif name == "line":
            edge, thick = int(SIDE * (0.03 + 0.06 * self._inset)), int(3 + 3 * self._thick)
            cv2.rectangle(mask, (edge, edge), (last - edge, last - edge), 1.0, thick, cv2.LINE_AA)
        elif name == "edges":
            thick = int(SIDE * (0.08 + 0.12 * self._thick))
            view = mask if self._form % 2 else mask.T
            view[:thick], view[SIDE - thick :] = 1, 1
        else:
            half = SIDE * (0.035 + 0.075 * self._thick)
            across = [_XS, _YS, (_XS + _YS) / 2, (_XS - _YS + SIDE) / 2][self._form]
            from_edge = half if self._form < 2 else SIDE * 0.25
            middle = np.clip(SIDE * self._place, from_edge, SIDE - from_edge)
            mask = np.asarray(np.clip(half - np.abs(across - middle) + 0.5, 0, 1), np.float32)
        return mask

    def _by_number(self, number: Lettered) -> Field:
        if self.name == "underline":
            return self._underline(number)
        rng, mask = self._rng, np.zeros((SIDE, SIDE), np.float32)
        left, top, wide, high = number.box
        middle = (left + wide / 2, top + high / 2)
        grow = 1.25 + 0.35 * self._inset
        if self.name != "ring":
            grow = self._spot_size
            middle = middle[0] + self._spot_off[0] * wide, middle[1] + self._spot_off[1] * high
        radii = (wide / 2 * grow + 4, high / 2 * grow + 4)
        if self._form % 2:
            radii = (float(max(radii)),) * 2 if max(radii) < 0.42 * SIDE else radii
        at, size = (
            (round(middle[0] * 16), round(middle[1] * 16)),
            (round(radii[0] * 16), round(radii[1] * 16)),
        )
        if self.name == "ring":
            turn = float(rng.normal(0, 4))
            cv2.ellipse(mask, at, size, turn, 0, 360, 1.0, int(4 + 5 * self._thick), cv2.LINE_AA, 4)
        elif self.name == "tab" and self._form < 2:
            corner = (int(middle[0] - radii[0] * 0.9), int(middle[1] - radii[1] * 0.9))
            cv2.rectangle(
                mask, corner, (int(middle[0] + radii[0] * 0.9), int(middle[1] + radii[1] * 0.9)), 1.0, -1
            )
        else:
            cv2.ellipse(mask, at, size, 0, 0, 360, 1.0, -1, cv2.LINE_AA, 4)
            if self.name == "blob":
                clouds = self._bank.clouds
                wander = [self._bank.cut(rng, clouds, (SIDE, SIDE)) * 3 for _ in range(2)]
                mask = np.asarray(
                    cv2.remap(mask, _XS + wander[0], _YS + wander[1], cv2.INTER_LINEAR), np.float32
                )
        return mask

    def _underline(self, number: Lettered) -> Field:
        """Return a line below the number, sometimes with a thinner one below it; over one on its head."""
        mask = np.zeros((SIDE, SIDE), np.float32)
        left, top, wide, high = number.box
        thick = int(4 + 6 * self._thick)
        y = (
            int(min(top + high + 2 + thick * 0.7, SIDE - 1 - thick / 2))
            if number.upright
            else max(int(top - 3 - thick * 0.5), 2)
        )
        start, end = int(left - wide * 0.12), int(left + wide * 1.12)
        cv2.line(mask, (start, y), (end, int(y + self._rng.normal(0, 1.2))), 1.0, thick, cv2.LINE_AA)
        if self._form == 0:
            below = y + thick + 3
            cv2.line(mask, (start, below), (end, below), 1.0, max(2, thick // 2), cv2.LINE_AA)
        return mask

    def _several(self, colour: str, numbers: list[Lettered]) -> list[tuple[str, Field]]:
        """Return shapes that stand apart: corners, symbols, dots. The millstone has one of each colour."""
        names = [str(name) for name in self._rng.permutation(list("YRGB"))] if colour == "M" else [colour]
        if self.name == "corner":
            corners = self._corners if colour != "M" else [0, 1, 2, 3]
            return [
                (names[order % len(names)], self._corner(*_CORNERS[corner]))
                for order, corner in enumerate(corners)
            ]
        if self.name == "dots":
            count, radius = int(3 + 3 * self._inset), SIDE * (0.035 + 0.035 * self._thick)
            count = 4 if colour == "M" else count
            drawn: dict[str, Field] = {}
            for index in range(count):
                along, beside = SIDE * (index + 1) / (count + 1), SIDE * (0.09 if self._form % 2 else 0.91)
                x, y = (along, beside) if self._form < 2 else (beside, along)
                mask = drawn.setdefault(names[index % len(names)], np.zeros((SIDE, SIDE), np.float32))
                cv2.circle(mask, (round(x * 16), round(y * 16)), round(radius * 16), 1.0, -1, cv2.LINE_AA, 4)
            return list(drawn.items())
        size = SIDE * (0.1 + 0.12 * self._thick)
        spots = free_spots(self._rng, numbers, 2 * size)
        count = 4 if colour == "M" else 1 + (self._form == 3)
        size *= 0.75 if colour == "M" else 1.0
        symbols = []
        for index in range(count):
            name = names[index % len(names)]
            canvas = np.zeros((SIDE, SIDE, 3), np.uint8)
            pictures.draw_symbol(canvas, self._symbols[name], spots[index], size, (255, 255, 255), None)
            symbols.append((name, np.asarray(canvas[..., 0] / 255, np.float32)))
        return symbols

    def _corner(self, right: int, low: int) -> Field:
        reach = SIDE * (0.22 + 0.2 * self._thick)
        x, y = (SIDE - _XS if right else _XS), (SIDE - _YS if low else _YS)
        if self._form == 0:
            return np.asarray((x**2 + y**2 < reach**2), np.float32)
        if self._form == 1:
            return np.asarray((np.maximum(x, y) < reach * 0.75), np.float32)
        return np.asarray(np.clip(reach * 1.15 - x - y, 0, 1), np.float32)

    def _drawing(self, weight: int, numbers: list[Lettered]) -> Field:
        """Return the lines, or the filled shape, of what the tile is made of."""
        size = SIDE * (0.36 + 0.14 * self._inset)
        x, y = free_spots(self._rng, numbers, size)[0]
        canvas = np.full((SIDE, SIDE, 3), 128, np.uint8)
        pictures.draw_material(self._rng, canvas, weight, (x - size / 2, y - size / 2, size, size))
        if self._form == 0:
            return np.asarray(np.abs(canvas.astype(np.int16) - 128).max(axis=2) > 12, np.float32)
        gray = cv2.cvtColor(canvas, cv2.COLOR_BGR2GRAY)
        lines = cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
        return np.asarray(np.clip(lines / 50, 0, 1), np.float32)


def free_spots(
    rng: np.random.Generator, numbers: list[Lettered], size_px: float
) -> list[tuple[float, float]]:
    """Return nine middles for things of about this size, those that lie over no number first."""
    low, high = size_px / 2 + 3, SIDE - size_px / 2 - 3
    spots = [(x, y) for x in (low, SIDE / 2, high) for y in (low, SIDE / 2, high)]
    cover = []
    for x, y in spots:
        left, top = int(max(0, x - size_px / 2)), int(max(0, y - size_px / 2))
        part = slice(top, int(y + size_px / 2)), slice(left, int(x + size_px / 2))
        cover.append(sum(float(number.mask[part].sum()) for number in numbers) + rng.uniform(0, 12))
    return [spots[index] for index in np.argsort(cover)]


def in_four(rng: np.random.Generator, shape: Field, *, banded: bool) -> list[tuple[str, Field]]:
    """Return a shape in four parts, one of each colour: by quarters, or by bands along it."""
    names = [str(name) for name in rng.permutation(list("YRGB"))]
    rows, columns = np.where(shape.max(axis=1) > 0.3)[0], np.where(shape.max(axis=0) > 0.3)[0]
    if not len(rows) or not len(columns):
        return []
    x, y = (columns[0] + columns[-1]) / 2, (rows[0] + rows[-1]) / 2
    if banded:
        wide = columns[-1] - columns[0] >= rows[-1] - rows[0]
        along, span = (_XS, columns) if wide else (_YS, rows)
        part = np.clip((along - span[0]) / max(1, span[-1] - span[0] + 1) * 4, 0, 3).astype(int)
    elif rng.random() < 0.6:
        part = (x < _XS).astype(int) + 2 * (y < _YS)
    else:
        part = (_XS - x > _YS - y).astype(int) + 2 * (_XS - x > y - _YS)
    return [(names[index], shape * (part == index)) for index in range(4)]
