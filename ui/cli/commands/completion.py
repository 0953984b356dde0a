"""`pyramid-referee completion`: what a shell needs to complete our commands and options."""

from __future__ import annotations

import argparse

from ui.text.catalogue import _, mark

HELP = mark("print what bash, zsh or fish needs to complete commands and options")

SHELLS = ("bash", "zsh", "fish")
PROGRAM = "pyramid-referee"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `completion`."""
    parser.add_argument("shell", choices=SHELLS, help=_("the shell that reads it"))


def run(args: argparse.Namespace) -> int:
    """Print the lines; the shell then asks the program itself what may follow, so they never grow old."""
    from argcomplete.shell_integration import shellcode

    print(shellcode([PROGRAM], shell=args.shell))
    return 0
