"""What goes over connections that stay open: pictures and choices in; states, advice and the feed out."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from typing import Any

from aiohttp import WSCloseCode, WSMsgType, web

from ui.phones.guard import SILENCE_S, Pace
from ui.phones.hub import Listener, PhoneHub
from ui.text.catalogue import _, speaking
from ui.text.phones import words
from vision.errors import ImageError

WRITE_S = 10.0
"""A guest that takes nothing for so long is cut."""
ALIVE_S = 10.0
"""How often a stream of events says that it is there."""
MESSAGES, MESSAGES_S = 30, 10.0
PICTURES, PICTURES_S = 90, 2.0
CAMERA = "camera"
"""The seat of the phone that films; that of a player is the player's number."""


class Line(web.WebSocketResponse):
    """An open WebSocket."""

    language = "en"
    """Of the page."""
    is_page = True
    """Whether one of our pages listens, and no script."""


class Seats:
    """Who sits where: for each player, and as the camera, the newest phone alone."""

    def __init__(self) -> None:
        """Begin with empty seats."""
        self._taken: dict[Hashable, Line] = {}
        self._open: set[web.StreamResponse] = set()
        self._goodbyes: set[asyncio.Task[None]] = set()
        self.is_over = asyncio.Event()
        """Set once the game was left."""

    @contextlib.asynccontextmanager
    async def taken(self, seat: Hashable, socket: Line, goodbye: str) -> AsyncIterator[None]:
        """Sit down for as long as this lasts; whoever sits there is told why, and goes."""
        before = self._taken.get(seat)
        self._taken[seat] = socket
        if before is not None:  # it may be dead, which nobody waits for
            task = asyncio.ensure_future(say_and_close(before, goodbye))
            self._goodbyes.add(task)
            task.add_done_callback(self._goodbyes.discard)
        try:
            yield
        finally:
            if self._taken.get(seat) is socket:
                del self._taken[seat]

    @contextlib.contextmanager
    def stays(self, response: web.StreamResponse) -> Any:
        """Remember a connection, so that it can be ended."""
        self._open.add(response)
        try:
            yield
        finally:
            self._open.discard(response)

    async def close_all(self, sentence: str) -> None:
        """Tell every page a sentence, and end the connections."""
        self.is_over.set()
        sockets = [each for each in self._open if isinstance(each, Line)]
        await asyncio.gather(*(say_and_close(each, sentence) for each in sockets), return_exceptions=True)


async def say_and_close(socket: Line, sentence: str, code: int = WSCloseCode.OK) -> None:
    """Say why, in the language of the page, and close."""
    text = _text(_goodbye(sentence, socket.language))
    with contextlib.suppress(ConnectionError, RuntimeError, TimeoutError):
        if socket.is_page:
            await asyncio.wait_for(socket.send_str(text), 1.0)
        await socket.close(code=code)


async def play(socket: Line, hub: PhoneHub, seats: Seats, player: int | None, language: str) -> None:
    """Show a player the game, and take the player's choices."""
    socket.language = language
    if player is None:
        await say_and_close(socket, words.NOT_UNDERSTOOD, WSCloseCode.POLICY_VIOLATION)
        return

    async def tell(listener: Listener) -> None:
        last = None
        while True:
            await listener.changed.wait()
            listener.changed.clear()
            view = hub.view(language)
            state = None if view is None else view.for_player(player)
            if state != last:
                last = state
                await _send(socket, {"state": state})

    async def hear(data: object) -> bool:
        found = _object(data)
        if found is None:
            return False
        if (choice := found.get("choose")) is not None:
            refused = hub.choose(player, str(choice)[:40])
            with speaking(language):
                told = _(refused) if refused else _(words.SENT)
            await _send(socket, {"told": told, "done": not refused})
        return True

    async with seats.taken(player, socket, words.OTHER_PHONE_PLAYS):
        await _converse(socket, hub, seats, tell, hear, Pace(MESSAGES, MESSAGES_S))


async def film(socket: Line, hub: PhoneHub, seats: Seats, language: str) -> None:
    """Take a phone's pictures, one after the other, and tell it what to improve.

    Each picture is answered, and the page sends the next ones only then: nothing piles up on the way.
    """
    socket.language = language

    async def tell(listener: Listener) -> None:
        last: tuple[str, ...] = ()
        while True:
            await listener.changed.wait()
            listener.changed.clear()
            if hub.advice != last:
                last = hub.advice
                await _send(socket, {"advice": list(last)})

    async def hear(data: object) -> bool:
        if isinstance(data, str):
            return _object(data) is not None  # the page says that it is there
        assert isinstance(data, bytes)
        try:
            await asyncio.to_thread(hub.pictures.put, data)
        except ImageError:
            return False
        await _send(socket, {"taken": hub.pictures.count})
        return True

    async with seats.taken(CAMERA, socket, words.OTHER_PHONE_FILMS):
        await _converse(socket, hub, seats, tell, hear, Pace(PICTURES, PICTURES_S))


async def feed_lines(socket: Line, hub: PhoneHub, seats: Seats) -> None:
    """Send what the referee says from now on, one JSON object a message."""
    socket.is_page = False

    async def tell(listener: Listener) -> None:
        while (line := await listener.lines.get()) is not None:
            await asyncio.wait_for(socket.send_str(line), WRITE_S)

    async def hear(_data: object) -> bool:
        return True  # a script may say what it likes, at a moderate pace

    await _converse(socket, hub, seats, tell, hear, Pace(MESSAGES, MESSAGES_S), may_be_silent=True)


async def watch_states(response: web.StreamResponse, hub: PhoneHub, language: str, seats: Seats) -> None:
    """Send each new state as a server-sent event, until the page goes or the game is left."""
    listener = hub.listen()
    last: object = ()
    try:
        with seats.stays(response):
            while not seats.is_over.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(listener.changed.wait(), ALIVE_S)
                listener.changed.clear()
                view = hub.view(language)
                state = None if view is None else view.public
                text = ": here\n\n" if state == last else f"data: {_text(state)}\n\n"
                last = state
                await asyncio.wait_for(response.write(text.encode()), WRITE_S)
        await tell_goodbye(response, words.GAME_LEFT, language)
    except (ConnectionError, TimeoutError):
        pass  # the page went
    finally:
        hub.leave(listener)


async def tell_goodbye(response: web.StreamResponse, sentence: str, language: str) -> None:
    """Tell a page that watches why it is told nothing more."""
    with contextlib.suppress(ConnectionError, TimeoutError):
        text = f"data: {_text(_goodbye(sentence, language))}\n\n"
        await asyncio.wait_for(response.write(text.encode()), 1.0)


async def _converse(
    socket: Line,
    hub: PhoneHub,
    seats: Seats,
    tell: Callable[[Listener], Awaitable[None]],
    hear: Callable[[object], Awaitable[bool]],
    pace: Pace,
    *,
    may_be_silent: bool = False,
) -> None:
    """Tell and hear until one of both ends."""
    listener = hub.listen()
    telling = asyncio.ensure_future(_tell_all(socket, listener, tell))
    try:
        with seats.stays(socket):
            await _hear_all(socket, hear, pace, None if may_be_silent else SILENCE_S)
    finally:
        telling.cancel()
        hub.leave(listener)
        with contextlib.suppress(asyncio.CancelledError):
            await telling


async def _tell_all(socket: Line, listener: Listener, tell: Callable[[Listener], Awaitable[None]]) -> None:
    with contextlib.suppress(ConnectionError, TimeoutError, RuntimeError):
        await tell(listener)
    await socket.close()


async def _hear_all(
    socket: Line,
    hear: Callable[[object], Awaitable[bool]],
    pace: Pace,
    silence_s: float | None,
) -> None:
    while True:
        try:
            message = await asyncio.wait_for(socket.receive(), silence_s)
        except TimeoutError:  # it stalls, perhaps in the middle of a message
            await socket.close(code=WSCloseCode.POLICY_VIOLATION)
            return
        if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
            return
        if pace.is_too_fast():
            await say_and_close(socket, words.TOO_FAST, WSCloseCode.POLICY_VIOLATION)
            return
        with contextlib.suppress(ConnectionError, TimeoutError, RuntimeError):
            if await hear(message.data):
                continue
        await say_and_close(socket, words.NOT_UNDERSTOOD, WSCloseCode.UNSUPPORTED_DATA)
        return


async def _send(socket: Line, told: object) -> None:
    await asyncio.wait_for(socket.send_str(_text(told)), WRITE_S)


def _goodbye(sentence: str, language: str) -> dict[str, str]:
    with speaking(language):
        return {"goodbye": _(sentence)}


def _text(told: object) -> str:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def _object(data: object) -> dict[str, Any] | None:
    """Return the JSON object in a text message; None for anything else."""
    if not isinstance(data, str):
        return None
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
