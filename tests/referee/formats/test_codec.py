"""The values of a JSON object, each checked."""

from __future__ import annotations

import math

import pytest

from referee.errors import NotationError
from referee.formats.codec import (
    as_number,
    as_whole,
    flag_of,
    is_far_off,
    json_type,
    list_of,
    of_type,
    optional_whole_of,
    text_of,
    whole_of,
)

FOUND = {"flag": True, "whole": 3, "number": 0.5, "text": "R40", "list": [1, 2], "object": {}, "null": None}
FAR = 10**20


def test_what_is_right_is_given_back():
    assert flag_of(FOUND, "flag") is True
    assert whole_of(FOUND, "whole", 3, 3) == optional_whole_of(FOUND, "whole", 3, 3) == 3
    assert as_whole("whole", 4, 3, 4) == 4
    assert text_of(FOUND, "text") == "R40"
    assert list_of(FOUND, "list", 2) == [1, 2]
    assert of_type("object", dict, FOUND["object"]) == {}
    assert [as_number("number", value, 1) for value in (0, 0.5, 1)] == [0.0, 0.5, 1.0]
    assert as_number("number", 1e300) == 1e300
    assert optional_whole_of(FOUND, "null", 0, 9) is None
    assert optional_whole_of(FOUND, "missing", 0, 9) is None


def test_every_json_value_has_a_type():
    assert [json_type(value).value for value in FOUND.values()] == [
        "true-or-false", "whole-number", "number-with-point", "text", "list", "object", "null",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("number", "is_far"), [(FAR - 1, False), (1 - FAR, False), (FAR, True), (-FAR, True)]
)
def test_a_number_may_have_twenty_digits(number, is_far):
    assert is_far_off(number) is is_far


@pytest.mark.parametrize(
    ("check", "fault"),
    [
        (
            lambda: flag_of(FOUND, "whole"),
            "wrong-type: key='whole', expected=true-or-false, found=whole-number",
        ),
        (lambda: text_of(FOUND, "missing"), "wrong-type: key='missing', expected=text, found=null"),
        (lambda: of_type("a part", dict, []), "wrong-type: key='a part', expected=object, found=list"),
        (lambda: whole_of(FOUND, "flag", 0, 9), "wrong-type: key='flag', expected=whole-number"),
        (lambda: whole_of(FOUND, "null", 0, 9), "wrong-type: key='null', expected=whole-number, found=null"),
        (lambda: whole_of(FOUND, "whole", 4, 9), "out-of-range: key='whole', least=4, most=9, value=3"),
        (
            lambda: optional_whole_of(FOUND, "whole", 0, 2),
            "out-of-range: key='whole', least=0, most=2, value=3",
        ),
        (lambda: as_whole("n", FAR, 0, 9), "far-out-of-range: key='n', least=0, most=9"),
        (lambda: as_number("n", "1"), "wrong-type: key='n', expected=number-with-point, found=text"),
        (
            lambda: as_number("n", True),
            "wrong-type: key='n', expected=number-with-point, found=true-or-false",
        ),
        (lambda: as_number("n", 1.5, 1), "out-of-range: key='n', least=0, most=1, value=1.5"),
        (lambda: as_number("n", -1), "out-of-range: key='n', least=0, most=inf, value=-1.0"),
        (lambda: as_number("n", math.inf), "out-of-range: key='n', least=0, most=inf, value=inf"),
        (lambda: as_number("n", math.nan), "out-of-range: key='n', least=0, most=inf, value=nan"),
        (lambda: as_number("n", 10**400), "far-out-of-range: key='n', least=0, most=inf"),
        (lambda: list_of(FOUND, "list", 1), "too-many-parts: key='list', most=1"),
        (lambda: list_of(FOUND, "text", 1), "wrong-type: key='text', expected=list, found=text"),
    ],
)
def test_what_is_wrong_is_refused(check, fault):
    with pytest.raises(NotationError) as caught:
        check()
    assert str(caught.value).startswith(fault)
