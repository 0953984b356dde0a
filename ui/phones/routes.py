"""Every address that is answered, and with what: nothing without the secret but a page that says so."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from aiohttp import WSCloseCode, web

from ui.phones import guard
from ui.phones.guard import BODY_S, Guard
from ui.phones.pages import PAGES, page, plain_page, players_page, static_files, wanted_language
from ui.phones.sockets import Line, Seats, feed_lines, film, play, say_and_close, tell_goodbye, watch_states
from ui.text.catalogue import _, languages, speaking
from ui.text.phones import words
from vision.errors import ImageError
from vision.sources.pushed_pictures import MAX_BYTES

if TYPE_CHECKING:
    from ui.phones.crowd import Crowd
    from ui.phones.hub import PhoneHub

_LOG = logging.getLogger(__name__)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Routes:
    """Answers requests; lives on the server's thread."""

    def __init__(self, hub: PhoneHub, door: Guard, crowd: Crowd) -> None:
        """Begin without guests."""
        self._hub, self._guard, self._crowd = hub, door, crowd
        self._seats = Seats()
        self.https_ports: dict[str, int] = {}
        """Host and port of http -> the port of https."""
        self.http_ports: dict[str, int] = {}
        self.silent: set[web.RequestHandler] = set()
        """New connections on which no whole request has come."""
        self._sockets: dict[str, Callable[[Line, web.Request], Awaitable[None]]] = {
            "player": self._play,
            "pictures": self._film,
            "feed": self._feed,
        }

    def application(self) -> web.Application:
        """Return the application: one handler for every address."""
        application = web.Application(client_max_size=MAX_BYTES)
        application.router.add_route("*", "/{all:.*}", self._answer)
        application.on_response_prepare.append(self._dress)
        return application

    async def say_goodbye(self) -> None:
        """Tell the pages that the game was left."""
        await self._seats.close_all(words.GAME_LEFT)
        self._hub.wake()

    async def _dress(self, request: web.Request, response: web.StreamResponse) -> None:
        guard.dress(response, [("Content-Security-Policy", guard.content_policy(self._host(request)))])

    def _host(self, request: web.Request) -> str:
        """Return how the browser calls us; one of our own addresses, whatever it says."""
        return request.host if self._guard.is_our_host(request.host) else "localhost"

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        self.silent.discard(request.protocol)
        language = wanted_language(request.headers.get("Accept-Language", ""))
        if self._crowd.visitor(_address(request)).requests.is_too_fast():
            refused = _plain(words.TOO_FAST, language, 429)
            refused.force_close()
            return refused
        told, _slash, rest = request.path.removeprefix("/").partition("/")
        if not self._guard.knows(told) or not self._guard.is_our_host(request.host):
            return _plain(words.NO_SECRET, language, 403)
        if not _slash:
            return web.Response(status=307, headers={"Location": f"/{told}/"})
        try:
            return await self._serve(request, rest, language)
        except (web.HTTPException, asyncio.CancelledError, ConnectionError):
            raise
        except Exception:  # the one catch-all for requests
            _LOG.exception("A page for phones")
            return _plain(words.FAILED, language, 500)

    async def _serve(self, request: web.Request, name: str, language: str) -> web.StreamResponse:
        if request.method == "POST" and name == "photo":
            return await self._take_photo(request, language)
        if request.method != "GET":
            return _plain(words.NOT_UNDERSTOOD, language, 405)
        if name in self._sockets:
            return await self._connect(request, name, language)
        if name == "events":
            return await self._events(request, language)
        if name in static_files():
            body, kind = static_files()[name]
            return web.Response(body=body, content_type=kind, charset="utf-8")
        return self._page(request, name, language)

    def _page(self, request: web.Request, name: str, language: str) -> web.Response:
        if name == "":
            view = self._hub.view(language)
            players = [] if view is None else [each["name"] for each in view.public["players"]]
            return _html(players_page(language, players))
        if name not in PAGES[1:]:
            return _plain(words.NO_SECRET, language, 404)
        if name == "before" and request.scheme == "https":
            return web.Response(status=307, headers={"Location": "camera"})
        host = request.host.rpartition(":")[0]
        encrypted = f"https://{host}:{self.https_ports.get(request.host, 0)}{request.path}"
        plain = f"http://{host}:{self.http_ports.get(request.host, 0)}{request.path}"
        own = request.path.rpartition("/")[2]
        values = {
            "https": encrypted.removesuffix(own) + "camera",
            "http": "photos" if request.scheme == "http" else plain.removesuffix(own) + "photos",
        }
        return _html(page(name, language, values))

    async def _take_photo(self, request: web.Request, language: str) -> web.Response:
        """Take a single photo of a table at rest."""
        if not self._guard.comes_from_us(request):
            return _plain(words.NO_SECRET, language, 403)
        if self._crowd.visitor(_address(request)).photos.is_too_fast():
            return _told(words.TOO_FAST, language, 429)
        try:
            async with asyncio.timeout(BODY_S):
                data = await request.read()
            await asyncio.to_thread(self._hub.pictures.put, data, is_photo=True)
        except (ImageError, web.HTTPRequestEntityTooLarge):
            return _told(words.PHOTO_REFUSED, language, 400)
        except TimeoutError:
            return _told(words.PHOTO_REFUSED, language, 408)
        return _told(words.PHOTO_TAKEN, language, 200)

    async def _events(self, request: web.Request, language: str) -> web.StreamResponse:
        """Send the states of the game as server-sent events."""
        address, language = _address(request), _language(request, language)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8"})
        await response.prepare(request)
        if not self._crowd.has_room(address):
            await tell_goodbye(response, words.TOO_MANY, language)
            return response
        with self._crowd.stays(address):
            await watch_states(response, self._hub, language, self._seats)
        return response

    async def _connect(self, request: web.Request, name: str, language: str) -> web.StreamResponse:
        """Open a WebSocket for a page of ours; the feed is for scripts as well."""
        if not self._guard.comes_from_us(request, scripts=name == "feed"):
            return _plain(words.NO_SECRET, language, 403)
        most = MAX_BYTES if name == "pictures" else guard.MESSAGE_BYTES
        socket = Line(max_msg_size=most, timeout=1.0, heartbeat=10.0, compress=False)
        if not socket.can_prepare(request).ok:
            return _plain(words.NOT_UNDERSTOOD, language, 400)
        address = _address(request)
        if not self._crowd.has_room(address) and name == "feed":
            return _told(words.TOO_MANY, language, 503)
        await socket.prepare(request)
        if not self._crowd.has_room(address):  # a page learns the reason only once it is connected
            socket.language = _language(request, language)
            await say_and_close(socket, words.TOO_MANY, WSCloseCode.TRY_AGAIN_LATER)
            return socket
        with self._crowd.stays(address):
            await self._sockets[name](socket, request)
        return socket

    async def _play(self, socket: Line, request: web.Request) -> None:
        number = request.query.get("player", "")
        player = int(number) if number in {"0", "1", "2", "3", "4", "5"} else None
        await play(socket, self._hub, self._seats, player, _language(request, "en"))

    async def _film(self, socket: Line, request: web.Request) -> None:
        await film(socket, self._hub, self._seats, _language(request, "en"))

    async def _feed(self, socket: Line, _request: web.Request) -> None:
        await feed_lines(socket, self._hub, self._seats)


def _address(request: web.Request) -> str:
    """Return the address of the phone."""
    return request.remote or ""


def _language(request: web.Request, otherwise: str) -> str:
    """Return the language that a page says it is in."""
    told = request.query.get("lang", otherwise)
    return told if told in languages() else otherwise


def _html(text: str, status: int = 200) -> web.Response:
    return web.Response(text=text, status=status, content_type="text/html")


def _plain(sentence: str, language: str, status: int) -> web.Response:
    """Return a page that says one sentence."""
    return _html(plain_page(sentence, language), status)


def _told(sentence: str, language: str, status: int) -> web.Response:
    """Return one sentence for a script of ours to show."""
    with speaking(language):
        text = json.dumps({"told": _(sentence)}, ensure_ascii=False)
    return web.Response(text=text, status=status, content_type="application/json")
