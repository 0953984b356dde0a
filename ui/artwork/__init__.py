"""Everything that is drawn: tiles, sheets to print, strips of a game."""
