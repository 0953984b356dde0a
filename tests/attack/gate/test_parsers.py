"""Parsers of what comes from outside: made-up inputs by hypothesis, and whatever broke one before."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.attack.gate.fuzz import FOUND
from tests.attack.gate.parsers import PARSERS, seeds

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


def changed(sound: bytes, cuts: list[tuple[int, int, bytes]]) -> bytes:
    """Return bytes in which parts are replaced by others."""
    for at, length, new in cuts:
        start = at % (len(sound) + 1)
        sound = sound[:start] + new + sound[start + length :]
    return sound


def with_value(sound: bytes, line: int, at: int, value: object) -> bytes:
    """Return JSON lines in which one value of one object is another."""
    lines = sound.splitlines()
    where = line % len(lines)
    found = json.loads(lines[where])
    key = sorted(found)[at % len(found)]
    lines[where] = json.dumps({**found, key: value}).encode()
    return b"\n".join(lines)


_CUTS = st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 40), st.binary(max_size=12)), max_size=4)
_FEW = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("name", PARSERS)
@_FEW
@given(data=st.data())
def test_sound_inputs_with_parts_replaced_break_no_parser(name: str, data: st.DataObject) -> None:
    PARSERS[name](changed(data.draw(st.sampled_from(seeds(name))), data.draw(_CUTS)))


@pytest.mark.parametrize("name", ["judge", "saved-game", "sidecar", "opened-layout"])
@_FEW
@given(data=st.data())
def test_any_value_in_any_place_breaks_no_parser(name: str, data: st.DataObject) -> None:
    sound = data.draw(st.sampled_from(seeds(name)))
    line, at = data.draw(st.integers(0, 99)), data.draw(st.integers(0, 99))
    PARSERS[name](with_value(sound, line, at, data.draw(_VALUES)))


@pytest.mark.parametrize("name", PARSERS)
@_FEW
@given(data=st.binary(max_size=300) | st.text(max_size=100).map(lambda text: text.encode(errors="replace")))
def test_any_bytes_break_no_parser(name: str, data: bytes) -> None:
    PARSERS[name](data)


def test_what_broke_a_parser_once_breaks_it_no_more() -> None:
    for path in sorted(FOUND.glob("*.bin")):
        PARSERS[next(name for name in PARSERS if path.name.startswith(name))](path.read_bytes())


def test_the_seeds_are_read_whole() -> None:
    """Otherwise what is made from them tries next to nothing."""
    from tests.attack.gate.parsers import read_game, read_stream

    head, entries = read_game(seeds("saved-game")[0])
    assert head is not None
    assert len(entries) == head.settings["players"] * 5 + 2
    assert [read_stream(stream) for stream in seeds("mjpeg")] == [2, 2]
