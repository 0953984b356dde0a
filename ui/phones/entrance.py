"""Where connections come in: the first are taken, those that are too many closed, the silent ones cut."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Coroutine

from aiohttp import web

from ui.phones.crowd import Crowd

FIRST_REQUEST_S = 10.0
"""A connection on which no whole request has come after this time is cut."""
GOODBYE_S = 3.0
"""An encrypted connection that does not answer the goodbye for so long is cut."""
WAITING = 64
"""Connections that the system holds back for us."""
PAUSE_S = 0.1
"""When no connection can be taken, as of too many open files."""


class Entrance:
    """Takes the connections of all our sockets; lives on the server's thread."""

    def __init__(self, server: web.Server, crowd: Crowd) -> None:
        """Prepare to take connections for a server.

        Args:
            server: Makes the handler of each.
            crowd: Says who may come in.
        """
        self._server, self._crowd = server, crowd
        self._loop = asyncio.get_running_loop()
        self._bound: list[socket.socket] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False
        self.silent: set[web.RequestHandler] = set()
        """Those of connections on which no whole request has come."""

    def open(self, bound: socket.socket, tls: ssl.SSLContext | None) -> None:
        """Begin to take the connections of a bound socket."""
        bound.listen(WAITING)
        self._bound.append(bound)
        self._start(self._take(bound, tls))

    async def close(self) -> None:
        """Take no more connections; those that are there stay."""
        self._is_closed = True
        for each in self._bound:
            # A connection that is taken in the very turn in which we stop would be lost, and stay open.
            with contextlib.suppress(NotImplementedError):
                self._loop.remove_reader(each)
        await turn_over()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut_silent(self) -> None:
        """Cut the connections on which nothing was said."""
        for protocol in list(self.silent):
            self._cut(protocol)

    def _start(self, what: Coroutine[object, object, None]) -> None:
        task: asyncio.Task[None] = asyncio.ensure_future(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _take(self, bound: socket.socket, tls: ssl.SSLContext | None) -> None:
        while True:
            try:
                connection, (address, *_port) = await self._loop.sock_accept(bound)
            except OSError:
                await asyncio.sleep(PAUSE_S)
                continue
            if self._is_closed or not self._crowd.lets_in(address, connection):
                connection.close()
            else:
                self._start(self._begin(connection, tls))
            await asyncio.sleep(0)  # many who come at once hold up nobody

    async def _begin(self, connection: socket.socket, tls: ssl.SSLContext | None) -> None:
        protocol = self._server()
        self.silent.add(protocol)
        self._loop.call_later(FIRST_REQUEST_S, self._cut, protocol)
        with contextlib.suppress(OSError):  # it went, or is no browser
            await self._loop.connect_accepted_socket(
                lambda: protocol,
                connection,
                ssl=tls,
                ssl_handshake_timeout=FIRST_REQUEST_S if tls else None,
                ssl_shutdown_timeout=GOODBYE_S if tls else None,
            )

    def _cut(self, protocol: web.RequestHandler) -> None:
        if protocol in self.silent:
            self.silent.discard(protocol)
            protocol.force_close()


async def turn_over() -> None:
    """Let the loop do what it has begun."""
    for _ in range(20):
        await asyncio.sleep(0)
