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
        until: Stop before this step, at a checkpoint, to be taken up again; None: go on to the end.
    """
    run = _Run(name, net, directory, peak_rate)
    steps = sum(cycles)
    net.train()
    stream = _seeded_anew(batches, run.step)
    while run.step < (steps if until is None else until):
        batch = {key: values.to(run.where, non_blocking=True) for key, values in next(stream).items()}
        loss, figures = loss_of(net, batch, run.step / steps)
        run.learn(loss, _learning_rate(run.step, cycles, peak_rate))
        run.show(figures, steps)
        if run.step % KEEP_EVERY_STEPS == 0 or run.step == steps:
            run.keep()
        if run.step % SAVE_EVERY_STEPS == 0 or run.step == steps:
            run.save()
    run.averaged.eval()
    trained: Net = run.averaged.module
    return trained


def _seeded_anew(
    batches: Callable[[int], Iterator[dict[str, Tensor]]], step: int
) -> Iterator[dict[str, Tensor]]:
    """Yield a batch for each step from this one on; they start afresh as `SAVE_EVERY_STEPS` says."""
    stream: Iterator[dict[str, Tensor]] | None = None
    while True:
        if stream is None or step % SAVE_EVERY_STEPS == 0:
            torch.manual_seed(_SEED + step)
            stream = None  # ends its worker before the next one starts
            stream = batches(step)
        yield next(stream)
        step += 1


class _Run:
    """A training as far as it is: the network, the mean of its weights, and where it is kept."""

    def __init__(self, name: str, net: nn.Module, directory: Path, peak_rate: float) -> None:
        """Take up the checkpoint, else begin."""
        directory.mkdir(parents=True, exist_ok=True)
        self._name, self._net, self._directory = name, net, directory
        self._checkpoint = directory / f"{name}.pt"
        self.where = device()
        net.to(self.where)
        self._optimiser = torch.optim.AdamW(net.parameters(), lr=peak_rate, weight_decay=1e-2)
        self.averaged = torch.optim.swa_utils.AveragedModel(
            net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
        )
        self.step, self._minutes = 0, 0.0
        if self._checkpoint.exists():
            saved = torch.load(self._checkpoint, weights_only=True, map_location=self.where)
            net.load_state_dict(saved["net"])
            self.averaged.load_state_dict(saved["averaged"])
            self._optimiser.load_state_dict(saved["optimiser"])
            self.step, self._minutes = saved["step"], saved["minutes"]
        self._started = time.monotonic()
        self._shown: dict[str, float] = {}

    def learn(self, loss: Tensor, rate: float) -> None:
        """Take one step against the loss."""
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._net.parameters(), 5.0)
        self._optimiser.step()
        self.averaged.update_parameters(self._net)
        self.step += 1

    def show(self, figures: dict[str, float], steps: int) -> None:
        """Show the figures, smoothed, and how far this is."""
        for key, value in figures.items():
            self._shown[key] = 0.98 * self._shown.get(key, value) + 0.02 * value
        _show(self._name, self.step, steps, self._spent_minutes(), self._shown)

    def keep(self) -> None:
        """Keep the averaged weights, to choose from."""
        with replacing(self._directory / f"{self._name}-{self.step:06d}.pt") as beside:
            torch.save({"averaged": self.averaged.state_dict(), "step": self.step}, beside)

    def save(self) -> None:
        """Write the checkpoint, to be taken up again, and a line of the log."""
        minutes = self._spent_minutes()
        with replacing(self._checkpoint) as beside:
            torch.save(
                {
                    "net": self._net.state_dict(),
                    "averaged": self.averaged.state_dict(),
                    "optimiser": self._optimiser.state_dict(),
                    "step": self.step,
                    "minutes": minutes,
                },
                beside,
            )
        rounded = {key: round(value, 4) for key, value in self._shown.items()}
        with open(self._directory / f"{self._name}.log.jsonl", "a", encoding="utf-8") as log:
            log.write(json.dumps({"step": self.step, "minutes": round(minutes, 1), **rounded}) + "\n")

    def _spent_minutes(self) -> float:
        return self._minutes + (time.monotonic() - self._started) / 60


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
