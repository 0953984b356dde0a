"""Simulated tables: seeded random games with mistakes, as a camera would come to see them."""
