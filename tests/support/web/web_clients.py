"""Clients of a daemon: a program at its control.sock, a browser of another machine at its network pages."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from aiohttp import ClientResponse, ClientSession, CookieJar, TCPConnector, UnixConnector

from common.pages.server import BOUNDS, PagesServer
from common.tls import PagesTls
from common.web.bounded_server import Bounds


def program_session(control: Path) -> ClientSession:
    """A program at this socket."""
    return ClientSession("http://localhost", connector=UnixConnector(str(control)))


@asynccontextmanager
async def network_pages(
    tls: PagesTls, upstream: Path, *, shared: str = "", bounds: Bounds = BOUNDS
) -> AsyncIterator[tuple[str, ClientSession]]:
    """The address of a daemon's network pages, and a browser that believes their certificate."""
    connector = TCPConnector(ssl=ssl.create_default_context(cafile=tls.certificate), limit=0)
    async with (
        PagesServer(tls, upstream, shared=shared, bounds=bounds) as pages,
        ClientSession(connector=connector, cookie_jar=CookieJar(unsafe=True)) as browser,
    ):
        yield f"https://localhost:{pages.port}", browser


async def opened(streams: AsyncExitStack, browser: ClientSession, url: str) -> ClientResponse:
    """A stream that stays open; the relay hears the daemon a moment after it has begun."""
    async with asyncio.timeout(30):
        while (answer := await browser.get(url)).status != 200:
            answer.close()
            await asyncio.sleep(0.05)
    streams.callback(answer.close)
    return answer
