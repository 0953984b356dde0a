"""From a picture to a reading: find tiles, name them, place them on the lattice."""
