"""The whole way from captured pictures to a reader that learned them; needs PyTorch, and minutes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from tests.places import SAMPLES


@pytest.mark.slow
def test_train_learns_a_data_set_and_evaluate_compares_both(tmp_path):
    data = tmp_path / "kitchen"
    data.mkdir()
    for number in range(30):
        path = sorted(SAMPLES.glob("*.jpg"))[number % 6]
        content = json.loads(path.with_suffix(".json").read_text())
        # Bytes behind the picture's end make each file another photo.
        (data / f"{number}.jpg").write_bytes(path.read_bytes() + bytes([number]))
        (data / f"{number}.json").write_text(json.dumps(content | {"image": f"{number}.jpg"}))

    def run(*line: str) -> subprocess.CompletedProcess[str]:
        own = os.environ | {"PYRAMID_REFEREE_DATA": str(tmp_path / "own")}
        return subprocess.run(
            [sys.executable, "-m", "ui", *line], capture_output=True, text=True, env=own, check=False
        )

    learned = run("train", "--data", str(data), "--work", str(tmp_path / "work"), "--small")
    assert learned.returncode == 0, learned.stderr
    assert "--model kitchen" in learned.stdout
    folder = tmp_path / "own" / "models" / "kitchen"
    assert json.loads((folder / "manifest.json").read_text())["task"] == "reader"
    assert "named right" in (folder / "README.md").read_text()
    compared = run("evaluate", str(SAMPLES), "--model", "shipped", "--model", "kitchen", "--json")
    figures = [json.loads(line) for line in compared.stdout.splitlines()]
    assert {each["model"] for each in figures} == {"shipped", "kitchen"}
    assert all(each["tiles_right"] > 0.95 for each in figures if each["group"] == "all")
    shutil.copy(data / "0.jpg", tmp_path / "few.jpg")
    few = run("train", "--data", str(SAMPLES), "--work", str(tmp_path / "work"))
    assert few.returncode == 1
    assert "too small" in few.stderr
