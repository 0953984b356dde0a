"""The program as its users get it: a wheel in an environment of its own, and the bundle without Python."""
