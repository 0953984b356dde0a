"""Who may import whom: the packages, and the rooms inside them."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib.metadata import packages_distributions

import pytest

from tests import rooms
from tests.places import ROOT
from tests.rooms import FILES, PACKAGES, imported_names, room_of

QT = {"PySide6", "shiboken6", "PyQt5", "PyQt6"}
TRAINING_ONLY = {"torch", "onnx"}


def top(name: str) -> str:
    return name.partition(".")[0]


def files_of(prefix: str, *, without: str = "\0") -> list[str]:
    return [name for name in FILES if f"{name}.".startswith(f"{prefix}.") and not name.startswith(without)]


def offenders(modules: list[str], is_forbidden: Callable[[str], bool]) -> list[str]:
    assert modules
    return [
        f"{name} -> {used}" for name in modules for used in imported_names(FILES[name]) if is_forbidden(used)
    ]


def test_referee_imports_the_standard_library_alone() -> None:
    allowed = {*sys.stdlib_module_names, "referee"}
    assert offenders(files_of("referee"), lambda used: top(used) not in allowed) == []


def test_vision_knows_tiles_and_layouts_but_no_rules() -> None:
    vocabulary = ("referee.rules.tiles", "referee.rules.layout")
    assert (
        offenders(files_of("vision"), lambda used: top(used) == "referee" and not used.startswith(vocabulary))
        == []
    )


@pytest.mark.parametrize("package", ["referee", "vision", "models"])
def test_only_ui_imports_qt(package: str) -> None:
    assert offenders(files_of(package), lambda used: top(used) in QT) == []


@pytest.mark.parametrize("package", ["referee", "vision", "models"])
def test_nothing_imports_ui(package: str) -> None:
    assert offenders(files_of(package), lambda used: top(used) == "ui") == []


@pytest.mark.parametrize("package", PACKAGES)
def test_nothing_imports_tests(package: str) -> None:
    assert offenders(files_of(package), lambda used: top(used) == "tests") == []


def test_vision_does_not_import_the_training() -> None:
    assert offenders(files_of("vision"), lambda used: used.startswith("models.training")) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_training_packages_stay_in_the_training(package: str) -> None:
    runtime = files_of(package, without="models.training")
    assert offenders(runtime, lambda used: top(used) in TRAINING_ONLY) == []


def test_what_is_shipped_imports_what_is_installed_with_it_and_nothing_is_installed_in_vain() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cluster = project["optional-dependencies"]["cluster"]
    may, must = ({plain_name(need) for need in needs} for needs in (cluster, project["dependencies"]))
    makers = packages_distributions()
    shipped = [name for name in FILES if not name.startswith("models.training")]
    modules = {top(used) for name in shipped for used in imported_names(FILES[name])}
    foreign = modules - set(sys.stdlib_module_names) - set(PACKAGES) - {"samples", "__future__"}
    used = {plain_name(maker) for module in foreign for maker in makers.get(module, [module])}
    optional = {"pyside6-addons", "pyside6", "shiboken6"}
    assert used - may - must - optional == set()
    assert must - used - optional == set()


def plain_name(requirement: str) -> str:
    """Return the name of a package as all spellings of it are compared."""
    return re.split(r"[^\w.-]", requirement)[0].lower().replace("_", "-")


def test_command_line_modules_import_nothing_heavy_at_their_top() -> None:
    heavy = QT | TRAINING_ONLY | {"cv2", "onnxruntime", "numpy"}
    light = ["ui.cli.main", "ui.errors", "ui.text.errors", "ui.text.sentences", *files_of("ui.cli.commands")]
    loaded = [
        f"{name} -> {used}"
        for name in light
        for used in imported_names(FILES[name], at_import_only=True)
        if top(used) in heavy
    ]
    assert loaded == []


def test_the_window_is_seen_before_what_reads_and_serves_is_loaded() -> None:
    """Loading these takes longer than all the rest of the start."""
    code = "import sys, ui.app.main; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"scipy", "onnxruntime", "aiohttp", "cryptography", "cv2", "numpy", "asyncio"}
    assert heavy & {*done.stdout.split()} == set()


def test_the_house_is_in_order() -> None:
    """No import upwards, no circle; no room, file, class or function too large."""
    assert rooms.faults() == []


def test_only_these_rooms_name_qt() -> None:
    """What can be tested without a window stays so."""
    may = ("ui.app", "ui.pages", "ui.widgets", "ui.workers", "ui.artwork", "ui.platform")
    others = [name for name in files_of("ui") if not room_of(name).startswith(may)]
    assert offenders(others, lambda used: top(used) in QT) == []


class TestTheProofItself:
    """Each fault that the proof denies is found where it is."""

    def test_an_import_upwards(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(rooms.IMPORTS, "ui.storage.paths", {"ui.pages.page"})
        assert "Imports upwards: ui.storage.paths -> ui.pages.page." in rooms.faults()

    def test_a_circle_of_files_in_one_room(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(rooms.IMPORTS, "referee.rules.tiles", {"referee.rules.layout"})
        assert "Part of a circle of files: referee.rules.tiles." in rooms.faults()

    def test_a_room_without_a_place_in_the_order(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(rooms.FRONT_DOORS, "ui.app.main", "ui.attic")
        assert "Has no place in the order of rooms: ui.attic." in rooms.faults()

    def test_an_exception_that_is_no_longer_needed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(rooms.NOT_YET, "Imports upwards: ui.text.cube -> ui.pages", "Never was.")
        assert "No longer so: Imports upwards: ui.text.cube -> ui.pages." in rooms.faults()

    def test_a_room_and_a_file_that_are_too_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rooms, "MOST_FILES", 3)
        monkeypatch.setattr(rooms, "MOST_LINES", 40)
        found = "\n".join(rooms.faults())
        assert "More than 3 files: ui.app has " in found
        assert "More than 40 lines: ui.app, main.py has" in found
