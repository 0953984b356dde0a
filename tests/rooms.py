"""Prints the rooms of the house, their files, and which room imports which: `python -m tests.rooms`.

A room is a folder with Python files. The last line says that no room imports a room above it, that no files
import each other in a circle, and that no room and no file is too large; or the lines before it say what is
wrong, and the exit status is 1. The same is said of functions and classes that are too long.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Set
from functools import cache
from pathlib import Path

from tests.places import ROOT

PACKAGES = ("referee", "vision", "models", "ui")
MOST_FILES, MOST_LINES = 15, 500
MOST_IN_FUNCTION, MOST_IN_CLASS = 40, 300
"""Lines of a function and of a class of the packages, from its first line to its last, docstring included."""

ORDER = (
    "referee", "referee.rules", "referee.search", "referee.tracking", "referee.formats", "referee.cube",
    "referee (front door)",
    "vision", "vision.imaging", "vision.sources", "vision.pyramid", "vision.recognition", "vision.tracking",
    "vision.dataset", "vision.dataset.formats", "vision.tilesets", "vision.evaluation",
    "models", "models.training.rendering", "models.training.rendering.artists", "models.training.scenes",
    "models.training.networks", "models.training.calibration",
    "models.training",
    "ui", "ui.platform", "ui.text", "ui.text.rulebook", "ui.text.phones", "ui.text.photos",
    "ui.storage", "ui.services",
    "ui.viewmodels", "ui.viewmodels.games", "ui.viewmodels.photo", "ui.phones", "ui.artwork", "ui.widgets",
    "ui.widgets.review", "ui.widgets.table", "ui.workers", "ui.pages", "ui.pages.new_game",
    "ui.pages.rulebook", "ui.pages.games", "ui.pages.table", "ui.pages.photo",
    "ui.app",
    "ui.cli", "ui.cli.commands", "ui.cli (front door)", "ui (front door)",
)  # fmt: skip
"""Every room, lowest first: a file may import its own room and those before it."""

FRONT_DOORS = {
    "referee": "referee (front door)",
    "referee.uncertain": "referee (front door)",
    "ui.cli.main": "ui.cli (front door)",
    "ui.__main__": "ui (front door)",
}
"""Files that stand above the other files of their folder: they lead strangers to the rooms inside."""

NOT_YET: dict[str, str] = {}
"""How the sentences of known faults begin, each with the way out. A fault that is gone must go here, too."""


def module_name(file: Path) -> str:
    """Return the name by which a file is imported."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_name(file): file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))}


def room_of(module: str) -> str:
    """Return the room in which a module lives."""
    return FRONT_DOORS.get(module) or ".".join(FILES[module].relative_to(ROOT).parent.parts)


@cache
def imported_names(file: Path, *, at_import_only: bool = False) -> tuple[str, ...]:
    """Return every name that a file imports, `from a import b` as a.b; a file is read once.

    Args:
        file: Python source.
        at_import_only: Whether imports inside functions, and those for types alone, are left out.
    """
    nodes: list[ast.AST] = [ast.parse(file.read_text(encoding="utf-8"))]
    names: list[str] = []
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Import):
            names += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file.relative_to(ROOT)} has a relative import."
            names += (f"{node.module}.{alias.name}" for alias in node.names)
        elif at_import_only and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        elif at_import_only and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            nodes.extend(node.orelse)
        else:
            nodes.extend(ast.iter_child_nodes(node))
    return tuple(names)


def imported_modules(module: str) -> set[str]:
    """Return the modules of the house that a module imports, anywhere in its file."""
    found = set()
    for name in imported_names(FILES[module]):
        used = name if name in FILES else name.rpartition(".")[0]
        if used in FILES and used != module:
            found.add(used)
    return found


IMPORTS = {module: imported_modules(module) for module in FILES}


def room_imports() -> dict[str, set[str]]:
    """Return each room with the other rooms that its files import."""
    found: dict[str, set[str]] = {room_of(module): set() for module in FILES}
    for module, used in IMPORTS.items():
        found[room_of(module)] |= {room_of(other) for other in used} - {room_of(module)}
    return found


def circles(imports: Mapping[str, Set[str]]) -> list[str]:
    """Return what imports itself in the end, and what lies between two circles; nothing without a circle."""
    left = dict(imports)
    while ends := {name for name, used in left.items() if not used & left.keys()}:
        left = {name: used for name, used in left.items() if name not in ends}
    return sorted(left)


def imports_upwards() -> list[str]:
    """Return every import of a room that stands after the importing one."""
    rank = {room: ORDER.index(room) if room in ORDER else len(ORDER) for room in room_imports()}
    return [
        f"{module} -> {used}"
        for module in FILES
        for used in sorted(IMPORTS[module])
        if rank[room_of(used)] > rank[room_of(module)]
    ]


def sizes() -> dict[str, dict[str, int]]:
    """Return every folder with Python files, those of the tests too: file name -> lines."""
    found: dict[str, dict[str, int]] = {}
    for package in (*PACKAGES, "tests"):
        for file in sorted((ROOT / package).rglob("*.py")):
            lines = len(file.read_text(encoding="utf-8").splitlines())
            found.setdefault(".".join(file.relative_to(ROOT).parent.parts), {})[file.name] = lines
    return found


def too_long() -> Iterator[str]:
    """Yield the functions and classes of the packages that are too long, each with its lines."""
    for module, file in FILES.items():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > (MOST_IN_CLASS if isinstance(node, ast.ClassDef) else MOST_IN_FUNCTION):
                    yield f"Too long: {module}, {node.name} has {lines} lines."


def all_faults() -> Iterator[str]:
    """Yield what is wrong with the house, a sentence each."""
    yield from (
        f"Has no place in the order of rooms: {room}." for room in room_imports() if room not in ORDER
    )
    yield from (f"Imports upwards: {one}." for one in imports_upwards())
    yield from (f"Part of a circle of files: {module}." for module in circles(IMPORTS))
    for room, files in sizes().items():
        if len(files) > MOST_FILES:
            yield f"More than {MOST_FILES} files: {room} has {len(files)}."
        for name, lines in files.items():
            if lines > MOST_LINES:
                yield f"More than {MOST_LINES} lines: {room}, {name} has {lines}."
    yield from too_long()


def faults() -> list[str]:
    """Return what is wrong and not known, and what is known and no longer wrong."""
    found = list(all_faults())
    new = [fault for fault in found if not fault.startswith(tuple(NOT_YET))]
    gone = [known for known in NOT_YET if not any(fault.startswith(known) for fault in found)]
    return [*new, *(f"No longer so: {known}." for known in gone)]


def main() -> int:
    """Print the house, and return the exit status."""
    folders, imports = sizes(), room_imports()
    for room in sorted(imports, key=ORDER.index):
        modules = [module for module in FILES if room_of(module) == room]
        print(f"{room}: {len(modules)} files, {sum(map(_lines, modules))} lines")
        print(f"    files: {', '.join(FILES[module].stem for module in modules)}")
        print(f"    imports: {', '.join(sorted(imports[room], key=ORDER.index)) or 'nothing of ours'}")
    for room, files in folders.items():
        if room.startswith("tests"):
            print(f"{room}: {len(files)} files, {sum(files.values())} lines")
    for known, way_out in NOT_YET.items():
        print(f"Not yet: {known}. {way_out}")
    wrong = faults()
    print(*wrong, sep="\n", end="\n" if wrong else "")
    largest = max(len(files) for files in folders.values())
    longest = max(lines for files in folders.values() for lines in files.values())
    print(f"{len(imports)} rooms, {len(FILES)} files, {sum(map(len, IMPORTS.values()))} imports: ", end="")
    if wrong:
        print(f"{len(wrong)} faults, see above.")
        return 1
    but = f" (but for the {len(NOT_YET)} faults above)" if NOT_YET else ""
    print(
        f"no import upwards, so no circle of rooms; no circle of files; "
        f"no room with more than {MOST_FILES} files (the largest has {largest}); "
        f"no file with more than {MOST_LINES} lines (the longest has {longest}); "
        f"no function with more than {MOST_IN_FUNCTION} lines, no class with more than {MOST_IN_CLASS}{but}."
    )
    return 0


def _lines(module: str) -> int:
    return len(FILES[module].read_text(encoding="utf-8").splitlines())


if __name__ == "__main__":
    sys.exit(main())
