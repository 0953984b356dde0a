"""Cameras that misbehave, and `watch` before them."""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from functools import cache

from tests.attack.gate.case import Case, Command, Ended, Place, damaged, numbers_of
from tests.attack.gate.parsers import seeds

Script = Callable[[socket.socket, int], None]
"""What a camera does with a connection; the number counts them from 1."""
PATIENCE_S = 12.0
"""So long `watch` is left alone at the most."""
OK = b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"

NO = b"HTTP/1.1 401 No\r\nWWW-Authenticate: %s realm=x\r\nContent-Length: 0\r\n\r\n"


class Camera:
    """Listens on this machine until it had so many connections; then it stops who watches, as Ctrl-C does."""

    def __init__(self, script: Script, connections: int) -> None:
        self._script, self._connections = script, connections
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(PATIENCE_S)
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.main_thread().ident or 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with self._listener, contextlib.suppress(OSError):
            for number in range(1, self._connections + 1):
                connection, _ = self._listener.accept()
                with connection, contextlib.suppress(OSError):
                    connection.settimeout(PATIENCE_S)
                    connection.recv(65536)
                    self._script(connection, number)
        signal.pthread_kill(self._thread, signal.SIGINT)


def _sends(data: bytes, *, holds_s: float = 0.0) -> Script:
    def script(connection: socket.socket, _number: int) -> None:
        connection.sendall(data)
        if holds_s:
            threading.Event().wait(holds_s)

    return script


def _endless(part: bytes, count: int, begin: bytes = b"") -> Script:
    def script(connection: socket.socket, _number: int) -> None:
        connection.sendall(begin)
        for _ in range(count):
            connection.sendall(part)

    return script


@cache
def _sound() -> bytes:
    return seeds("mjpeg")[0]


def watching(script: Script, connections: int) -> Callable[[Place], list[Command]]:
    """Return what starts a camera, and lets `watch` follow it."""

    def lay(_place: Place) -> list[Command]:
        return [
            ["watch", f"http://ann:S3cretS3cret@127.0.0.1:{Camera(script, connections).port}/video", "--json"]
        ]

    return lay


def _hides_the_password(_place: Place, ended: list[Ended]) -> str | None:
    return "said the password" if "S3cretS3cret" in str(ended) else None


SCRIPTS: dict[str, tuple[Script, int]] = {
    "silence": (_sends(b"", holds_s=2), 1),
    "stalls in a picture": (_sends(_sound()[:-400], holds_s=2), 1),
    "stalls in a header": (_sends(OK[:40], holds_s=2), 1),
    "401": (_sends(NO % b"Basic"), 2),
    "401 digest": (_sends(NO % b"Digest"), 2),
    "redirect": (_sends(b"HTTP/1.1 302 Go\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n"), 2),
    "endless header": (_endless(b"X: " + b"y" * 997 + b"\r\n", 20_000), 1),
    "endless header line": (_endless(b"y" * 65536, 1000), 1),
    "endless part header": (_endless(b"X: y\r\n", 200_000, OK + b"--frame\r\n"), 1),
    "endless picture": (_endless(b"x" * 65536, 1000, OK + b"--frame\r\n\r\n"), 1),
    "length beyond reason": (_sends(OK + b"--frame\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\nxx"), 2),
    "length below nothing": (_sends(OK + b"--frame\r\nContent-Length: -5\r\n\r\nxx"), 2),
    "no boundary": (_sends(OK.replace(b"; boundary=frame", b"") + _sound()), 2),
    "chunks that lie": (_sends(OK[:-2] + b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\nxx\r\n"), 2),
    "not HTTP": (_sends(b"SSH-2.0-OpenSSH_9.6\r\n"), 2),
    "a page": (_sends(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>"), 2),
    "50 disconnects": (_sends(b""), 50),
}  # fmt: skip


def crafted_streams() -> Iterator[Case]:
    """Yield a case for each script."""
    for name, (script, connections) in SCRIPTS.items():
        yield Case("streams", name, watching(script, connections), statuses=(130,), look=_hides_the_password)


def odd_streams(seed: int, count: int) -> Iterator[Case]:
    """Yield cases of cameras that send damaged answers."""
    for number in range(count):
        script = _sends(damaged(_sound(), numbers_of(seed, "streams", number)))
        yield Case("streams", str(number), watching(script, 1), statuses=(130,), look=_hides_the_password)
