"""A reader model that is not learned: it looks at a painted crop, and may get the colours of a set wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.rules.tiles import CODES
from vision.imaging.arrays import ImageU8

WEIGHTS = sorted({int(code[1:]) for code in CODES})
COLOURS = ["Y", "R", "G", "B", "M"]
PAINT = {
    "Y": (40, 210, 230),
    "R": (50, 40, 200),
    "G": (70, 160, 60),
    "B": (200, 110, 40),
    "M": (120, 120, 120),
}
SIDE = 40
QUAD = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32) - 0.5


def face(code: str, light: float = 1.0) -> ImageU8:
    """Return a tile, (SIDE, SIDE, 3) uint8 BGR: a ground of its colour, a bar as long as its weight."""
    image = np.full((SIDE, SIDE, 3), PAINT[code[0]], np.float32)
    image[8:12, 8 : 10 + WEIGHTS.index(int(code[1:]))] = 255
    return np.clip(image * light, 0, 255).astype(np.uint8)


def _manifest() -> dict[str, Any]:
    return {
        "input": {"name": "pictures", "shape": [1, SIDE, SIDE, 3], "dtype": "uint8"},
        "outputs": ["weight", "colour", "embedding"],
        "temperature": {"weight": 1.0, "colour": 1.0},
        "face_share": 1.0,
        "sha256": "painted",
        "classes": {"weight": WEIGHTS, "colour": COLOURS},
    }


@dataclass(frozen=True)
class PaintedModel:
    """Reads every weight but those in `reads` rightly, and names each colour as `says` has it."""

    says: dict[str, str] = field(default_factory=dict)
    """Colour -> what the model calls it; what is not named is called rightly."""
    sure: float = 12.0
    """Logit of what it says."""
    name: str = "painted"
    manifest: dict[str, Any] = field(default_factory=_manifest)
    reads: dict[int, int] = field(default_factory=dict)
    """Weight -> what the model takes it for."""

    def run(self, pictures: ImageU8) -> list[NDArray[np.float32]]:
        """Return weight, colour and embedding of (n, SIDE, SIDE, 3) uint8 BGR pictures."""
        weight = np.zeros((len(pictures), len(WEIGHTS)), np.float32)
        colour = np.zeros((len(pictures), len(COLOURS)), np.float32)
        embedding = np.zeros((len(pictures), len(CODES)), np.float32)
        for index, picture in enumerate(pictures):
            bgr = picture[-4:, -4:].mean(axis=(0, 1))
            brightness = bgr.max()
            real = min(
                PAINT,
                key=lambda each: np.abs(np.array(PAINT[each]) / max(PAINT[each]) - bgr / brightness).sum(),
            )
            bar = picture[10, 8:].min(axis=1) / 255
            length = int((bar > bar.max() - 0.02).sum()) - 2
            code = f"{real}{WEIGHTS[min(max(length, 0), len(WEIGHTS) - 1)]}"
            read = self.reads.get(int(code[1:]), int(code[1:]))
            weight[index, WEIGHTS.index(read)] = self.sure
            colour[index, COLOURS.index(self.says.get(real, real))] = self.sure
            embedding[index, CODES.index(code) if code in CODES else 0] = 1
        return [weight, colour, embedding]
