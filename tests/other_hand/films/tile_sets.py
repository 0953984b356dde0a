"""The tile sets that lie in films: the product's own, the other hand's two, and home-made ones by number.

A home-made set has a ground, a pen, a way to show its colours and a corner for its weights of its own; there
are as many as there are numbers, and no network has seen any.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.rules.tiles import Kind, Tile
from tests.other_hand.faces import SET_NAMES, draw_face
from tests.other_hand.lettering import draw_poster, draw_script
from tests.other_hand.sheet import Colour, Sheet, lighter, mixed, regular, rounded_box, star, wobbly

FILM_FACE_PX = 192
OWN = "own"
"""The product's tiles, as `pyramid-referee tiles` prints them; its reader knows them."""
_HUES: dict[str, Colour] = {"Y": (232, 180, 34), "R": (204, 44, 42), "G": (42, 142, 66), "B": (38, 92, 186)}
_CARDS: tuple[Colour, ...] = ((242, 236, 220), (214, 190, 152), (206, 208, 204), (250, 250, 246))
_SLATES: tuple[Colour, ...] = ((34, 36, 40), (52, 40, 34), (24, 40, 48))


def is_known(set_name: str) -> bool:
    """Return whether the shipped reader was made for a set."""
    return set_name == OWN


def home_made(number: int) -> str:
    """Return the name of a home-made set."""
    return f"home-made-{number}"


@lru_cache(maxsize=512)
def film_face(set_name: str, code: str) -> NDArray[np.uint8]:
    """Return a face: (FILM_FACE_PX, FILM_FACE_PX, 3) uint8, BGR; callers do not change it."""
    if set_name == OWN:
        from ui.artwork.tile_face import face_image

        return np.asarray(face_image(code, FILM_FACE_PX))
    if set_name in SET_NAMES:
        return draw_face(set_name, code, FILM_FACE_PX)
    number = int(set_name.rpartition("-")[2])
    tile = Tile.from_code(code)
    printed = _paint(_style(number), tile).printed(
        np.random.default_rng([number, tile.index]), waver=0.002, grain=0.03
    )
    return cv2.resize(printed, (FILM_FACE_PX, FILM_FACE_PX), interpolation=cv2.INTER_AREA)


@lru_cache(maxsize=64)
def film_back(set_name: str) -> NDArray[np.uint8]:
    """Return the back of a set: (FILM_FACE_PX, FILM_FACE_PX, 3) uint8, BGR."""
    rng = np.random.default_rng([len(set_name), *set_name.encode()])
    ground: Colour = _CARDS[1] if set_name == OWN else (*rng.uniform(30, 220, 3),)  # type: ignore[assignment]
    if set_name not in (OWN, *SET_NAMES):
        ground = _style(int(set_name.rpartition("-")[2])).ground
    sheet = Sheet(ground)
    if rng.random() < 0.75:
        ink = lighter(ground, -0.45 if sum(ground) > 360 else 0.4)
        sheet.line(rounded_box(0.08, 0.08, 0.92, 0.92, 0.06), ink, 0.02, closed=True)
        for row in range(4):
            for column in range(4 - row):
                x, y = 0.5 + (column - (3 - row) / 2) * 0.16, 0.68 - row * 0.13
                sheet.line(rounded_box(x - 0.06, y - 0.05, x + 0.06, y + 0.05, 0.01), ink, 0.014, closed=True)
    printed = sheet.printed(rng, waver=0.002, grain=0.03)
    return cv2.resize(printed, (FILM_FACE_PX, FILM_FACE_PX), interpolation=cv2.INTER_AREA)


@dataclass(frozen=True, slots=True)
class _Style:
    """How a home-made set looks."""

    ground: Colour
    shows_colour: str
    """ground, band, corner, frame, ring or ink."""
    script: bool
    figures_at: tuple[float, float]
    height: float
    sign_at: tuple[float, float]
    sign: float
    """Radius of the picture of the material."""
    strong: bool
    """Whether the pen is broad."""


@lru_cache(maxsize=64)
def _style(number: int) -> _Style:
    rng = np.random.default_rng([71, number])
    shows = str(rng.choice(["ground", "ground", "band", "corner", "frame", "ring", "ink"]))
    grounds = _SLATES if rng.random() < 0.3 else _CARDS
    figures = ((0.5, 0.34), (0.5, 0.62), (0.34, 0.3), (0.5, 0.5))[rng.integers(4)]
    sign = ((0.5, 0.76), (0.5, 0.24), (0.74, 0.74), (0.8, 0.82))[(0.34, 0.62, 0.3, 0.5).index(figures[1])]
    return _Style(
        grounds[rng.integers(len(grounds))],
        shows,
        bool(rng.random() < 0.5),
        figures,
        rng.uniform(0.3, 0.42),
        sign,
        rng.uniform(0.1, 0.15),
        bool(rng.random() < 0.5),
    )


def _paint(style: _Style, tile: Tile) -> Sheet:
    letter = tile.code[0]
    hues = [_HUES[letter]] if letter in _HUES else [_HUES[each] for each in "YRBG"]
    ground = mixed(hues[0], (255, 255, 255), 0.12) if style.shows_colour == "ground" else style.ground
    sheet = Sheet(ground)
    _show_colour(sheet, style, hues)
    is_dark = sum(ground) < 330
    ink: Colour = (240, 236, 226) if is_dark else (26, 24, 28)
    if style.shows_colour == "ink" and len(hues) == 1:
        ink = lighter(hues[0], 0.15 if is_dark else -0.1)
    draw = draw_script if style.script else draw_poster
    text = str(tile.weight)
    height = style.height * (1.0, 0.9, 0.72)[len(text) - 1]
    draw(sheet, text, style.figures_at, height, ink, ink if style.strong else ground)
    if style.script and text in ("6", "60"):
        x, y = style.figures_at
        sheet.line(np.array([(x - 0.12, y + 0.26), (x + 0.12, y + 0.25)]), ink, 0.02)
    _SIGNS[tile.kind](sheet, style, ink)
    return sheet


def _show_colour(sheet: Sheet, style: _Style, hues: list[Colour]) -> None:
    """Paint the tile's colour, or all four one beside the other."""
    for number, hue in enumerate(hues):
        start, end = number / len(hues), (number + 1) / len(hues)
        match style.shows_colour:
            case "ground":
                sheet.paint(rounded_box(start, 0, end, 1, 0.001), hue, brush=0.05)
            case "band" | "ink":
                top = 0.86 if style.figures_at[1] < 0.5 else 0.02
                if style.shows_colour == "band" or len(hues) > 1:
                    sheet.paint(rounded_box(start, top, end, top + 0.12, 0.001), hue, brush=0.12)
            case "corner":
                far, near = 0.46 * (1 - start), 0.46 * (1 - end)
                corner = np.array([(1 - far, 0), (1 - near, 0), (1, near), (1, far)])
                sheet.paint(corner, hue, brush=0.1)
            case "frame":
                inset = 0.045 + 0.045 * number
                sheet.line(
                    rounded_box(inset, inset, 1 - inset, 1 - inset, 0.05), hue, 0.085 / len(hues), closed=True
                )
            case _:
                ring = regular(style.figures_at, 0.31 - 0.03 * number, 60)
                sheet.line(ring, hue, 0.06 / len(hues) ** 0.5, closed=True)


def _straw(sheet: Sheet, style: _Style, ink: Colour) -> None:
    x, y = style.sign_at
    for lean in (-0.6, -0.3, 0.0, 0.3, 0.6):
        sheet.line(np.array([(x, y + style.sign), (x + lean * style.sign, y - style.sign)]), ink, 0.016)
    sheet.line(np.array([(x - 0.05, y + 0.3 * style.sign), (x + 0.05, y + 0.3 * style.sign)]), ink, 0.02)


def _wood(sheet: Sheet, style: _Style, ink: Colour) -> None:
    x, y = style.sign_at
    for shift in (-0.9, 0.9, 0.0):
        at = (x + shift * style.sign * 0.6, y + (0.4 if shift else -0.5) * style.sign)
        sheet.line(regular(at, 0.45 * style.sign, 24), ink, 0.015, closed=True)
        sheet.disc(at, 0.12 * style.sign, ink)


def _stone(sheet: Sheet, style: _Style, ink: Colour) -> None:
    lump = wobbly(style.sign_at, style.sign, np.random.default_rng(3), rough=0.15)
    sheet.paint(lump, (150, 150, 154), to=(108, 108, 116))
    sheet.line(lump, ink, 0.016, closed=True)


def _coal(sheet: Sheet, style: _Style, ink: Colour) -> None:
    sheet.paint(wobbly(style.sign_at, 1.1 * style.sign, np.random.default_rng(4), rough=0.3), (20, 18, 20))
    sheet.paint(star(style.sign_at, 0.6 * style.sign, 0.3 * style.sign, 6), (238, 110, 30))


def _blowtorch(sheet: Sheet, style: _Style, ink: Colour) -> None:
    x, y = style.sign_at
    sheet.paint(rounded_box(x - style.sign, y, x + 0.2 * style.sign, y + 0.5 * style.sign, 0.02), ink)
    sheet.paint(
        star((x + 0.5 * style.sign, y - 0.2 * style.sign), 0.7 * style.sign, 0.3 * style.sign, 7),
        (238, 110, 30),
    )


def _millstone(sheet: Sheet, style: _Style, ink: Colour) -> None:
    for radius in (1.1, 0.35):
        sheet.line(regular(style.sign_at, radius * style.sign, 40), ink, 0.02, closed=True)


_SIGNS = {
    Kind.STRAW: _straw, Kind.WOOD: _wood, Kind.STONE: _stone, Kind.COAL: _coal, Kind.BLOWTORCH: _blowtorch,
    Kind.MILLSTONE: _millstone,
}  # fmt: skip
