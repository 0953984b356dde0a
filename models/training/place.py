"""The stage that trains the place head on a finished reader, and writes it as a model with its card."""

from __future__ import annotations

import json
import sys
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from models.training.calibration.sets import LEARNED
from models.training.card import place_lines
from models.training.export import write_model
from models.training.networks.loop import averaged_weights, train
from models.training.networks.nets import FEATURES, device
from models.training.networks.place_head import PlaceHead, pair_sample, place_batches, place_loss
from models.training.networks.whole_numbers import pixels_of
from models.training.rendering.artists.held_out import HELD_OUT
from models.training.scenes import place_pairs
from models.training.scenes.place_pairs import OPEN
from models.training.shipped import shipped_reader
from vision.files import replacing
from vision.recognition.assignment import log_softmax
from vision.tracking.place_head import STATES

SEED, HELD_OUT_SEED = 2_027, 8_802_026
_BATCH, _LOOKS_AT_ONCE = 128, 50
_TEMPERATURES = np.geomspace(0.4, 4.0, 60)


@dataclass(frozen=True, slots=True)
class PlaceSize:
    """How much is rendered, and how long the place head is trained."""

    shards: int
    """Of pairs to learn from."""
    pairs_per_shard: int
    steps: int
    held_out_pairs: int
    """Of each held-out group, and of the artists to learn from with another seed."""


FULL = PlaceSize(60, place_pairs.PAIRS_PER_SHARD, 2500, 600)
SMALL = PlaceSize(1, 30, 2, 5)


@dataclass(frozen=True, slots=True)
class JudgedPlaces:
    """What the place head says of n pairs of one group, and what is true."""

    logits: NDArray[np.float32]
    """(n, 4) of the state now."""
    same: NDArray[np.float32]
    """(n,) logits."""
    state: NDArray[np.int64]
    is_same: NDArray[np.float64]
    """(n,) 1 or 0, or OPEN where nobody can see it."""

    def rights(self) -> dict[str, tuple[float, int]]:
        """Return the share of right answers and how many were asked, for each state, and for `same`."""
        said = self.logits.argmax(axis=1)
        shares = {name: _share(said[self.state == index] == index) for index, name in enumerate(STATES)}
        seen = self.is_same != OPEN
        return {**shares, "same": _share((self.same[seen] > 0) == (self.is_same[seen] > 0))}


def _share(right: NDArray[np.bool_]) -> tuple[float, int]:
    return (float(right.mean()) if len(right) else float("nan"), len(right))


def make_place_head(work: Path, reader: Path, folder: Path, size: PlaceSize) -> None:
    """Train the place head on the reader in a model folder, and write it to `folder`; resumes.

    Args:
        work: Where pictures and checkpoints lie.
        reader: The folder of the reader whose features it takes.
        folder: The folder of the new model.
        size: How much is done.
    """
    pictures = work / f"places-{size.pairs_per_shard}"
    _share_materials(work / "corpus", pictures)
    for done in place_pairs.render(pictures, SEED, size.shards, workers=2, pairs=size.pairs_per_shard):
        print(f"pairs of places: rendered {done} of {size.shards} shards", file=sys.stderr, flush=True)
    body = shipped_reader(reader / "model.onnx").eval().to(device())
    train(
        "place",
        PlaceHead(),
        lambda step: place_batches(pictures, _BATCH, 31 + step),
        lambda head, batch, _: place_loss(body, head, batch),
        directory=work,
        cycles=(size.steps,),
        peak_rate=2e-3,
    )
    head, steps = averaged_weights(PlaceHead(), work / "place.pt")
    with tempfile.TemporaryDirectory() as scratch:
        file, held_out = Path(scratch) / "place.onnx", work / f"places-held-out-{size.held_out_pairs}"
        _to_onnx(head, file)
        judged = {
            group: _judged(reader / "model.onnx", file, held_out, group, size.held_out_pairs)
            for group in (LEARNED, *HELD_OUT)
        }
        temperature = _temperature(judged)
        write_model(file, folder, _manifest(reader, steps, temperature))
    rights = {group: each.rights() for group, each in judged.items()}
    with replacing(folder / "README.md") as beside:
        beside.write_text(
            "\n".join(place_lines(folder.name, rights, steps, temperature)) + "\n", encoding="utf-8"
        )


def _manifest(reader: Path, steps: int, temperature: float) -> dict[str, object]:
    """Return what the manifest says of the place head of the reader in a folder."""
    return {
        "task": "place",
        "steps": steps,
        "states": list(STATES),
        "temperature": temperature,
        "reader": json.loads((reader / "manifest.json").read_text(encoding="utf-8"))["sha256"],
        "inputs": {"now": [1, *FEATURES], "before": [1, *FEATURES]},
        "outputs": ["state", "same"],
    }


def _share_materials(corpus: Path, pictures: Path) -> None:
    """Let the pairs show the typefaces, printed faces and real tables of the other pictures."""
    pictures.mkdir(parents=True, exist_ok=True)
    for file in (*corpus.glob("typefaces.npz"), *corpus.glob("printed.npz"), *corpus.glob("surfaces.npz")):
        if not (pictures / file.name).exists():
            (pictures / file.name).symlink_to(file.resolve())


def _to_onnx(head: nn.Module, file: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            head,
            (torch.zeros(1, *FEATURES), torch.zeros(1, *FEATURES)),
            str(file),
            input_names=["now", "before"],
            output_names=["state", "same"],
            dynamic_axes={name: {0: "n"} for name in ("now", "before", "state", "same")},
            dynamo=False,
        )


def _held_out_pairs(directory: Path, group: str, count: int) -> Iterator[place_pairs.PlacePair]:
    """Yield pairs of a group, rendered if they are missing."""
    names = (LEARNED, *HELD_OUT)
    folder = directory / group.replace(" ", "-")
    _share_materials(directory.parent / "corpus", folder)
    for _ in place_pairs.render(
        folder,
        HELD_OUT_SEED + names.index(group),
        1,
        workers=1,
        group=None if group == LEARNED else group,
        pairs=count,
    ):
        pass
    yield from place_pairs.read_shard(place_pairs.shard_path(folder, 0))


def _judged(reader: Path, head: Path, directory: Path, group: str, count: int) -> JudgedPlaces:
    """Return what both networks as they ship say of the pairs of one group."""
    import onnxruntime

    body, places = (
        onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"]) for file in (reader, head)
    )
    rng = np.random.default_rng(0)
    samples = [pair_sample(rng, pair, 0.0) for pair in _held_out_pairs(directory, group, count)]
    answers = []
    for start in range(0, len(samples), _LOOKS_AT_ONCE):
        part = samples[start : start + _LOOKS_AT_ONCE]
        now, before = (
            body.run(["features"], {"pictures": pixels_of(np.stack([s[name] for s in part]))})[0]
            for name in ("now", "before")
        )
        answers.append(places.run(["state", "same"], {"now": now, "before": before}))
    return JudgedPlaces(
        np.concatenate([state for state, _ in answers]),
        np.concatenate([same for _, same in answers])[:, 0],
        np.array([int(sample["state_now"]) for sample in samples]),
        np.array([float(sample["same"]) for sample in samples]),
    )


def _temperature(judged: dict[str, JudgedPlaces]) -> float:
    """Return what the logits of the state are divided by for the least surprise; all groups count alike."""

    def surprise(temperature: float) -> float:
        means = []
        for each in judged.values():
            known = each.state != OPEN
            logs = log_softmax(each.logits[known] / temperature)
            means.append(-logs[np.arange(len(logs)), each.state[known]].mean())
        return float(np.mean(means))

    return round(float(min(_TEMPERATURES, key=surprise)), 3)
