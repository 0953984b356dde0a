"""Reads one photo for the window: picture, reading, verdict, marked copy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ui.viewmodels.table_view import Ring, TableView

if TYPE_CHECKING:
    from vision.recognition.tile_set import TileSet


def prepare_photo_job(tile_set: TileSet | None = None) -> Callable[[Path], TableView]:
    """Load the reader and its model, and return the function that reads one photo with them.

    Args:
        tile_set: The player's own tile set; the shipped reader's own tiles where left out.

    Both must be used on one thread. The imports stand here because OpenCV and the model's runtime take
    their time, and the window is to be seen before.
    """
    from referee.uncertain import judge_reading
    from ui.storage.preferences import reader_folder
    from ui.viewmodels.photo_table import rings, table_view
    from vision.imaging.photo import read_photo
    from vision.recognition.overlay import annotate
    from vision.recognition.reader import TileReader

    folder = reader_folder()
    reader = TileReader.open(tile_set, folder)

    def read(path: Path) -> TableView:
        nonlocal folder, reader
        if (wanted := reader_folder()) != folder:  # another one was chosen since
            reader, folder = TileReader.open(tile_set, wanted), wanted
        image_bgr = read_photo(path).image_bgr
        reading = reader.read(image_bgr)
        judged = judge_reading(reading)
        marks = rings(judged.verdict)
        acting, taken = (
            [code for code, mark in marks.items() if mark is ring] for ring in (Ring.CAUSE, Ring.TAKEN)
        )
        return table_view(
            path.name, reading, judged, annotate(image_bgr, reading, acting=acting, taken=taken)
        )

    return read
