"""Rebuild the shipped models from nothing, stage by stage; each stage resumes."""

from __future__ import annotations

import argparse
import math
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import torch
from torch import Tensor

from models.training import place
from models.training.at_once import AtOnceSize, learn_at_once
from models.training.calibration import pictures
from models.training.calibration.calibrate import Calibration
from models.training.calibration.pictures import CalibrationSize, HeldOutPictures
from models.training.calibration.risk import SureConfidence
from models.training.calibration.temperatures import Temperatures
from models.training.card import write_credits, write_figures, write_groups
from models.training.export import (
    export_finder,
    export_network,
    export_second,
    session_answers,
    write_reader,
)
from models.training.measure import ASKED_BELOW, Crop, Named, checkpoint_answers, groups, report
from models.training.networks.finder_data import finder_batches, finder_loss
from models.training.networks.loop import SAVE_EVERY_STEPS, averaged_weights, train
from models.training.networks.nets import FinderNet, ReaderNet, device, second_net
from models.training.networks.reader_data import (
    AS_DRAWN,
    FACES_ALONE,
    ONWARD,
    RESTYLED,
    reader_batches,
    reader_loss,
)
from models.training.place import PlaceSize, make_place_head
from models.training.scenes import corpus, families, real_photos
from models.training.shipped import between, normed_reader, shipped_reader, shipped_second
from vision.files import replacing
from vision.recognition.detector import TileDetector
from vision.recognition.model_store import model_file, open_model

SEED, ONWARD_SEED, SECOND_SEED = 2026, 2031, 2041
VERSION = "202611"
STAGES = ("render", "reader", "finder", "export", "calibrate", "place")
"""To export is to calibrate, too; alone, it calibrates the reader that is there again."""
SECOND = "second"
"""A stage that is run only when it is named, and wants a graphics card: the second network goes on learning,
and a finder learns beside it. The reader then wants to be calibrated again."""
FINDER_BATCH, READER_BATCH = 12, 128
_NORMED_BATCHES = 10
"""So many batches tell what the batch norms are to norm."""
BEFORE, SECOND_BEFORE = "before-onward.pt", "before-second.pt"
"""In the work folder: the reader and its second network as they were before they went on learning."""
LEARNED_SHARE = 0.75
"""A reader that went on learning ships so far from what it was towards what it became (decision 24)."""
CHOICE = 4
"""How many of the last checkpoints the reader is chosen from."""


@dataclass(frozen=True, slots=True)
class TrainingSize:
    """How much is rendered and how long each network is trained."""

    shards: int
    family_shards: int
    finder_cycles: tuple[int, ...]
    reader_cycles: tuple[int, ...]
    """Steps; the learning rate rises anew for each number."""
    onward_shards: int
    onward_steps: int
    """Of the reader that is there already."""
    second: AtOnceSize
    group_shards: int
    """Of each held-out group, to choose the reader by."""
    calibration: CalibrationSize
    place: PlaceSize


_AT_ONCE, _AT_ONCE_SMALL = AtOnceSize(12.5, 50, 1_500_000, 60_000), AtOnceSize(0.02, 2, 500, 40, 16, 2, 1)
FULL = TrainingSize(
    320, 80, (6000,), (5500, 2000, 2400), 740, 5000, _AT_ONCE, 4, pictures.FULL, place.FULL
)  # fmt: skip
SMALL = TrainingSize(1, 1, (4,), (4,), 1, 4, _AT_ONCE_SMALL, 1, pictures.SMALL, place.SMALL)


def rebuild(
    work: Path,
    models: Path | None,
    size: TrainingSize,
    stages: tuple[str, ...] = STAGES,
    real: Path | None = None,
    *,
    onward: bool = False,
) -> None:
    """Run the stages; what an earlier run has done is taken up.

    `pyramid-referee train` is the way in: it first writes the faces of the product's own tiles where the
    rendering looks for them (`printed_file`).

    Args:
        work: Where pictures and checkpoints lie.
        models: The folder that gets the models, each in a folder with VERSION; None: the shipped ones.
        size: How much is done.
        stages: Those of STAGES to run, and SECOND instead of the export.
        real: A folder of real photos that may be trained on; None: rendered pictures alone.
        onward: The shipped reader goes on learning, on new pictures, and the finder stays as it is.
    """
    torch.manual_seed(SEED)
    torch.set_num_threads(2)
    if "render" in stages:
        if real is not None:
            real_photos.take_in(real, work / "corpus")
        render_pictures(work / "corpus", *_what_is_rendered(size, stages, onward=onward))
    _train_networks(work, size, stages, onward=onward)
    models = models or Path(__file__).parents[1]
    if SECOND in stages:
        train_second(work, size.second)
        make_second(work, models, size)
    if "export" in stages:
        export(work, models, size)
    elif "calibrate" in stages:
        calibrate_again(work, models, size)
    if "place" in stages:
        make_place_head(work, models / f"reader_{VERSION}", models / f"place_{VERSION}", size.place)


def _train_networks(work: Path, size: TrainingSize, stages: tuple[str, ...], *, onward: bool) -> None:
    """Train the reader, from nothing or onward, and the finder, as far as they are among the stages."""
    if "reader" in stages and onward:
        train_onward(work, size.onward_steps)
    elif "reader" in stages:
        train_reader(work, size.reader_cycles)
    if "finder" in stages and not onward:
        train_finder(work, size.finder_cycles)


def _what_is_rendered(size: TrainingSize, stages: tuple[str, ...], *, onward: bool) -> tuple[int, int, int]:
    """Return how many shards of tables and of families, and their seed."""
    if SECOND in stages:
        return 1, 0, SECOND_SEED  # to norm by; all else is rendered while it learns
    shards, seed = (size.onward_shards, ONWARD_SEED) if onward else (size.shards, SEED)
    return shards, size.family_shards, seed


def printed_file(pictures: Path) -> Path:
    """Return where the product's own faces belong, for the pictures in a folder."""
    return pictures / "printed.npz"


def render_pictures(directory: Path, shards: int, family_shards: int, seed: int) -> None:
    """Render the tables and families that are missing, with progress on standard error."""
    for what, total, stream in (
        ("tables", shards, corpus.render(directory, seed, shards, workers=2)),
        ("families", family_shards, families.render(directory, seed, family_shards, workers=2)),
    ):
        for done in stream:
            if done % 10 == 0 or done == total:
                print(f"{what}: rendered {done} of {total} shards", file=sys.stderr, flush=True)


def _workers() -> int:
    """Return how many processes cut the crops: a graphics card waits for many."""
    return 1 if device().type == "cpu" else min(12, os.cpu_count() or 1)


def train_finder(work: Path, cycles: Sequence[int]) -> FinderNet:
    """Train the finder, or take up its checkpoint."""
    net: FinderNet = FinderNet().to(memory_format=torch.channels_last)
    pictures = work / "corpus"
    return train(
        "finder",
        net,
        lambda step: finder_batches(pictures, FINDER_BATCH, _workers(), 11 + step),
        finder_loss,
        directory=work,
        cycles=cycles,
        peak_rate=2e-3,
    )


def train_reader(work: Path, cycles: Sequence[int]) -> ReaderNet:
    """Train the reader, or take up its checkpoint. From the third cycle on it sees tiles restyled, too."""
    net: ReaderNet = ReaderNet().to(memory_format=torch.channels_last)
    pictures, as_drawn = work / "corpus", sum(cycles[:2])
    return train(
        "reader",
        net,
        lambda step: reader_batches(
            pictures, READER_BATCH, _workers(), 21 + step, AS_DRAWN if step < as_drawn else RESTYLED
        ),
        reader_loss,
        directory=work,
        cycles=cycles,
        peak_rate=2e-3,
    )


def train_onward(work: Path, steps: int) -> ReaderNet:
    """Let the shipped reader go on learning, or take up its checkpoint; it sees each picture about once."""
    pictures, parts = work / "corpus", math.ceil(steps / SAVE_EVERY_STEPS)
    net: ReaderNet = ReaderNet()
    if (work / BEFORE).exists():
        net.load_state_dict(torch.load(work / BEFORE, weights_only=True))
    else:
        net = normed_reader(shipped_reader(model_file("reader")), _crops(pictures))
        with replacing(work / BEFORE) as beside:
            torch.save(net.state_dict(), beside)
    net = net.to(memory_format=torch.channels_last)
    return train(
        "reader",
        net,
        lambda step: reader_batches(
            pictures, READER_BATCH, _workers(), 31 + step, ONWARD, (step // SAVE_EVERY_STEPS, parts)
        ),
        reader_loss,
        directory=work,
        cycles=(steps,),
        peak_rate=1e-3,
    )


def train_second(work: Path, size: AtOnceSize) -> None:
    """Let the shipped second network go on learning, and a finder learn from nothing, unless both have."""
    if all((work / f"{name}.pt").exists() for name in (SECOND, "finder")):
        return
    net = normed_reader(shipped_second(model_file(SECOND)), _crops(work / "corpus"))
    with replacing(work / SECOND_BEFORE) as beside:
        torch.save(net.state_dict(), beside)
    learn_at_once(work, net, FinderNet(), size)


def _crops(pictures: Path) -> Iterator[Tensor]:
    """Yield batches of crops as the reader learns from them, (n, 3, CROP_PX, CROP_PX) float32 RGB in 0..1."""
    for batch in islice(reader_batches(pictures, READER_BATCH, 0, ONWARD_SEED, FACES_ALONE), _NORMED_BATCHES):
        yield batch["crop"].float() / 255


def export(work: Path, models: Path, size: TrainingSize) -> None:
    """Write the trained networks as shipped models, calibrated, and the figures of their cards.

    A finder that was not trained here stays as it is.
    """
    finder, folder = models / f"finder_{VERSION}", models / f"reader_{VERSION}"
    held_out = HeldOutPictures(work / "held-out", size.calibration)
    if (work / "finder.pt").exists():
        export_finder(work / "finder.pt", held_out, finder)
    if real_photos.are_taken_in(work / "corpus"):
        for model in (finder, folder):
            write_credits(model / "README.md")
    crops = groups(work / "groups", size.group_shards, workers=2, pictures=[])
    net, steps = _learned(work, crops)
    calibration, sure = export_network(
        net,
        steps,
        held_out,
        TileDetector(open_model("finder", finder if finder.exists() else None)),
        folder,
        {},
    )
    write_figures(folder / "README.md", work, calibration, size.calibration)
    _write_groups(folder, crops, calibration, sure)


def make_second(work: Path, models: Path, size: TrainingSize) -> None:
    """Write what was trained as the second network of the reader that is in `models`, and the finder."""
    crops = groups(work / "groups", size.group_shards, workers=2, pictures=[])
    held_out = HeldOutPictures(work / "held-out", size.calibration)
    net, steps = averaged_weights(second_net(), best_reader(work, crops, SECOND))
    before = second_net()
    before.load_state_dict(torch.load(work / SECOND_BEFORE, weights_only=True))
    export_second(
        between(before, net, LEARNED_SHARE, _crops(work / "corpus")),
        steps,
        held_out,
        open_model("reader", models / f"reader_{VERSION}"),
        models / f"{SECOND}_{VERSION}",
    )
    export_finder(work / "finder.pt", held_out, models / f"finder_{VERSION}")


def _learned(work: Path, crops: Mapping[str, list[Crop]]) -> tuple[ReaderNet, int]:
    """Return the reader that was trained, and its steps; `crops` by held-out group choose it."""
    net, steps = averaged_weights(ReaderNet(), best_reader(work, crops))
    if (work / BEFORE).exists():
        before = ReaderNet()
        before.load_state_dict(torch.load(work / BEFORE, weights_only=True))
        net = between(before, net, LEARNED_SHARE, _crops(work / "corpus"))
    return net, steps


def calibrate_again(work: Path, models: Path, size: TrainingSize) -> None:
    """Calibrate the reader that is in `models` again, as it is when it is exported."""
    folder = models / f"reader_{VERSION}"
    reader = open_model("reader", folder)
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(shutil.copy(folder / "model.onnx", scratch))
        calibration, sure = write_reader(
            file,
            HeldOutPictures(work / "held-out", size.calibration),
            TileDetector(open_model("finder", models / f"finder_{VERSION}")),
            folder,
            {"steps": reader.manifest["steps"]},
        )
    crops = groups(work / "groups", size.group_shards, workers=2, pictures=[])
    _write_groups(folder, crops, calibration, sure)


def _write_groups(
    folder: Path, crops: Mapping[str, list[Crop]], calibration: Calibration, sure: SureConfidence
) -> None:
    """Write the figures of held-out groups into the reader's card, and show them."""
    answers = session_answers(folder / "model.onnx")
    named = {
        group: Named.by(answers, each, calibration.temperatures, sure.threshold)
        for group, each in crops.items()
    }
    write_groups(folder / "README.md", named, sure)
    for name, value in calibration.figures.items():
        print(f"held out, {name}: {value:.4f}", file=sys.stderr)
    print("\n".join(report(named)), file=sys.stderr)


def best_reader(work: Path, crops: Mapping[str, list[Crop]], name: str = "reader") -> Path:
    """Return the checkpoint whose worst held-out group of artists is read best; `crops` by group."""

    def worst(checkpoint: Path) -> float:
        answers = checkpoint_answers(checkpoint, of_second=name == SECOND)
        return min(
            Named.by(answers, each, Temperatures(1, 1), ASKED_BELOW).figures()["right"]
            for each in crops.values()
        )

    kept = sorted(work.glob(f"{name}-*.pt"))[-CHOICE:]
    shares = {checkpoint: worst(checkpoint) for checkpoint in kept}
    for checkpoint, share in shares.items():
        print(f"{checkpoint.stem}: {share:.1%} of the worst group right", file=sys.stderr)
    return max(kept, key=lambda checkpoint: shares[checkpoint])


def main() -> None:
    """Run the stages named on the command line (all by default)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "stages", nargs="*", metavar="STAGE", help=f"of {', '.join(STAGES)} (all by default) and {SECOND}"
    )
    parser.add_argument("--work", type=Path, default=Path("training-work"))
    parser.add_argument("--out", type=Path, help="folder for the models (default: over the shipped ones)")
    parser.add_argument("--real", type=Path, metavar="DIR", help="real photos that may be trained on")
    parser.add_argument("--onward", action="store_true", help="the shipped reader goes on learning")
    parser.add_argument("--small", action="store_true", help="a run that only shows that all of it works")
    arguments = parser.parse_args()
    if unknown := set(arguments.stages) - {*STAGES, SECOND}:
        parser.error(f"there is no stage {sorted(unknown)[0]!r}")
    if SECOND in arguments.stages and not arguments.small and device().type == "cpu":
        parser.error(f"{SECOND} wants a graphics card, and torch sees none here")
    if SECOND in arguments.stages and arguments.out:
        parser.error(f"{SECOND} belongs to the shipped reader: leave --out out")
    rebuild(
        arguments.work,
        arguments.out,
        SMALL if arguments.small else FULL,
        tuple(arguments.stages or STAGES),
        arguments.real,
        onward=arguments.onward,
    )


if __name__ == "__main__":
    main()
