"""Tests of the page of photos."""
