"""Where the tiles of a pyramid lie: the brick lattice, and which way up."""
