"""Tiles from captured photos, and the card of a reader that learned them."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models.training.captured import Patches, cut_patches
from models.training.report import NamedTiles, write_report
from referee.rules.tiles import CODES
from tests.places import SAMPLES
from vision.dataset.dataset import build_data_set
from vision.recognition.model_store import open_model


def patches_of(folder: Path) -> Patches:
    data_set, problems = build_data_set(folder, codes=CODES)
    assert not problems
    return cut_patches(data_set, lambda done, of: None)


@pytest.fixture(scope="module")
def reader():
    return open_model("reader")


@pytest.fixture(scope="module")
def cut():
    return [patch for part in patches_of(SAMPLES).parts.values() for patch in part]


def answers(reader):
    return lambda crops: reader.run(np.ascontiguousarray(crops[:, ::-1].transpose(0, 2, 3, 1)))


def test_tiles_that_were_cut_out_can_still_be_read(reader, cut):
    labelled = [json.loads(path.read_text())["tiles"] for path in sorted(SAMPLES.glob("*.json"))]
    assert sorted(patch.code for patch in cut) == sorted(tile["code"] for tiles in labelled for tile in tiles)
    named = NamedTiles.by(answers(reader), cut, reader.manifest)
    assert named.share_right > 0.95
    assert named.surprise < 0.3
    assert sum(count for *_, count in named.reliability()) == len(cut)
    # Cut the wrong way round, they cannot.
    turned = [replace(patch, quad_px=np.roll(patch.quad_px, 2, axis=0)) for patch in cut]
    upside_down = NamedTiles.by(answers(reader), turned, reader.manifest)
    assert upside_down.share_right < 0.6
    assert upside_down.surprise > 1


def test_labels_that_nobody_confirmed_are_left_out(tmp_path):
    shutil.copy(SAMPLES / "collapse.jpg", tmp_path)
    content = json.loads((SAMPLES / "collapse.json").read_text())
    content["tiles"][0]["proposed"] = True
    content["tiles"][1]["covered"] = True
    (tmp_path / "collapse.json").write_text(json.dumps(content))
    patches = patches_of(tmp_path)
    kept = [patch.code for part in patches.parts.values() for patch in part]
    assert kept == [tile["code"] for tile in content["tiles"][2:]]
    assert patches.proposed == 1


def test_a_photo_that_vanished_is_told_and_the_rest_is_cut(tmp_path):
    for name in ("collapse", "stable"):
        shutil.copy(SAMPLES / f"{name}.jpg", tmp_path)
        shutil.copy(SAMPLES / f"{name}.json", tmp_path)
    data_set, _ = build_data_set(tmp_path, codes=CODES)
    (tmp_path / "stable.jpg").unlink()
    patches = cut_patches(data_set, lambda done, of: None)
    assert len(patches.problems) == 1
    assert {patch.photo for part in patches.parts.values() for patch in part} == {"collapse.jpg"}


def test_the_card_says_what_got_better_and_what_is_taken_for_what(tmp_path, cut):
    true = tuple(patch.code for patch in cut[:4])
    before = NamedTiles(true, ("M200", *true[1:]), np.array([0.9, 0.8, 0.95, 0.55]), 0.7)
    after = NamedTiles(true, true, np.array([0.9, 0.8, 0.95, 0.55]), 0.1)
    patches = Patches({"train": cut[4:], "val": cut[:2], "test": cut[:4]})
    text = write_report(tmp_path / "README.md", patches, before, after, 120).read_text()
    assert "| named right | 75.00% | 100.00% |" in text
    assert f"| {true[0]} | 1 | 0 | 1 |" in text
    assert "None." in text
    assert (
        f"- {true[0]} as M200: 1 times"
        in write_report(tmp_path / "README.md", patches, after, before, 120).read_text()
    )
