"""One address that takes all it can get: there is room and time for the others."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import AsyncExitStack

import aiohttp
import pytest

from tests.ui.phones.conftest import HOST, Served, jpeg, ours, visit
from ui.phones import crowd
from ui.phones.crowd import Crowd, Visitor

GREEDY, OTHER, THIRD = "127.0.0.2", "127.0.0.3", "127.0.0.4"


async def guest_at(address: str, held: AsyncExitStack) -> aiohttp.ClientSession:
    """Return a guest who comes from this address."""
    connector = aiohttp.TCPConnector(local_addr=(address, 0))
    return await held.enter_async_context(aiohttp.ClientSession(connector=connector))


async def first_event(guest: aiohttp.ClientSession, served: Served) -> str:
    """Return the first thing that a page which watches is told."""
    async with guest.get(served.address + "events") as answer:
        return (await answer.content.readline()).decode()


async def feeds(
    guest: aiohttp.ClientSession, served: Served, many: int
) -> list[aiohttp.ClientWebSocketResponse]:
    return [await guest.ws_connect(served.address + "feed") for _ in range(many)]


async def is_refused(guest: aiohttp.ClientSession, served: Served) -> None:
    """Check that a script, a page that watches, and a player are told that there is no room."""
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await guest.ws_connect(served.address + "feed")
    assert refused.value.status == 503
    assert "Too many phones" in await first_event(guest, served)
    async with guest.ws_connect(served.address + "player?player=0&lang=fr", headers=ours(served)) as line:
        assert "Trop de téléphones" in json.loads((await line.receive()).data)["goodbye"]


def test_one_address_has_half_the_places(served: Served) -> None:
    async def come(_guest: aiohttp.ClientSession) -> None:
        async with AsyncExitStack() as held:
            greedy, other = await guest_at(GREEDY, held), await guest_at(OTHER, held)
            lines = await feeds(greedy, served, crowd.PHONES_OF_ONE)
            await is_refused(greedy, served)
            assert "Anna" in await first_event(other, served)
            for line in lines:
                await line.close()
            assert "Anna" in await first_event(greedy, served)

    visit(come)


def test_a_dozen_phones_and_no_more(served: Served) -> None:
    async def come(_guest: aiohttp.ClientSession) -> None:
        async with AsyncExitStack() as held:
            one, other, third = [await guest_at(each, held) for each in (GREEDY, OTHER, THIRD)]
            lines = await feeds(one, served, crowd.MOST_PHONES // 2)
            lines += await feeds(other, served, crowd.MOST_PHONES // 2)
            await is_refused(third, served)
            for line in lines:
                await line.close()
            assert "Anna" in await first_event(third, served)

    visit(come)


def connect_from(address: str, served: Served) -> socket.socket:
    return socket.create_connection((HOST, served.port), 30, source_address=(address, 0))


def is_cut(line: socket.socket) -> bool:
    """Return whether the other side has closed a connection on which nothing was said."""
    try:
        return line.recv(1) == b""
    except ConnectionError:
        return True


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[socket.socket]]:
    """Let ten connections in, five from one address; close what is put into the list."""
    monkeypatch.setattr(crowd, "MOST_CONNECTIONS", 10)
    monkeypatch.setattr(crowd, "CONNECTIONS_OF_ONE", 5)
    opened: list[socket.socket] = []
    yield opened
    for each in opened:
        each.close()


def test_one_address_has_half_the_connections(served: Served, few: list[socket.socket]) -> None:
    few += [connect_from(GREEDY, served) for _ in range(20)]
    assert all(is_cut(line) for line in few[5:])

    async def come(guest: aiohttp.ClientSession) -> None:
        async with guest.get(served.address) as answer:
            assert answer.status == 200

    visit(come)


def test_more_connections_than_are_taken_at_all(served: Served, few: list[socket.socket]) -> None:
    few += [connect_from(address, served) for address in (GREEDY, OTHER) for _ in range(5)]
    late = connect_from(THIRD, served)
    few.append(late)
    assert is_cut(late)


def test_who_shakes_no_hands_over_https_is_counted_as_well(served: Served, few: list[socket.socket]) -> None:
    port = int(served.server.address(HOST, encrypted=True).split(":")[2].split("/")[0])
    few += [socket.create_connection((HOST, port), 30, source_address=(GREEDY, 0)) for _ in range(6)]
    assert is_cut(few[5])


def test_photos_of_one_address_leave_time_for_those_of_another(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crowd, "PHOTOS_S", 1e6)

    async def post(guest: aiohttp.ClientSession) -> int:
        async with guest.post(served.address + "photo", data=jpeg(), headers=ours(served)) as answer:
            return answer.status

    async def come(_guest: aiohttp.ClientSession) -> None:
        async with AsyncExitStack() as held:
            greedy, other = await guest_at(GREEDY, held), await guest_at(OTHER, held)
            answers = [await post(greedy) for _ in range(crowd.PHOTOS + 2)]
            assert answers == [200] * crowd.PHOTOS + [429] * 2
            assert await post(other) == 200

    visit(come)


def test_who_asks_for_pages_without_end_is_told_so_and_cut(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crowd, "REQUESTS", 20)
    monkeypatch.setattr(crowd, "REQUESTS_S", 1e6)

    async def come(_guest: aiohttp.ClientSession) -> None:
        async with AsyncExitStack() as held:
            greedy, other = await guest_at(GREEDY, held), await guest_at(OTHER, held)
            for _ in range(20):
                async with greedy.get(served.address + "style.css") as answer:
                    assert answer.status == 200
            async with greedy.get(served.address + "style.css") as answer:
                assert answer.status == 429
                assert "too much at once" in await answer.text()
                assert answer.headers["Connection"] == "close"
            # After as many connections, none is taken from there.
            for _ in range(20):
                await asyncio.to_thread(lambda: connect_from(GREEDY, served).close())
            late = await asyncio.to_thread(connect_from, GREEDY, served)
            assert await asyncio.to_thread(is_cut, late)
            late.close()
            assert "Anna" in await first_event(other, served)

    visit(come)


def test_addresses_that_have_gone_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "MOST_REMEMBERED", 3)
    those = Crowd()
    with socket.socket() as stays, those.stays("10.0.0.2"):
        assert those.lets_in("10.0.0.1", stays)
        known = {name: those.visitor(f"10.0.0.{name}") for name in range(1, 4)}
        assert isinstance(those.visitor("10.0.0.4"), Visitor)
        assert [those.visitor(f"10.0.0.{name}") is known[name] for name in range(1, 4)] == [True, True, False]
