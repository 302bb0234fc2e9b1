"""Relay of network pages: brings requests to the daemon's pages.sock, a few at once."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Final

from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout, DummyCookieJar, UnixConnector, web
from msgspec import Raw
from yarl import URL

from common.web.events import ChangeFeed, stream
from common.web.guard import CLIENT, TOKEN
from common.web.server import MAX_BODY_BYTES, bad

AT_ONCE: Final = 8
MOST_QUEUED: Final = 64
MOST_STREAMS: Final = 32
MOST_READERS: Final = 64
UPSTREAM_S: Final = 30
RETRY_S: Final = 1.0
SILENCE_S: Final = 5.0
"""A daemon that lives is heard in every stream each second."""
_FORWARDED: Final = ("Accept", "Content-Type", "Cookie", "Origin", "Sec-Fetch-Site", TOKEN)
_OWN: Final = frozenset({"connection", "content-length", "date", "keep-alive", "server", "transfer-encoding"})


class Relay:
    """Answers every request with the daemon's answer; shared is the one stream that is the same for every reader."""

    def __init__(self, upstream: Path, *, shared: str, signs: frozenset[str]) -> None:
        self._upstream, self._shared, self._signs = upstream, shared, signs
        self._places = asyncio.Semaphore(AT_ONCE)
        self._queued = self._streams = 0
        self._session = ClientSession(
            connector=UnixConnector(str(upstream), limit=AT_ONCE + MOST_STREAMS + 1),
            cookie_jar=DummyCookieJar(),
            timeout=ClientTimeout(total=None, sock_connect=UPSTREAM_S, sock_read=UPSTREAM_S),
            read_bufsize=2**18,
        )
        self._feed = ChangeFeed()
        self._newest: Raw | None = None

    def application(self) -> web.Application:
        """Every path is the daemon's."""
        app = web.Application(client_max_size=MAX_BODY_BYTES)
        app.router.add_route("*", "/{path:.*}", self._answer)
        return app

    async def run(self) -> None:
        """Follows the shared stream for ever: one connection to the daemon, however many read it."""
        while True:
            if self._shared:
                with suppress(ClientError, OSError, TimeoutError):  # readers see their streams end, and come again
                    await self._follow()
                self._newest = None
                self._feed.ring()
            await asyncio.sleep(RETRY_S)

    async def close(self) -> None:
        """Ends every stream."""
        self._feed.end()
        await self._session.close()

    async def _follow(self) -> None:
        silence = ClientTimeout(total=None, sock_read=SILENCE_S)
        async with self._session.get(f"http://localhost{self._shared}", timeout=silence) as answer:
            answer.raise_for_status()
            async for line in answer.content:
                if line.startswith(b"data: "):
                    self._newest = Raw(line.removeprefix(b"data: ").strip())
                    self._feed.ring()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        if request.method not in {"GET", "POST"}:
            raise web.HTTPMethodNotAllowed(request.method, ["GET", "POST"])
        if request.path_qs == self._shared:  # a sign in another language has its own stream
            return await self._read_shared(request)
        if self._queued >= MOST_QUEUED:
            raise bad("too many requests wait; try again", "server", web.HTTPServiceUnavailable)
        self._queued += 1
        try:
            async with self._places:
                answer = await self._ask(request)
                if answer.content_type != "text/event-stream":
                    return web.Response(status=answer.status, body=await answer.read(), headers=_headers(answer))
        except (ClientError, OSError, TimeoutError) as error:
            raise self._no_daemon() from error
        finally:
            self._queued -= 1
        return await self._pipe(request, answer)

    async def _ask(self, request: web.Request) -> ClientResponse:
        url, body = request.rel_url, await request.read()
        target = URL.build(
            scheme="http", host="localhost", path=url.raw_path, query_string=url.raw_query_string, encoded=True
        )
        headers = {name: request.headers[name] for name in _FORWARDED if name in request.headers}
        headers |= {"Host": request.host, CLIENT: request.remote or ""}
        return await self._session.request(
            request.method, target, headers=headers, data=body or None, allow_redirects=False
        )

    async def _read_shared(self, request: web.Request) -> web.StreamResponse:
        if self._newest is None:
            raise self._no_daemon()
        most = MOST_READERS if request.remote not in self._signs else MOST_READERS * 1_000
        return await stream(request, self._feed, lambda: self._newest, most=most)

    async def _pipe(self, request: web.Request, answer: ClientResponse) -> web.StreamResponse:
        """A stream for one signed-in person; strangers were refused by the daemon."""
        async with answer:
            if self._streams >= MOST_STREAMS:
                raise bad("too many pages are open", "server", web.HTTPServiceUnavailable)
            self._streams += 1
            response = web.StreamResponse(status=answer.status, headers=_headers(answer))
            try:
                await response.prepare(request)
                async for chunk in answer.content.iter_any():
                    await response.write(chunk)
            except (ClientError, OSError, TimeoutError):
                pass  # the page has gone, or the daemon
            finally:
                self._streams -= 1
            return response

    def _no_daemon(self) -> web.HTTPError:
        words = f"the daemon does not answer at {self._upstream.name}; look at its unit, then load this page again"
        return bad(words, "server", web.HTTPBadGateway)


def _headers(answer: ClientResponse) -> list[tuple[str, str]]:
    return [(name, value) for name, value in answer.headers.items() if name.lower() not in _OWN]
