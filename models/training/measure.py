"""How a reader does on artists that it never saw, group by group: `python -m models.training.measure`.

The corners are given; each tile is named by its own crop alone, without the joint decoding of a table. A tile
is asked about where its code is less likely than a limit; wrong and not asked about is a silent error. With
`--pictures` folders like shared/data/table-dev are read in the same way, by style and difficulty.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.calibration.calibrate import reliability_of
from models.training.calibration.pictures import Answers
from models.training.calibration.sets import MEASURING_SEED, pictured_sets, reader_crop
from models.training.calibration.temperatures import Temperatures
from models.training.rendering.artists.held_out import HELD_OUT
from models.training.rendering.faces import COLOURS
from models.training.rendering.glyphs import WEIGHTS
from referee.rules.tiles import CODES
from vision.recognition.assignment import log_softmax

ASKED_BELOW = 0.9
TOLERATED = 0.002
"""Of the tiles that are not asked about, the share that may be wrong: for the coverage."""
_VISIBLE = 0.95
_BATCH = 200
_MODELS = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Crop:
    """One tile as the network takes it, (3, side, side) uint8 RGB, and its code."""

    pixels: NDArray[np.uint8]
    code: str


@dataclass(frozen=True, slots=True)
class Named:
    """How the tiles of one group were named, each by itself; the arrays are (n,)."""

    right: NDArray[np.bool_]
    weight_right: NDArray[np.bool_]
    colour_right: NDArray[np.bool_]
    chances: NDArray[np.float64]
    """Of the code that was read."""
    sure_confidence: float = ASKED_BELOW
    """Tiles are asked about if their code has less than this chance."""

    @classmethod
    def by(cls, answers: Answers, crops: list[Crop], temperatures: Temperatures, sure: float) -> Named:
        """Return how a network names crops, its logits divided by temperatures, sure from a chance on."""
        weight_of = np.array([WEIGHTS.index(int(code[1:])) for code in CODES])
        colour_of = np.array([COLOURS.index(code[0]) for code in CODES])
        rights, chances = [], []
        for start in range(0, len(crops), _BATCH):
            part = crops[start : start + _BATCH]
            weight, colour = answers(np.stack([crop.pixels for crop in part]))[:2]
            joint = (
                log_softmax(weight / temperatures.weight)[:, weight_of]
                + log_softmax(colour / temperatures.colour)[:, colour_of]
            )
            joint = log_softmax(joint)
            true = np.array([CODES.index(crop.code) for crop in part])
            read = joint.argmax(axis=1)
            rights.append(
                [
                    read == true,
                    weight.argmax(axis=1) == weight_of[true],
                    colour.argmax(axis=1) == colour_of[true],
                ]
            )
            chances.append(np.exp(joint.max(axis=1)))
        together = np.concatenate(rights, axis=1)
        return cls(together[0], together[1], together[2], np.concatenate(chances), sure)

    @classmethod
    def joined(cls, parts: list[Named]) -> Named:
        """Return all tiles of several groups as one; at least one group."""
        return cls(
            np.concatenate([part.right for part in parts]),
            np.concatenate([part.weight_right for part in parts]),
            np.concatenate([part.colour_right for part in parts]),
            np.concatenate([part.chances for part in parts]),
            parts[0].sure_confidence,
        )

    def figures(self) -> dict[str, float]:
        """Return the group's figures as shares, 0 to 1."""
        sure = self.chances >= self.sure_confidence
        return {
            "tiles": len(self.right),
            "right": float(self.right.mean()),
            "weight": float(self.weight_right.mean()),
            "colour": float(self.colour_right.mean()),
            "asked": float((~sure).mean()),
            "silent": float((sure & ~self.right).mean()),
            "calibration": self.calibration_error(),
            "coverage": self.coverage(TOLERATED),
        }

    def reliability(self) -> list[tuple[float, float, int]]:
        """Return for each tenth of confidence: mean confidence, share named right, number of tiles."""
        return reliability_of(self.chances, self.right)

    def calibration_error(self) -> float:
        """Return the expected gap between confidence and the share named right."""
        return sum(abs(sure - right) * count for sure, right, count in self.reliability()) / len(self.right)

    def risks(self) -> NDArray[np.float64]:
        """Return the share of wrong ones among the k surest tiles, for k of 1 to all."""
        order = np.argsort(-self.chances, kind="stable")
        wrong = np.cumsum(~self.right[order])
        return np.asarray(wrong / np.arange(1, len(order) + 1), np.float64)

    def risk_at(self, coverage: float) -> float:
        """Return the share of wrong ones among this share of the tiles, the surest ones."""
        return float(self.risks()[max(1, round(coverage * len(self.right))) - 1])

    def coverage(self, risk: float) -> float:
        """Return the largest share of the tiles, the surest ones, of which no more than `risk` are wrong."""
        below = np.nonzero(self.risks() <= risk)[0]
        return float((below[-1] + 1) / len(self.right)) if len(below) else 0.0


def held_out_crops(directory: Path, group: str, shards: int, workers: int) -> list[Crop]:
    """Return the tiles of a held-out group that can be seen whole; pictures that are missing are rendered."""
    return [
        Crop(pixels, code)
        for each in pictured_sets(directory, group, MEASURING_SEED, shards, workers)
        for pixels, code in zip(each.crops(), each.codes, strict=True)
    ]


def labelled_crops(directory: Path) -> Iterator[tuple[str, Crop]]:
    """Yield the tiles of labelled pictures with the group that each belongs to: style and difficulty."""
    for path in sorted(directory.glob("*.json")):
        label: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if not label.get("tiles"):
            continue
        image = np.asarray(cv2.imread(str(directory / label["image"]), cv2.IMREAD_COLOR), np.uint8)
        group = (
            f"{directory.name} {label.get('style', '')}{' hard' if label.get('difficulty') == 'hard' else ''}"
        )
        for tile in label["tiles"]:
            if tile.get("visible", 1.0) > _VISIBLE:
                yield group, Crop(reader_crop(image, np.array(tile["quad"], np.float32)), tile["code"])


def groups(directory: Path, shards: int, workers: int, pictures: list[Path]) -> dict[str, list[Crop]]:
    """Return the tiles of every held-out group, and of the folders of labelled pictures."""
    crops = {name: held_out_crops(directory, name, shards, workers) for name in HELD_OUT}
    for folder in pictures:
        for group, crop in labelled_crops(folder):
            crops.setdefault(group, []).append(crop)
    return crops


def checkpoint_answers(checkpoint: Path, *, of_second: bool = False) -> Answers:
    """Return the answers of a checkpoint's averaged weights, in 32 bits: of a reader or a second network."""
    import torch

    from models.training.networks.loop import averaged_weights
    from models.training.networks.nets import ReaderNet, second_net

    net, _ = averaged_weights(second_net() if of_second else ReaderNet(), checkpoint)

    def answers(crops: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        with torch.no_grad():
            return [part.numpy() for part in net(torch.from_numpy(crops).float() / 255)]

    return answers


def report(named: Mapping[str, Named]) -> list[str]:
    """Return the table, the worst group first, and what all held-out groups give together."""
    figures = {group: each.figures() for group, each in named.items()}
    lines = [
        f"{'group':<26}{'tiles':>7}{'right':>9}{'weight':>9}{'colour':>9}{'asked':>9}{'silent':>9}"
        f"{'calibr.':>9}{'coverage':>10}"
    ]
    order = sorted(figures, key=lambda group: figures[group]["right"])
    means = {
        name: float(np.mean([figures[group][name] for group in figures if group in HELD_OUT]))
        for name in next(iter(figures.values()))
    } if any(group in HELD_OUT for group in figures) else None  # fmt: skip
    rows = [(group, figures[group]) for group in order]
    if means is not None:
        rows.append(("mean of held-out groups", means))
    lines.extend(
        f"{group:<26}{shown['tiles']:>7.0f}"
        + "".join(
            f"{shown[name]:>9.1%}" for name in ("right", "weight", "colour", "asked", "silent", "calibration")
        )
        + f"{shown['coverage']:>10.1%}"
        for group, shown in rows
    )
    return lines


def main() -> None:
    """Measure a model, or a checkpoint of a training, and print the table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("training-work"), help="where pictures are kept")
    parser.add_argument("--model", type=Path, help="folder of a reader (default: the shipped one)")
    parser.add_argument("--checkpoint", type=Path, help="a reader.pt instead of a model")
    parser.add_argument("--pictures", type=Path, nargs="*", default=[], metavar="DIR")
    parser.add_argument("--shards", type=int, default=4, help="of 15 pictures, for each held-out group")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="also write figures and curves for the card"
    )
    arguments = parser.parse_args()
    crops = groups(arguments.work / "groups", arguments.shards, arguments.workers, arguments.pictures)
    if arguments.checkpoint:
        answers, temperatures, sure = (
            checkpoint_answers(arguments.checkpoint),
            Temperatures(1, 1),
            ASKED_BELOW,
        )
    else:
        from models.training.export import session_answers

        folder = arguments.model or sorted(_MODELS.glob("reader_*"))[-1]
        answers = session_answers(folder / "model.onnx")
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        temperatures, sure = Temperatures(**manifest["temperature"]), float(manifest["sure_confidence"])
    named = {group: Named.by(answers, each, temperatures, sure) for group, each in crops.items() if each}
    print("\n".join(report(named)))
    if arguments.json:
        shown = {
            group: {
                **each.figures(),
                "reliability": each.reliability(),
                "risks": each.risks()[:: max(1, len(each.right) // 50)].round(4).tolist(),
            }
            for group, each in named.items()
        }
        arguments.json.write_text(json.dumps(shown, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
