"""Runs the command line as ``python -m ui``."""

import sys

from ui.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
