"""Whoever is rude to the server harms nobody: the pages of the others go on."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import socket
import ssl
import struct
import zlib
from collections.abc import Iterator

import aiohttp
import pytest

from tests.ui.phones.conftest import HOST, Served, begin, jpeg, ours, serving, visit
from ui.phones import crowd, entrance, guard, routes, sockets
from ui.phones import server as servers
from ui.storage.game_store import GameStore
from ui.text.catalogue import choose_language
from vision.sources import pushed_pictures


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The same server for all of them, who come one after the other."""
    folder = tmp_path_factory.mktemp("served")
    choose_language("en")
    with GameStore.open(folder / "games.sqlite3") as store, serving(begin(store), folder) as found:
        yield found


async def is_well(guest: aiohttp.ClientSession, served: Served) -> None:
    """Check that a decent guest is still served."""
    async with guest.get(served.address) as answer:
        assert answer.status == 200
        assert "I am Anna" in await answer.text()


def headers_are_right(answer: aiohttp.ClientResponse) -> None:
    for name, value in guard.HEADERS.items():
        assert answer.headers[name] == value
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


class TestTheSecret:
    @pytest.mark.parametrize(
        "path", ["", "watch", "style.css", "camera.js", "WRONG/", "WRONG/watch", "a/../b"]
    )
    def test_without_it_there_is_a_page_that_says_so_and_nothing_else(
        self, served: Served, path: str
    ) -> None:
        async def come(guest: aiohttp.ClientSession) -> None:
            async with guest.get(f"http://{HOST}:{served.port}/{path}") as answer:
                text = await answer.text()
                assert answer.status == 403
                assert "Scan it again." in text
                assert served.server.secret not in text
                assert "Anna" not in text
                headers_are_right(answer)

        visit(come)

    @pytest.mark.parametrize("name", ["player?player=0", "pictures", "feed", "events", "photo"])
    def test_nothing_is_opened_with_a_wrong_one(self, served: Served, name: str) -> None:
        async def come(guest: aiohttp.ClientSession) -> None:
            wrong = served.address.replace(served.server.secret, guard.new_secret())
            async with guest.get(wrong + name, headers=ours(served)) as answer:
                assert answer.status == 403
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await guest.ws_connect(wrong + name, headers=ours(served))

        visit(come)

    def test_it_is_new_each_time_and_long(self, served: Served) -> None:
        other = servers.PhoneServer(served.hub, [HOST], served.folder).secret
        assert other != served.server.secret
        assert len(other) >= 22

    def test_another_name_of_this_computer_is_refused(self, served: Served) -> None:
        """A page from elsewhere may have its own name lead here."""

        async def come(guest: aiohttp.ClientSession) -> None:
            async with guest.get(served.address, headers={"Host": "evil.example"}) as answer:
                assert answer.status == 403

        visit(come)


class TestTheOrigin:
    @pytest.mark.parametrize("name", ["player?player=0", "pictures", "feed"])
    @pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1"])
    def test_a_page_from_elsewhere_gets_no_socket(self, served: Served, name: str, origin: str) -> None:
        async def come(guest: aiohttp.ClientSession) -> None:
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await guest.ws_connect(served.address + name, headers={"Origin": origin})
            assert refused.value.status == 403

        visit(come)

    @pytest.mark.parametrize("name", ["player?player=0", "pictures"])
    def test_only_the_feed_is_for_who_says_nothing(self, served: Served, name: str) -> None:
        async def come(guest: aiohttp.ClientSession) -> None:
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await guest.ws_connect(served.address + name)
            async with guest.ws_connect(served.address + "feed"):
                pass

        visit(come)

    def test_a_page_from_elsewhere_posts_no_photo(self, served: Served) -> None:
        before = served.hub.pictures.count

        async def come(guest: aiohttp.ClientSession) -> None:
            url = served.address + "photo"
            async with guest.post(url, data=jpeg(), headers={"Origin": "https://evil.example"}) as answer:
                assert answer.status == 403
            assert served.hub.pictures.count == before

        visit(come)


class TestFiles:
    @pytest.mark.parametrize(
        "path",
        [
            "../../pyproject.toml", "..%2f..%2fpyproject.toml", "%2e%2e/%2e%2e/etc/passwd", "home.html",
            "//etc/passwd", "__init__.py", "style.css/../words.js%00", "phones.pem",
        ],
    )  # fmt: skip
    def test_no_path_of_this_computer_is_served(self, served: Served, path: str) -> None:
        request = f"GET /{served.server.secret}/{path} HTTP/1.1\r\nHost: {HOST}:{served.port}\r\n\r\n"
        with socket.create_connection((HOST, served.port), 10) as line:
            line.sendall(request.encode())
            answer = line.recv(65536).decode()
        assert answer.split()[1] in ("400", "403", "404")
        assert "PRIVATE" not in answer
        assert "root:" not in answer

    def test_the_key_is_the_owners_alone(self, served: Served) -> None:
        assert os.stat(served.folder / "phones.pem").st_mode & 0o077 == 0

    def test_a_name_is_text_and_never_markup(self, served: Served) -> None:
        async def come(guest: aiohttp.ClientSession) -> None:
            async with guest.get(served.address) as answer:
                text = await answer.text()
            assert "&lt;b&gt;Bruno&lt;/b&gt;" in text
            assert "<b>" not in text

        visit(come)


class TestSizes:
    def test_a_picture_that_is_too_large_is_not_even_read(self, served: Served) -> None:
        before = served.hub.pictures.count

        async def come(guest: aiohttp.ClientSession) -> None:
            async with guest.ws_connect(served.address + "pictures", headers=ours(served)) as line:
                with contextlib.suppress(ConnectionError):  # it may be cut while it still sends
                    await line.send_bytes(b"\xff\xd8" + bytes(pushed_pictures.MAX_BYTES))
                said = [each async for each in line if each.type is aiohttp.WSMsgType.TEXT]
                assert not any("taken" in each.data for each in said)
            async with guest.post(
                served.address + "photo",
                data=io.BytesIO(bytes(pushed_pictures.MAX_BYTES + 1)),
                headers=ours(served),
            ) as answer:
                assert answer.status in (400, 413)
            assert served.hub.pictures.count == before
            await is_well(guest, served)

        visit(come)

    def test_a_bomb_of_many_pixels_is_never_decoded(
        self, served: Served, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = served.hub.pictures.count
        monkeypatch.setattr(pushed_pictures, "decode_photo", lambda *_: pytest.fail("It was decoded."))
        # 30 megapixels, as it says itself.
        rows = zlib.compress(b"\0" * 100_000)
        parts = [
            (b"IHDR", struct.pack(">IIBBBBB", 6000, 5000, 8, 2, 0, 0, 0)),
            (b"IDAT", rows),
            (b"IEND", b""),
        ]
        bomb = b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
            for kind, body in parts
        )
        source = served.hub.pictures.open_source()

        async def come(guest: aiohttp.ClientSession) -> None:
            async with guest.post(served.address + "photo", data=bomb, headers=ours(served)) as answer:
                assert answer.status == 400
                assert "another one" in (await answer.json())["told"]
            await is_well(guest, served)

        try:
            visit(come)
        finally:
            source.close()
        assert served.hub.pictures.count == before

    def test_a_message_that_is_too_long(self, served: Served) -> None:
        async def come(guest: aiohttp.ClientSession) -> None:
            async with guest.ws_connect(served.address + "player?player=0", headers=ours(served)) as line:
                await line.receive()
                await line.send_str(json.dumps({"choose": "x" * guard.MESSAGE_BYTES}))
                async for _said in line:
                    pass
                assert line.close_code == aiohttp.WSCloseCode.MESSAGE_TOO_BIG
            await is_well(guest, served)

        visit(come)


class TestGarbage:
    @pytest.mark.parametrize(
        "garbage", ["", "{", "[1]", '"x"', "null", "[" * 3000, '{"choose": {"a": [1]}}', "\0"]
    )
    def test_a_player_who_says_nonsense(self, served: Served, garbage: str) -> None:
        async def come(guest: aiohttp.ClientSession) -> None:
            async with guest.ws_connect(served.address + "player?player=0", headers=ours(served)) as line:
                await line.receive()
                await line.send_str(garbage)
                said = json.loads((await line.receive()).data)
                assert "goodbye" in said or said["done"] is False
            await is_well(guest, served)

        visit(come)
        assert served.acts == []

    @pytest.mark.parametrize("player", ["", "7", "-1", "x", "00"])
    def test_a_player_who_is_none(self, served: Served, player: str) -> None:
        async def come(guest: aiohttp.ClientSession) -> None:
            url = f"{served.address}player?player={player}"
            async with guest.ws_connect(url, headers=ours(served)) as line:
                assert "goodbye" in json.loads((await line.receive()).data)

        visit(come)

    @pytest.mark.parametrize("garbage", [b"", b"\xff\xd8\xff", b"GIF89a", os.urandom(5000), jpeg()[:40]])
    def test_a_camera_that_sends_no_pictures(self, served: Served, garbage: bytes) -> None:
        async def come(guest: aiohttp.ClientSession) -> None:
            async with guest.ws_connect(served.address + "pictures", headers=ours(served)) as line:
                await line.send_bytes(garbage)
                assert "goodbye" in json.loads((await line.receive()).data)
            await is_well(guest, served)

        visit(come)

    @pytest.mark.parametrize(
        "garbage", [b"\0" * 100, os.urandom(2000), b"GET / HTTP/9.9\r\n\r\n", b"A" * 70_000]
    )
    def test_who_does_not_speak_http(self, served: Served, garbage: bytes) -> None:
        with socket.create_connection((HOST, served.port), 10) as line:
            try:
                line.sendall(garbage + b"\r\n\r\n")
                line.recv(65536)
            except ConnectionError:
                pass  # it was cut
        visit(lambda guest: is_well(guest, served))


class TestFloods:
    def test_who_sends_too_many_messages_is_told_so_and_cut(
        self, served: Served, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sockets, "MESSAGES_S", 1e6)

        async def come(guest: aiohttp.ClientSession) -> None:
            async with guest.ws_connect(served.address + "player?player=0", headers=ours(served)) as line:
                for _ in range(sockets.MESSAGES + 5):
                    await line.send_str("{}")
                said = [message.data async for message in line]
                assert "too much at once" in said[-1]
            await is_well(guest, served)

        visit(come)

    def test_who_sends_too_many_pictures_is_cut(
        self, served: Served, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sockets, "PICTURES", 10)
        monkeypatch.setattr(sockets, "PICTURES_S", 1e6)
        picture = jpeg(64, 36)

        async def come(guest: aiohttp.ClientSession) -> None:
            async with guest.ws_connect(served.address + "pictures", headers=ours(served)) as line:
                for _ in range(20):
                    try:
                        await line.send_bytes(picture)
                    except ConnectionError:
                        break
                said = [message.data async for message in line]
                assert "too much at once" in said[-1]
            await is_well(guest, served)

        visit(come)


class TestStalls:
    def test_who_connects_and_says_nothing_is_cut(
        self, served: Served, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(entrance, "FIRST_REQUEST_S", 0.05)
        for begun in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: a\r\n"):
            with socket.create_connection((HOST, served.port), 30) as line:
                line.sendall(begun)
                assert line.recv(1) == b""

    def test_who_stalls_in_the_middle_of_a_message_is_cut(
        self, served: Served, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sockets, "SILENCE_S", 0.2)

        async def come(guest: aiohttp.ClientSession) -> None:
            async with guest.ws_connect(served.address + "pictures", headers=ours(served)) as line:
                connection = line.get_extra_info("socket")
                # The beginning of a message of a million bytes.
                os.write(connection.fileno(), b"\x82\xff" + struct.pack(">Q", 1_000_000) + b"\0" * 400)
                await is_well(guest, served)
                said = await line.receive()
                assert said.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)

        visit(come)

    def test_who_stalls_in_the_middle_of_a_photo_is_cut(
        self, served: Served, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(routes, "BODY_S", 0.2)
        begun = (
            f"POST /{served.server.secret}/photo HTTP/1.1\r\nHost: {HOST}:{served.port}\r\n"
            f"Origin: {ours(served)['Origin']}\r\nContent-Length: 100000\r\n\r\n"
        )
        with socket.create_connection((HOST, served.port), 30) as line:
            line.sendall(begun.encode() + jpeg()[:50])
            assert b" 408 " in line.recv(65536).splitlines()[0]
        visit(lambda guest: is_well(guest, served))

    def test_who_shakes_no_hands_over_https_holds_up_nobody(self, served: Served) -> None:
        port = int(served.server.address(HOST, encrypted=True).split(":")[2].split("/")[0])
        stalled = socket.create_connection((HOST, port), 10)
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE

        async def come(guest: aiohttp.ClientSession) -> None:
            url = served.server.address(HOST, encrypted=True)
            async with guest.get(url + "camera", ssl=context) as answer:
                assert answer.status == 200

        visit(come)
        stalled.close()

    def test_a_watcher_who_reads_nothing_holds_up_nobody(self, served: Served) -> None:
        request = f"GET /{served.server.secret}/events HTTP/1.1\r\nHost: {HOST}:{served.port}\r\n\r\n"
        with socket.create_connection((HOST, served.port), 10) as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            line.sendall(request.encode())
            for _ in range(200):
                served.hub.show(served.model)
            visit(lambda guest: is_well(guest, served))


def test_whoever_leaves_at_once_is_forgotten(served: Served) -> None:
    """Many come and go, most without a word of goodbye; then there is room as before."""

    async def come(guest: aiohttp.ClientSession) -> None:
        await come_and_go(served, 40)
        lines: list[aiohttp.ClientWebSocketResponse] = []
        while len(lines) < crowd.PHONES_OF_ONE:
            with contextlib.suppress(aiohttp.WSServerHandshakeError):  # it is found out soon who has left
                lines.append(await guest.ws_connect(served.address + "feed"))
        for line in lines:
            await line.close()
        await is_well(guest, served)

    visit(come)


@pytest.mark.slow
def test_five_hundred_come_and_go(served: Served) -> None:
    async def come(guest: aiohttp.ClientSession) -> None:
        await come_and_go(served, 500)
        await is_well(guest, served)

    visit(come)


async def come_and_go(served: Served, many: int) -> None:
    """Connect and leave: without a request, in the middle of one, and from an open socket."""
    secret, host = served.server.secret, f"{HOST}:{served.port}"
    upgrade = (
        f"GET /{secret}/player?player=0 HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    ).encode()
    for number in range(many):
        own = (f"127.0.0.{2 + number % 8}", 0)
        reader, writer = await asyncio.open_connection(HOST, served.port, local_addr=own)
        writer.write((b"", upgrade[:40], upgrade)[number % 3])
        await writer.drain()
        if number % 3 == 2:
            await reader.readline()
        writer.transport.abort()
