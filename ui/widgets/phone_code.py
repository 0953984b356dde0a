"""What a phone scans: a code with the address, and the address itself."""

from __future__ import annotations

from collections.abc import Sequence

import segno
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QComboBox, QLabel, QVBoxLayout, QWidget

from ui.text.catalogue import say
from ui.text.phones import words as texts
from ui.widgets.controls import make_label
from ui.widgets.style import dress
from ui.widgets.theme import Look
from ui.widgets.words import Words

SIDE_PX = 210
QUIET_MODULES = 4
"""The white edge that a code needs, as its standard says."""


class PhoneCode(QWidget):
    """Shows one of the addresses at which phones reach this computer."""

    chosen = Signal(str)
    """The address that is shown from now on."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self._side_px = SIDE_PX
        self._addresses: tuple[str, ...] = ()
        self._scan = make_label(words, texts.SCAN)
        self._code, self._address = QLabel(), QLabel()
        self._typed = make_label(words, texts.SCAN_ADDRESS, "quiet")
        self._none = make_label(words, texts.NO_NETWORK)
        self._networks = QComboBox()
        words.bind(self._networks.setAccessibleName, texts.OTHER_NETWORK)
        words.bind(self._code.setAccessibleName, texts.SCAN)
        self._address.setWordWrap(True)
        self._address.setTextFormat(Qt.TextFormat.PlainText)
        self._address.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        dress(self._address, "quiet")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 4)
        layout.setSpacing(8)
        for part in (self._scan, self._code, self._networks, self._typed, self._address, self._none):
            layout.addWidget(part)
        self._networks.activated.connect(lambda _at: self._show())
        self.show_addresses(())

    @property
    def address(self) -> str:
        """The address that is shown; empty where there is none."""
        at = max(0, self._networks.currentIndex())
        return self._addresses[at] if self._addresses else ""

    def show_addresses(self, addresses: Sequence[str]) -> None:
        """Show the first of these addresses, and offer the others; none: this computer is in no network."""
        self._addresses = tuple(addresses)
        self._networks.clear()
        self._networks.addItems([address.split("/")[2].partition(":")[0] for address in addresses])
        self._show()

    def set_look(self, look: Look) -> None:
        """Take sizes from the window."""
        self._side_px = look.px(SIDE_PX)
        self._show()

    def _show(self) -> None:
        address = self.address
        for part in (self._scan, self._code, self._typed, self._address):
            part.setVisible(bool(address))
        self._none.setVisible(not address)
        self._networks.setVisible(len(self._addresses) > 1)
        self._address.setText(address)
        self._code.setPixmap(code_pixmap(address, self._side_px) if address else QPixmap())
        self.chosen.emit(address)


def code_pixmap(text: str, side_px: int) -> QPixmap:
    """Return a code for a text: black on white in every theme, each module a whole number of pixels."""
    modules = segno.make(text, error="m", micro=False).matrix
    side = len(modules) + 2 * QUIET_MODULES
    image = QImage(side, side, QImage.Format.Format_Grayscale8)
    image.fill(Qt.GlobalColor.white)
    for y, row in enumerate(modules):
        for x, is_dark in enumerate(row):
            if is_dark:
                image.setPixelColor(x + QUIET_MODULES, y + QUIET_MODULES, Qt.GlobalColor.black)
    factor = max(1, side_px // side)
    return QPixmap.fromImage(image.scaled(side * factor, side * factor))


def other_addresses(address: str) -> str:
    """Return what else there is at an address, for people to copy."""
    rows = ((texts.WATCH_AT, "watch"), (texts.OVERLAY_AT, "overlay"), (texts.FEED_AT, "feed"))
    told = [
        say(sentence, address=(address.replace("http", "ws", 1) if name == "feed" else address) + name)
        for sentence, name in rows
    ]
    return "\n".join(told) if address else ""
