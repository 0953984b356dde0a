"""The rules in plain sentences, each with its source."""
