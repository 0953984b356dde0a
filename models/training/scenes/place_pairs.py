"""The same places of a table on an earlier picture and now: what a place head learns from.

A table is painted twice, with the same camera, surface and clutter. Between the two, tiles come, go and are
exchanged, things are put down, and hands reach in. Every place is labelled with what lies there or over it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.rendering.clutter import die_art, put_over, reach_over
from models.training.rendering.faces import FACE_PX, tile_back
from models.training.rendering.sensing import light, sense
from models.training.rendering.textures import any_colour
from models.training.scenes import shards
from models.training.scenes.arrangements import pyramid_places, strewn_places
from models.training.scenes.laying import lay
from models.training.scenes.table_plane import Place, camera, project, square
from models.training.scenes.tables import TablePainter
from vision.imaging.arrays import ImageU8
from vision.imaging.rectify import upright_crop
from vision.tracking.place_head import STATES

OPEN = -1
"""The label where too little of a place is hidden to say so, and too much to say nothing."""
PATCH_PX = 112
FACE_SHARE = 0.8 * 80 / PATCH_PX
"""A patch shows more round the place than the network takes, so that it can be cut with an error."""
_HIDDEN, _CLEAR = 0.25, 0.08
PAIRS_PER_SHARD = 600
_SIZE_WH = (896, 544)
_TURN_OFF = 0.02
"""How far the earlier picture is shifted against the new one, in sides, after the camera was followed."""


@dataclass(frozen=True, slots=True)
class PlacePair:
    """One place, cut from two pictures; (PATCH_PX, PATCH_PX, 3) uint8 BGR each."""

    before: ImageU8
    now: ImageU8
    state_before: int
    state_now: int
    """Index into STATES, or OPEN."""
    is_same: bool
    """The same tile, or no tile at all, lies there in both."""


@dataclass(frozen=True, slots=True)
class _Laid:
    """What lies on one place: a face, or another thing's picture, and how it lies."""

    art: ImageU8
    is_tile: bool
    name: int
    size: float
    turn: float


class PairPainter(TablePainter):
    """Paints tables twice."""

    def pairs(self) -> list[PlacePair]:
        """Return every place of a new table."""
        rng = self._rng
        game = self.game()
        places = pyramid_places(rng) if game.aspect == 1.0 else strewn_places(rng, game.aspect)
        xy = np.array([place[:2] for place in places])
        homography = self._camera_over(xy)
        table = self.surface(_SIZE_WH).astype(np.float32)
        self.strewer.strew(table, homography, xy)
        before = [self._anything(game.face_of(index).image, index) for index in range(len(places))]
        now = [
            laid if rng.random() < 0.6 else self._anything(game.face_of(index + 100).image, index + 100)
            for index, laid in enumerate(before)
        ]
        quads = [project(homography, square(x, y, 1.0, turn, game.aspect)) for x, y, turn in places]
        shape = self.shapes[rng.integers(len(self.shapes))]
        lit, shot, stays = (int(rng.integers(2**31)) for _ in range(3))
        images, states = [], []
        for laid, busy in ((before, False), (now, True)):
            image, over = self._paint(
                table, places, laid, homography, shape, game.aspect, busy=busy, stays=stays
            )
            same_light = not busy or rng.random() < 0.75
            light(np.random.default_rng(lit if same_light else rng.integers(2**31)), image, False, quads)
            images.append(
                sense(np.random.default_rng(shot if same_light else rng.integers(2**31)), self.bank, image)
            )
            states.append([_state(quad, each, over) for quad, each in zip(quads, laid, strict=True)])
        images[1] = self._with_grain(images[1])
        return [
            PlacePair(
                upright_crop(images[0], _moved(rng, quad), PATCH_PX, FACE_SHARE),
                upright_crop(images[1], quad, PATCH_PX, FACE_SHARE),
                states[0][index],
                states[1][index],
                _name(before[index]) == _name(now[index]),
            )
            for index, quad in enumerate(quads)
            if (quad > 4).all() and (quad < np.array(_SIZE_WH) - 4).all()
        ]

    def _camera_over(self, xy: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return the homography of a camera that sees all places, (n, 2) in sides of a tile."""
        rng = self._rng
        extent = xy.max(axis=0) - xy.min(axis=0) + 1.3
        room = min(_SIZE_WH[0] / extent[0], _SIZE_WH[1] / extent[1]) * 0.95
        tile_px = max(28.0, min(float(np.exp(rng.uniform(np.log(45), np.log(120)))), room))
        yaw = rng.uniform(-180, 180) if rng.random() < 0.5 else rng.normal(0, 14)
        return camera(rng, _SIZE_WH, tile_px, (xy.max(axis=0) + xy.min(axis=0)) / 2, yaw)

    def _with_grain(self, image: ImageU8) -> ImageU8:
        """Return a picture with the noise by which the second one of a still camera differs at least."""
        grain = self.bank.noise(self._rng, (*image.shape[:2], 1)) * self._rng.uniform(0.5, 4)
        return np.clip(image + grain, 0, 255).astype(np.uint8)

    def _anything(self, face: ImageU8, name: int) -> _Laid | None:
        """Return what lies on a place: most often its tile, now and then another thing or nothing."""
        rng = self._rng
        kind = rng.random()
        if kind < 0.66:
            return _Laid(face, True, name, 0.985, 0.0)
        if kind < 0.86:
            return None
        art = tile_back(rng, self.bank) if rng.random() < 0.5 else die_art(rng)
        if rng.random() < 0.3:
            art = np.full((FACE_PX, FACE_PX, 3), any_colour(rng), np.uint8)
        return _Laid(art, False, name, rng.uniform(0.5, 1.1), rng.uniform(0, 90))

    def _paint(
        self,
        table: NDArray[np.float32],
        places: list[Place],
        laid: list[_Laid | None],
        homography: NDArray[np.float32],
        shape: ImageU8,
        aspect: float,
        *,
        busy: bool,
        stays: int,
    ) -> tuple[NDArray[np.float32], dict[str, NDArray[np.int16]]]:
        """Return a picture before light and camera, and where hands and things lie over it, by state."""
        rng, image = self._rng, table.copy()
        for (x, y, turn), each in zip(places, laid, strict=True):
            if each is not None:
                quad = project(
                    homography, square(x, y, each.size, turn + each.turn, aspect if each.is_tile else 1.0)
                )
                lay(rng, image, each.art, shape, quad, sun=0.5)
        over = {name: np.zeros(image.shape[:2], np.int16) for name in ("occluder", "other")}
        lasting = np.random.default_rng(stays)
        if lasting.random() < 0.25:  # a cup or a sheet that lies there all the time
            put_over(lasting, self.bank, image, over["other"])
        if busy and rng.random() < 0.25:
            put_over(rng, self.bank, image, over["other"])
        if rng.random() < (0.5 if busy else 0.12):
            reach_over(rng, self.bank, image, over["occluder"])
        return image, over


def _name(laid: _Laid | None) -> int:
    return laid.name if laid is not None and laid.is_tile else -1


def _moved(rng: np.random.Generator, quad: NDArray[np.float32]) -> NDArray[np.float32]:
    side = np.sqrt(abs(cv2.contourArea(quad)))
    return np.asarray(quad + rng.normal(0, _TURN_OFF, 2) * side, np.float32)


def _state(quad: NDArray[np.float32], laid: _Laid | None, over: dict[str, NDArray[np.int16]]) -> int:
    """Return the index of what a place shows, or OPEN."""
    place = np.zeros(over["other"].shape, np.uint8)
    cv2.fillConvexPoly(place, np.round(quad).astype(np.int32), 1)
    area = max(1, int(place.sum()))
    shares = {name: float(((hidden < 0) & (place > 0)).sum()) / area for name, hidden in over.items()}
    if max(shares.values()) > _HIDDEN:
        return STATES.index(max(shares, key=lambda name: shares[name]))
    if sum(shares.values()) > _CLEAR:
        return OPEN
    if laid is None:
        return STATES.index("table")
    return STATES.index("tile" if laid.is_tile else "other")


def shard_path(directory: Path, number: int) -> Path:
    """Return where a shard of pairs lies, or will lie."""
    return directory / _file_name(number)


def _file_name(number: int) -> str:
    return f"places_{number:05d}.npz"


def render(
    directory: Path,
    seed: int,
    count: int,
    workers: int,
    *,
    group: str | None = None,
    pairs: int = PAIRS_PER_SHARD,
) -> Iterator[int]:
    """Render what is missing of `count` shards; yield how many are done, as they are done."""
    shard = partial(render_shard, directory, seed, group=group, least=pairs)
    return shards.render_missing(directory, [_file_name(number) for number in range(count)], shard, workers)


def render_shard(
    directory: Path, seed: int, number: int, *, group: str | None = None, least: int = PAIRS_PER_SHARD
) -> Path:
    """Render one shard of pairs unless it is there already; return its path.

    Args:
        directory: Where it lies.
        seed: Of all shards.
        number: Of this shard.
        group: A held-out group of artists; None: those to learn from.
        least: How many pairs it holds at least; tables are painted whole.
    """
    path = shard_path(directory, number)
    if path.exists():
        return path
    rng = np.random.default_rng([seed, 2, number])
    painter = PairPainter(rng, *shards.materials(directory), group)
    pairs: list[PlacePair] = []
    while len(pairs) < least:
        pairs.extend(painter.pairs())
    jpegs = [
        cv2.imencode(".jpg", np.hstack([pair.before, pair.now]), [cv2.IMWRITE_JPEG_QUALITY, 95])[1].ravel()
        for pair in pairs
    ]
    shards.write_shard(path, jpegs, [[pair.state_before, pair.state_now, pair.is_same] for pair in pairs])
    return path


def read_shard(path: Path) -> Iterator[PlacePair]:
    """Yield the pairs of one shard."""
    for image, (before, now, is_same) in shards.read_shard(path):
        yield PlacePair(image[:, :PATCH_PX], image[:, PATCH_PX:], before, now, is_same)
