"""Which layout labelled tiles make, for label files that do not say so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee.rules.layout import EMPTY, Layout
from referee.rules.tiles import CODES
from vision.dataset.label_file import Label, LabelledPicture
from vision.pyramid.lattice import lay_out


def with_layout(picture: LabelledPicture) -> LabelledPicture:
    """Return a picture whose labels have row and slot, and which has a layout.

    What is there already stays if it fits the labels. Else the quads say which pyramid they make, and where
    they make none, or belong to another game, the layout is empty and every row and slot is 0.
    """
    if _fits(picture):
        return picture
    places = _places(picture.labels)
    layout = Layout.from_tiles(
        {place: label.code for place, label in zip(places, picture.labels, strict=True)} if places else {}
    )
    labels = tuple(
        replace(label, extra={"row": row, "slot": slot, **_without(label, "row", "slot")})
        for label, (row, slot) in zip(picture.labels, places or [(0, 0)] * len(picture.labels), strict=True)
    )
    return replace(picture, labels=labels, extra={**picture.extra, "layout": str(layout)})


def _without(label: Label, *keys: str) -> dict[str, object]:
    return {key: value for key, value in label.extra.items() if key not in keys}


def _fits(picture: LabelledPicture) -> bool:
    """Return whether the layout and the places that came with a picture are those of its labels."""
    try:
        layout = Layout.parse(picture.extra["layout"])
        shown = {
            (label.extra["row"], label.extra["slot"]): label.code
            for label in picture.labels
            if label.code in CODES
        }
        return layout == EMPTY or layout == Layout.from_tiles(shown)
    except (KeyError, TypeError, ValueError, AttributeError):
        return False


def _places(labels: tuple[Label, ...]) -> list[tuple[int, int]]:
    """Return row and slot of each label; nothing where the labels are not one pyramid of the game."""
    codes = {label.code for label in labels}
    if len(codes) < len(labels) or not codes <= set(CODES):
        return []
    quads = [np.array(label.quad_px, np.float32) for label in labels]
    # Plain boxes do not say how their tiles lie.
    if all((quad[[1, 3]] == np.stack([quad[[2, 0], 0], quad[[0, 2], 1]], axis=1)).all() for quad in quads):
        return []
    places = lay_out(quads)
    if len(places) < len(labels):
        return []
    return [(places[index].row, places[index].slot) for index in range(len(labels))]
