"""A training loop that shows its progress, saves as it goes and resumes where it stopped."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import torch
from torch import Tensor, nn

from models.training.networks.nets import device
from models.training.networks.weights import read_weights
from vision.files import replacing

SAVE_EVERY_STEPS = 250
"""At each of these steps the batches and the randomness start afresh from a seed of the step's own, so that
a training that was interrupted goes on to the same network as one that was not."""


KEEP_EVERY_STEPS = 1000
"""At each of these steps, and at the end, the averaged weights are kept to choose from."""
_SEED = 2026
Net = TypeVar("Net", bound=nn.Module)


def _learning_rate(step: int, cycles: Sequence[int], peak: float) -> float:
    highest = peak
    for steps in cycles[:-1]:
        if step < steps:
            break
        cycles, step, highest = cycles[1:], step - steps, peak / 2
    warm = min(1.0, (step + 1) / 200)
    return highest * warm * (0.5 + 0.5 * math.cos(math.pi * min(1.0, step / cycles[0]))) + 1e-6


def train(
    name: str,
    net: Net,
    batches: Callable[[int], Iterator[dict[str, Tensor]]],
    loss_of: Callable[[nn.Module, dict[str, Tensor], float], tuple[Tensor, dict[str, float]]],
    *,
    directory: Path,
    cycles: Sequence[int],
    peak_rate: float,
    start: Path | None = None,
    until: int | None = None,
) -> Net:
    """Train `net` and return it; a checkpoint in `directory` is taken up again.

    Args:
        name: What is trained; names the checkpoint and the progress line.
        net: The network.
        batches: Gives an endless stream of batches from a step on; another one for each step.
        loss_of: Net, batch and share of the training done to the loss and the figures to show.
        directory: Where the checkpoint and the log lie.
        cycles: How many steps; with several numbers, the learning rate rises and falls anew after each.
        peak_rate: Highest learning rate; it rises over 200 steps and falls as a cosine. Each cycle after the
            first has half of it.
        start: A file of `write_weights` to begin with where there is no checkpoint; None: begin with nothing.
        until: Stop before this step, at a checkpoint, to be taken up again; None: go on to the end.
    """
    directory.mkdir(parents=True, exist_ok=True)
    steps = sum(cycles)
    checkpoint = directory / f"{name}.pt"
    where = device()
    net.to(where)
    optimiser = torch.optim.AdamW(net.parameters(), lr=peak_rate, weight_decay=1e-2)
    averaged = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    step, minutes = 0, 0.0
    if checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=True, map_location=where)
        net.load_state_dict(saved["net"])
        averaged.load_state_dict(saved["averaged"])
        optimiser.load_state_dict(saved["optimiser"])
        step, minutes = saved["step"], saved["minutes"]
    elif start is not None:
        step = read_weights(net, start)
        averaged.module.load_state_dict(net.state_dict())
        averaged.n_averaged.fill_(1)  # else the first step would be copied in their place
    net.train()
    started = time.monotonic()
    shown: dict[str, float] = {}
    stream: Iterator[dict[str, Tensor]] | None = None

    def save() -> None:
        with replacing(checkpoint) as beside:
            torch.save(
                {
                    "net": net.state_dict(),
                    "averaged": averaged.state_dict(),
                    "optimiser": optimiser.state_dict(),
                    "step": step,
                    "minutes": minutes + (time.monotonic() - started) / 60,
                },
                beside,
            )

    while step < (steps if until is None else until):
        if stream is None or step % SAVE_EVERY_STEPS == 0:
            torch.manual_seed(_SEED + step)
            stream = None  # ends its worker before the next one starts
            stream = batches(step)
        for group in optimiser.param_groups:
            group["lr"] = _learning_rate(step, cycles, peak_rate)
        batch = {key: values.to(where, non_blocking=True) for key, values in next(stream).items()}
        loss, figures = loss_of(net, batch, step / steps)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        averaged.update_parameters(net)
        step += 1
        for key, value in figures.items():
            shown[key] = 0.98 * shown.get(key, value) + 0.02 * value
        spent = minutes + (time.monotonic() - started) / 60
        _show(name, step, steps, spent, shown)
        if step % KEEP_EVERY_STEPS == 0 or step == steps:
            with replacing(directory / f"{name}-{step:06d}.pt") as beside:
                torch.save({"averaged": averaged.state_dict(), "step": step}, beside)
        if step % SAVE_EVERY_STEPS == 0 or step == steps:
            save()
            rounded = {key: round(value, 4) for key, value in shown.items()}
            with open(directory / f"{name}.log.jsonl", "a", encoding="utf-8") as log:
                log.write(json.dumps({"step": step, "minutes": round(spent, 1), **rounded}) + "\n")
    averaged.eval()
    trained: Net = averaged.module
    return trained


def _show(name: str, step: int, steps: int, spent_minutes: float, shown: dict[str, float]) -> None:
    """Print how far a training is: often to a person, seldom to a file."""
    to_person = sys.stderr.isatty()
    if step != steps and step % (20 if to_person else 100):
        return
    left = (steps - step) * spent_minutes / step
    bar = "#" * (24 * step // steps)
    text = "  ".join(f"{key} {value:.3f}" for key, value in shown.items())
    end = "\r" if to_person else "\n"
    print(
        f"{name} [{bar:<24}] {step}/{steps}  {text}  {left:.0f} min left",
        end=end,
        file=sys.stderr,
        flush=True,
    )


def averaged_weights(net: nn.Module, checkpoint: Path) -> tuple[nn.Module, int]:
    """Return `net` with the averaged weights of a checkpoint, ready for use, and its steps."""
    saved = torch.load(checkpoint, weights_only=True, map_location="cpu")
    prefix = "module."
    net.load_state_dict(
        {key[len(prefix) :]: value for key, value in saved["averaged"].items() if key.startswith(prefix)}
    )
    return net.eval(), int(saved["step"])
