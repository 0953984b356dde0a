"""Settings of the property tests: a busy machine is no failure."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("rules", deadline=None)
settings.load_profile("rules")
