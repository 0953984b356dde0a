"""Reader batches and loss: crops of the rendered pictures, cut as the finder would, sometimes wrongly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from models.training.networks.nets import CROP_PX, FACE_SHARE, short_numbers
from models.training.networks.restyle import restyled
from models.training.rendering.faces import COLOURS
from models.training.rendering.glyphs import WEIGHTS
from models.training.scenes import families
from models.training.scenes.corpus import TrainingPicture, TrainingTile, read_shard
from vision.imaging.arrays import ImageU8
from vision.imaging.geometry import Points
from vision.imaging.rectify import crop_corners, upright_crop

_HIDDEN, _TILE, _TINTED, _COVERED, _READABLE = 0.03, 0.15, 0.5, 0.88, 0.9
"""Shares of a face that must be seen: below the first it is no tile to the eye, from the second on it is one;
from the third on it has a colour, below the fourth it counts as covered, from the last on it has a weight."""
_BESIDE = ((1, 0), (-1, 0), (0.5, 1), (-0.5, 1), (0.5, -1), (-0.5, -1))
LIKENESS_SCALE = 18.0
"""Cosines of embeddings times this are the logits of likeness."""
RARE = {1: 1.5, 7: 1.5, 200: 1.5}
"""Weights of few tiles count for more, or they would be learned last."""
MAP = CROP_PX // 8
"""Cells along a side of the map that says by place what a number is."""
_TARGET = crop_corners(CROP_PX, FACE_SHARE)


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """What the batches of a part of the training hold, beside crops of tables."""

    families: int = 0
    """Families of close-ups in a batch."""
    restyled: float = 0.0
    """The share of readable tiles of tables that are drawn in another style (`restyle`)."""
    unread: float = 1.0
    """The share that is kept of crops of which no weight can be learned: turned, covered, or no tile."""


ALL_CROPS = BatchPlan()
AS_DRAWN, RESTYLED, ONWARD = BatchPlan(2), BatchPlan(1, 0.5), BatchPlan(1, 0.5, 0.3)
"""Five crops in eight have no weight: what is covered or none is learned soon, the digits are not."""
FACES_ALONE = BatchPlan(0, 0.5, 0.3)
"""To norm a network by, which names codes and knows nothing of likeness."""
_UNREAD = 0.25
"""The share of such crops that the second network sees: it names codes and knows nothing else."""

ALL_SHARDS = (0, 1)
"""The first of one part: all there are."""

Sample = dict[str, NDArray[Any]]
"""A crop with its targets, by name."""


def jittered(rng: np.random.Generator, quad: Points, strength: float) -> Points:
    """Return a quad as a finder might report it."""
    middle = quad.mean(axis=0)
    side = np.sqrt(abs(cv2.contourArea(quad)))
    angle, scale = rng.normal(0, np.radians(2.5)) * strength, np.exp(rng.normal(0, 0.035) * strength)
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    moved = (quad - middle) @ turn.T + middle + rng.normal(0, 0.03, 2) * side * strength
    return np.asarray(moved + rng.normal(0, 0.018, (4, 2)) * side * strength, np.float32)


def reader_sample(
    rng: np.random.Generator, image: ImageU8, quad: Points, tile: TrainingTile | None
) -> Sample:
    """Return one crop with targets; without `tile` it is a picture of something else."""
    up = int(rng.integers(1, 4)) if rng.random() < 0.25 else 0
    strength = float(rng.choice([1.0, 2.0], p=[0.85, 0.15]))
    guess = np.roll(jittered(rng, quad, strength), -up, axis=0)
    crop = upright_crop(image, guess, CROP_PX, FACE_SHARE)
    sample: Sample = {
        "up": np.array(-1, np.int64),
        "weight": np.array(-1, np.int64),
        "colour": np.array(-1, np.int64),
        "tile": np.array(tile is not None, np.float32),
        "covered": np.array(-1, np.float32),
        "corners": np.zeros(8, np.float32),
        "places": np.full((MAP, MAP), -1, np.int64),
        "family": np.array(-1, np.int64),
        "member": np.array(-1, np.int64),
    }
    if tile is None:
        sample["places"][:] = 13
    else:
        to_crop = np.asarray(cv2.getPerspectiveTransform(guess, _TARGET), np.float64)
        seen = cv2.perspectiveTransform(np.roll(quad, -up, axis=0)[None].astype(np.float32), to_crop)[0]
        sample["corners"] = ((seen - _TARGET) / (CROP_PX * FACE_SHARE)).ravel().astype(np.float32)
        sample["covered"] = np.array(tile.visible < _COVERED, np.float32)
        if tile.visible > _READABLE:
            sample["up"] = np.array(up, np.int64)
        if tile.code and tile.visible > _TINTED and (tile.code[0] != "M" or tile.visible > _READABLE):
            sample["colour"] = np.array(COLOURS.index(tile.code[0]), np.int64)
        if tile.code and tile.visible > _READABLE and up == 0:
            sample["weight"] = np.array(WEIGHTS.index(int(tile.code[1:])), np.int64)
            if tile.numerals:
                _mark_places(sample["places"], tile, quad, to_crop, int(sample["weight"]))
    if rng.random() < 0.3:
        gain = np.exp(rng.normal(0, 0.12, 3)).astype(np.float32) * float(np.exp(rng.normal(0, 0.15)))
        crop = np.clip(crop * gain, 0, 255).astype(np.uint8)
    sample["crop"] = crop[:, :, ::-1].transpose(2, 0, 1).copy()
    return sample


def _mark_places(
    places: NDArray[np.int64], tile: TrainingTile, quad: Points, to_crop: NDArray[np.float64], weight: int
) -> None:
    """Write the weight into the cells at each numeral's middle, none (13) far off; leave the rest open."""
    face = cv2.getPerspectiveTransform(
        np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32), quad.astype(np.float32)
    )
    places[:] = 13
    ys, xs = np.mgrid[0:MAP, 0:MAP].astype(np.float32)
    for x, y, wide, high, upright in tile.numerals:
        at = cv2.perspectiveTransform(
            cv2.perspectiveTransform(np.array([[[x, y]]], np.float32), face), to_crop
        )[0, 0]
        cell = (at + 0.5) / 8 - 0.5
        reach_x, reach_y = (
            max(0.8, wide * FACE_SHARE * MAP * 0.75),
            max(0.8, high * FACE_SHARE * MAP * 0.75),
        )
        near = ((xs - cell[0]) / reach_x) ** 2 + ((ys - cell[1]) / reach_y) ** 2 < 1.3
        places[near & (places == 13)] = -1
        if upright:
            core = (np.abs(xs - cell[0]) <= 0.55) & (np.abs(ys - cell[1]) <= 0.55)
            places[core] = weight


def _samples(rng: np.random.Generator, picture: TrainingPicture) -> Iterator[Sample]:
    image = picture.image
    height, width = image.shape[:2]
    quads = [tile.quad_px for tile in picture.tiles if tile.visible >= _HIDDEN]
    for tile in picture.tiles:
        if tile.visible > _TILE:
            yield reader_sample(rng, image, tile.quad_px, tile)
    others: list[tuple[NDArray[np.floating], float]] = [
        (quad, -1.0) for quad in picture.decoys_px if rng.random() < 0.7
    ]
    # What hides a whole tile is no tile, but it lies over a place where one may be.
    others.extend((tile.quad_px, 1.0) for tile in picture.tiles if tile.visible < _HIDDEN)
    nothing_over = all(tile.visible > _READABLE for tile in picture.tiles)
    for quad in quads:
        if rng.random() < 0.16:
            edges = np.array([quad[1] - quad[0], quad[3] - quad[0]])
            angle = rng.uniform(0, 2 * np.pi)
            shift = (edges.T @ [np.cos(angle), np.sin(angle)]) * rng.uniform(0.42, 0.6)
            others.append((quad + shift, -1.0))
    for quad in quads:
        if rng.random() < 0.25:
            # A hole in the pyramid has the neighbours of a tile but not its face.
            across, down = _BESIDE[rng.integers(len(_BESIDE))]
            hole = quad + across * (quad[1] - quad[0]) + down * (quad[3] - quad[0])
            others.append((hole, 0.0 if nothing_over else -1.0))
    if rng.random() < 0.8 and quads:
        size = quads[0] - quads[0].mean(axis=0)
        others.append((size * rng.uniform(0.6, 1.6) + rng.uniform([0, 0], [width, height]), -1.0))
    for quad, covered in others:
        quad = quad.astype(np.float32)
        middle, side = quad.mean(axis=0), np.sqrt(abs(cv2.contourArea(quad)))
        inside = side > 12 and 0 < middle[0] < width and 0 < middle[1] < height and np.abs(quad).max() < 3000
        if inside and all(np.hypot(*(other.mean(axis=0) - middle)) > 0.4 * side for other in quads):
            sample = reader_sample(rng, image, quad, None)
            sample["covered"] = np.array(covered, np.float32)
            yield sample


def readable_crops(rng: np.random.Generator, picture: TrainingPicture) -> list[Sample]:
    """Return the crops of a picture of which a weight can be learned, and a few of the others."""
    return [sample for sample in _samples(rng, picture) if sample["weight"] >= 0 or rng.random() < _UNREAD]


class ReaderCrops(IterableDataset):
    """An endless stream of crops from the shards of a directory, mixed through a pool."""

    def __init__(
        self,
        directory: Path,
        seed: int,
        plan: BatchPlan = ALL_CROPS,
        pool: int = 1500,
        part: tuple[int, int] = ALL_SHARDS,
    ) -> None:
        """Stream from `directory`; `seed` sets the order, `pool` how far crops of one picture are spread."""
        self._plan = plan
        self._paths = _part_of(directory, "shard_*.npz", part)
        self._seed = seed
        self._pool = pool

    def __iter__(self) -> Iterator[Sample]:
        """Yield crops with their targets, without end."""
        cv2.setNumThreads(1)
        rng = np.random.default_rng([self._seed, 0])
        pool: list[Sample] = []
        while True:
            for index in rng.permutation(len(self._paths)):
                for picture in read_shard(self._paths[index]):
                    for sample in _samples(rng, picture):
                        if sample["weight"] < 0 and rng.random() >= self._plan.unread:
                            continue
                        if len(pool) < self._pool:
                            pool.append(sample)
                            continue
                        place = int(rng.integers(self._pool))
                        yield self._perhaps_restyled(rng, pool, place)
                        pool[place] = sample

    def _perhaps_restyled(self, rng: np.random.Generator, pool: list[Sample], place: int) -> Sample:
        """Return a sample of the pool; some tiles that can be seen whole are drawn in another style."""
        sample = pool[place]
        if sample["weight"] < 0 or rng.random() >= self._plan.restyled:
            return sample
        crop, other = (
            np.ascontiguousarray(each["crop"].transpose(1, 2, 0)[:, :, ::-1])
            for each in (sample, pool[int(rng.integers(self._pool))])
        )
        crop, keeps_colour = restyled(rng, crop, other)
        sample["crop"] = crop[:, :, ::-1].transpose(2, 0, 1).copy()
        if not keeps_colour:
            sample["colour"] = np.array(-1, np.int64)
        return sample


def _part_of(directory: Path, pattern: str, part: tuple[int, int]) -> list[Path]:
    """Return the files of one part; all of them where there are fewer than parts."""
    paths = sorted(directory.glob(pattern))
    number, parts = part
    return paths[number::parts] if len(paths) >= parts else paths


def family_crops(directory: Path, seed: int, part: tuple[int, int] = ALL_SHARDS) -> Iterator[list[Sample]]:
    """Yield without end the crops of one family of close-ups after the other, with family 0."""
    paths = _part_of(directory, "families_*.npz", part)
    rng = np.random.default_rng([seed, 1])
    while True:
        for index in rng.permutation(len(paths)):
            for family in families.read_shard(paths[index]):
                crops = []
                for member, close_ups in enumerate(family):
                    for close_up in close_ups:
                        tile = TrainingTile(close_up.code, close_up.quad_px, 1.0, True, ())
                        sample = reader_sample(rng, close_up.image, close_up.quad_px, tile)
                        # A crop that is turned says nothing about likeness.
                        sample["family"] = np.array(0 if sample["up"] == 0 else -1, np.int64)
                        sample["member"] = np.array(member, np.int64)
                        crops.append(sample)
                yield crops


class _Batches(IterableDataset):
    """Whole batches: `batch` crops of tables, and what a plan says."""

    def __init__(
        self, directory: Path, batch: int, seed: int, plan: BatchPlan, part: tuple[int, int]
    ) -> None:
        self._directory, self._batch, self._seed, self._plan = directory, batch, seed, plan
        self._part = part

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        cv2.setNumThreads(1)
        worker = get_worker_info()
        seed = self._seed + 1000 * (worker.id if worker else 0)
        crops = iter(ReaderCrops(self._directory, seed, self._plan, part=self._part))
        close_ups = family_crops(self._directory, seed, self._part)
        while True:
            samples = [next(crops) for _ in range(self._batch)]
            for number in range(self._plan.families):
                for sample in next(close_ups):
                    if sample["family"] == 0:
                        sample["family"] = np.array(number, np.int64)
                    samples.append(sample)
            yield {key: torch.from_numpy(np.stack([s[key] for s in samples])) for key in samples[0]}


def reader_batches(
    directory: Path,
    batch: int,
    workers: int,
    seed: int,
    plan: BatchPlan,
    part: tuple[int, int] = ALL_SHARDS,
) -> Iterator[dict[str, Tensor]]:
    """Return an endless stream of reader batches.

    Args:
        directory: Where the shards lie.
        batch: Crops of tables in each.
        workers: How many processes cut them; 0: this one.
        seed: Sets their order.
        plan: What else the batches hold.
        part: Which of how many equal parts of the shards they come from, counted from 0.
    """
    # A forked worker would inherit OpenCV's thread pool without its threads and wait for them for ever.
    context = "spawn" if workers else None
    ahead = 6 if workers else None
    stream = _Batches(directory, batch, seed, plan, part)
    return iter(
        DataLoader(stream, None, num_workers=workers, prefetch_factor=ahead, multiprocessing_context=context)
    )


def likeness_loss(embedding: Tensor, family: Tensor, member: Tensor) -> tuple[Tensor, float]:
    """Return how badly tiles are told apart by one other view of each, and the share told right.

    Each view of a tile is named by its nearest among one view of every tile of its family, as an enrolled
    set would: cross-entropy of cosines times LIKENESS_SCALE.
    """
    losses, right = [], []
    # What stands for what is worked out beside the network, wherever that runs.
    where, family, member = embedding.device, family.cpu(), member.cpu()
    for number in range(int(family.max()) + 1):
        own = torch.nonzero(family == number)[:, 0]
        names = member[own]
        likeness = LIKENESS_SCALE * embedding[own] @ embedding[own].T
        # Of every tile one view, drawn anew, stands for it; the others are to be named.
        order = torch.randperm(len(own))
        first = {int(names[place]): int(place) for place in order}
        examples = torch.tensor(list(first.values()))
        asked = torch.tensor([place for place in range(len(own)) if first[int(names[place])] != place])
        if len(examples) < 2 or not len(asked):
            continue
        target = (names[asked][:, None] == names[examples][None]).float().argmax(1)
        logits, target = likeness[asked][:, examples], target.to(where)
        losses.append(nn.functional.cross_entropy(logits, target))
        right.append((logits.argmax(1) == target).float().mean().item())
    if not losses:
        return embedding.sum() * 0, 0.0
    return torch.stack(losses).mean(), float(np.mean(right))


def reader_loss(
    net: nn.Module, batch: dict[str, Tensor], share_done: float
) -> tuple[Tensor, dict[str, float]]:
    """Return the loss of one batch: all that the reader answers, and how well it tells tiles apart."""
    crop = (batch["crop"].float() / 255).to(memory_format=torch.channels_last)
    with short_numbers(crop.device):
        answers = net(crop)
    weight, colour, tile, covered, up, corners, embedding, places = (part.float() for part in answers)
    rare = torch.tensor([RARE.get(value, 1.0) for value in WEIGHTS], device=crop.device)
    by_weight = _entropy_of_known(weight, batch["weight"], rare)
    by_colour = _entropy_of_known(colour, batch["colour"])
    by_up = _entropy_of_known(up, batch["up"])
    share = torch.full((14,), 1.0, device=crop.device)
    share[13] = 0.15
    by_place = nn.functional.cross_entropy(places, batch["places"], weight=share, ignore_index=-1)
    is_tile = nn.functional.binary_cross_entropy_with_logits(tile[:, 0], batch["tile"])
    real = batch["tile"] > 0
    at_corners = (corners - batch["corners"]).abs()[real].mean()
    seen = batch["covered"] >= 0
    is_covered = nn.functional.binary_cross_entropy_with_logits(covered[seen, 0], batch["covered"][seen])
    likeness, told_apart = likeness_loss(embedding, batch["family"], batch["member"])
    loss = (
        by_weight
        + by_place
        + by_colour
        + 0.5 * by_up
        + is_tile
        + 0.5 * is_covered
        + 4 * at_corners
        + likeness
    )
    return loss, {
        "loss": loss.item(),
        "weight": _right_of_known(weight, batch["weight"]),
        "colour": _right_of_known(colour, batch["colour"]),
        "tile": is_tile.item(),
        "covered": is_covered.item(),
        "alike": told_apart,
        "corner": at_corners.item(),
    }


def _entropy_of_known(logits: Tensor, target: Tensor, share: Tensor | None = None) -> Tensor:
    """Return the cross-entropy where the target is known, which is 0 or more; `share`: how classes count."""
    if not (target >= 0).any():
        return logits.sum() * 0
    return nn.functional.cross_entropy(logits, target, share, ignore_index=-1, label_smoothing=0.01)


def _right_of_known(logits: Tensor, target: Tensor) -> float:
    """Return the share that is told right of what is known."""
    return float((logits.argmax(1) == target)[target >= 0].float().mean().item())
