"""How much of the server each address has: one phone that takes all it can leaves half to the others."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator

from ui.phones.guard import Pace

MOST_PHONES = 12
"""Pages and scripts that are connected at a time."""
PHONES_OF_ONE = 6
"""Of these, those of one address: several, as phones behind a repeater have one address together."""
MOST_CONNECTIONS = 120
"""A page that is being loaded takes several for a moment; more are refused."""
CONNECTIONS_OF_ONE = 60
"""Of these, those of one address."""
REQUESTS, REQUESTS_S = 240, 10.0
"""Requests, and as many connections, that an address may begin; a page is loaded with ten."""
PHOTOS, PHOTOS_S = 10, 20.0
MOST_REMEMBERED = 256
"""Of more addresses than this, those that have gone are forgotten."""


class Visitor:
    """What one address has, and how fast it goes."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.phones = 0
        self.connections: list[socket.socket] = []
        self.arrivals = Pace(REQUESTS, REQUESTS_S)
        self.requests = Pace(REQUESTS, REQUESTS_S)
        self.photos = Pace(PHOTOS, PHOTOS_S)

    def count(self) -> int:
        """Return how many connections are open; one that has ended has closed its socket."""
        self.connections = [each for each in self.connections if each.fileno() >= 0]
        return len(self.connections)


class Crowd:
    """All addresses that come; lives on the server's thread."""

    def __init__(self) -> None:
        """Begin without anybody."""
        self._visitors: dict[str, Visitor] = {}

    def visitor(self, address: str) -> Visitor:
        """Return what an address has."""
        if address not in self._visitors and len(self._visitors) >= MOST_REMEMBERED:
            stayed = {name: each for name, each in self._visitors.items() if each.count() or each.phones}
            self._visitors = stayed
        return self._visitors.setdefault(address, Visitor())

    def lets_in(self, address: str, connection: socket.socket) -> bool:
        """Return whether a new connection may stay, and count it if so."""
        visitor = self.visitor(address)
        is_full = len(self.connections()) >= MOST_CONNECTIONS
        if visitor.arrivals.is_too_fast() or is_full or visitor.count() >= CONNECTIONS_OF_ONE:
            return False
        visitor.connections.append(connection)
        return True

    def connections(self) -> list[socket.socket]:
        """Return all that are open."""
        return [open_one for each in self._visitors.values() if each.count() for open_one in each.connections]

    def has_room(self, address: str) -> bool:
        """Return whether one more phone finds a place."""
        taken = sum(each.phones for each in self._visitors.values())
        return taken < MOST_PHONES and self.visitor(address).phones < PHONES_OF_ONE

    @contextlib.contextmanager
    def stays(self, address: str) -> Iterator[None]:
        """Count a phone for as long as it stays."""
        visitor = self.visitor(address)
        visitor.phones += 1
        try:
            yield
        finally:
            visitor.phones -= 1
