"""How requests, answers and recorded games are written down."""
