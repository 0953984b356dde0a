"""Find a shipped model, check it against its manifest, and open it in onnxruntime."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.files import TooLargeError, read_input, read_input_text
from vision.imaging.arrays import ImageU8
from vision.imaging.hues import HUE_VALUES
from vision.imaging.preprocess import to_tensor

if TYPE_CHECKING:
    import onnxruntime

MANIFEST_VERSION = 2
MAX_MODEL_BYTES = 64 * 2**20
MAX_MANIFEST_BYTES = 2**20
THREADS = 2
SHIPPED_TASKS = ("finder", "reader", "second", "place")
READER_OUTPUTS = ("weight", "colour", "tile", "covered", "up", "corners", "embedding")
"""What a reader is asked for to read a crop; `features`, for the place head, is one output more."""
SECOND_OUTPUTS = READER_OUTPUTS[:2]

_Positive = Annotated[float, msgspec.Meta(gt=0, le=1e6)]
_Share = Annotated[float, msgspec.Meta(gt=0, le=1)]
_Word = Annotated[str, msgspec.Meta(min_length=1, max_length=24)]
_Codes = Annotated[list[_Word], msgspec.Meta(min_length=1, max_length=1000)]


class _Input(msgspec.Struct):
    name: str
    shape: Annotated[list[int], msgspec.Meta(min_length=4, max_length=4)]
    dtype: Literal["uint8", "float32"]


class _Finder(msgspec.Struct):
    input: _Input
    outputs: Annotated[list[str], msgspec.Meta(min_length=1, max_length=1)]
    stride_px: Annotated[int, msgspec.Meta(ge=1, le=64)]
    corner_unit_px: _Positive


class _Temperature(msgspec.Struct):
    weight: _Positive
    colour: _Positive


class _Classes(msgspec.Struct):
    weight: Annotated[list[int], msgspec.Meta(min_length=1, max_length=1000)]
    colour: _Codes


class _Likeness(msgspec.Struct):
    scale: _Positive
    scale_with_shipped: _Positive
    shipped_share: Annotated[float, msgspec.Meta(ge=0, le=1)]


_Number = Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)]
_Colours = Annotated[list[_Number], msgspec.Meta(min_length=4, max_length=4)]


class _Hues(msgspec.Struct):
    scale: _Positive
    limit: _Positive
    bias: _Colours
    weights: Annotated[list[_Colours], msgspec.Meta(min_length=HUE_VALUES, max_length=HUE_VALUES)]


class _Reader(msgspec.Struct):
    input: _Input
    outputs: list[str]
    face_share: _Share
    embedding: Annotated[int, msgspec.Meta(ge=1, le=4096)]
    temperature: _Temperature
    likeness: _Likeness
    classes: _Classes
    codes: _Codes
    sure_confidence: _Share
    hues: _Hues | None = None


class _Second(msgspec.Struct):
    input: _Input
    outputs: list[str]
    temperature: _Temperature
    reader: str


class _Place(msgspec.Struct):
    temperature: _Positive
    reader: str


_KINDS: dict[str, type[msgspec.Struct]] = {
    "finder": _Finder,
    "reader": _Reader,
    "second": _Second,
    "place": _Place,
}


@dataclass(frozen=True, slots=True)
class Model:
    """An opened model and its manifest."""

    name: str
    manifest: dict[str, Any]
    session: onnxruntime.InferenceSession

    def run(self, pictures_bgr: ImageU8) -> list[NDArray[np.float32]]:
        """Return the outputs, in the manifest's order, for (n, height, width, 3) uint8 BGR pictures."""
        return self._answers(self.manifest["outputs"], pictures_bgr)

    def features(self, crops_bgr: ImageU8) -> NDArray[np.float32]:
        """Return what a place head takes of (n, side, side, 3) uint8 BGR crops; for a reader."""
        return self._answers(["features"], crops_bgr)[0]

    def _answers(self, names: list[str], pictures_bgr: ImageU8) -> list[NDArray[np.float32]]:
        """Return these outputs; a network of a player's own may be of the time when they took no bytes."""
        told = self.manifest["input"]
        given = pictures_bgr if told["dtype"] == "uint8" else to_tensor(pictures_bgr)
        answers: list[NDArray[np.float32]] = self.session.run(names, {told["name"]: given})
        return answers


def open_model(task: str, folder: Path | None = None, *, threads: int = THREADS) -> Model:
    """Return the shipped model for `task` (finder, reader, second, place), or the one in `folder`.

    It runs on this many threads.

    Raises:
        ModelError: There is none, it is damaged, or it is of another kind than its manifest says.
    """
    place = folder if folder is not None else _shipped(task)
    manifest, data = _read_files(place)
    if (
        not isinstance(manifest, dict)
        or manifest.get("version") != MANIFEST_VERSION
        or manifest.get("task") != task
        or not _is_sound(manifest, task)
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
    model = Model(place.name, manifest, _session(data, place, threads))
    if folder is not None and task == "reader":
        _try(model, place)
    return model


def _read_files(place: Path) -> tuple[Any, bytes]:
    """Return what the manifest in a folder says, whatever that is, and the network beside it.

    Raises:
        ModelError: One of them is missing or too large, or the manifest is no JSON.
    """
    try:
        manifest = json.loads(read_input_text(place / "manifest.json", MAX_MANIFEST_BYTES))
        return manifest, read_input(place / "model.onnx", MAX_MODEL_BYTES)
    except TooLargeError:
        raise ModelError(
            "The model in {place!r} is larger than {limit} MB.",
            place=str(place),
            limit=MAX_MODEL_BYTES // 2**20,
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(
            "The model in {place!r} cannot be read: {reason}.", place=str(place), reason=error
        ) from error


def _session(data: bytes, place: Path, threads: int) -> onnxruntime.InferenceSession:
    """Return a network, opened.

    Raises:
        ModelError: It is none.
    """
    import onnxruntime  # takes long; the window is to be seen before

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Spinning threads would take the second core from the app while nothing is read.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise ModelError(
            "The model in {place!r} cannot be opened: {reason}.", place=str(place), reason=error
        ) from error


def _try(reader: Model, place: Path) -> None:
    """Let a reader from elsewhere read two empty pictures.

    Raises:
        ModelError: It fails, or gives other outputs than its manifest tells.
    """
    count = 2
    side = reader.manifest["input"]["shape"][2]
    try:
        is_right = _reads_as_told(
            reader.manifest, reader.run(np.zeros((count, side, side, 3), np.uint8)), count
        )
    except Exception as error:
        raise _other_network(place) from error
    if not is_right:
        raise _other_network(place)


def _other_network(place: Path) -> ModelError:
    return ModelError(
        "The model in {place!r} is not the network that its manifest describes. Make it again with: "
        "pyramid-referee train --data DIR",
        place=str(place),
    )


def model_file(task: str) -> Path:
    """Return the ONNX file of the shipped model for `task`.

    Raises:
        ModelError: There is none.
    """
    return _shipped(task) / "model.onnx"


def _shipped(task: str) -> Path:
    root = Path(str(resources.files("models")))
    folders = sorted(root.glob(f"{task}_[0-9]*"))
    if not folders:
        raise ModelError("No {task} model is installed. Install Pyramid Referee again.", task=task)
    return folders[-1]


def _is_sound(manifest: dict[str, Any], task: str) -> bool:
    """Return whether a manifest says all that a model of its task must say."""
    try:
        found = msgspec.convert(manifest, _KINDS[task])
    except ValueError:
        return False
    if isinstance(found, _Second):
        return tuple(found.outputs) == SECOND_OUTPUTS
    return not isinstance(found, _Reader) or _is_reader(found)


def _is_reader(found: _Reader) -> bool:
    """Return whether the parts of a reader's manifest go together."""
    side = found.input.shape[2]
    codes_are_known = all(
        code[0] in found.classes.colour and code[1:] in map(str, found.classes.weight) for code in found.codes
    )
    return (
        tuple(found.outputs) == READER_OUTPUTS
        and found.input.shape[1:] == ([side, side, 3] if found.input.dtype == "uint8" else [3, side, side])
        and 16 <= side <= 512
        and codes_are_known
        and (found.hues is None or len(found.classes.colour) == len(found.hues.bias) + 1)
        and len(set(found.codes)) == len(found.codes)
    )


def _reads_as_told(manifest: dict[str, Any], outputs: list[NDArray[np.float32]], count: int) -> bool:
    """Return whether a reader's outputs for so many pictures have the sides that its manifest tells."""
    classes = manifest["classes"]
    wide = (len(classes["weight"]), len(classes["colour"]), 1, 1, 4, 8, manifest["embedding"])
    return [output.shape for output in outputs] == [(count, many) for many in wide]
