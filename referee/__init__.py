"""The rules engine: standard library only, runs with no camera and no window."""
