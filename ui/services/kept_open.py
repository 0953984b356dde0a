"""What is opened once in each worker, such as a model, and used for all items of the work."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

Opened = TypeVar("Opened")
Key = TypeVar("Key")

_of_this_thread = threading.local()


def kept_open(make: Callable[[Key], Opened], key: Key) -> Opened:
    """Return `make(key)`, made once in each worker for as long as the key stays the same."""
    kept = getattr(_of_this_thread, "kept", None)
    if kept is None or kept[0] != (make, key):
        _of_this_thread.kept = None  # lets go of the old one before there is a new one
        _of_this_thread.kept = kept = ((make, key), make(key))
    made: Opened = kept[1]
    return made
