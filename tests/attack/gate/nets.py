"""Models that were tampered with."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.attack.gate.case import Case, Command, Place, damaged, numbers_of, odd_text
from tests.attack.gate.pictures import sound_pictures
from vision.recognition.model_store import model_file

Lay = Callable[[Place], list[Command]]


def _laid(place: Place) -> tuple[Path, dict[str, Any]]:
    """Copy the shipped reader into a folder of its own; return it, and its manifest."""
    folder = place.data / "models" / "mine"
    shutil.copytree(model_file("reader").parent, folder)
    (place.given / "a.jpg").write_bytes(sound_pictures()["jpg"])
    return folder, json.loads((folder / "manifest.json").read_text())


def _checked(folder: Path) -> list[Command]:
    assert folder.name == "mine"
    return [["check", "a.jpg", "--model", "mine"]]


def _with_model(folder: Path, manifest: dict[str, Any], data: bytes) -> None:
    (folder / "model.onnx").write_bytes(data)
    manifest["sha256"] = hashlib.sha256(data).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))


def odd_models(seed: int, count: int) -> Iterator[Case]:
    """Yield cases of readers with an odd manifest, or damaged with a right check sum."""
    for number in range(count):

        def lay(place: Place, number: int = number) -> list[Command]:
            rng = numbers_of(seed, "models", number)
            folder, manifest = _laid(place)
            if number % 3:
                (folder / "manifest.json").write_bytes(odd_text(manifest, rng))
            else:
                _with_model(folder, manifest, damaged((folder / "model.onnx").read_bytes(), rng))
            return _checked(folder)

        yield Case("models", str(number), lay)


def field(number: int, value: int | bytes | str) -> bytes:
    """Return a field of a protocol buffer."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def _tensor(name: str, sides: tuple[int, ...]) -> bytes:
    shape = b"".join(field(1, field(1, side)) for side in sides)
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, shape)))


def network(manifest: dict[str, Any], sides: tuple[int, ...], outside: str | None = None) -> bytes:
    """Return an ONNX network whose outputs have the manifest's names, and these sides.

    Args:
        manifest: What it should be.
        sides: Of every output.
        outside: The file, relative to the network's own, that holds its weights; None: they are in it.
    """
    count = 1
    for side in sides:
        count *= side
    weights = b"".join(field(1, side) for side in sides) + field(2, 1) + field(8, "w")
    if outside is None:
        weights += field(9, bytes(4 * count))
    else:
        where = b"".join(
            field(13, field(1, k) + field(2, v))
            for k, v in (("location", outside), ("length", str(4 * count)))
        )
        weights += where + field(14, 1)
    nodes = b"".join(
        field(1, field(1, "w") + field(2, out) + field(4, "Identity")) for out in manifest["outputs"]
    )
    outputs = b"".join(field(12, _tensor(out, sides)) for out in manifest["outputs"])
    given = field(11, _tensor(manifest["input"]["name"], (1, 3, 64, 64)))
    graph = nodes + field(2, "g") + field(5, weights) + given + outputs
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 17))


def _of_network(sides: tuple[int, ...], outside: str | None = None) -> Lay:
    def lay(place: Place) -> list[Command]:
        folder, manifest = _laid(place)
        _with_model(folder, manifest, network(manifest, sides, outside))
        return _checked(folder)

    return lay


def _changed(change: Callable[[Path], object]) -> Lay:
    def lay(place: Place) -> list[Command]:
        folder, _manifest = _laid(place)
        change(folder)
        return _checked(folder)

    return lay


def _large(folder: Path) -> None:
    with (folder / "model.onnx").open("r+b") as file:
        file.truncate(500 * 2**20)


def _linked_manifest(folder: Path) -> None:
    (folder / "manifest.json").unlink()
    (folder / "manifest.json").symlink_to("/dev/zero")


def crafted_models() -> Iterator[Case]:
    """Yield cases that somebody thought up."""
    changes: dict[str, Callable[[Path], object]] = {
        "no manifest": lambda folder: (folder / "manifest.json").unlink(),
        "no network": lambda folder: (folder / "model.onnx").unlink(),
        "wrong check sum": lambda folder: (folder / "model.onnx").write_bytes(b"other"),
        "500 MB": _large,
        "endless manifest": _linked_manifest,
        "empty manifest": lambda folder: (folder / "manifest.json").write_bytes(b""),
        "deep manifest": lambda folder: (folder / "manifest.json").write_bytes(b"[" * 100_000),
    }
    for name, change in changes.items():
        yield Case("models", name, _changed(change), statuses=(1, 2), sentences=1)
    for outside in ("../../../beyond/secret.jpg", "secret.jpg", "/etc/passwd", "../beyond/secret.txt"):
        yield Case(
            "models", f"weights in {outside}", _of_network((4,), outside), statuses=(1, 2), sentences=1
        )
    for sides in ((1,), (1, 1, 1, 1, 1), (1, 45), (2, 7)):
        yield Case("models", f"outputs of {sides}", _of_network(sides), statuses=(1, 2), sentences=1)
