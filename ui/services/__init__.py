"""What the app and the command line do for people: follow a game, replay one, learn tiles."""
