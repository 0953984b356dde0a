"""The phones of the benchmarks: a process of their own, which speaks to the server as the pages do."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import time
from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from multiprocessing.connection import Connection

import aiohttp
import cv2
import numpy as np

from tests.places import SAMPLES
from ui.phones.pages import static_files
from vision.imaging.arrays import ImageU8

SIZE_WH = (1280, 720)
QUALITY = 85
PICTURES_A_SECOND = 20
MOST_ON_THE_WAY = 2
"""As `ui/web/camera.js` has it."""
ALIVE_S = 8.0
HELD_S, HAND_S = 3.0, 0.8
"""How long a table of the film lies still, and how long a hand is over it."""
STAMP_BITS, STAMP_PX, DARK, LIGHT = 24, 16, 226, 250
"""Two greys that the motion gate takes for glare: a stamp does not move the table."""


def now_ms() -> int:
    """Return the time of the clock, as far as a stamp can tell it."""
    return int(time.time() * 1000) % 2**STAMP_BITS


def stamp(image_bgr: ImageU8, value: int) -> None:
    """Write a number into the upper left corner of a (H, W, 3) uint8 picture."""
    for bit in range(STAMP_BITS):
        left = bit * STAMP_PX
        image_bgr[:STAMP_PX, left : left + STAMP_PX] = LIGHT if value >> bit & 1 else DARK


def read_stamp(image_bgr: ImageU8) -> int | None:
    """Return the number in the corner; None where there is none."""
    greys = [
        float(image_bgr[4:12, bit * STAMP_PX + 4 : bit * STAMP_PX + 12].mean()) for bit in range(STAMP_BITS)
    ]
    if any(min(abs(grey - DARK), abs(grey - LIGHT)) > 8 for grey in greys):
        return None
    return sum(int(grey > (DARK + LIGHT) / 2) << bit for bit, grey in enumerate(greys))


class TableFilm:
    """The sample game as a phone films it, over and over."""

    def __init__(self) -> None:
        """Read the pictures."""
        self._pictures: list[tuple[float, ImageU8]] = []
        until_s = 0.0
        for path in sorted((SAMPLES / "game").glob("*.jpg")):
            image = cv2.imread(str(path))
            assert image is not None
            until_s += HAND_S if path.stem.endswith("-hand") else HELD_S
            self._pictures.append((until_s, cv2.resize(image, SIZE_WH).astype(np.uint8)))
        self.length_s = until_s

    def at(self, time_s: float) -> ImageU8:
        """Return the picture at a time, with the clock's time in its corner."""
        time_s %= self.length_s
        image = next(image for until_s, image in self._pictures if time_s < until_s).copy()
        stamp(image, now_ms())
        return image


def jpeg(image_bgr: ImageU8) -> bytes:
    """Return a picture as a phone sends it."""
    return cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def untrusting() -> ssl.SSLContext:
    """Return https as of a phone that was told to go on."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def origin(address: str) -> dict[str, str]:
    """Return what a browser says of our pages."""
    return {"Origin": "/".join(address.split("/")[:3])}


async def film(guest: aiohttp.ClientSession, address: str, film: TableFilm, until_s: float) -> None:
    """Be the camera, until a time of `time.monotonic`; back-pressure as on the page."""
    began_s, on_the_way = time.monotonic(), asyncio.Semaphore(MOST_ON_THE_WAY)
    url = address + "pictures"
    async with guest.ws_connect(url, headers=origin(address), ssl=untrusting(), max_msg_size=0) as line:

        async def hear() -> None:
            async for message in line:
                if "taken" in str(message.data):
                    on_the_way.release()

        hearing = asyncio.ensure_future(hear())
        with contextlib.suppress(ConnectionError):
            for number in count(1):
                if hearing.done() or time.monotonic() > until_s:
                    break
                await on_the_way.acquire()
                picture = await asyncio.to_thread(lambda: jpeg(film.at(time.monotonic() - began_s)))
                await line.send_bytes(picture)
                due_s = began_s + number / PICTURES_A_SECOND
                await asyncio.sleep(max(0.0, due_s - time.monotonic()))
        hearing.cancel()


async def load(guest: aiohttp.ClientSession, address: str, page: str) -> None:
    """Load a page with everything that belongs to it."""
    for name in (page, *static_files()):
        async with guest.get(address + name) as answer:
            await answer.read()


async def play(guest: aiohttp.ClientSession, address: str, player: int) -> None:
    """Have a player's page open, until it is told to go."""
    await load(guest, address, f"play?player={player}")
    url = f"{address}player?player={player}&lang=fr"
    async with guest.ws_connect(url, headers=origin(address)) as line:

        async def say_here() -> None:
            while True:
                await asyncio.sleep(ALIVE_S)
                await line.send_str("{}")

        saying = asyncio.ensure_future(say_here())
        try:
            async for _message in line:
                pass
        finally:
            saying.cancel()


async def watch(guest: aiohttp.ClientSession, address: str, told: Callable[[], None]) -> None:
    """Have a page open that watches, and tell of each new state."""
    await load(guest, address, "watch")
    async with guest.get(address + "events") as answer:
        async for line in answer.content:
            if line.startswith(b"data: {"):
                told()


async def for_a_while(what: Callable[[aiohttp.ClientSession], Awaitable[None]], seconds: float) -> None:
    """Do something as a new guest, and leave in the middle of it without a word."""
    no_limit = aiohttp.ClientTimeout(total=None)
    with contextlib.suppress(TimeoutError, aiohttp.ClientError, ConnectionError):
        async with aiohttp.ClientSession(timeout=no_limit, read_bufsize=2**20) as guest:
            await asyncio.wait_for(what(guest), seconds)


def listen(addresses: Sequence[str], arrivals: Connection) -> None:
    """Run three players and a page that watches; say through `arrivals` when it is told a state."""

    async def run() -> None:
        address = addresses[0]
        hour_s = 3600.0
        await asyncio.gather(
            *(for_a_while(lambda guest, at=at: play(guest, address, at), hour_s) for at in range(3)),  # type: ignore[misc]
            for_a_while(lambda guest: watch(guest, address, lambda: arrivals.send(time.monotonic())), hour_s),
        )

    asyncio.run(run())


def film_on(addresses: Sequence[str], seconds: float) -> None:
    """Be the camera for a while."""
    table, until_s = TableFilm(), time.monotonic() + seconds
    asyncio.run(for_a_while(lambda guest: film(guest, addresses[1], table, until_s), seconds + 60))


def five_phones(addresses: Sequence[str], seconds: float) -> None:
    """Be three players, a page that watches, and the camera, each of which leaves and comes back."""
    http, https = addresses
    table, until_s = TableFilm(), time.monotonic() + seconds

    async def again(what: Callable[[aiohttp.ClientSession], Awaitable[None]], stay_s: float) -> None:
        while (left_s := until_s - time.monotonic()) > 1:
            await for_a_while(what, min(stay_s, left_s))

    async def run() -> None:
        await asyncio.gather(
            again(lambda guest: play(guest, http, 0), 40.0),
            again(lambda guest: play(guest, http, 1), 50.0),
            again(lambda guest: play(guest, http, 2), 60.0),
            again(lambda guest: watch(guest, http, lambda: None), 70.0),
            again(lambda guest: film(guest, https, table, until_s), 2 * table.length_s),
        )

    asyncio.run(run())
