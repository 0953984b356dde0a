"""Which names are in doubt, however likely they are."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from vision.recognition.assignment import AssignedCode
from vision.recognition.naming import FaceNamer
from vision.recognition.own_set import SURE_WHERE_DOUBTED

CODES = ("Y20", "Y100", "Y120")
FACES = SimpleNamespace(tile=[0.999], likeness=[1.0])


def classifier(*, is_shipped: bool, was_in_doubt: bool = False) -> Any:
    """What the namer asks of a classifier that is sure of the set."""
    return SimpleNamespace(
        codes=CODES,
        is_by_shipped_model=is_shipped,
        never_vouches_for=lambda _code: False,
        was_in_doubt_before=lambda _code: was_in_doubt,
    )


@pytest.mark.parametrize(
    ("code", "chance", "is_shipped", "unsure"),
    [
        ("Y120", 0.97, True, True),
        ("Y120", SURE_WHERE_DOUBTED, True, False),
        ("Y120", 0.97, False, False),
        ("Y20", 0.97, True, False),
        ("Y100", 0.97, True, False),
        ("Y100", 0.95, True, True),
    ],
)
def test_what_is_read_as_120_may_be_a_20_beside_what_looks_like_a_1(code, chance, is_shipped, unsure) -> None:
    """The edge of a plaque beside it did, and a collapse was told that was none (film 423382)."""
    named = AssignedCode(CODES.index(code), chance, ())
    assert FaceNamer(classifier(is_shipped=is_shipped)).is_unsure(FACES, 0, named, 0.96) is unsure


@pytest.mark.parametrize(
    ("chance", "was_in_doubt", "unsure"),
    [(0.97, True, True), (0.97, False, False), (SURE_WHERE_DOUBTED, True, False)],
)
def test_a_new_tile_of_a_set_that_was_in_doubt_must_be_read_more_surely(chance, was_in_doubt, unsure) -> None:
    """Yellow 20 was read as 60 after a tile that people had to name, and told (film 432664)."""
    namer = FaceNamer(classifier(is_shipped=True, was_in_doubt=was_in_doubt))
    assert namer.is_unsure(FACES, 0, AssignedCode(0, chance, ()), 0.96) is unsure
