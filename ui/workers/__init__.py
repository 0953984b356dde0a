"""What runs beside the window, so that it never waits."""
