"""The small changes that `tests.mutation` makes to the engine."""

from __future__ import annotations

import ast

import pytest

from tests.mutants import mutants_of


def changes(text: str) -> list[str]:
    """Return each changed source, in its order."""
    found = []
    for number in range(len(list(mutants_of(ast.parse(text))))):
        tree = ast.parse(text)
        list(mutants_of(tree))[number].apply()
        found.append(ast.unparse(ast.parse(ast.unparse(tree))))
    return found


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return a < 2", {"return None", "return a <= 2", "return a < 3"}),
        ("return a if b else c", {"return None", "return c if b else a"}),
        ("return not a", {"return None", "return a"}),
        ("return a and b", {"return None", "return a or b", "return a", "return b"}),
        ("a += b", {"a = b", "a -= b"}),
        ("f(a, b=1)", {"pass", "f(None, b=1)", "f(a)", "f(a, b=2)"}),
        ("return [a for a in b if a]", {"return None", "return [a for a in b if True]"}),
        ("return a[1:]", {"return None", "return a[:]", "return a[2:]"}),
        ("return min(a)", {"return None", "return max(a)", "return min(None)"}),
        ("'Says what it does.'", set()),
        ("a: int = b", set()),
    ],
)
def test_a_function_is_changed_in_one_place_at_a_time(body, expected):
    found = {change.split("\n    ", 1)[1] for change in changes(f"def f(a, b, c):\n    {body}")}
    assert found == expected


def test_conditions_cases_and_defaults_are_changed_too():
    lines = [
        "def f(a=1):",
        " if a < b:",
        "  break",
        " match a:",
        "  case 1:",
        "   pass",
        "  case _:",
        "   c()",
    ]
    text = "\n".join(lines)
    found = changes(text)
    assert sum("def f(a=2)" in change for change in found) == 1
    assert sum("if not a < b" in change for change in found) == 1
    assert sum("continue" in change for change in found) == 1
    assert sum("case 1" not in change for change in found) == 1
    assert sum("case _" not in change for change in found) == 1


def test_constants_of_a_module_and_values_of_a_class_are_changed():
    text = 'MOST = 3\nKind = TypeVar("Kind")\nclass A:\n    "Says what."\n    at: int = 4\n'
    found = changes(text)
    assert len(found) == 2
    assert "MOST = 4" in found[0]
    assert "at: int = 5" in found[1]


def test_each_mutant_says_what_it_changes_and_leaves_the_source_as_it_was():
    text = "def f(a):\n    if a < 2:\n        return g(a)\n    return None"
    tree = ast.parse(text)
    found = [(mutant.scope, mutant.lines, mutant.describe()) for mutant in mutants_of(tree)]
    assert ast.unparse(tree) == text
    assert ("f", range(2, 3), "if a < 2:  →  if a <= 2:") in found
    assert ("f", range(3, 4), "return g(a)  →  return None") in found
