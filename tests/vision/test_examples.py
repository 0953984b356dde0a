"""The examples in the docstrings of `vision` hold."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import vision

MODULES = [found.name for found in pkgutil.walk_packages(vision.__path__, "vision.") if not found.ispkg]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    tried = sum(doctest.testmod(importlib.import_module(name)).attempted for name in MODULES)
    assert tried >= 25
