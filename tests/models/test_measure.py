"""Figures by held-out group: what is right, asked about and silently wrong; the worst group first."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

pytest.importorskip("torch")

from models.training import measure
from models.training.calibration.sets import folder_of
from models.training.calibration.temperatures import Temperatures
from models.training.measure import Crop, Named, labelled_crops, report
from models.training.rendering.faces import COLOURS
from models.training.rendering.glyphs import WEIGHTS

pytestmark = pytest.mark.slow  # torch is there with `make test-slow` alone


def answers_of(codes: list[str], sure: float):
    """Return a network that reads these codes one after the other, as sure as is said."""
    left = iter(codes)

    def answers(crops: np.ndarray) -> list[np.ndarray]:
        weight = np.zeros((len(crops), len(WEIGHTS)), np.float32)
        colour = np.zeros((len(crops), len(COLOURS)), np.float32)
        for row in range(len(crops)):
            code = next(left)
            weight[row, WEIGHTS.index(int(code[1:]))] = colour[row, COLOURS.index(code[0])] = sure
        return [weight, colour]

    return answers


def crops_of(codes: list[str]) -> list[Crop]:
    return [Crop(np.zeros((3, 80, 80), np.uint8), code) for code in codes]


def test_wrong_and_not_asked_about_is_silent() -> None:
    """One of four tiles has the wrong colour, and the network is sure of it."""
    as_they_are = Temperatures(1, 1)
    crops = crops_of(["R2", "R4", "R6", "B10"])
    named = Named.by(answers_of(["R2", "R4", "R6", "G10"], 20), crops, as_they_are, 0.9)
    figures = named.figures()
    assert figures["right"] == figures["colour"] == 0.75
    assert figures["weight"] == 1
    assert figures["silent"] == 0.25
    assert figures["asked"] == 0
    doubtful = Named.by(answers_of(["R2", "G10"], 1), crops_of(["R2", "B10"]), as_they_are, 0.9)
    assert doubtful.figures()["asked"] == 1
    assert doubtful.figures()["silent"] == 0


def test_coverage_counts_the_surest_tiles_until_one_is_wrong() -> None:
    """At a risk of 0.2 % no error may be among so few tiles."""
    right = np.array([True, True, False, True])
    named = Named(right, right, right, np.array([0.99, 0.98, 0.9, 0.5]), 0.9)
    assert named.coverage(0.002) == 0.5
    assert named.risks() == pytest.approx([0, 0, 1 / 3, 1 / 4])
    assert named.calibration_error() == pytest.approx((3 * abs(0.9566667 - 2 / 3) + 0.5) / 4)


def test_the_worst_group_stands_first() -> None:
    """Below the head of the table; the mean of the held-out groups stands last."""
    good, bad = np.array([True, True]), np.array([True, False])
    chances = np.array([0.99, 0.6])
    named = {
        "neon on black": Named(good, good, good, chances),
        "woodcut corner": Named(bad, good, bad, chances),
        "table-dev A": Named(good, good, good, chances),
    }
    lines = report(named)
    assert lines[1].startswith("woodcut corner")
    assert lines[-1].startswith("mean of held-out groups")
    assert "75.0%" in lines[-1]


def test_labelled_pictures_are_grouped_by_style(tmp_path) -> None:
    """Tiles that are covered do not count."""
    cv2.imwrite(str(tmp_path / "one.png"), np.full((100, 100, 3), 200, np.uint8))
    quad = [[10, 10], [50, 10], [50, 50], [10, 50]]
    tiles = [{"code": "R2", "quad": quad, "visible": 1.0}, {"code": "B4", "quad": quad, "visible": 0.5}]
    label = {"image": "one.png", "style": "E", "difficulty": "hard", "tiles": tiles}
    (tmp_path / "one.json").write_text(json.dumps(label))
    assert [(group, crop.code) for group, crop in labelled_crops(tmp_path)] == [
        (f"{tmp_path.name} E hard", "R2")
    ]


def test_each_held_out_group_has_pictures_of_its_own(tmp_path) -> None:
    """Groups differ in seed and folder."""
    folders = {folder_of(tmp_path, group) for group in measure.HELD_OUT}
    assert len(folders) == len(measure.HELD_OUT)
