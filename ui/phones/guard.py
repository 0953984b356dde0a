"""Who is let in, how much a guest may send, and what every answer carries."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Iterable

from aiohttp import web

SECRET_BYTES = 16
BODY_S = 30.0
"""A photo must have come after this time."""
SILENCE_S = 25.0
"""A page says every few seconds that it is there; after this time without a whole message it is cut."""
MESSAGE_BYTES = 4096
"""A message of a player's page."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
    "Server": "pyramid-referee",
}


def new_secret() -> str:
    """Return a secret that fits into an address: 128 random bits."""
    return secrets.token_urlsafe(SECRET_BYTES)


def content_policy(host: str) -> str:
    """Return what a page may load: its own files alone; `host` as the browser calls us, with the port."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        f"connect-src 'self' ws://{host} wss://{host}; media-src 'self' blob:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


class Guard:
    """Knows the secret and our own addresses."""

    def __init__(self, secret: str) -> None:
        """Begin with a secret; `origins` and `hosts` are filled once the ports are known."""
        self._secret = secret.encode()
        self.origins: set[str] = set()
        """Such as http://192.168.1.5:8775."""

    def knows(self, told: str) -> bool:
        """Return whether somebody knows the secret; takes as long for a wrong one as for the right one."""
        return hmac.compare_digest(told.encode("utf-8", "surrogateescape"), self._secret)

    def comes_from_us(self, request: web.Request, *, scripts: bool = False) -> bool:
        """Return whether a request comes from one of our own pages.

        A browser always says where a page comes from; with `scripts`, who says nothing is welcome as well.
        """
        origin = request.headers.get("Origin")
        return scripts if origin is None else origin in self.origins

    def is_our_host(self, host: str) -> bool:
        """Return whether somebody calls us by an address that we have, and not by a name made for a trick."""
        return any(origin.partition("://")[2] == host for origin in self.origins)


class Pace:
    """Lets so much through in a while, and says when it is too much."""

    def __init__(self, most: int, while_s: float) -> None:
        """Let `most` messages through in `while_s` seconds."""
        self._most, self._while_s = most, while_s
        self._left, self._last_s = float(most), time.monotonic()

    def is_too_fast(self) -> bool:
        """Count one message, and return whether it is one too many."""
        now_s = time.monotonic()
        self._left = min(self._most, self._left + (now_s - self._last_s) * self._most / self._while_s)
        self._last_s = now_s
        self._left -= 1
        return self._left < 0


def dress(response: web.StreamResponse, headers: Iterable[tuple[str, str]] = ()) -> None:
    """Give an answer the headers that every one has."""
    response.headers.update(HEADERS)
    response.headers.update(dict(headers))
