"""Things that lie about on a table: dice, pawns, phones, cards, coins, mugs, notes, tiles face down."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.other_hand.bodies import Face, Rgb, box, lit, mesh_layer, placed_box, turned
from tests.other_hand.camera import Array, Camera, paste
from tests.other_hand.lettering import draw_poster, draw_script
from tests.other_hand.sheet import Sheet, lighter, regular, rounded_box, star

Picture = NDArray[np.uint8]
Place = tuple[float, float]
_BRIGHT: tuple[Rgb, ...] = (
    (200, 40, 40),
    (30, 90, 170),
    (40, 130, 70),
    (230, 180, 40),
    (236, 232, 224),
    (40, 38, 42),
)


def round_mask(wide: int, high: int, radius: float) -> NDArray[np.uint8]:
    """Return a (high, wide) mask of a box with round corners; radius in pixels."""
    outline = rounded_box(0, 0, wide, high, radius) - 0.5
    mask = np.zeros((high, wide), np.uint8)
    cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return mask


def lay_patch(
    picture: Picture, camera: Camera, patch: Picture, corners: Array, z: float, radius: float = 0.0
) -> None:
    """Lay a flat patch on the corners (4, 2) at height z; radius in shares of its width."""
    quad = camera.project(np.column_stack([corners, np.full(4, z)]))
    side = float(np.hypot(*(quad[1] - quad[0])))
    scale = min(1.0, 1.3 * max(side, 4.0) / patch.shape[1])
    if scale < 1:
        patch = cv2.resize(patch, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    high, wide = patch.shape[:2]
    paste(picture, patch, quad, round_mask(wide, high, radius * wide))


def lay_faces(picture: Picture, camera: Camera, faces: list[Face]) -> None:
    """Paint a mesh over the picture."""
    layer = mesh_layer(camera, faces)
    if layer is not None:
        layer.lay_over(picture)


def _printed(sheet: Sheet) -> Picture:
    return np.ascontiguousarray(np.clip(sheet.pixels, 0, 255).astype(np.uint8)[..., ::-1])


@cache
def _card(number: int) -> Picture:
    """Return the face of a playing card, or for 0 its back: (560, 400, 3), BGR."""
    if number == 0:
        sheet = Sheet((240, 236, 230))
        sheet.paint(rounded_box(0.05, 0.05, 0.95, 0.95, 0.04), (150, 36, 44))
        for at in np.arange(0.0, 2.0, 0.06):
            sheet.line(np.array([(at - 1, 0.06), (at, 0.94)]), (226, 190, 180), 0.006, opacity=0.8)
            sheet.line(np.array([(at, 0.06), (at - 1, 0.94)]), (226, 190, 180), 0.006, opacity=0.8)
        sheet.line(rounded_box(0.025, 0.025, 0.975, 0.975, 0.05), (240, 236, 230), 0.05, closed=True)
    else:
        sheet = Sheet((246, 244, 238))
        red = number % 2 == 0
        ink: Rgb = (190, 30, 36) if red else (24, 22, 26)
        value = (2, 3, 4, 6, 7, 10)[number % 6]
        rows = {2: (1, 1), 3: (1, 1, 1), 4: (2, 2), 6: (2, 2, 2), 7: (2, 1, 2, 2), 10: (2, 2, 2, 2, 2)}[value]
        for row, number_in_row in enumerate(rows):
            for place in range(number_in_row):
                centre = (0.5 + (place - (number_in_row - 1) / 2) * 0.34, 0.2 + 0.6 * (row + 0.5) / len(rows))
                sheet.paint(
                    regular((0, 0), 1, 4) * (0.08, 0.07) + centre if red else star(centre, 0.08, 0.05, 4), ink
                )
        draw_poster(sheet, str(value), (0.12, 0.1), 0.11, ink, (246, 244, 238))
        turned_copy = sheet.pixels[::-1, ::-1].copy()
        sheet.pixels[-140:, -220:] = turned_copy[-140:, -220:]
    return cv2.resize(_printed(sheet), (400, 560), interpolation=cv2.INTER_AREA)


@cache
def tile_back() -> Picture:
    """Return the back of a tile: a pattern without figures."""
    sheet = Sheet((66, 54, 62))
    for row in range(9):
        for column in range(9):
            x, y = column / 8, row / 8
            sheet.line(regular((x, y), 0.085, 4), (150, 116, 84), 0.012, closed=True)
            sheet.disc((x + 0.0625, y + 0.0625), 0.016, (176, 74, 50))
    sheet.line(rounded_box(0.03, 0.03, 0.97, 0.97, 0.05), (196, 160, 110), 0.03, closed=True)
    return cv2.resize(_printed(sheet), (384, 384), interpolation=cv2.INTER_AREA)


@cache
def _note(number: int) -> Picture:
    """Return a sticky note with a number written on it by hand."""
    paper: Rgb = ((250, 230, 110), (250, 160, 176), (160, 214, 240), (180, 230, 150))[number % 4]
    sheet = Sheet(paper)
    sheet.paint(rounded_box(0, 0, 1, 1, 0.001), lighter(paper, -0.06), to=paper)
    text = ("20", "7", "100", "4", "36", "120", "60", "1")[number % 8]
    draw_script(sheet, text, (0.5, 0.42), 0.34, (40, 44, 90), paper)
    sheet.line(np.array([(0.2, 0.75), (0.55, 0.73), (0.8, 0.76)]), (40, 44, 90), 0.015)
    return cv2.resize(_printed(sheet), (384, 384), interpolation=cv2.INTER_AREA)


@cache
def paper_sheet(number: int) -> Picture:
    """Return a sheet of paper with lines of writing: (700, 500, 3), BGR."""
    rng = np.random.default_rng(40 + number)
    sheet = Sheet((244, 243, 238))
    for row in range(14):
        y, x = 0.1 + row * 0.06, 0.1
        while x < rng.uniform(0.5, 0.9):
            wide = rng.uniform(0.03, 0.12)
            xs = np.linspace(x, x + wide, 9)
            sheet.line(np.column_stack([xs, y + rng.uniform(-0.012, 0.012, 9)]), (60, 60, 84), 0.005)
            x += wide + 0.02
    return cv2.resize(_printed(sheet), (500, 700), interpolation=cv2.INTER_AREA)


def _seen_sides(
    faces: list[Face], middle: tuple[float, float, float], camera: Camera
) -> list[tuple[Array, ...]]:
    """Return (middle, way right, way down, way outwards) of each side of a box that the camera sees."""
    seen = []
    for corners, _ in faces:
        centre = corners.mean(axis=0)
        outwards = centre - np.array(middle)
        if outwards @ (camera.place - centre) > 0:
            seen.append((centre, corners[1] - corners[0], corners[3] - corners[0], outwards))
    return seen


def _die(picture: Picture, camera: Camera, at: Place, turn: float, rng: np.random.Generator) -> None:
    side = 0.38
    body = _BRIGHT[rng.integers(len(_BRIGHT))]
    dot: Rgb = (30, 28, 30) if sum(body) > 420 else (240, 238, 232)
    faces = box(at, turn, (side, side, side), body)
    marks = {
        1: ((0, 0),),
        2: ((-1, -1), (1, 1)),
        3: ((-1, -1), (0, 0), (1, 1)),
        5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    }
    signs: list[Face] = []
    for middle, right, down, outwards in _seen_sides(faces, (*at, side / 2), camera):
        for x, y in marks[int(rng.choice([1, 2, 3, 5]))]:
            spot = regular((0.27 * x, 0.27 * y), 0.1, 14)
            points = middle + spot[:, :1] * right + spot[:, 1:] * down + outwards * 0.02
            signs.append((points, lit(dot, outwards)))
    lay_faces(picture, camera, faces)
    lay_faces(picture, camera, signs)


def _pawn(picture: Picture, camera: Camera, at: Place, turn: float, rng: np.random.Generator) -> None:
    colour = _BRIGHT[rng.integers(len(_BRIGHT))]
    head = [(0.14 * np.sin(t), 0.66 - 0.14 * np.cos(t), colour) for t in np.linspace(0.5, np.pi, 9)]
    profile = [(0.24, 0, colour), (0.24, 0.06, colour), (0.17, 0.14, colour), (0.09, 0.4, colour), *head]
    lay_faces(picture, camera, turned(profile, at))


def _phone(picture: Picture, camera: Camera, at: Place, turn: float, rng: np.random.Generator) -> None:
    lay_faces(picture, camera, box(at, turn, (1.75, 3.6, 0.18), (34, 34, 38)))
    screen = np.full((720, 350, 3), 14, np.uint8)
    if rng.random() < 0.5:
        ramp = np.linspace(0, 1, 720, dtype=np.float32)[:, None, None]
        tints = rng.uniform(20, 170, (2, 3)).astype(np.float32)
        screen[14:-14, 12:-12] = ((1 - ramp) * tints[0] + ramp * tints[1]).astype(np.uint8)[14:-14]
        for row in range(5):
            for column in range(4):
                spot = (36 + column * 76, 250 + row * 84)
                tint = rng.uniform(60, 250, 3).tolist()
                cv2.rectangle(screen, spot, (spot[0] + 50, spot[1] + 50), tint, -1, cv2.LINE_AA)
    else:
        cv2.line(screen, (40, 700), (330, 180), (46, 44, 42), 90, cv2.LINE_AA)
    lay_patch(picture, camera, screen, placed_box(at, turn, 1.7, 3.55), 0.18, radius=0.12)


def _playing_card(picture: Picture, camera: Camera, at: Place, turn: float, rng: np.random.Generator) -> None:
    for number in range(int(rng.integers(1, 4))):
        place = (at[0] + 0.35 * number * np.cos(turn), at[1] + 0.35 * number * np.sin(turn))
        art = _card(int(rng.integers(0, 7)))
        lay_patch(
            picture,
            camera,
            art,
            placed_box(place, turn + 0.16 * number, 1.5, 2.1),
            0.01 + 0.008 * number,
            0.06,
        )


def _tiles_face_down(
    picture: Picture, camera: Camera, at: Place, turn: float, rng: np.random.Generator
) -> None:
    height = 0.06
    for number in range(int(rng.integers(1, 6))):
        shift = rng.uniform(-0.04, 0.04, 2)
        place, angle = (at[0] + shift[0], at[1] + shift[1]), turn + rng.uniform(-0.1, 0.1)
        lay_faces(picture, camera, box(place, angle, (1, 1, height), (176, 164, 146), floor=number * height))
        lay_patch(picture, camera, tile_back(), placed_box(place, angle, 1, 1), (number + 1) * height, 0.06)


def _coin(picture: Picture, camera: Camera, at: Place, turn: float, rng: np.random.Generator) -> None:
    for number in range(int(rng.integers(1, 4))):
        place = (at[0] + 0.55 * number * np.cos(turn), at[1] + 0.55 * number * np.sin(turn))
        metal: Rgb = ((190, 150, 80), (184, 184, 180), (168, 104, 70))[rng.integers(3)]
        radius = rng.uniform(0.22, 0.31)
        rim = [
            (radius, 0.0, metal),
            (radius, 0.05, metal),
            (radius * 0.92, 0.05, metal),
            (radius * 0.9, 0.04, lighter(metal, -0.1)),
        ]
        faces = turned(rim, place)
        portrait = regular((0, 0), radius * 0.45, 20) * (0.8, 1.0) + place
        faces.append((np.column_stack([portrait, np.full(20, 0.045)]), lighter(metal, 0.2)))
        lay_faces(picture, camera, faces)


def mug_faces(at: Place, turn: float, rng: np.random.Generator) -> list[Face]:
    """Return a mug with coffee or tea in it."""
    glaze = _BRIGHT[rng.integers(len(_BRIGHT))]
    drink: Rgb = ((52, 30, 20), (120, 62, 22), (236, 234, 228))[rng.integers(3)]
    radius, height = 0.95, 2.1
    faces = turned([(radius * 0.9, 0, glaze), (radius, 0.2, glaze), (radius, height, glaze)], at, 40)[:-1]
    angles = np.arange(40) * 2 * np.pi / 40
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    for r, z, colour in (
        (radius, height, lighter(glaze, 0.25)),
        (radius * 0.91, height, lighter(glaze, -0.35)),
        (radius * 0.8, height, drink),
    ):
        faces.append((np.column_stack([ring * r + at, np.full(40, z + 0.1 * (radius - r))]), colour))
    way = np.array([np.cos(turn), np.sin(turn)])
    side = np.array([-way[1], way[0]])
    loop = [
        (np.array(at) + way * (radius * 0.97 + 0.5 * np.sin(t)), 1.1 + 0.6 * np.cos(t))
        for t in np.linspace(0, np.pi, 12)
    ]
    for (p0, z0), (p1, z1) in pairwise(loop):
        corners = np.array(
            [
                (*(p0 - side * 0.13), z0),
                (*(p0 + side * 0.13), z0),
                (*(p1 + side * 0.13), z1),
                (*(p1 - side * 0.13), z1),
            ]
        )
        faces.append((corners, lit(glaze, np.array([way[0], way[1], z0 - 0.9]))))
    return faces


def _mug(picture: Picture, camera: Camera, at: Place, turn: float, rng: np.random.Generator) -> None:
    lay_faces(picture, camera, mug_faces(at, turn, rng))


def _sticky_note(picture: Picture, camera: Camera, at: Place, turn: float, rng: np.random.Generator) -> None:
    lay_patch(picture, camera, _note(int(rng.integers(0, 8))), placed_box(at, turn, 1.8, 1.8), 0.02)


def _colour_cube(picture: Picture, camera: Camera, at: Place, turn: float, rng: np.random.Generator) -> None:
    side = 1.35
    faces = box(at, turn, (side, side, side), (26, 26, 28))
    tints: tuple[Rgb, ...] = (
        (245, 245, 240),
        (200, 30, 36),
        (20, 80, 180),
        (0, 140, 70),
        (240, 200, 20),
        (240, 110, 20),
    )
    signs: list[Face] = []
    for middle, right, down, outwards in _seen_sides(faces, (*at, side / 2), camera):
        for x in (-1, 0, 1):
            for y in (-1, 0, 1):
                spot = rounded_box(-0.145, -0.145, 0.145, 0.145, 0.04) + np.array([x / 3.05, y / 3.05])
                points = middle + spot[:, :1] * right + spot[:, 1:] * down + outwards * 0.01
                signs.append((points, lit(tints[rng.integers(6)], outwards)))
    lay_faces(picture, camera, faces)
    lay_faces(picture, camera, signs)


def _score_sheet(picture: Picture, camera: Camera, at: Place, turn: float, rng: np.random.Generator) -> None:
    lay_patch(picture, camera, paper_sheet(int(rng.integers(0, 5))), placed_box(at, turn, 3.0, 4.2), 0.01)


Draw = Callable[[Picture, Camera, Place, float, np.random.Generator], None]
THINGS: dict[str, tuple[Draw, float, float]] = {
    "die": (_die, 0.3, 0.38), "pawn": (_pawn, 0.3, 0.8), "phone": (_phone, 2.0, 0.18),
    "cards": (_playing_card, 1.6, 0.02), "tiles face down": (_tiles_face_down, 0.8, 0.2),
    "coins": (_coin, 0.9, 0.05), "mug": (_mug, 1.5, 2.1), "note": (_sticky_note, 1.3, 0.02),
    "cube": (_colour_cube, 1.0, 1.35),
    "paper": (_score_sheet, 2.6, 0.01),
}  # fmt: skip
"""Name -> how to draw it, the radius that it needs on the table, its height."""
FOOTPRINTS: dict[str, tuple[float, float]] = {
    "phone": (1.75, 3.6), "cards": (1.5, 2.1), "tiles face down": (1.0, 1.0), "note": (1.8, 1.8),
    "cube": (1.35, 1.35), "paper": (3.0, 4.2), "die": (0.38, 0.38),
}  # fmt: skip
"""Width and depth of those that are boxes, for their shadow; the others are round."""
