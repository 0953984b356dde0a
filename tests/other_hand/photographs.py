"""Photographs of tables with known contents, from a seed: what lies there, how it is seen, the labels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.rules.layout import Layout
from tests.other_hand.bodies import Hand, Layer, Rgb, mesh_layer, placed_box
from tests.other_hand.camera import Array, Camera, paste
from tests.other_hand.faces import draw_face
from tests.other_hand.light import Light, develop
from tests.other_hand.pyramids import LyingTile, draw_layout, lay_loosely, lay_pyramid
from tests.other_hand.sheet import rounded_box
from tests.other_hand.table_tops import PX_PER_SIDE, TABLE_TOPS, table_top
from tests.other_hand.things import FOOTPRINTS, THINGS, lay_patch, mug_faces, paper_sheet, round_mask

WEBCAM_WIDE = 1280
"""Tile sides are given as a webcam with so many pixels across would see them."""
_SIZES_WH = ((1280, 720), (1920, 1080), (4000, 3000))
_SIZE_ODDS = (0.8, 0.14, 0.06)
_EDGE = 0.02
"""Least distance of the tiles from the picture's edge, in shares of its width."""
_OUTSIDE = 0.15
"""A tile with less of its face inside the picture counts as outside."""
_COVERED = (0.4, 0.9)
_TOUCHED = 0.25
"""Tiles beside the covered ones may be hidden up to this share."""
_SKINS: tuple[Rgb, ...] = ((236, 188, 160), (214, 160, 126), (174, 118, 84), (118, 76, 54), (242, 204, 182))


@dataclass(slots=True)
class Photograph:
    """A picture and its labels."""

    image_bgr: NDArray[np.uint8]
    layout: Layout
    tiles: list[dict[str, Any]]
    jpeg_quality: int


@dataclass(slots=True)
class Scene:
    """A table being painted."""

    camera: Camera
    light: Light
    picture: NDArray[np.uint8]
    gloss: NDArray[np.uint8]
    """(H, W): how much of the lamp's mirror image shows, 255 all."""
    thickness: float
    corner: float
    """Radius of the tiles' corners, in sides."""


def table_photograph(set_name: str, rng: np.random.Generator) -> Photograph:
    """Return an ordinary picture of a pyramid."""
    layout = draw_layout(rng)
    lying = lay_pyramid(layout, rng)
    camera = _camera_that_sees(lying, rng)
    scene = _set_table(camera, rng)
    _lay_things(scene, lying, rng, int(rng.choice([0, 1, 2, 3, 4, 5])))
    _lay_tiles(scene, set_name, lying, rng)
    return _taken(scene, layout, _labels(camera, scene, lying), rng)


def enrol_photograph(set_name: str, codes: list[str], rng: np.random.Generator) -> Photograph:
    """Return a well lit picture of 15 tiles laid out loosely; its layout is empty, as they are no pyramid."""
    lying = lay_loosely(codes, rng)
    camera = _camera_that_sees(
        lying, rng, size_wh=(1920, 1080), tilt_deg=rng.uniform(2, 12), side_px=95, yaw_deg=2
    )
    scene = _set_table(camera, rng, well_lit=True)
    _lay_tiles(scene, set_name, lying, rng)
    return _taken(scene, Layout.parse("-"), _labels(camera, scene, lying), rng, steady=True)


def covered_photograph(set_name: str, rng: np.random.Generator) -> Photograph:
    """Return a picture in which something covers 40-90 % of the faces of one to three tiles."""
    while True:
        layout = draw_layout(rng)
        lying = lay_pyramid(layout, rng)
        if len(lying) < 3:
            continue
        camera = _camera_that_sees(lying, rng, side_px=rng.uniform(55, 105))
        scene = _set_table(camera, rng)
        hides = _cover_some(camera, scene, lying, rng)
        if hides is None:
            continue
        _lay_things(scene, lying, rng, int(rng.integers(0, 3)))
        _lay_tiles(scene, set_name, lying, rng)
        layer, lift = hides
        mask = layer.cover(camera.size_wh)
        way = scene.light.shadow_way * lift
        moved = camera.project(np.array([[0, 0, 0], [way[0], way[1], 0]]))
        darken(scene.picture, mask, moved[1] - moved[0], 0.35 * lift * _side(camera), 0.5)
        layer.lay_over(scene.picture)
        scene.gloss[mask > 127] = 0
        labels = _labels(camera, scene, lying)
        for tile, share in zip(labels, _hidden_shares(mask, labels), strict=True):
            if share >= _COVERED[0]:
                tile["covered"] = True
            if share > 0.01:
                tile["visible"] = round(1 - share, 3)
        return _taken(scene, layout, labels, rng)


def cut_photograph(set_name: str, rng: np.random.Generator) -> Photograph:
    """Return a picture over whose edge part of the pyramid sticks out."""
    while True:
        layout = draw_layout(rng)
        if len(layout) < 4:
            continue
        lying = lay_pyramid(layout, rng)
        camera = _camera_that_sees(lying, rng)
        reach = np.array(camera.size_wh) / _side(camera)
        angle = rng.uniform(0, 2 * np.pi)
        shift = np.array([np.cos(angle), np.sin(angle)]) * reach * rng.uniform(0.2, 0.55)
        camera = replace(camera, target=camera.target + shift)
        scene_like = _set_table(camera, rng)
        labels = _labels(camera, scene_like, lying)
        inside = [_inside_share(np.array(tile["quad"]), camera.size_wh) for tile in labels]
        whole = sum(share > 0.999 for share in inside)
        if whole == len(labels) or whole < max(2, 0.4 * len(labels)):
            continue
        _lay_things(scene_like, lying, rng, int(rng.integers(0, 3)))
        _lay_tiles(scene_like, set_name, lying, rng)
        for tile, share in zip(labels, inside, strict=True):
            if share <= 0.999:
                tile["outside" if share < _OUTSIDE else "cut"] = True
                tile["visible"] = round(share, 3)
        return _taken(scene_like, layout, labels, rng)


def empty_photograph(rng: np.random.Generator) -> Photograph:
    """Return a picture of a table with other things only."""
    camera = _camera_that_sees([LyingTile("M200", 0, 0, (0.0, 0.0), 0.0)], rng)
    scene = _set_table(camera, rng)
    _lay_things(scene, [], rng, int(rng.integers(3, 11)))
    if rng.random() < 0.4:
        middle = tuple(camera.target + rng.uniform(-2, 2, 2))
        layer = _hand(middle, rng.uniform(0.3, 2.8), rng).layer(camera)
        if layer is not None:
            darken(scene.picture, layer.cover(camera.size_wh), np.array([6.0, 8.0]), 0.3 * _side(camera), 0.5)
            layer.lay_over(scene.picture)
    return _taken(scene, Layout.parse("-"), [], rng)


def _side(camera: Camera) -> float:
    """Return the side of a tile in the middle, in pixels."""
    return camera.focal_px / camera.distance


def _camera_that_sees(
    lying: list[LyingTile],
    rng: np.random.Generator,
    *,
    size_wh: tuple[int, int] | None = None,
    tilt_deg: float | None = None,
    side_px: float | None = None,
    yaw_deg: float = 20,
) -> Camera:
    """Return a camera with every tile in its picture; smaller than `side_px` where they do not fit."""
    size_wh = size_wh or _SIZES_WH[rng.choice(len(_SIZES_WH), p=_SIZE_ODDS)]
    middles = np.array([tile.at for tile in lying])
    centre = (middles.min(axis=0) + middles.max(axis=0)) / 2 + rng.normal(0, 0.25, 2)
    side = rng.uniform(34, 110) if side_px is None else side_px
    tilt = float(np.clip(abs(rng.normal(14, 11)), 0, 35)) if tilt_deg is None else tilt_deg
    towards = rng.normal(0, 20) if rng.random() < 0.8 else rng.uniform(-180, 180)
    yaw = float(np.clip(rng.normal(0, yaw_deg / 2), -yaw_deg, yaw_deg))
    focal = rng.uniform(0.75, 1.25) * size_wh[0]
    bend = (rng.uniform(-0.10, 0.04), rng.uniform(-0.01, 0.02))
    corners = np.concatenate([placed_box(tile.at, tile.turn, 1, 1) for tile in lying])
    spots = np.column_stack([corners, np.zeros(len(corners))])
    while True:
        camera = Camera.over_table(
            size_wh,
            side_px=side * size_wh[0] / WEBCAM_WIDE,
            focal_px=focal,
            bend=bend,
            yaw_deg=yaw,
            tilt_deg=tilt,
            tilt_towards_deg=towards,
            target=(float(centre[0]), float(centre[1])),
        )
        seen = camera.project(spots)
        edge = _EDGE * size_wh[0]
        if (seen > edge).all() and (seen < np.array(size_wh) - edge).all():
            break
        side *= 0.94
        centre = 0.8 * centre + 0.2 * (middles.min(axis=0) + middles.max(axis=0)) / 2
    room = (np.array(size_wh) / 2 - np.abs(seen - np.array(size_wh) / 2)).min(axis=0) - edge
    shift = rng.uniform(-0.8, 0.8, 2) * room / _side(camera)
    moved = replace(camera, target=camera.target + shift)
    seen = moved.project(spots)
    fits = (seen > edge).all() and (seen < np.array(size_wh) - edge).all()
    return moved if fits else camera


def _set_table(camera: Camera, rng: np.random.Generator, *, well_lit: bool = False) -> Scene:
    """Return the bare table under its light."""
    number = int(rng.integers(TABLE_TOPS))
    texture = table_top(number)
    scale = PX_PER_SIDE * rng.uniform(0.75, 1.15)
    finer = scale / _side(camera)
    if finer > 1.2:
        texture = cv2.resize(texture, None, fx=1 / finer, fy=1 / finer, interpolation=cv2.INTER_AREA)
        scale /= finer
    turn = rng.choice([0.0, np.pi / 2]) + rng.normal(0, 0.12)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]], np.float32)
    step = max(1, camera.size_wh[0] // 1280)
    where = camera.table_points(step) @ spin * np.float32(scale) + rng.uniform(0, texture.shape[0], 2).astype(
        np.float32
    )
    if step > 1:
        where = cv2.resize(where, camera.size_wh, interpolation=cv2.INTER_LINEAR)
    picture = cv2.remap(
        texture, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    tint = rng.uniform(0.88, 1.08) * rng.uniform(0.95, 1.05, 3)
    picture = cv2.multiply(picture, (*tint.tolist(), 1.0))
    light = Light.drawn(camera, rng, well_lit=well_lit)
    gloss = np.full(picture.shape[:2], int(rng.choice([0, 20, 70])), np.uint8)
    return Scene(camera, light, picture, gloss, rng.uniform(0.045, 0.085), rng.uniform(0.03, 0.085))


def darken(
    picture: NDArray[np.uint8], mask: NDArray[np.uint8], way_px: Array, soft_px: float, strength: float
) -> None:
    """Lay the soft shadow of a mask, moved by `way_px`, over the picture."""
    shrink = max(1, picture.shape[1] // 640)
    small = cv2.resize(mask, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
    matrix = np.array([[1, 0, way_px[0] / shrink], [0, 1, way_px[1] / shrink]], float)
    small = cv2.warpAffine(small, matrix, small.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
    small = cv2.GaussianBlur(small.astype(np.float32), (0, 0), max(soft_px / shrink, 0.4))
    shade = 1 - np.float32(strength / 255) * cv2.resize(
        small, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR
    )
    picture[:] = (picture * shade[..., None]).astype(np.uint8)


def _outline_mask(camera: Camera, outlines: list[Array], height: float = 0.0) -> NDArray[np.uint8]:
    mask = np.zeros((camera.size_wh[1], camera.size_wh[0]), np.uint8)
    for outline in outlines:
        pixels = camera.project(np.column_stack([outline, np.full(len(outline), height)]))
        cv2.fillPoly(mask, [np.round(pixels * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return mask


def cast_shadow(scene: Scene, outlines: list[Array], height: float) -> None:
    """Darken the table around bodies: close by where they stand, and away from the light."""
    side = _side(scene.camera)
    foot = _outline_mask(scene.camera, outlines)
    darken(scene.picture, foot, np.zeros(2), (0.03 + 0.05 * min(height, 0.5)) * side, 0.55)
    thrown = scene.light.shadow_way * height
    swept = [
        cv2.convexHull(np.concatenate([o, o + thrown]).astype(np.float32))[:, 0].astype(float)
        for o in outlines
    ]
    soft = (0.02 + 0.22 * height * scene.light.softness) * side
    darken(scene.picture, _outline_mask(scene.camera, swept), np.zeros(2), soft, scene.light.shadow)


def _lay_things(scene: Scene, lying: list[LyingTile], rng: np.random.Generator, number: int) -> None:
    """Put loose things where nothing lies yet."""
    camera = scene.camera
    taken = [(tile.at, 0.72) for tile in lying]
    names = list(THINGS)
    span = camera.table_points(max(camera.size_wh[0] // 32, 1)).reshape(-1, 2)
    for _ in range(number):
        name = names[rng.integers(len(names))]
        draw, radius, height = THINGS[name]
        for _ in range(25):
            at = span[rng.integers(len(span))] + rng.normal(0, 0.2, 2)
            if all(np.hypot(*(at - other)) > radius + reach + 0.3 * height for other, reach in taken):
                break
        else:
            continue
        place, turn = (float(at[0]), float(at[1])), rng.uniform(-np.pi, np.pi)
        taken.append((place, radius))
        angles = np.linspace(0, 2 * np.pi, 24)
        if name in FOOTPRINTS:
            outline = placed_box(place, turn, *FOOTPRINTS[name])
        else:
            outline = np.column_stack([np.cos(angles), np.sin(angles)]) * 0.62 * radius + place
        if name != "coins":
            cast_shadow(scene, [outline], height)
        draw(scene.picture, camera, place, turn, rng)
        if name == "phone":
            scene.gloss = np.maximum(scene.gloss, _outline_mask(camera, [outline], height) // 2)


def _lay_tiles(scene: Scene, set_name: str, lying: list[LyingTile], rng: np.random.Generator) -> None:
    """Put the tiles down: shadows, edges, faces."""
    camera, height = scene.camera, scene.thickness
    base = rounded_box(-0.5, -0.5, 0.5, 0.5, scene.corner)
    outlines = []
    for tile in lying:
        c, s = np.cos(tile.turn), np.sin(tile.turn)
        outlines.append(base @ np.array([[c, s], [-s, c]]) + tile.at)
    cast_shadow(scene, outlines, height)
    core = np.array(((214, 206, 190), (150, 128, 104), (84, 80, 84), (236, 234, 228))[rng.integers(4)], float)
    varnish = rng.choice([0.0, 0.4, 1.0])
    far_first = sorted(range(len(lying)), key=lambda n: -np.linalg.norm(camera.place - (*lying[n].at, 0.0)))
    pixels: dict[int, Array] = {}
    for number in far_first:
        outline = outlines[number]
        low = camera.project(np.column_stack([outline, np.zeros(len(outline))]))
        top = camera.project(np.column_stack([outline, np.full(len(outline), height)]))
        pixels[number] = top
        for share, tone in ((0.0, 0.52), (0.55, 0.72)):
            ring = np.concatenate([low + share * (top - low), top])
            hull = cv2.convexHull(np.round(ring * 16).astype(np.int32))
            cv2.fillConvexPoly(scene.picture, hull, (core[::-1] * tone).tolist(), cv2.LINE_AA, 4)
    for number, tile in enumerate(lying):
        quad = _face_quad(camera, scene, tile)
        side = float(np.mean(np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)))
        px = int(np.clip(round(side * 1.2), 16, 512))
        art = draw_face(set_name, tile.code, px)
        art = np.clip(art.astype(np.float32) * rng.normal(1, 0.03), 0, 255).astype(np.uint8)
        paste(scene.picture, art, quad, round_mask(px, px, scene.corner * px))
        gloss = int(255 * np.clip(varnish * rng.uniform(0.3, 1.2), 0, 1))
        cv2.fillPoly(scene.gloss, [np.round(pixels[number] * 16).astype(np.int32)], gloss, cv2.LINE_AA, 4)


def _face_quad(camera: Camera, scene: Scene, tile: LyingTile) -> Array:
    corners = placed_box(tile.at, tile.turn, 1, 1)
    return camera.project(np.column_stack([corners, np.full(4, scene.thickness)]))


def _labels(camera: Camera, scene: Scene, lying: list[LyingTile]) -> list[dict[str, Any]]:
    return [
        {
            "code": tile.code,
            "row": tile.row,
            "slot": tile.slot,
            "quad": np.round(_face_quad(camera, scene, tile), 2).tolist(),
        }
        for tile in lying
    ]


def _inside_share(quad: Array, size_wh: tuple[int, int]) -> float:
    """Return which share of a quad lies in the picture."""
    wide, high = size_wh
    frame = np.array(
        [[-0.5, -0.5], [wide - 0.5, -0.5], [wide - 0.5, high - 0.5], [-0.5, high - 0.5]], np.float32
    )
    area, _ = cv2.intersectConvexConvex(quad.astype(np.float32), frame)
    return float(area / cv2.contourArea(quad.astype(np.float32)))


def _hidden_shares(mask: NDArray[np.uint8], labels: list[dict[str, Any]], scale: float = 1.0) -> list[float]:
    """Return which share of each face a mask hides; `scale`: the mask's size to the picture's."""
    shares = []
    grid = (np.arange(16, dtype=np.float32) + 0.5) / 16
    spots = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 1, 2)
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    for tile in labels:
        matrix = cv2.getPerspectiveTransform(unit, np.array(tile["quad"], np.float32))
        seen = np.round(cv2.perspectiveTransform(spots, matrix)[:, 0] * scale).astype(int)
        inside = (seen >= 0).all(axis=1) & (seen[:, 0] < mask.shape[1]) & (seen[:, 1] < mask.shape[0])
        seen = seen[inside]
        shares.append(float((mask[seen[:, 1], seen[:, 0]] > 127).sum() / len(spots)))
    return shares


def _hand(at: tuple[float, float], comes_from: float, rng: np.random.Generator) -> Hand:
    sleeves: tuple[Rgb, ...] = ((60, 74, 110), (150, 60, 56), (70, 72, 70), (214, 210, 200), (64, 104, 84))
    return Hand(
        at,
        comes_from,
        rng.uniform(0.72, 1.05),
        str(rng.choice(["open", "point", "fist"])),
        _SKINS[rng.integers(len(_SKINS))],
        sleeves[rng.integers(len(sleeves))],
        bool(rng.random() < 0.5),
        int(rng.integers(1 << 30)),
    )


def _cover_some(
    camera: Camera, scene: Scene, lying: list[LyingTile], rng: np.random.Generator
) -> tuple[Layer, float] | None:
    """Return a layer that covers one to three tiles, and how high it lies; None where none was found."""
    shrink = camera.size_wh[0] / 320
    small = replace(
        camera, size_wh=(320, round(camera.size_wh[1] / shrink)), focal_px=camera.focal_px / shrink
    )
    labels = _labels(camera, scene, lying)
    middle = np.mean([tile.at for tile in lying], axis=0)
    kind = str(rng.choice(["hand", "hand", "paper", "mug"]))
    for _ in range(40):
        tile = lying[rng.integers(len(lying))]
        outwards = np.array(tile.at) - middle
        angle = float(np.arctan2(outwards[1], outwards[0])) + rng.normal(0, 0.5)
        reach = np.array([np.cos(angle), np.sin(angle)])
        if kind == "hand":
            spot = np.array(tile.at) + reach * rng.uniform(0.2, 2.2)
            hand = _hand((float(spot[0]), float(spot[1])), angle, rng)
            layer, lift = hand.layer(small), 0.6
        elif kind == "paper":
            spot, turn = np.array(tile.at) + reach * rng.uniform(1.2, 2.4), rng.uniform(-np.pi, np.pi)
            wide, high = rng.uniform(1.6, 3.2), rng.uniform(2.2, 4.2)
            corners = placed_box((float(spot[0]), float(spot[1])), turn, wide, high)
            number, lift = int(rng.integers(5)), 0.12
            layer = _paper_layer(small, corners, number)
        else:
            spot, turn = np.array(tile.at) + reach * rng.uniform(0.2, 1.0), rng.uniform(-np.pi, np.pi)
            seed, lift = int(rng.integers(1 << 30)), 1.2
            faces = mug_faces((float(spot[0]), float(spot[1])), turn, np.random.default_rng(seed))
            layer = mesh_layer(small, faces)
        if layer is None:
            continue
        shares = _hidden_shares(layer.cover(small.size_wh), labels, 1 / shrink)
        covered = [share for share in shares if share > _TOUCHED]
        if 1 <= len(covered) <= 3 and all(
            _COVERED[0] + 0.03 < share < _COVERED[1] - 0.03 for share in covered
        ):
            if kind == "hand":
                final = hand.layer(camera)
            elif kind == "paper":
                final = _paper_layer(camera, corners, number)
            else:
                final = mesh_layer(camera, faces)
            return None if final is None else (final, lift)
    return None


def _paper_layer(camera: Camera, corners: Array, number: int) -> Layer:
    """Return a sheet of paper that lies on the tiles."""
    wide, high = camera.size_wh
    paint = np.zeros((high, wide, 3), np.uint8)
    lay_patch(paint, camera, paper_sheet(number), corners, 0.12)
    return Layer(0, 0, _outline_mask(camera, [corners], 0.12), paint.astype(np.float32))


def _taken(
    scene: Scene,
    layout: Layout,
    tiles: list[dict[str, Any]],
    rng: np.random.Generator,
    *,
    steady: bool = False,
) -> Photograph:
    image = develop(scene.picture, scene.gloss, scene.light, rng, steady=steady)
    return Photograph(image, layout, tiles, int(rng.integers(72, 96)))
