"""The menu from which a game that runs, or has lost its camera, takes another one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from ui.text import table as texts
from ui.text.catalogue import say
from ui.viewmodels.requests import SourceKind, SourceRequest, as_address
from vision.sources.stream_address import redacted


class CameraMenu(QObject):
    """Offers cameras, an address, and to go on without one."""

    chosen = Signal(object)
    """A SourceRequest; None: by clicking."""

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self._page = page

    def offer(self, cameras: Iterable[SourceRequest], at: QPoint) -> None:
        """Show the menu with these cameras at a point of the screen."""
        menu = QMenu(self._page)
        menu.aboutToHide.connect(menu.deleteLater)
        for camera in cameras:
            menu.addAction(camera.name, partial(self.chosen.emit, camera))
        menu.addAction(say(texts.OTHER_ADDRESS), self._ask_address)
        menu.addSeparator()
        menu.addAction(say(texts.GO_ON_CLICKING), partial(self.chosen.emit, None))
        menu.popup(at)

    def _ask_address(self) -> None:
        text, is_told = QInputDialog.getText(self._page, say(texts.OTHER_CAMERA), say(texts.ADDRESS_QUESTION))
        if is_told and (address := as_address(text)):
            self.chosen.emit(SourceRequest(SourceKind.ADDRESS, address, redacted(address)))
