"""Printed squares that are no tiles: boards and chequered cloths that lie under the pyramid or beside it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendering.pictures import SYMBOLS, draw_symbol
from models.training.rendering.textures import any_colour

_CELL_PX = 40
_DECOYS = 5
_FITTING = 0.35
"""The share of boards with squares as large as tiles, into which they are laid."""
_FIGURES = (22, 18)
"""So many figures across and down are printed on a cloth."""
_FARTHEST_PX = 6000
"""What reaches farther beyond the picture is not printed: the horizon may lie there."""
Points = NDArray[np.float32]


def print_board(
    rng: np.random.Generator, image: NDArray[np.float32], homography: Points, xy: NDArray[np.float64]
) -> list[Points]:
    """Print a board onto the table in place; return the corners of some squares that no tile lies on.

    Args:
        rng: The randomness.
        image: The table, (height, width, 3) BGR in 0..255.
        homography: From the table's plane, in tile sides, to pixels.
        xy: The middles of the tiles that will lie on it, (n, 2).
    """
    columns, rows = (int(count) for count in rng.integers(3, 13, 2))
    return _print(image, homography, _board(rng, columns, rows), _laid(rng, columns, rows, xy), xy, rng)


def print_figures(
    rng: np.random.Generator, image: NDArray[np.float32], homography: Points, xy: NDArray[np.float64]
) -> list[Points]:
    """Print figures onto the cloth in place, again and again; as `print_board` for the rest."""
    columns, rows = _FIGURES
    middle = (xy.max(axis=0) + xy.min(axis=0)) / 2
    place = rng.uniform(0.7, 2.2), middle + rng.uniform(-1, 1, 2), float(rng.uniform(0, np.pi))
    return _print(image, homography, _figures(rng, columns, rows), place, xy, rng)


def _print(
    image: NDArray[np.float32],
    homography: Points,
    printed: tuple[NDArray[np.float32], NDArray[np.float32]],
    place: tuple[float, NDArray[np.float64], float],
    xy: NDArray[np.float64],
    rng: np.random.Generator,
) -> list[Points]:
    """Lay a print of squares, and how much it hides, onto the table in place; return some free squares.

    `place` is the side of a square and the print's middle, in tile sides, and its turn in radians.
    """
    art, edges = printed
    rows, columns = (side // _CELL_PX for side in edges.shape)
    cell, middle, angle = place
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    def on_table(points: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray((points - [columns / 2, rows / 2]) * cell @ turn.T + middle, np.float64)

    corners = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], float)
    quad = _project(homography, on_table(corners))
    if np.abs(quad).max() > _FARTHEST_PX:
        return []
    high, wide = image.shape[:2]
    to_picture = cv2.getPerspectiveTransform((corners * _CELL_PX - 0.5).astype(np.float32), quad)
    laid = cv2.warpPerspective(art, to_picture, (wide, high), flags=cv2.INTER_AREA)
    share = cv2.warpPerspective(edges, to_picture, (wide, high))[..., None]
    image *= 1 - share
    image += share * laid
    free: list[Points] = []
    for index in rng.permutation(columns * rows):
        corner = np.array([index % columns, index // columns], float)
        square = on_table(corner + np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float))
        if np.hypot(*(xy - square.mean(axis=0)).T).min() > 0.4 + cell / 2:
            free.append(_project(homography, square))
        if len(free) == _DECOYS:
            break
    return free


def _laid(
    rng: np.random.Generator, columns: int, rows: int, xy: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64], float]:
    """Return the side of a board's squares and its middle, in tile sides, and its turn in radians."""
    middle = (xy.max(axis=0) + xy.min(axis=0)) / 2 + rng.normal(0, 2, 2)
    if rng.random() < _FITTING:
        # A board that is made for these tiles: its squares lie where tiles lie.
        half = np.array([columns, rows]) / 2
        return rng.uniform(1.0, 1.04), np.round(middle + half) - half + 0.5, 0.0
    return rng.uniform(0.6, 1.5), middle, float(rng.choice([0.0, rng.normal(0, 0.05), rng.uniform(0, np.pi)]))


def _project(homography: Points, points: NDArray[np.float64]) -> Points:
    mapped = cv2.perspectiveTransform(points.reshape(-1, 1, 2), np.asarray(homography, np.float64))
    return np.asarray(mapped.reshape(-1, 2), np.float32)


def _board(
    rng: np.random.Generator, columns: int, rows: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return a board's print, (height, width, 3) BGR, and how much of the table it hides, (height, width)."""
    size = (rows * _CELL_PX, columns * _CELL_PX)
    art = np.empty((*size, 3), np.float32)
    share = np.full(size, rng.uniform(0.7, 1), np.float32)
    first, second, line = (np.array(any_colour(rng), np.float32) for _ in range(3))
    art[:] = first
    kind = rng.integers(4)
    for row in range(rows):
        for column in range(columns):
            part = (
                slice(row * _CELL_PX, (row + 1) * _CELL_PX),
                slice(column * _CELL_PX, (column + 1) * _CELL_PX),
            )
            if (kind == 0 and (row + column) % 2) or (kind == 1 and rng.random() < 0.3):
                art[part] = second
            elif kind == 2:
                art[part] = any_colour(rng)
    if kind != 3 and rng.random() < 0.4:
        _print_marks(rng, art, columns, rows)
    if kind == 3 or rng.random() < 0.6:
        if kind == 3:  # lines alone, on the table itself
            share[:] = 0
        thick = int(rng.integers(1, 6))
        for at in range(0, size[0] + 1, _CELL_PX):
            cv2.line(art, (0, at), (size[1], at), line.tolist(), thick)
            cv2.line(share, (0, at), (size[1], at), 1.0, thick)
        for at in range(0, size[1] + 1, _CELL_PX):
            cv2.line(art, (at, 0), (at, size[0]), line.tolist(), thick)
            cv2.line(share, (at, 0), (at, size[0]), 1.0, thick)
    return art, share


def _print_marks(rng: np.random.Generator, art: NDArray[np.float32], columns: int, rows: int) -> None:
    """Print a mark into some squares of a board in place: those that count more."""
    kinds = [(str(rng.choice(SYMBOLS)), any_colour(rng)) for _ in range(3)]
    share, reach = rng.uniform(0.1, 0.6), rng.uniform(0.2, 0.42) * _CELL_PX
    for index in range(columns * rows):
        if rng.random() < share:
            middle = (index % columns + 0.5) * _CELL_PX, (index // columns + 0.5) * _CELL_PX
            kind, ink = kinds[rng.integers(len(kinds))]
            draw_symbol(art, kind, middle, reach, ink, None)


def _figures(
    rng: np.random.Generator, columns: int, rows: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return figures in rows, (height, width, 3) BGR, and how much cloth they hide, (height, width)."""
    size = (rows * _CELL_PX, columns * _CELL_PX)
    art, share = np.zeros((*size, 3), np.float32), np.zeros(size, np.float32)
    kinds = [(str(rng.choice(SYMBOLS)), any_colour(rng)) for _ in range(int(rng.integers(1, 4)))]
    reach, strong = rng.uniform(0.2, 0.45) * _CELL_PX, float(rng.uniform(0.5, 1))
    hollow = rng.uniform(0.5, 0.85) if rng.random() < 0.5 else 0.0
    dot = rng.uniform(0.1, 0.35) if rng.random() < 0.5 else 0.0
    in_bricks = rng.random() < 0.5
    for row in range(rows):
        for column in range(columns):
            x = (column + 0.5 + (0.5 if in_bricks and row % 2 else 0)) * _CELL_PX
            middle = x, (row + 0.5) * _CELL_PX
            kind, ink = kinds[(row + column) % len(kinds)]
            draw_symbol(art, kind, middle, reach, ink, None)
            for size_px, hides in ((reach, strong), (hollow * reach, 0.0), (dot * reach, strong)):
                if size_px:
                    draw_symbol(share, kind, middle, size_px, (hides, 0, 0), None)
    return art, share
