"""The page of a game, and what all pages with a drawn table share."""
