"""What a second network says of faces that the reader doubts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.rules.tiles import CODES
from vision.imaging.geometry import UNIT_SQUARE
from vision.recognition.assignment import log_softmax
from vision.recognition.classifier import SECOND_BELOW, SECOND_SHARE, SecondOpinion, TileClassifier
from vision.recognition.model_store import Model, open_model
from vision.recognition.reader import TileReader

FACES = np.ones(3, bool)


class _Second:
    """A network that is nearly sure of the second weight and the third colour, whatever it sees."""

    def __init__(self) -> None:
        self.manifest = {"temperature": {"weight": 1.0, "colour": 2.0}}
        self.seen = 0

    def run(self, pictures: np.ndarray) -> list[np.ndarray]:
        self.seen += len(pictures)
        weight, colour = np.zeros((len(pictures), 4)), np.zeros((len(pictures), 3))
        weight[:, 1], colour[:, 2] = 5.0, 10.0
        return [weight, colour]


@pytest.fixture
def second() -> _Second:
    return _Second()


def said(*chances: float, kinds: int) -> np.ndarray:
    """Log-chances of n faces that are likeliest of the first kind, with these chances."""
    rest = (1 - np.array(chances)) / (kinds - 1)
    found = np.repeat(rest[:, None], kinds, axis=1)
    found[:, 0] = chances
    return np.log(found)


def test_of_a_face_in_doubt_the_mean_of_both_counts(second: _Second) -> None:
    weight, colour = said(0.6, 0.999, 0.6, kinds=4), said(0.9, 0.999, 0.9, kinds=3)
    crops = np.zeros((3, 8, 8, 3), np.uint8)
    faces = np.array([True, True, False])
    by_weight, by_colour = SecondOpinion(second).joined(weight, colour, crops, faces)  # type: ignore[arg-type]
    assert second.seen == 1, "what is well read, and what is no face, costs no time"
    other = log_softmax(np.array([[0.0, 5.0, 0.0, 0.0]]))[0]
    both = (1 - SECOND_SHARE) * weight[0] + SECOND_SHARE * other
    assert np.allclose(by_weight[0], log_softmax(both[None])[0])
    assert np.exp(by_weight[0]).sum() == pytest.approx(1)
    tempered = log_softmax(np.array([[0.0, 0.0, 5.0]]))[0]
    both = (1 - SECOND_SHARE) * colour[0] + SECOND_SHARE * tempered
    assert np.allclose(by_colour[0], log_softmax(both[None])[0])
    for before, now in ((weight, by_weight), (colour, by_colour)):
        assert np.array_equal(before[1:], now[1:])


def test_a_table_that_is_well_read_is_not_shown_to_it(second: _Second) -> None:
    weight, colour = said(0.998, 0.998, 0.998, kinds=4), said(0.998, 0.998, 0.998, kinds=3)
    found = SecondOpinion(second).joined(weight, colour, np.zeros((3, 8, 8, 3), np.uint8), FACES)  # type: ignore[arg-type]
    assert found[0] is weight
    assert found[1] is colour
    assert second.seen == 0
    assert SECOND_BELOW < 0.998 * 0.998


class _Certain(SecondOpinion):
    """Is certain of the blue 7, whatever it sees."""

    def joined(self, log_weight, log_colour, crops_bgr, are_faces):  # type: ignore[no-untyped-def]
        manifest = self._model.manifest["classes"]
        weight, colour = np.full_like(log_weight, -20.0), np.full_like(log_colour, -20.0)
        weight[:, manifest["weight"].index(7)] = colour[:, manifest["colour"].index("B")] = 0.0
        return weight, colour


@pytest.mark.parametrize(("sees_colour", "chance"), [(True, 1.0), (False, 0.5)])
def test_the_chances_of_the_codes_come_from_what_both_say(sees_colour: bool, chance: float) -> None:
    model = open_model("reader")
    assert sum(code[1:] == "7" for code in CODES) == 2, "else the chance is another one"
    classifier = TileClassifier(model, second=_Certain(model))
    quads = [(UNIT_SQUARE * 60 + 20).astype(np.float32)]
    faces = classifier.read(np.full((100, 100, 3), 128, np.uint8), quads, sees_colour=sees_colour)
    assert np.exp(faces.log_codes[0, classifier.codes.index("B7")]) == pytest.approx(chance, abs=0.02)


def test_it_is_asked_beside_no_other_reader_than_that_it_was_calibrated_with() -> None:
    reader: Model = open_model("reader")
    assert SecondOpinion.of(reader) is not None
    assert SecondOpinion.of(replace(reader, manifest=reader.manifest | {"sha256": "0" * 64})) is None


def test_whoever_opens_a_reader_has_it_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(
        SecondOpinion,
        "joined",
        lambda _self, weight, colour, *_: asked.append(len(weight)) or (weight, colour),
    )
    quads = [(UNIT_SQUARE * 60 + 20).astype(np.float32)]
    TileReader.open().name(np.full((100, 100, 3), 128, np.uint8), quads)
    assert asked
