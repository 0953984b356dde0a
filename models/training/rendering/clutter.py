"""What lies about and over a table: prints, cards, phones, dice, hands and things that cover tiles."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendering.faces import FACE_PX
from models.training.rendering.glyphs import Mask, numeral
from models.training.rendering.textures import Colour, TextureBank, any_colour, bgr
from vision.imaging.arrays import ImageU8


def print_art(rng: np.random.Generator, typefaces: list[list[Mask]], kind: str) -> ImageU8:
    """Return a printed sheet, box lid or playing card, (FACE_PX, FACE_PX, 3) uint8 BGR."""
    side = FACE_PX
    ground = (
        bgr(rng.uniform(0, 360), rng.uniform(0, 0.5), rng.uniform(0.7, 1))
        if kind != "box"
        else any_colour(rng)
    )
    art = np.full((side, side, 3), ground, np.uint8)
    ink = bgr(rng.uniform(0, 360), rng.uniform(0, 0.8), rng.uniform(0, 0.5))
    if kind == "paper":
        _write_lines(rng, art, ink)
    elif kind == "box":
        for _ in range(int(rng.integers(2, 14))):
            x, y = rng.integers(0, side, 2)
            cv2.rectangle(
                art,
                (int(x), int(y)),
                (int(x + rng.integers(8, 60)), int(y + rng.integers(8, 60))),
                any_colour(rng),
                int(rng.choice([-1, 2])),
            )
    elif kind == "phone":
        art[:] = bgr(rng.uniform(0, 360), rng.uniform(0, 0.3), rng.uniform(0.02, 0.2))
        lit = any_colour(rng, 0.6) if rng.random() < 0.5 else (18, 16, 15)
        cv2.rectangle(art, (8, 5), (side - 9, side - 6), lit, -1)
        for _ in range(int(rng.integers(0, 10))):
            x, y = rng.integers(12, side - 24, 2)
            cv2.rectangle(art, (int(x), int(y)), (int(x) + 16, int(y) + 8), any_colour(rng), -1)
    elif rng.random() < 0.35:
        for shift in range(-side, side, 9):
            cv2.line(art, (shift, 0), (shift + side, side), ink, 3)
    else:
        _print_card(rng, typefaces, art, ink)
    return art


def _write_lines(rng: np.random.Generator, art: ImageU8, ink: Colour) -> None:
    """Draw lines of print onto `art` in place."""
    for y in range(8, FACE_PX - 6, int(rng.integers(5, 14))):
        if rng.random() < 0.3:
            cv2.line(art, (6, y), (int(FACE_PX * rng.uniform(0.4, 0.95)), y), ink, 1)
        else:
            for x in range(8, int(FACE_PX * rng.uniform(0.5, 0.95)), 7):
                cv2.line(art, (x, y), (x + int(rng.integers(2, 6)), y), ink, int(rng.integers(1, 3)))


def _print_card(rng: np.random.Generator, typefaces: list[list[Mask]], art: ImageU8, ink: Colour) -> None:
    """Draw the front of a playing card onto `art` in place."""
    for _ in range(int(rng.integers(2, 9))):
        x, y = rng.integers(20, FACE_PX - 20, 2)
        cv2.circle(art, (int(x), int(y)), int(rng.integers(5, 11)), ink, -1, cv2.LINE_AA)
    if rng.random() < 0.7:
        # A playing card's index: it looks like a small tile's number.
        digits = typefaces[rng.integers(len(typefaces))]
        mask = numeral(digits, int(rng.integers(2, 11)), 4)
        index = cv2.resize(mask, (max(5, mask.shape[1] // 4), 16), interpolation=cv2.INTER_AREA)
        for turned in (art, art[::-1, ::-1]):
            box = turned[8:24, 7 : 7 + index.shape[1]]
            share = index[..., None].astype(np.float32) / 255
            box[:] = (box * (1 - share) + share * np.array(ink, np.float32)).astype(np.uint8)


def die_art(rng: np.random.Generator) -> ImageU8:
    """Return one face of a die, (FACE_PX, FACE_PX, 3) uint8 BGR."""
    side = FACE_PX
    art = np.full((side, side, 3), any_colour(rng) if rng.random() < 0.5 else (235, 240, 240), np.uint8)
    pip = (20, 20, 20) if art.mean() > 120 else (245, 245, 245)
    for x, y in [
        (0.25, 0.25),
        (0.75, 0.75),
        (0.5, 0.5),
        (0.25, 0.75),
        (0.75, 0.25),
        (0.25, 0.5),
        (0.75, 0.5),
    ][: int(rng.integers(1, 7))]:
        cv2.circle(art, (int(x * side), int(y * side)), 12, pip, -1, cv2.LINE_AA)
    return art


def cover(
    rng: np.random.Generator, bank: TextureBank, image: NDArray[np.float32], ids: NDArray[np.int16]
) -> None:
    """Reach a hand and sleeve, or a thing, over part of the table; what it hides is erased from `ids`."""
    if rng.random() > 0.3:
        return
    if rng.random() < 0.72:
        reach_over(rng, bank, image, ids)
    else:
        put_over(rng, bank, image, ids)


def reach_over(
    rng: np.random.Generator, bank: TextureBank, image: NDArray[np.float32], ids: NDArray[np.int16]
) -> None:
    """Reach an arm with a hand over part of the table; what it hides is erased from `ids`."""
    mask = np.zeros(ids.shape, np.uint8)
    _reach(rng, mask)
    colour = bgr(rng.uniform(8, 28), rng.uniform(0.2, 0.7), rng.uniform(0.2, 0.98))
    _lay_over(rng, bank, image, ids, mask, colour)


def put_over(
    rng: np.random.Generator, bank: TextureBank, image: NDArray[np.float32], ids: NDArray[np.int16]
) -> None:
    """Put a sheet, a mug or a stick over part of the table; what it hides is erased from `ids`."""
    mask = np.zeros(ids.shape, np.uint8)
    _put_thing(rng, mask)
    colour = any_colour(rng) if rng.random() < 0.6 else (235, 238, 240)
    _lay_over(rng, bank, image, ids, mask, colour)


def _lay_over(
    rng: np.random.Generator,
    bank: TextureBank,
    image: NDArray[np.float32],
    ids: NDArray[np.int16],
    mask: ImageU8,
    colour: Colour,
) -> None:
    """Paint what lies over the table, with its shadow, onto `image` in place and erase it from `ids`."""
    high, wide = ids.shape
    soft = cv2.GaussianBlur(mask, (0, 0), 1.2).astype(np.float32)[..., None] / 255
    shaded = np.array(colour, np.float32) * (1 + 0.15 * bank.cut(rng, bank.clouds, (wide, high)))[..., None]
    shadow = cv2.GaussianBlur(mask, (0, 0), 12).astype(np.float32)[..., None] / 255
    image *= 1 - 0.35 * shadow
    image *= 1 - soft
    image += soft * shaded
    ids[mask > 0] = -1


def hold(
    rng: np.random.Generator,
    bank: TextureBank,
    image: NDArray[np.float32],
    ids: NDArray[np.int16],
    quad: NDArray[np.float32],
) -> None:
    """Hold a tile in a hand: fingers reach over an edge of it; what they hide is erased from `ids`."""
    high, wide = ids.shape
    mask = np.zeros((high, wide), np.uint8)
    middle, side = quad.mean(axis=0), float(np.sqrt(abs(cv2.contourArea(quad))))
    edge = int(rng.integers(4))
    start, stop = quad[edge], quad[(edge + 1) % 4]
    outwards = (start + stop) / 2 - middle
    outwards = outwards / max(1e-6, float(np.hypot(*outwards)))
    thick = max(4, int(side * rng.uniform(0.12, 0.24)))
    for at in np.linspace(0.1, 0.9, int(rng.integers(1, 5))) + rng.normal(0, 0.04):
        base = start + at * (stop - start) + outwards * side * 1.2 + rng.normal(0, 0.1, 2) * side
        tip = start + at * (stop - start) - outwards * side * rng.uniform(0.0, 0.16)
        cv2.line(mask, tuple(int(v) for v in base), tuple(int(v) for v in tip), 255, thick)
    palm = middle + outwards * side * 1.6
    cv2.circle(mask, (int(palm[0]), int(palm[1])), int(side * rng.uniform(0.5, 0.8)), 255, -1)
    colour = bgr(rng.uniform(8, 28), rng.uniform(0.2, 0.7), rng.uniform(0.2, 0.98))
    _lay_over(rng, bank, image, ids, mask, colour)


def _reach(rng: np.random.Generator, mask: ImageU8) -> None:
    """Draw an arm with a hand that reaches in from a side of the picture."""
    high, wide = mask.shape
    start = [
        (rng.uniform(0, wide), -20),
        (wide + 20, rng.uniform(0, high)),
        (rng.uniform(0, wide), high + 20),
        (-20, rng.uniform(0, high)),
    ][rng.integers(4)]
    reach = rng.uniform(0.2, 0.8)
    tip = (
        np.array(start) * (1 - reach)
        + np.array([wide * rng.uniform(0.2, 0.8), high * rng.uniform(0.2, 0.8)]) * reach
    )
    thick = int(rng.uniform(18, 90))
    cv2.line(mask, tuple(int(v) for v in start), tuple(int(v) for v in tip), 255, thick)
    for _ in range(5):
        angle = np.arctan2(tip[1] - start[1], tip[0] - start[0]) + rng.normal(0, 0.6)
        finger = tip + rng.uniform(0.7, 1.6) * thick * np.array([np.cos(angle), np.sin(angle)])
        cv2.line(mask, tuple(int(v) for v in tip), tuple(int(v) for v in finger), 255, max(6, thick // 3))


def _put_thing(rng: np.random.Generator, mask: ImageU8) -> None:
    """Draw a sheet, a mug or a stick that lies over something."""
    high, wide = mask.shape
    middle = (float(rng.uniform(0.1, 0.9) * wide), float(rng.uniform(0.1, 0.9) * high))
    size = rng.uniform(0.08, 0.4, 2) * high
    kind = rng.integers(3)
    if kind == 0:
        cv2.ellipse(mask, (middle, (float(size[0]), float(size[0])), 0.0), 255, -1)
    else:
        narrow = 0.2 if kind == 1 else 1.0
        box = (middle, (float(size[0]) * 1.5, float(size[1]) * narrow), float(rng.uniform(0, 180)))
        cv2.fillPoly(mask, [cv2.boxPoints(box).astype(np.int32)], 255)
