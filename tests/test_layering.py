"""The arrows between the packages: who may import whom."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("referee", "vision", "models", "ui")
QT = {"PySide6", "shiboken6", "PyQt5", "PyQt6"}
TRAINING_ONLY = {"torch", "onnx"}


def module_name(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_name(file): file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))}


def imports_of(file: Path, *, at_import_only: bool = False) -> Iterator[str]:
    """Yield every absolute name that a file imports, `from a import b` as a.b."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    nodes = [tree] if at_import_only else list(ast.walk(tree))
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file.relative_to(ROOT)} has a relative import."
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif at_import_only and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                nodes.extend(node.orelse)
            else:
                nodes.extend(ast.iter_child_nodes(node))


def top(name: str) -> str:
    return name.partition(".")[0]


def files_of(prefix: str, *, without: str = "\0") -> list[str]:
    return [name for name in FILES if f"{name}.".startswith(f"{prefix}.") and not name.startswith(without)]


def offenders(modules: list[str], is_forbidden: object) -> list[str]:
    assert callable(is_forbidden)
    assert modules
    return [f"{name} -> {used}" for name in modules for used in imports_of(FILES[name]) if is_forbidden(used)]


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


def test_command_line_modules_import_nothing_heavy_at_their_top() -> None:
    heavy = QT | TRAINING_ONLY | {"cv2", "onnxruntime", "numpy", "scipy"}
    light = ["ui.cli.main", "ui.errors", "ui.text.errors", "ui.text.sentences", *files_of("ui.cli.commands")]
    loaded = [
        f"{name} -> {used}"
        for name in light
        for used in imports_of(FILES[name], at_import_only=True)
        if top(used) in heavy
    ]
    assert loaded == []


def test_no_import_cycles() -> None:
    graph = {name: set(known_modules(name)) - {name} for name in FILES}
    while leaves := {name for name, used in graph.items() if not used & graph.keys()}:
        graph = {name: used for name, used in graph.items() if name not in leaves}
    assert sorted(graph) == []


def known_modules(name: str) -> Iterator[str]:
    """Yield the modules of ours that are loaded while this one is imported."""
    for used in imports_of(FILES[name], at_import_only=True):
        if used in FILES:
            yield used
        elif used.rpartition(".")[0] in FILES:
            yield used.rpartition(".")[0]
