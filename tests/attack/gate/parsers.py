"""What reads things from outside, each as a function of bytes that raises where the parser is wrong.

What a parser may refuse, it refuses with its own errors, which end here. Everything else, and every promise
about what was accepted that does not hold, is a fault. `tests.attack.gate.test_parsers` feeds them by
hypothesis, and `python -m tests.attack.gate.fuzz` by the branches that they take.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable, Iterable
from http.client import HTTPResponse
from pathlib import Path
from typing import Any

from referee.cube import game as cube
from referee.errors import RefereeError
from referee.formats import judge_json
from referee.formats.record import seal
from referee.rules.layout import Layout
from tests.places import DATA, SAMPLES
from ui.cli.commands.judge import answer_stream
from ui.errors import TOLD
from ui.services.replay import Replay
from ui.storage.game_entries import EntryKind, GameHead, StoredEntry
from ui.storage.game_export import FORMAT, VERSION, import_game
from ui.storage.game_settings import settings_from_dict
from ui.storage.layout_files import read_layout_file, write_layout_file
from ui.text.announcements import recorded_sentences
from ui.viewmodels.game_view import Hold
from ui.viewmodels.photo.known_table import KnownTable
from ui.viewmodels.photo.photo import PhotoTable, PhotoViewModel
from vision.dataset.label_file import label_content, read_labels
from vision.errors import VisionError
from vision.sources.live_source import Broken, Connection
from vision.sources.mjpeg_stream import HttpConnection
from vision.sources.stream_address import read_address, redacted

MOST_INPUTS = 40
"""Of a saved game that is followed again; a search for moves takes a while."""


def layout(data: bytes) -> None:
    """Read a layout, which reads the same again from what it writes."""
    text = data.decode(errors="replace")
    try:
        found = Layout.parse(text)
    except RefereeError:
        return
    assert Layout.parse(str(found)) == found


def judge(data: bytes) -> None:
    """Answer a line of both games, by one line of JSON for each that is not blank."""
    for answering in (judge_json.answer_request, cube.answer_request):
        answers = io.BytesIO()
        status = answer_stream(io.BytesIO(data), answers, answering)
        asked = sum(bool(line.strip()) for line in data.split(b"\n"))
        lines = answers.getvalue().splitlines()
        assert len(lines) == asked
        assert any("error" in json.loads(line) for line in lines) == bool(status)


class _Kept:
    """As much of a `GameStore` as taking in a game needs."""

    def __init__(self) -> None:
        self.head: GameHead | None = None
        self.entries: list[StoredEntry] = []

    def add_game(self, head: GameHead, entries: Iterable[tuple[StoredEntry, bytes | None]]) -> int:
        self.head, self.entries = head, [entry for entry, _ in entries]
        return 1


def sealed(data: bytes) -> bytes:
    """Return the lines of a saved game with their check sums, which whoever forges one knows how to make."""
    check, lines = 0, []
    for number, raw in enumerate(data.splitlines()):
        try:
            line: Any = json.loads(raw)
            if type(line) is dict:
                line.pop("check", None)
                if not number:
                    line = {"record": FORMAT, "version": VERSION, **line}
                text, check = seal(line, check)
                raw = text.encode()
        except (ValueError, RecursionError):
            pass
        lines.append(raw)
    return b"\n".join(lines)


def read_game(data: bytes) -> tuple[GameHead | None, list[StoredEntry]]:
    """Return the head of a saved game, None where it is refused, and its entries."""
    store = _Kept()
    with tempfile.NamedTemporaryFile() as file:
        file.write(sealed(data))
        file.flush()
        try:
            import_game(store, Path(file.name))  # type: ignore[arg-type]
        except TOLD:
            return None, []
    return store.head, store.entries


def saved_game(data: bytes) -> None:
    """Take in a saved game, and follow it again, as `replay --import` and `--verify` do."""
    head, entries = read_game(data)
    if head is None:
        return
    replay = Replay(settings_from_dict(head.settings))
    for entry in entries[:MOST_INPUTS]:
        try:
            if entry.kind is EntryKind.SAID:
                recorded_sentences(entry.content, ("Ann", "Ben"))
            else:
                replay.hear(entry.content)
        except TOLD:
            return


def sidecar(data: bytes) -> None:
    """Read a label file, which reads the same again from what is written of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.json"
        path.write_bytes(data)
        try:
            found = read_labels(path)
        except VisionError:
            return
        for label in found.labels:
            assert (label.row, label.slot, label.confidence) is not None
        assert (found.layout, found.film, found.mean_colour, found.groups, found.likely_codes) is not None
        path.write_text(json.dumps(label_content(found)))
        assert read_labels(path).labels == found.labels or "NaN" in path.read_text()


def opened_layout(data: bytes) -> None:
    """Open a layout on the page of photos, as text and as JSON, and write it again."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("a.txt", "a.json"):
            path = Path(folder) / name
            path.write_bytes(data)
            try:
                found = read_layout_file(path)
            except (*TOLD, VisionError):
                continue
            model = PhotoViewModel()
            model.open(PhotoTable(name, KnownTable().after(found.layout)))
            model.do(Hold("R40"))
            assert model.view().card.headline
            write_layout_file(path, found)
            assert read_layout_file(path).layout == found.layout


class _Answer:
    """A socket that gives what a camera sent."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def makefile(self, _mode: str) -> io.BytesIO:
        return io.BytesIO(self._data)


class _NoOther:
    """What would take over an answer that is no MJPEG."""

    def read(self) -> Any:
        raise Broken("{name}", name="other")

    def cut(self) -> None: ...
    def close(self) -> None: ...


def mjpeg(data: bytes) -> None:
    """Read what a camera answers, from its first line to its last picture."""
    read_stream(data)


def read_stream(data: bytes) -> int:
    """Return how many pictures there are in what a camera answers."""
    other: Connection = _NoOther()
    connection = HttpConnection(read_address("http://127.0.0.1/video"), other)

    def request() -> None:
        response = HTTPResponse(_Answer(data))  # type: ignore[arg-type]
        try:
            response.begin()
        except (OSError, ValueError, *_http_errors()):
            raise Broken("{name}", name="unreachable") from None
        connection._response = response
        connection._judge(response)

    connection._request = request  # type: ignore[method-assign]
    for count in range(100):
        try:
            picture, _time_s = connection.read()
        except Broken:
            return count
        assert picture.ndim == 3
    return 100


def _http_errors() -> tuple[type[Exception], ...]:
    from http.client import HTTPException

    return (HTTPException,)


SECRET = "S3cretS3cret"


def address(data: bytes) -> None:
    """Read an address; whatever is in the place of a password is not shown."""
    text = data.decode(errors="replace")
    assert SECRET not in redacted(f"rtsp://ann:{SECRET}@{text}")
    assert SECRET not in redacted(f"http://camera/a?{text}={SECRET}")
    try:
        found = read_address(text)
    except VisionError:
        return
    assert "\n" not in found.target + found.host
    assert found.target.isascii()
    assert " " not in found.target


PARSERS: dict[str, Callable[[bytes], None]] = {
    "layout": layout,
    "judge": judge,
    "saved-game": saved_game,
    "sidecar": sidecar,
    "opened-layout": opened_layout,
    "mjpeg": mjpeg,
    "address": address,
}


def seeds(parser: str) -> list[bytes]:
    """Return sound inputs, from which others are made."""
    if parser == "layout":
        labels = [json.loads(path.read_text())["layout"] for path in sorted(SAMPLES.glob("*.json"))]
        return [text.encode() for text in labels]
    if parser == "judge":
        lines = (DATA / "judge" / "random.jsonl").read_text().splitlines()[:20]
        dice = b'{"players": 3, "turn": 0, "roll": [["1", "2"]]}'
        return [*(json.dumps(json.loads(line)["request"]).encode() for line in lines), dice]
    if parser == "saved-game":
        return [b"\n".join(json.dumps(line).encode() for line in _lines_without_pictures())]
    if parser in ("sidecar", "opened-layout"):
        return [path.read_bytes() for path in sorted(SAMPLES.glob("*.json"))]
    if parser == "mjpeg":
        return [_stream(tells=True), _stream(tells=False)]
    return [
        b"rtsp://bob:secret@camera/user=bob&password=secret/live?token=1",
        b"http://192.168.0.20:8080/video",
        b"https://[::1]:8443/a%20b/c;d=e#f",
    ]


def _lines_without_pictures() -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in (DATA / "stores" / "game-1.jsonl").read_text().splitlines()]
    challenge = {"input": "challenge", "time_s": 61.0, "challenged": 2, "overturned": True}
    lines.append({**lines[-1], "number": len(lines), "kind": "challenge", "content": challenge})
    lines[0]["entries"] += 1
    return [{key: value for key, value in line.items() if key not in ("picture", "check")} for line in lines]


def _stream(*, tells: bool) -> bytes:
    from PIL import Image

    file = io.BytesIO()
    Image.new("RGB", (16, 16)).save(file, "JPEG")
    jpeg = file.getvalue()
    length = f"Content-Length: {len(jpeg)}\r\n" if tells else ""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"
    part = f"--frame\r\nContent-Type: image/jpeg\r\n{length}\r\n".encode() + jpeg + b"\r\n"
    return head + 2 * part
