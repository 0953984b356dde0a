"""The place head: what a place shows, and whether that is the same as before, from the reader's features."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset

from models.training.networks.nets import (
    CROP_PX,
    FACE_SHARE,
    FEATURES,
    ReaderNet,
    pooled_features,
    short_numbers,
)
from models.training.networks.reader_data import jittered
from models.training.scenes import place_pairs
from models.training.scenes.place_pairs import OPEN, PATCH_PX, PlacePair
from vision.imaging.rectify import crop_corners, upright_crop
from vision.tracking.place_head import STATES

_WITHOUT_BEFORE = 0.2
"""The share of places of which no earlier picture is known, as when the app has just started."""
_POOL = 3000
_PLACE = crop_corners(PATCH_PX, place_pairs.FACE_SHARE)
_VISIBLE = (STATES.index("tile"), STATES.index("table"))


class PlaceHead(nn.Module):
    """The features of a place now and before in; its state, and whether it shows the same, out.

    Inputs `now` and `before` (N, *FEATURES); zeros where there is no earlier picture. Outputs: state
    (N, 4) logits in the order of STATES, same (N, 1) logit.
    """

    def __init__(self) -> None:
        """Make the layers, 71 thousand parameters."""
        super().__init__()
        self.joined = nn.Sequential(
            nn.Conv2d(4 * FEATURES[0], 64, 1, bias=False),
            nn.BatchNorm2d(64),
            nn.ReLU(True),
            nn.Conv2d(64, 64, 3, 1, 1, bias=False),
            nn.BatchNorm2d(64),
            nn.ReLU(True),
        )
        self.state = nn.Linear(128, len(STATES))
        self.same = nn.Linear(128, 1)

    def forward(self, now: Tensor, before: Tensor) -> tuple[Tensor, Tensor]:
        """Return the answers, as the class says."""
        maps = self.joined(torch.cat([now, before, now - before, now * before], 1))
        pooled = torch.cat([maps.mean((2, 3)), maps.amax((2, 3))], 1)
        return self.state(pooled), self.same(pooled)


def pair_sample(rng: np.random.Generator, pair: PlacePair, strength: float) -> dict[str, np.ndarray]:
    """Return the crops of a pair, cut as far off as `strength` says, with their labels."""
    quad = jittered(rng, _PLACE, strength)
    now, before = (
        upright_crop(patch, quad, CROP_PX, FACE_SHARE)[:, :, ::-1].transpose(2, 0, 1).copy()
        for patch in (pair.now, pair.before)
    )
    is_known = rng.random() >= _WITHOUT_BEFORE or strength == 0
    sees_both = is_known and pair.state_now in _VISIBLE and pair.state_before in _VISIBLE
    return {
        "now": now,
        "before": before,
        "is_known": np.array(is_known, np.float32),
        "state_now": np.array(pair.state_now, np.int64),
        "state_before": np.array(pair.state_before if is_known else OPEN, np.int64),
        # Whether a tile under a hand is still the same nobody can see.
        "same": np.array(float(pair.is_same) if sees_both else OPEN, np.float32),
    }


class _Pairs(IterableDataset):
    """Batches of pairs from the shards of a directory, without end, mixed through a pool."""

    def __init__(self, directory: Path, batch: int, seed: int) -> None:
        self._paths = sorted(directory.glob("places_*.npz"))
        self._batch, self._seed = batch, seed

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        cv2.setNumThreads(1)
        rng = np.random.default_rng([self._seed, 3])
        pool: list[PlacePair] = []
        while True:
            for index in rng.permutation(len(self._paths)):
                pool.extend(place_pairs.read_shard(self._paths[index]))
                while len(pool) >= max(self._batch, _POOL // 2):
                    drawn = [pool.pop(int(rng.integers(len(pool)))) for _ in range(self._batch)]
                    samples = [pair_sample(rng, pair, 0.7) for pair in drawn]
                    yield {key: torch.from_numpy(np.stack([s[key] for s in samples])) for key in samples[0]}


def place_batches(directory: Path, batch: int, seed: int) -> Iterator[dict[str, Tensor]]:
    """Return an endless stream of batches of pairs."""
    stream = _Pairs(directory, batch, seed)
    return iter(DataLoader(stream, None, num_workers=1, prefetch_factor=6, multiprocessing_context="spawn"))


def place_loss(
    reader: ReaderNet, head: nn.Module, batch: dict[str, Tensor]
) -> tuple[Tensor, dict[str, float]]:
    """Return the loss of one batch of pairs; the reader only gives the features."""
    with torch.no_grad(), short_numbers(batch["now"].device):
        now, before = (pooled_features(reader.maps(batch[name].float() / 255)) for name in ("now", "before"))
    now, before = now.float(), before.float() * batch["is_known"][:, None, None, None]
    state, same = head(now, before)
    state_before, same_before = head(before, now)
    entropy = nn.functional.cross_entropy
    loss = entropy(state, batch["state_now"], ignore_index=OPEN)
    if (batch["state_before"] != OPEN).any():
        loss = loss + entropy(state_before, batch["state_before"], ignore_index=OPEN)
    seen = batch["same"] != OPEN
    if seen.any():
        for logits in (same, same_before):
            loss = loss + 0.5 * nn.functional.binary_cross_entropy_with_logits(
                logits[seen, 0], batch["same"][seen]
            )
    known = batch["state_now"] != OPEN
    return loss, {
        "loss": loss.item(),
        "state": (state.argmax(1) == batch["state_now"])[known].float().mean().item(),
        "same": ((same[seen, 0] > 0) == (batch["same"][seen] > 0)).float().mean().item() if seen.any() else 1,
    }
