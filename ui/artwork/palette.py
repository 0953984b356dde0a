"""The colours of the tiles, as Qt reads them."""

from __future__ import annotations

TILE_COLOURS = {"Y": "#D9A514", "R": "#C4452F", "G": "#3C8C4C", "B": "#2F6DB3"}
"""Letter of a colour -> the ground of its tiles; the millstone shows all four."""
TILE_INK = {"Y": "#1B1402", "R": "#FFFFFF", "G": "#FFFFFF", "B": "#FFFFFF", "M": "#FFFFFF"}
"""Letter of a colour, or of the millstone -> numbers and signs on it."""
MILLSTONE_HUB = "#2A2D31"
