"""The cube game."""
