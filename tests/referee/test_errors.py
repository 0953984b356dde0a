"""What is wrong, as values: no sentence for people anywhere in the engine."""

from __future__ import annotations

import ast
import pickle
from pathlib import Path

import pytest

import referee
from referee.errors import (
    ChoiceError,
    Fault,
    NotationError,
    OptionError,
    PlacementError,
    RecordError,
    RefereeError,
    TileError,
)
from referee.formats.codec import JsonType

KINDS = (NotationError, TileError, OptionError, PlacementError, ChoiceError, RecordError)
FILES = sorted(Path(referee.__file__).parent.rglob("*.py"))


def test_an_error_says_its_fault_and_its_values():
    assert str(TileError(Fault.UNKNOWN_TILE, code="R41")) == "unknown-tile: code='R41'"
    assert str(NotationError(Fault.NO_LAYOUT)) == "no-layout"
    wrong = NotationError(Fault.WRONG_TYPE, key="die", expected=JsonType.WHOLE, found=JsonType.NULL)
    assert str(wrong) == "wrong-type: key='die', expected=whole-number, found=null"
    assert str(RecordError(Fault.IN_LINE, number=2, problem=wrong)) == f"in-line: number=2, problem=({wrong})"


def test_an_error_survives_a_process_border():
    error = TileError(Fault.UNKNOWN_TILE, code="R5")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.fault, again.values) == (TileError, Fault.UNKNOWN_TILE, {"code": "R5"})
    assert str(again) == str(error)


def test_an_error_quotes_a_monstrous_text_only_in_part():
    error = NotationError(Fault.EMPTY_SLOT_TEXT, layout="x" * 10_000)
    assert error.values["layout"] == "x" * 400 + "…"
    assert len(str(error)) < 500


@pytest.mark.parametrize("kind", KINDS)
def test_errors_about_an_argument_are_value_errors(kind):
    assert issubclass(kind, RefereeError)
    assert issubclass(kind, ValueError)
    assert {*KINDS} == {*RefereeError.__subclasses__()}


def raised():
    """Yield every error that the engine makes: where, its fault, the names of its values."""
    names = {kind.__name__ for kind in KINDS}
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                yield f"{path.name}:{node.lineno}", ast.unparse(node.args[0]), node.keywords


def test_the_engine_names_a_fault_and_no_sentence():
    wrong = [(where, fault) for where, fault, _ in raised() if not fault.startswith("Fault.")]
    assert wrong == []


def test_every_fault_is_raised():
    assert {fault for _, fault, _ in raised()} == {f"Fault.{fault.name}" for fault in Fault}


def test_a_fault_has_a_name_of_its_own_kind():
    assert {fault.value for fault in Fault} == {fault.name.lower().replace("_", "-") for fault in Fault}
