"""The shipped models are what their manifests say."""

from __future__ import annotations

import hashlib
import json
import shutil
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from referee.rules.tiles import CODES
from vision.errors import ModelError
from vision.recognition.classifier import SecondOpinion
from vision.recognition.model_store import SHIPPED_TASKS, Model, open_model

MODELS = Path(str(resources.files("models")))
FOLDERS = sorted(path.parent for path in MODELS.glob("*/manifest.json"))
MAX_BYTES = 3_000_000


def test_there_is_a_model_for_each_task() -> None:
    """Nothing else is shipped."""
    assert sorted(folder.name.split("_")[0] for folder in FOLDERS) == sorted(SHIPPED_TASKS)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_files_match_the_manifest(folder: Path) -> None:
    """Checksum, size, card and licence are as promised."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    data = (folder / "model.onnx").read_bytes()
    assert hashlib.sha256(data).hexdigest() == manifest["sha256"]
    assert len(data) <= MAX_BYTES
    assert (folder / "README.md").stat().st_size > 500
    assert "MIT" in (folder / "LICENSE").read_text(encoding="utf-8")


def test_the_finder_takes_any_size() -> None:
    """One value set for each cell of 8 x 8 pixels."""
    model = open_model("finder")
    (cells,) = model.run(np.zeros((1, 64, 96, 3), np.uint8))
    assert cells.shape == (1, 18, 8, 12)


def test_a_network_of_before_is_given_the_numbers_that_it_takes() -> None:
    """A reader that a player trained with an earlier version takes (n, 3, height, width) RGB from 0 to 1."""
    taken = {}

    class Session:
        def run(self, names: list[str], given: dict[str, np.ndarray]) -> list[np.ndarray]:
            taken.update(given)
            return [np.zeros(1) for _ in names]

    manifest = {"input": {"name": "crops", "dtype": "float32"}, "outputs": ["weight", "colour"]}
    pixels = np.zeros((2, 4, 6, 3), np.uint8)
    pixels[1, 2, 5] = (51, 102, 255)
    assert len(Model("before", manifest, Session()).run(pixels)) == 2
    assert (taken["crops"].shape, taken["crops"].dtype) == ((2, 3, 4, 6), np.float32)
    assert taken["crops"][1, :, 2, 5] == pytest.approx([1.0, 0.4, 0.2])


def test_the_reader_takes_batches() -> None:
    """Outputs have the shapes that the classifier relies on, and know the game's own codes."""
    model = open_model("reader")
    answers = model.run(np.zeros((3, 80, 80, 3), np.uint8))
    shapes = dict(zip(model.manifest["outputs"], (part.shape for part in answers), strict=True))
    assert shapes == {
        "weight": (3, 13),
        "colour": (3, 5),
        "tile": (3, 1),
        "covered": (3, 1),
        "up": (3, 4),
        "corners": (3, 8),
        "embedding": (3, model.manifest["embedding"]),
    }
    assert np.linalg.norm(answers[-1], axis=1) == pytest.approx(1, abs=1e-3)
    assert sorted(model.manifest["codes"]) == sorted(CODES)


def test_the_second_network_takes_what_the_reader_takes() -> None:
    """It was calibrated with the reader that is shipped, and knows the same weights and colours."""
    reader, second = open_model("reader"), open_model("second")
    crops = np.zeros((3, *reader.manifest["input"]["shape"][1:]), np.uint8)
    assert [part.shape for part in second.run(crops)] == [part.shape for part in reader.run(crops)[:2]]
    assert SecondOpinion.of(reader) is not None


def test_a_second_network_with_other_outputs_is_refused(tmp_path: Path) -> None:
    folder = Path(
        shutil.copytree(next(each for each in FOLDERS if each.name.startswith("second")), tmp_path / "s")
    )
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (folder / "manifest.json").write_text(json.dumps(manifest | {"outputs": ["weight", "tile"]}))
    with pytest.raises(ModelError, match="is not one of a second model"):
        open_model("second", folder)


@pytest.fixture
def folder_copy(tmp_path: Path) -> Path:
    source = next(folder for folder in FOLDERS if folder.name.startswith("reader"))
    return Path(shutil.copytree(source, tmp_path / "model"))


def test_a_damaged_model_is_refused(folder_copy: Path) -> None:
    """One changed byte is found before onnxruntime sees it."""
    data = bytearray((folder_copy / "model.onnx").read_bytes())
    data[len(data) // 2] ^= 1
    (folder_copy / "model.onnx").write_bytes(data)
    with pytest.raises(ModelError, match="checksum"):
        open_model("reader", folder_copy)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"version": 9, "task": "reader"}',
        '{"version": 2, "task": "finder"}',
        '{"version": 1, "task": "reader", "sure_confidence": 0.9}',
    ],
)
def test_a_manifest_of_another_kind_is_refused(folder_copy: Path, text: str) -> None:
    """Empty, foreign, newer and mixed-up manifests end in a sentence."""
    (folder_copy / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match="model"):
        open_model("reader", folder_copy)


@pytest.mark.parametrize("sure", [None, "0.9", 0, 1.5, {}])
def test_a_reader_must_say_from_when_on_it_is_sure(folder_copy: Path, sure: object) -> None:
    """Its manifest without such a chance is refused."""
    manifest = json.loads((folder_copy / "manifest.json").read_text(encoding="utf-8"))
    (folder_copy / "manifest.json").write_text(json.dumps(manifest | {"sure_confidence": sure}))
    with pytest.raises(ModelError, match="manifest"):
        open_model("reader", folder_copy)


@pytest.mark.parametrize(
    "change",
    [
        {"input": {"name": "pictures", "shape": [1, 10**6, 10**6, 3], "dtype": "uint8"}},
        {"input": {"name": "pictures", "shape": 4, "dtype": "uint8"}},
        {"input": {"name": "pictures", "shape": [1, 3, 80, 80], "dtype": "uint8"}},
        {"input": {"name": "pictures", "shape": [1, 80, 80, 3], "dtype": "int64"}},
        {"classes": {"weight": [1, 2], "colour": ["Y"]}},
        {"codes": ["Y1", "Y1"]},
        {"codes": ["Yone"]},
        {"codes": ["\ud800"]},
        {"temperature": {"weight": 0, "colour": 1}},
        {"face_share": "0.8"},
        {"outputs": ["weight"]},
        {"likeness": {"scale": 1}},
        {"embedding": None},
        {"hues": {"scale": 1, "limit": 2, "bias": [0] * 4, "weights": [[0] * 4]}},
        {"hues": {"scale": 1, "limit": 2, "bias": [0] * 3, "weights": [[0] * 4] * 50}},
        {"hues": {"scale": 0, "limit": 2, "bias": [0] * 4, "weights": [[0] * 4] * 50}},
        {"hues": {"scale": 1, "limit": 2, "bias": [0] * 4, "weights": [[float("nan")] * 4] * 50}},
    ],
    ids=str,
)
def test_a_manifest_that_lacks_something_is_refused(folder_copy: Path, change: dict[str, object]) -> None:
    """What the reader relies on is checked before it does."""
    manifest = json.loads((folder_copy / "manifest.json").read_text(encoding="utf-8"))
    (folder_copy / "manifest.json").write_text(json.dumps(manifest | change))
    with pytest.raises(ModelError, match="is not one of a reader model"):
        open_model("reader", folder_copy)


def test_a_network_that_is_not_the_one_of_its_manifest_is_refused(folder_copy: Path) -> None:
    """A manifest with one class too few is sound in itself."""
    manifest = json.loads((folder_copy / "manifest.json").read_text(encoding="utf-8"))
    manifest["embedding"] -= 1
    (folder_copy / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match="is not the network"):
        open_model("reader", folder_copy)
    (folder_copy / "manifest.json").write_text(
        json.dumps({**manifest, "input": {**manifest["input"], "name": "x"}})
    )
    with pytest.raises(ModelError, match="is not the network"):
        open_model("reader", folder_copy)


def test_a_model_that_is_no_onnx_is_refused(folder_copy: Path) -> None:
    """A right checksum over the wrong content is still refused."""
    (folder_copy / "model.onnx").write_bytes(b"no model")
    manifest = json.loads((folder_copy / "manifest.json").read_text(encoding="utf-8"))
    manifest["sha256"] = hashlib.sha256(b"no model").hexdigest()
    (folder_copy / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(ModelError, match="cannot be opened"):
        open_model("reader", folder_copy)


def test_a_missing_model_is_refused(tmp_path: Path) -> None:
    """An empty folder is named."""
    with pytest.raises(ModelError, match="cannot be read"):
        open_model("finder", tmp_path)
