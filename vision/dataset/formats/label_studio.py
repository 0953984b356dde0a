"""Label Studio: `tasks.json`, the labelling interface that fits it, and the pictures in `images`.

Corners are in percent of the picture's size. A picture whose labels are confirmed becomes an annotation; one
with labels that have a confidence still becomes a prediction, for somebody to look at.
"""

from __future__ import annotations

import json
import math
import re
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit
from xml.sax.saxutils import quoteattr

import numpy as np

from vision.dataset.dataset import DataSet, read_json
from vision.dataset.formats.imported import (
    MAX_BYTES,
    ForeignPicture,
    Imported,
    checked_code,
    read_records,
    without_keys,
)
from vision.dataset.formats.quads import from_edge, quad_of
from vision.dataset.label_file import Label, LabelledPicture, file_inside, write_text
from vision.errors import DataSetError
from vision.imaging.photo import photo_bytes, upright_size_wh
from vision.imaging.picture_names import is_picture_name

FILE_NAME, INTERFACE_NAME = "tasks.json", "interface.xml"
_SERVED = "/data/local-files/?d="
_UPLOADED = re.compile(r"[0-9a-f]{8}-(.+)")
_KINDS = ("polygonlabels", "rectanglelabels")


def place(picture: LabelledPicture) -> Path:
    """Return where a picture lies in the exported folder."""
    return Path("images") / picture.name


def write(data_set: DataSet, out: Path) -> None:
    """Write the tasks of a data set, and the interface for them, into the folder `out`.

    The tasks find their pictures where Label Studio serves the folder above `out` as its local files.

    Raises:
        DataSetError: They cannot be written.
    """
    tasks = [_task(number, picture, out.name) for number, picture in enumerate(data_set.pictures, 1)]
    write_text(out / FILE_NAME, json.dumps(tasks))
    codes = "".join(f"    <Label value={quoteattr(code)}/>\n" for code in data_set.codes)
    write_text(
        out / INTERFACE_NAME,
        '<View>\n  <Image name="image" value="$image" zoom="true"/>\n'
        f'  <PolygonLabels name="tile" toName="image">\n{codes}  </PolygonLabels>\n</View>\n',
    )


def _task(number: int, picture: LabelledPicture, folder: str) -> dict[str, Any]:
    wide, high = picture.size_wh
    region = {
        "type": "polygonlabels",
        "from_name": "tile",
        "to_name": "image",
        "original_width": wide,
        "original_height": high,
        "image_rotation": 0,
    }
    result = []
    for index, label in enumerate(picture.labels):
        points = (from_edge(label.quad_px) * 100 / picture.size_wh).tolist()
        value = {"points": points, "closed": True, "polygonlabels": [label.code]}
        score = {} if label.confidence is None else {"score": label.confidence}
        meta = without_keys(label.extra, "confidence")
        result.append({"id": f"{number}-{index}", **region, "value": value, "meta": meta, **score})
    scores = [label.confidence for label in picture.labels if label.confidence is not None]
    if scores:
        prediction = {"model_version": "pyramid-referee", "score": min(scores), "result": result}
        whole = {"predictions": [prediction]}
    else:
        whole = {"annotations": [{"result": result}]}
    address = _SERVED + quote(str(PurePosixPath(folder, "images", picture.name)))
    return {
        "id": number,
        "data": {"image": address, "split": picture.split, "keys": dict(picture.extra)},
        **whole,
    }


def read(path: Path) -> Imported:
    """Return what an export of Label Studio (JSON, not JSON-MIN) holds, given the file or its folder.

    The newest annotation of a task counts; where it has none, its newest prediction.

    Raises:
        DataSetError: There is no such file, or it is damaged as a whole.
    """
    file = path
    if path.is_dir():
        files = [path / FILE_NAME] if (path / FILE_NAME).exists() else sorted(path.glob("*.json"))
        if len(files) != 1:
            raise DataSetError(
                "{path!r} does not hold exactly one Label Studio file (*.json). Name the file itself.",
                path=str(path),
            )
        file = files[0]
    tasks = read_json(file, MAX_BYTES)
    if not isinstance(tasks, list):
        raise DataSetError("{path!r} is not a list of Label Studio tasks.", path=str(file))

    def damaged(number: int, _task: Any, reason: Exception) -> DataSetError:
        return DataSetError(
            "Task {number} in {path!r} is left out because it is damaged: {reason}.",
            number=number,
            path=str(file),
            reason=reason,
        )

    return Imported(*read_records(tasks, partial(_picture, file=file), damaged))


def _picture(task: Any, file: Path) -> ForeignPicture:
    data = task["data"]
    found = _picture_file(data, file.parent)
    done = [a for a in task.get("annotations") or () if not a.get("was_cancelled")]
    regions = (done or task.get("predictions") or [{"result": []}])[-1]["result"]
    size_wh = upright_size_wh(photo_bytes(found), str(found))
    labels = [_label(region, size_wh, file) for region in regions]
    keys, split = data.get("keys"), data.get("split")
    return ForeignPicture(
        found,
        tuple(label for label in labels if label is not None),
        without_keys(keys, "image", "tiles") if isinstance(keys, dict) else {},
        split if isinstance(split, str) else None,
    )


def _picture_file(data: dict[str, Any], root: Path) -> Path:
    """Return the picture of a task, wherever below `root` the end of its address leads."""
    texts = [text for text in (data.get("image"), *data.values()) if isinstance(text, str)]
    named = [text for text in texts if text.startswith(_SERVED) or is_picture_name(Path(urlsplit(text).path))]
    if not named:
        raise ValueError("it names no picture")
    split = urlsplit(named[0])
    text = parse_qs(split.query).get("d", [unquote(split.path)])[0]
    parts = [part for part in PurePosixPath(text).parts if part != "/"]
    if ".." in parts:
        return file_inside(root, text)
    uploaded = _UPLOADED.fullmatch(parts[-1])
    names = [parts[start:] for start in range(len(parts))] + ([[uploaded[1]]] if uploaded else [])
    for name in names:
        for folder in (root, root / "images"):
            path = folder.joinpath(*name)
            if path.is_file():
                return file_inside(root, str(path.relative_to(root)))
    return file_inside(root, "/".join(parts))


@np.errstate(over="ignore")  # what is far too large is refused as a quad
def _label(region: Any, size_wh: tuple[int, int], file: Path) -> Label | None:
    """Return what a region says; None for one that draws nothing, such as a comment."""
    kind = region["type"]
    if kind not in _KINDS:
        if kind.endswith("labels") or kind in ("polygon", "rectangle"):
            raise ValueError(f"a region of the kind {kind!r} is neither polygon nor rectangle with a label")
        return None
    value = region["value"]
    code = checked_code(value[kind][0], file)
    size = np.array(size_wh) / 100
    if kind == "polygonlabels":
        points = np.array(value["points"], np.float64) * size
    else:
        start, (wide, high) = (
            np.array([value[one], value[two]], np.float64) * size
            for one, two in (("x", "y"), ("width", "height"))
        )
        turn = math.radians(float(value.get("rotation", 0)))
        along = np.array([math.cos(turn), math.sin(turn)])
        down = np.array([-along[1], along[0]])
        points = start + np.array([0 * along, wide * along, wide * along + high * down, high * down])
    meta = region.get("meta")
    extra = without_keys(meta, "text", "code", "quad") if isinstance(meta, dict) else {}
    if isinstance(region.get("score"), int | float):
        extra["confidence"] = float(region["score"])
    return Label(code, quad_of(points), extra)
