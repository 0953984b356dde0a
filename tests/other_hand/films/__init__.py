"""Films of simulated games, painted by the other hand: nothing of the training's renderer is in them."""
