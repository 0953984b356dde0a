"""How long tasks report their progress."""

from __future__ import annotations

from collections.abc import Callable

OnProgress = Callable[[int, int], None]
"""Is called with how many things are done, and of how many."""


def not_shown(done: int, of: int) -> None:
    """Show nothing."""
