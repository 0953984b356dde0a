"""The parser of the command line, in the language of the user."""

from __future__ import annotations

import argparse

from ui.text.catalogue import _, mark

ARGPARSE_SAYS = (
    mark("usage: "),
    mark("positional arguments"),
    mark("options"),
    mark("%(heading)s:"),
    mark("show this help message and exit"),
    mark("%(prog)s: error: %(message)s\n"),
    mark("argument %(argument_name)s: %(message)s"),
    mark("the following arguments are required: %s"),
    mark("one of the arguments %s is required"),
    mark("unrecognized arguments: %s"),
    mark("not allowed with argument %s"),
    mark("expected one argument"),
    mark("expected at most one argument"),
    mark("expected at least one argument"),
    mark("ignored explicit argument %r"),
    mark("invalid %(type)s value: %(value)r"),
    mark("invalid choice: %(value)r (choose from %(choices)s)"),
)
"""What `argparse` itself says, for the catalogues."""


def translate_argparse() -> None:
    """Make `argparse` look its own words up in our catalogues: Python ships none for them."""
    argparse._ = _  # type: ignore[attr-defined]


def described(what: str) -> str:
    """Return the help of a command as a sentence, to stand above its arguments."""
    sentence = _(what)
    return f"{sentence[:1].upper()}{sentence[1:].rstrip('.')}."
