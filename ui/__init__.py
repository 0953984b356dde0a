"""The two user interfaces: the command line and the PySide6 app."""
