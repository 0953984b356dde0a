"""A tile set as one artist draws it: ground, colour, pictures and number, each in the artist's way."""

from __future__ import annotations

import cv2
import numpy as np

from models.training.rendering.artists.artist import CARRIERS, Artist
from models.training.rendering.artists.beside import Beside
from models.training.rendering.artists.carriers import Carrier, in_four
from models.training.rendering.artists.grounds import DARK, Ground
from models.training.rendering.artists.lettering import Lettered, Lettering
from models.training.rendering.artists.palette import BLACK, WHITE, Palette, luminance, neutral
from models.training.rendering.artists.plaques import Plaque
from models.training.rendering.artists.strokes import Strokes
from models.training.rendering.artists.techniques import SIDE, Technique, blend, blurred
from models.training.rendering.faces import FACE_PX, Face, Numeral
from models.training.rendering.glyphs import Mask
from models.training.rendering.textures import Colour, Field, TextureBank

assert SIDE == FACE_PX
_BY_HAND = 0.5
"""So many of those who write by hand fill in their colours by hand, too."""
_ONE_PEN, _ONE_PEN_BY_HAND = 0.25, 0.7
"""So many sets have their numbers in one ink, on dark tiles as on pale ones."""
_PLAQUES = 0.35
"""So many sets put something behind their numbers, or beside them."""
_CLEAR = 60.0
"""A number's ink and what lies round it differ by at least this much in brightness, or it gets an outline."""
_FAINT, _MOST_FAINT = 28.0, 0.2
"""Some artists take less care: where the ink differs less than the first from what is under it, nobody can
read it, and no larger share of a number than the second is like that."""
_HALO_PX = 3
_REAL_INK = frozenset({"woodcut", "engraving"})
"""Techniques that print their numbers in black or white, whatever carries the colour."""


class DrawnSet:
    """A set by one artist, sampled once; `face` draws any of its tiles afresh."""

    def __init__(
        self, rng: np.random.Generator, bank: TextureBank, typefaces: list[list[Mask]], artist: Artist
    ) -> None:
        """Sample a set.

        Args:
            rng: The randomness.
            bank: Noise fields.
            typefaces: Digits as ink masks, to choose from.
            artist: How the set is drawn.
        """
        self._rng, self._artist = rng, artist
        has_area = any(CARRIERS[name] == "area" for name in artist.carriers)
        has_frame = bool({"frame", "edges"} & set(artist.carriers))
        self._ground = Ground(rng, bank, artist.ground)
        self._palette = Palette(rng, on_dark=artist.ground in DARK)
        self._technique = Technique(rng, bank, artist.technique)
        # Some artists print the number plainly, whatever they do with the colour.
        plain = artist.hand == "type" and rng.random() < 0.4
        self._pen = (
            Technique(rng, bank, "flat") if plain and "ink" not in artist.carriers else self._technique
        )
        by_hand = artist.hand != "type" and rng.random() < _BY_HAND
        strokes = Strokes.of(rng) if by_hand else None
        self._carriers = [Carrier(rng, bank, name, strokes) for name in artist.carriers if name != "ink"]
        self._pen_ink = self._one_ink(by_hand=by_hand)
        margin = rng.uniform(0.1, 0.16) if has_frame else rng.uniform(0.02, 0.1)
        self._lettering = Lettering(rng, typefaces[rng.integers(len(typefaces))], artist.hand, margin)
        self._beside = Beside(rng, has_area=has_area)
        self._outline = rng.random() < 0.15
        self._careful = rng.random() < 0.5
        self._own_ink = "ink" in artist.carriers or rng.random() < 0.1
        self._plaque = Plaque(rng) if rng.random() < _PLAQUES else None
        # What is behind the number would hide a mark that stands there.
        by_number = any(CARRIERS[name] in {"mark", "ring"} for name in artist.carriers)
        if by_number and self._plaque is not None and self._plaque.fills:
            self._plaque = None

    def _one_ink(self, *, by_hand: bool) -> Colour | None:
        """Return the ink of all numbers of who has one pen, whatever a tile's colour; else None."""
        if self._rng.random() >= (_ONE_PEN_BY_HAND if by_hand else _ONE_PEN):
            return None
        blue, green, red = self._ground.paint().mean(axis=(0, 1))
        return neutral(self._rng, luminance((float(blue), float(green), float(red))))

    def face(self, code: str) -> Face:
        """Return the face of one tile."""
        colour, weight = code[0], int(code[1:])
        image = self._ground.paint()
        numbers = self._lettering.place(weight)
        carriers = self._of_this_tile()
        wide = [each for each in carriers if CARRIERS[each.name] in {"area", "edge"}]
        self._lay(image, wide, colour, weight, numbers)
        self._beside.draw(image, weight, numbers)
        self._lay(image, [each for each in carriers if each not in wide], colour, weight, numbers)
        inked = self._own_ink and ("ink" in self._artist.carriers or colour != "M")
        if self._artist.mixed and "ink" in self._artist.carriers and carriers:
            inked = False
        for number in numbers:
            self._letter(image, number, colour, inked=inked, alone=not carriers)
        drawn = np.clip(image, 0, 255).astype(np.uint8)
        return Face(code, drawn, tuple(_numeral(number) for number in numbers))

    def _of_this_tile(self) -> list[Carrier]:
        """Return what carries the colour on one tile; none stands for the ink of its number."""
        if not self._artist.mixed:
            return self._carriers
        chosen = int(self._rng.integers(len(self._artist.carriers)))
        name = self._artist.carriers[chosen]
        return [each for each in self._carriers if each.name == name]

    def _lay(
        self, image: Field, carriers: list[Carrier], colour: str, weight: int, numbers: list[Lettered]
    ) -> None:
        for carrier in carriers:
            fine = carrier.name in {"line", "ring", "underline", "drawing", "dots"}
            for name, shape in carrier.parts(colour, weight, numbers):
                self._technique.lay(image, shape, self._palette.own(name), fine=fine)

    def _letter(self, image: Field, number: Lettered, colour: str, *, inked: bool, alone: bool) -> None:
        """Write one number onto `image` in place, so that anyone can read it."""
        mask = number.mask
        around = _mean(image, mask)
        if self._plaque is not None and not (inked and self._plaque.fills):
            own = neutral(self._rng, luminance(around)) if colour == "M" else self._palette.own(colour)
            around = self._plaque.lay(image, number, around, own)
        parts: list[tuple[Colour, Field]]
        if inked and colour == "M":
            ink = neutral(self._rng, luminance(around))
            four = [(self._palette.own(name), part) for name, part in in_four(self._rng, mask, banded=True)]
            # With four colours elsewhere on the face the number may be plain.
            parts = four if alone or self._rng.random() < 0.4 else [(ink, mask)]
        elif inked:
            parts = [(self._palette.own(colour), mask)]
        else:
            parts = [(self._pen_ink or neutral(self._rng, luminance(around)), mask)]
        uneven = _spread(image, mask) > 38
        for ink, part in parts:
            is_clear = (
                not uneven and abs(luminance(ink) - luminance(around)) >= _CLEAR
                if self._careful and self._pen_ink is None
                else _faint_share(image, part, ink) <= _MOST_FAINT
            )
            if self._outline or not is_clear:
                halo = np.asarray(
                    cv2.dilate(part, np.ones((_HALO_PX * 2 - 1, _HALO_PX * 2 - 1), np.uint8)), np.float32
                )
                blend(image, blurred(halo, 0.6), BLACK if luminance(ink) > 125 else WHITE)
        pen = self._technique if inked and self._artist.technique not in _REAL_INK else self._pen
        for ink, part in parts:
            pen.lay(image, part, ink, fine=True)


def _mean(image: Field, mask: Field) -> Colour:
    under = image[mask > 0.4]
    blue, green, red = under.mean(axis=0) if len(under) else (127.0, 127.0, 127.0)
    return float(blue), float(green), float(red)


def _spread(image: Field, mask: Field) -> float:
    under = _brightness(image, mask)
    return float(under.std()) if len(under) else 0.0


def _brightness(image: Field, mask: Field) -> Field:
    """Return how bright the face is under a shape, (n,) in 0..255."""
    return np.asarray(image[mask > 0.5] @ np.array([0.114, 0.587, 0.299], np.float32), np.float32)


def _faint_share(image: Field, mask: Field, ink: Colour) -> float:
    """Return the share of a shape under which the face is about as bright as the ink."""
    under = _brightness(image, mask)
    return float((np.abs(under - luminance(ink)) < _FAINT).mean()) if len(under) else 0.0


def _numeral(number: Lettered) -> Numeral:
    left, top, wide, high = number.box
    return Numeral(
        (left + wide / 2) / SIDE, (top + high / 2) / SIDE, wide / SIDE, high / SIDE, number.upright
    )
