"""Finder batches and loss: windows of the rendered pictures, centres as soft spots, corners by cell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from models.training.networks.nets import FINDER_STRIDE, short_numbers
from models.training.scenes import real_photos
from models.training.scenes.corpus import TrainingPicture, read_shard

WINDOW_WH = (448, 320)
CORNER_UNIT_PX = 32.0
_CELLS = WINDOW_WH[1] // FINDER_STRIDE, WINDOW_WH[0] // FINDER_STRIDE
WINDOW_MAPS: dict[str, tuple[int, ...]] = {
    "heat": _CELLS, "care": _CELLS, "corners": (16, *_CELLS),
    "plain_ok": _CELLS, "turned_ok": _CELLS, "is_turned": _CELLS,
}  # fmt: skip
"""The shapes of what is known of a window, by name; all float32."""
_MIN_VISIBLE = 0.4
_REAL = 0.12
"""Share of the windows that are cut from real photos, where there are any."""
_AT_TILES, _AT_OTHERS = 0.65, 0.2
"""Shares of the windows that lie round a tile, and round what may pass for one; the rest lie anywhere."""
_DOUBTFUL = 2.2
"""Where not every tile is known, nothing is learned of places this near to a known one, in sides."""


def window(rng: np.random.Generator, picture: TrainingPicture) -> dict[str, np.ndarray]:
    """Return one training window with its targets, scaled and turned at random."""
    to_window, scale, is_upright = _way_to_window(rng, picture)
    source = picture.image
    if scale < 0.6:
        source = np.asarray(cv2.GaussianBlur(source, (0, 0), 0.4 / scale), np.uint8)
    shown = cv2.warpAffine(
        source, to_window, WINDOW_WH, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    targets = _Targets()
    targets.leave_out_beyond(picture, to_window, is_upright=is_upright)
    if not picture.complete:
        targets.leave_open_near(picture, to_window)
    for tile in picture.tiles:
        targets.add(_in_window(tile.quad_px, to_window), tile.visible)
    gain = np.exp(rng.normal(0, 0.12, 3)).astype(np.float32) * float(np.exp(rng.normal(0, 0.15)))
    shown = np.clip(shown * gain, 0, 255).astype(np.uint8)
    return {
        "picture": shown[:, :, ::-1].transpose(2, 0, 1).copy(),
        "heat": targets.heat,
        "care": targets.care,
        "corners": targets.corners,
        "plain_ok": targets.plain_ok,
        "turned_ok": targets.turned_ok,
        "is_turned": targets.is_turned,
    }


def _way_to_window(
    rng: np.random.Generator, picture: TrainingPicture
) -> tuple[NDArray[np.float64], float, bool]:
    """Return how a picture is laid into a window, (2, 3); its scale; whether its rows stay rows."""
    wide, high = WINDOW_WH
    sides = [np.sqrt(abs(cv2.contourArea(tile.quad_px))) for tile in picture.tiles] or [60.0]
    side = float(np.median(sides))
    scale = (
        float(np.clip(np.exp(rng.uniform(np.log(15), np.log(120))) / side, 0.22, 1.7))
        if rng.random() < 0.8
        else 1.0
    )
    turn = float(rng.choice([0, 90, 180, 270])) if rng.random() < 0.3 else 0.0
    height, width = picture.image.shape[:2]
    aims, chance = [], rng.random()
    if chance < _AT_TILES:
        aims = [tile.quad_px for tile in picture.tiles]
    elif chance < _AT_TILES + _AT_OTHERS:
        aims = list(picture.decoys_px)
    aim = aims[rng.integers(len(aims))].mean(axis=0) if aims else rng.uniform([0, 0], [width, height])
    spare = 0.35 * np.array([wide, high])
    to_window = cv2.getRotationMatrix2D((float(aim[0]), float(aim[1])), turn, scale)
    to_window[:, 2] += np.array([wide / 2, high / 2]) + rng.uniform(-spare, spare) - aim
    return np.asarray(to_window, np.float64), scale, turn in (0.0, 180.0)


def _in_window(quad: NDArray[Any], to_window: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(quad @ to_window[:, :2].T + to_window[:, 2], np.float64)


def _size(quad: NDArray[Any]) -> float:
    """Return the side of a quad, in cells."""
    return float(np.sqrt(abs(cv2.contourArea(quad.astype(np.float32)))) / FINDER_STRIDE)


class _Targets:
    """What the finder shall say of one window; the arrays are (rows, columns) of cells."""

    def __init__(self) -> None:
        """Begin with a window without tiles."""
        cells = _CELLS
        self.heat = np.zeros(cells, np.float32)
        """How near the middle of a tile is, 0 to 1."""
        self.care = np.ones(cells, np.float32)
        """0 where nothing is to be learned of whether a middle lies there."""
        self.corners = np.zeros((16, *cells), np.float32)
        self.plain_ok = np.zeros(cells, np.float32)
        self.turned_ok = np.zeros(cells, np.float32)
        self.is_turned = np.full(cells, -1, np.float32)
        self._nearest = np.full(cells, 1e9, np.float32)
        self._ys, self._xs = np.mgrid[0 : cells[0], 0 : cells[1]].astype(np.float32)

    def leave_out_beyond(
        self, picture: TrainingPicture, to_window: NDArray[np.float64], *, is_upright: bool
    ) -> None:
        """Learn nothing of cells beyond the picture, where it is mirrored."""
        height, width = picture.image.shape[:2]
        inside_x, inside_y = to_window[:, :2] @ np.array([[0, width], [0, height]]) + to_window[:, 2:]
        for limits, axis in ((inside_y, self._ys), (inside_x, self._xs)):
            low, top = sorted(limits) if is_upright else (-1e9, 1e9)
            self.care[(axis + 1) * FINDER_STRIDE < low] = 0
            self.care[axis * FINDER_STRIDE > top] = 0

    def leave_open_near(self, picture: TrainingPicture, to_window: NDArray[np.float64]) -> None:
        """Take no notice of the cells near the known tiles where others may lie that nobody marked."""
        near, on = np.zeros(self.care.shape, bool), np.zeros(self.care.shape, bool)
        for tile in picture.tiles:
            quad = _in_window(tile.quad_px, to_window)
            size, distance = _size(quad), self._distance(quad.mean(axis=0) / FINDER_STRIDE - 0.5)
            near |= distance < _DOUBTFUL * size
            on |= distance < 0.5 * size
        self.care[near & ~on] = 0

    def add(self, quad: NDArray[np.float64], visible: float) -> None:
        """Say where a tile lies, (4, 2) in pixels of the window; one that is mostly hidden is left open."""
        wide, high = WINDOW_WH
        middle, size = quad.mean(axis=0), _size(quad)
        cell = (middle - FINDER_STRIDE / 2) / FINDER_STRIDE
        distance = self._distance(cell)
        # A tile may stick out of the window, but its middle must lie well within.
        cut = not (6 < middle[0] < wide - 6 and 6 < middle[1] < high - 6)
        if visible < _MIN_VISIBLE or cut:
            self.care[distance < size * 0.5] = 0
            return
        self.heat = np.maximum(self.heat, np.exp(-((distance / max(0.7, size * 0.16)) ** 2)))
        column, row = (int(value) for value in np.round(cell))
        if 0 <= row < self.heat.shape[0] and 0 <= column < self.heat.shape[1]:
            self.heat[row, column] = 1.0
        own = (distance < max(1.1, size * 0.3)) & (distance < self._nearest)
        self._nearest[own] = distance[own]
        self._add_corners(quad, own)

    def _add_corners(self, quad: NDArray[np.float64], own: NDArray[np.bool_]) -> None:
        """Say where the corners of the tile lie that these cells belong to, in both orders."""
        edge = quad[1] - quad[0] + quad[2] - quad[3]
        angle = float(np.degrees(np.arctan2(edge[1], edge[0])))
        quarter = int(np.round(angle / 90))
        off = angle - 90 * quarter
        plain = np.roll(quad, quarter, axis=0)
        turned = plain if off >= 0 else np.roll(plain, -1, axis=0)
        centres = (self._xs + 0.5) * FINDER_STRIDE, (self._ys + 0.5) * FINDER_STRIDE
        for first, order in ((0, plain), (8, turned)):
            for number, offset in enumerate(order.ravel()):
                away = (offset - centres[number % 2]) / CORNER_UNIT_PX
                self.corners[first + number][own] = away[own]
        self.plain_ok[own] = float(abs(off) < 38)
        self.turned_ok[own] = float(abs(off) > 7)
        self.is_turned[own] = float(abs(off) > 22.5)

    def _distance(self, cell: NDArray[Any]) -> NDArray[np.float32]:
        """Return how far each cell lies from a point, in cells."""
        return np.asarray(np.hypot(self._xs - cell[0], self._ys - cell[1]))


class FinderWindows(IterableDataset):
    """An endless, shuffled stream of windows from the shards of a directory."""

    def __init__(self, directory: Path, seed: int) -> None:
        """Stream from `directory`; `seed` sets the order."""
        self._directory = directory
        self._paths = sorted(directory.glob("shard_*.npz"))
        self._seed = seed

    def __iter__(self) -> Iterator[dict[str, np.ndarray]]:
        """Yield windows with their targets, without end."""
        cv2.setNumThreads(1)
        worker = get_worker_info()
        rng = np.random.default_rng([self._seed, worker.id if worker else 0])
        real = real_photos.pictures(self._directory)
        while True:
            for index in rng.permutation(len(self._paths)):
                for picture in read_shard(self._paths[index]):
                    if real and rng.random() < _REAL:
                        yield window(rng, real[rng.integers(len(real))])
                    if picture.tiles:
                        yield window(rng, picture)


def finder_batches(directory: Path, batch: int, workers: int, seed: int) -> Iterator[dict[str, Tensor]]:
    """Return an endless stream of finder batches."""
    # A forked worker would inherit OpenCV's thread pool without its threads and wait for them for ever.
    context = "spawn" if workers else None
    ahead = 4 if workers else None
    stream = FinderWindows(directory, seed)
    return iter(
        DataLoader(stream, batch, num_workers=workers, prefetch_factor=ahead, multiprocessing_context=context)
    )


def finder_loss(
    net: nn.Module, batch: dict[str, Tensor], share_done: float
) -> tuple[Tensor, dict[str, float]]:
    """Return the loss of one batch: focal on centres, L1 on corners where the order of corners is clear."""
    picture = (batch["picture"].float() / 255).to(memory_format=torch.channels_last)
    with short_numbers(picture.device):
        answer = net(picture)
    answer = answer.float()
    logit, heat, care = answer[:, 0], batch["heat"], batch["care"]
    chance = torch.sigmoid(logit)
    positive = heat > 0.95
    log_yes, log_no = nn.functional.logsigmoid(logit), nn.functional.logsigmoid(-logit)
    loss_positive = -((1 - chance) ** 2 * log_yes)[positive].sum()
    loss_negative = -((1 - heat) ** 4 * chance**2 * log_no * care)[~positive].sum()
    count = positive.sum().clamp(min=1)
    centre = (loss_positive + loss_negative) / count
    error = (answer[:, 1:17] - batch["corners"]).abs()
    plain = (error[:, :8].mean(1) * batch["plain_ok"]).sum() / batch["plain_ok"].sum().clamp(min=1)
    turned = (error[:, 8:].mean(1) * batch["turned_ok"]).sum() / batch["turned_ok"].sum().clamp(min=1)
    known = batch["is_turned"] >= 0
    which = (
        nn.functional.binary_cross_entropy_with_logits(answer[:, 17][known], batch["is_turned"][known])
        if known.any()
        else answer.sum() * 0
    )
    loss = centre + 2 * (plain + turned) + 0.1 * which
    return loss, {
        "centre": centre.item(),
        "plain_px": plain.item() * CORNER_UNIT_PX,
        "turned_px": turned.item() * CORNER_UNIT_PX,
    }
