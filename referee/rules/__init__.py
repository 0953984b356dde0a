"""The rules: tiles, layouts, mayhem and its order, and the game that they make."""
