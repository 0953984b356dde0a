"""The set `another-hand`: painted little scenes in a coloured frame, the weight on a cream banner."""

from __future__ import annotations

import numpy as np

from referee.rules.tiles import Kind, Tile
from tests.other_hand.lettering import draw_poster
from tests.other_hand.sheet import Colour, Sheet, lighter, mixed, regular, rounded_box, smooth, wobbly

HUES: dict[str, Colour] = {"Y": (238, 182, 40), "R": (198, 50, 46), "G": (66, 140, 70), "B": (46, 100, 178)}
_QUARTERS = "YRBG"
"""The millstone's colours, clockwise from the top left."""
_CREAM: Colour = (247, 238, 214)
_INK: Colour = (44, 30, 30)
_STRAW: Colour = (226, 182, 88)
_BARK: Colour = (124, 82, 50)
_WOOD: Colour = (214, 168, 110)
_ROCK: Colour = (150, 150, 156)


def paint(tile: Tile, rng: np.random.Generator) -> Sheet:
    """Return the painted face of a tile."""
    sheet = Sheet(_CREAM)
    _frame(sheet, tile.code[0])
    _scenery(sheet, tile, rng)
    _SCENES[tile.kind](sheet, tile.weight, rng)
    _banner(sheet, tile)
    return sheet


def _frame(sheet: Sheet, letter: str) -> None:
    whole = rounded_box(0, 0, 1, 1, 0.0005)
    if letter == "M":
        middle = np.array([0.5, 0.5])
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
        for number, quarter in enumerate(_QUARTERS):
            corner = corners[number]
            beside = [np.array([0.5, corner[1]]), np.array([corner[0], 0.5])]
            sheet.paint(
                np.array([middle, beside[0], corner, beside[1]]), HUES[quarter], brush=0.06, brush_deg=10
            )
    else:
        hue = HUES[letter]
        sheet.paint(whole, lighter(hue, 0.04), to=lighter(hue, -0.16), brush=0.06, brush_deg=10)
    sheet.line(rounded_box(0.05, 0.05, 0.95, 0.95, 0.07), (250, 232, 178), 0.012, closed=True)


def _scenery(sheet: Sheet, tile: Tile, rng: np.random.Generator) -> None:
    """Paint sky and ground in the tile's hue, darker for the two fires."""
    hue: Colour = HUES.get(tile.code[0], _ROCK)
    if tile.kind is Kind.MILLSTONE:
        return
    window = rounded_box(0.085, 0.085, 0.915, 0.915, 0.05)
    if tile.kind in (Kind.COAL, Kind.BLOWTORCH):
        sheet.paint(window, mixed(hue, _INK, 0.25), to=mixed(hue, _INK, 0.62), brush=0.1, brush_deg=40)
        sheet.disc((0.5, 0.42), 0.3, lighter(hue, 0.35), brush=0.12)
        sheet.disc((0.5, 0.42), 0.2, lighter(hue, 0.6), brush=0.1)
        return
    sheet.paint(window, lighter(hue, 0.68), to=lighter(hue, 0.38), brush=0.05, brush_deg=5)
    for layer, (height, share) in enumerate(((0.4, 0.12), (0.52, -0.06), (0.64, -0.22))):
        xs = np.linspace(0.085, 0.915, 8)
        tops = height + rng.uniform(-0.05, 0.05, 8)
        ridge = smooth(list(zip(xs, tops, strict=True)))
        hill = np.concatenate([ridge, [[0.915, 0.9], [0.87, 0.915], [0.13, 0.915], [0.085, 0.9]]])
        sheet.paint(
            hill,
            lighter(hue, share + 0.1),
            to=lighter(hue, share - 0.1),
            brush=0.08,
            brush_deg=15 * layer + 20,
        )


def _banner(sheet: Sheet, tile: Tile) -> None:
    """Paint the weight on a ribbon across the lower part."""
    text = str(tile.weight)
    half = (0.2, 0.27, 0.36)[len(text) - 1]
    top, bottom, sag = 0.575, 0.885, 0.022
    hue: Colour = HUES.get(tile.code[0], (110, 100, 118))
    for side in (-1, 1):
        tail = np.array(
            [(0.5 + side * x, y) for x, y in ((half - 0.05, 0.66), (half + 0.085, 0.65), (half + 0.05, 0.77),
                                              (half + 0.085, 0.9), (half - 0.05, 0.91))]
        )  # fmt: skip
        sheet.paint(tail, lighter(hue, -0.25), brush=0.05)
        sheet.line(tail, _INK, 0.008, closed=True, opacity=0.8)
    upper = smooth([(0.5 - half, top), (0.5, top + sag), (0.5 + half, top)])
    lower = smooth([(0.5 + half, bottom), (0.5, bottom + sag), (0.5 - half, bottom)])
    ribbon = np.concatenate([upper, lower])
    sheet.paint(ribbon + np.array([0.012, 0.018]), (20, 16, 24), opacity=0.35)
    sheet.paint(ribbon, _CREAM, to=(232, 214, 178), brush=0.025, brush_deg=5)
    sheet.line(ribbon, _INK, 0.009, closed=True, opacity=0.9)
    draw_poster(sheet, text, (0.5, (top + bottom) / 2 + sag * 0.7), 0.25, _INK, lighter(hue, -0.1))


def _straw(sheet: Sheet, weight: int, rng: np.random.Generator) -> None:
    """One, two or three sheaves of wheat."""
    places = {2: (0.5,), 4: (0.33, 0.67), 6: (0.26, 0.5, 0.74)}[weight]
    for x in places:
        _sheaf(sheet, x, 0.2 if len(places) == 1 else 0.15, rng)


def _sheaf(sheet: Sheet, x: float, spread: float, rng: np.random.Generator) -> None:
    tie, foot = 0.46, 0.68
    skirt = np.array([(x - spread * 0.75, foot), (x - 0.05, tie), (x + 0.05, tie), (x + spread * 0.75, foot)])
    sheet.paint(skirt, lighter(_STRAW, -0.2), brush=0.1, brush_deg=85)
    for lean in np.linspace(-1, 1, 13):
        top = np.array([x + lean * spread, 0.2 + 0.08 * lean * lean + rng.uniform(-0.02, 0.02)])
        stalk = smooth(
            [(x + lean * spread * 0.7, foot), (x + lean * 0.035, tie), (float(top[0]), float(top[1]))]
        )
        shade = rng.uniform(-0.25, 0.25)
        sheet.line(stalk, lighter(_STRAW, -0.5), 0.016, opacity=0.6)
        sheet.line(stalk, lighter(_STRAW, shade), 0.010)
        along = np.array([lean * spread, -0.26])
        along /= np.hypot(*along)
        across = np.array([-along[1], along[0]])
        for k in range(4):
            for side in (-1, 1):
                kernel = top + along * 0.022 * k + across * side * 0.011
                tip = kernel + along * 0.03 + across * side * 0.008
                sheet.line(np.array([kernel, tip]), lighter(_STRAW, 0.25 + shade * 0.4), 0.013)
    sheet.shape(rounded_box(x - 0.06, tie - 0.025, x + 0.06, tie + 0.03, 0.02), (156, 74, 52), ink=_INK)


def _wood(sheet: Sheet, weight: int, rng: np.random.Generator) -> None:
    """One to four logs, seen from their sawn ends."""
    number = weight // 10
    places: tuple[tuple[float, float], ...] = (
        ((0.5, 0.40),),
        ((0.34, 0.41), (0.66, 0.41)),
        ((0.34, 0.47), (0.66, 0.47), (0.5, 0.25)),
        ((0.31, 0.49), (0.69, 0.49), (0.5, 0.38), (0.5, 0.19)),
    )[number - 1]
    radius = (0.2, 0.155, 0.14, 0.115)[number - 1]
    if number == 4:
        places = ((0.36, 0.47), (0.64, 0.47), (0.36, 0.24), (0.64, 0.24))
    for x, y in places:
        away = np.array([0.09, -0.055])
        body = np.concatenate(
            [regular((x, y), radius, 40)[5:26], (regular((x, y), radius * 0.96, 40) + away)[25:41],
             (regular((x, y), radius * 0.96, 40) + away)[0:6]]
        )  # fmt: skip
        sheet.shape(body, _BARK, ink=_INK)
        end = regular((x, y), radius, 40)
        sheet.shape(end, _WOOD, ink=_INK, ink_width=0.012, shade=0.18)
        for share in (0.8, 0.62, 0.44, 0.28, 0.12):
            ring = wobbly((x, y), radius * share, rng, rough=0.05, corners=14)
            sheet.line(
                smooth([tuple(p) for p in ring], closed=True),
                lighter(_BARK, 0.1),
                0.006,
                closed=True,
                opacity=0.75,
            )
        crack = np.array(
            [(x, y), (x + radius * 0.5, y + radius * 0.3), (x + radius * 0.9, y + radius * 0.35)]
        )
        sheet.line(crack, _BARK, 0.008)


def _stone(sheet: Sheet, weight: int, rng: np.random.Generator) -> None:
    """A boulder, a dry wall, or a standing arch."""
    if weight == 60:
        outline = smooth(
            [(0.2, 0.62), (0.23, 0.4), (0.38, 0.22), (0.56, 0.2), (0.72, 0.32), (0.82, 0.52), (0.78, 0.66),
             (0.5, 0.7)], closed=True, steps=4,
        )  # fmt: skip
        sheet.shape(outline, _ROCK, ink=_INK, ink_width=0.011, shade=0.5)
        for points in (((0.38, 0.24), (0.46, 0.4), (0.4, 0.6)), ((0.46, 0.4), (0.66, 0.44), (0.78, 0.52))):
            sheet.line(np.array(points), lighter(_ROCK, -0.5), 0.01, opacity=0.8)
        sheet.paint(
            np.array([(0.4, 0.26), (0.55, 0.23), (0.68, 0.34), (0.64, 0.42), (0.48, 0.38)]),
            lighter(_ROCK, 0.5),
            brush=0.08,
            opacity=0.6,
        )
    elif weight == 100:
        for row in range(4):
            y = 0.19 + row * 0.12
            x = 0.16 - (row % 2) * 0.06
            while x < 0.82:
                wide = rng.uniform(0.15, 0.24)
                box = rounded_box(max(x, 0.14), y, min(x + wide, 0.86) - 0.008, y + 0.112, 0.018)
                if min(x + wide, 0.86) - max(x, 0.14) > 0.06:
                    sheet.shape(box, lighter(_ROCK, rng.uniform(-0.15, 0.2)), ink=_INK, ink_width=0.008)
                x += wide
    else:
        for number in range(7):
            start, end = np.pi + number * np.pi / 7, np.pi + (number + 1) * np.pi / 7
            angles = np.linspace(start, end, 6)
            ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
            block = np.concatenate([ring * 0.33, ring[::-1] * 0.18]) + np.array([0.5, 0.47])
            sheet.shape(block, lighter(_ROCK, rng.uniform(-0.12, 0.2)), ink=_INK, ink_width=0.009)
        for x in (0.17, 0.68):
            for y in (0.475, 0.585):
                sheet.shape(
                    rounded_box(x, y, x + 0.15, y + 0.108, 0.012),
                    lighter(_ROCK, rng.uniform(-0.1, 0.15)),
                    ink=_INK,
                )


def _coal(sheet: Sheet, weight: int, rng: np.random.Generator) -> None:
    """A heap of glowing coal."""
    for x, y, radius in (
        (0.32, 0.5, 0.13),
        (0.68, 0.5, 0.13),
        (0.5, 0.53, 0.14),
        (0.41, 0.36, 0.13),
        (0.6, 0.37, 0.12),
        (0.5, 0.24, 0.1),
    ):
        lump = wobbly((x, y), radius, rng, rough=0.16, corners=7)
        sheet.shape(lump, (52, 48, 56), ink=(12, 8, 12), ink_width=0.01, shade=0.4)
        middle = np.array([x, y])
        for corner in lump[::2]:
            sheet.line(np.array([middle, middle + (corner - middle) * 0.85]), (250, 110, 36), 0.012)
            sheet.line(np.array([middle, middle + (corner - middle) * 0.6]), (255, 214, 120), 0.005)


def _blowtorch(sheet: Sheet, weight: int, rng: np.random.Generator) -> None:
    """A brass blowtorch with its flame."""
    brass: Colour = (206, 156, 70)
    for scale, colour in ((1.0, (238, 96, 32)), (0.72, (252, 172, 50)), (0.42, (255, 240, 190))):
        flame = smooth(
            [
                (0.55, 0.3),
                (0.62, 0.22),
                (0.72, 0.2),
                (0.86, 0.13),
                (0.8, 0.26),
                (0.88, 0.32),
                (0.74, 0.36),
                (0.62, 0.38),
            ],
            closed=True,
        )
        sheet.paint((flame - (0.55, 0.31)) * scale + (0.55, 0.31), colour, brush=0.06)
    sheet.shape(
        np.array([(0.36, 0.26), (0.56, 0.25), (0.56, 0.37), (0.36, 0.36)]), lighter(brass, -0.25), ink=_INK
    )
    sheet.shape(rounded_box(0.3, 0.3, 0.42, 0.44, 0.02), lighter(brass, -0.1), ink=_INK)
    tank = smooth([(0.2, 0.64), (0.2, 0.48), (0.3, 0.41), (0.42, 0.41), (0.52, 0.48), (0.52, 0.64)])
    sheet.shape(tank, brass, ink=_INK, ink_width=0.011, shade=0.5)
    sheet.line(smooth([(0.26, 0.6), (0.26, 0.5), (0.33, 0.45)]), (255, 236, 180), 0.014, opacity=0.8)
    sheet.line(smooth([(0.2, 0.58), (0.13, 0.5), (0.16, 0.38), (0.3, 0.35)]), (80, 44, 30), 0.026)


def _millstone(sheet: Sheet, weight: int, rng: np.random.Generator) -> None:
    """A millstone with its furrows over the four colours."""
    middle = (0.5, 0.4)
    sheet.shape(regular(middle, 0.275, 60), _ROCK, ink=_INK, ink_width=0.012, shade=0.4)
    for number in range(10):
        angle = number * np.pi / 5
        way, side = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        for reach, shift in ((0.08, 0.0), (0.15, 0.045)):
            furrow = np.array([way * reach + side * shift, way * 0.25 + side * shift * 1.3]) + middle
            sheet.line(furrow, lighter(_ROCK, -0.5), 0.011)
    sheet.disc(middle, 0.06, (40, 34, 42))
    sheet.line(regular(middle, 0.06, 30), lighter(_ROCK, 0.5), 0.008, closed=True)


_SCENES = {
    Kind.STRAW: _straw,
    Kind.WOOD: _wood,
    Kind.STONE: _stone,
    Kind.COAL: _coal,
    Kind.BLOWTORCH: _blowtorch,
    Kind.MILLSTONE: _millstone,
}
