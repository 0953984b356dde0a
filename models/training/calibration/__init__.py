"""What makes the reader's chances honest, for tile sets by artists that it never saw."""
