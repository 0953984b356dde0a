"""Days and times in the language of the user.

The months stand in the catalogue: the standard library knows those of the system's language alone, Qt is too
much for the command line, and Babel brings 30 MB of data for what is twelve words here.
"""

from __future__ import annotations

from datetime import datetime

from ui.text.catalogue import _, mark, say

_MONTHS = (
    mark("January"),
    mark("February"),
    mark("March"),
    mark("April"),
    mark("May"),
    mark("June"),
    mark("July"),
    mark("August"),
    mark("September"),
    mark("October"),
    mark("November"),
    mark("December"),
)


def day_of(stored: str) -> str:
    """Return the day of a stored time where the user is, such as "4 November 2026"."""
    return _day(_here(stored))


def moment_of(stored: str) -> str:
    """Return the day and the time of a stored time where the user is, such as "4 November 2026, 20:15"."""
    when = _here(stored)
    return say("{day}, {time}", day=_day(when), time=f"{when:%H:%M}")


def unseen_sentence(since: str, until: str) -> str:
    """Return the sentence that nobody saw the table between two stored times."""
    one, two = _here(since), _here(until)
    if one.date() == two.date():
        times = f"{one:%H:%M:%S}", f"{two:%H:%M:%S}"
    else:
        times = moment_of(since), moment_of(until)
    return say("I did not see what happened between {since} and {until}.", since=times[0], until=times[1])


def _here(stored: str) -> datetime:
    moment = datetime.fromisoformat(stored)
    try:
        return moment.astimezone()
    except (OverflowError, ValueError):  # hours from the beginning or end of all time
        return moment


def _day(when: datetime) -> str:
    pattern = mark("{day} {month} {year}")
    if when.day == 1:
        pattern = mark("1 {month} {year}")
    return say(pattern, day=when.day, month=_(_MONTHS[when.month - 1]), year=when.year)
