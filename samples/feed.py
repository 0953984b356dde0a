"""Rings when the referee of a running game finds mayhem: python samples/feed.py ws://ADDRESS/feed."""

import asyncio
import sys

import aiohttp


async def listen(address: str) -> None:
    """Print what must be resolved, with a bell."""
    async with aiohttp.ClientSession() as session, session.ws_connect(address) as feed:
        async for message in feed:
            line = message.json()
            if line["event"] in ("verdict", "missed", "end"):
                print("\a", line["turn"], line["event"], line.get("verdict") or line.get("winner"))


asyncio.run(listen(sys.argv[1]))
