"""Rebuild the shipped models from nothing: render, train finder and reader, export; each stage resumes."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch

from models.training import corpus, families
from models.training.card import write_figures
from models.training.export import export_finder, export_reader
from models.training.finder_data import finder_batches, finder_loss
from models.training.loop import train
from models.training.nets import FinderNet, ReaderNet
from models.training.reader_data import reader_batches, reader_loss

SEED = 2026
VERSION = "202611"
SHARDS, FAMILY_SHARDS = 440, 110
FINDER_STEPS, FINDER_BATCH = 3500, 12
READER_STEPS, READER_BATCH = 9000, 128


def render_pictures(directory: Path, shards: int) -> None:
    """Render the tables and families that are missing, with progress on standard error."""
    family_shards = max(1, shards * FAMILY_SHARDS // SHARDS)
    for what, total, stream in (
        ("tables", shards, corpus.render(directory, SEED, shards, workers=2)),
        ("families", family_shards, families.render(directory, SEED, family_shards, workers=2)),
    ):
        for done in stream:
            if done % 10 == 0 or done == total:
                print(f"{what}: rendered {done} of {total} shards", file=sys.stderr, flush=True)


def train_finder(work: Path, steps: int) -> FinderNet:
    """Train the finder, or take up its checkpoint."""
    net = FinderNet().to(memory_format=torch.channels_last)
    pictures = work / "corpus"
    return train(
        "finder",
        net,
        lambda step: finder_batches(pictures, FINDER_BATCH, 1),
        finder_loss,
        directory=work,
        steps=steps,
        peak_rate=2e-3,
    )


def train_reader(work: Path, steps: int) -> ReaderNet:
    """Train the reader, or take up its checkpoint."""
    net = ReaderNet().to(memory_format=torch.channels_last)
    pictures = work / "corpus"
    return train(
        "reader",
        net,
        lambda step: reader_batches(pictures, READER_BATCH, 1, 21 + step),
        reader_loss,
        directory=work,
        steps=steps,
        peak_rate=2e-3,
    )


def export(work: Path, models: Path) -> None:
    """Write both trained networks as shipped models, calibrated, and the figures of the reader's card."""
    export_finder(work / "finder.pt", work / "held-out", models / f"finder_{VERSION}")
    folder = models / f"reader_{VERSION}"
    calibration = export_reader(work / "reader.pt", work / "held-out", folder)
    write_figures(folder / "README.md", work, calibration)
    for name, value in calibration.figures.items():
        print(f"held out, {name}: {value:.4f}", file=sys.stderr)


def main() -> None:
    """Run the stages named on the command line (all by default)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stages", nargs="*", default=["render", "finder", "reader", "export"])
    parser.add_argument(
        "--work", type=Path, default=Path("training-work"), help="where pictures and checkpoints lie"
    )
    parser.add_argument("--shards", type=int, default=SHARDS)
    parser.add_argument("--finder-steps", type=int, default=FINDER_STEPS)
    parser.add_argument("--reader-steps", type=int, default=READER_STEPS)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.manual_seed(SEED)
    torch.set_num_threads(arguments.threads)
    if "render" in arguments.stages:
        render_pictures(arguments.work / "corpus", arguments.shards)
    if "finder" in arguments.stages:
        train_finder(arguments.work, arguments.finder_steps)
    if "reader" in arguments.stages:
        train_reader(arguments.work, arguments.reader_steps)
    if "export" in arguments.stages:
        export(arguments.work, Path(__file__).parents[1])


if __name__ == "__main__":
    main()
