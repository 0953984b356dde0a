"""The pages of stored games: the shelf, and how a game ended."""
