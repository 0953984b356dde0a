"""What the pages show, as plain values: no Qt."""
