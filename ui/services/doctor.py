"""Looks over an installation: what works on this computer, what does not, and what to do about it."""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from ui.storage.log import log_path
from ui.storage.paths import FOLDER_VARIABLE, shown_folder, user_data_folder
from ui.text.catalogue import mark

LIBRARIES = (
    "numpy", "cv2", "onnxruntime", "PySide6.QtWidgets", "PIL", "pi_heif", "msgspec", "yaml",
    "aiohttp", "cryptography.x509", "segno",
)  # fmt: skip
SAMPLE = Path(__file__).resolve().parents[2] / "samples" / "stable.jpg"
READINGS = 5
SLOW_MS = 1000
"""A reading may take so long: people wait about as long for a table to be at rest."""
LITTLE_MB = 200
"""An evening with a picture of every turn takes less."""
SYSTEM_LIBRARIES = mark(
    "No window can be opened here. Start a desktop session. If you are in one, install the system libraries "
    "of the window; on Debian and Ubuntu: apt install libegl1 libgl1 libxkbcommon-x11-0 libxcb-cursor0 "
    "libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libdbus-1-3 libfontconfig1"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    sentence: str
    """Marked for the catalogue; what to do is in it."""
    values: dict[str, object] = field(default_factory=dict)
    is_fine: bool = True


def findings() -> Iterator[Finding]:
    """Yield what was found, one after the other: the last ones take a moment."""
    missing = tuple(_missing_libraries())
    yield from missing or (Finding(mark("All libraries can be loaded.")),)
    if any(finding.values.get("name") in ("cv2", "onnxruntime", "numpy") for finding in missing):
        return  # nothing can be read without them
    yield from _models()
    yield from _folders()
    if not any(str(finding.values.get("name")).startswith("PySide6") for finding in missing):
        yield _window()
        yield from _cameras()
    yield _speed()


def _missing_libraries() -> Iterator[Finding]:
    for name in LIBRARIES:
        try:
            import_module(name)
        except (ImportError, OSError) as error:
            yield Finding(
                mark(
                    "The library {name} cannot be loaded: {reason}. Install Pyramid Referee again; if a "
                    "file of the system is missing, install that."
                ),
                {"name": name, "reason": str(error).rstrip(".")},
                is_fine=False,
            )


def _models() -> Iterator[Finding]:
    from ui.text.errors import error_sentence
    from vision.errors import ModelError
    from vision.recognition.model_store import SHIPPED_TASKS, open_model

    for task in SHIPPED_TASKS:
        try:
            model = open_model(task)
        except ModelError as error:
            again = mark("{reason} Install Pyramid Referee again.")
            yield Finding(again, {"reason": error_sentence(error)}, is_fine=False)
        else:
            sound = mark("The model {name} is sound: its checksum is that of its manifest.")
            yield Finding(sound, {"name": model.name})


def _folders() -> Iterator[Finding]:
    kinds = (
        (user_data_folder(), mark("Games and settings can be written to {folder}.")),
        (log_path().parent, mark("The log can be written to {folder}.")),
    )
    for folder, fine in kinds:
        shown: dict[str, object] = {"folder": shown_folder(folder), "variable": FOLDER_VARIABLE}
        try:
            free_mb = _try_to_write(folder) // 2**20
        except OSError as error:
            refused = mark(
                "Nothing can be written to {folder}: {reason}. Change its rights, or name another folder in "
                "the variable {variable}."
            )
            yield Finding(refused, shown | {"reason": error.strerror or str(error)}, is_fine=False)
            continue
        if free_mb < LITTLE_MB:
            little = mark("Only {free} MB are free in {folder}. Make room before you play.")
            yield Finding(little, shown | {"free": free_mb}, is_fine=False)
        else:
            yield Finding(fine, shown)


def _try_to_write(folder: Path) -> int:
    """Return the free bytes where a folder is, or will be; a file is written there and removed again.

    Raises:
        OSError: It cannot be written to.
    """
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    with tempfile.TemporaryFile(dir=there) as file:
        file.write(b"a")
    return shutil.disk_usage(there).free


def _window() -> Finding:
    from ui.platform.display import has_screen

    if has_screen():
        return Finding(mark("A window can be opened."))
    return Finding(SYSTEM_LIBRARIES, is_fine=False)


def _cameras() -> Iterator[Finding]:
    from ui.platform.cameras import plugged_in

    cameras = plugged_in()
    if not cameras:
        yield Finding(
            mark(
                "No camera is plugged in. Plug one in, use a phone's stream, or play by clicking: none is "
                "needed for photos and for the sample game."
            )
        )
    for camera in cameras:
        if sys.platform.startswith("linux") and not os.access(camera.source, os.R_OK | os.W_OK):
            refused = mark(
                "The camera {name} may not be opened by you. Add yourself to the group video with: sudo "
                "usermod -aG video $USER, then log in again."
            )
            yield Finding(refused, {"name": camera.name}, is_fine=False)
        else:
            there = mark("The camera {name} is plugged in ({source}).")
            yield Finding(there, {"name": camera.name, "source": camera.source})


def _speed() -> Finding:
    from ui.text.errors import error_sentence
    from vision.errors import VisionError
    from vision.imaging.photo import read_photo
    from vision.recognition.reader import TileReader

    try:
        reader, picture = TileReader.open(), read_photo(SAMPLE).image_bgr
        reader.read(picture)  # the first one makes ready
        times = [_time_ms(lambda: reader.read(picture)) for _ in range(READINGS)]
    except VisionError as error:
        again = mark("{reason} Install Pyramid Referee again.")
        return Finding(again, {"reason": error_sentence(error)}, is_fine=False)
    median = round(statistics.median(times))
    if median > SLOW_MS:
        slow = mark(
            "A picture is read in {ms} ms here, which is slow: the referee will lag behind the table. Close "
            "other programs, or plug the computer in."
        )
        return Finding(slow, {"ms": median}, is_fine=False)
    return Finding(
        mark("A picture is read in {ms} ms here, quickly enough to follow a game."), {"ms": median}
    )


def _time_ms(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000
