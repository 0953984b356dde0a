"""A player's own tile set: data alone, learned from a few photos and kept in one readable file."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.rules.tiles import CODES
from vision.errors import TileSetError
from vision.files import replacing
from vision.imaging.arrays import ImageU8

VERSION = 1
MAX_BYTES = 64 * 2**20
MAX_CODES, MAX_EXAMPLES, MAX_COPIES = 400, 1000, 20
_MAX_CROP_PX = 512
_LENGTH_TOLERANCE = 0.01
_PNG = b"\x89PNG\r\n\x1a\n"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_CODE = re.compile(r"\S{1,24}")


@dataclass(frozen=True, slots=True)
class Example:
    """One picture of one tile."""

    code: str
    crop_bgr: ImageU8
    """(side, side, 3) uint8 BGR: the face upright with a rim, cut by `rectify.upright_crop`."""


@dataclass(frozen=True, slots=True)
class TileSet:
    """What is known of a set: which tiles there are, what they look like, and what was learned from that."""

    name: str
    codes: tuple[str, ...]
    aspect: float
    """Height of a tile by its width."""
    copies: int
    """How many of each tile there are; 1 in the game itself."""
    examples: tuple[Example, ...]
    model: str
    """Checksum of the reader model that made the prototypes."""
    prototypes: NDArray[np.float32]
    """(codes, embedding) of length 1 each: what a tile's embedding looks like."""

    @property
    def is_of_the_game(self) -> bool:
        """Whether these are the 45 tiles of the game itself, and not those of another."""
        return set(self.codes) == set(CODES)


def check_name(name: str) -> str:
    """Return a set's name if it can be one.

    Raises:
        TileSetError: It is empty, too long, or has other characters than letters, digits, - and _.
    """
    if not _NAME.fullmatch(name):
        raise TileSetError(
            "{name!r} is no name for a tile set; use up to 40 letters, digits, - and _.", name=name
        )
    return name


def write_tile_set(tile_set: TileSet, folder: Path) -> Path:
    """Write a set into `folder` under its name, replacing an older one; return the file.

    Raises:
        TileSetError: The file cannot be written.
    """
    path = folder / f"{check_name(tile_set.name)}.json"
    content = {
        "version": VERSION,
        "name": tile_set.name,
        "aspect": tile_set.aspect,
        "copies": tile_set.copies,
        "model": tile_set.model,
        "codes": list(tile_set.codes),
        "prototypes": [[round(float(value), 5) for value in row] for row in tile_set.prototypes],
        "examples": [
            {"code": example.code, "png": base64.b64encode(_packed(example.crop_bgr)).decode("ascii")}
            for example in tile_set.examples
        ],
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(path) as beside:
            beside.write_text(json.dumps(content, indent=1), encoding="utf-8")
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
            "There is no tile set {name!r} (there are: {known}); learn it with: "
            "pyramid-referee enrol {name} PHOTO…",
            name=name,
            known=known,
        )
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError("the file is too large")
        return _parsed(json.loads(path.read_text(encoding="utf-8")), name)
    except OSError as error:
        reason: object = error.strerror or error
    except (KeyError, TypeError, AttributeError, RecursionError):
        reason = "it is not the file of a tile set"
    except (ValueError, OverflowError, cv2.error) as error:
        reason = error
    raise TileSetError(
        "The tile set in {path!r} cannot be read: {reason}. Learn it again with: "
        "pyramid-referee enrol {name} PHOTO…",
        path=str(path),
        reason=reason,
        name=name,
    )


def _parsed(content: Any, name: str) -> TileSet:
    if content["version"] != VERSION:
        raise ValueError(f"it is of version {content['version']!r}, not {VERSION}")
    codes = tuple(content["codes"])
    if not 2 <= len(codes) <= MAX_CODES or len(set(codes)) != len(codes) or not all(map(is_code, codes)):
        raise ValueError("its codes are not 2 to 400 different words")
    prototypes = np.array(content["prototypes"], np.float32)
    if (
        prototypes.ndim != 2
        or len(prototypes) != len(codes)
        # Also false for what is no number.
        or not (np.abs(np.linalg.norm(prototypes, axis=1) - 1) < _LENGTH_TOLERANCE).all()
    ):
        raise ValueError("its prototypes do not go with its codes")
    aspect, copies = float(content["aspect"]), int(content["copies"])
    if not 0.2 <= aspect <= 5 or not 1 <= copies <= MAX_COPIES:
        raise ValueError("its tiles have no sensible shape or number")
    if len(content["examples"]) > MAX_EXAMPLES:
        raise ValueError("it has too many examples")
    examples = tuple(_example(item, codes) for item in content["examples"])
    if {example.code for example in examples} != set(codes):
        raise ValueError("not each of its tiles has an example")
    return TileSet(name, codes, aspect, copies, examples, str(content["model"]), prototypes)


def is_code(value: object) -> bool:
    """Return whether a value can stand for a tile: one word of at most 24 characters."""
    return isinstance(value, str) and _CODE.fullmatch(value) is not None


def _example(item: Any, codes: Sequence[str]) -> Example:
    png = base64.b64decode(item["png"], validate=True)
    # The header gives the size before anything that large is unpacked.
    size_wh = (int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big"))
    if item["code"] in codes and png.startswith(_PNG) and max(size_wh) <= _MAX_CROP_PX:
        crop = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
        if crop is not None and crop.shape[0] == crop.shape[1]:
            return Example(item["code"], crop.astype(np.uint8, copy=False))
    raise ValueError("an example is no picture of one of its tiles")


def _packed(crop_bgr: ImageU8) -> bytes:
    return cv2.imencode(".png", crop_bgr)[1].tobytes()
