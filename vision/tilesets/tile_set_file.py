"""The file of a player's tile set: readable JSON, with the pictures in it as PNG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np

from referee.rules.tiles import CODES
from vision.errors import TileSetError
from vision.files import replacing
from vision.imaging.arrays import ImageU8
from vision.recognition.tile_set import (
    MAX_CODES,
    MAX_COPIES,
    MAX_EXAMPLES,
    Example,
    TileSet,
    check_name,
    is_code,
)

VERSION = 1
MAX_BYTES = 64 * 2**20
_MAX_CROP_PX = 512
_LENGTH_TOLERANCE = 0.01
_PNG = b"\x89PNG\r\n\x1a\n"


class _Example(msgspec.Struct):
    code: str
    png: bytes
    """In base64."""


class _File(msgspec.Struct):
    version: int
    name: str
    aspect: float
    copies: int
    model: str
    codes: list[str]
    prototypes: list[list[float]]
    examples: list[_Example]


def write_tile_set(tile_set: TileSet, folder: Path) -> Path:
    """Write a set into `folder` under its name, replacing an older one; return the file.

    Raises:
        TileSetError: The file cannot be written.
    """
    path = folder / f"{check_name(tile_set.name)}.json"
    content = _File(
        VERSION,
        tile_set.name,
        tile_set.aspect,
        tile_set.copies,
        tile_set.model,
        list(tile_set.codes),
        [[round(float(value), 5) for value in row] for row in tile_set.prototypes],
        [_Example(example.code, _packed(example.crop_bgr)) for example in tile_set.examples],
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(path) as beside:
            beside.write_bytes(msgspec.json.format(msgspec.json.encode(content), indent=1))
    except OSError as error:
        raise TileSetError(
            "The tile set cannot be written to {path!r}: {reason}.",
            path=str(path),
            reason=error.strerror or error,
        ) from error
    return path


def read_tile_set(name: str, folder: Path) -> TileSet:
    """Return the set `name` from `folder`.

    Raises:
        TileSetError: There is none, or its file is damaged.
    """
    path = folder / f"{check_name(name)}.json"
    if not path.exists():
        known = ", ".join(sorted(other.stem for other in folder.glob("*.json"))) or "-"
        raise TileSetError(
            "There is no tile set {name!r} (there are: {known}). Learn it with: pyramid-referee enrol "
            "{name} PHOTO…",
            name=name,
            known=known,
        )
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError("the file is too large")
        return _checked(msgspec.json.decode(path.read_bytes(), type=_File), name)
    except OSError as error:
        reason: object = error.strerror or error
    except msgspec.ValidationError as error:
        reason = f"it is not the file of a tile set ({error})"
    except (ValueError, RecursionError, cv2.error) as error:
        reason = error
    raise TileSetError(
        "The tile set in {path!r} cannot be read: {reason}. Learn it again with: "
        "pyramid-referee enrol {name} PHOTO…",
        path=str(path),
        reason=reason,
        name=name,
    )


def _checked(file: _File, name: str) -> TileSet:
    if file.version != VERSION:
        raise ValueError(f"it is of version {file.version}, not {VERSION}")
    codes = tuple(file.codes)
    if not 2 <= len(codes) <= MAX_CODES or len(set(codes)) != len(codes) or not all(map(is_code, codes)):
        raise ValueError("its codes are not 2 to 400 different words")
    prototypes = np.array(file.prototypes, np.float32)
    if len(file.examples) > MAX_EXAMPLES:
        raise ValueError("it has too many examples")
    examples = tuple(_example(item, codes) for item in file.examples)
    # A set that a game has taught may lack some of the game's tiles.
    known = {example.code for example in examples}
    if not known or (known != set(codes) and set(codes) != set(CODES)):
        raise ValueError("not each of its tiles has an example")
    lengths = np.array([code in known for code in codes], np.float32)
    if (
        prototypes.ndim != 2
        or len(prototypes) != len(codes)
        or not (np.abs(np.linalg.norm(prototypes, axis=1) - lengths) < _LENGTH_TOLERANCE).all()
    ):
        raise ValueError("its prototypes do not go with its codes")
    if not 0.2 <= file.aspect <= 5 or not 1 <= file.copies <= MAX_COPIES:
        raise ValueError("its tiles have no sensible shape or number")
    return TileSet(name, codes, file.aspect, file.copies, examples, file.model, prototypes)


def _example(item: _Example, codes: Sequence[str]) -> Example:
    png = item.png
    # The header gives the size before anything that large is unpacked.
    size_wh = (int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big"))
    if item.code in codes and png.startswith(_PNG) and max(size_wh) <= _MAX_CROP_PX:
        crop = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
        if crop is not None and crop.shape[0] == crop.shape[1]:
            return Example(item.code, crop.astype(np.uint8, copy=False))
    raise ValueError("an example is no picture of one of its tiles")


def _packed(crop_bgr: ImageU8) -> bytes:
    return cv2.imencode(".png", crop_bgr)[1].tobytes()
