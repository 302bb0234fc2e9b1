"""Server of network pages: TLS, bounded connections, and the relay behind them."""

import asyncio
from pathlib import Path
from typing import Final, Self

from msgspec.structs import replace

from common.pages.relay import Relay
from common.tls import PagesTls
from common.web.bounded_server import Bounds, WebServers, tcp_listener

BOUNDS: Final = Bounds(most=512, most_per_address=24, header_s=5.0, idle_s=15.0)


class PagesServer:
    """Serves a daemon's pages to other machines; shared is the path of the stream that signs read, if it has one."""

    def __init__(self, tls: PagesTls, upstream: Path, *, shared: str = "", bounds: Bounds = BOUNDS) -> None:
        self._tls, self._upstream, self._shared = tls, upstream, shared
        self._bounds = replace(bounds, reserved=frozenset(tls.signs))
        self._servers = WebServers()
        self.port = 0

    async def __aenter__(self) -> Self:
        context, listener = self._tls.context(), tcp_listener(self._tls.host, self._tls.port)
        self.port = listener.getsockname()[1]
        self._relay = Relay(self._upstream, shared=self._shared, signs=self._bounds.reserved)
        self._following = asyncio.create_task(self._relay.run())
        await self._servers.listen(self._relay.application(), listener, self._bounds, context)
        return self

    @property
    def connections(self) -> int:
        """How many are open now, those of signs included."""
        return self._servers.connections

    async def __aexit__(self, *_: object) -> None:
        self._following.cancel()
        await asyncio.wait([self._following])
        await self._relay.close()
        await self._servers.close()
