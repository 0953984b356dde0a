"""COCO: one JSON file for each part of the set, `annotations/train.json`, with the pictures in `images`.

Every tile is a category, and every label has its box and the polygon of its quad. Which corner is the face's
own top left is kept in `attributes`, as are all keys that COCO knows nothing of.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from vision.dataset.dataset import DataSet, Problems, read_json
from vision.dataset.formats.imported import (
    MAX_BYTES,
    ForeignPicture,
    Imported,
    checked_code,
    read_records,
    split_named,
    without_keys,
)
from vision.dataset.formats.quads import box_of, from_edge, quad_of, quad_of_box
from vision.dataset.label_file import SPLITS, Label, LabelledPicture, file_inside, turning, write_text
from vision.errors import DataSetError

_TOP_LEFT = "top_left"


def place(picture: LabelledPicture) -> Path:
    """Return where a picture lies in the exported folder."""
    return Path("images") / picture.name


def write(data_set: DataSet, out: Path) -> None:
    """Write the label files of a data set into the folder `out`.

    Raises:
        DataSetError: They cannot be written.
    """
    folder = out / "annotations"
    folder.mkdir(parents=True, exist_ok=True)
    for split in SPLITS:
        pictures = [picture for picture in data_set.pictures if picture.split == split]
        write_text(folder / f"{split}.json", json.dumps(_content(data_set, pictures)))


def _content(data_set: DataSet, pictures: Sequence[LabelledPicture]) -> dict[str, Any]:
    category = {code: number for number, code in enumerate(data_set.codes, 1)}
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for image_id, picture in enumerate(pictures, 1):
        wide, high = picture.size_wh
        images.append(
            {
                "id": image_id,
                "file_name": picture.name,
                "width": wide,
                "height": high,
                "license": 1,
                "attributes": dict(picture.extra),
            }
        )
        for label in picture.labels:
            corners = from_edge(label.quad_px)
            annotations.append(
                {
                    "id": len(annotations) + 1,
                    "image_id": image_id,
                    "category_id": category[label.code],
                    "bbox": list(box_of(label.quad_px, picture.size_wh)),
                    "segmentation": [corners.ravel().tolist()],
                    "area": turning(corners.tolist()) / 2,
                    "iscrowd": 0,
                    "attributes": {**label.extra, _TOP_LEFT: corners[0].tolist()},
                }
            )
    return {
        "info": {"description": data_set.name, "version": "1"},
        "licenses": [{"id": 1, "name": data_set.licence, "url": ""}],
        "categories": [{"id": n, "name": code, "supercategory": "tile"} for code, n in category.items()],
        "images": images,
        "annotations": annotations,
    }


def read(path: Path) -> Imported:
    """Return what a COCO file holds, or all those of a folder.

    Raises:
        DataSetError: There is no such file, or it is damaged as a whole.
    """
    files = _files(path) if path.is_dir() else [path]
    if not files:
        raise DataSetError("There is no COCO file (*.json) in {path!r}.", path=str(path))
    pictures: list[ForeignPicture] = []
    problems: Problems = []
    licence = ""
    for file in files:
        imported = _read_file(file)
        pictures += imported.pictures
        problems += imported.problems
        licence = licence or imported.licence
    return Imported(pictures, problems, licence)


def _files(folder: Path) -> list[Path]:
    inside = folder / "annotations"
    return sorted((inside if inside.is_dir() else folder).glob("*.json")) or sorted(folder.glob("*/*.json"))


def _read_file(path: Path) -> Imported:
    content = read_json(path, MAX_BYTES)
    root = path.parent.parent if path.parent.name == "annotations" else path.parent
    by_image: dict[Any, list[Any]] = defaultdict(list)
    try:
        names = {category["id"]: category["name"] for category in content["categories"]}
        for annotation in content["annotations"]:
            by_image[annotation["image_id"]].append(annotation)
        images = list(content["images"])
        licences = content.get("licenses") or [{}]
        licence = str(licences[0].get("name") or "")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DataSetError(
            "{path!r} is not a COCO file: {reason}.", path=str(path), reason=repr(error)
        ) from error

    def damaged(_number: int, image: Any, reason: Exception) -> DataSetError:
        return DataSetError(
            "{image!r} in {path!r} is left out because its labels are damaged: {reason}.",
            image=_name(image),
            path=str(path),
            reason=reason,
        )

    read = partial(_picture, by_image=by_image, names=names, path=path, root=root)
    return Imported(*read_records(images, read, damaged), licence)


def _name(image: Any) -> Any:
    return image.get("file_name") if isinstance(image, dict) else image


def _picture(
    image: Any, by_image: dict[Any, list[Any]], names: dict[Any, Any], path: Path, root: Path
) -> ForeignPicture:
    name = image["file_name"]
    split = split_named([path.stem, path.parent.name])
    folders = [path.parent, root, root / "images"]
    folders += [root / split, root / "images" / split] if split else []
    lies_in = next((folder for folder in folders if _is_there(folder, name)), root)
    found = file_inside(lies_in, name)
    labels = tuple(_label(annotation, names, path) for annotation in by_image.get(image["id"], ()))
    extra = image.get("attributes")
    return ForeignPicture(
        found, labels, without_keys(extra, "image", "tiles") if isinstance(extra, dict) else {}, split
    )


def _is_there(folder: Path, name: Any) -> bool:
    try:
        return file_inside(folder, name).is_file()
    except DataSetError:
        return False


def _label(annotation: Any, names: dict[Any, Any], path: Path) -> Label:
    code = checked_code(names[annotation["category_id"]], path)
    attributes = annotation.get("attributes")
    attributes = attributes if isinstance(attributes, dict) else {}
    extra = without_keys(attributes, _TOP_LEFT, "code", "quad")
    polygon = annotation.get("segmentation")
    if isinstance(polygon, list) and polygon:
        numbers = polygon[0]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        return Label(code, quad_of(points, attributes.get(_TOP_LEFT)), extra)
    return Label(code, quad_of_box(*map(float, annotation["bbox"])), extra)
