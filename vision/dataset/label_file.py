"""The label file beside a picture: a JSON file of the same name that says which tiles the picture shows.

    {"image": "0001.jpg", "layout": "R40 B20", "tiles": [{"code": "R40", "row": 0, "slot": 0,
     "quad": [[10, 10], [50, 10], [50, 50], [10, 50]]}, …]}

"quad" has the corners of the printed face, in pixels of the picture as EXIF data turn it: clockwise, from the
face's own top left. A tile may also have "visible", the share of its face that can be seen, and "covered",
"cut" or "outside" if it cannot be seen whole. It is "proposed" until a person has confirmed its code, and
until then it has the "confidence" of the code. A picture may have its "light" (mean blue, green and red), its
"source" (with "name", "sha256", "date" and, in a film, "time_s"), and the words "style", "difficulty" and
"group", by which figures are split. Keys that are not known are kept.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np

from referee.rules.layout import EMPTY, Layout
from vision.dataset.light import MeanColour
from vision.errors import DataSetError, LabelError
from vision.files import TooLargeError, read_input_text, replacing
from vision.imaging.photo import photo_bytes, upright_size_wh
from vision.recognition.reading import Quad
from vision.recognition.tile_set import is_code

MAX_BYTES = 4 * 2**20
"""The largest label file that is read."""
MAX_TILES = 1000
SPLITS = ("train", "val", "test")
"""The parts of a data set."""
LIKELY_CONFIDENCE = 0.5
"""A proposed code counts from here on, until a person has looked at it."""
_FLAGS = ("covered", "cut", "outside")

_GROUPS = ("style", "difficulty", "group")


class _Tile(msgspec.Struct):
    """What a label file must say of a tile; `_parsed` looks at the values."""

    code: Any
    quad: Any


class _Picture(msgspec.Struct):
    """What a label file must say."""

    image: Any
    tiles: Annotated[list[_Tile], msgspec.Meta(max_length=MAX_TILES)]


class _Place(msgspec.Struct):
    """Where a tile of the game lies."""

    row: int
    slot: int


@dataclass(frozen=True, slots=True)
class Label:
    """What is known of one tile of a picture."""

    code: str
    quad_px: Quad
    """Corners of the printed face, top left first, clockwise as the number is read."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """The other keys of the label file, such as row, slot and confidence."""

    @property
    def row(self) -> int:
        """Row in the layout; 0 where the file does not say."""
        return _whole_number(self.extra.get("row"))

    @property
    def slot(self) -> int:
        """Slot in the row; 0 where the file does not say."""
        return _whole_number(self.extra.get("slot"))

    @property
    def is_covered(self) -> bool:
        """Whether something hides so much of the face that its code need not be readable."""
        return self.extra.get("covered") is True

    @property
    def is_cut(self) -> bool:
        """Whether the picture's edge cuts the face off."""
        return self.extra.get("cut") is True

    @property
    def is_outside(self) -> bool:
        """Whether so little of the face lies in the picture that nobody need find it."""
        return self.extra.get("outside") is True

    @property
    def is_whole(self) -> bool:
        """Whether the face can be seen well enough to be named."""
        return not any(self.extra.get(flag) is True for flag in _FLAGS)

    @property
    def is_proposed(self) -> bool:
        """Whether nobody has confirmed the code yet."""
        return self.extra.get("proposed") is True

    @property
    def confidence(self) -> float | None:
        """Chance that the code is right, where nobody has confirmed it yet; else None."""
        value = self.extra.get("confidence")
        return float(value) if isinstance(value, int | float) and 0 <= value <= 1 else None


def _whole_number(value: object) -> int:
    return int(value) if isinstance(value, int | float) else 0


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """A picture with its labels."""

    path: Path
    """Where its file is."""
    name: str
    """What its file is called in the data set."""
    size_wh: tuple[int, int]
    """In pixels, turned as the EXIF data ask, as the quads are; (0, 0) if not looked at."""
    sha256: str
    """Checksum of the file; empty if not looked at."""
    labels: tuple[Label, ...]
    extra: Mapping[str, Any] = field(default_factory=dict)
    """The other keys of the label file, such as layout and source."""
    split: str = SPLITS[0]

    @property
    def layout(self) -> Layout:
        """The layout, if the file gives one; else the empty one."""
        try:
            return Layout.parse(self.extra["layout"])
        except (KeyError, TypeError, ValueError, AttributeError):
            return EMPTY

    @property
    def film(self) -> str | None:
        """Which film or series the picture is from; None where it stands for itself.

        A text, or as `capture` writes it, an object with a name, whose pictures have a time in the film.
        """
        value = self.extra.get("source")
        if isinstance(value, dict):
            value = value.get("name") if "time_s" in value else None
        return value if isinstance(value, str) and value else None

    @property
    def source_name(self) -> str | None:
        """Name of the file or source that it was captured from."""
        return self._source("name")

    @property
    def source_sha256(self) -> str | None:
        """Checksum of the file or frame that it was captured from."""
        return self._source("sha256")

    @property
    def mean_colour(self) -> MeanColour | None:
        """The picture's mean blue, green and red, if its label file says so."""
        value = self.extra.get("light")
        if isinstance(value, list) and len(value) == 3 and all(isinstance(x, int | float) for x in value):
            return float(value[0]), float(value[1]), float(value[2])
        return None

    @property
    def groups(self) -> tuple[str, ...]:
        """What figures are split by: art style and difficulty, where the file names them."""
        return tuple(str(self.extra[key]) for key in _GROUPS if key in self.extra)

    @property
    def likely_codes(self) -> tuple[str, ...]:
        """The codes of the tiles that can be seen whole, and are confirmed or likely."""
        return tuple(
            label.code
            for label in self.labels
            if label.is_whole and (not label.is_proposed or (label.confidence or 0.0) >= LIKELY_CONFIDENCE)
        )

    def scaled(self, scale: float) -> LabelledPicture:
        """Return the contents with quads for the picture at `scale` times its size."""
        if scale == 1:
            return self
        quads = (np.array(label.quad_px, np.float32) for label in self.labels)
        return self.with_quads(
            (quad + np.float32(0.5)) * np.float32(scale) - np.float32(0.5) for quad in quads
        )

    def with_quads(self, quads_px: Any) -> LabelledPicture:
        """Return the contents with other corners, (4, 2) for each label."""
        labels = tuple(
            replace(label, quad_px=_quad(quad.tolist()))
            for label, quad in zip(self.labels, quads_px, strict=True)
        )
        return replace(self, labels=labels)

    def _source(self, key: str) -> str | None:
        source = self.extra.get("source")
        value = source.get(key) if isinstance(source, dict) else None
        return value if isinstance(value, str) else None


def read_labels(
    path: Path, codes: Collection[str] | None = None, *, of_the_game: bool = False
) -> LabelledPicture:
    """Return what a label file says; its picture need not be there, and is not looked at.

    Args:
        path: The label file.
        codes: What tiles may be called; None lets any word pass.
        of_the_game: Whether the file must give the layout, and each tile its row and slot.

    Raises:
        LabelError: The file is missing or damaged, or names tiles or a layout that do not exist.
    """
    try:
        content = json.loads(read_input_text(path, MAX_BYTES))
    except TooLargeError:
        raise LabelError("{path!r} is too large for a label file.", path=str(path)) from None
    except (OSError, ValueError, RecursionError) as error:
        raise LabelError(
            "{path!r} is not a label file that can be read: {reason}.", path=str(path), reason=error
        ) from error
    try:
        picture = _parsed(content, path, codes)
        if of_the_game:
            Layout.parse(content["layout"])
            msgspec.convert(content["tiles"], list[_Place], strict=False)
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
        raise LabelError(
            "{path!r} does not describe a picture: {reason}.", path=str(path), reason=error
        ) from error
    return picture


def _parsed(content: Any, path: Path, codes: Collection[str] | None) -> LabelledPicture:
    known = msgspec.convert(content, _Picture)
    if not isinstance(known.image, str) or not known.image or Path(known.image).name != known.image:
        raise ValueError(f"{known.image!r} is not the name of a picture in the same folder")
    labels = []
    for tile, item in zip(known.tiles, content["tiles"], strict=True):
        if not is_code(tile.code) or (codes is not None and tile.code not in codes):
            raise ValueError(f"{tile.code!r} is not a tile")
        labels.append(Label(tile.code, checked_quad(tile.quad), _without(item, "code", "quad")))
    image = path.parent / known.image
    return LabelledPicture(image, known.image, (0, 0), "", tuple(labels), _without(content, "image", "tiles"))


def _without(content: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in content.items() if key not in keys}


def read_labelled_picture(path: Path, *, look: bool = True) -> LabelledPicture:
    """Return what a label file says of the picture beside it; any word may be a code.

    Args:
        path: The label file.
        look: Whether to look into the picture; if not, its size is (0, 0) and its checksum empty.

    Raises:
        LabelError: The file is damaged.
        DataSetError: It names a picture that is missing or lies outside its folder.
        ImageError: The picture is damaged.
    """
    picture = read_labels(path)
    file = file_inside(path.parent, picture.name)
    if file.stem != path.stem:
        raise DataSetError(
            "{path!r} describes the picture {image!r}. It must have the same name, and lie in the same "
            "folder.",
            path=str(path),
            image=picture.name,
        )
    if not look:
        return picture
    size_wh, sha256 = size_and_checksum(file)
    return replace(picture, size_wh=size_wh, sha256=sha256)


def checked_quad(value: Any) -> Quad:
    """Return four corners as they are kept.

    Raises:
        ValueError: They are not four points that go round something clockwise.
    """
    corners = np.array(value, np.float64)
    if corners.shape != (4, 2) or not (np.abs(corners) < 1e6).all():
        raise ValueError(f"{value!r} is not a quad of four corners")
    if turning(corners.tolist()) <= 0:
        raise ValueError(f"the corners {value!r} do not go round a tile clockwise")
    return _quad(corners.tolist())


def _quad(corners: Sequence[Sequence[float]]) -> Quad:
    one, two, three, four = ((float(x), float(y)) for x, y in corners)
    return one, two, three, four


def turning(corners: Sequence[Sequence[float]]) -> float:
    """Return twice a polygon's area, positive where its corners go round clockwise as the eye sees it.

    >>> turning([(0, 0), (2, 0), (2, 2), (0, 2)])
    8
    >>> turning([(0, 2), (2, 2), (2, 0), (0, 0)])
    -8
    """
    following = [*corners[1:], corners[0]]
    return sum(x * v - u * y for (x, y), (u, v) in zip(corners, following, strict=True))


def file_inside(folder: Path, name: Any) -> Path:
    """Return the file of this name in a folder, or in a folder within it.

    Raises:
        DataSetError: The name leads outside the folder, or to nothing.
    """
    text = name if isinstance(name, str) else ""
    try:
        path = folder / text
        inside = bool(text) and path.resolve().is_relative_to(folder.resolve())
        found = inside and path.is_file()
    except (OSError, ValueError, RuntimeError):
        inside = found = False
    if not inside:
        raise DataSetError(
            "{name!r} is not a file in {folder!r}. Nothing outside this folder is read.",
            name=name, folder=str(folder),
        )  # fmt: skip
    if not found:
        raise DataSetError("The picture {path!r} is missing.", path=str(path))
    return path


def size_and_checksum(path: Path) -> tuple[tuple[int, int], str]:
    """Return width and height of a picture file, and its SHA-256.

    Raises:
        ImageError: It cannot be read, or is no picture.
    """
    data = photo_bytes(path)
    return upright_size_wh(data, str(path)), hashlib.sha256(data).hexdigest()


def label_content(picture: LabelledPicture) -> dict[str, Any]:
    """Return what a picture's label file holds."""
    tiles = [{"code": label.code, "quad": label.quad_px, **label.extra} for label in picture.labels]
    return {"image": picture.name, **picture.extra, "tiles": tiles}


def write_labels(picture: LabelledPicture, folder: Path) -> Path:
    """Write a picture's label file into `folder`, replacing an older one; return the file.

    Raises:
        DataSetError: The file cannot be written.
    """
    path = folder / f"{Path(picture.name).stem}.json"
    write_text(path, json.dumps(label_content(picture)))
    return path


def write_text(path: Path, text: str) -> None:
    """Write a text file, whole or not at all.

    Raises:
        DataSetError: It cannot be written.
    """
    try:
        with replacing(path) as beside:
            beside.write_text(text, encoding="utf-8")
    except OSError as error:
        raise DataSetError(
            "{path!r} cannot be written: {reason}.", path=str(path), reason=error.strerror or error
        ) from error
