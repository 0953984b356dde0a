"""The place head: what a place shows, and whether it is as before, from the reader's features of both."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.recognition.assignment import log_softmax
from vision.recognition.model_store import Model, open_model

STATES = ("tile", "table", "occluder", "other")
"""A face-up tile, the bare table, a hand or arm over the place, another thing there."""


@dataclass(frozen=True, slots=True)
class JudgedPlaces:
    """What n places show; the arrays' first axis is the place."""

    log_states: NDArray[np.float64]
    """(n, 4) log-chances in the order of STATES; rows sum to 1 in chances."""
    same: NDArray[np.float64]
    """(n,) chance that the same tile lies there as before, or that the table is bare as before."""


class PlaceHead:
    """Judges places; takes the output `features` of one reader, and of no other."""

    def __init__(self, model: Model) -> None:
        """Use an opened model for the task `place`."""
        self._model = model
        self._temperature = float(model.manifest["temperature"])

    @classmethod
    def open(cls, reader: Model, folder: Path | None = None) -> PlaceHead:
        """Return the place head that belongs to a reader: the shipped one, or the one in a folder.

        Raises:
            ModelError: There is none, it is damaged, or it was made for another reader.
        """
        model = open_model("place", folder)
        if model.manifest.get("reader") != reader.manifest["sha256"]:
            raise ModelError("The model {name!r} was made for another reader.", name=model.name)
        return cls(model)

    def judge(self, now: NDArray[np.float32], before: NDArray[np.float32]) -> JudgedPlaces:
        """Return what n places show.

        Args:
            now: (n, 128, 5, 5) the reader's features of the places.
            before: The same of an earlier table, zeros where it is not known; `same` says nothing there.
        """
        state, same = self._model.session.run(["state", "same"], {"now": now, "before": before})
        return JudgedPlaces(
            log_softmax(state / self._temperature),
            np.asarray(1 / (1 + np.exp(-same[:, 0].astype(np.float64)))),
        )
