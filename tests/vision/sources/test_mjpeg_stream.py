"""Streams: a real MJPEG server on this machine, cameras that hang, and all that can go wrong."""

from __future__ import annotations

import contextlib
import socket
import threading
from base64 import b64encode
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count, islice, pairwise
from pathlib import Path

import pytest

from tests.vision.sources.made_up import (
    QUICK,
    SIZE_WH,
    SLOW,
    first,
    jpeg,
    number_in,
    silent_listener,
    write_video,
)
from vision.sources.open_source import (
    Back,
    Frame,
    Lost,
    Patience,
    open_source,
)

SECRET = "bob:s3cr%40t"
Script = Callable[["Server", BaseHTTPRequestHandler, int], None]


class Server:
    """An MJPEG camera on this machine; each path behaves in a way of its own."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.visits: dict[str, int] = {}
        self.files: dict[str, bytes] = {}
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.strip("/").partition("?")[0]
                server.visits[path] = visit = server.visits.get(path, 0) + 1
                with contextlib.suppress(OSError):
                    server.answer(self, path, visit)

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.02,))
        self.thread.start()

    def close(self) -> None:
        self.stop.set()
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()

    def address(self, path: str, user: str = "") -> str:
        return f"http://{user}{'@' if user else ''}127.0.0.1:{self.http.server_port}/{path}"

    def answer(self, request: BaseHTTPRequestHandler, path: str, visit: int) -> None:
        out = request.wfile
        if path in self.files:
            self.begin(request, 200, "video/x-msvideo", str(len(self.files[path])))
            out.write(self.files[path])
        elif (
            path == "locked"
            and request.headers["Authorization"] != f"Basic {b64encode(b'bob:s3cr@t').decode()}"
        ):
            self.begin(request, 401, "text/plain", challenge="Basic realm=x")
        elif path == "page":
            self.begin(request, 200, "text/html")
        else:
            self.begin(request, 200, 'multipart/x-mixed-replace; boundary="--frame"')
            self.stream(out, path, visit)

    def begin(
        self, request: BaseHTTPRequestHandler, status: int, kind: str, length: str = "", challenge: str = ""
    ) -> None:
        request.send_response(status)
        request.send_header("Content-Type", kind)
        for key, value in (("Content-Length", length), ("WWW-Authenticate", challenge)):
            if value:
                request.send_header(key, value)
        request.end_headers()

    def stream(self, out: object, path: str, visit: int) -> None:
        def send(data: bytes, head: str = "Content-Type: image/jpeg\r\n", *, tells: bool = True) -> None:
            length = f"Content-Length: {len(data)}\r\n" if tells else ""
            out.write(f"--frame\r\n{head}{length}\r\n".encode() + data + b"\r\n")  # type: ignore[attr-defined]

        if path == "garbage":
            for _ in range(100):
                out.write(bytes(range(10, 256)) * 40)  # type: ignore[attr-defined]
        elif path == "no-pictures":
            for _ in range(20):
                send(b"this is no picture")
        elif path == "headers":
            send(b"", "X: y\r\n" * 100)
        elif path == "huge":
            out.write(b"--frame\r\nContent-Length: 999999999\r\n\r\n")  # type: ignore[attr-defined]
        elif path == "endless":
            out.write(b"--frame\r\n\r\n" + b"x" * 200_000)  # type: ignore[attr-defined]
        elif path == "dropped" and visit == 1:
            send(jpeg(1))
            out.write(b"--frame\r\nContent-Length: 9000\r\n\r\n" + jpeg(2)[:100])  # type: ignore[attr-defined]
            return
        elif path == "stalling" and visit == 1:
            send(jpeg(1))
        else:
            for number in count():
                if path == "weak" and number % 2:
                    send(jpeg(number % 20)[:200])
                send(jpeg(number % 20), tells=path != "no-lengths")
                if self.stop.wait(0.02):
                    return
        self.stop.wait()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


@pytest.mark.parametrize("path", ["normal", "no-lengths", "weak"])
def test_a_stream_gives_its_pictures_in_order(server: Server, path: str) -> None:
    with open_source(server.address(path), patience=SLOW) as source:
        assert source.is_live
        frames = list(islice(source, 4))
    assert [type(frame) for frame in frames] == [Frame] * 4
    assert all(after.number > before.number for before, after in pairwise(frames))
    assert all(after.time_s > before.time_s for before, after in pairwise(frames))
    assert number_in(frames[0]) >= 0
    assert not source._thread.is_alive()


def test_a_stream_that_breaks_off_within_a_picture_comes_back(server: Server) -> None:
    with open_source(server.address("dropped"), patience=SLOW) as source:
        items = list(islice(source, 4))
    assert [type(item) for item in items] in ([Frame, Lost, Back, Frame], [Lost, Back, Frame, Frame])
    lost = next(item for item in items if isinstance(item, Lost))
    assert "has ended the connection" in str(lost)


def test_a_stream_that_stalls_comes_back(server: Server) -> None:
    with open_source(server.address("stalling"), patience=QUICK) as source:
        lost, back = first(source, Lost), first(source, Back)
    assert "has sent no picture for 0.3 s" in str(lost)
    assert "sends pictures again" in str(back)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("garbage", "sends no pictures that can be read"),
        ("no-pictures", "sends no pictures that can be read"),
        ("headers", "sends no pictures that can be read"),
        ("huge", "sends pictures that are too large"),
        ("endless", "sends pictures that are too large"),
        ("page", "gives text/html and not a video"),
        ("locked", "refuses with status 401"),
    ],
)
def test_what_is_no_stream_of_pictures_is_lost_with_the_reason(
    server: Server, path: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.sources.mjpeg_stream.MAX_PICTURE_BYTES", 100_000)
    with open_source(server.address(path), patience=SLOW) as source:
        assert words in str(next(iter(source)))
    assert not source._thread.is_alive()


def test_credentials_are_used_but_neither_printed_nor_stored(
    server: Server, capfd: pytest.CaptureFixture[str]
) -> None:
    address = server.address("locked?token=hush&size=1", SECRET)
    with open_source(address, patience=SLOW) as source:
        assert isinstance(next(iter(source)), Frame)
        assert source.name == f"http://…@127.0.0.1:{server.http.server_port}/locked?…"
    told = [repr(source)]
    for wrong in ("bob:s3cr%40t-wrong@", "s3cr:s3cr@"):
        with open_source(server.address("locked?hush").replace("//", f"//{wrong}"), patience=SLOW) as source:
            told += [source.name, repr(first(source, Lost))]
    assert "s3cr" not in "".join([*told, *capfd.readouterr()])
    assert "hush" not in "".join(told)


def test_a_camera_that_never_answers_is_lost() -> None:
    with (
        silent_listener() as (port, _),
        open_source(f"http://127.0.0.1:{port}/", patience=Patience(opening_s=0.2)) as source,
    ):
        assert "has sent no picture for 0.2 s" in str(next(iter(source)))


@pytest.mark.parametrize("scheme", ["http", "rtsp"])
def test_closing_ends_the_thread_of_a_camera_that_never_answers(scheme: str) -> None:
    """Also within FFmpeg, which nothing but the end of its process can stop."""
    with silent_listener() as (port, has_come):
        source = open_source(f"{scheme}://bob:s3cr@127.0.0.1:{port}/", patience=SLOW)
        assert has_come.wait(30)
        source.close()
        assert not source._thread.is_alive()


def test_an_address_that_nobody_listens_at_is_lost(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with open_source(f"http://127.0.0.1:{port}/video", patience=SLOW) as source:
        assert "cannot be reached" in str(next(iter(source)))
    with open_source(f"rtsp://bob:s3cr@127.0.0.1:{port}/video", patience=SLOW) as source:
        assert "cannot be opened as a video" in str(next(iter(source)))
    assert capfd.readouterr() == ("", "")


def test_a_stream_that_is_no_mjpeg_is_read_by_ffmpeg(server: Server, tmp_path: Path) -> None:
    """In a process of its own; a video that is over counts as a camera that stopped."""
    server.files["film"] = write_video(tmp_path / "film.avi", "MJPG", 3).read_bytes()
    with open_source(server.address("film"), patience=SLOW) as source:
        frame, lost = first(source, Frame), first(source, Lost)
    assert isinstance(frame, Frame)
    assert frame.image_bgr.shape == (SIZE_WH[1], SIZE_WH[0], 3)
    assert 0 <= number_in(frame) <= 2
    assert "sends no more pictures" in str(lost)
