"""Addresses of streams: checked once, and printed without their credentials."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

from vision.errors import SourceError

HIDDEN = "…"
SCHEMES = ("rtsp", "rtsps", "http", "https")
MAX_CHARACTERS = 2000


@dataclass(frozen=True, slots=True, repr=False)
class Address:
    """A checked address; `text` and the fields after it may hold credentials and are never shown."""

    name: str
    """The address as it may be printed and stored."""
    scheme: str
    text: str
    """The whole address, as FFmpeg takes it."""
    host: str
    port: int | None
    target: str
    """Path and query, quoted, for the first line of an HTTP request."""
    user: str | None
    password: str


def redacted(text: str) -> str:
    """Return an address without anything that may be a secret.

    Scheme, host and the last part of the path are left. Whatever is before the last @ is left out, as is
    everything after a question mark or hash, every other part of the path, a last one that sets a value, and
    a host that is none: cameras take passwords in each of these places.

        >>> redacted("rtsp://bob:secret@camera/user=bob&password=secret/live?token=1")
        'rtsp://…@camera/…/live?…'
        >>> redacted("http://camera:8080/key/video")
        'http://camera:8080/…/video'
    """
    scheme, colon, rest = text.partition("://")
    if not colon:
        scheme, rest = "", text
    _, at, rest = rest.rpartition("@")
    path, mark, _ = re.match(r"([^?#]*)([?#]?)(.*)", rest, re.DOTALL).groups()  # type: ignore[union-attr]
    host, *parts = (HIDDEN if re.search(r"[=&;]", part) else part for part in path.split("/"))
    *between, last = parts or [""]
    parts = [*([HIDDEN] if any(between) else []), *([last] if parts else [])]
    if not re.fullmatch(r"(\[[^\[\]]*\]|[^:]*)(:\d*)?", host):  # no port: a password with its @ forgotten
        host = HIDDEN
    user = HIDDEN + at if at else ""
    return f"{scheme}{colon}{user}{'/'.join([host, *parts])}{mark + HIDDEN if mark else ''}"


def read_address(text: str) -> Address:
    """Return a stream's address, checked.

    Raises:
        SourceError: The scheme is unknown, or the address is none; the sentence shows no credentials.
    """
    name = redacted(text)
    scheme = text.partition("://")[0].lower()
    if scheme not in SCHEMES:
        raise SourceError(
            "{name!r} cannot be opened. The address of a stream begins with rtsp://, http:// or https://.",
            name=name,
        )
    address = _split(text, name, scheme)
    if address is None or len(text) > MAX_CHARACTERS or re.search(r"[\x00-\x20\x7f]", text):
        raise SourceError("{name!r} is not a complete address. It should look like {example}.",
                          name=name, example=f"{scheme}://192.168.0.20:8080/video")  # fmt: skip
    return address


def _split(text: str, name: str, scheme: str) -> Address | None:
    """Return the parts of an address, or None if it is none; errors of the parser quote passwords."""
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if not host or not re.fullmatch(r"[\w.:%-]+", host, re.ASCII):
        return None
    target = quote(parts.path or "/", safe="/%:=&;,+@!$'()*~")
    if parts.query:
        target += "?" + quote(parts.query, safe="/%:=&;,+@!$'()*~?")
    user = None if parts.username is None else unquote(parts.username)
    return Address(name, scheme, text, host, port, target, user, unquote(parts.password or ""))
