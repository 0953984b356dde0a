"""Attacks on the command line: whatever it is given, it ends with a sentence, and nothing is lost."""
