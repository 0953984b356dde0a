"""Follow a game from one settled table to the next: what happened, how sure that is, what to ask."""
