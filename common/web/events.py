"""Server-sent events: a change feed wakes every open page with the new view."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Final, TypeAlias

import msgspec
from aiohttp import web

BEAT_S: Final = 1.0
PACE_S: Final = 0.02
RETRY_MS: Final = 500
MOST_STREAMS: Final = 32
Look: TypeAlias = Callable[[], object | None]


class ChangeFeed:
    """Nobody who listens misses a ring; many rings at once are one."""

    def __init__(self) -> None:
        self.rings = 0
        self.streams: Counter[tuple[str, bool]] = Counter()
        """How many follow each page, at this machine or relayed: strangers at one do not keep people from another."""
        self.is_over = False
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Something has changed."""
        self.rings += 1
        self._rung.set()
        self._rung = asyncio.Event()

    def end(self) -> None:
        """Rings for the last time: every stream ends."""
        self.is_over = True
        self.ring()

    async def after(self, heard: int, within_s: float) -> None:
        """Waits for a ring after the one that was heard, or until the time is over."""
        if self.rings == heard:
            try:
                async with asyncio.timeout(within_s):
                    await self._rung.wait()
            except TimeoutError:
                return


async def stream(
    request: web.Request,
    feed: ChangeFeed,
    look: Look,
    every_s: float = BEAT_S,
    pace_s: float = PACE_S,
    most: int = MOST_STREAMS,
) -> web.StreamResponse:
    """Server-sent events: what look() shows, on every change and every_s; a beat if nothing is new.

    The beat lets a page tell a quiet daemon from a lost one; look() ends the stream by showing None. Nothing is sent
    sooner than pace_s after what was sent before.
    """
    place = request.path, bool(request.remote)
    if feed.streams[place] >= most:
        raise web.HTTPServiceUnavailable(text="too many pages are open")
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
    feed.streams[place] += 1
    try:
        await response.prepare(request)
        await response.write(b"retry: %d\n" % RETRY_MS)
        await _follow(response, feed, look, every_s=every_s, pace_s=pace_s)
    except ConnectionResetError:
        pass  # the page has gone; that is how every stream ends
    finally:
        feed.streams[place] -= 1
    return response


async def _follow(response: web.StreamResponse, feed: ChangeFeed, look: Look, *, every_s: float, pace_s: float) -> None:
    last = b""
    while not feed.is_over:
        heard, shown = feed.rings, look()
        if shown is None:
            return
        body = msgspec.json.encode(shown)
        await response.write(b"event: beat\ndata:\n\n" if body == last else b"data: " + body + b"\n\n")
        last = body
        await asyncio.sleep(pace_s)
        await feed.after(heard, every_s)
