"""Runs the command line: as ``python -m ui``, and as the command ``pyramid-referee``."""

import signal
import sys

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    # Until `main` listens, Ctrl-C ends the process without a word, and does not break off an import.
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from ui.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
