"""The set `hard-to-read`: odd hues, crowded line work, small script numerals, and on some tiles pips.

Pips: a dot is 1, a lozenge 10, an eight-rayed star 100. So R120 is a star and two lozenges.
"""

from __future__ import annotations

import numpy as np

from referee.rules.tiles import Kind, Tile
from tests.other_hand.lettering import draw_script
from tests.other_hand.sheet import Colour, Sheet, lighter, mixed, regular, rounded_box, smooth, star, wobbly

HUES: dict[str, Colour] = {"Y": (186, 148, 40), "R": (156, 66, 44), "G": (22, 126, 116), "B": (88, 72, 172)}
_WEIGHTS = (1, 2, 4, 6, 7, 10, 20, 30, 40, 60, 100, 120, 200)
_BONE: Colour = (240, 232, 208)
_NIGHT: Colour = (30, 22, 40)
NUMERAL_HEIGHT = 0.155
"""In shares of the side; the nib adds a tenth."""
_CORNERS = {
    Kind.STRAW: (0.76, 0.19), Kind.WOOD: (0.25, 0.19), Kind.STONE: (0.73, 0.82),
    Kind.COAL: (0.24, 0.81), Kind.BLOWTORCH: (0.76, 0.81), Kind.MILLSTONE: (0.5, 0.5),
}  # fmt: skip
"""Middle of the weight's little plaque."""


def has_pips(tile: Tile) -> bool:
    """Whether the weight of a tile is given in pips: about a third, each weight in another colour."""
    return (
        _WEIGHTS.index(tile.weight) + "YRGBM".index(tile.code[0])
    ) % 3 == 0 and tile.kind is not Kind.MILLSTONE


def paint(tile: Tile, rng: np.random.Generator) -> Sheet:
    """Return the painted face of a tile."""
    hue: Colour = HUES.get(tile.code[0], (120, 112, 116))
    sheet = Sheet(hue)
    _ground(sheet, tile, hue, rng)
    _SUBJECTS[tile.kind](sheet, tile.weight, hue, rng)
    _border(sheet, hue, tile.kind is Kind.MILLSTONE)
    if has_pips(tile):
        _pips(sheet, tile, hue)
    else:
        _numeral(sheet, tile, hue)
    return sheet


def _ground(sheet: Sheet, tile: Tile, hue: Colour, rng: np.random.Generator) -> None:
    """Paint scrolls over scrolls, as on a carpet."""
    if tile.kind is Kind.MILLSTONE:
        for number, letter in enumerate("GYBR"):
            x, y = (number % 2) * 0.5, (number // 2) * 0.5
            sheet.paint(rounded_box(x, y, x + 0.5, y + 0.5, 0.001), HUES[letter], brush=0.09, brush_deg=50)
    else:
        whole = rounded_box(0, 0, 1, 1, 0.001)
        sheet.paint(
            whole, lighter(hue, 0.08), to=lighter(hue, -0.18), direction=(1, 0.4), brush=0.09, brush_deg=50
        )
    for number in range(44):
        x, y = rng.uniform(0, 1, 2)
        size, turn = rng.uniform(0.05, 0.12), rng.uniform(0, 2 * np.pi)
        angles = np.linspace(0, 3.6 * np.pi, 40) * (1 if number % 2 else -1)
        radii = size * np.linspace(1, 0.1, 40)
        scroll = np.stack([x + radii * np.cos(angles + turn), y + radii * np.sin(angles + turn)], axis=1)
        tint = lighter(hue, rng.choice([-0.36, -0.24, 0.26, 0.42]))
        sheet.line(scroll, tint, rng.uniform(0.008, 0.017), opacity=0.85)
        leaf = regular((0, 0), 1, 12) * (size * 0.5, size * 0.16)
        way = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        sheet.paint(leaf @ way + scroll[0], lighter(hue, -0.25), brush=0.1, opacity=0.7)


def _border(sheet: Sheet, hue: Colour, many: bool) -> None:
    """Paint a narrow border of beads."""
    dark = _NIGHT if many else lighter(hue, -0.55)
    sheet.line(rounded_box(0.02, 0.02, 0.98, 0.98, 0.02), dark, 0.04, closed=True)
    for number in range(16):
        at = 0.03 + number * 0.94 / 16
        for bead in ((at, 0.02), (0.98, at), (1 - at, 0.98), (0.02, 1 - at)):
            sheet.disc(bead, 0.009, (206, 186, 130))
    sheet.line(rounded_box(0.05, 0.05, 0.95, 0.95, 0.03), (206, 186, 130), 0.006, closed=True)


def _numeral(sheet: Sheet, tile: Tile, hue: Colour) -> None:
    """Paint the weight on its plaque."""
    text = str(tile.weight)
    x, y = _CORNERS[tile.kind]
    half = (0.105, 0.14, 0.185)[len(text) - 1]
    x = min(max(x, 0.07 + half), 0.93 - half)
    plaque = regular((0, 0), 1, 40) * (half, 0.125) + (x, y)
    sheet.paint(plaque, _BONE, to=mixed(_BONE, hue, 0.2), brush=0.05)
    sheet.line(plaque, lighter(hue, -0.5), 0.010, closed=True)
    draw_script(sheet, text, (x, y), NUMERAL_HEIGHT, _NIGHT, _BONE)


def _pips(sheet: Sheet, tile: Tile, hue: Colour) -> None:
    """Paint stars for hundreds, lozenges for tens and dots for ones, in rows of three or fewer."""
    weight = tile.weight
    signs = ["star"] * (weight // 100) + ["lozenge"] * (weight % 100 // 10) + ["dot"] * (weight % 10)
    columns = {1: 1, 2: 2, 3: 3, 4: 2}.get(len(signs), 3)
    rows = [signs[start : start + columns] for start in range(0, len(signs), columns)]
    step = 0.118
    x, y = _CORNERS[tile.kind]
    half_x, half_y = columns * step / 2 + 0.03, len(rows) * step / 2 + 0.03
    x = min(max(x, 0.07 + half_x), 0.93 - half_x)
    y = min(max(y, 0.07 + half_y), 0.93 - half_y)
    plaque = rounded_box(x - half_x, y - half_y, x + half_x, y + half_y, 0.04)
    sheet.paint(plaque, lighter(hue, -0.62), to=lighter(hue, -0.75), brush=0.05)
    sheet.line(plaque, (206, 186, 130), 0.009, closed=True)
    for number, row in enumerate(rows):
        for place, sign in enumerate(row):
            centre = (x + (place - (len(row) - 1) / 2) * step, y + (number - (len(rows) - 1) / 2) * step)
            if sign == "dot":
                sheet.disc(centre, 0.038, _BONE)
            elif sign == "lozenge":
                sheet.paint(regular((0, 0), 1, 4) * (0.046, 0.06) + centre, (250, 206, 96))
            else:
                sheet.paint(star(centre, 0.066, 0.028, 8), (255, 250, 240))


def _engraved(sheet: Sheet, outline: np.ndarray, hue: Colour, *, tone: float = 0.0) -> None:
    """Paint a body in a tint of the hue, hatched, with a light and a dark outline."""
    body = lighter(hue, 0.45 + tone)
    sheet.line(outline, lighter(hue, -0.7), 0.022, closed=True)
    sheet.paint(
        outline, lighter(body, 0.15), to=mixed(body, hue, 0.55), direction=(0.8, 1), brush=0.1, brush_deg=75
    )
    low, high = outline.min(axis=0), outline.max(axis=0)
    for at in np.arange(low[0] + low[1], high[0] + high[1], 0.035):
        chord = _chord(outline, at)
        if chord is not None:
            sheet.line(chord, lighter(hue, -0.45), 0.0045, opacity=0.55)


def _chord(outline: np.ndarray, at: float) -> np.ndarray | None:
    """Return the part of the slanted line x + y = `at` inside an outline, its lower half."""
    sums = outline.sum(axis=1) - at
    after = np.roll(sums, -1)
    crossing = np.flatnonzero((sums < 0) != (after < 0))
    if len(crossing) < 2:
        return None
    share = (sums[crossing] / (sums[crossing] - after[crossing]))[:, None]
    points = outline[crossing] + share * (np.roll(outline, -1, axis=0)[crossing] - outline[crossing])
    points = points[np.argsort(points[:, 1])]
    middle = (points[0] + points[-1]) / 2
    return np.array([middle, points[-1]])


def _straw(sheet: Sheet, weight: int, hue: Colour, rng: np.random.Generator) -> None:
    """Ears of grain, bent by the wind."""
    number = {2: 3, 4: 5, 6: 7}[weight]
    for lean in np.linspace(-1, 1, number):
        stalk = smooth(
            [(0.5 + lean * 0.12, 0.97), (0.45 + lean * 0.26, 0.6), (0.36 + lean * 0.3, 0.3 + abs(lean) * 0.1)]
        )
        sheet.line(stalk, lighter(hue, -0.6), 0.022)
        sheet.line(stalk, lighter(hue, 0.55), 0.011)
        for at in range(-1, -14, -2):
            for side in (-1, 1):
                grain = regular((0, 0), 1, 14) * (0.014, 0.034)
                turn = side * 0.5
                way = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
                _engraved(sheet, grain @ way + stalk[at] + (side * 0.02, 0.0), hue, tone=0.15)


def _wood(sheet: Sheet, weight: int, hue: Colour, rng: np.random.Generator) -> None:
    """Trees, one for each ten."""
    number = weight // 10
    for place in range(number):
        x = 0.5 + (place - (number - 1) / 2) * 0.21 + 0.04
        trunk = np.array([(x - 0.03, 0.93), (x - 0.018, 0.5), (x + 0.018, 0.5), (x + 0.03, 0.93)])
        _engraved(sheet, trunk, hue, tone=0.2)
        for level in range(4):
            y, half = 0.34 + level * 0.13, 0.07 + level * 0.022
            crown = smooth(
                [
                    (x, y - 0.1),
                    (x + half * 0.5, y),
                    (x + half, y + 0.07),
                    (x, y + 0.045),
                    (x - half, y + 0.07),
                    (x - half * 0.5, y),
                ],
                closed=True,
                steps=5,
            )
            _engraved(sheet, crown, hue, tone=-0.1)


def _stone(sheet: Sheet, weight: int, hue: Colour, rng: np.random.Generator) -> None:
    """Tumbled blocks; more of them the heavier."""
    places = [(0.3, 0.68), (0.56, 0.5), (0.28, 0.36), (0.62, 0.24), (0.46, 0.8), (0.8, 0.44), (0.44, 0.16)]
    for x, y in places[: {60: 3, 100: 5, 120: 7}[weight]]:
        lump = wobbly((x, y), 0.15, rng, rough=0.14, corners=7)
        _engraved(sheet, lump, hue, tone=0.1)
        inner = (lump - (x, y)) * 0.5 + (x - 0.02, y - 0.02)
        sheet.line(inner, lighter(hue, 0.8), 0.006, closed=True, opacity=0.7)


def _coal(sheet: Sheet, weight: int, hue: Colour, rng: np.random.Generator) -> None:
    """Black lumps under curling smoke."""
    for x in (0.42, 0.58, 0.7):
        smoke = smooth([(x, 0.55), (x + 0.08, 0.42), (x - 0.05, 0.3), (x + 0.06, 0.16), (x, 0.09)])
        sheet.line(smoke, lighter(hue, 0.7), 0.026, opacity=0.8)
    for x, y in ((0.44, 0.68), (0.62, 0.7), (0.8, 0.78), (0.55, 0.54), (0.7, 0.58)):
        lump = wobbly((x, y), 0.12, rng, rough=0.15, corners=8)
        sheet.paint(lump, (58, 50, 62), to=(16, 12, 22), brush=0.1)
        sheet.line(lump, (226, 120, 60), 0.008, closed=True)


def _blowtorch(sheet: Sheet, weight: int, hue: Colour, rng: np.random.Generator) -> None:
    """A dragon-headed lamp that spits fire."""
    for scale, colour in ((1.0, (214, 92, 40)), (0.68, (240, 170, 60)), (0.35, (255, 244, 206))):
        flame = smooth(
            [
                (0.42, 0.4),
                (0.3, 0.36),
                (0.22, 0.2),
                (0.14, 0.3),
                (0.1, 0.14),
                (0.24, 0.08),
                (0.34, 0.18),
                (0.46, 0.28),
            ],
            closed=True,
        )
        sheet.paint((flame - (0.43, 0.36)) * scale + (0.43, 0.36), colour, brush=0.08)
    neck = smooth(
        [(0.4, 0.34), (0.52, 0.24), (0.64, 0.34), (0.6, 0.52), (0.46, 0.56), (0.46, 0.44)],
        closed=True,
        steps=5,
    )
    _engraved(sheet, neck, hue)
    flask = smooth(
        [(0.32, 0.88), (0.26, 0.7), (0.4, 0.54), (0.6, 0.52), (0.68, 0.62), (0.56, 0.74), (0.58, 0.9)],
        closed=True,
        steps=5,
    )
    _engraved(sheet, flask, hue, tone=0.15)
    sheet.disc((0.53, 0.33), 0.022, _NIGHT)


def _millstone(sheet: Sheet, weight: int, hue: Colour, rng: np.random.Generator) -> None:
    """A wheel with spokes of stone."""
    _engraved(sheet, regular((0.5, 0.5), 0.32, 50), hue, tone=0.1)
    for number in range(16):
        angle = number * np.pi / 8
        spoke = np.array(
            [
                (0.2 * np.cos(angle), 0.2 * np.sin(angle)),
                (0.31 * np.cos(angle + 0.3), 0.31 * np.sin(angle + 0.3)),
            ]
        )
        sheet.line(spoke + 0.5, lighter(hue, -0.5), 0.016)
    sheet.line(regular((0.5, 0.5), 0.275, 40), lighter(hue, 0.6), 0.01, closed=True)


_SUBJECTS = {
    Kind.STRAW: _straw,
    Kind.WOOD: _wood,
    Kind.STONE: _stone,
    Kind.COAL: _coal,
    Kind.BLOWTORCH: _blowtorch,
    Kind.MILLSTONE: _millstone,
}
