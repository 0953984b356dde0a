"""Crops to chances: one onnxruntime session names weight and colour, and says what is no tile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry import UNIT_SQUARE, Points, map_points, square_to_quad
from vision.model_store import Model
from vision.preprocess import to_tensor
from vision.rectify import upright_crop

ImageU8 = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Faces:
    """What the model says of n crops; the arrays' first axis is the crop."""

    log_codes: NDArray[np.float64]
    """(n, codes) log-chances of each code given that it is a tile; rows sum to 1 in chances."""
    tile: NDArray[np.float64]
    """(n,) chance that the crop shows a face-up tile."""
    up: NDArray[np.float64]
    """(n, 4) chances that the face's own top left is the quad's corner 0, -1, -2, -3."""
    quads_px: NDArray[np.float32]
    """(n, 4, 2) the faces' corners as the model mends them, in the picture's pixels."""

    def only(self, indices: list[int]) -> Faces:
        """Return the faces with these indices, in this order."""
        return Faces(self.log_codes[indices], self.tile[indices], self.up[indices], self.quads_px[indices])


def _log_softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    shifted = logits.astype(np.float64) - logits.max(axis=1, keepdims=True)
    log_chances: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return log_chances


class TileClassifier:
    """Reads the faces in given quads."""

    def __init__(self, model: Model) -> None:
        """Use an opened reader model."""
        manifest = model.manifest
        self._model = model
        self.codes: tuple[str, ...] = tuple(manifest["codes"])
        self._crop_px = int(manifest["input"]["shape"][2])
        self._face_share = float(manifest["face_share"])
        self._temperature = float(manifest["temperature"])
        weights, colours = manifest["classes"]["weight"], manifest["classes"]["colour"]
        self._weight_of = np.array([weights.index(int(code[1:])) for code in self.codes])
        self._colour_of = np.array([colours.index(code[0]) for code in self.codes])
        self._many_coloured = [index for index, code in enumerate(self.codes) if code[0] == "M"]

    def read(self, image_bgr: ImageU8, quads_px: Sequence[Points], *, sees_colour: bool = True) -> Faces:
        """Return what the quads of a (H, W, 3) uint8 BGR picture show.

        Args:
            image_bgr: The picture; not modified.
            quads_px: n quads, (4, 2) each.
            sees_colour: Whether the picture has colours at all; if not, colours get equal chances.
        """
        count = len(quads_px)
        if not count:
            return Faces(
                np.zeros((0, len(self.codes))), np.zeros(0), np.zeros((0, 4)), np.zeros((0, 4, 2), np.float32)
            )
        crops = np.stack(
            [upright_crop(image_bgr, quad, self._crop_px, self._face_share) for quad in quads_px]
        )
        weight, colour, tile, up, corners = self._model.run(to_tensor(crops))[:5]
        log_weight = _log_softmax(weight / self._temperature)
        log_colour = (
            _log_softmax(colour / self._temperature) if sees_colour else np.full(colour.shape, -np.log(5))
        )
        joint = log_weight[:, self._weight_of] + log_colour[:, self._colour_of]
        offsets = corners.reshape(count, 4, 2) + UNIT_SQUARE
        mended = [
            map_points(square_to_quad(quad), offset) for quad, offset in zip(quads_px, offsets, strict=True)
        ]
        return Faces(
            _log_softmax(joint),
            1 / (1 + np.exp(-tile[:, 0].astype(np.float64))),
            np.exp(_log_softmax(up)),
            np.stack(mended),
        )
