"""What is printed of a source holds no secret, and is worded in the user's language."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.sources.made_up import (
    SLOW,
)
from ui.text.catalogue import choose_language
from ui.text.errors import error_sentence
from vision.errors import VisionError
from vision.sources.open_source import (
    open_source,
)
from vision.sources.stream_address import redacted


@settings(max_examples=50)
@given(
    user=st.text("abc@:/?#=&;%", max_size=8),
    path=st.sampled_from(
        ["", "/live", "/user=x&password=SECRET/a", "/;pw=SECRET", "/a?token=SECRET", "/#SECRET"]
    ),
    scheme=st.sampled_from(["rtsp://", "http://", ""]),
)
def test_no_secret_is_left_in_an_address(user: str, path: str, scheme: str) -> None:
    assert "SECRET" not in redacted(f"{scheme}{user}SECRET{user}@camera{path}")


def test_what_is_no_secret_is_left() -> None:
    assert redacted("http://192.168.0.20:8080/video") == "http://192.168.0.20:8080/video"


def test_notices_are_worded_in_the_language_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text("no picture")
    with open_source("/dev/video97", patience=SLOW) as source:
        lost = next(iter(source))
    (skipped,) = open_source(str(tmp_path))
    with pytest.raises(VisionError) as refused:
        open_source("100")
    choose_language("fr")
    try:
        assert error_sentence(lost).startswith("La caméra /dev/video97 ")
        assert "une image lisible" in error_sentence(skipped)
        assert error_sentence(refused.value).startswith("Il n\u2019y a pas de caméra 100. ")
    finally:
        choose_language("en")
