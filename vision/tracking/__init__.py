"""From one reading to the next: what moved, what is covered, where the camera went."""
