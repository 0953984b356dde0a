"""One module for each subcommand of the command line."""
