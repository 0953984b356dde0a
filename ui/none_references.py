"""Keeps None alive under PySide6 6.12.0, which on Python 3.11 ends the process after some thousand calls.

There, every Qt call that returns nothing gives away a reference to None that it does not own, until Python
stops with "deallocating None". From Python 3.12 on None is not counted. This module can go as soon as
pyproject.toml excludes that version, or asks for Python 3.12.
"""

from __future__ import annotations

import ctypes
import sys

_SPARE = 1 << 40


def spare_none() -> None:
    """Give None more references than a process can lose; does nothing where None is not counted."""
    if sys.version_info < (3, 12) and sys.getrefcount(None) < _SPARE:
        ctypes.c_ssize_t.from_address(id(None)).value += _SPARE
