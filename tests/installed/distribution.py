"""A copy of what packages are made from, and what a wheel must hold."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

from tests.places import ROOT

PACKAGES = ("referee", "vision", "models", "ui")
COPIED = ("pyproject.toml", "README.md", "LICENSE")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.egg-info", "pictures")


def copy_sources(target: Path) -> Path:
    """Return a folder with what a wheel is made from; building in the checkout would leave things there."""
    target.mkdir()
    for name in COPIED:
        shutil.copyfile(ROOT / name, target / name)
    for name in (*PACKAGES, "samples"):
        shutil.copytree(ROOT / name, target / name, ignore=LEFT_OUT)
    return target


def wanted_files(root: Path = ROOT) -> set[str]:
    """Return the files of a checkout that a wheel must hold: code, models, catalogues, pages, samples."""
    patterns = [f"{package}/**/*.py" for package in PACKAGES]
    patterns += ["models/*_[0-9]*/*", "ui/text/locale/*/LC_MESSAGES/*.mo", "ui/widgets/icons/*"]
    patterns += ["samples/*.jpg", "samples/*.json", "samples/*.py", "samples/game/*.jpg", "ui/web/*"]
    files = {file.relative_to(root).as_posix() for pattern in patterns for file in root.glob(pattern)}
    assert len(files) > 100
    return files


def contents(wheel: Path) -> dict[str, bytes]:
    """Return what a wheel holds, but for what pip needs of it."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}


def files_below(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()
    }
