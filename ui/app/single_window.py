"""A second start of the app finds the window of the first, hands over what it was asked to open, and ends.

The first one listens on a local socket that only the same user may open. Its name has the data folder in it:
whoever keeps games in two folders may have two windows.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from ui.storage.paths import user_data_folder

WAIT_MS = 3000
"""A first window that does not answer within this time hangs; then there are two."""
MAX_BYTES = 16_384
ANSWER = b"shown\n"


@dataclass(frozen=True, slots=True)
class Start:
    """What a start of the app was asked for."""

    photo: Path | None = None
    demo: bool = False


def socket_name() -> str:
    """Return the name of the socket of this user's window."""
    folder = user_data_folder().expanduser().absolute()
    marked = hashlib.sha256(f"{Path.home()}\0{folder}".encode()).hexdigest()
    return f"pyramid-referee-{marked[:16]}"


def hand_over(start: Start) -> bool:
    """Return whether there was a window already, which has taken over what this start was asked for."""
    socket = QLocalSocket()
    socket.connectToServer(socket_name())
    if not socket.waitForConnected(WAIT_MS):
        return False
    photo = str(start.photo.absolute()) if start.photo is not None else None
    socket.write(json.dumps({"photo": photo, "demo": start.demo}).encode() + b"\n")
    has_answered = socket.waitForBytesWritten(WAIT_MS) and socket.waitForReadyRead(WAIT_MS)
    return bool(has_answered and bytes(socket.readAll().data()) == ANSWER)


class OtherStarts(QObject):
    """Hears of every later start of the app, as long as this window is open."""

    asked = Signal(object)
    """A `Start`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)
        if not self._server.listen(socket_name()):
            QLocalServer.removeServer(socket_name())  # of an app that was killed
            self._server.listen(socket_name())

    def close(self) -> None:
        """Listen no longer."""
        self._server.close()

    def _on_connection(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.readyRead.connect(lambda socket=socket: self._on_words(socket))
            socket.disconnected.connect(socket.deleteLater)
            self._on_words(socket)

    def _on_words(self, socket: QLocalSocket) -> None:
        if not socket.canReadLine():
            if socket.bytesAvailable() > MAX_BYTES:
                socket.abort()
            return
        start = _read(bytes(socket.readLine(MAX_BYTES).data()))
        if start is None:
            socket.abort()
            return
        socket.write(ANSWER)
        socket.flush()
        socket.disconnectFromServer()
        self.asked.emit(start)


def _read(line: bytes) -> Start | None:
    """Return what another start asks for; None where that is not to be understood."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    photo = said.get("photo")
    return Start(Path(photo) if isinstance(photo, str) and photo else None, said.get("demo") is True)
