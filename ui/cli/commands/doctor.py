"""`pyramid-referee doctor`: looks over the installation and says what to do."""

from __future__ import annotations

import argparse

from ui.text.catalogue import mark, say

HELP = mark("look over cameras, libraries, models and folders, and say what to do")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare no arguments: it looks at everything."""


def run(args: argparse.Namespace) -> int:
    """Return 0 where all is well, 1 where something has to be done."""
    from ui.services.doctor import findings

    to_do = 0
    for finding in findings():
        to_do += not finding.is_fine
        print(f"{' ' if finding.is_fine else '!'} {say(finding.sentence, **finding.values)}", flush=True)
    print()
    if to_do:
        print(say(mark("What has a mark in front needs your help.")))
        return 1
    print(say(mark("All is well.")))
    return 0
