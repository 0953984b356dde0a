"""Find a shipped model, check it against its manifest, and open it in onnxruntime."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.errors import ModelError

MANIFEST_VERSION = 2
MAX_MODEL_BYTES = 64 * 2**20
THREADS = 2


@dataclass(frozen=True, slots=True)
class Model:
    """An opened model and its manifest."""

    name: str
    manifest: dict[str, Any]
    session: onnxruntime.InferenceSession

    def run(self, pictures: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """Return the outputs, in the manifest's order, for (n, 3, height, width) float32 RGB in 0..1."""
        outputs: list[NDArray[np.float32]] = self.session.run(
            self.manifest["outputs"], {self.manifest["input"]["name"]: pictures}
        )
        return outputs


def open_model(task: str, folder: Path | None = None, *, threads: int = THREADS) -> Model:
    """Return the shipped model for `task` (finder, reader), or the one in `folder`.

    It runs on this many threads.

    Raises:
        ModelError: There is none, it is damaged, or it is of another kind than its manifest says.
    """
    place = folder if folder is not None else _shipped(task)
    try:
        manifest = json.loads((place / "manifest.json").read_text(encoding="utf-8"))
        size = (place / "model.onnx").stat().st_size
        if size > MAX_MODEL_BYTES:
            raise ModelError(
                "The model in {place!r} is larger than {limit} MB.",
                place=str(place),
                limit=MAX_MODEL_BYTES // 2**20,
            )
        data = (place / "model.onnx").read_bytes()
    except (OSError, ValueError) as error:
        raise ModelError(
            "The model in {place!r} cannot be read: {reason}.", place=str(place), reason=error
        ) from error
    if (
        not isinstance(manifest, dict)
        or manifest.get("version") != MANIFEST_VERSION
        or manifest.get("task") != task
        or (task == "reader" and not _is_chance(manifest.get("sure_confidence")))
    ):
        raise ModelError(
            "The manifest in {place!r} is not one of a {task} model of version {version}.",
            place=str(place), task=task, version=MANIFEST_VERSION,
        )  # fmt: skip
    if hashlib.sha256(data).hexdigest() != manifest.get("sha256"):
        raise ModelError(
            "The model in {place!r} is damaged: its checksum is not the one in its manifest.",
            place=str(place),
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Spinning threads would take the second core from the app while nothing is read.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise ModelError(
            "The model in {place!r} cannot be opened: {reason}.", place=str(place), reason=error
        ) from error
    return Model(place.name, manifest, session)


def model_file(task: str) -> Path:
    """Return the ONNX file of the shipped model for `task`.

    Raises:
        ModelError: There is none.
    """
    return _shipped(task) / "model.onnx"


def _is_chance(value: object) -> bool:
    return isinstance(value, int | float) and 0 < value <= 1


def _shipped(task: str) -> Path:
    root = Path(str(resources.files("models")))
    folders = sorted(root.glob(f"{task}_[0-9]*"))
    if not folders:
        raise ModelError("No {task} model is installed. Install Pyramid Referee again.", task=task)
    return folders[-1]
