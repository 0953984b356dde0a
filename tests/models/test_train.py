"""The whole training at its small size, from nothing to models that open; needs PyTorch, and minutes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from vision.recognition.model_store import open_model
from vision.tracking.place_head import PlaceHead

pytest.importorskip("torch")

pytestmark = pytest.mark.slow  # torch is there with `make test-slow` alone


def run(work: Path, out: Path) -> None:
    """Run `train --small`."""
    line = [sys.executable, "-m", "ui", "train", "--small", "--work", str(work), "--out", str(out)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_small_training_gives_models_that_open(tmp_path: Path) -> None:
    """Models, cards and licences are written; a second run has nothing to train, and gives the same."""
    work, out = tmp_path / "work", tmp_path / "models"
    run(work, out)
    folders = {task: next(out.glob(f"{task}_*")) for task in ("finder", "reader", "place")}
    for task, steps in (("finder", 4), ("reader", 4), ("place", 2)):
        assert open_model(task, folders[task]).manifest["steps"] == steps
        assert (folders[task] / "LICENSE").exists()
    folder = folders["reader"]
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "| reader | 4 |" in card
    assert "| left out | sets |" in card
    assert "chalk on slate" in (folders["place"] / "README.md").read_text(encoding="utf-8")
    reader = open_model("reader", folder)
    crops = np.zeros((2, *reader.manifest["input"]["shape"][1:]), np.float32)
    (features,) = reader.session.run(["features"], {"pictures": crops})
    judged = PlaceHead.open(reader, folders["place"]).judge(features, np.zeros_like(features))
    assert judged.log_states.shape == (2, 4)
    first = (folder / "manifest.json").read_text(encoding="utf-8")
    (work / "held-out" / "families_00000.npz").unlink()
    run(work, out)
    assert json.loads((folder / "manifest.json").read_text(encoding="utf-8")) == json.loads(first)
    assert len((work / "reader.log.jsonl").read_text(encoding="utf-8").splitlines()) == 1
