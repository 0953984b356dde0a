"""Files that say which tile lies where: a request of `judge`, a label file of a photo, or a line of text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from referee.errors import Fault, NotationError, RefereeError
from referee.formats.codec import text_of
from referee.formats.judge_json import MAX_LINE_BYTES, read_request
from referee.rules.layout import Layout
from referee.rules.tiles import CODES
from ui.errors import ToldError
from ui.text.errors import NO_LAYOUT_FILE, NOT_READABLE
from vision.dataset.ground_truth import read_ground_truth
from vision.dataset.label_file import Label, LabelledPicture, label_content
from vision.files import read_input, replacing
from vision.recognition.reading import Quad

LAYOUT_SUFFIXES = (".json", ".txt")
"""How the names of layouts end: with all that is known, or the notation alone."""
MOST_WIDE = 90
"""Slots of a base that are shown: each of the 45 tiles with a gap beside it."""


@dataclass(frozen=True, slots=True)
class SavedLayout:
    """Which tile lies where, and what shows it."""

    layout: Layout
    photo: Path | None = None
    """The photo beside the file; None where there is none."""
    quads_px: Mapping[tuple[int, int], Quad] = field(default_factory=dict)
    """(row, slot) -> corners of the tile's face, in pixels of the photo's file."""


def is_layout_file(path: Path) -> bool:
    """Return whether a file's name says that it holds a layout.

    >>> is_layout_file(Path("table.JSON"))
    True
    >>> is_layout_file(Path("table.jpg"))
    False
    """
    return path.suffix.lower() in LAYOUT_SUFFIXES


def read_layout_file(path: Path) -> SavedLayout:
    """Return what a file says about a table.

    Raises:
        ToldError: It is missing, too large, or holds no layout.
        LabelError: It names a photo and describes its tiles wrongly.
    """
    try:
        data = read_input(path, MAX_LINE_BYTES)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ToldError(NOT_READABLE, name=path.name, reason=reason) from error
    try:
        if path.suffix.lower() == ".txt":
            return SavedLayout(_parsed(data.decode(errors="replace").strip()))
        content = read_request(data)
        layout = _parsed(text_of(content, "layout"))
    except RefereeError as error:
        raise ToldError(NO_LAYOUT_FILE, name=path.name, problem=error) from error
    if "image" not in content:
        return SavedLayout(layout)
    labels = read_ground_truth(path, CODES)
    quads = {(label.row, label.slot): label.quad_px for label in labels.labels}
    return SavedLayout(layout, labels.path if labels.path.is_file() else None, quads)


def _parsed(text: str) -> Layout:
    """Return a layout that a table can have.

    Raises:
        RefereeError: It is none.
    """
    layout = Layout.parse(text)
    if layout.width > MOST_WIDE:
        raise NotationError(Fault.BASE_TOO_WIDE, width=layout.width)
    return layout


def write_layout_file(path: Path, saved: SavedLayout) -> None:
    """Write which tile lies where; beside the photo also where in it, if each of the tiles is seen there.

    Raises:
        OSError: It cannot be written.
    """
    layout, photo = saved.layout, saved.photo
    content: dict[str, object] = {"layout": str(layout)}
    is_seen = all(place in saved.quads_px for place, _tile in layout.tiles)
    if photo is not None and photo.parent == path.parent and is_seen:
        labels = tuple(
            Label(tile.code, saved.quads_px[row, slot], {"row": row, "slot": slot})
            for (row, slot), tile in layout.tiles
        )
        content = label_content(LabelledPicture(photo, photo.name, (0, 0), "", labels, content))
    text = str(layout) if path.suffix.lower() == ".txt" else json.dumps(content, ensure_ascii=False)
    with replacing(path) as beside:
        beside.write_text(f"{text}\n", encoding="utf-8")
