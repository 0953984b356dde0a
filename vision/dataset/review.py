"""A data set under review: every tile in order of doubt, what a person says of it, and undo.

Each change is written at once into the label file of its picture, so that nothing is lost if the app ends.
A confirmed label loses its "proposed" and its "confidence". A label that shows no tile is removed, and its
corners are kept under "no_tiles". No Qt is needed.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from referee.rules.tiles import CODES
from vision.dataset.dataset import (
    FILE_NAME,
    MAX_BYTES,
    Problems,
    codes_of,
    label_files_of,
    read_each,
    read_json,
)
from vision.dataset.label_file import (
    MAX_TILES,
    Label,
    LabelledPicture,
    checked_quad,
    read_labelled_picture,
    write_labels,
    write_text,
)
from vision.dataset.light import MeanColour, is_same_light
from vision.dataset.review_progress import ReviewProgress, ReviewState
from vision.errors import DataSetError, VisionError
from vision.progress import OnProgress, not_shown
from vision.recognition.reading import Quad

MAX_UNDO = 1000
NO_TILES = "no_tiles"
"""The key of a label file under which the corners of removed labels are kept."""
_SAME_PLACE = 0.5
"""Two tiles of one picture lie at least so many sides apart."""


@dataclass(frozen=True, slots=True)
class Crop:
    """One tile of one picture."""

    number: int
    """Stays the same for as long as the data set is open."""
    picture: int
    """Index of its picture."""
    label: Label
    gone: bool
    """Whether somebody said that it shows no tile."""

    @property
    def is_proposed(self) -> bool:
        """Whether it waits for a person."""
        return not self.gone and self.label.is_proposed

    @property
    def is_whole(self) -> bool:
        """Whether the face can be seen well enough to learn from."""
        return self.label.is_whole


@dataclass(frozen=True, slots=True)
class Trouble:
    """Two crops of one picture that cannot both be right."""

    one: int
    other: int
    """Numbers of the crops."""
    code: str
    """What both are called; empty where they lie in one place under two names."""


@dataclass(frozen=True, slots=True)
class _Sheet:
    """One picture with its label file, as it is now."""

    picture: LabelledPicture
    numbers: tuple[int, ...]
    """Of its labels."""
    gone: tuple[tuple[int, Label], ...] = ()
    """Labels that somebody removed since the data set was opened, because they show no tile."""


_Step = dict[int, tuple[_Sheet, _Sheet]]
"""Picture -> what it was before a change, and after it."""


@dataclass(frozen=True, slots=True)
class _Summary:
    """What is counted of one picture."""

    found: Counter[str]
    confirmed: Counter[str]
    learnable: frozenset[str]
    """The codes of which a whole face is confirmed."""
    troubles: tuple[Trouble, ...]


class Review:
    """An opened data set. Changes raise DataSetError where they cannot be written, and are not made then."""

    def __init__(self, folder: Path, pictures: Iterable[LabelledPicture], problems: Problems) -> None:
        """Use pictures that were read; see `open_review`."""
        self.folder = folder
        self.problems: tuple[VisionError, ...] = tuple(problems)
        self._picture_of: list[int] = []
        self._sheets = [self._numbered(index, picture) for index, picture in enumerate(pictures)]
        self.codes = codes_of(sheet.picture for sheet in self._sheets)
        self._is_of_the_game = set(self.codes) <= set(CODES)
        self._order = sorted(range(len(self._picture_of)), key=self._doubt)
        self._done: deque[_Step] = deque(maxlen=MAX_UNDO)
        self._undone: deque[_Step] = deque(maxlen=MAX_UNDO)
        self._summaries: dict[int, _Summary] = {}
        self._changed = False

    @property
    def size(self) -> int:
        """How many crops there are."""
        return len(self._picture_of)

    def image(self, picture: int) -> Path:
        """Return the file of a picture."""
        return self._sheets[picture].picture.path

    def images(self) -> list[Path]:
        """Return the files of all pictures."""
        return [sheet.picture.path for sheet in self._sheets]

    def crop(self, number: int) -> Crop:
        """Return a crop as it is now."""
        picture = self._picture_of[number]
        sheet = self._sheets[picture]
        if number in sheet.numbers:
            return Crop(number, picture, sheet.picture.labels[sheet.numbers.index(number)], False)
        return Crop(number, picture, dict(sheet.gone)[number], True)

    def exists(self, number: int) -> bool:
        """Return whether a crop is there; one that was added and undone is not."""
        sheet = self._sheets[self._picture_of[number]]
        return number in sheet.numbers or any(number == gone for gone, _ in sheet.gone)

    def crops_of(self, picture: int) -> list[Crop]:
        """Return the tiles of a picture, without the removed ones."""
        sheet = self._sheets[picture]
        return [
            Crop(number, picture, label, False)
            for number, label in zip(sheet.numbers, sheet.picture.labels, strict=True)
        ]

    def shown(self, only: str | None = None) -> list[int]:
        """Return the numbers of all crops, or of one tile's; in order of doubt as it was at the beginning."""
        return [
            number
            for number in self._order
            if self.exists(number) and (only is None or self.crop(number).label.code == only)
        ]

    def next_proposed(self, shown: Sequence[int], row: int) -> int:
        """Return the row of the first crop after `row` that waits for a person; the next row if none does."""
        for later in range(row + 1, len(shown)):
            if self.crop(shown[later]).is_proposed:
                return later
        return min(row + 1, len(shown) - 1)

    def known_code(self, text: str) -> str | None:
        """Return the code that somebody typed, in whatever case; None where no tile is called so."""
        return next((code for code in self.codes if code.casefold() == text.strip().casefold()), None)

    def is_beginning(self, text: str) -> bool:
        """Return whether a tile's code begins so."""
        return any(code.casefold().startswith(text.casefold()) for code in self.codes)

    def progress(self) -> ReviewProgress:
        """Return how far the review is."""
        lights: dict[str, list[MeanColour]] = {code: [] for code in self.codes}
        found: Counter[str] = Counter()
        confirmed: Counter[str] = Counter()
        for index, sheet in enumerate(self._sheets):
            summary = self._summary(index)
            found.update(summary.found)
            confirmed.update(summary.confirmed)
            light = sheet.picture.mean_colour or (0.0, 0.0, 0.0)
            for code in summary.learnable & lights.keys():
                known = lights[code]
                if not known or (len(known) == 1 and not is_same_light(known[0], light)):
                    known.append(light)

        def standing(code: str) -> ReviewState:
            if lights[code]:
                return ReviewState.CONFIRMED if len(lights[code]) == 1 else ReviewState.COMPLETE
            return ReviewState.PROPOSED if found[code] else ReviewState.UNSEEN

        return ReviewProgress(
            found.total() - confirmed.total(),
            confirmed.total(),
            {code: standing(code) for code in self.codes},
            {code: (confirmed[code], found[code]) for code in self.codes},
        )

    def troubles(self) -> list[Trouble]:
        """Return what contradicts itself: the same tile twice in a picture, or two tiles in one place."""
        return [trouble for index in range(len(self._sheets)) for trouble in self._summary(index).troubles]

    def copies(self) -> int:
        """Return how many there are of each tile: 1 in the game, else the most that a picture shows."""
        if self._is_of_the_game:
            return 1
        counts = (Counter(label.code for label in sheet.picture.labels) for sheet in self._sheets)
        return max((max(count.values(), default=1) for count in counts), default=1)

    def confirm(self, numbers: Iterable[int], above: float = 0.0) -> int:
        """Confirm what these crops are called, as far as it is at least so certain; return how many."""
        wanted = [
            crop
            for crop in map(self.crop, numbers)
            if crop.gone or (crop.is_proposed and (crop.label.confidence or 0.0) >= above)
        ]
        self._change({crop.number: _confirmed(crop.label) for crop in wanted})
        return len(wanted)

    def set_code(self, number: int, code: str) -> None:
        """Say what a crop is; that confirms it."""
        if code not in self.codes:
            raise DataSetError("There is no tile {code!r} in this data set.", code=code)
        self._change({number: replace(_confirmed(self.crop(number).label), code=code)})

    def set_quad(self, number: int, quad: Sequence[Sequence[float]]) -> None:
        """Move a crop's corners: in pixels of the file, top left first, clockwise as the number is read."""
        self._change({number: replace(self.crop(number).label, quad_px=_checked(quad))})

    def no_tile(self, numbers: Iterable[int]) -> None:
        """Say of crops that they are no tiles."""
        self._change({number: None for number in numbers})

    def add(self, picture: int, quad: Sequence[Sequence[float]], code: str) -> int:
        """Add a tile that nobody had found, and return its number."""
        if code not in self.codes:
            raise DataSetError("There is no tile {code!r} in this data set.", code=code)
        sheet, number = self._sheets[picture], len(self._picture_of)
        if len(sheet.numbers) >= MAX_TILES:
            raise DataSetError("A picture has at most {most} tiles.", most=MAX_TILES)
        label = Label(code, _checked(quad), {"row": 0, "slot": 0})
        labels = (*sheet.picture.labels, label)
        after = replace(
            sheet, picture=replace(sheet.picture, labels=labels), numbers=(*sheet.numbers, number)
        )
        self._picture_of.append(picture)
        self._order.append(number)
        self._put({picture: after})
        return number

    def undo(self) -> int | None:
        """Take the last change back; return a crop that it is about, or None where there is nothing left."""
        return self._step(self._done, self._undone, back=True)

    def redo(self) -> int | None:
        """Make the change again that was taken back last; return as `undo`."""
        return self._step(self._undone, self._done, back=False)

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back."""
        return bool(self._undone)

    def finish(self) -> None:
        """Bring the counts of the manifest up to date, if there is one and something was changed."""
        path = self.folder / FILE_NAME
        if not self._changed or not path.is_file():
            return
        content = read_json(path, MAX_BYTES)
        with contextlib.suppress(KeyError, TypeError, AttributeError):  # of a damaged one, nothing is true
            listed = {entry["image"] for entry in content["pictures"]}
            pictures = [sheet.picture for sheet in self._sheets if sheet.picture.name in listed]
            counts = Counter(label.code for picture in pictures for label in picture.labels)
            content["counts"] = {code: counts[code] for code in content["codes"]}
            write_text(path, json.dumps(content, indent=1))
        self._changed = False

    def _summary(self, picture: int) -> _Summary:
        """Return what a picture has, counted once until it is changed."""
        summary = self._summaries.get(picture)
        if summary is None:
            crops = self.crops_of(picture)
            sure = [crop for crop in crops if not crop.is_proposed]
            summary = self._summaries[picture] = _Summary(
                Counter(crop.label.code for crop in crops),
                Counter(crop.label.code for crop in sure),
                frozenset(crop.label.code for crop in sure if crop.is_whole),
                (*(_named_twice(crops) if self._is_of_the_game else ()), *_in_one_place(crops)),
            )
        return summary

    def _numbered(self, index: int, picture: LabelledPicture) -> _Sheet:
        first = len(self._picture_of)
        self._picture_of += [index] * len(picture.labels)
        return _Sheet(picture, tuple(range(first, len(self._picture_of))))

    def _doubt(self, number: int) -> tuple[bool, float]:
        crop = self.crop(number)
        return not crop.is_proposed, crop.label.confidence or 0.0

    def _change(self, changes: dict[int, Label | None]) -> None:
        """Give crops other labels; None removes them, because they show no tiles."""
        by_picture: dict[int, dict[int, Label | None]] = {}
        for number, label in changes.items():
            by_picture.setdefault(self._picture_of[number], {})[number] = label
        self._put({picture: _changed(self._sheets[picture], part) for picture, part in by_picture.items()})

    def _put(self, after: dict[int, _Sheet]) -> None:
        """Write changed pictures, and remember what they were."""
        step: _Step = {}
        try:
            for picture, sheet in after.items():
                before = self._sheets[picture]
                if sheet != before:
                    self._write(picture, _laid_out(sheet))
                    step[picture] = (before, self._sheets[picture])
        finally:
            if step:
                self._done.append(step)
                self._undone.clear()

    def _write(self, picture: int, sheet: _Sheet) -> None:
        write_labels(sheet.picture, self.folder)
        self._sheets[picture] = sheet
        self._summaries.pop(picture, None)
        self._changed = True

    def _step(self, source: deque[_Step], target: deque[_Step], *, back: bool) -> int | None:
        if not source:
            return None
        step = source[-1]
        for picture, (before, after) in step.items():
            self._write(picture, before if back else after)
        target.append(source.pop())
        before, after = next(iter(step.values()))
        old = dict(zip(before.numbers, before.picture.labels, strict=True))
        new = dict(zip(after.numbers, after.picture.labels, strict=True))
        differing = [number for number in {**old, **new} if old.get(number) != new.get(number)]
        return next((number for number in differing if self.exists(number)), None)


def open_review(folder: Path, on_progress: OnProgress = not_shown) -> Review:
    """Return the data set in a folder, ready for review; its `problems` say what is wrong with pictures.

    Args:
        folder: Where pictures and label files lie, side by side.
        on_progress: Is called after each label file.

    Raises:
        DataSetError: The folder cannot be read, or has no picture with labels.
    """
    read = partial(read_labelled_picture, look=False)
    pictures, problems = read_each(label_files_of(folder), read, on_progress)
    if not pictures:
        raise next(
            iter(problems),
            DataSetError(
                "{folder!r} holds no picture with labels. Capture some photos first.", folder=str(folder)
            ),
        )
    return Review(folder, pictures, problems)


def _confirmed(label: Label) -> Label:
    extra = {key: value for key, value in label.extra.items() if key not in ("proposed", "confidence")}
    return replace(label, extra=extra)


def _checked(quad: Sequence[Sequence[float]]) -> Quad:
    try:
        return checked_quad(quad)
    except ValueError as error:
        raise DataSetError(
            "The corners must go round the tile clockwise, from the top left as its number is read."
        ) from error


def _changed(sheet: _Sheet, changes: dict[int, Label | None]) -> _Sheet:
    """Return a sheet whose crops have other labels; None removes a crop, because it shows no tile."""
    labels = dict(zip(sheet.numbers, sheet.picture.labels, strict=True))
    gone = dict(sheet.gone)
    corners = list(sheet.picture.extra.get(NO_TILES) or [])
    for number, label in changes.items():
        if label is None:
            if number in labels:
                gone[number] = labels.pop(number)
                corners.append([list(corner) for corner in gone[number].quad_px])
        else:
            if number in gone:
                old = [list(corner) for corner in gone.pop(number).quad_px]
                corners = [quad for quad in corners if quad != old]
            labels[number] = label
    extra = {key: value for key, value in sheet.picture.extra.items() if key != NO_TILES}
    if corners:
        extra[NO_TILES] = corners
    numbers = tuple(sorted(labels))
    picture = replace(sheet.picture, labels=tuple(labels[number] for number in numbers), extra=extra)
    return _Sheet(picture, numbers, tuple(gone.items()))


def _laid_out(sheet: _Sheet) -> _Sheet:
    """Return a sheet whose layout is that of its tiles, if it shows a pyramid without contradictions."""
    codes = [label.code for label in sheet.picture.labels]
    if sheet.picture.extra.get("layout", "-") == "-" or len(set(codes)) < len(codes):
        return sheet
    from vision.dataset.infer_layout import with_layout

    return replace(sheet, picture=with_layout(sheet.picture))


def _named_twice(crops: Sequence[Crop]) -> list[Trouble]:
    """Return the first two crops of each code that occurs more than once in a picture."""
    by_code: dict[str, list[int]] = {}
    for crop in crops:
        by_code.setdefault(crop.label.code, []).append(crop.number)
    return [Trouble(numbers[0], numbers[1], code) for code, numbers in by_code.items() if len(numbers) > 1]


def _in_one_place(crops: Sequence[Crop]) -> list[Trouble]:
    """Return the pairs of a picture that go by two names and lie in one place."""
    places = []
    for crop in crops:
        xs, ys = zip(*crop.label.quad_px, strict=True)
        side = min(max(xs) - min(xs), max(ys) - min(ys))
        places.append((sum(xs) / 4, sum(ys) / 4, side * _SAME_PLACE, crop))
    places.sort(key=lambda place: place[:2])
    found = []
    for index, (x, y, near, one) in enumerate(places):
        for u, v, _, other in places[index + 1 :]:
            if u - x >= near:
                break
            if abs(v - y) < near and other.label.code != one.label.code:
                found.append(Trouble(one.number, other.number, ""))
    return found
