"""The whole training at its small size, from nothing to models that open; needs PyTorch, and minutes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from vision.recognition.model_store import open_model

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
    for task in ("finder", "reader"):
        (folder,) = out.glob(f"{task}_*")
        assert open_model(task, folder).manifest["steps"] == 4
        assert (folder / "LICENSE").exists()
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "| reader | 4 |" in card
    first = (folder / "manifest.json").read_text(encoding="utf-8")
    (work / "held-out" / "families_00000.npz").unlink()
    run(work, out)
    assert json.loads((folder / "manifest.json").read_text(encoding="utf-8")) == json.loads(first)
    assert len((work / "reader.log.jsonl").read_text(encoding="utf-8").splitlines()) == 1
