"""Tables as a webcam or phone sees them: a pyramid of invented tiles, clutter, light, lens and sensor."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.faces import FACE_PX, Face, TileSet, tile_back
from models.training.textures import Image, TextureBank, any_colour, bgr, table_top
from referee.tiles import CODES

Points = NDArray[np.float32]

_UNIT_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


@dataclass(frozen=True, slots=True)
class LaidTile:
    """A face-up tile in a rendered picture: corners top-left first, clockwise as printed, in pixels."""

    face: Face
    quad_px: Points
    visible: float
    in_pyramid: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A rendered picture, `image` (height, width, 3) uint8 BGR, and what lies on it."""

    image: Image
    tiles: tuple[LaidTile, ...]
    decoys_px: tuple[Points, ...]


def _camera(
    rng: np.random.Generator,
    size_wh: tuple[int, int],
    tile_px: float,
    centre: NDArray[np.float64],
    yaw_deg: float,
) -> Points:
    """Return the homography from the table plane (in tile sides, y down) to pixels, (3, 3) float64."""
    wide, high = size_wh
    focal = wide / 2 / np.tan(np.radians(rng.uniform(45, 78)) / 2)
    distance = focal / tile_px
    tilt = np.radians(min(48.0, abs(rng.normal(0, 20))))
    yaw, roll = np.radians(yaw_deg), np.radians(rng.normal(0, 3))
    turn = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    rolled = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    pose = rolled @ lean @ turn
    shift = np.array([0, 0, distance])
    plane = np.stack([pose[:, 0], pose[:, 1], shift - pose[:, :2] @ centre], 1)
    aim = (wide / 2 + rng.normal(0, 0.06) * wide, high / 2 + rng.normal(0, 0.06) * high)
    return np.array([[focal, 0, aim[0]], [0, focal, aim[1]], [0, 0, 1]]) @ plane


def _project(homography: Points, points: NDArray[np.float64]) -> Points:
    return (
        cv2.perspectiveTransform(np.asarray(points, np.float64).reshape(-1, 1, 2), homography)
        .reshape(-1, 2)
        .astype(np.float32)
    )


def _square(x: float, y: float, side: float, turn_deg: float) -> NDArray[np.float64]:
    angle = np.radians(turn_deg)
    corners = (_UNIT_SQUARE - 0.5) * side
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return corners @ turn.T + [x, y]


class TablePainter:
    """Paints tables; holds the texture bank and the typefaces between pictures."""

    def __init__(self, rng: np.random.Generator, typefaces: list[list[NDArray[np.uint8]]]) -> None:
        """Prepare with `rng`; every picture drawn later continues its sequence."""
        self._rng = rng
        self._bank = TextureBank(rng)
        self._typefaces = typefaces
        rounded = np.zeros((FACE_PX, FACE_PX), np.uint8)
        self._shapes = []
        for radius in (0, 4, 8, 14):
            mask = rounded.copy()
            cv2.rectangle(mask, (radius, radius), (FACE_PX - 1 - radius, FACE_PX - 1 - radius), 255, -1)
            if radius:
                mask = cv2.dilate(
                    mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
                )
            self._shapes.append(mask)

    def _positions(self) -> list[tuple[float, float, float]]:
        """Return a pyramid's tile centres and turns: x, y in tile sides (y down), degrees."""
        rng = self._rng
        base = int(rng.integers(1, 10))
        gap = abs(rng.normal(0, 0.04))
        wobble, twist = rng.uniform(0, 0.035), rng.uniform(0, 3)
        if rng.random() < 0.15:
            wobble, twist = 0.07, 7
        filled: set[tuple[int, int]] = {(0, slot) for slot in range(base) if rng.random() < 0.92}
        keep = rng.uniform(0.4, 1.0)
        for row in range(1, base):
            for slot in range(base - row):
                supports = ((row - 1, slot) in filled) + ((row - 1, slot + 1) in filled)
                if (supports == 2 and rng.random() < keep) or (supports == 1 and rng.random() < 0.12):
                    filled.add((row, slot))
        if not filled:
            filled = {(0, 0)}
        laid = []
        for row, slot in filled:
            turn = rng.normal(0, twist) + (rng.choice([90, 180, 270]) if rng.random() < 0.02 else 0)
            laid.append(
                (
                    (slot + row / 2) * (1 + gap) + rng.normal(0, wobble),
                    -row * (1 + gap * rng.uniform(0.7, 1.3)) + rng.normal(0, wobble),
                    turn,
                )
            )
        return laid

    def table(self, size_wh: tuple[int, int], *, tile_px: float | None = None) -> Table:
        """Return a new picture of `size_wh`; tiles are about `tile_px` wide, or of a random size."""
        rng = self._rng
        wide, high = size_wh
        tiles_set = TileSet(rng, self._bank, self._typefaces)
        positions = self._positions()
        xy = np.array([place[:2] for place in positions])
        extent = xy.max(axis=0) - xy.min(axis=0) + 1.3
        roomy = min(wide / extent[0], high / extent[1]) * 0.95
        if tile_px is None:
            tile_px = float(np.exp(rng.uniform(np.log(30), np.log(110))))
        tile_px = max(24.0, min(tile_px, roomy * (1.15 if rng.random() < 0.1 else 1)))
        yaw = rng.uniform(-180, 180) if rng.random() < 0.4 else rng.normal(0, 14)
        middle = (xy.max(axis=0) + xy.min(axis=0)) / 2 + rng.normal(0, 0.06, 2) * [
            wide / tile_px,
            high / tile_px,
        ]
        homography = _camera(rng, size_wh, tile_px, middle, yaw)
        image = table_top(rng, self._bank, size_wh).astype(np.float32)
        decoys: list[Points] = []
        self._scatter(image, homography, xy, decoys)
        codes = [CODES[index] for index in rng.permutation(len(CODES))[: len(positions) + 6]]
        shape = self._shapes[rng.integers(len(self._shapes))]
        light = rng.uniform(0, 2 * np.pi)
        gloss = rng.random() < 0.35
        laid: list[tuple[Face, Points, bool]] = []
        positions_aside = self._aside(xy) if rng.random() < 0.25 else []
        everything = [(place, True) for place in positions] + [(place, False) for place in positions_aside]
        ids = np.full((high, wide), -1, np.int16)
        for index, ((x, y, turn), in_pyramid) in enumerate(everything):
            face = tiles_set.face(codes[index % len(codes)])
            quad = _project(homography, _square(x, y, 0.985, turn))
            if self._lay(image, face.image, shape, quad, light, ids, index):
                laid.append((face, quad, in_pyramid))
            else:
                laid.append((face, quad, False))
        areas = np.array([max(1.0, abs(cv2.contourArea(quad))) for _, quad, _ in laid])
        self._cover(image, ids)
        self._light(image, gloss, [quad for _, quad, _ in laid])
        image = self._sense(image)
        counts = (
            np.bincount(ids[ids >= 0].ravel(), minlength=len(laid))
            if (ids >= 0).any()
            else np.zeros(len(laid))
        )
        tiles = tuple(
            LaidTile(face, quad, float(min(1.0, counts[index] / areas[index])), in_pyramid)
            for index, (face, quad, in_pyramid) in enumerate(laid)
        )
        return Table(image, tiles, tuple(decoys))

    def _aside(self, xy: NDArray[np.float64]) -> list[tuple[float, float, float]]:
        """Return places of a hand of face-up tiles beside the pyramid, often fanned so that they overlap."""
        rng = self._rng
        count, step, turn = (
            int(rng.integers(1, 6)),
            rng.uniform(0.35, 1.1),
            rng.normal(0, 25) + rng.choice([0, 0, 90, 180]),
        )
        x = (
            xy[:, 0].max() + rng.uniform(1.7, 4)
            if rng.random() < 0.5
            else xy[:, 0].min() - rng.uniform(1.7, 4) - count * step
        )
        y = rng.uniform(xy[:, 1].min() - 2, xy[:, 1].max() + 2)
        return [
            (
                x + index * step,
                y + index * step * np.tan(np.radians(rng.normal(0, 6))),
                turn + rng.normal(0, 4),
            )
            for index in range(count)
        ]

    def _lay(
        self,
        image: NDArray[np.float32],
        face: Image,
        shape: Image,
        quad: Points,
        light: float,
        ids: NDArray[np.int16],
        index: int,
    ) -> bool:
        """Lay one face onto `image` with its shadow; return False where it lies off the picture."""
        high, wide = image.shape[:2]
        size = float(np.sqrt(abs(cv2.contourArea(quad)))) + 1
        margin = int(size * 0.15) + 3
        x0, y0 = np.floor(quad.min(axis=0)).astype(int) - margin
        x1, y1 = np.ceil(quad.max(axis=0)).astype(int) + margin
        x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, wide), min(y1, high)
        if x1 - x0 < 4 or y1 - y0 < 4 or size > 600:
            return False
        rng = self._rng
        box = (x1 - x0, y1 - y0)
        source = _UNIT_SQUARE * FACE_PX - 0.5
        to_box = cv2.getPerspectiveTransform(source.astype(np.float32), (quad - [x0, y0]).astype(np.float32))
        flags = cv2.INTER_AREA if size < FACE_PX * 0.7 else cv2.INTER_LINEAR
        art = face
        shrink = FACE_PX / size
        if shrink > 1.6:
            art = cv2.GaussianBlur(face, (0, 0), 0.35 * shrink)
        colour = cv2.warpPerspective(
            art,
            to_box,
            box,
            flags=cv2.INTER_LINEAR if flags == cv2.INTER_AREA else flags,
            borderMode=cv2.BORDER_REPLICATE,
        )
        alpha = (
            cv2.warpPerspective(shape, to_box, box, flags=cv2.INTER_LINEAR).astype(np.float32)[..., None]
            / 255
        )
        view = image[y0:y1, x0:x1]
        reach = size * 0.03
        shade = cv2.GaussianBlur(alpha[..., 0], (0, 0), 0.8 + size * 0.03)
        shift = np.float32([[1, 0, reach * np.cos(light)], [0, 1, reach * np.sin(light)]])
        shade = cv2.warpAffine(shade, shift, box)
        view *= 1 - 0.4 * shade[..., None]
        view *= 1 - alpha
        view += alpha * colour * (1 + rng.normal(0, 0.03))
        ids[y0:y1, x0:x1][alpha[..., 0] > 0.5] = index
        return True

    def _scatter(
        self, image: NDArray[np.float32], homography: Points, xy: NDArray[np.float64], decoys: list[Points]
    ) -> None:
        """Put what is no tile of the pyramid on the table: backs, paper, dice, cards, cups, pencils."""
        rng = self._rng
        low, top = xy.min(axis=0) - 1.2, xy.max(axis=0) + 1.2
        for _ in range(int(rng.integers(0, 9))):
            x, y = rng.uniform(low[0] - 5, top[0] + 5), rng.uniform(low[1] - 4, top[1] + 4)
            if low[0] - 0.5 < x < top[0] + 0.5 and low[1] - 0.5 < y < top[1] + 0.5 and rng.random() < 0.85:
                continue
            kind = rng.choice(
                ["back", "paper", "die", "card", "cup", "coin", "pencil", "box", "square"],
                p=[0.26, 0.12, 0.14, 0.1, 0.1, 0.06, 0.07, 0.08, 0.07],
            )
            turn = rng.uniform(0, 360)
            if kind in {"back", "square"}:
                art = tile_back(rng, self._bank)
                if kind == "square":
                    art = np.full((FACE_PX, FACE_PX, 3), any_colour(rng), np.uint8)
                for layer in range(int(rng.choice([1, 1, 1, 3, 6]))):
                    quad = _project(
                        homography, _square(x + 0.03 * layer, y - 0.02 * layer, 1, turn + rng.normal(0, 6))
                    )
                    self._paste(image, art, quad)
                decoys.append(quad)
            elif kind in {"paper", "box", "card"}:
                art = self._print(kind)
                size = {"paper": rng.uniform(1.2, 5), "box": rng.uniform(3, 6), "card": 1.5}[str(kind)]
                corners = (
                    _square(0, 0, size, 0) * ([1, rng.uniform(0.7, 1.4)] if kind != "card" else [0.7, 1])
                ) @ np.array(
                    [
                        [np.cos(np.radians(turn)), -np.sin(np.radians(turn))],
                        [np.sin(np.radians(turn)), np.cos(np.radians(turn))],
                    ]
                ).T + [x, y]
                quad = _project(homography, corners)
                self._paste(image, art, quad)
                decoys.append(quad)
            elif kind == "die":
                quad = _project(homography, _square(x, y, rng.uniform(0.25, 0.6), turn))
                self._paste(image, self._die(), quad)
                decoys.append(quad)
            elif kind in {"cup", "coin"}:
                radius = rng.uniform(0.6, 1.6) if kind == "cup" else rng.uniform(0.15, 0.35)
                angles = np.linspace(0, 2 * np.pi, 30)
                for shrink in (1.0, 0.87, 0.8):
                    ring = _project(
                        homography,
                        np.stack(
                            [x + shrink * radius * np.cos(angles), y + shrink * radius * np.sin(angles)], 1
                        ),
                    )
                    if np.abs(ring).max() < 4000:
                        cv2.fillPoly(image, [ring.astype(np.int32)], any_colour(rng), cv2.LINE_AA)
            else:
                ends = _project(homography, np.array([[x, y], [x + 4 * np.cos(turn), y + 4 * np.sin(turn)]]))
                if np.abs(ends).max() < 4000:
                    cv2.line(
                        image,
                        tuple(int(v) for v in ends[0]),
                        tuple(int(v) for v in ends[1]),
                        any_colour(rng),
                        int(rng.integers(2, 10)),
                        cv2.LINE_AA,
                    )

    def _paste(self, image: NDArray[np.float32], art: Image, quad: Points) -> None:
        if np.abs(quad).max() < 4000:
            self._lay(image, art, self._shapes[0], quad, 0.5, np.empty(image.shape[:2], np.int16), 0)

    def _print(self, kind: str) -> Image:
        """Return a printed sheet, box lid or playing card, (FACE_PX, FACE_PX, 3) uint8 BGR."""
        rng, side = self._rng, FACE_PX
        ground = (
            bgr(rng.uniform(0, 360), rng.uniform(0, 0.5), rng.uniform(0.7, 1))
            if kind != "box"
            else any_colour(rng)
        )
        art = np.full((side, side, 3), ground, np.uint8)
        ink = bgr(rng.uniform(0, 360), rng.uniform(0, 0.8), rng.uniform(0, 0.5))
        if kind == "paper":
            for y in range(8, side - 6, int(rng.integers(5, 14))):
                if rng.random() < 0.3:
                    cv2.line(art, (6, y), (int(side * rng.uniform(0.4, 0.95)), y), ink, 1)
                else:
                    for x in range(8, int(side * rng.uniform(0.5, 0.95)), 7):
                        cv2.line(art, (x, y), (x + int(rng.integers(2, 6)), y), ink, int(rng.integers(1, 3)))
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
        elif rng.random() < 0.5:
            for shift in range(-side, side, 9):
                cv2.line(art, (shift, 0), (shift + side, side), ink, 3)
        else:
            for _ in range(int(rng.integers(2, 9))):
                cv2.circle(
                    art,
                    tuple(int(v) for v in rng.integers(20, side - 20, 2)),
                    int(rng.integers(5, 11)),
                    ink,
                    -1,
                    cv2.LINE_AA,
                )
        return art

    def _die(self) -> Image:
        rng, side = self._rng, FACE_PX
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

    def _cover(self, image: NDArray[np.float32], ids: NDArray[np.int16]) -> None:
        """Reach a hand and sleeve, or a thing, over part of the table; what it hides is erased from `ids`."""
        rng = self._rng
        if rng.random() > 0.22:
            return
        high, wide = ids.shape
        mask = np.zeros((high, wide), np.uint8)
        side = rng.integers(4)
        start = [
            (rng.uniform(0, wide), -20),
            (wide + 20, rng.uniform(0, high)),
            (rng.uniform(0, wide), high + 20),
            (-20, rng.uniform(0, high)),
        ][side]
        reach = rng.uniform(0.2, 0.8)
        tip = (
            np.array(start) * (1 - reach)
            + np.array([wide * rng.uniform(0.2, 0.8), high * rng.uniform(0.2, 0.8)]) * reach
        )
        thick = int(rng.uniform(18, 60))
        cv2.line(mask, tuple(int(v) for v in start), tuple(int(v) for v in tip), 255, thick)
        for _ in range(5):
            angle = np.arctan2(tip[1] - start[1], tip[0] - start[0]) + rng.normal(0, 0.6)
            finger = tip + rng.uniform(0.7, 1.6) * thick * np.array([np.cos(angle), np.sin(angle)])
            cv2.line(mask, tuple(int(v) for v in tip), tuple(int(v) for v in finger), 255, max(6, thick // 3))
        skin = np.array(bgr(rng.uniform(8, 28), rng.uniform(0.3, 0.7), rng.uniform(0.2, 0.95)), np.float32)
        soft = cv2.GaussianBlur(mask, (0, 0), 1.2).astype(np.float32)[..., None] / 255
        shaded = skin * (1 + 0.15 * self._bank.cut(rng, self._bank.clouds, (wide, high)))[..., None]
        shadow = cv2.GaussianBlur(mask, (0, 0), 12).astype(np.float32)[..., None] / 255
        image *= 1 - 0.35 * shadow
        image *= 1 - soft
        image += soft * shaded
        ids[mask > 0] = -1

    def _light(self, image: NDArray[np.float32], gloss: bool, quads: list[Points]) -> None:
        """Light the table in place: a fall-off, hard or soft shadows, and glare on glossy tiles."""
        rng = self._rng
        high, wide = image.shape[:2]
        ys, xs = np.mgrid[-1 : 1 : high * 1j, -1 : 1 : wide * 1j].astype(np.float32)
        angle, fall = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.45)
        field = 1 + fall * (np.cos(angle) * xs + np.sin(angle) * ys)
        field -= rng.uniform(0, 0.3) * (xs**2 + ys**2) / 2
        if rng.random() < 0.35:
            points = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2)) * [wide, high]
            shadow = np.zeros((high, wide), np.float32)
            cv2.fillPoly(shadow, [cv2.convexHull(points.astype(np.float32)).astype(np.int32)], 1.0)
            field *= 1 - rng.uniform(0.15, 0.6) * cv2.GaussianBlur(shadow, (0, 0), rng.uniform(0.8, 25))
        image *= np.clip(field, 0.15, 2)[..., None]
        if gloss:
            for _ in range(int(rng.integers(1, 4))):
                around = quads[rng.integers(len(quads))].mean(axis=0) + rng.normal(0, 60, 2)
                spread = rng.uniform(10, 90, 2)
                spot = (
                    np.exp(-(((np.arange(wide) - around[0]) / spread[0]) ** 2))[None, :]
                    * np.exp(-(((np.arange(high) - around[1]) / spread[1]) ** 2))[:, None]
                )
                image += (rng.uniform(20, 170) * spot[..., None]).astype(np.float32)

    def _sense(self, image: NDArray[np.float32]) -> Image:
        """Return the picture as a camera gives it: cast, exposure, curve, blur, noise, sharpening, JPEG."""
        rng = self._rng
        warmth = rng.normal(0, 0.17)
        cast = np.array([1 - warmth, 1 + rng.normal(0, 0.05), 1 + warmth], np.float32)
        image = np.clip(image * (np.clip(cast, 0.45, 1.6) * rng.uniform(0.55, 1.25)), 0, 255)
        gray = image @ np.array([0.114, 0.587, 0.299], np.float32)
        vivid = rng.uniform(0.55, 1.25)
        image = gray[..., None] + vivid * (image - gray[..., None])
        image = 255 * np.power(np.clip(image / 255, 0, 1), rng.uniform(0.7, 1.4))
        image += rng.uniform(0, 25) * (1 - image / 255)
        blur = abs(rng.normal(0, 0.7))
        if blur > 0.3:
            image = cv2.GaussianBlur(image, (0, 0), blur)
        if rng.random() < 0.15:
            length, angle = int(rng.integers(2, 6)), rng.uniform(0, np.pi)
            kernel = np.zeros((9, 9), np.float32)
            cv2.line(kernel, (4, 4), (int(4 + length * np.cos(angle)), int(4 + length * np.sin(angle))), 1.0)
            image = cv2.filter2D(image, -1, kernel / kernel.sum())
        grain = abs(rng.normal(0, 5)) * (2.2 if rng.random() < 0.15 else 1)
        noise = (
            self._bank.noise(rng, image.shape)
            if rng.random() < 0.5
            else self._bank.noise(rng, (*image.shape[:2], 1))
        )
        if rng.random() < 0.5:
            noise = cv2.GaussianBlur(noise, (0, 0), 0.8).reshape(*image.shape[:2], -1) * 2
        image = image + grain * noise
        if rng.random() < 0.35:
            image = image + rng.uniform(0.3, 1.2) * (image - cv2.GaussianBlur(image, (0, 0), 1.2))
        picture = np.clip(image, 0, 255).astype(np.uint8)
        packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(45, 97))])[1]
        return cv2.imdecode(packed, cv2.IMREAD_COLOR)
