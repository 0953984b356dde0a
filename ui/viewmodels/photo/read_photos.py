"""Reads a photo, or a layout that was saved, for the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ui.storage.layout_files import is_layout_file, read_layout_file
from ui.viewmodels.photo.known_table import KnownTable, KnownTile, as_read
from ui.viewmodels.photo.photo import PhotoTable

if TYPE_CHECKING:
    from vision.recognition.tile_set import TileSet

ReadPhoto = Callable[[Path], PhotoTable]
"""Reads one photo or layout; raises what cannot be read as an error with one sentence."""


def prepare_photo_job(tile_set: TileSet | None = None) -> ReadPhoto:
    """Load the reader and its model, and return the function that reads one photo with them.

    Args:
        tile_set: The player's own tile set; the shipped reader's own tiles where left out.

    Both must be used on one thread. The imports stand here because OpenCV and the model's runtime take
    their time, and the window is to be seen before.
    """
    from ui.storage.preferences import reader_folder
    from vision.imaging.photo import read_photo
    from vision.recognition.reader import TileReader

    folder = reader_folder()
    reader = TileReader.open(tile_set, folder)

    def read(path: Path) -> PhotoTable:
        nonlocal folder, reader
        if is_layout_file(path):
            return _open_layout(path)
        if (wanted := reader_folder()) != folder:  # another one was chosen since
            reader, folder = TileReader.open(tile_set, wanted), wanted
        photo = read_photo(path)
        table = as_read(reader.read_photo(photo.image_bgr, path.name))
        return PhotoTable(path.name, table, photo.image_bgr, photo.scale, path)

    return read


def _open_layout(path: Path) -> PhotoTable:
    """Return a layout that was saved, with its photo where that lies beside it."""
    from vision.imaging.photo import read_photo
    from vision.recognition.reading import scaled_quad

    saved = read_layout_file(path)
    photo = None if saved.photo is None else read_photo(saved.photo)
    scale = 1.0 if photo is None else photo.scale
    quads = saved.quads_px if photo is not None else {}
    shown = {place: scaled_quad(quad, 1 / scale) for place, quad in quads.items()}
    tiles = (KnownTile(tile.code, *place, quad_px=shown.get(place)) for place, tile in saved.layout.tiles)
    image_bgr = None if photo is None else photo.image_bgr
    return PhotoTable(path.name, KnownTable(tuple(tiles)), image_bgr, scale, saved.photo)
