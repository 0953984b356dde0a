"""What the rules refuse to speak about.

    RefereeError
    ├── NotationError    badly written: a layout, a request, a coordinate (also a ValueError)
    ├── TileError        a tile that does not exist, or is there twice (also a ValueError)
    ├── OptionError      a setting or a value of one that does not exist (also a ValueError)
    ├── PlacementError   well written, but not a place where a tile may go now (also a ValueError)
    ├── ChoiceError      an answer that does not fit what was asked (also a ValueError)
    └── RecordError      a saved game that cannot be read on (also a ValueError)

Mayhem is never an error; it is an answer.
"""

from __future__ import annotations


class Phrase(str):
    """A value that is words of the engine's own, for a catalogue to translate as well."""

    __slots__ = ()


class RefereeError(Exception):
    """Any input that the rules cannot speak about.

    The sentence is kept as a template with its values, so that a user interface can look the
    template up in its catalogue; `str` gives the English sentence.
    """

    def __init__(self, template: str, **values: object) -> None:
        self.template = template
        self.values = {name: _shortened(value) for name, value in values.items()}
        super().__init__(template.format(**self.values))

    def __reduce__(self) -> tuple[object, ...]:
        """Return what pickle needs, for errors that cross a process border."""
        return _rebuild, (type(self), self.template, self.values)


class NotationError(RefereeError, ValueError):
    """Badly written."""


class TileError(RefereeError, ValueError):
    """An unknown tile, or one that is there twice."""


class OptionError(RefereeError, ValueError):
    """An unknown setting, or a value it does not have."""


class PlacementError(RefereeError, ValueError):
    """Well written, but not an allowed place; the sentence names the allowed ones."""


class ChoiceError(RefereeError, ValueError):
    """An answer that does not fit the question."""


class RecordError(RefereeError, ValueError):
    """A saved game that cannot be read on."""


MAX_QUOTE = 400
"""Longest text, in characters, that a sentence quotes whole; the largest layout of 45 tiles has fewer."""


def _shortened(value: object) -> object:
    """Return a value fit for a sentence: a text of any length is cut to what can be read."""
    if type(value) is str and len(value) > MAX_QUOTE:
        return f"{value[:MAX_QUOTE]}…"
    return value


def _rebuild(kind: type[RefereeError], template: str, values: dict[str, object]) -> RefereeError:
    """Return an equal error from its template and values."""
    return kind(template, **values)
