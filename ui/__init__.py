"""The two user interfaces: the command line and the PySide6 app."""

__version__ = "0.1.0"
"""The version of the program; packages, bundles and stored games take it from here."""
