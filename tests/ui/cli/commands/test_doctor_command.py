"""`doctor`: what is wrong with an installation is said in a sentence, with what to do."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ui.cli.main import main
from ui.platform import cameras, display
from ui.platform.cameras import Camera
from ui.services import doctor
from ui.text.catalogue import choose_language
from vision.recognition import model_store

MODELS, SPEED = doctor._models, doctor._speed


@pytest.fixture(autouse=True)
def healthy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A computer on which all is well, however busy it is."""
    monkeypatch.setenv("PYRAMID_REFEREE_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(display, "has_screen", lambda: True)
    monkeypatch.setattr(cameras, "plugged_in", lambda: ())
    monkeypatch.setattr(doctor, "_models", lambda: iter(()))
    monkeypatch.setattr(doctor, "_speed", lambda: doctor.Finding("Quick."))


def doctor_says(capsys: pytest.CaptureFixture[str], *, status: int, lang: str = "en") -> str:
    try:
        assert main(["--lang", lang, "doctor"]) == status
    finally:
        choose_language("en")
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_all_is_well(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(doctor, "_models", MODELS)
    monkeypatch.setattr(doctor, "_speed", SPEED)
    monkeypatch.setattr(doctor, "READINGS", 1)
    monkeypatch.setattr(doctor, "_time_ms", lambda work: (work(), 40.2)[1])
    said = doctor_says(capsys, status=0)
    assert said.endswith("\nAll is well.\n")
    assert "!" not in said
    assert "in 40 ms here" in said
    assert said.count("is sound") == 4
    assert not (tmp_path / "data").exists(), "it leaves nothing behind"


def test_it_speaks_french(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor_says(capsys, status=0, lang="fr").endswith("\nTout va bien.\n")


def test_a_library_that_does_not_load_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "LIBRARIES", ("json", "no_such_library"))
    said = doctor_says(capsys, status=1)
    assert (
        "! The library no_such_library cannot be loaded: No module named 'no_such_library'. Install" in said
    )
    assert "json" not in said


def test_a_damaged_model_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(doctor, "_models", MODELS)
    folder = tmp_path / "finder_209901"
    shutil.copytree(model_store.model_file("finder").parent, folder)
    (folder / "model.onnx").write_bytes(b"no model")
    shipped = model_store._shipped
    monkeypatch.setattr(model_store, "_shipped", lambda task: folder if task == "finder" else shipped(task))
    said = doctor_says(capsys, status=1)
    assert "is damaged: its checksum is not the one in its manifest. Install Pyramid Referee again.\n" in said
    assert said.count("is sound") == 3


def test_a_folder_that_cannot_be_written_to_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PYRAMID_REFEREE_DATA", str(tmp_path / "file" / "data"))
    said = doctor_says(capsys, status=1)
    assert "! Nothing can be written to …/data: Not a directory. Change its rights" in said


def test_too_little_room_is_said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "LITTLE_MB", 2**40)
    assert "MB are free in …/data. Make room" in doctor_says(capsys, status=1)


def test_cameras_are_named_and_one_that_may_not_be_opened_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "video0").write_text("")
    found = (Camera("Desk", str(tmp_path / "video0")), Camera("Table", str(tmp_path / "video2")))
    monkeypatch.setattr(cameras, "plugged_in", lambda: found)
    monkeypatch.setattr(doctor.sys, "platform", "linux")
    said = doctor_says(capsys, status=1)
    assert f"  The camera Desk is plugged in ({tmp_path / 'video0'}).\n" in said
    assert "! The camera Table may not be opened by you." in said


def test_no_window_and_a_slow_computer_are_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(display, "has_screen", lambda: False)
    monkeypatch.setattr(doctor, "_speed", SPEED)
    monkeypatch.setattr(doctor, "READINGS", 1)
    monkeypatch.setattr(doctor, "_time_ms", lambda work: 2500.0)
    said = doctor_says(capsys, status=1)
    assert "! No window can be opened here." in said
    assert "! A picture is read in 2500 ms here, which is slow" in said
