"""What the program itself refuses, and says so to people.

    ToldError
    +-- StorageError    recorded games that cannot be stored or read

The rules refuse with a `RefereeError`, the eyes with a `VisionError`; `ui.text.errors.error_sentence` has
the sentence of each of them.
"""

from __future__ import annotations

from referee.errors import RefereeError


class ToldError(Exception):
    """Anything that the program cannot do, with a sentence of `ui/text/errors.py` and what fills it.

    `str` gives the English sentence.
    """

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template.format(**values))
        self.template = template
        self.values = values


class StorageError(ToldError):
    """Recorded games, or a part of them, that cannot be stored or read."""


TOLD = (RefereeError, ToldError)
"""What is refused for a reason that people are told, by the rules or by the program."""
