"""HTTP servers with bounds: connections in all and per address, deadlines for header and body."""

import asyncio
import logging
import os
import socket
import ssl
import struct
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_network
from pathlib import Path
from typing import Final, TypeAlias

from aiohttp import web
from msgspec import Struct

from common.web.server import Handler, bad

BACKLOG: Final = 256
BODY_S: Final = 10.0
NO_FILES_S: Final = 1.0
_RESET: Final = struct.pack("ii", 1, 0)
_LOG: Final = logging.getLogger("pitlink.web")
_STRANGERS: Final = logging.getLogger("pitlink.web.strangers")
_STRANGERS.setLevel(logging.CRITICAL)  # what strangers send wrongly fills no log; our own errors are in short_errors
_Inner: TypeAlias = Callable[[], asyncio.Protocol]


class Bounds(Struct, frozen=True):
    """What one listening socket may hold; header_s also bounds the TLS handshake, idle_s the time between requests."""

    most: int = 256
    most_per_address: int = 256
    header_s: float = 5.0
    idle_s: float = 75.0
    reserved: frozenset[str] = frozenset()
    most_per_reserved: int = 8


class WebServers:
    """Every listening socket of one process."""

    def __init__(self) -> None:
        self._open: list[tuple[web.AppRunner, BoundedServer]] = []

    async def listen(
        self, app: web.Application, listener: socket.socket, bounds: Bounds, tls: ssl.SSLContext | None = None
    ) -> None:
        """Serves app on this socket until close()."""
        server = BoundedServer(listener, bounds, tls)
        app.middlewares[:0] = [server.count_requests, short_errors, body_in_time]
        runner = web.AppRunner(app, access_log=None, logger=_STRANGERS, shutdown_timeout=1, lingering_time=1)
        await runner.setup()
        assert runner.server is not None
        server.start(runner.server)
        self._open.append((runner, server))

    @property
    def connections(self) -> int:
        """How many are open now."""
        return sum(server.connections for _, server in self._open)

    async def close(self) -> None:
        """Accepts nothing more and ends every connection."""
        for runner, server in self._open:
            await server.stop()
            await runner.cleanup()
            server.drop_all()
        self._open = []


def tcp_listener(host: str, port: int) -> socket.socket:
    """A listening TCP socket."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=BACKLOG)


def unix_listener(path: Path, *, group: int = -1) -> socket.socket:
    """A listening Unix socket for its owner and group; others may pass through its folder, to other sockets there."""
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(str(path))
    except OSError as error:
        listener.close()
        raise OSError(f"{path} cannot be made: {error}") from error
    with suppress(PermissionError):  # not of that group: then only our own user gets in, and the other side says so
        os.chown(path, -1, group)
    path.chmod(0o660)
    passable = path.parent.stat().st_mode | 0o011
    if passable != path.parent.stat().st_mode:
        path.parent.chmod(passable)
    listener.listen(BACKLOG)
    return listener


class BoundedServer:
    """Accepts connections for one application as far as the bounds allow.

    When all places are taken, the connection that has waited longest for its next request gives way: idle sockets keep
    nobody out. Reserved addresses have places of their own.
    """

    def __init__(self, listener: socket.socket, bounds: Bounds, tls: ssl.SSLContext | None) -> None:
        self._listener, self._bounds, self._tls = listener, bounds, tls
        self._inner: _Inner = asyncio.Protocol
        self._open: dict[asyncio.BaseProtocol, _Connection] = {}
        self._waiting: dict[_Connection, None] = {}  # the one that has waited longest comes first
        self._held: Counter[str] = Counter()
        self._accepting: asyncio.Task[None] | None = None
        listener.setblocking(False)

    @property
    def connections(self) -> int:
        """How many are open now, those of reserved addresses included."""
        return len(self._open)

    def start(self, inner: _Inner) -> None:
        """Accepts from now on; inner makes the HTTP protocol of a connection."""
        self._inner = inner
        self._accepting = asyncio.create_task(self._accept())

    async def stop(self) -> None:
        """Accepts nothing more."""
        if self._accepting is not None:
            self._accepting.cancel()
            await asyncio.wait([self._accepting])
        self._listener.close()

    def drop_all(self) -> None:
        """Ends what is still open."""
        for connection in [*self._open.values()]:
            connection.drop()

    @web.middleware
    async def count_requests(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """A connection whose request is being answered does not wait, and has no deadline here."""
        connection = self._open.get(request.protocol)
        if connection is None:  # it has gone meanwhile
            return await handler(request)
        self._waiting.pop(connection, None)
        connection.limit(None)
        try:
            return await handler(request)
        finally:
            if request.protocol in self._open:
                self._waiting[connection] = None
                connection.limit(self._bounds.idle_s)

    def release(self, connection: "_Connection") -> None:
        """A connection has ended."""
        if self._open.pop(connection.inner, None) is not None:
            self._waiting.pop(connection, None)
            self._held[connection.address] -= 1
            if not self._held[connection.address]:
                del self._held[connection.address]

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, peer = await loop.sock_accept(self._listener)
            except OSError as error:
                _LOG.warning("no connection can be accepted: %s", error)
                await asyncio.sleep(NO_FILES_S)
                continue
            address = _source(peer)
            if self._has_place(address):
                self._begin(accepted, address)
            else:
                accepted.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                accepted.close()

    def _has_place(self, address: str) -> bool:
        bounds = self._bounds
        if address in bounds.reserved:
            return self._held[address] < bounds.most_per_reserved
        if sum(map(self._held.__getitem__, bounds.reserved), bounds.most) <= len(self._open):
            oldest = next((each for each in self._waiting if each.address not in bounds.reserved), None)
            if oldest is None:
                return False
            oldest.drop()
        return self._held[address] < bounds.most_per_address

    def _begin(self, accepted: socket.socket, address: str) -> None:
        connection = _Connection(self.release, self._inner(), address)
        self._open[connection.inner] = connection
        self._waiting[connection] = None
        self._held[address] += 1
        connection.begin(accepted, self._tls, self._bounds.header_s)


class _Connection(asyncio.Protocol):
    """One connection: passes everything on to its HTTP protocol, and drops it when a deadline has passed."""

    def __init__(self, release: Callable[["_Connection"], None], inner: asyncio.Protocol, address: str) -> None:
        self.inner, self.address = inner, address
        self._release = release
        self._deadline: asyncio.TimerHandle | None = None
        self._transport: asyncio.BaseTransport | None = None
        self._handshake: asyncio.Task[None] | None = None
        self._is_dropped = self._is_connecting = False

    def begin(self, accepted: socket.socket, tls: ssl.SSLContext | None, header_s: float) -> None:
        """Makes a transport of an accepted socket."""
        self.limit(header_s)
        self._handshake = asyncio.create_task(self._connect(accepted, tls, header_s))

    def limit(self, within_s: float | None) -> None:
        """A deadline in place of the one before, or none."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if within_s is None else asyncio.get_running_loop().call_later(within_s, self.drop)

    def drop(self) -> None:
        """Ends the connection at once."""
        self._is_dropped = True
        self._end()
        if isinstance(self._transport, asyncio.Transport):
            self._transport.abort()
        elif self._is_connecting and self._handshake is not None:
            self._handshake.cancel()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self.inner.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        self.inner.data_received(data)

    def eof_received(self) -> bool | None:
        return self.inner.eof_received()

    def pause_writing(self) -> None:
        self.inner.pause_writing()

    def resume_writing(self) -> None:
        self.inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end()
        self.inner.connection_lost(exc)

    async def _connect(self, accepted: socket.socket, tls: ssl.SSLContext | None, header_s: float) -> None:
        if self._is_dropped:
            accepted.close()
            return
        self._is_connecting = True
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: self, accepted, ssl=tls, ssl_handshake_timeout=header_s if tls else None
            )
        except OSError:  # a stranger who speaks no TLS, or has gone
            self._end()

    def _end(self) -> None:
        self._release(self)
        self.limit(None)


@web.middleware
async def body_in_time(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Reads the body before the handler runs, which therefore never waits for it."""
    if request.body_exists:
        try:
            async with asyncio.timeout(BODY_S):
                await request.read()
        except TimeoutError as late:
            raise bad(f"the body did not come within {BODY_S:g} s", "body", web.HTTPRequestTimeout) from late
        except ConnectionError as gone:
            raise bad("the connection ended within the body", "body") from gone
    return await handler(request)


@web.middleware
async def short_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    """An error of ours is one line of JSON to the client; the log has the rest."""
    try:
        return await handler(request)
    except (web.HTTPException, ConnectionError):
        raise
    except Exception as error:
        _LOG.exception("%s %s failed", request.method, request.path)
        raise bad("this program has failed here; its log says why", "server", web.HTTPInternalServerError) from error


def _source(peer: object) -> str:
    """What counts as one source: an address, of IPv6 its network of 64 bits; programs of a Unix socket are one."""
    host = str(peer[0]) if isinstance(peer, tuple) else ""
    return str(ip_network((host.partition("%")[0], 64), strict=False)) if ":" in host else host
