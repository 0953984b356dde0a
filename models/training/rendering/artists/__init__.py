"""Tile sets by many invented artists: what carries the colour, on what, made how, lettered by which hand."""
