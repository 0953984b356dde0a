"""Sources: real files, a real MJPEG server on this machine, missing devices, and all that can go wrong."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count, islice, pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ui.text import sentences as messages
from ui.text.errors import error_sentence
from vision.errors import ImageError, SourceError, VisionError
from vision.sources import camera as capture
from vision.sources import camera_process as capture_program
from vision.sources.live_source import Broken, Ended, LiveSource
from vision.sources.motion_gate import MotionGate, TableMotion
from vision.sources.open_source import (
    Back,
    Busy,
    Frame,
    Lost,
    Patience,
    Skipped,
    Source,
    SourceNotice,
    open_source,
)
from vision.sources.stream_address import redacted

QUICK = Patience(opening_s=30, stall_s=0.3, first_retry_s=0.01, last_retry_s=0.04)
SLOW = Patience(opening_s=30, stall_s=30, first_retry_s=0.01, last_retry_s=0.04)
"""For what starts a process, which takes its time on a busy machine."""
SIZE_WH = (64, 48)


def picture(number: int) -> np.ndarray:
    """A picture that tells its number by its brightness."""
    return np.full((SIZE_WH[1], SIZE_WH[0], 3), 20 + 10 * number, np.uint8)


def number_in(frame: Frame) -> int:
    return round((float(frame.image_bgr.mean()) - 20) / 10)


def jpeg(number: int) -> bytes:
    return cv2.imencode(".jpg", picture(number))[1].tobytes()


def write_video(path: Path, code: str, pictures: int = 6, fps: float = 10.0) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), fps, SIZE_WH)
    if not writer.isOpened():
        pytest.skip(f"This OpenCV writes no {code} videos.")
    for number in range(pictures):
        writer.write(picture(number))
    writer.release()
    return path


def first(source: Source, kind: type | tuple[type, ...]) -> Frame | SourceNotice:
    """Return the first of the source's frames or notices that is of a kind."""
    return next(item for item in source if isinstance(item, kind))


# Recordings.


@pytest.mark.parametrize(("suffix", "code"), [(".avi", "MJPG"), (".mp4", "mp4v")])
def test_a_video_is_followed_at_its_own_time(tmp_path: Path, suffix: str, code: str) -> None:
    with open_source(str(write_video(tmp_path / f"game{suffix}", code))) as source:
        assert not source.is_live
        frames = list(source)
    assert [frame.number for frame in frames] == list(range(6))
    assert [round(frame.time_s, 3) for frame in frames] == [0, 0.1, 0.2, 0.3, 0.4, 0.5]
    assert [number_in(frame) for frame in frames] == list(range(6))
    assert frames[0].image_bgr.shape == (SIZE_WH[1], SIZE_WH[0], 3)
    assert source.now_s() == frames[-1].time_s
    assert list(source) == []


def test_a_folder_is_followed_in_the_order_of_names_past_what_cannot_be_read(tmp_path: Path) -> None:
    for number in (2, 0, 3):
        cv2.imwrite(str(tmp_path / f"frame_{number}.png"), picture(number))
    cv2.imwrite(str(tmp_path / "frame_4.png"), picture(3))
    (tmp_path / "frame_1.png").write_text("no picture")
    (tmp_path / "notes.txt").write_text("not looked at")
    items = list(open_source(str(tmp_path)))
    assert [number_in(item) if isinstance(item, Frame) else type(item) for item in items] == [
        0,
        Skipped,
        2,
        3,
        3,
    ]
    assert "frame_1.png" in str(items[1])
    assert [(item.number, round(item.time_s * 15)) for item in items if isinstance(item, Frame)] == [
        (0, 0),
        (2, 2),
        (3, 3),
        (4, 4),
    ]


def test_photos_of_one_table_after_the_other_are_held_each(tmp_path: Path) -> None:
    """So that each settles; a folder in which no two pictures are alike is no film."""
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), picture(number))
    (tmp_path / "1b.png").write_text("no picture")
    source = open_source(str(tmp_path))
    items = list(source)
    frames = [item for item in items if isinstance(item, Frame)]
    assert [number_in(frame) for frame in frames] == [0] * 5 + [1] * 5 + [2] * 5
    assert [round(frame.time_s, 3) for frame in frames[:6]] == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert len(items) == len(frames) + 1
    settling = MotionGate()
    states = [settling.see(frame) for frame in frames]
    assert states.count(TableMotion.SETTLED) == 3


def test_a_closed_recording_ends(tmp_path: Path) -> None:
    source = open_source(str(write_video(tmp_path / "a.avi", "MJPG")))
    items = iter(source)
    assert isinstance(next(items), Frame)
    source.close()
    assert list(items) == []


def test_a_recording_can_be_played_like_a_camera(tmp_path: Path) -> None:
    """Times are those of the file, no frame comes before its time, and the end is the end."""
    for number in range(4):
        cv2.imwrite(str(tmp_path / f"{number}.png"), picture(number))
    cv2.imwrite(str(tmp_path / "4.png"), picture(3))
    (tmp_path / "3b.png").write_text("no picture")
    with open_source(str(tmp_path), live=True, patience=SLOW) as source:
        assert source.is_live
        seen = []
        for item in source:
            if isinstance(item, Frame):
                assert source.now_s() >= item.time_s
                assert min(round(item.time_s * 15), 3) == number_in(item)
                seen.append(number_in(item))
            else:
                assert isinstance(item, Skipped)
    assert seen == sorted(seen)
    assert seen[-1] == 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not there"),
        ("none.avi", "is not there; name a camera"),
        ("a\0b", "is not there"),
        ("x" * 5000, "is not there"),
        ("192.168.0.3:80/video?token=secret", "'192.168.0.3:80/video?…' is not there"),
        ("bob:secret@camera/video", "'…@camera/video' is not there"),
        ("100", "There is no camera 100"),
        ("9" * 500, "There is no camera 9"),
        ("ftp://bob:secret@host/x", "'ftp://…@host/x' cannot be opened; a stream's address begins with"),
        ("http://", "is not a complete address; it should be like http://"),
        ("http://h:secret/", "is not a complete address"),
        ("rtsp://[::1/", "is not a complete address"),
        ("rtsp://host/a b", "is not a complete address"),
        ("http://host/x\r\nCookie: a", "is not a complete address"),
        ("http://host/" + "x" * 2000, "is not a complete address"),
    ],
)
def test_what_can_never_work_is_refused_at_once(text: str, words: str) -> None:
    with pytest.raises(SourceError) as caught:
        open_source(text)
    assert words in str(caught.value)
    assert "secret" not in f"{caught.value!r} {caught.value.values} {caught.value.__context__!r}"


def test_files_and_folders_without_frames_are_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "text.avi").write_text("no video")
    (tmp_path / "empty.mp4").write_bytes(b"")
    (tmp_path / "empty").mkdir()
    (tmp_path / "one.png").write_bytes(cv2.imencode(".png", picture(1))[1].tobytes())
    for name, words in {
        "text.avi": "not a video that can be read",
        "empty.mp4": "not a video that can be read",
        "empty": "holds no pictures",
        "one.png": "single picture",
    }.items():
        with pytest.raises(SourceError, match=words):
            open_source(str(tmp_path / name))


def test_pictures_that_are_too_small_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(cv2.imencode(".png", picture(1)[:8])[1].tobytes())
    (notice,) = open_source(str(tmp_path))
    assert isinstance(notice, Skipped)
    assert "64 x 8 pixels" in str(notice)


def test_a_video_of_huge_pictures_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.imaging.photo.MAX_MEGAPIXELS", 0.001)
    with pytest.raises(ImageError, match="megapixels"):
        open_source(str(write_video(tmp_path / "a.avi", "MJPG")))


# What every live source does, with connections made up.


class MadeUp:
    """A connection that follows a script: numbers are pictures, errors are raised, an event is waited for."""

    def __init__(self, *script: object) -> None:
        self.script = list(script)
        self.is_cut = threading.Event()
        self.is_closed = False

    def read(self) -> tuple[np.ndarray, float | None]:
        step = self.script.pop(0) if self.script else threading.Event()
        if isinstance(step, threading.Event):
            step.set()
            self.is_cut.wait()
            raise Broken("cut")
        if isinstance(step, Exception):
            raise step
        assert isinstance(step, int)
        return picture(step), None

    def cut(self) -> None:
        self.is_cut.set()

    def close(self) -> None:
        self.is_closed = True


def made_up(*connections: MadeUp, patience: Patience = SLOW) -> LiveSource:
    return LiveSource("x", iter(connections).__next__, patience)


def test_a_slow_reader_gets_the_newest_frame_and_no_old_one() -> None:
    all_read = threading.Event()
    with made_up(MadeUp(0, 1, 2, 3, 4, all_read)) as source:
        assert all_read.wait(10)
        frame = next(iter(source))
        assert isinstance(frame, Frame)
        assert (frame.number, number_in(frame)) == (4, 4)
        assert 0 <= frame.time_s <= source.now_s()


def test_an_outage_is_told_once_for_each_reason_and_its_end_once() -> None:
    no, other = Broken("{name} no", name="x"), Broken("{name} other", notice=Busy, name="x")
    held = threading.Event()
    with made_up(MadeUp(no), MadeUp(no), MadeUp(other), MadeUp(other), MadeUp(7, held)) as source:
        assert held.wait(10)
        items = list(islice(source, 4))
    assert [type(item) for item in items] == [Lost, Busy, Back, Frame]
    assert [str(item) for item in items[:2]] == ["x no", "x other"]
    assert items[1].time_s == items[0].time_s <= items[2].time_s


def test_whatever_goes_wrong_in_the_thread_the_source_comes_back() -> None:
    faulty = MadeUp(RuntimeError("http://bob:secret@host"))
    with made_up(faulty, MadeUp(1)) as source:
        notice, back = first(source, Lost), first(source, (Back, Frame))
    assert "(RuntimeError)" in str(notice)
    assert "secret" not in str(notice)
    assert isinstance(back, (Back, Frame))
    assert faulty.is_closed


def test_pictures_that_stall_are_lost_and_connected_again() -> None:
    with made_up(MadeUp(1), MadeUp(2), patience=QUICK) as source:
        items = list(islice(source, 4))
    assert [type(item) for item in items] == [Frame, Lost, Back, Frame]
    assert "no picture has come for 0.3 seconds" in str(items[1])


def test_tries_grow_rarer_up_to_a_limit() -> None:
    """Each wait is twice the one before; only that they are no shorter can be told for sure."""
    at: list[float] = []
    patience = Patience(first_retry_s=0.01, last_retry_s=0.03)
    enough = threading.Event()

    def connect() -> MadeUp:
        at.append(time.monotonic())
        if len(at) == 5:
            enough.set()
        return MadeUp(Broken("no"))

    with LiveSource("x", connect, patience):
        assert enough.wait(10)
    gaps = [after - before for before, after in pairwise(at[:5])]
    assert all(gap >= least for gap, least in zip(gaps, (0.01, 0.02, 0.03, 0.03), strict=True))


def test_closing_wakes_a_reader_that_waits() -> None:
    waiting, items = threading.Event(), []
    source = made_up(MadeUp(waiting))
    reader = threading.Thread(target=lambda: items.extend(source))
    reader.start()
    assert waiting.wait(10)
    source.close()
    source.close()
    reader.join(10)
    assert not reader.is_alive()
    assert not source._thread.is_alive()
    assert items == []


def test_a_recording_that_ends_ends_the_source() -> None:
    with made_up(MadeUp(3, Ended())) as source:
        assert [number_in(item) for item in source if isinstance(item, Frame)] == [3]


# Streams over HTTP.

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
    assert "no picture has come for 0.3 seconds" in str(lost)
    assert "pictures come again" in str(back)


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


@contextlib.contextmanager
def silent_listener() -> Iterator[tuple[int, threading.Event]]:
    """A port that takes connections and never answers; tells when the first has come."""
    has_come, held = threading.Event(), []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            with contextlib.suppress(OSError):
                held.append(listener.accept()[0])
                has_come.set()

        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield listener.getsockname()[1], has_come
        finally:
            with contextlib.suppress(OSError):
                socket.create_connection(listener.getsockname()).close()  # frees `accept` if nobody came
            thread.join()
            for connection in held:
                connection.close()


def test_a_camera_that_never_answers_is_lost() -> None:
    with (
        silent_listener() as (port, _),
        open_source(f"http://127.0.0.1:{port}/", patience=Patience(opening_s=0.2)) as source,
    ):
        assert "no picture has come for 0.2 seconds" in str(next(iter(source)))


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
    assert "no more pictures come" in str(lost)


def test_the_capture_program_leaves_when_its_reader_is_gone() -> None:
    """Also while FFmpeg hangs, so that a game that was killed leaves the camera free."""
    with silent_listener() as (port, has_come):
        program = subprocess.Popen(
            [sys.executable, "-P", capture_program.__file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        request = {"target": f"rtsp://127.0.0.1:{port}/", "api": cv2.CAP_FFMPEG}
        request |= {"open": [], "set": [], "hold": []}
        assert program.stdin is not None
        program.stdin.write(json.dumps(request).encode() + b"\n")
        program.stdin.flush()
        assert has_come.wait(30)
        assert program.communicate(timeout=30) == (b"", None)
        assert program.returncode == 0


# Cameras.


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Devices are files on Linux.")
@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("/dev/video97", Lost, "Camera /dev/video97 is not there; plug it in"),
        ("/dev/null", Busy, "Camera /dev/null cannot be opened; close the other programs"),
    ],
)
def test_a_camera_that_is_not_there_or_held_is_lost(
    text: str, kind: type, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with open_source(text, patience=SLOW) as source:
        notice = next(iter(source))
    assert type(notice) is kind
    assert words in str(notice)
    assert capfd.readouterr() == ("", "")


FAKE_CV2 = """
import numpy
CAP_PROP_AUTOFOCUS, COLOR_GRAY2BGR = 39, 8
class VideoCapture:
    held = 0
    def __init__(self, *_): pass
    def isOpened(self): return True
    def set(self, key, value):
        self.held += key in {held!r}
        return key not in {refused!r}
    def read(self):
        return True, numpy.full((48, 64, 3), self.held, numpy.uint8)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Devices are files on Linux.")
def test_a_camera_holds_still_what_it_can_and_says_what_it_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, refused = [cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB], [cv2.CAP_PROP_AUTOFOCUS]
    (tmp_path / "cv2.py").write_text(FAKE_CV2.format(held=held, refused=refused))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with open_source("/dev/null", holds=("exposure", "focus", "white_balance")) as source:
        notice = None
        for item in source:
            if not isinstance(item, Frame):
                assert notice is None
                notice = item
            elif notice is not None and item.image_bgr[0, 0, 0] == 2:
                break
    assert type(notice) is SourceNotice
    assert str(notice) == "Camera /dev/null does not let its focus be held still."


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Devices are files on Linux.")
def test_a_camera_is_found_again_under_another_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device, names = tmp_path / "video0", tmp_path / "by-id"
    names.mkdir()
    device.touch()
    (names / "usb-Maker_Camera").symlink_to(device)
    monkeypatch.setattr(capture, "LASTING_NAMES", names)
    connect = capture.CameraConnector("0", device)
    connect()
    device.rename(tmp_path / "video1")
    assert connect()._request["target"] == str(names / "usb-Maker_Camera")


# What is printed.


@settings(max_examples=50, deadline=None)
@given(
    user=st.text("abc@:/?#=&;%", max_size=8),
    path=st.sampled_from(
        ["", "/live", "/user=x&password=SECRET/a", "/;pw=SECRET", "/a?token=SECRET", "/#SECRET"]
    ),
    scheme=st.sampled_from(["rtsp://", "http://", ""]),
)
def test_no_secret_is_left_in_an_address(user: str, path: str, scheme: str) -> None:
    assert "SECRET" not in redacted(f"{scheme}{user}SECRET{user}@camera{path}")


def test_what_is_no_secret_is_left() -> None:
    assert redacted("http://192.168.0.20:8080/video") == "http://192.168.0.20:8080/video"


def test_notices_are_worded_in_the_language_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text("no picture")
    with open_source("/dev/video97", patience=SLOW) as source:
        lost = next(iter(source))
    (skipped,) = open_source(str(tmp_path))
    with pytest.raises(VisionError) as refused:
        open_source("100")
    messages.choose_language("fr")
    try:
        assert error_sentence(lost).startswith("La caméra /dev/video97 ")
        assert "une image lisible" in error_sentence(skipped)
        assert error_sentence(refused.value).endswith("pas de caméra 100 ; elles se comptent à partir de 0.")
    finally:
        messages.choose_language("en")
