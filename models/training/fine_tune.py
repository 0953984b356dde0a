"""A better reader for one's own tiles: the shipped one learns captured pictures, mixed with rendered ones."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from models.training.calibration import pictures as held_out
from models.training.calibration.pictures import CalibrationSize, HeldOutPictures
from models.training.captured import Patch, Patches
from models.training.export import export_network, session_answers
from models.training.networks.nets import ReaderNet
from models.training.networks.reader_data import (
    AS_DRAWN,
    reader_batches,
    reader_loss,
    reader_sample,
)
from models.training.report import NamedTiles, write_report
from models.training.scenes import corpus, families
from models.training.scenes.corpus import TrainingTile
from models.training.shipped import shipped_reader
from vision.files import replacing
from vision.recognition.detector import TileDetector
from vision.recognition.model_store import Model, open_model

SEED = 5_102_026
RENDERED, CAPTURED = 64, 64
"""Crops of a batch; the close-ups of families come on top."""
RATE = 3e-4
CHECK_EVERY = 50
PATIENCE = 6
"""Checks without a better one after which the training ends."""
LEAST_TRAIN, LEAST_HELD_OUT = 45, 15
"""Confirmed tiles that must be there to train on, and in each part that is held out."""


@dataclass(frozen=True, slots=True)
class FineTuningSize:
    """How much is rendered beside the captured pictures, and how long is trained at most."""

    shards: int
    family_shards: int
    steps: int
    calibration: CalibrationSize


FULL = FineTuningSize(10, 4, 800, held_out.FULL)
SMALL = FineTuningSize(1, 1, 2, held_out.SMALL)


def fine_tune(
    patches: Patches, based_on: Model, model_file: Path, work: Path, out: Path, size: FineTuningSize
) -> Path:
    """Train, export into `out` and write its card; return the card. A checkpoint in `work` is taken up.

    Args:
        patches: The captured tiles, dealt into train, val and test.
        based_on: The reader that learns.
        model_file: Its ONNX file.
        work: Where rendered pictures and the checkpoint lie.
        out: The model folder to be written.
        size: How much is done.
    """
    torch.manual_seed(SEED)
    torch.set_num_threads(os.cpu_count() or 1)
    pictures = work / "corpus"
    for what, stream in (
        ("tables", corpus.render(pictures, SEED, size.shards, workers=2)),
        ("close-ups", families.render(pictures, SEED, size.family_shards, workers=2)),
    ):
        for done in stream:
            print(f"{what}: {done} rendered", file=sys.stderr, flush=True)
    before = NamedTiles.by(session_answers(model_file), patches.parts["test"], based_on.manifest)
    learner = shipped_reader(model_file)
    net, steps = _train(learner, patches, based_on.manifest, pictures, work / "fine-tune.pt", size.steps)
    calibration, _ = export_network(
        net, int(based_on.manifest["steps"]) + steps,
        HeldOutPictures(work / "held-out", size.calibration),
        TileDetector(open_model("finder")), out,
        {"based_on": based_on.manifest["sha256"], "captured": len(patches.parts["train"])},
    )  # fmt: skip
    manifest = {**based_on.manifest, "temperature": asdict(calibration.temperatures)}
    after = NamedTiles.by(session_answers(out / "model.onnx"), patches.parts["test"], manifest)
    return write_report(out / "README.md", patches, before, after, steps)


def _train(
    net: ReaderNet,
    patches: Patches,
    manifest: Mapping[str, Any],
    pictures: Path,
    checkpoint: Path,
    steps: int,
) -> tuple[ReaderNet, int]:
    """Return the network as it was when it named the held-out tiles best, and after how many steps."""
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=1e-2)
    step, best_step, since_best = 0, 0, 0
    best, least = _copied(net), _surprise(net, patches.parts["val"], manifest)
    if checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=True)
        net.load_state_dict(saved["net"])
        optimiser.load_state_dict(saved["optimiser"])
        best, step, best_step = saved["best"], saved["step"], saved["best_step"]
        least, since_best = saved["least"], saved["since_best"]
    stream = _batches(patches.parts["train"], pictures, step)
    started, first = time.monotonic(), step
    while step < steps and since_best < PATIENCE:
        loss = _learn(net, optimiser, next(stream), step, steps)
        step += 1
        if step % CHECK_EVERY == 0 or step == steps:
            surprise = _surprise(net, patches.parts["val"], manifest)
            since_best += 1
            if surprise < least:
                best, least, best_step, since_best = _copied(net), surprise, step, 0
            with replacing(checkpoint) as beside:
                torch.save(
                    {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "best": best, "step": step,
                     "best_step": best_step, "least": least, "since_best": since_best}, beside,
                )  # fmt: skip
        if step % 10 == 0 or step == steps:
            left = (steps - step) * (time.monotonic() - started) / (step - first) / 60
            _show(step, steps, f"loss {loss:.3f}  held out {least:.4f} (step {best_step})", left)
    net.load_state_dict(best)
    return net, best_step


def _learn(
    net: ReaderNet, optimiser: torch.optim.Optimizer, batch: dict[str, Tensor], step: int, steps: int
) -> float:
    """Take the step after so many of all; return the loss before it."""
    for group in optimiser.param_groups:
        group["lr"] = RATE * min(1.0, (step + 1) / 50) * (0.5 + 0.5 * np.cos(np.pi * step / steps))
    net.train()
    loss, figures = reader_loss(net, batch, step / steps)
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    optimiser.step()
    return figures["loss"]


def _show(step: int, steps: int, figures: str, left_min: float) -> None:
    """Print how far the training is."""
    bar = "#" * (24 * step // steps)
    print(
        f"[{bar:<24}] {step}/{steps}  {figures}  at most {left_min:.0f} min left",
        end="\r" if sys.stderr.isatty() else "\n",
        file=sys.stderr,
        flush=True,
    )


def _batches(patches: list[Patch], pictures: Path, step: int) -> Iterator[dict[str, Tensor]]:
    """Yield rendered batches with captured crops added; the captured set is one family more."""
    rendered = reader_batches(pictures, RENDERED, 1, SEED + step, AS_DRAWN)
    captured = _captured_samples(patches, AS_DRAWN.families, np.random.default_rng([SEED, step]))
    while True:
        batch = next(rendered)
        own = list(islice(captured, CAPTURED))
        yield {
            key: torch.cat([values, torch.from_numpy(np.stack([sample[key] for sample in own]))])
            for key, values in batch.items()
        }


def _captured_samples(
    patches: Sequence[Patch], family: int, rng: np.random.Generator
) -> Iterator[dict[str, np.ndarray]]:
    """Yield training samples of captured tiles without end, every code as often as every other.

    Args:
        patches: The tiles, at least one.
        family: The number of the set within a batch, for telling its tiles apart.
        rng: Draws tiles, and how badly each is cut.
    """
    by_code: dict[str, list[Patch]] = {}
    for patch in patches:
        by_code.setdefault(patch.code, []).append(patch)
    codes = sorted(by_code)
    while True:
        member = int(rng.integers(len(codes)))
        views = by_code[codes[member]]
        patch = views[int(rng.integers(len(views)))]
        tile = TrainingTile(patch.code, patch.quad_px, 1.0, True, ())
        sample = reader_sample(rng, patch.image(), patch.quad_px, tile)
        sample["family"] = np.array(family if sample["up"] == 0 else -1, np.int64)
        sample["member"] = np.array(member, np.int64)
        yield sample


def _copied(net: nn.Module) -> dict[str, Tensor]:
    return {key: value.detach().clone() for key, value in net.state_dict().items()}


def _surprise(net: ReaderNet, patches: list[Patch], manifest: Mapping[str, Any]) -> float:
    """Return the mean surprise at the weight and colour of tiles, as they are cut without jitter."""
    net.eval()

    def answers(crops: np.ndarray) -> list[np.ndarray]:
        with torch.no_grad():
            return [part.numpy() for part in net(torch.from_numpy(crops).float() / 255)]

    return NamedTiles.by(answers, patches, manifest).surprise
