"""The server: a thread of its own with an asyncio loop, bound to the addresses that people see."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import threading
from collections.abc import Sequence
from pathlib import Path

from aiohttp import web

from ui.errors import ToldError
from ui.phones.certificate import certificate_file, tls_context
from ui.phones.crowd import Crowd
from ui.phones.entrance import FIRST_REQUEST_S, Entrance, turn_over
from ui.phones.guard import Guard, new_secret
from ui.phones.hub import PhoneHub
from ui.phones.routes import Routes
from ui.text.errors import NOT_SERVED

HTTP_PORT, HTTPS_PORT = 8775, 8776
"""The same each time, so that a phone remembers that it trusts us; any others where these are taken."""
STOP_S = 5.0

_LOG = logging.getLogger(__name__)
_HTTP_LOG = logging.getLogger(f"{__name__}.http")
_HTTP_LOG.setLevel(logging.CRITICAL + 1)  # what strangers send is not written down


class PhoneServer:
    """Serves one game from `start` to `stop`."""

    def __init__(self, hub: PhoneHub, hosts: Sequence[str], folder: Path) -> None:
        """Prepare to serve.

        Args:
            hub: The game.
            hosts: The addresses of this computer at which phones reach it; no others are bound.
            folder: Where the certificate is kept.
        """
        self._hub, self._hosts, self._folder = hub, tuple(hosts), folder
        self.secret = new_secret()
        self._guard = Guard(self.secret)
        self._crowd = Crowd()
        self._routes = Routes(hub, self._guard, self._crowd)
        self._ports: dict[str, tuple[int, int]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._started = threading.Event()
        self._problem: Exception | None = None
        self._stop: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name="phones", daemon=True)

    def start(self) -> None:
        """Begin to serve; returns once phones can connect.

        Raises:
            ToldError: The addresses cannot be bound.
        """
        self._thread.start()
        self._started.wait()
        if self._problem is not None:
            self._thread.join()
            problem = self._problem
            reason = problem.strerror if isinstance(problem, OSError) else None
            raise ToldError(NOT_SERVED, reason=reason or type(problem).__name__) from problem

    def stop(self) -> bool:
        """Tell the phones that the game was left, and end; return whether that was within the limit."""
        loop, stop = self._loop, self._stop
        if loop is not None and stop is not None and self._thread.is_alive():
            loop.call_soon_threadsafe(stop.set)
        self._thread.join(STOP_S)
        return not self._thread.is_alive()

    @property
    def hosts(self) -> tuple[str, ...]:
        """The addresses at which phones reach this computer."""
        return self._hosts

    def connections(self) -> list[socket.socket]:
        """Return the connections that are open just now."""
        return self._crowd.connections()

    def address(self, host: str, *, encrypted: bool = False) -> str:
        """Return the address of the first page, with the secret."""
        http, https = self._ports[host]
        scheme, port = ("https", https) if encrypted else ("http", http)
        return f"{scheme}://{host}:{port}/{self.secret}/"

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception as error:  # the one catch-all of this thread
            _LOG.exception("The server for phones")
            self._problem = error
        finally:
            self._hub.serve(None)
            self._started.set()

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        sockets: list[socket.socket] = []
        entrance: Entrance | None = None
        runner = web.AppRunner(
            self._routes.application(), access_log=None, logger=_HTTP_LOG, handle_signals=False,
            keepalive_timeout=FIRST_REQUEST_S, shutdown_timeout=1.0, handler_cancellation=True,
        )  # fmt: skip
        try:
            tls = tls_context(certificate_file(self._folder, self._hosts))
            await runner.setup()
            assert runner.server is not None  # it is set up
            entrance = Entrance(runner.server, self._crowd)
            self._routes.silent = entrance.silent
            for host in self._hosts:
                pair = _bound(host, HTTP_PORT), _bound(host, HTTPS_PORT)
                sockets += pair
                http, https = self._ports[host] = (pair[0].getsockname()[1], pair[1].getsockname()[1])
                self._guard.origins |= {f"http://{host}:{http}", f"https://{host}:{https}"}
                self._routes.https_ports[f"{host}:{http}"] = https
                self._routes.http_ports[f"{host}:{https}"] = http
                entrance.open(pair[0], None)
                entrance.open(pair[1], tls)
            self._hub.serve(self._loop)
            self._started.set()
            await self._stop.wait()
        finally:
            if entrance is not None:
                await entrance.close()
                await self._routes.say_goodbye()
                entrance.cut_silent()
            await runner.cleanup()
            await turn_over()  # connections are closed
            for each in sockets:
                each.close()


def _bound(host: str, port: int) -> socket.socket:
    """Return a socket that is bound to an address; to any port where the usual one is taken.

    Raises:
        OSError: This computer does not have that address.
    """
    for wanted in (port, 0):
        found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            if os.name == "posix":  # elsewhere this lets two programs have one port
                found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind((host, wanted))
        except OSError:
            found.close()
            if wanted == 0:
                raise
        else:
            found.setblocking(False)
            return found
    raise AssertionError
