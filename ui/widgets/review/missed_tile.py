"""A tile that was not found: somebody clicks its corners in the photo, and then types its code."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from ui.text import review as texts
from ui.text.catalogue import say
from ui.widgets.review.crop_grid import CropGrid
from ui.widgets.review.photo_pane import PhotoPane


class MissedTile(QObject):
    """Leads through the adding of one tile. The keys that are typed meanwhile go to the grid."""

    hint_changed = Signal(str)
    """What is to be done next."""
    stopped = Signal()

    def __init__(self, grid: CropGrid, pane: PhotoPane, parent: QObject) -> None:
        super().__init__(parent)
        self._grid, self._pane = grid, pane
        self.corners: object = None
        """The four corners in the photo, when they are all clicked."""
        grid.add_wanted.connect(self.begin_or_stop)
        grid.cancel_wanted.connect(self.stop)
        pane.corner_clicked.connect(
            lambda count: self.hint_changed.emit(say(texts.CLICK_CORNERS, count=count))
        )
        pane.corners_clicked.connect(self._on_corners)

    @property
    def is_being_added(self) -> bool:
        """Whether somebody is adding a tile."""
        return self._pane.is_adding or self.corners is not None

    def begin_or_stop(self) -> None:
        """Let somebody click the corners; the second time, go back."""
        if self._grid.is_waiting:
            self.stop()
            return
        self._pane.begin_adding()
        self._grid.is_waiting = self._pane.is_adding
        self._grid.setFocus()

    def stop(self) -> None:
        """Forget what was clicked."""
        self.corners = None
        self._grid.is_waiting = False
        self._pane.stop_adding()
        self.stopped.emit()

    def _on_corners(self, corners: object) -> None:
        self.corners = corners
        self.hint_changed.emit(say(texts.TYPE_CODE))
        self._grid.setFocus()
