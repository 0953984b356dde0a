"""Data sets: a folder of pictures with their label files, and a manifest that vouches for them.

The manifest `data-set.json` says what the set is called, under which licence it may be used, which tiles it
knows, how often each is shown, and of each picture its checksum and which part of the set it belongs to:

    {"version": 1, "name": "kitchen", "licence": "CC-BY-4.0", "codes": ["Y1", …], "counts": {"Y1": 12, …},
     "pictures": [{"image": "0001.jpg", "sha256": "…", "split": "train"}, …]}

What is wrong with a single picture never stops the rest: it is left out, and reported.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from referee.rules.tiles import CODES
from vision.dataset.label_file import MAX_BYTES as MAX_LABEL_BYTES
from vision.dataset.label_file import (
    SPLITS,
    LabelledPicture,
    file_inside,
    read_labelled_picture,
    write_text,
)
from vision.errors import DataSetError, VisionError
from vision.files import read_input_text
from vision.imaging.picture_names import is_picture_name
from vision.progress import OnProgress, not_shown
from vision.recognition.tile_set import MAX_CODES, is_code

FILE_NAME = "data-set.json"
VERSION = 1
SHARES = (80, 10, 10)
"""How many of a hundred pictures go into each part."""
MAX_BYTES = 64 * 2**20
MAX_PICTURES = 200_000
_MAX_NAME, _MAX_LICENCE = 100, 1000

Item = TypeVar("Item")
Read = TypeVar("Read")
Problems = list[VisionError]
"""What was left out, and why: one sentence each."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """Pictures with labels, and what may be done with them."""

    name: str
    licence: str
    """Empty where none was named."""
    codes: tuple[str, ...]
    """What tiles may be called; not all of them need be shown."""
    pictures: tuple[LabelledPicture, ...]

    def counts(self) -> dict[str, int]:
        """Return how often each tile is shown, in the order of `codes`."""
        shown = Counter(label.code for picture in self.pictures for label in picture.labels)
        return {code: shown[code] for code in self.codes}


def build_data_set(
    folder: Path,
    *,
    licence: str = "",
    shares: Sequence[int] = SHARES,
    codes: Collection[str] | None = None,
    on_progress: OnProgress = not_shown,
) -> tuple[DataSet, Problems]:
    """Return the data set that a folder of pictures with label files makes, and what was left out.

    Args:
        folder: Where the pictures and their label files lie, side by side.
        licence: Under which the pictures may be used.
        shares: How many of a hundred pictures go into each of `SPLITS`.
        codes: What tiles may be called. Where left out: the game's own codes if most labels are among them,
            else whatever the label files name.
        on_progress: Is called after each label file.

    Raises:
        DataSetError: The folder cannot be read.
    """
    pictures, problems = read_each(label_files_of(folder), read_labelled_picture, on_progress)
    known = tuple(codes) if codes is not None else codes_of(pictures)
    sound, strange = with_known_codes(pictures, known)
    problems += strange
    data_set = DataSet(folder.resolve().name, licence, known, tuple(sound))
    return replace(data_set, pictures=split_pictures(sound, shares)), problems


def read_each(
    items: Sequence[Item], read: Callable[[Item], Read], on_progress: OnProgress = not_shown
) -> tuple[list[Read], Problems]:
    """Return what was read of each item, and what went wrong with the others."""
    done: list[Read] = []
    problems: Problems = []
    for number, item in enumerate(items, 1):
        try:
            done.append(read(item))
        except VisionError as error:
            problems.append(error)
        on_progress(number, len(items))
    return done, problems


def label_files_of(folder: Path) -> list[Path]:
    """Return the files of a folder that are label files, or would be if they were sound."""
    try:
        names = {path.name for path in folder.iterdir()}
    except OSError as error:
        raise DataSetError(
            "The folder {path!r} cannot be read: {reason}.",
            path=str(folder),
            reason=error.strerror or error,
        ) from error
    shown = {Path(name).stem for name in names if is_picture_name(Path(name))}
    files = sorted(folder / name for name in names if name.endswith(".json") and name != FILE_NAME)
    return [path for path in files if path.stem in shown or _looks_like_labels(path)]


def _looks_like_labels(path: Path) -> bool:
    """Return whether a file without a picture beside it is a label file nevertheless."""
    try:
        content = read_json(path, MAX_LABEL_BYTES)
    except VisionError:
        return False
    return isinstance(content, dict) and {"image", "tiles"} <= content.keys()


def codes_of(pictures: Iterable[LabelledPicture]) -> tuple[str, ...]:
    """Return what the tiles of these pictures are called: the game's codes if most labels are among them."""
    shown = Counter(label.code for picture in pictures for label in picture.labels)
    of_the_game = sum(shown[code] for code in CODES)
    return CODES if 2 * of_the_game >= shown.total() else tuple(sorted(shown)[:MAX_CODES])


def with_known_codes(
    pictures: Iterable[LabelledPicture], codes: Collection[str]
) -> tuple[list[LabelledPicture], Problems]:
    """Return the pictures whose labels all name tiles of the set, and a problem for each other."""
    sound, problems, known = [], [], set(codes)
    for picture in pictures:
        strange = sorted({label.code for label in picture.labels} - known)
        if not strange:
            sound.append(picture)
            continue
        problems.append(
            DataSetError(
                "{path!r} is left out: the tile set has no tile {codes}.",
                path=str(picture.path),
                codes=", ".join(strange),
            )
        )
    return sound, list(problems)


def split_pictures(
    pictures: Sequence[LabelledPicture],
    shares: Sequence[int] = SHARES,
    settled: Mapping[str, str] | None = None,
) -> tuple[LabelledPicture, ...]:
    """Return the pictures with the part each belongs to.

    Pictures of one source, and files that hold the same picture, stay together. The order in which they are
    dealt out depends on checksums alone, not on names or on the order given.

    Args:
        pictures: The pictures.
        shares: How many of a hundred go into each of `SPLITS`, as nearly as whole groups allow.
        settled: The part of pictures that were dealt out before, by checksum: they stay where they are.
    """
    groups: dict[str, list[int]] = {}
    of_picture: dict[str, str] = {}
    for index, picture in enumerate(pictures):
        key = of_picture.setdefault(picture.sha256, picture.film or picture.sha256)
        groups.setdefault(key, []).append(index)
    splits = [SPLITS[0]] * len(pictures)
    have = dict.fromkeys(SPLITS, 0)
    wanted = {split: share / 100 * len(pictures) for split, share in zip(SPLITS, shares, strict=True)}
    before = settled or {}

    def placed(key: str) -> str | None:
        return next((before[pictures[i].sha256] for i in groups[key] if pictures[i].sha256 in before), None)

    def order(key: str) -> tuple[bool, str]:
        return placed(key) is None, hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()

    for key in sorted(groups, key=order):
        split = placed(key) or max(SPLITS, key=lambda split: wanted[split] - have[split])
        have[split] += len(groups[key])
        for index in groups[key]:
            splits[index] = split
    return tuple(replace(picture, split=split) for picture, split in zip(pictures, splits, strict=True))


def write_manifest(data_set: DataSet, folder: Path) -> Path:
    """Write the manifest of a data set into its folder, replacing an older one; return the file.

    Raises:
        DataSetError: The file cannot be written.
    """
    content = {
        "version": VERSION,
        "name": data_set.name[:_MAX_NAME],
        "licence": data_set.licence[:_MAX_LICENCE],
        "codes": list(data_set.codes),
        "counts": data_set.counts(),
        "pictures": [
            {"image": picture.name, "sha256": picture.sha256, "split": picture.split}
            for picture in data_set.pictures
        ],
    }
    path = folder / FILE_NAME
    write_text(path, json.dumps(content, indent=1))
    return path


def read_data_set(folder: Path, on_progress: OnProgress = not_shown) -> tuple[DataSet, Problems]:
    """Return the data set whose manifest lies in `folder`, every picture checked, and what was left out.

    Args:
        folder: The folder of the data set.
        on_progress: Is called after each picture.

    Raises:
        DataSetError: There is no manifest, or it is damaged.
    """
    path = folder / FILE_NAME
    content = read_json(path, MAX_BYTES)
    try:
        name, licence, codes, entries = _manifest(content)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DataSetError(
            "{path!r} is not a manifest of a data set: {reason}. Move it away, and a new one will be made.",
            path=str(path),
            reason=error,
        ) from error
    once = _listed_once(entries)
    pictures, problems = read_each(once, partial(_vouched_for, folder), on_progress)
    if len(once) < len(entries):
        problems.append(
            DataSetError(
                "{path!r} lists pictures more than once. Of each only the first entry counts.", path=str(path)
            )
        )
    sound, strange = with_known_codes(pictures, codes)
    problems += strange
    data_set = DataSet(name, licence, codes, tuple(sound))
    if not problems and data_set.counts() != content.get("counts"):
        problems.append(
            DataSetError("The counts in {path!r} are not those of the label files.", path=str(path))
        )
    return data_set, problems + _unlisted(path, entries)


def _manifest(content: Any) -> tuple[str, str, tuple[str, ...], list[Any]]:
    if content["version"] != VERSION:
        raise ValueError(f"it is of version {content['version']!r}, not {VERSION}")
    codes, entries = tuple(content["codes"]), content["pictures"]
    if len(codes) > MAX_CODES or len(set(codes)) != len(codes) or not all(map(is_code, codes)):
        raise ValueError(f"its codes are not at most {MAX_CODES} different words")
    if not isinstance(entries, list) or len(entries) > MAX_PICTURES:
        raise ValueError(f"its pictures are no list of at most {MAX_PICTURES}")
    return str(content["name"])[:_MAX_NAME], str(content["licence"])[:_MAX_LICENCE], codes, entries


def _listed_once(entries: list[Any]) -> list[Any]:
    """Return the entries of a manifest without those that name a picture again."""
    known: set[str] = set()
    once = []
    for entry in entries:
        name = entry.get("image") if isinstance(entry, dict) else None
        if not isinstance(name, str) or name not in known:
            once.append(entry)
        if isinstance(name, str):
            known.add(name)
    return once


def _unlisted(manifest: Path, entries: list[Any]) -> Problems:
    """Return what is to be said of pictures that lie beside a manifest and are not among its entries."""
    listed = {Path(str(entry.get("image"))).stem for entry in entries if isinstance(entry, dict)}
    unlisted = sum(file.stem not in listed for file in label_files_of(manifest.parent))
    if not unlisted:
        return []
    return [
        DataSetError(
            "Left out, because {path!r} does not list them: {count} of the pictures with labels.",
            path=str(manifest),
            count=unlisted,
        )
    ]


def _vouched_for(folder: Path, entry: Any) -> LabelledPicture:
    """Return a picture that is what the manifest says it is."""
    keys = entry if isinstance(entry, dict) else {}
    path = file_inside(folder, keys.get("image"))
    if path.parent != folder or keys.get("split") not in SPLITS:
        raise DataSetError(
            "The manifest's entry for {image!r} is damaged: it needs a picture of the folder and a part.",
            image=keys.get("image"),
        )
    picture = read_labelled_picture(path.with_suffix(".json"))
    if picture.name != path.name or picture.sha256 != keys.get("sha256"):
        raise DataSetError(
            "{path!r} is not the picture that the manifest describes. Copy it again.", path=str(path)
        )
    return replace(picture, split=keys["split"])


def read_json(path: Path, max_bytes: int) -> Any:
    """Return what a JSON file holds.

    Raises:
        DataSetError: It is missing, too large, or no JSON.
    """
    try:
        return json.loads(read_input_text(path, max_bytes))
    except OSError as error:
        reason: object = error.strerror or error
    except RecursionError:
        reason = "it is nested too deeply"
    except ValueError as error:
        reason = error
    raise DataSetError("{path!r} cannot be read: {reason}.", path=str(path), reason=reason)
