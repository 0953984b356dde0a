"""Tiles of other games, invented: any proportions, any numbers, pips, signs or emblems, inks on any ground.

The finder must see them and the embedding must tell them apart, or nobody could enrol a set of his own.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models.training.rendering import pictures
from models.training.rendering.faces import FACE_PX, Face
from models.training.rendering.glyphs import GLYPH_PX, Mask, numeral
from models.training.rendering.textures import Colour, TextureBank, any_colour, bgr
from vision.imaging.arrays import ImageU8

_DRAWN_PX = 160
_BRIGHT_INKS = 0.7
"""The share of dark sets with emblems whose inks are full colours; those of the others are pale."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What tells one tile of a set from another: a number, its ink (by index), and a sign."""

    number: int
    ink: int
    sign: str


class OtherGame:
    """A set of another game, sampled once; `aspect` is height by width of its tiles."""

    def __init__(self, rng: np.random.Generator, bank: TextureBank, typefaces: list[list[Mask]]) -> None:
        """Sample a set with `rng`."""
        self._rng = rng
        self._bank = bank
        self._typefaces = typefaces
        self._typeface = int(rng.integers(len(typefaces)))
        self.aspect = float(
            rng.choice([1.0, rng.uniform(1.1, 1.7), rng.uniform(0.6, 0.9)], p=[0.3, 0.6, 0.1])
        )
        self._kind = str(rng.choice(["number", "pips", "sign", "emblem"], p=[0.6, 0.08, 0.1, 0.22]))
        if self._kind == "emblem" and rng.random() < 0.85:
            self.aspect = 1.0
        pale = rng.random() < (0.25 if self._kind == "emblem" else 0.75)
        self._ground = (
            bgr(rng.uniform(20, 70), rng.uniform(0, 0.35), rng.uniform(0.75, 1)) if pale else any_colour(rng)
        )
        if self._kind == "emblem" and not pale and rng.random() < 0.75:
            self._ground = bgr(rng.uniform(0, 360), rng.uniform(0, 0.5), rng.uniform(0.03, 0.3))
        self._inks = self._choose_inks(dark_ground=float(np.mean(self._ground)) < 110)
        self._places = [(0.5, 0.5), (0.5, rng.uniform(0.2, 0.4)), (0.25, 0.22)][rng.integers(3)]
        self._high = rng.uniform(0.28, 0.6) if self._places[0] == 0.5 else rng.uniform(0.2, 0.35)
        self._emblem = rng.uniform(0.22, 0.46)
        self._bevel = rng.uniform(0.02, 0.1) if rng.random() < 0.6 else 0.0
        self._hollow = rng.random() < 0.4
        self._brand = rng.random() < 0.4
        self._both_ends = rng.random() < 0.12
        self._outline = rng.random() < 0.12

    def _choose_inks(self, *, dark_ground: bool) -> list[Colour]:
        rng = self._rng
        if dark_ground and self._kind == "emblem" and rng.random() < _BRIGHT_INKS:
            return [bgr(hue, rng.uniform(0.55, 1), rng.uniform(0.6, 1)) for hue in rng.uniform(0, 360, 4)]
        if dark_ground:
            return [bgr(hue, rng.uniform(0, 0.6), rng.uniform(0.8, 1)) for hue in rng.uniform(0, 360, 4)]
        if rng.random() < 0.5:
            hues = [rng.uniform(-12, 8), rng.uniform(16, 42), rng.uniform(95, 160), rng.uniform(195, 235)]
            inks = [bgr(hue, rng.uniform(0.65, 1), rng.uniform(0.45, 0.95)) for hue in hues]
            inks[rng.integers(4)] = bgr(rng.uniform(0, 360), rng.uniform(0, 0.4), rng.uniform(0.03, 0.25))
            return inks
        start = rng.uniform(0, 360)
        return [
            bgr(start + turn + rng.normal(0, 8), rng.uniform(0.4, 1), rng.uniform(0.2, 0.9))
            for turn in (0, rng.uniform(30, 90), 180, 270)
        ]

    def marks(self, count: int) -> list[Mark]:
        """Return `count` different marks, close to each other on purpose: few numbers, few inks."""
        rng = self._rng
        top = int(rng.choice([9, 13, 20, 60, 120, 200]))
        across = max(4, (count + 3) // 4 + 1)
        numbers = rng.choice(np.arange(1, top + 1), min(across, top), replace=False)
        if self._kind == "pips":
            numbers = rng.permutation(9)[:across] + 1
        kinds = rng.permutation(pictures.SYMBOLS)
        marks = [
            Mark(int(number), ink, str(kinds[index % len(kinds)]))
            for index, number in enumerate(numbers)
            for ink in range(4)
        ]
        return [marks[index] for index in rng.permutation(len(marks))[:count]]

    def face(self, mark: Mark, *, another_hand: bool = False) -> Face:
        """Return the face of a mark; with `another_hand` as another printing of the same set has it."""
        rng = self._rng
        wide = _DRAWN_PX
        high = int(wide * self.aspect)
        image = np.empty((high, wide, 3), np.float32)
        image[:] = np.array(self._ground) * np.exp(rng.normal(0, 0.03))
        image *= (1 + 0.02 * self._bank.cut(rng, self._bank.clouds, (wide, high)))[..., None]
        face = np.clip(image, 0, 255).astype(np.uint8)
        if self._bevel:
            edge = max(2, int(self._bevel * wide))
            bright = tuple(min(255.0, 1.08 * part) for part in self._ground)
            cv2.rectangle(face, (0, 0), (wide - 1, high - 1), bright, edge)
            cv2.line(face, (0, high - 1), (wide, high - 1), tuple(0.8 * part for part in self._ground), edge)
        if self._hollow:
            middle = (wide // 2, int(high * self._places[1]))
            cv2.circle(
                face, middle, int(wide * 0.36), tuple(0.95 * part for part in self._ground), 2, cv2.LINE_AA
            )
        if self._brand:
            for x in range(int(wide * 0.25), int(wide * 0.75), 6):
                y = int(high * 0.84 + rng.normal(0, 2))
                cv2.line(face, (x, y - 4), (x + 4, y + 4), tuple(0.85 * part for part in self._ground), 1)
        blue, green, red = (float(np.clip(part + rng.normal(0, 6), 0, 255)) for part in self._inks[mark.ink])
        ink = (blue, green, red)
        self._draw_mark(face, mark, ink, another_hand=another_hand)
        small = cv2.resize(face, (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA)
        return Face("", np.asarray(small, np.uint8), ())

    def _draw_mark(self, face: ImageU8, mark: Mark, ink: Colour, *, another_hand: bool) -> None:
        high, wide = face.shape[:2]
        if self._kind == "pips":
            self._draw_pips(face, mark.number, ink)
        elif self._kind == "sign":
            radius = min(wide, high) * self._high * 0.6
            middle_xy = (wide * self._places[0], high * self._places[1])
            pictures.draw_symbol(face, mark.sign, middle_xy, radius, ink, None)
            self._draw_number(face, mark.number % 10, ink, (0.8, 0.85), 0.2, another_hand=another_hand)
        elif self._kind == "emblem":
            self._draw_emblem(face, mark.sign, ink)
        else:
            self._draw_number(face, mark.number, ink, self._places, self._high, another_hand=another_hand)
            if self._both_ends:
                turned = np.ascontiguousarray(face[::-1, ::-1])
                self._draw_number(turned, mark.number, ink, (0.25, 0.2), 0.18, another_hand=another_hand)
                face[:] = turned[::-1, ::-1]

    def _draw_number(
        self,
        face: ImageU8,
        number: int,
        ink: Colour,
        place: tuple[float, float],
        share: float,
        *,
        another_hand: bool,
    ) -> None:
        rng = self._rng
        typeface = int(rng.integers(len(self._typefaces))) if another_hand else self._typeface
        mask = numeral(self._typefaces[typeface], number, 5)
        high, wide = face.shape[:2]
        tall = max(12, int(share * high))
        broad = min(max(6, int(mask.shape[1] * tall / GLYPH_PX)), int(wide * 0.9))
        drawn = cv2.resize(mask, (broad, tall), interpolation=cv2.INTER_AREA)
        left = int(np.clip(place[0] * wide - broad / 2, 4, wide - broad - 4))
        top = int(np.clip(place[1] * high - tall / 2, 4, high - tall - 4))
        box = face[top : top + tall, left : left + broad]
        share_of_ink = drawn[: box.shape[0], : box.shape[1], None].astype(np.float32) / 255
        if self._outline:
            halo = cv2.dilate(share_of_ink, np.ones((5, 5), np.uint8))[..., None]
            box[:] = (box * (1 - halo)).astype(np.uint8)
        box[:] = (box * (1 - share_of_ink) + share_of_ink * np.array(ink, np.float32)).astype(np.uint8)

    def _draw_emblem(self, face: ImageU8, sign: str, ink: Colour) -> None:
        """Draw one sign that fills most of the face, or a smaller one that is there twice."""
        high, wide = face.shape[:2]
        middle = (wide * 0.5, high * 0.5)
        blue, green, red = (0.4 * part for part in ink)
        line = (blue, green, red) if self._outline else None
        if self._both_ends:
            for x, y in ((0.3, 0.3), (0.7, 0.7)):
                pictures.draw_symbol(face, sign, (wide * x, high * y), min(wide, high) * 0.2, ink, line)
            return
        pictures.draw_symbol(face, sign, middle, min(wide, high) * self._emblem, ink, line)
        if self._hollow:
            pictures.draw_symbol(
                face, sign, middle, min(wide, high) * self._emblem * 0.55, self._ground, None
            )

    def _draw_pips(self, face: ImageU8, count: int, ink: Colour) -> None:
        high, wide = face.shape[:2]
        across = 2 if count <= 4 else 3
        down = -(-count // across)
        for index in range(count):
            x = wide * (0.5 + 0.26 * (index % across - (across - 1) / 2))
            y = high * (0.5 + 0.22 * (index // across - (down - 1) / 2))
            cv2.circle(face, (int(x), int(y)), int(wide * 0.08), ink, -1, cv2.LINE_AA)
