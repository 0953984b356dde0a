"""The place head: from two sets of features to chances."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from vision.errors import ModelError
from vision.recognition.model_store import Model
from vision.tracking import place_head
from vision.tracking.place_head import STATES, PlaceHead


class FixedSession:
    """Says `occluder` where the features differ from before, and `table` where they do not."""

    def run(self, outputs, features):
        assert outputs == ["state", "same"]
        differs = np.abs(features["now"] - features["before"]).max(axis=(1, 2, 3)) > 0
        state = np.zeros((len(differs), 4), np.float32)
        state[differs, STATES.index("occluder")] = 4
        state[~differs, STATES.index("table")] = 4
        return state, np.where(differs, -3, 3)[:, None].astype(np.float32)


def model_for(reader: str, temperature: float = 1.0) -> Model:
    return Model("place_1", {"reader": reader, "temperature": temperature}, FixedSession())


def test_places_get_chances() -> None:
    """Each row sums to one; a higher temperature makes them less certain."""
    now, before = np.zeros((2, 128, 5, 5), np.float32), np.zeros((2, 128, 5, 5), np.float32)
    now[1] += 1
    judged = PlaceHead(model_for("a")).judge(now, before)
    assert np.exp(judged.log_states).sum(axis=1) == pytest.approx(1)
    assert [STATES[index] for index in judged.log_states.argmax(axis=1)] == ["table", "occluder"]
    assert judged.same == pytest.approx([0.9526, 0.0474], abs=1e-4)
    milder = PlaceHead(model_for("a", 2.0)).judge(now, before)
    assert milder.log_states.max() < judged.log_states.max()


def test_a_head_of_another_reader_is_refused(monkeypatch) -> None:
    """Features of two readers have nothing in common."""
    reader = SimpleNamespace(manifest={"sha256": "a"})
    monkeypatch.setattr(place_head, "open_model", lambda task, folder: model_for("a"))
    assert isinstance(PlaceHead.open(reader), PlaceHead)
    monkeypatch.setattr(place_head, "open_model", lambda task, folder: model_for("b"))
    with pytest.raises(ModelError, match="another reader"):
        PlaceHead.open(reader)
