"""Days and times, in the language that was chosen and not in the system's."""

from __future__ import annotations

import time

import pytest

from ui.text.catalogue import choose_language
from ui.text.dates import day_of, moment_of, unseen_sentence

pytestmark = pytest.mark.skipif(not hasattr(time, "tzset"), reason="the time zone cannot be set here")


@pytest.fixture(autouse=True)
def in_utc(monkeypatch):
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()
    choose_language("en")


@pytest.mark.parametrize(
    ("language", "stored", "day", "moment"),
    [
        ("en", "2026-11-04T20:15:09.123+00:00", "4 November 2026", "4 November 2026, 20:15"),
        ("fr", "2026-11-04T20:15:09.123+00:00", "4 novembre 2026", "4 novembre 2026, 20:15"),
        ("fr", "2026-08-01T00:05:00.000+00:00", "1er août 2026", "1er août 2026, 00:05"),
        ("en", "2026-08-01T00:05:00.000+00:00", "1 August 2026", "1 August 2026, 00:05"),
        ("en", "2026-12-31T23:30:00.000-02:00", "1 January 2027", "1 January 2027, 01:30"),
    ],
)
def test_a_stored_time(language, stored, day, moment, monkeypatch):
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    choose_language(language)
    assert (day_of(stored), moment_of(stored)) == (day, moment)


@pytest.mark.parametrize(
    ("until", "times"),
    [
        ("2026-11-04T20:31:40.000+00:00", "between 20:15:09 and 20:31:40."),
        ("2026-11-05T00:31:40.000+00:00", "between 4 November 2026, 20:15 and 5 November 2026, 00:31."),
    ],
)
def test_what_was_not_seen_has_its_two_times(until, times):
    choose_language("en")
    sentence = unseen_sentence("2026-11-04T20:15:09.123+00:00", until)
    assert sentence == f"I did not see what happened {times}"
