"""Renders and trains at once, for a graphics card: it learns faster than two processors could render.

All processors but two render tables and cut them up, each shard from its own seed, while the second network
learns to name codes from what there is so far, each tile restyled anew, and the finder from windows. What is
rendered is not kept. Which picture is learned when depends on how quick the machine is, so no two runs give
the same network.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.training.networks.codes_loss import codes_loss
from models.training.networks.finder_data import WINDOW_MAPS, WINDOW_WH, finder_loss, window
from models.training.networks.nets import CROP_PX, FinderNet, ReaderNet, device
from models.training.networks.reader_data import MAP, readable_crops
from models.training.scenes import corpus, real_photos
from models.training.scenes.shards import MATERIALS
from vision.files import replacing

SEED = 2051
KEPT = (0.6, 0.85, 1.0)
"""After these shares of the time the mean weights are kept, to choose from."""
_CUTS, _WINDOWS_OF_A_PICTURE, _REAL = 4, 3, 0.12
_WARM, _PEAKS, _DECAYS = 0.05, (1.5e-3, 3e-3), (0.999, 0.998)
"""The share of the time in which the rate rises; the highest rates of the second network and of the finder;
how much of their mean weights each step leaves."""
_TONES = 0.08
_WAIT_S = 0.2

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class AtOnceSize:
    """How much is learned, of how much, and in how many processes it is rendered."""

    minutes: float
    """That are spent learning; how many steps these are depends on the machine."""
    pictures: int
    """Of a shard."""
    crops: int
    windows: int
    """Both that are held; the oldest go when there are more."""
    crops_of_batch: int = 1024
    windows_of_batch: int = 32
    helpers: int = max(1, (os.cpu_count() or 1) - 2)


def learn_at_once(work: Path, second: ReaderNet, finder: FinderNet, size: AtOnceSize) -> None:
    """Let the second network and the finder learn, or go on learning; both are kept as checkpoints.

    Args:
        work: The folder in which both go; in its folder "corpus" lies what pictures are made of.
        second: With what it knows so far.
        finder: Likewise.
        size: How much.

    Raises:
        RuntimeError: Nobody renders any more.
    """
    where = device()
    torch.manual_seed(SEED)
    nets: tuple[nn.Module, nn.Module] = second, finder
    learners = [
        _Learner(name, net.to(where, memory_format=torch.channels_last).train(), peak, decay)
        for name, net, peak, decay in zip(("second", "finder"), nets, _PEAKS, _DECAYS, strict=True)
    ]
    parts = {"crop": (3, CROP_PX, CROP_PX), "weight": (), "colour": (), "places": (MAP, MAP)}
    crops = Pool(size.crops, where, parts)
    windows = Pool(size.windows, where, {"picture": (3, *WINDOW_WH[::-1])} | WINDOW_MAPS)
    with _helping(work / "corpus", size) as helpers, _filling(work / "corpus", crops, windows):
        while crops.count < size.crops_of_batch or windows.count < size.windows_of_batch:
            if not any(helper.is_alive() for helper in helpers):
                raise RuntimeError("all processes that render have ended; what they printed says why")
            time.sleep(_WAIT_S)
        step, done, begun = 0, 0.0, time.monotonic()
        while done < 1:
            before, done = done, min(1.0, (time.monotonic() - begun) / (60 * size.minutes))
            step += 1
            begun = time.monotonic() if step == 2 else begun  # the first one compiles
            figures = learners[0].learn(codes_loss, crops.draw(size.crops_of_batch), done)
            figures |= learners[1].learn(finder_loss, _toned(windows.draw(size.windows_of_batch)), done)
            if any(before < share <= done for share in KEPT):
                for learner in learners:
                    learner.keep(work, step, is_last=done == 1)
            if step % 100 == 0 or done == 1:
                shown = "  ".join(f"{key} {value:.3f}" for key, value in figures.items())
                print(f"at once {done:.1%}  step {step}  {shown}", file=sys.stderr, flush=True)


@contextmanager
def _helping(directory: Path, size: AtOnceSize) -> Iterator[list[SpawnProcess]]:
    """Let other processes render and cut, as long as this lasts."""
    # A forked child would inherit OpenCV's thread pool without its threads and wait for them for ever.
    context = multiprocessing.get_context("spawn")
    helpers = [
        context.Process(target=render_on, args=(directory, number, size.helpers, size.pictures), daemon=True)
        for number in range(size.helpers)
    ]
    for helper in helpers:
        helper.start()
    try:
        yield helpers
    finally:
        for helper in helpers:
            helper.terminate()
            helper.join()
        for number in range(size.helpers):
            shutil.rmtree(_folder(directory, number), ignore_errors=True)


@contextmanager
def _filling(directory: Path, crops: Pool, windows: Pool) -> Iterator[None]:
    """Take in what the others cut, as long as this lasts."""
    stop = threading.Event()

    def fill() -> None:
        while not stop.is_set():
            for path in sorted(directory.glob("helper-*/cut_*.npz")):
                with np.load(path) as stored:
                    for pool in (crops, windows):
                        pool.add({key: stored[key] for key in pool.values})
                path.unlink()
            stop.wait(_WAIT_S)

    thread = threading.Thread(target=fill, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _folder(directory: Path, number: int) -> Path:
    """Return where one of the helpers works."""
    return directory / f"helper-{number}"


def render_on(directory: Path, number: int, helpers: int, pictures: int) -> None:
    """Render every `helpers`-th shard from `number` on, and cut it up, without end."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    os.nice(5)
    real = real_photos.pictures(directory)
    rng = np.random.default_rng([SEED, number])
    own = _folder(directory, number)
    own.mkdir(exist_ok=True)
    for name in MATERIALS:
        if (directory / name).exists() and not (own / name).exists():
            (own / name).symlink_to((directory / name).resolve())
    while True:
        path = corpus.render_shard(own, SEED, number, pictures=pictures)
        with replacing(own / f"cut_{number:06d}.npz") as beside, beside.open("wb") as file:
            np.savez(file, allow_pickle=False, **_cut(rng, path, real))
        path.unlink()
        number += helpers


def _cut(rng: np.random.Generator, shard: Path, real: list[corpus.TrainingPicture]) -> Arrays:
    """Return the crops and windows of a shard, one array for each of their parts."""
    crops, windows = [], []
    for picture in corpus.read_shard(shard):
        for _ in range(_CUTS):
            crops += readable_crops(rng, picture)
        if picture.tiles:
            windows += [window(rng, picture) for _ in range(_WINDOWS_OF_A_PICTURE)]
        if real and rng.random() < _REAL * _WINDOWS_OF_A_PICTURE:
            windows.append(window(rng, real[rng.integers(len(real))]))
    parts = {key: np.stack([each[key] for each in crops]) for key in ("crop", "weight", "colour", "places")}
    parts |= {key: np.stack([each[key] for each in windows]) for key in ("picture", *WINDOW_MAPS)}
    return parts | {key: parts[key].astype(np.float16) for key in WINDOW_MAPS}


class Pool:
    """Samples where they are learned from; the oldest go when it is full. Safe between threads."""

    def __init__(self, size: int, where: torch.device, shapes: dict[str, tuple[int, ...]]) -> None:
        """Hold up to `size` samples with parts of these shapes, pictures and crops as bytes."""
        self._size, self._next, self.count = size, 0, 0
        self._lock = threading.Lock()
        self.values = {
            key: torch.empty((size, *shape), dtype=_KINDS.get(key, torch.float16), device=where)
            for key, shape in shapes.items()
        }

    def add(self, arrays: Arrays) -> None:
        """Take samples in: the first axis of each array; at most as many as it holds."""
        rows = min(len(next(iter(arrays.values()))), self._size)
        if self._next + rows > self._size:
            self._next = 0
        with self._lock:
            for key, values in self.values.items():
                values[self._next : self._next + rows].copy_(torch.from_numpy(arrays[key][:rows]))
            self._next += rows
            self.count = max(self.count, self._next)

    def draw(self, count: int) -> dict[str, Tensor]:
        """Return so many samples, any of them several times."""
        where = next(iter(self.values.values())).device
        with self._lock:
            rows = torch.randint(self.count, (count,), device=where)
            return {key: values[rows] for key, values in self.values.items()}


_KINDS = {
    "crop": torch.uint8, "picture": torch.uint8,
    "weight": torch.int8, "colour": torch.int8, "places": torch.int8,
}  # fmt: skip


def _toned(batch: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return windows in other tones, each time anew."""
    batch = {key: values.float() for key, values in batch.items()}
    tones = torch.exp(torch.randn(len(batch["picture"]), 3, 1, 1, device=batch["picture"].device) * _TONES)
    return batch | {"picture": (batch["picture"] * tones).clamp(0, 255)}


class _Learner:
    """A network that learns, and the mean of its weights."""

    def __init__(self, name: str, net: nn.Module, peak: float, decay: float) -> None:
        self._name, self._net, self._peak, self._decay = name, net, peak, decay
        self._quick = torch.compile(net) if device().type == "cuda" else net
        self._optimiser = torch.optim.AdamW(net.parameters(), lr=peak, weight_decay=1e-2)
        self._mean = {key: values.detach().clone() for key, values in net.state_dict().items()}

    def learn(
        self,
        loss_of: Callable[[nn.Module, dict[str, Tensor], float], tuple[Tensor, dict[str, float]]],
        batch: dict[str, Tensor],
        done: float,
    ) -> dict[str, float]:
        """Take one step, when this share of all is done; return the figures to show."""
        rate = self._peak * min(1.0, done / _WARM) * 0.5 * (1 + np.cos(np.pi * done)) + 1e-6
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        loss, figures = loss_of(self._quick, batch, done)
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self._net.parameters(), 5.0)
        self._optimiser.step()
        with torch.no_grad():
            for key, values in self._net.state_dict().items():
                if values.is_floating_point():
                    self._mean[key].lerp_(values, 1 - self._decay)
                else:
                    self._mean[key].copy_(values)
        return figures

    def keep(self, work: Path, step: int, *, is_last: bool) -> None:
        """Keep the mean weights as `loop.averaged_weights` takes them; the last ones by their name alone."""
        mean = {f"module.{key}": values.cpu() for key, values in self._mean.items()}
        for name in [f"{self._name}-{step:06d}.pt"] + [f"{self._name}.pt"] * is_last:
            with replacing(work / name) as beside:
                torch.save({"averaged": mean, "step": step}, beside)
