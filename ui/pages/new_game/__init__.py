"""The page for a new game, and its parts."""
