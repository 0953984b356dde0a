"""The card of a reader that learned captured tiles: how well it names held-out ones, before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from models.training.rendering.faces import COLOURS
from models.training.rendering.glyphs import WEIGHTS
from referee.rules.tiles import CODES
from vision.files import replacing
from vision.recognition.assignment import log_softmax

if TYPE_CHECKING:
    from models.training.calibration.pictures import Answers
    from models.training.captured import Patch, Patches

_BATCH = 200
_MOST_PAIRS = 15


@dataclass(frozen=True, slots=True)
class NamedTiles:
    """Tiles as a network named them, one crop each by itself."""

    true: tuple[str, ...]
    read: tuple[str, ...]
    chances: NDArray[np.float64]
    """(n,) of the code that was read."""
    surprise: float
    """Mean negative log chance of the right codes."""

    @classmethod
    def by(cls, answers: Answers, patches: Sequence[Patch], manifest: Mapping[str, Any]) -> NamedTiles:
        """Return how a network names tiles of the game.

        Args:
            answers: The network.
            patches: The tiles.
            manifest: That of the network's model, or of one with crops and temperatures like its own.
        """
        temperatures, share = manifest["temperature"], float(manifest["face_share"])
        side_px = int(manifest["input"]["shape"][2])
        weight_of = [WEIGHTS.index(int(code[1:])) for code in CODES]
        colour_of = [COLOURS.index(code[0]) for code in CODES]
        logs = []
        for start in range(0, len(patches), _BATCH):
            crops = np.stack([patch.crop(side_px, share) for patch in patches[start : start + _BATCH]])
            weight, colour = (
                log_softmax(part / float(temperatures[name]))
                for name, part in zip(("weight", "colour"), answers(crops), strict=False)
            )
            logs.append(log_softmax(weight[:, weight_of] + colour[:, colour_of]))
        log_codes = np.concatenate(logs) if logs else np.zeros((0, len(CODES)))
        true = tuple(patch.code for patch in patches)
        named = log_codes.argmax(axis=1)
        at = [CODES.index(code) for code in true]
        own = log_codes[np.arange(len(at)), at]
        return cls(
            true,
            tuple(CODES[index] for index in named),
            np.exp(log_codes.max(axis=1, initial=-np.inf)),
            float(-own.mean()) if len(at) else 0.0,
        )

    @property
    def share_right(self) -> float:
        """Share of tiles that were named right, 0 to 1."""
        return sum(map(str.__eq__, self.true, self.read)) / max(1, len(self.true))

    def confusions(self) -> list[tuple[str, str, int]]:
        """Return (true code, code read, how often) of the wrong ones, the most frequent first."""
        wrong = Counter(pair for pair in zip(self.true, self.read, strict=True) if pair[0] != pair[1])
        return [(*pair, count) for pair, count in wrong.most_common()]

    def reliability(self) -> list[tuple[float, float, int]]:
        """Return for each tenth of confidence: mean confidence, share named right, number of tiles."""
        right = np.array([true == read for true, read in zip(self.true, self.read, strict=True)])
        tenth = np.minimum((self.chances * 10).astype(int), 9)
        return [
            (float(self.chances[tenth == step].mean()), float(right[tenth == step].mean()), int(count))
            for step in range(10)
            if (count := (tenth == step).sum())
        ]


def write_report(card: Path, patches: Patches, before: NamedTiles, after: NamedTiles, steps: int) -> Path:
    """Write the card of a reader that learned captured tiles; return its file."""
    photos = {split: len({patch.photo for patch in part}) for split, part in patches.parts.items()}
    lines = [
        "# A reader that learned captured tiles",
        "",
        f"Made from the shipped reader by `pyramid-referee train --data`, {steps} steps on "
        f"{len(patches.parts['train'])} tiles of {photos['train']} photos, mixed with rendered tables. "
        f"When to stop was told by {len(patches.parts['val'])} tiles of {photos['val']} other photos; the "
        f"figures below are of {len(after.true)} tiles of {photos['test']} photos that took no part in it. "
        "Each tile is named by itself here, with its corners given; at the table the whole pyramid is read.",
        "",
        "| | before | after |",
        "| --- | --- | --- |",
        f"| named right | {before.share_right:.2%} | {after.share_right:.2%} |",
        f"| mean surprise | {before.surprise:.4f} | {after.surprise:.4f} |",
        "",
        "## Each tile",
        "",
        "| tile | views | right before | right after |",
        "| --- | --- | --- | --- |",
        *(_tile_line(code, before, after) for code in CODES if code in after.true),
        "",
        "## Taken for another",
        "",
        *([f"- {true} as {read}: {count} times" for true, read, count in after.confusions()[:_MOST_PAIRS]]
          or ["None."]),
        "",
        "## Reliability: share named right, by confidence",
        "",
        "```text",
        "confidence   right    tiles",
        *(f"{sure:9.1%} {right:8.1%} {count:7}" for sure, right, count in after.reliability()),
        "```",
    ]  # fmt: skip
    with replacing(card) as beside:
        beside.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return card


def _tile_line(code: str, before: NamedTiles, after: NamedTiles) -> str:
    views = [at for at, true in enumerate(after.true) if true == code]
    was, now = (sum(named.read[at] == code for at in views) for named in (before, after))
    return f"| {code} | {len(views)} | {was} | {now} |"
