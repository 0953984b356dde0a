"""Data sets of other programs and our own: odd values, ways outside, links, YAML tags, far too much."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from tests.attack.gate.case import Case, Command, Ended, Place, damaged, numbers_of, odd_text
from tests.attack.gate.pictures import sound_pictures
from vision.dataset.anonymise import PrivacyOptions
from vision.dataset.dataset import build_data_set
from vision.dataset.formats.convert import export

FORMATS = ("native", "coco", "yolo", "yolo-obb", "label-studio")
LABELS = {
    "native": "data-set.json", "coco": "annotations/train.json", "yolo": "data.yaml",
    "yolo-obb": "labels/train/a.txt", "label-studio": "tasks.json",
}  # fmt: skip
"""The file of each format that is made odd."""


@cache
def sound_set(fmt: str) -> dict[str, bytes]:
    """Return the files of a small data set in a format, by their paths."""
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder) / "source", Path(folder) / "out"
        source.mkdir()
        quad = [[10, 10], [60, 10], [60, 60], [10, 60]]
        for number, name in enumerate("ab"):
            (source / f"{name}.jpg").write_bytes(sound_pictures()["jpg"] + bytes([number]))
            tiles = [{"code": "R40", "row": 0, "slot": 0, "quad": quad}]
            (source / f"{name}.json").write_text(json.dumps({"image": f"{name}.jpg", "tiles": tiles}))
        data_set, _problems = build_data_set(source, licence="CC0-1.0", shares=(100, 0, 0))
        export(data_set, fmt, out, PrivacyOptions(keep_metadata=True))
        files = [path for path in out.rglob("*") if path.is_file()]
        return {str(path.relative_to(out)): path.read_bytes() for path in files}


def lay_set(folder: Path, fmt: str) -> None:
    """Write the small data set of a format into a folder."""
    for name, data in sound_set(fmt).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def reading(place: Place, fmt: str) -> list[Command]:
    """Return the command that takes a data set in."""
    to = ["--to", str(place.new)]
    if fmt == "native":
        return [["capture", str(place.given), "--export", "native", *to]]
    return [["capture", "--import", fmt, str(place.given), *to]]


def odd_sets(seed: int, count: int) -> Iterator[Case]:
    """Yield cases of data sets in whose labels one value is odd."""
    for number in range(count):
        fmt = FORMATS[number % len(FORMATS)]

        def lay(place: Place, fmt: str = fmt, number: int = number) -> list[Command]:
            rng = numbers_of(seed, "sets", number)
            lay_set(place.given, fmt)
            path = place.given / LABELS[fmt]
            data = path.read_bytes()
            if path.suffix == ".json":
                path.write_bytes(odd_text(json.loads(data), rng))
            elif rng.random() < 0.5:
                path.write_bytes(damaged(data, rng))
            else:
                words = data.decode().split(" ")
                words[rng.randrange(len(words))] = rng.choice(WORDS)
                path.write_bytes(" ".join(words).encode())
            return reading(place, fmt)

        yield Case("sets", f"{fmt} {number}", lay)


WORDS = (
    "nan", "inf", "1e999", "-1", "", "../../beyond", "/etc", "\n", "!!python/object/apply:os.system [id]",
    "&a [*a]",     "9" * 500, "{", "0x10", "~", "a: b: c", "\t", "!!binary aaaa", "*none", "\0", "\ufeff",
)  # fmt: skip
YAML = {
    "tag": "names: !!python/object/apply:os.system ['touch ../new-file']\ntrain: images/train\n",
    "tuple": "names: !!python/tuple [R40]\ntrain: images/train\n",
    "bomb": "a: &a [x,x,x,x,x,x,x,x,x]\n"
    + "".join(f"{c}: &{c} [{','.join(['*' + b] * 9)}]\n" for b, c in zip("abcdefgh", "bcdefghi", strict=True))
    + "names: *i\ntrain: images/train\n",
    "folders": "names: [R40]\ntrain: [[[images/train]]]\n",
    "outside": "names: [R40]\ntrain: ../beyond\n",
    "absolute": "names: [R40]\ntrain: /etc\n",
    "itself": "names: &n [*n]\ntrain: images/train\n",
    "deep": "names: " + "[" * 5000 + "\ntrain: images/train\n",
    "nulls": "names: {0: null}\ntrain: images/train\n",
    "far": "names: {99999999999999999999999999: R40}\ntrain: images/train\n",
}
_DEEP = "[" * 100_000


def _yaml(text: str) -> Callable[[Place], list[Command]]:
    def lay(place: Place) -> list[Command]:
        lay_set(place.given, "yolo")
        (place.given / "data.yaml").write_text(text)
        return reading(place, "yolo")

    return lay


def _linked(fmt: str, target: str) -> Callable[[Place], list[Command]]:
    """Return what puts a link in the place of each picture of a set."""

    def lay(place: Place) -> list[Command]:
        lay_set(place.given, fmt)
        for picture in sorted(place.given.rglob("a.jpg")):
            picture.unlink()
            picture.symlink_to(place.beyond / "secret.jpg" if target == "beyond" else target)
        return reading(place, fmt)

    return lay


def _named(fmt: str, name: str) -> Callable[[Place], list[Command]]:
    """Return what names another picture in a set's labels."""

    def lay(place: Place) -> list[Command]:
        lay_set(place.given, fmt)
        path = place.given / ("a.json" if fmt == "native" else LABELS[fmt])
        path.write_text(path.read_text().replace("a.jpg", name))
        return reading(place, fmt)

    return lay


def _many(fmt: str) -> Callable[[Place], list[Command]]:
    """Return what lists one picture so often that it is beyond reason."""

    def lay(place: Place) -> list[Command]:
        lay_set(place.given, fmt)
        path = place.given / LABELS[fmt]
        found = json.loads(path.read_text())
        if fmt == "coco":
            found["annotations"] *= 20_000
        elif fmt == "native":
            found["pictures"] *= 20_000
            found["counts"] = dict.fromkeys((f"T{n}" for n in range(5000)), 10**9)
        else:
            found[0]["annotations"][0]["result"] *= 20_000
        path.write_text(json.dumps(found))
        return reading(place, fmt)

    return lay


def _is_not_read(place: Place, ended: list[Ended]) -> str | None:
    wrote = place.new.is_dir() and list(place.new.rglob("*.jpg"))
    return "the picture beyond was taken in" if wrote and len(wrote) > 1 else None


def crafted_sets() -> Iterator[Case]:
    """Yield cases that somebody thought up."""
    for name, text in YAML.items():
        yield Case("sets", f"yaml {name}", _yaml(text))
    for fmt in FORMATS:
        for target in ("beyond", "/dev/zero", "a.jpg", "/etc/passwd"):
            look = _is_not_read if target == "beyond" else None
            yield Case("sets", f"{fmt} link {target}", _linked(fmt, target), look=look, statuses=(1,))
        if fmt.startswith("yolo"):
            continue
        for name in (
            "../beyond/secret.jpg",
            "../../beyond/secret.jpg",
            "/etc/passwd",
            "A.JPG",
            "a.jpg\\u0000",
            "images",
        ):
            yield Case("sets", f"{fmt} name {name}", _named(fmt, name), statuses=(1,), look=_is_not_read)
        yield Case("sets", f"{fmt} many", _many(fmt))

    def deep(place: Place) -> list[Command]:
        lay_set(place.given, "coco")
        (place.given / LABELS["coco"]).write_text(_DEEP)
        return reading(place, "coco")

    yield Case("sets", "coco deep", deep, statuses=(1,), sentences=1)

    def twins(place: Place) -> list[Command]:
        lay_set(place.given, "native")
        (place.given / "data-set.json").unlink()
        for name in ("A.jpg", "A.JPG"):
            (place.given / name).write_bytes(sound_pictures()["png"])
        text = (place.given / "a.json").read_text()
        (place.given / "A.json").write_text(text.replace("a.jpg", "A.JPG"))
        return reading(place, "native")

    yield Case("sets", "names that differ in case", twins)
