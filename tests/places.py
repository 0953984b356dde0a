"""Where the tests find what is no code."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""The checkout."""
SAMPLES = ROOT / "samples"
"""Photos with truth files, which newcomers open first."""
DATA = ROOT / "tests" / "data"
"""Golden files, games and pictures; each folder says where they are from."""
