"""YOLO: a text file beside each picture, a folder for each part of the set, and `data.yaml`.

Plain boxes are `class x y width height`; oriented boxes are `class x1 y1 … x4 y4`, our quads from the face's
own top left, clockwise. All numbers are shares of the picture's size. YOLO has no room for anything else.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import yaml

from vision.dataset.dataset import DataSet, Problems
from vision.dataset.formats.imported import ForeignPicture, Imported, checked_code, split_named
from vision.dataset.formats.quads import box_of, from_edge, quad_of, quad_of_box
from vision.dataset.label_file import SPLITS, Label, LabelledPicture, file_inside, write_text
from vision.errors import DataSetError, VisionError
from vision.files import read_input, read_input_text
from vision.imaging.photo import photo_bytes, upright_size_wh
from vision.imaging.picture_names import is_picture_name

MAX_YAML_BYTES = 2**20
MAX_LABEL_BYTES = 4 * 2**20
_PARTS = ("train", "val", "valid", "test")


def place(picture: LabelledPicture) -> Path:
    """Return where a picture lies in the exported folder."""
    return Path("images") / picture.split / picture.name


def write(data_set: DataSet, out: Path, *, oriented: bool) -> None:
    """Write the label files of a data set into the folder `out`.

    YOLO allows nothing outside the picture: boxes and corners that reach over its edge are moved onto it.

    Raises:
        DataSetError: They cannot be written.
    """
    number = {code: index for index, code in enumerate(data_set.codes)}
    for split in SPLITS:
        for kind in ("images", "labels"):
            (out / kind / split).mkdir(parents=True, exist_ok=True)
    for picture in data_set.pictures:
        lines = [_line(number[label.code], label, picture, oriented=oriented) for label in picture.labels]
        path = (Path("labels") / picture.split / picture.name).with_suffix(".txt")
        write_text(out / path, "".join(f"{line}\n" for line in lines if line))
    content = {
        **{split: f"images/{split}" for split in SPLITS},
        "licence": data_set.licence,
        "names": {index: code for code, index in number.items()},
    }
    write_text(out / "data.yaml", yaml.safe_dump(content, allow_unicode=True, sort_keys=False))


def _line(number: int, label: Label, picture: LabelledPicture, *, oriented: bool) -> str:
    """Return a label as a line; nothing where no part of it lies in the picture."""
    wide, high = picture.size_wh
    left, top, box_wide, box_high = box_of(label.quad_px, picture.size_wh)
    if not box_wide or not box_high:
        return ""
    if oriented:
        shares = (np.clip(from_edge(label.quad_px), 0, (wide, high)) / (wide, high)).ravel().tolist()
    else:
        shares = [(left + box_wide / 2) / wide, (top + box_high / 2) / high, box_wide / wide, box_high / high]
    return " ".join([str(number), *(f"{share:.8f}" for share in shares)])


def read(path: Path) -> Imported:
    """Return what a YOLO data set holds, given its folder or its `data.yaml`; boxes may be plain or oriented.

    Raises:
        DataSetError: `data.yaml` is missing, or not one that is understood.
    """
    file = path / "data.yaml" if path.is_dir() else path
    names, parts, licence = _read_yaml(file)
    pictures: list[ForeignPicture] = []
    problems: Problems = []
    for key, value in parts.items():
        split = split_named([key]) or SPLITS[0]
        try:
            images = _folder_inside(file.parent, value)
        except DataSetError as error:
            problems.append(error)
            continue
        for picture in sorted(entry for entry in images.iterdir() if is_picture_name(entry)):
            try:
                file_inside(images, picture.name)
                pictures.append(ForeignPicture(picture, _labels(picture, images, names), {}, split))
            except VisionError as error:
                problems.append(error)
    return Imported(pictures, problems, licence)


def _folder_inside(root: Path, name: str) -> Path:
    """Return a folder of pictures; the `../` that some programs write too many is passed over."""
    tried = [name, re.sub(r"^(\.\./)+", "", name)]
    for folder in (root / text for text in tried):
        if folder.resolve().is_relative_to(root.resolve()) and folder.is_dir():
            return folder
    raise DataSetError(
        "{name!r} is not a folder of pictures in {folder!r}. Nothing outside this folder is read.",
        name=name,
        folder=str(root),
    )


def _labels(picture: Path, images: Path, names: dict[int, str]) -> tuple[Label, ...]:
    """Return the labels of a picture; none where it has no label file."""
    parts = list(images.parts)
    if "images" in parts:
        last = len(parts) - 1 - parts[::-1].index("images")
        parts[last] = "labels"
    path = Path(*parts, f"{picture.stem}.txt")
    if not path.exists():
        return ()
    wide, high = upright_size_wh(photo_bytes(picture), str(picture))
    try:
        text = read_input_text(path, MAX_LABEL_BYTES)
        rows = [line.split() for line in text.splitlines() if line.strip()]
        return tuple(_label(row, names, (wide, high), path) for row in rows)
    except OSError as error:
        reason: object = error.strerror or error
    except (ValueError, OverflowError) as error:
        if isinstance(error, VisionError):
            raise
        reason = error
    raise DataSetError("{path!r} holds no YOLO labels: {reason}.", path=str(path), reason=reason)


@np.errstate(over="ignore")  # what is far too large is refused as a quad
def _label(row: list[str], names: dict[int, str], size_wh: tuple[int, int], path: Path) -> Label:
    number, values = int(float(row[0])), [float(text) for text in row[1:]]
    if number not in names:
        raise DataSetError(
            "{path!r} names the class {number}, which data.yaml does not list.", path=str(path), number=number
        )
    code = checked_code(names[number], path)
    if len(values) in (4, 5):
        (x, y), (wide, high) = (np.array(pair) * size_wh for pair in (values[:2], values[2:4]))
        extra = {"confidence": values[4]} if len(values) == 5 else {}
        return Label(
            code, quad_of_box(float(x - wide / 2), float(y - high / 2), float(wide), float(high)), extra
        )
    if len(values) >= 6 and len(values) % 2 == 0:
        return Label(code, quad_of(np.array(values).reshape(-1, 2) * size_wh))
    raise ValueError(f"{' '.join(row)!r} is neither a box nor a polygon")


def _read_yaml(path: Path) -> tuple[dict[int, str], dict[str, str], str]:
    """Return the classes, the folders of the parts and the licence from data.yaml."""
    try:
        # This loader makes texts of all words, so that a class may be called "no" or "007".
        content = yaml.load(read_input(path, MAX_YAML_BYTES), Loader=yaml.BaseLoader)
        content = content if isinstance(content, dict) else {}
        names = _names(content.get("names"))
        parts = {part: content[part] for part in _PARTS if content.get(part)}
        licence = content.get("licence", content.get("license"))
        # Of what is no text nothing is shown: a few references to each other can stand for gigabytes.
        if not all(isinstance(folder, str) for folder in parts.values()):
            raise ValueError("a folder of pictures is no text")
        if not names or not parts:
            raise ValueError("it lists no names, or no folder of pictures")
    except OSError as error:
        reason: object = error.strerror or error
    except (ValueError, TypeError, RecursionError, MemoryError, yaml.YAMLError) as error:
        reason = error
    else:
        return names, parts, licence if isinstance(licence, str) else ""
    raise DataSetError(
        "{path!r} is not a data.yaml that can be read: {reason}.", path=str(path), reason=reason
    )


def _names(listed: object) -> dict[int, str]:
    """Return number and name of each class, which are listed one after the other or with their numbers."""
    if isinstance(listed, list):
        listed = dict(enumerate(listed))
    if not isinstance(listed, dict):
        raise ValueError("it lists no names, or no folder of pictures")
    if not all(isinstance(name, str) for name in listed.values()):
        raise ValueError("one of its names is no text")
    return {int(number): name for number, name in listed.items()}
