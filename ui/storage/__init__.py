"""What is kept on this computer: games, settings, folders."""
