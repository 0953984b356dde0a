"""What can be announced when some tiles are unsure: the events that every reading shares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from referee.rules.events import Event, Need
from referee.rules.layout import Layout
from referee.rules.options import DEFAULTS, Options
from referee.rules.resolve import Resolution, resolve


@dataclass(frozen=True, slots=True)
class Verdict:
    """The events that can be announced, in order."""

    events: tuple[Event, ...]
    needs: Need | None
    """What stops the resolution, if every reading stops there for the same."""
    certain: bool
    """Whether nothing is held back: all readings share every event and what is needed after the last.
    With no events and `certain` the pyramid is stable; without it nothing can be said yet."""


def common_verdict(layouts: Iterable[Layout], options: Options = DEFAULTS) -> Verdict:
    """Return what can be announced of a table whose reading leaves doubts.

    >>> sure, other = Layout.parse("R40 B20/R4"), Layout.parse("R10 B20/R4")
    >>> common_verdict([sure, other])
    Verdict(events=(), needs=None, certain=True)

    Args:
        layouts: The readings, at least one, the likeliest first; each is judged as it lies.
        options: The settings of the game.

    Returns:
        The events of the likeliest reading up to the first that another reading does not have. Two
        events are the same when they differ in nothing but the layout after them, which may hold
        unsure tiles that the event does not concern.
    """
    return common_resolution([resolve(layout, options) for layout in layouts])


def common_resolution(readings: Sequence[Resolution]) -> Verdict:
    """Return what can be announced of a table, given how each of its readings, at least one, is resolved.

    As `common_verdict`, for resolutions that did not begin with the table as it lies.
    """
    likeliest, others = readings[0], readings[1:]
    shared = len(likeliest.events)
    certain = True
    for other in others:
        same = 0
        for mine, theirs in zip(likeliest.events[:shared], other.events, strict=False):
            if said_of(mine) != said_of(theirs):
                break
            same += 1
        certain = certain and same == len(likeliest.events) == len(other.events)
        certain = certain and said_of(likeliest.needs) == said_of(other.needs)
        shared = min(shared, same)
    return Verdict(likeliest.events[:shared], likeliest.needs if certain else None, certain)


def said_of(thing: Event | Need | None) -> tuple[object, ...]:
    """Return what is announced of an event or a need: its kind and all but where it happens."""
    if thing is None:
        return ()
    names = [field.name for field in fields(thing) if field.name not in ("layout", "place")]
    return (type(thing), *(getattr(thing, name) for name in names))
