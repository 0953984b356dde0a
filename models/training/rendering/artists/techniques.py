"""How a set is made: each technique lays a shape of one colour onto a face in its own way."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np

from models.training.rendering.artists.artist import TECHNIQUES
from models.training.rendering.textures import Colour, Field, TextureBank

SIDE = 128
"""Faces are drawn at this many pixels."""
_YS, _XS = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)


def wobbled(mask: Field, across: Field, down: Field, reach_px: float) -> Field:
    """Return a mask whose edges wander by about so many pixels, as two noise fields say."""
    x, y = _XS + reach_px * across, _YS + reach_px * down
    return np.asarray(cv2.remap(mask, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)


def blurred(mask: Field, deviation_px: float) -> Field:
    """Return a mask with soft edges."""
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), deviation_px), np.float32)


def blend(image: Field, share: Field, colour: Colour | Field) -> None:
    """Lay a colour, or a (SIDE, SIDE, 3) picture, onto `image` in place, as far as `share` says."""
    left, top, wide, high = cv2.boundingRect((share > 0).view(np.uint8))
    if not wide:
        return
    part = slice(top, top + high), slice(left, left + wide)
    ink = np.asarray(colour, np.float32)
    view = image[part]
    view += share[part][..., None] * ((ink if ink.ndim == 1 else ink[part]) - view)


class Technique:
    """One way of making a face, with its settings sampled once for a set."""

    def __init__(self, rng: np.random.Generator, bank: TextureBank, name: str) -> None:
        """Sample the settings of a technique of `artist.TECHNIQUES`."""
        self._rng, self._bank, self.name = rng, bank, name
        self._angle = float(rng.uniform(0, np.pi))
        self._pitch = float(rng.uniform(0, 1))
        self._tone = float(rng.uniform(0, 1))
        self._edge = float(rng.uniform(0.3, 1))
        self._shift = rng.normal(0, 0.7, (3, 2))

    def lay(self, image: Field, mask: Field, colour: Colour, *, fine: bool = False) -> None:
        """Lay a shape of one colour onto `image` in place.

        Args:
            image: The face so far, (SIDE, SIDE, 3) BGR in 0..255.
            mask: The shape, (SIDE, SIDE) in 0..1.
            colour: Blue, green, red in 0..255.
            fine: The shape is lettering: its strokes must stay whole.
        """
        _WAYS[self.name](self, image, mask, colour, fine)
        np.clip(image, 0, 255, out=image)

    def _cut(self, fields: list[Field], zoom: float = 1.0) -> Field:
        return self._bank.cut(self._rng, fields, (SIDE, SIDE), zoom)

    def _wandering(self, mask: Field, reach_px: float, zoom: float = 1.0) -> Field:
        clouds = self._bank.clouds
        return wobbled(mask, self._cut(clouds, zoom), self._cut(clouds, zoom), reach_px)

    def _hatch(self, pitch_px: float, angle: float, wander: float = 0.0) -> Field:
        """Return a wave of parallel lines in -1..1."""
        across = np.cos(angle) * _XS + np.sin(angle) * _YS
        if wander:
            across = across + wander * self._cut(self._bank.clouds)
        return np.asarray(np.sin(across * (2 * np.pi / pitch_px)), np.float32)

    def _flat(self, image: Field, mask: Field, colour: Colour, fine: bool) -> None:
        blend(image, mask, colour)

    def _offset(self, image: Field, mask: Field, colour: Colour, fine: bool) -> None:
        for channel in range(3):
            dx, dy = self._shift[channel] * (0.6 if fine else 1)
            moved = cv2.warpAffine(mask, np.array([[1, 0, dx], [0, 1, dy]], np.float32), (SIDE, SIDE))
            share = moved * (0.94 + 0.04 * self._cut(self._bank.grain))
            image[..., channel] = image[..., channel] * (1 - share) + share * colour[channel]

    def _halftone(self, image: Field, mask: Field, colour: Colour, fine: bool) -> None:
        pitch = 3.2 + 4 * self._pitch
        screen = (self._hatch(pitch, self._angle) + self._hatch(pitch, self._angle + np.pi / 2)) / 4 + 0.5
        tone = 0.92 if fine else 0.6 + 0.3 * self._tone
        blend(image, mask * np.clip((tone - screen) * 5 + 0.5, 0, 1), colour)

    def _watercolour(self, image: Field, mask: Field, colour: Colour, fine: bool) -> None:
        shape = self._wandering(mask, 0.8 if fine else 2.2 * self._edge)
        pool = np.clip(shape - blurred(shape, 3), 0, 1)
        share = shape * np.clip((0.85 if fine else 0.68) + 0.13 * self._cut(self._bank.clouds) + pool, 0.3, 1)
        blend(image, share, np.asarray(colour, np.float32) * (1 - 0.45 * pool[..., None]))

    def _gouache(self, image: Field, mask: Field, colour: Colour, fine: bool) -> None:
        shape = self._wandering(mask, 0.6 if fine else 1.4 * self._edge)
        strokes = 1 + 0.1 * self._cut(self._bank.strokes, 1 + 2 * self._pitch)
        blend(image, shape, np.asarray(colour, np.float32) * strokes[..., None])

    def _crayon(self, image: Field, mask: Field, colour: Colour, fine: bool) -> None:
        shape = self._wandering(mask, 0.7 if fine else 1.8 * self._edge)
        tooth = self._cut(self._bank.grain) * 0.35 + 0.2 * self._cut(self._bank.strokes)
        blend(image, shape * np.clip((1.0 if fine else 0.55 + 0.3 * self._tone) + tooth, 0, 1), colour)

    def _pencil(self, image: Field, mask: Field, colour: Colour, fine: bool) -> None:
        shape = self._wandering(mask, 0.6)
        lines = self._hatch(2.5 + 2.5 * self._pitch, self._angle, 1.5) * 0.3
        lines += 0.2 * self._cut(self._bank.grain)
        blend(image, shape * np.clip((0.95 if fine else 0.62 + 0.2 * self._tone) + lines, 0, 1), colour)

    def _spray(self, image: Field, mask: Field, colour: Colour, fine: bool) -> None:
        soft = blurred(mask, 0.8 if fine else 1.5 + 3 * self._edge)
        speckle = np.clip(0.5 + (soft - 0.45) * 2.4 + 0.25 * self._cut(self._bank.grain), 0, 1)
        blend(image, np.clip(np.maximum(soft * 0.9, speckle * soft), 0, 1), colour)

    def _engraving(self, image: Field, mask: Field, colour: Colour, fine: bool) -> None:
        if fine:
            blend(image, mask, colour)
            return
        lines = self._hatch(2.8 + 3 * self._pitch, self._angle, 1.0)
        outline = cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
        inside = mask * np.clip((lines + 0.3 + 0.6 * self._tone) * 2, 0, 1)
        blend(image, np.maximum(inside, outline), colour)

    def _pixel(self, image: Field, mask: Field, colour: Colour, fine: bool) -> None:
        cells = int((44 if fine else 26) + 18 * self._pitch)
        small = cv2.resize(mask, (cells, cells), interpolation=cv2.INTER_AREA)
        coarse = cv2.resize((small > 0.45).astype(np.float32), (SIDE, SIDE), interpolation=cv2.INTER_NEAREST)
        blend(image, np.asarray(coarse, np.float32), colour)

    def _photo(self, image: Field, mask: Field, colour: Colour, fine: bool) -> None:
        tint = 1 + 0.16 * self._cut(self._bank.clouds) + 0.05 * self._cut(self._bank.grain)
        lit = 1 + 0.3 * self._edge * (
            np.cos(self._angle) * (_XS / SIDE - 0.5) + np.sin(self._angle) * (_YS / SIDE - 0.5)
        )
        blend(image, blurred(mask, 0.8), np.asarray(colour, np.float32) * (tint * lit)[..., None])

    def _relief(self, image: Field, mask: Field, colour: Colour, fine: bool) -> None:
        soft = blurred(mask, 1.0 + 1.2 * self._edge)
        slope = np.cos(self._angle) * cv2.Sobel(soft, cv2.CV_32F, 1, 0) + np.sin(self._angle) * cv2.Sobel(
            soft, cv2.CV_32F, 0, 1
        )
        cast = cv2.warpAffine(
            soft,
            np.array([[1, 0, 2 * np.cos(self._angle)], [0, 1, 2 * np.sin(self._angle)]], np.float32),
            (SIDE, SIDE),
        )
        image *= (1 - 0.35 * np.clip(cast - mask, 0, 1))[..., None]
        bevel = np.clip(1 + 0.4 * np.asarray(slope, np.float32), 0.5, 1.5)
        blend(image, mask, np.asarray(colour, np.float32) * bevel[..., None])

    def _mosaic(self, image: Field, mask: Field, colour: Colour, fine: bool) -> None:
        if fine:
            blend(image, mask, colour)
            return
        pitch = 5 + 5 * self._pitch
        cells = int(SIDE / pitch)
        small = cv2.resize(mask, (cells, cells), interpolation=cv2.INTER_AREA)
        laid = np.asarray(
            cv2.resize((small > 0.4).astype(np.float32), (SIDE, SIDE), interpolation=cv2.INTER_NEAREST),
            np.float32,
        )
        stones = self._rng.normal(1, 0.1, (cells, cells)).astype(np.float32)
        stones = np.asarray(cv2.resize(stones, (SIDE, SIDE), interpolation=cv2.INTER_NEAREST), np.float32)
        step = SIDE / cells
        joint = (((_XS % step) < 1.1) | ((_YS % step) < 1.1)).astype(np.float32)
        blend(image, laid * (1 - 0.8 * joint), np.asarray(colour, np.float32) * stones[..., None])

    def _collage(self, image: Field, mask: Field, colour: Colour, fine: bool) -> None:
        shape = self._wandering(mask, 0.6 if fine else 1.5 * self._edge, 0.6)
        if not fine:
            torn = np.roll(shape, (1, 2), (0, 1))
            image *= (1 - 0.3 * blurred(np.roll(shape, (2, 2), (0, 1)), 1.5))[..., None]
            blend(image, np.clip(torn, 0, 1), (235.0, 240.0, 242.0))
        fibre = 1 + 0.05 * self._cut(self._bank.grain)
        blend(image, shape, np.asarray(colour, np.float32) * fibre[..., None])

    def _chalk(self, image: Field, mask: Field, colour: Colour, fine: bool) -> None:
        shape = self._wandering(mask, 0.9)
        tooth = 0.3 * self._cut(self._bank.grain) + 0.15 * self._cut(self._bank.strokes)
        blend(image, np.clip(0.16 * blurred(mask, 4), 0, 1), colour)
        pale = np.asarray(colour, np.float32) * 0.9 + 22
        blend(image, shape * np.clip((0.9 if fine else 0.72) + tooth, 0, 1), pale)

    def _marker(self, image: Field, mask: Field, colour: Colour, fine: bool) -> None:
        shape = self._wandering(mask, 0.5 if fine else 1.6)
        if fine:
            blend(image, shape, colour)
            return
        laps = self._hatch(7 + 4 * self._pitch, self._angle, 1.2)
        gaps = np.clip((laps + 0.85 + 0.4 * self._tone) * 1.5, 0, 1)
        ragged = np.clip(shape + 0.35 * (blurred(mask, 2.5) > 0.3) * (laps > 0.2), 0, 1)
        blend(image, ragged * (0.25 + 0.62 * gaps), colour)

    def _woodcut(self, image: Field, mask: Field, colour: Colour, fine: bool) -> None:
        cut = np.clip((blurred(self._wandering(mask, 1.2, 0.5), 0.9) - 0.45) * 6, 0, 1)
        gouges = self._cut(self._bank.strokes, 0.6)
        if not fine:
            cut = cut * (gouges < 0.7)
        chips = (np.abs(self._cut(self._bank.strokes, 0.6)) > 2.3).astype(np.float32)
        blend(image, np.clip(np.maximum(cut, 0.8 * chips * (blurred(mask, 8) > 0.03)), 0, 1), colour)

    def _stencil(self, image: Field, mask: Field, colour: Colour, fine: bool) -> None:
        step = 15 + 12 * self._pitch
        if fine:  # thin strokes would vanish in the dust
            mask = np.asarray(cv2.dilate(mask, np.ones((2, 2), np.uint8)), np.float32)
        bridges = ((_XS + 5 * self._tone) % step < (1.6 if fine else 2.6)).astype(np.float32)
        soft = blurred(mask * (1 - bridges), 0.7)
        dust = (self._cut(self._bank.grain) > 1.9) * blurred(mask, 5)
        blend(
            image, np.clip(np.maximum(soft * (0.92 + 0.1 * self._cut(self._bank.grain)), dust), 0, 1), colour
        )

    def _embroidery(self, image: Field, mask: Field, colour: Colour, fine: bool) -> None:
        threads = self._hatch(2.2 + 1.2 * self._pitch, self._angle)
        ragged = wobbled(mask, threads, threads, 0.8)
        breaks = self._hatch(9 + 5 * self._tone, self._angle + 1.3)
        image *= (1 - 0.35 * blurred(np.roll(ragged, (1, 1), (0, 1)), 1))[..., None]
        sheen = 0.86 + 0.2 * threads + 0.08 * breaks
        blend(image, ragged, np.asarray(colour, np.float32) * sheen[..., None])

    def _neon(self, image: Field, mask: Field, colour: Colour, fine: bool) -> None:
        tube = mask
        if not fine or self._tone > 0.5:
            tube = np.asarray(
                cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)), np.float32
            )
        light = np.asarray(colour, np.float32)
        image += (0.75 * blurred(tube, 5) + 0.5 * blurred(tube, 2))[..., None] * light
        blend(image, np.clip(blurred(tube, 0.8) * 1.9, 0, 1), light)
        blend(image, np.clip(blurred(tube, 0.7) * 1.3 - 0.75, 0, 1) * 0.75, (255.0, 255.0, 255.0))


_WAYS: Mapping[str, Callable[[Technique, Field, Field, Colour, bool], None]] = {
    name: getattr(Technique, f"_{name}") for name in TECHNIQUES
}
