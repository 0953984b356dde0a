"""Streams over HTTP: single JPEGs one after another (MJPEG), as phone apps and most network cameras send.

FFmpeg reads such streams as well, but analyses them for seconds before the first picture. Whatever else an
address gives, and whatever asks for more than a plain password, is left to FFmpeg.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
from base64 import b64encode

from vision.errors import ImageError
from vision.imaging.arrays import ImageU8
from vision.imaging.photo import decode_photo
from vision.sources.frame import mark
from vision.sources.live_source import Broken, Connection
from vision.sources.stream_address import Address

CONNECTING_S = 1.5
"""In a home network an answer takes milliseconds; short enough to be waited for when a source is closed."""
SILENCE_S = 30.0
"""Beyond the patience of any live source, which cuts the connection before."""
MAX_PICTURE_BYTES = 16 * 2**20
"""No camera sends a JPEG as large; a stream that announces one is given up."""
MAX_DAMAGED = 10
"""So many unreadable pictures in a row have another reason than a weak radio link."""
_MAX_LINE_BYTES, _MAX_LINES = 8192, 64


class HttpConnection:
    """One HTTP request whose answer is a picture after the other."""

    def __init__(self, address: Address, otherwise: Connection) -> None:
        """Prepare a connection.

        Args:
            address: Where to connect to.
            otherwise: Takes over if the answer is no MJPEG.
        """
        self._address, self._otherwise = address, otherwise
        self._leaves_it = False
        self._is_cut = threading.Event()
        self._client: http.client.HTTPConnection | None = None
        self._response: http.client.HTTPResponse | None = None
        self._boundary = b""
        self._stands_at_part = False

    def read(self) -> tuple[ImageU8, float | None]:
        """Return the next picture, decoded; it has no time of its own."""
        if not self._leaves_it and self._response is None:
            self._request()
        if self._leaves_it:
            return self._otherwise.read()
        for _ in range(MAX_DAMAGED):
            data = self._next_part()
            with contextlib.suppress(ImageError):
                return decode_photo(data, self._address.name).image_bgr, None
        raise Broken(_DAMAGED, name=self._address.name)

    def cut(self) -> None:
        """Shut the connection, which wakes a thread that waits for it."""
        self._is_cut.set()
        self._otherwise.cut()
        client = self._client
        sock = client.sock if client is not None else None
        if sock is not None:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the connection."""
        self._otherwise.close()
        self._hang_up()

    def _hang_up(self) -> None:
        if self._response is not None:
            self._response.close()
        if self._client is not None:
            self._client.close()

    def _request(self) -> None:
        """Ask for the stream; afterwards there is a response to read parts from, or FFmpeg takes over."""
        address = self._address
        try:
            client = self._client = self._make_client()
            client.connect()
            if self._is_cut.is_set():
                raise Broken(_UNREACHABLE, name=address.name)
            client.sock.settimeout(SILENCE_S)
            client.request("GET", address.target, headers=self._headers())
            # The response holds the socket from here on; `client` would forget it if the server said so.
            sock, response = client.sock, client.getresponse()
            client.sock = sock
        except ssl.SSLCertVerificationError:
            response = None
            refused = Broken(_CERTIFICATE, name=address.name)
        except (OSError, ValueError, http.client.HTTPException):
            response = None
            refused = Broken(_UNREACHABLE, name=address.name)
        if response is None:  # raised here, so that no error with the address in it stays attached
            raise refused
        self._response = response
        self._judge(response)

    def _judge(self, response: http.client.HTTPResponse) -> None:
        """Accept a stream of pictures, leave another kind of video to FFmpeg, and refuse all else."""
        kind = response.headers.get_content_type()
        challenge = response.headers.get("WWW-Authenticate", "").lower()
        asks_digest = response.status == 401 and "digest" in challenge and self._address.user is not None
        if response.status >= 400 and not asks_digest:
            raise Broken(_STATUS, name=self._address.name, status=response.status)
        if response.status == 200 and kind.partition("/")[0] in ("text", "image"):
            raise Broken(_NO_VIDEO, name=self._address.name, kind=kind)
        if response.status == 200 and kind == "multipart/x-mixed-replace":
            boundary = response.headers.get_boundary("")
            self._boundary = boundary.strip("-").encode("ascii", "replace")
        else:
            self._leaves_it = True
            self._hang_up()

    def _make_client(self) -> http.client.HTTPConnection:
        host, port = self._address.host, self._address.port
        if self._address.scheme == "https":
            return http.client.HTTPSConnection(host, port, timeout=CONNECTING_S)
        return http.client.HTTPConnection(host, port, timeout=CONNECTING_S)

    def _headers(self) -> dict[str, str]:
        headers = {"User-Agent": "pyramid-referee", "Accept": "*/*"}
        if self._address.user is not None:
            pair = f"{self._address.user}:{self._address.password}".encode()
            headers["Authorization"] = f"Basic {b64encode(pair).decode()}"
        return headers

    def _next_part(self) -> bytes:
        """Return the bytes of the next picture."""
        failed = Broken(_ENDED, name=self._address.name)
        try:
            length = self._part_length()
            data = self._read_until_end() if length is None else self._read_exactly(length)
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            data = b""  # http.client has no better answer to a socket that was shut while it reads
        if not data:
            raise failed
        return data

    def _line(self) -> bytes:
        assert self._response is not None
        line = self._response.readline(_MAX_LINE_BYTES)
        if not line:
            raise Broken(_ENDED, name=self._address.name)
        return line

    def _part_length(self) -> int | None:
        """Read on to the next part and over its headers; return its length where they tell it."""
        for _ in range(_MAX_LINES):
            if self._stands_at_part or self._line().startswith(b"--"):
                break
        else:
            raise Broken(_DAMAGED, name=self._address.name)
        self._stands_at_part = False
        length = None
        for _ in range(_MAX_LINES):
            key, _, value = self._line().strip().partition(b":")
            if not key:
                return length
            if key.lower() == b"content-length" and value.strip().isdigit():
                length = int(value)
        raise Broken(_DAMAGED, name=self._address.name)

    def _read_exactly(self, length: int) -> bytes:
        assert self._response is not None
        if not 0 < length <= MAX_PICTURE_BYTES:
            raise Broken(_TOO_LARGE, name=self._address.name)
        data = self._response.read(length)
        return data if len(data) == length else b""

    def _read_until_end(self) -> bytes:
        """Return a part that does not tell its length: all up to the next boundary, or to a JPEG's end."""
        data = bytearray()
        while len(data) <= MAX_PICTURE_BYTES:
            line = self._line()
            if line.startswith(b"--") and line.lstrip(b"-").startswith(self._boundary):
                self._stands_at_part = True
                return bytes(data)
            data += line
            if line.endswith(b"\xff\xd9\r\n"):  # not to wait for the boundary, which comes with the next one
                return bytes(data)
        raise Broken(_TOO_LARGE, name=self._address.name)


_UNREACHABLE = mark(
    "{name} cannot be reached. Check the address. The camera must be switched on and in the same network."
)
_CERTIFICATE = mark(
    "This computer does not trust the certificate of {name}. Use the address of the camera with "
    "http:// instead."
)
_STATUS = mark("{name} refuses with status {status}. Check the address, the user name and the password.")
_NO_VIDEO = mark(
    "{name} gives {kind} and not a video. Look for the address of the video in the app of the camera."
)
_ENDED = mark("{name} has ended the connection. The referee keeps trying.")
_DAMAGED = mark(
    "{name} sends no pictures that can be read. Check the address and the settings of the camera."
)
_TOO_LARGE = mark(
    "{name} sends pictures that are too large. Choose smaller ones in the settings of the camera."
)
