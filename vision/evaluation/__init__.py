"""How well a reader reads."""
