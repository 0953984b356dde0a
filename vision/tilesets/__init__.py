"""A player's own tile set, learned from a few photos."""
