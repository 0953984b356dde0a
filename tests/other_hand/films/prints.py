"""Printed matter that lies beside a game from its first picture on, and looks like tiles."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.rules.tiles import ALL_TILES
from tests.other_hand.bodies import placed_box
from tests.other_hand.films.tile_sets import film_face
from tests.other_hand.lettering import draw_poster, draw_script
from tests.other_hand.sheet import Colour, Sheet, lighter

Paper = NDArray[np.uint8]
_PX = 160
"""Pixels of a printed square's side."""
_GAP = 0.7
"""In sides: so far printed matter lies from every place in which a tile lies at any time."""
_INKS: tuple[Colour, ...] = ((196, 44, 40), (36, 96, 176), (48, 140, 74), (232, 176, 36), (60, 58, 64))
_PAPERS: tuple[Colour, ...] = ((246, 242, 232), (232, 214, 176), (250, 230, 110), (250, 170, 186))
_LETTERS = "AEIRSTLNOBDG"
_NUMBERS = ("1", "2", "3", "4", "6", "7", "10", "20", "30", "36", "40", "60", "100", "120")


@dataclass(frozen=True, slots=True)
class Print:
    """A piece of paper or card."""

    paper: Paper
    """(H, W, 3), BGR."""
    at: tuple[float, float]
    """Its middle, in sides of a tile."""
    turn: float
    """In radians."""
    wide: float
    """In sides."""

    @property
    def corners(self) -> NDArray[np.float64]:
        """(4, 2) on the table, top left first, clockwise."""
        high = self.wide * self.paper.shape[0] / self.paper.shape[1]
        return placed_box(self.at, self.turn, self.wide, high)


def lay_prints(kind: str, spots: NDArray[np.float64], set_name: str, rng: np.random.Generator) -> list[Print]:
    """Return printed matter beside a game.

    Args:
        kind: One of `PRINTS`, or "" for none.
        spots: (N, 2) corners of all places where something of the game lies.
        set_name: The tiles that a rulebook shows.
        rng: Draws what it looks like, and where it lies.
    """
    if not kind:
        return []
    pieces = PRINTS[kind](set_name, rng)
    turn = float(rng.choice([0, 0, 0.5, 1, 1.5]) * np.pi + rng.normal(0, 0.2))
    c, s = np.cos(turn), np.sin(turn)
    spin, way = np.array([[c, s], [-s, c]]), float(rng.uniform(0, 2 * np.pi))
    middle = (spots.min(axis=0) + spots.max(axis=0)) / 2
    for away in np.arange(1.0, 40.0, 0.1):
        start = middle + away * np.array([np.cos(way), np.sin(way)])
        laid = [
            Print(each.paper, _place(start + np.array(each.at) @ spin), turn + each.turn, each.wide)
            for each in pieces
        ]
        hull = cv2.convexHull(np.concatenate([each.corners for each in laid]).astype(np.float32))
        apart = [-cv2.pointPolygonTest(hull, spot.tolist(), measureDist=True) for spot in spots]
        if min(apart) > _GAP:
            return laid
    return []


def _place(at: NDArray[np.float64]) -> tuple[float, float]:
    return float(at[0]), float(at[1])


def _rulebook(set_name: str, rng: np.random.Generator) -> list[Print]:
    """Return a page with a picture of a pyramid, in the game's own tiles."""
    side, rows = _PX // 2, int(rng.integers(2, 5))
    page = np.full((9 * side, 7 * side, 3), (236, 240, 243), np.uint8)
    for line in [*range(8, 24), *range(76, 88)]:
        if line % 2:
            end = int((0.5 if line % 7 == 0 else rng.uniform(0.85, 0.93)) * page.shape[1])
            cv2.line(page, (side // 2, line * side // 10), (end, line * side // 10), (90, 88, 86), 3)
    page[int(2.6 * side) : int(7.4 * side), side // 2 : -side // 2] = rng.uniform(40, 220, 3)
    codes = iter(rng.permutation([tile.code for tile in ALL_TILES]).tolist())
    for row in range(rows):
        for slot in range(5 - row):
            face = cv2.resize(film_face(set_name, next(codes)), (side, side), interpolation=cv2.INTER_AREA)
            left, top = int((0.85 + 1.06 * slot + 0.53 * row) * side), int((6.2 - 1.06 * row) * side)
            page[top : top + side, left : left + side] = face
    return [Print(page, (0.0, 0.0), 0.0, 7 * rng.uniform(0.4, 0.9))]


def _numbers(_set_name: str, rng: np.random.Generator) -> list[Print]:
    """Return coloured squares with numbers that lie in a row."""
    draw = (draw_poster, draw_script)[rng.integers(2)]
    papers = []
    for text in rng.choice(_NUMBERS, int(rng.integers(3, 7)), replace=False).tolist():
        ground = _INKS[rng.integers(len(_INKS))]
        sheet = Sheet(ground)
        draw(sheet, text, (0.5, 0.5), 0.42, (250, 248, 240), lighter(ground, -0.5))
        papers.append(sheet.printed(rng, waver=0.002, grain=0.02))
    return _row(papers, rng)


def _notes(_set_name: str, rng: np.random.Generator) -> list[Print]:
    """Return paper squares on which somebody wrote numbers."""
    papers = []
    for text in rng.choice(_NUMBERS, int(rng.integers(2, 5)), replace=False).tolist():
        ground = _PAPERS[rng.integers(len(_PAPERS))]
        sheet = Sheet(ground)
        draw_script(sheet, text, (0.5, 0.45), 0.36, (40, 44, 90), ground)
        papers.append(sheet.printed(rng, waver=0.004, grain=0.02))
    return _row(papers, rng)


def _letters(_set_name: str, rng: np.random.Generator) -> list[Print]:
    """Return the tiles of a word game."""
    ground, font = rng.uniform((170, 195, 215), (225, 240, 250)), int(rng.choice([0, 2, 3]))
    papers = []
    for letter in rng.choice(list(_LETTERS), int(rng.integers(4, 8)), replace=False).tolist():
        paper = np.full((_PX, _PX, 3), ground, np.uint8)
        size = cv2.getTextSize(letter, font, 3.2, 9)[0]
        at = (_PX - size[0]) // 2, (_PX + size[1]) // 2
        cv2.putText(paper, letter, at, font, 3.2, (40, 36, 36), 9, cv2.LINE_AA)
        small = str(int(rng.integers(1, 9)))
        cv2.putText(paper, small, (_PX - 36, _PX - 12), font, 1.0, (40, 36, 36), 3, cv2.LINE_AA)
        papers.append(paper)
    return _row(papers, rng)


def _row(papers: list[Paper], rng: np.random.Generator) -> list[Print]:
    """Return squares side by side, laid by hand."""
    wide, gap = rng.uniform(0.6, 1.1), rng.uniform(0.0, 0.15)
    return [
        Print(
            paper,
            ((place - (len(papers) - 1) / 2) * (wide + gap), float(rng.normal(0, 0.03))),
            float(rng.normal(0, 0.03)),
            wide,
        )
        for place, paper in enumerate(papers)
    ]


PRINTS = {"rulebook": _rulebook, "numbers": _numbers, "notes": _notes, "letters": _letters}
"""What may lie there, by name."""
