"""The settings and their file."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.places import SAMPLES
from ui.storage.paths import models_folder
from ui.storage.preferences import (
    MAX_BYTES,
    CameraLocks,
    Language,
    LoadedSettings,
    Settings,
    TextSize,
    ThemeChoice,
    load_settings,
    save_settings,
    settings_path,
)
from ui.viewmodels.photo.read_photos import prepare_photo_job
from vision.errors import ModelError
from vision.recognition.model_store import model_file
from vision.recognition.reader import TileReader

OTHER = Settings(
    Language.FRENCH,
    ThemeChoice.HIGH_CONTRAST,
    TextSize.LARGEST,
    sound=True,
    speech=True,
    reduced_motion=True,
    keep_corrections=False,
    keep_pictures=False,
    locks={"Desk camera": CameraLocks(exposure=True, white_balance=True)},
    tiles="mine",
    reader="kitchen",
)


@pytest.mark.parametrize("settings", [Settings(), OTHER], ids=["defaults", "everything changed"])
def test_there_and_back(settings: Settings) -> None:
    save_settings(settings)
    assert load_settings() == LoadedSettings(settings)
    assert [file.name for file in settings_path().parent.iterdir()] == ["settings.json"]


def test_without_a_file_there_are_the_defaults_and_nothing_is_wrong() -> None:
    assert load_settings() == LoadedSettings(Settings())


def test_the_file_holds_what_differs_from_the_defaults() -> None:
    save_settings(Settings(theme=ThemeChoice.LIGHT))
    assert json.loads(settings_path().read_text()) == {"version": 1, "theme": "light"}


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b"\xff\xfe",
        b'{"theme": "light"}',
        b'{"version": 2, "theme": "light"}',
        b"[" * 50_000,
        b'{"version": 1, "x": "' + b"x" * MAX_BYTES + b'"}',
    ],
    ids=["empty", "a list", "no text", "no version", "another version", "deep", "huge"],
)
def test_a_damaged_file_gives_the_defaults(tmp_path: Path, text: bytes) -> None:
    (file := tmp_path / "settings.json").write_bytes(text)
    assert load_settings(file) == LoadedSettings(Settings(), is_damaged=True)


@pytest.mark.parametrize(
    "wrong",
    [
        {"theme": "pink"},
        {"theme": ["dark"]},
        {"sound": 1},
        {"text_size": None},
        {"locks": {"a": ["aperture"]}},
        {"locks": {"a": [["focus"]]}},
        {"locks": {str(number): [] for number in range(60)}},
        {"locks": {"a" * 400: []}},
        {"theme": "\ud800"},
    ],
    ids=lambda wrong: str(wrong)[:40],
)
def test_what_is_sound_in_a_damaged_file_is_kept(tmp_path: Path, wrong: dict[str, object]) -> None:
    file = tmp_path / "settings.json"
    file.write_text(json.dumps({"version": 1, "language": "fr", **wrong, "unknown": 1}))
    assert load_settings(file) == LoadedSettings(Settings(Language.FRENCH), is_damaged=True)


def test_a_folder_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (target := tmp_path / "settings.json").mkdir()
    with pytest.raises(OSError, match=r"settings\.json"):
        save_settings(Settings(), target)
    assert [file.name for file in tmp_path.iterdir()] == ["settings.json"]
    assert load_settings(target).is_damaged


def test_the_reader_that_is_chosen_is_used_for_photos(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that is gone is a sentence; nobody reads with another one without knowing."""
    own = models_folder() / "kitchen"
    shutil.copytree(model_file("reader").parent, own)
    save_settings(Settings(reader="kitchen"))
    opened: list[Path | None] = []
    open_reader = TileReader.open
    monkeypatch.setattr(
        TileReader, "open", lambda tiles, folder: (opened.append(folder), open_reader(tiles, folder))[1]
    )
    read = prepare_photo_job()
    save_settings(Settings())
    read(SAMPLES / "stable.jpg")
    assert opened == [own, None]
    save_settings(Settings(reader="gone"))
    with pytest.raises(ModelError, match="no model 'gone'"):
        read(SAMPLES / "stable.jpg")
