"""The one recipe for the bundles of three systems, as far as it can be checked on this one."""

from __future__ import annotations

import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from configparser import ConfigParser
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from PIL import Image
from PySide6.QtWidgets import QApplication

from tests.installed.distribution import wanted_files
from tests.places import DATA, ROOT
from ui import __version__
from ui.cli.commands import app

RECIPES = ROOT / ".ci" / "bundle"
Calls = dict[str, list[dict[str, Any]]]


@pytest.fixture
def follow(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Returns a function that follows the recipe as PyInstaller would, and returns what was asked for."""
    hooks = ModuleType("PyInstaller.utils.hooks")
    hooks.collect_submodules = lambda name: [name]  # type: ignore[attr-defined]
    hooks.copy_metadata = lambda name, recursive: []  # type: ignore[attr-defined]
    for name in ("PyInstaller", "PyInstaller.utils"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, hooks.__name__, hooks)
    monkeypatch.setenv("BUNDLE_WORK", str(tmp_path))
    monkeypatch.setenv("BUNDLE_VERSION", __version__)

    def follow_on(system: str) -> tuple[Calls, dict[str, Any]]:
        calls: Calls = {}

        def step(kind: str) -> Any:
            def asked(*given: Any, **named: Any) -> SimpleNamespace:
                calls.setdefault(kind, []).append({"given": given, **named})
                found = [("cv2/qt/plugins/x.so", "", ""), ("PySide6/QtCore.abi3.so", "", "")]
                return SimpleNamespace(
                    pure=[], scripts=[], datas=list(named.get("datas", ())), binaries=found
                )

            return asked

        names = {kind: step(kind) for kind in ("Analysis", "PYZ", "EXE", "COLLECT", "BUNDLE")}
        space: dict[str, Any] = {"SPECPATH": str(RECIPES), **names}
        monkeypatch.setattr(sys, "platform", system)
        exec(compile((RECIPES / "bundle.spec").read_text(encoding="utf-8"), "bundle.spec", "exec"), space)
        return calls, space

    return follow_on


@pytest.mark.parametrize("system", ["linux", "win32", "darwin"])
def test_each_system_gets_what_the_program_needs(follow: Any, system: str) -> None:
    calls, space = follow(system)
    (analysis,) = calls["Analysis"]
    packed = {f"{folder}/{Path(file).name}" for file, folder in analysis["datas"]}
    assert {name for name in wanted_files() if not name.endswith(".py")} - packed == set()
    assert all(Path(script).is_file() for script in analysis["given"][0])
    assert [entry[0] for entry in space["analysis"].binaries] == ["PySide6/QtCore.abi3.so"]


def test_windows_has_a_program_without_a_console_and_its_icon(follow: Any, tmp_path: Path) -> None:
    calls, _ = follow("win32")
    programs = {call["name"]: call["console"] for call in calls["EXE"]}
    assert programs == {"pyramid-referee": True, "Pyramid Referee": False}
    assert {call["icon"] for call in calls["EXE"]} == {str(tmp_path / "pyramid-referee.ico")}


def test_macos_is_told_what_the_camera_is_for(follow: Any, tmp_path: Path) -> None:
    calls, _ = follow("darwin")
    (bundle,) = calls["BUNDLE"]
    assert "camera" in bundle["info_plist"]["NSCameraUsageDescription"]
    assert (bundle["name"], bundle["version"]) == ("Pyramid Referee.app", __version__)
    assert bundle["icon"] == str(tmp_path / "pyramid-referee.icns")


def test_all_icons_come_from_the_one_drawing(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    from make_bundle import RENDER

    drawing = str(ROOT / "ui" / "widgets" / "icons" / "pyramid-referee.svg")
    monkeypatch.setattr(sys, "argv", ["", drawing, str(tmp_path)])
    exec(RENDER.replace("QGuiApplication([])", "QGuiApplication.instance()"), {})
    with Image.open(tmp_path / "pyramid-referee.ico") as windows:
        assert {(16, 16), (48, 48), (256, 256)} <= windows.info["sizes"]
    with Image.open(tmp_path / "pyramid-referee.icns") as mac:
        assert max(size[0] for size in mac.info["sizes"]) >= 256
    with Image.open(tmp_path / "pyramid-referee.png") as linux:
        assert linux.convert("RGBA").getpixel((256, 400))[3] == 255


def test_the_menu_entry_opens_saved_games() -> None:
    entry = ConfigParser(interpolation=None)
    entry.optionxform = str  # type: ignore[assignment,method-assign]
    entry.read(RECIPES / "pyramid-referee.desktop", encoding="utf-8")
    wanted = entry["Desktop Entry"]
    kinds = ElementTree.parse(RECIPES / "pyramid-referee.xml").getroot()
    (kind,) = (child for child in kinds if child.tag.endswith("mime-type"))
    assert wanted["MimeType"] == f"{kind.get('type')};"
    program, command, _file = wanted["Exec"].split()
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert program in scripts
    assert hasattr(app, "run")
    assert command == "app"
    assert wanted["Terminal"] == "false"
    magic = next(child.get("value") for child in kind.iter() if child.tag.endswith("match"))
    game = (DATA / "stores" / "game-1.jsonl").read_text(encoding="utf-8")
    assert magic is not None
    assert game.startswith(magic)
