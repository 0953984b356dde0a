"""Data sets written for others, read from other programs, and joined; originals are never changed."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from vision.dataset.anonymise import PrivacyOptions, anonymised
from vision.dataset.dataset import (
    SHARES,
    DataSet,
    Problems,
    codes_of,
    split_pictures,
    with_known_codes,
    write_manifest,
)
from vision.dataset.formats import coco, label_studio, yolo
from vision.dataset.formats.imported import ForeignPicture
from vision.dataset.infer_layout import with_layout
from vision.dataset.label_file import MAX_TILES, SPLITS, LabelledPicture, size_and_checksum, write_labels
from vision.errors import DataSetError, VisionError
from vision.imaging.photo import photo_bytes
from vision.progress import OnProgress, not_shown
from vision.recognition.tile_set import MAX_CODES

FORMATS = ("native", "coco", "yolo", "yolo-obb", "label-studio")
"""What data sets can be written as; `native` is our own."""
MOST_OF_ONE = 20
"""So often another program's data set may list one picture."""


def export(
    data_set: DataSet,
    fmt: str,
    out: Path,
    treatment: PrivacyOptions,
    on_progress: OnProgress = not_shown,
) -> Problems:
    """Write a data set in one of `FORMATS` as the new folder `out`; return what was left out.

    Args:
        data_set: What to write; its pictures are copied, never changed.
        fmt: The format.
        out: A folder that is not there yet, or is empty.
        treatment: What is done to each picture first.
        on_progress: Is called after each picture.

    Raises:
        DataSetError: The folder holds something, or cannot be written.
    """
    problems: Problems = []
    with _new_folder(out) as folder:
        done = []
        for number, picture in enumerate(data_set.pictures, 1):
            try:
                data, mine = anonymised(photo_bytes(picture.path), picture, treatment)
            except VisionError as error:
                problems.append(error)
            else:
                path = folder / _place(fmt, mine)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
                done.append(mine)
            on_progress(number, len(data_set.pictures))
        _write_label_files(fmt, replace(data_set, pictures=tuple(done)), folder)
    return problems


def _place(fmt: str, picture: LabelledPicture) -> Path:
    if fmt == "native":
        return Path(picture.name)
    if fmt == "coco":
        return coco.place(picture)
    return label_studio.place(picture) if fmt == "label-studio" else yolo.place(picture)


def _write_label_files(fmt: str, data_set: DataSet, folder: Path) -> None:
    """Write what a format says of pictures that are in the folder already."""
    if fmt == "native":
        for picture in data_set.pictures:
            write_labels(picture, folder)
        write_manifest(data_set, folder)
    elif fmt == "coco":
        coco.write(data_set, folder)
    elif fmt == "label-studio":
        label_studio.write(data_set, folder)
    else:
        yolo.write(data_set, folder, oriented=fmt == "yolo-obb")


def read_foreign(
    fmt: str, path: Path, *, licence: str = "", shares: Sequence[int] | None = None
) -> tuple[DataSet, Problems, Problems]:
    """Return the data set that another program wrote, what was left out, and which pictures were renamed.

    Args:
        fmt: One of `FORMATS` but our own.
        path: Its file of labels, or its folder.
        licence: Under which it may be used, where that is known better than the files say.
        shares: How many of a hundred pictures go into each part; as the files say where left out.

    Raises:
        DataSetError: There is no such data set, or it is damaged as a whole.
    """
    reader = {"coco": coco.read, "label-studio": label_studio.read}.get(fmt, yolo.read)
    imported = reader(path)
    problems = list(imported.problems)
    pictures, settled = [], {}
    for found in _bounded(imported.pictures, path, problems):
        try:
            size_wh, sha256 = size_and_checksum(found.path)
        except VisionError as error:
            problems.append(error)
            continue
        if found.split in SPLITS:
            settled[sha256] = str(found.split)
        pictures.append(
            with_layout(
                LabelledPicture(found.path, found.path.name, size_wh, sha256, found.labels, found.extra)
            )
        )
    codes = codes_of(pictures)
    sound, strange = with_known_codes(pictures, codes)
    sound, renamed = _with_names_apart(sound)
    dealt = split_pictures(sound, shares or SHARES, {} if shares else settled)
    root = path if path.is_dir() else path.parent
    data_set = DataSet(root.resolve().name, licence or imported.licence, codes, dealt)
    return data_set, problems + strange, renamed


def _bounded(found: list[ForeignPicture], source: Path, problems: Problems) -> list[ForeignPicture]:
    """Return the pictures without what is beyond reason; `problems` gets what was left out."""
    times: Counter[Path] = Counter()
    few = []
    for picture in found:
        times[picture.path] += 1
        if times[picture.path] <= MOST_OF_ONE:
            few.append(picture)
    if len(few) < len(found):
        problems.append(
            DataSetError(
                "{path!r} lists a picture more than {most} times. The further entries are left out.",
                path=str(source), most=MOST_OF_ONE,
            )
        )  # fmt: skip
    for picture in few:
        if len(picture.labels) > MAX_TILES:
            problems.append(
                DataSetError(
                    "{path!r} is left out: it has more than {most} labels.",
                    path=str(picture.path), most=MAX_TILES,
                )
            )  # fmt: skip
    return [picture for picture in few if len(picture.labels) <= MAX_TILES]


def merge(
    one: DataSet, other: DataSet, *, licence: str = "", shares: Sequence[int] | None = None
) -> tuple[DataSet, Problems]:
    """Return two data sets as one, with notes for the person who joins them.

    A picture of the second gets another name if the first has one of that name. A picture that is in both is
    taken once, with the labels of the first.

    Args:
        one: A data set; names, parts and labels of its pictures stay.
        other: Another.
        licence: Under which the whole may be used; where left out, that of both.
        shares: How many of a hundred pictures go into each part; as they were where left out.

    Raises:
        DataSetError: The two have more different tiles than a data set can have.
    """
    codes = _codes_of_both(one, other)
    notes: Problems = []
    known = {picture.sha256 for picture in one.pictures}
    new = [picture for picture in other.pictures if picture.sha256 not in known]
    if len(new) < len(other.pictures):
        notes.append(
            DataSetError(
                "In both sets, and taken only once: {count} of the pictures.",
                count=len(other.pictures) - len(new),
            )
        )
    pictures, renamed = _with_names_apart([*one.pictures, *new])
    notes += renamed
    if not licence:
        licence, differ = _licence_of_both(one, other)
        notes += differ
    settled = {picture.sha256: picture.split for picture in reversed(pictures)}
    dealt = split_pictures(pictures, shares or SHARES, {} if shares else settled)
    return DataSet(one.name, licence, codes, dealt), notes


def _codes_of_both(one: DataSet, other: DataSet) -> tuple[str, ...]:
    """Return what tiles may be called in either of two data sets, if that is not too much for one."""
    codes = tuple(dict.fromkeys((*one.codes, *other.codes)))
    if len(codes) > MAX_CODES:
        raise DataSetError(
            "The two sets name {count} different tiles, and one can name at most {most}.",
            count=len(codes), most=MAX_CODES,
        )  # fmt: skip
    return codes


def _licence_of_both(one: DataSet, other: DataSet) -> tuple[str, Problems]:
    """Return the licence of two data sets together, and a note if they differ or one has none."""
    licences = list(dict.fromkeys(text for text in (one.licence, other.licence) if text))
    notes: Problems = []
    if len(licences) > 1 or not (one.licence and other.licence):
        notes.append(
            DataSetError(
                "The licences differ: {one!r} and {other!r}. Name one for the whole with --licence.",
                one=one.licence,
                other=other.licence,
            )
        )
    return "; ".join(licences), notes


def _with_names_apart(pictures: Sequence[LabelledPicture]) -> tuple[list[LabelledPicture], Problems]:
    """Return the pictures with names that differ in more than suffix and case, and which were renamed."""
    taken = {Path(picture.name).stem.casefold() for picture in pictures}
    used: set[str] = set()
    apart: list[LabelledPicture] = []
    problems: Problems = []
    for picture in pictures:
        path = Path(picture.name)
        stem, number = path.stem, 1
        while stem.casefold() in used or (number > 1 and stem.casefold() in taken):
            number += 1
            stem = f"{path.stem}-{number}"
        used.add(stem.casefold())
        if number > 1:
            problems.append(
                DataSetError(
                    "{path!r} is called {name!r} in the new data set because its own name is taken.",
                    path=str(picture.path),
                    name=stem + path.suffix,
                )
            )
        apart.append(replace(picture, name=stem + path.suffix))
    return apart, problems


@contextmanager
def _new_folder(out: Path) -> Iterator[Path]:
    """Give a folder to fill. It becomes `out` when the block ends, and is deleted if the block fails."""
    try:
        out = out.resolve()
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise DataSetError(
                "{path!r} is already there, and nothing is overwritten. Name a new folder.", path=str(out)
            )
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as beside:
            folder = Path(beside) / out.name
            folder.mkdir()
            yield folder
            if out.exists():
                out.rmdir()
            folder.rename(out)
    except OSError as error:
        raise DataSetError(
            "{path!r} cannot be written: {reason}.", path=str(out), reason=error.strerror or error
        ) from error
