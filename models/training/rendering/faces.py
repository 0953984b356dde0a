"""Tile sets of our own invention: every set has its own palette, typeface, composition and symbols."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendering import pictures
from models.training.rendering.glyphs import GLYPH_PX, WEIGHTS, Mask, numeral
from models.training.rendering.textures import Colour, TextureBank, any_colour, bgr
from vision.imaging.arrays import ImageU8

FACE_PX = 128
COLOURS = "YRGBM"
"""The colour classes of the reader; M is the millstone, which has every colour."""

# Hues in degrees that people call by these names, wide enough for odd inks and faded prints.
_HUES = {"Y": (39, 61), "R": (-18, 13), "G": (80, 170), "B": (190, 258)}


@dataclass(frozen=True, slots=True)
class Numeral:
    """Where the weight stands on a face: centre and size as shares of the face's side."""

    x: float
    y: float
    width: float
    height: float
    upright: bool


@dataclass(frozen=True, slots=True)
class Face:
    """One tile's artwork: `image` (FACE_PX, FACE_PX, 3) uint8 BGR, upright.

    `code` is empty for a tile of another game; `numerals` is empty where nobody noted where they stand.
    """

    code: str
    image: ImageU8
    numerals: tuple[Numeral, ...]


class PaintedSet:
    """A style, sampled once; `face` draws any of its tiles."""

    def __init__(self, rng: np.random.Generator, bank: TextureBank, typefaces: list[list[Mask]]) -> None:
        """Sample a style with `rng`."""
        self._rng = rng
        self._bank = bank
        self._digits = typefaces[rng.integers(len(typefaces))]
        self._gap_px = int(rng.integers(0, 9))
        self._ground = str(
            rng.choice(["flat", "gradient", "painterly", "print", "frame"], p=[0.3, 0.15, 0.35, 0.08, 0.12])
        )
        self._saturation = rng.uniform(0.42, 1.0)
        self._value = rng.uniform(0.4, 1.0)
        self._hues = {name: rng.uniform(*limits) for name, limits in _HUES.items()}
        kinds = list(rng.permutation(pictures.SYMBOLS)[:4])
        self._symbols = dict(zip("YRGB", (str(kind) for kind in kinds), strict=True))
        self._has_symbols = rng.random() < 0.8
        self._symbol_corners = [corner for corner in range(4) if rng.random() < 0.6]
        self._symbol_size = rng.uniform(0.04, 0.1)
        self._symbol_fill = str(rng.choice(["white", "tint", "dark", "cream"]))
        self._height = float(np.exp(rng.uniform(np.log(0.13), np.log(0.55))))
        self._places = self._choose_places()
        self._badge = str(rng.choice(["none", "rounded", "disc", "box"], p=[0.5, 0.25, 0.15, 0.1]))
        self._badge_colour = str(
            rng.choice(["cream", "white", "dark", "deep", "pale"], p=[0.35, 0.25, 0.15, 0.15, 0.1])
        )
        self._ink = str(rng.choice(["white", "black", "cream", "own"], p=[0.4, 0.3, 0.15, 0.15]))
        self._outline = int(rng.choice([0, 0, 1, 2, 3]))
        self._shadow = rng.random() < 0.2
        self._border = float(rng.choice([0.0, 0.0, rng.uniform(0.01, 0.07)]))
        self._border_colour = str(rng.choice(["white", "black", "deep", "cream"]))
        self._inner_line = rng.random() < 0.3
        self._picture = str(rng.choice(["none", "plain", "panel"], p=[0.15, 0.5, 0.35]))
        # Some sets show what has nothing to do with the weight: the numeral alone must decide.
        self._picture_tells = rng.random() < 0.65
        self._shown: dict[int, int] = {}
        self._vignette = rng.uniform(0, 0.75) if self._ground == "painterly" else 0.0
        self._stroke_strength = rng.uniform(0.05, 0.35)

    def _choose_places(self) -> list[tuple[float, float, bool]]:
        """Return the numerals' places: x and y as shares of the side (of free room), and whether upright."""
        rng = self._rng
        low_right = (1.0, 1.0, rng.random() < 0.6)
        composition = rng.integers(8)
        if composition == 0:
            return [(0.5, 0.0, True)]
        if composition == 1:
            return [(0.0, 0.0, True)]
        if composition == 2:
            return [(0.0, 0.0, True), low_right]
        if composition == 3:
            self._height = rng.uniform(0.3, 0.62)
            return [(0.5, 0.5, True)]
        if composition == 4:
            self._height = min(self._height, 0.3)
            return [(0.0, 0.0, True), (1.0, 0.0, True), (0.0, 1.0, True), (1.0, 1.0, True)]
        if composition == 5:
            return [(0.5, 1.0, True)]
        if composition == 6:
            return [(1.0, 0.0, True), (0.0, 1.0, True)]
        return [(float(rng.random()), float(rng.random()), True)]

    def _own(self, colour: str, value_factor: float = 1.0, saturation_factor: float = 1.0) -> Colour:
        hue = self._hues[colour] + self._rng.normal(0, 2)
        value = self._value * value_factor * (1.15 if colour == "Y" else 0.85 if colour == "B" else 1.0)
        return bgr(hue, min(1.0, self._saturation * saturation_factor), min(1.0, value))

    def _named(self, name: str, colour: str) -> Colour:
        plain: dict[str, Colour] = {
            "white": (250, 250, 250),
            "black": (20, 18, 16),
            "cream": (190, 225, 240),
            "dark": (35, 35, 40),
        }
        if name in plain:
            return plain[name]
        if name == "deep":
            return self._own(colour, 0.45)
        if name in {"pale", "tint"}:
            return self._own(colour, 1.4, 0.3)
        return self._own(colour)

    def _paint_ground(self, colour: str) -> ImageU8:
        side = FACE_PX
        if colour == "M":
            return self._paint_four()
        image = np.empty((side, side, 3), np.float32)
        image[:] = self._own(colour)
        rng = self._rng
        if self._ground == "gradient":
            ramp = np.linspace(rng.uniform(0.6, 1), rng.uniform(0.8, 1.3), side, dtype=np.float32)
            image *= ramp[:, None, None] if rng.random() < 0.5 else ramp[None, :, None]
        elif self._ground == "painterly":
            strokes = self._bank.cut(rng, self._bank.strokes, (side, side), rng.uniform(1, 3))
            clouds = self._bank.cut(rng, self._bank.clouds, (side, side))
            image *= (1 + self._stroke_strength * (0.6 * strokes + 0.7 * clouds))[..., None]
            pale = np.clip(self._bank.cut(rng, self._bank.clouds, (side, side)) * 0.25 + 0.1, 0, 0.5)[
                ..., None
            ]
            image += pale * (245 - image)
            ys, xs = np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j].astype(np.float32)
            image *= (1 - self._vignette * np.clip(xs**2 + ys**2, 0, 1.6) / 1.6)[..., None]
            if rng.random() < 0.4:
                image[int(side * rng.uniform(0.6, 0.85)) :] *= rng.uniform(0.55, 1)
        elif self._ground == "print":
            ys, xs = np.mgrid[0:side, 0:side].astype(np.float32)
            pitch = rng.uniform(6, 24)
            mask = (
                ((xs + ys) / pitch % 1 < 0.5)
                if rng.random() < 0.5
                else ((xs / pitch % 1 - 0.5) ** 2 + (ys / pitch % 1 - 0.5) ** 2 < 0.09)
            )
            image[mask] *= rng.uniform(0.7, 1.25)
        elif self._ground == "frame":
            thick = int(side * rng.uniform(0.06, 0.16))
            image[thick:-thick, thick:-thick] = self._named(
                str(rng.choice(["white", "cream", "black", "dark"])), colour
            )
        return np.clip(image, 0, 255).astype(np.uint8)

    def _paint_four(self) -> ImageU8:
        """Return the millstone's ground: all four colours, in quarters, triangles, bands or a blend."""
        rng, side = self._rng, FACE_PX
        image = np.empty((side, side, 3), np.float32)
        ys, xs = np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j].astype(np.float32)
        kind = rng.integers(4)
        if kind == 0:
            part = (xs > 0).astype(int) + 2 * (ys > 0)
        elif kind == 1:
            part = (xs > ys).astype(int) + 2 * (xs > -ys)
        else:
            part = np.clip(((xs if kind == 2 else ys) + 1) * 2, 0, 3).astype(int)
        order = rng.permutation(4)
        for index in range(4):
            image[part == index] = self._own("YRGB"[order[index]])
        if self._ground == "painterly":
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(2, 10)), np.float32)
            image *= (1 + self._stroke_strength * self._bank.cut(rng, self._bank.strokes, (side, side), 2))[
                ..., None
            ]
            image *= (1 - self._vignette * np.clip(xs**2 + ys**2, 0, 1.6) / 1.6)[..., None]
        return np.clip(image, 0, 255).astype(np.uint8)

    def face(self, code: str) -> Face:
        """Return the face of one tile, drawn afresh (strokes and stones differ from call to call)."""
        side = FACE_PX
        colour, weight = code[0], int(code[1:])
        image = self._paint_ground(colour)
        edge = int(self._border * side)
        if edge:
            cv2.rectangle(
                image,
                (0, 0),
                (side - 1, side - 1),
                self._named(self._border_colour, "Y" if colour == "M" else colour),
                edge * 2,
            )
        if self._inner_line:
            inset = edge + int(side * 0.03)
            cv2.rectangle(
                image,
                (inset, inset),
                (side - 1 - inset, side - 1 - inset),
                self._named(self._border_colour, "Y" if colour == "M" else colour),
                1,
                cv2.LINE_AA,
            )
        if self._picture != "none":
            self._draw_picture(image, weight)
        if self._has_symbols:
            self._draw_symbols(image, colour)
        numerals = tuple(self._draw_numeral(image, weight, colour, *place) for place in self._places)
        return Face(code, image, numerals)

    def _draw_picture(self, image: ImageU8, weight: int) -> None:
        rng, side = self._rng, FACE_PX
        middle = 0.5
        if self._places[0][1] == 0.0 and self._places[0][0] == 0.5:
            middle = 0.5 + self._height * 0.4
        size = rng.uniform(0.4, 0.62) * (0.85 if middle > 0.5 else 1)
        x, y = side * (0.5 - size / 2), side * (middle - size / 2)
        if self._picture == "panel":
            pad = int(0.03 * side)
            top, low = (int(x) - pad, int(y) - pad), (int(x + size * side) + pad, int(y + size * side) + pad)
            cv2.rectangle(image, top, low, self._named("white", "Y"), -1)
            cv2.rectangle(image, top, low, self._named("black", "Y"), 1)
        shown = weight if self._picture_tells else self._shown.setdefault(weight, int(rng.choice(WEIGHTS)))
        pictures.draw_material(rng, image, shown, (x, y, side * size, side * size))

    def _draw_symbols(self, image: ImageU8, colour: str) -> None:
        side, inset = FACE_PX, 0.12
        corners = [(inset, inset), (1 - inset, inset), (inset, 1 - inset), (1 - inset, 1 - inset)]
        for order, corner in enumerate(self._symbol_corners):
            name = colour if colour != "M" else "YRGB"[order % 4]
            x, y = corners[corner]
            fill = self._named(self._symbol_fill, name) if colour != "M" else self._own(name, 1.2)
            pictures.draw_symbol(
                image,
                self._symbols[name],
                (x * side, y * side),
                self._symbol_size * side,
                fill,
                (15, 15, 15) if self._outline else None,
            )

    def _draw_numeral(
        self, image: ImageU8, weight: int, colour: str, x: float, y: float, upright: bool
    ) -> Numeral:
        """Draw the weight into `image` in place and return where it stands."""
        side = FACE_PX
        mask = numeral(self._digits, weight, self._gap_px)
        wide, high = self._numeral_wh(mask, y)
        ink = cv2.resize(mask, (wide, high), interpolation=cv2.INTER_AREA)
        pad = int(side * 0.03) + 2
        left = int(pad + x * (side - 2 * pad - wide))
        top = int(pad + y * (side - 2 * pad - high))
        name = "Y" if colour == "M" else colour
        ground = image[top : top + high, left : left + wide].reshape(-1, 3).mean(axis=0)
        if self._badge != "none":
            ground = np.array(self._draw_badge(image, (left, top, wide, high), name))
        colour_bgr = self._ink_on(ground, name)
        layer = np.zeros((side, side), np.uint8)
        layer[top : top + high, left : left + wide] = ink
        if not upright:
            middle = (left + wide / 2, top + high / 2)
            turn = cv2.getRotationMatrix2D(middle, 180, 1)
            layer = np.asarray(cv2.warpAffine(layer, turn, (side, side)), np.uint8)
        if self._outline or self._shadow:
            is_bright = _brightness(colour_bgr) > 110
            halo_bgr = np.array((15, 15, 15) if is_bright else (245, 245, 245), np.float32)
            _lay_ink(image, self._halo(layer), halo_bgr)
        _lay_ink(image, layer, colour_bgr)
        return Numeral((left + wide / 2) / side, (top + high / 2) / side, wide / side, high / side, upright)

    def _numeral_wh(self, mask: Mask, y: float) -> tuple[int, int]:
        """Return how wide and high a numeral stands at a height of the face where it must fit, in pixels."""
        side = FACE_PX
        high = max(14, int(self._height * side))
        wide = max(5, int(mask.shape[1] * high / GLYPH_PX))
        limit = int(
            side * (0.86 if len(self._places) == 1 else 0.46 if y == 0.0 and len(self._places) > 2 else 0.6)
        )
        if wide > limit:
            high, wide = max(12, int(high * max(limit / wide, 0.72))), limit
        return wide, high

    def _draw_badge(self, image: ImageU8, box: tuple[int, int, int, int], name: str) -> Colour:
        """Draw a disc or plate for a numeral in a box (left, top, width, height); return its colour."""
        left, top, wide, high = box
        fill = self._named(self._badge_colour, name)
        if self._badge == "disc":
            radius = int(np.hypot(wide, high) / 2)
            cv2.circle(image, (left + wide // 2, top + high // 2), radius, fill, -1, cv2.LINE_AA)
            return fill
        grow = max(2, int(high * 0.14))
        corner, opposite = (left - grow, top - grow), (left + wide + grow, top + high + grow)
        cv2.rectangle(image, corner, opposite, fill, -1)
        cv2.rectangle(image, corner, opposite, (25, 30, 40), int(self._rng.integers(1, 3)), cv2.LINE_AA)
        return fill

    def _ink_on(self, ground_bgr: NDArray[np.floating], name: str) -> NDArray[np.float32]:
        """Return the ink of a numeral, (3,) BGR: black or white where the set's own could not be read."""
        ink_bgr = np.array(self._named(self._ink, name), np.float32)
        on = _brightness(ground_bgr)
        if abs(_brightness(ink_bgr) - on) < 70 and not self._outline:
            ink_bgr = np.array(self._named("black" if on > 120 else "white", name), np.float32)
        return ink_bgr

    def _halo(self, layer: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return where the outline and shadow of ink lie, (FACE_PX, FACE_PX) as the ink's own `layer`."""
        reach = 2 * max(1, self._outline) + 1
        halo = cv2.dilate(layer, np.ones((reach, reach), np.uint8))
        if self._shadow:
            halo = np.roll(halo, (2, 2), (0, 1))
        return np.asarray(halo, np.uint8)


def _brightness(colour_bgr: NDArray[np.floating]) -> float:
    return float(colour_bgr @ [0.11, 0.59, 0.3])


def _lay_ink(image: ImageU8, layer: NDArray[np.uint8], colour_bgr: NDArray[np.float32]) -> None:
    """Colour `image` in place as far as a layer of its size says, 0..255."""
    share = layer[..., None].astype(np.float32) / 255
    image[:] = (image * (1 - share) + share * colour_bgr).astype(np.uint8)


class PrintedSet:
    """The product's own sheets, as `pyramid-referee tiles` prints them."""

    def __init__(self, rng: np.random.Generator, faces: Mapping[str, ImageU8]) -> None:
        """Take the faces by code, (FACE_PX, FACE_PX, 3) uint8 BGR; `rng` fades the print of this copy."""
        self._faces = faces
        self._ink = np.clip(rng.normal(1, 0.06, 3), 0.8, 1.15)
        self._paper = rng.uniform(0, 25)

    def face(self, code: str) -> Face:
        """Return the face of one tile."""
        image = self._faces[code] * self._ink
        return Face(code, np.clip(image + self._paper * (1 - image / 255), 0, 255).astype(np.uint8), ())


def load_printed(path: Path) -> dict[str, ImageU8]:
    """Return the printed faces that `pyramid-referee train` left in a file; none where there is no file."""
    if not path.exists():
        return {}
    with np.load(path) as stored:
        return {
            code: cv2.resize(stored[code], (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA)
            for code in stored.files
        }


def tile_back(rng: np.random.Generator, bank: TextureBank) -> ImageU8:
    """Return a face-down tile, (FACE_PX, FACE_PX, 3) uint8 BGR: a ground with an ornament and no number."""
    side = FACE_PX
    image = np.empty((side, side, 3), np.float32)
    image[:] = any_colour(rng, 0.8)
    image *= (1 + rng.uniform(0, 0.2) * bank.cut(rng, bank.clouds, (side, side)))[..., None]
    back = np.clip(image, 0, 255).astype(np.uint8)
    line = any_colour(rng, 0.6)
    if rng.random() < 0.7:
        inset = int(rng.integers(3, 16))
        cv2.rectangle(
            back, (inset, inset), (side - inset, side - inset), line, int(rng.integers(1, 4)), cv2.LINE_AA
        )
    kind = rng.integers(4)
    if kind == 0:
        step = side / rng.uniform(5, 9)
        for row in range(int(rng.integers(2, 5))):
            for slot in range(row + 1):
                x, y = side / 2 + (slot - row / 2) * step, side * 0.3 + row * step
                cv2.rectangle(
                    back,
                    (int(x - step * 0.42), int(y - step * 0.42)),
                    (int(x + step * 0.42), int(y + step * 0.42)),
                    line,
                    int(rng.choice([-1, 1, 2])),
                    cv2.LINE_AA,
                )
    elif kind == 1:
        for shift in range(-side, side, int(rng.integers(8, 30))):
            cv2.line(back, (shift, 0), (shift + side, side), line, int(rng.integers(1, 5)), cv2.LINE_AA)
    elif kind == 2:
        pictures.draw_symbol(
            back,
            str(rng.choice(pictures.SYMBOLS)),
            (side / 2, side / 2),
            side * rng.uniform(0.15, 0.4),
            line,
            None,
        )
    return back
