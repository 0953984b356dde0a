"""Whole pictures to train with, and the files that hold them: tables, families of crops, pairs of places."""
