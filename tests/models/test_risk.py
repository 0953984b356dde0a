"""The threshold of `unsure`: what it promises holds for sets that took no part in choosing it."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

from models.training.calibration.risk import (
    CONFIDENCE,
    THRESHOLDS,
    ReadSet,
    least_threshold,
    read_sets,
    sure_confidence,
    upper_bound,
)


def drawn_sets(seed: int, count: int, group: str = "some") -> list[ReadSet]:
    """Return sets of 12 tiles: one set in six is strange, and a quarter of its tiles are wrong."""
    rng = np.random.default_rng(seed)
    sets = []
    for _ in range(count):
        is_strange = rng.random() < 1 / 6
        right = rng.random(12) > (0.25 if is_strange else 0.002)
        confidence = np.where(right, 1 - rng.uniform(0, 0.02, 12), rng.uniform(0.5, 1, 12))
        sets.append(ReadSet(group, right, confidence))
    return sets


def test_the_bound_holds_as_often_as_it_says() -> None:
    """The true mean lies above it in at most one of ten samples."""
    true_mean = 0.02
    above = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        losses = np.where(rng.random(300) < 0.1, 0.2, 0.0)
        above += upper_bound(losses) < true_mean
    assert above <= 100 * (1 - CONFIDENCE)


def test_more_sets_make_a_tighter_bound() -> None:
    """Without any error too; it never is zero."""
    few, many = upper_bound(np.zeros(200)), upper_bound(np.zeros(2000))
    assert 0 < many < few / 4
    assert upper_bound(np.ones(50)) == 1


def test_the_threshold_keeps_its_promise_for_new_sets() -> None:
    """Silent errors of 5,000 new sets stay below what is allowed, and a laxer threshold would not do."""
    allowed = 0.01
    threshold = least_threshold(drawn_sets(1, 1500), allowed)
    new = drawn_sets(2, 5000)
    assert np.mean([each.silent(threshold) for each in new]) <= allowed
    assert np.mean([each.silent(THRESHOLDS[-1]) for each in new]) > allowed
    assert THRESHOLDS[-1] < threshold < THRESHOLDS[0]


def test_where_nothing_holds_the_strictest_threshold_is_taken() -> None:
    """Too few sets to promise anything; the bound says so."""
    sure = sure_confidence(drawn_sets(3, 20))
    assert sure.threshold == THRESHOLDS[0]
    assert sure.bound > 0.05


def test_a_group_has_no_part_in_the_threshold_that_it_is_tried_with() -> None:
    """A group that is wrong and sure of it is found out by the threshold of the other one."""
    bad = [ReadSet("bad", np.array([True, False] * 4), np.full(8, 0.9995)) for _ in range(200)]
    sure = sure_confidence(drawn_sets(4, 1500) + bad, allowed=0.01)
    assert sure.left_out["bad"].threshold == least_threshold(drawn_sets(4, 1500), 0.01)
    assert sure.left_out["bad"].silent == 0.5
    assert sure.left_out["some"].threshold == THRESHOLDS[0]
    assert sure.bound > 0.01


@dataclass
class Tile:
    """What a reader says of one tile."""

    code: str
    confidence: float
    tile: float


class FixedReader:
    """Names every tile in the same way."""

    def name(self, image, quads):
        return [Tile("R2", 0.97, 0.9), Tile("R4", 0.99, 0.3)][: len(quads)]


def test_what_is_unsure_for_another_reason_is_asked_about_at_every_threshold() -> None:
    """A face that looks like no tile is unsure whatever its code's chance."""
    quad = np.zeros((4, 2), np.float32)
    shown = SimpleNamespace(group="some", image=None, quads_px=(quad, quad), codes=("R2", "R6"))
    empty = SimpleNamespace(group="some", image=None, quads_px=(), codes=())
    (read,) = read_sets(FixedReader(), [shown, empty])
    assert read.right.tolist() == [True, False]
    assert read.asked(0.5) == 0.5
    assert read.silent(0.5) == 0
    assert read.asked(0.98) == pytest.approx(1)
