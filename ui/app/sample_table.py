"""The shipped sample game while it is played: it is kept no longer than it is looked at."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ui.services.sample_source import SampleGame
from ui.storage.game_store import GameStore

if TYPE_CHECKING:
    from ui.widgets.table.tour_bar import TourBar
    from vision.sources.frame import Source


class SampleTable:
    """Holds the store of the sample game, in a folder of its own, and the game's pictures."""

    def __init__(self, tour: TourBar) -> None:
        """Play nothing yet; the pictures will come as the tour wants them."""
        tour.paused.connect(self._pause)
        tour.hurried.connect(self._hurry)
        tour.skipped.connect(self._skip)
        self.store: GameStore | None = None
        """Where it is stored while it is played."""
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._source: Source | None = None

    def begin(self, open_source: Callable[[], Source]) -> tuple[GameStore, Source]:
        """Return where the sample game is stored, and its pictures.

        Raises:
            StorageError: The store cannot be made.
            VisionError: The pictures cannot be opened.
        """
        self._folder = tempfile.TemporaryDirectory(prefix="pyramid-referee-")
        self.store = GameStore.open(Path(self._folder.name) / "sample.sqlite3")
        self._source = open_source()
        return self.store, self._source

    def end(self) -> None:
        """Forget the game."""
        if self.store is not None:
            self.store.close()
            self.store = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
        self._source = None

    def _pause(self, wanted: bool) -> None:
        """Stay at a picture, or go on."""
        if isinstance(self._source, SampleGame):
            self._source.is_paused = wanted

    def _hurry(self, wanted: bool) -> None:
        """Show the pictures faster, or as usual."""
        if isinstance(self._source, SampleGame):
            self._source.is_hurried = wanted

    def _skip(self) -> None:
        """Go on with the next picture."""
        if isinstance(self._source, SampleGame):
            self._source.skip()
