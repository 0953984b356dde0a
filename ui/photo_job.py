"""Reads one photo for the window: picture, reading, verdict, marked copy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ui.table_view_model import TableView


def prepare_photo_job() -> Callable[[Path], TableView]:
    """Load the reader and its model, and return the function that reads one photo with them.

    Both must be used on one thread. The imports stand here because OpenCV and the model's runtime take
    their time, and the window is to be seen before.
    """
    from vision.overlay import annotate
    from vision.photo import read_photo
    from vision.reader import TileReader

    from ui.judging import judge_reading
    from ui.table_views import table_view

    reader = TileReader.open()

    def read(photo: Path) -> TableView:
        image_bgr = read_photo(photo).image_bgr
        reading = reader.read(image_bgr)
        return table_view(photo.name, reading, judge_reading(reading), annotate(image_bgr, reading))

    return read
