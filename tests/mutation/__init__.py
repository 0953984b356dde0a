"""Planted errors in `referee/`: how many of them the tests find."""
