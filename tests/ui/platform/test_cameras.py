"""Cameras by name."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, Signal

from tests.ui.waiting import WaitFor
from ui.platform import cameras
from ui.platform.cameras import Camera, CameraList, linux_cameras, tidy


def plug_in(folder: Path, device: str, name: str, index: int = 0) -> None:
    entry = folder / "sys" / device
    entry.mkdir(parents=True)
    (entry / "name").write_text(name + "\n")
    (entry / "index").write_text(f"{index}\n")
    (folder / "dev").mkdir(exist_ok=True)
    (folder / "dev" / device).touch()


def test_each_camera_is_named_once(tmp_path: Path) -> None:
    for number, (name, index) in enumerate([("Desk", 0), ("Desk", 1), ("Desk", 0), ("Table", 0)]):
        plug_in(tmp_path, f"video{number * 5}", name, index)
    plug_in(tmp_path, "radio0", "Radio")
    (tmp_path / "sys" / "video99").mkdir()  # known, but without a device
    found = linux_cameras(tmp_path / "sys", tmp_path / "dev")
    assert [(camera.name, Path(camera.source).name) for camera in found] == [
        ("Desk", "video0"),
        ("Desk (2)", "video10"),
        ("Table", "video15"),
    ]


def test_without_the_kernels_list_there_are_none(tmp_path: Path) -> None:
    assert linux_cameras(tmp_path / "sys", tmp_path) == ()


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("HD Webcam: HD Webcam", "HD Webcam"),
        ("Cam: Front", "Cam: Front"),
        ("a\tb\x00 ", "a b"),
        ("x" * 200, "x" * 80),
    ],
)
def test_names_are_made_fit_to_be_read(raw: str, name: str) -> None:
    assert tidy(raw) == name


@pytest.mark.usefixtures("application")
def test_plugging_and_unplugging_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cameras, "KERNELS_LIST", tmp_path / "sys")
    monkeypatch.setattr(cameras, "DEVICES", tmp_path / "dev")
    found = CameraList()
    told: list[tuple[Camera, ...]] = []
    found.changed.connect(told.append)
    found.look()
    plug_in(tmp_path, "video0", "Desk")
    found.look()
    found.look()
    (tmp_path / "dev" / "video0").unlink()
    found.look()
    assert [[camera.name for camera in each] for each in told] == [["Desk"], []]
    assert found.cameras() == ()


def test_a_new_device_makes_the_list_look_again(
    wait_for: WaitFor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cameras.sys, "platform", "linux")
    monkeypatch.setattr(cameras, "KERNELS_LIST", tmp_path / "sys")
    monkeypatch.setattr(cameras, "DEVICES", tmp_path / "dev")
    monkeypatch.setattr(cameras, "SETTLING_MS", 0)
    (tmp_path / "dev").mkdir()
    found = CameraList()
    found.start()
    plug_in(tmp_path, "video0", "Desk")
    wait_for(lambda: bool(found.cameras()))
    assert [camera.name for camera in found.cameras()] == ["Desk"]


class FakeDevices(QObject):
    """What Qt's multimedia part tells of two cameras of a kind."""

    videoInputsChanged = Signal()

    @staticmethod
    def videoInputs() -> list[SimpleNamespace]:
        return [SimpleNamespace(description=lambda: "Desk")] * 2


@pytest.mark.usefixtures("application")
@pytest.mark.parametrize("has_library", [True, False])
def test_elsewhere_qt_is_asked_if_it_can_be(monkeypatch: pytest.MonkeyPatch, has_library: bool) -> None:
    module = SimpleNamespace(QMediaDevices=FakeDevices) if has_library else None
    monkeypatch.setattr(cameras.sys, "platform", "win32")
    monkeypatch.setitem(cameras.sys.modules, "PySide6.QtMultimedia", module)
    found = CameraList()
    found.start()
    named = (Camera("Desk", "0"), Camera("Desk (2)", "1"))
    assert found.cameras() == (named if has_library else ())
