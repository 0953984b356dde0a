"""The examples in the docstrings of the engine hold."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import referee

MODULES = ["referee", *(found.name for found in pkgutil.walk_packages(referee.__path__, "referee."))]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_hold(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples():
    tried = sum(doctest.testmod(importlib.import_module(name)).attempted for name in MODULES)
    assert tried >= 10
