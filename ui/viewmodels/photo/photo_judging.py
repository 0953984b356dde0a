"""Reads one photo for the window: picture, reading, verdict, marked copy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from ui.viewmodels.table_view import Ring, TableView

if TYPE_CHECKING:
    from vision.imaging.arrays import ImageU8
    from vision.recognition.reading import Reading, TileReading
    from vision.recognition.tile_set import TileSet


Named = Mapping[tuple[int, int], str]
"""(row, slot) -> the tile that people say lies there."""


class ReadPhoto(Protocol):
    """Reads and judges one photo; raises what cannot be read as an error with one sentence."""

    def __call__(self, path: Path, named: Named = ..., /) -> TableView:
        """Return what the window shows of a photo, certain tiles being named."""


def as_named(reading: Reading, named: Named) -> Reading:
    """Return a reading in which the tiles that people named are certain."""
    from referee.rules.layout import Layout

    tiles = tuple(
        replace(tile, code=code, unsure=False, alternatives=(), covered=False, cut=False)
        if (code := named.get((tile.row, tile.slot)))
        else tile
        for tile in reading.tiles
    )
    codes = [tile.code for tile in tiles]
    if len(set(codes)) < len(codes):  # the likeliest code of a doubtful tile was named elsewhere
        tiles = tuple(_otherwise(tile, set(named.values())) if tile.unsure else tile for tile in tiles)
    return replace(
        reading, tiles=tiles, layout=Layout.from_tiles({(tile.row, tile.slot): tile.code for tile in tiles})
    )


def _otherwise(tile: TileReading, taken: set[str]) -> TileReading:
    """Return a doubtful tile that is none of those that lie elsewhere."""
    left = [(code, chance) for code, chance in tile.alternatives if code not in taken]
    if tile.code not in taken or not left:
        return tile
    return replace(tile, code=left[0][0], confidence=left[0][1], alternatives=tuple(left[1:]))


def prepare_photo_job(tile_set: TileSet | None = None) -> ReadPhoto:
    """Load the reader and its model, and return the function that reads one photo with them.

    Args:
        tile_set: The player's own tile set; the shipped reader's own tiles where left out.

    Both must be used on one thread. The imports stand here because OpenCV and the model's runtime take
    their time, and the window is to be seen before.
    """
    from referee.uncertain import judge_reading
    from ui.storage.preferences import reader_folder
    from ui.viewmodels.verdict_marks import rings, table_view
    from vision.imaging.photo import read_photo
    from vision.recognition.overlay import annotate
    from vision.recognition.reader import TileReader

    folder = reader_folder()
    reader = TileReader.open(tile_set, folder)

    last: tuple[Path, ImageU8, Reading] | None = None

    def read(path: Path, named: Named = MappingProxyType({})) -> TableView:
        nonlocal folder, reader, last
        if (wanted := reader_folder()) != folder:  # another one was chosen since
            reader, folder, last = TileReader.open(tile_set, wanted), wanted, None
        if not named or last is None or last[0] != path:
            image_bgr = read_photo(path).image_bgr
            last = path, image_bgr, reader.read(image_bgr)
        _path, image_bgr, found = last
        reading = as_named(found, named) if named else found
        judged = judge_reading(reading)
        marks = rings(judged.verdict)
        acting, taken = (
            [code for code, mark in marks.items() if mark is ring] for ring in (Ring.CAUSE, Ring.TAKEN)
        )
        return table_view(
            path.name, reading, judged, annotate(image_bgr, reading, acting=acting, taken=taken)
        )

    return read
