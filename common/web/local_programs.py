"""The guard of an interface for programs: those of this machine's same user or of root, and no browser."""

import asyncio
import os
import sys
from collections.abc import Container, Iterator
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import Final
from weakref import WeakKeyDictionary

from aiohttp import web

from common.web.server import Handler, bad

ROOT: Final = 0
_ESTABLISHED: Final = "01"
_TABLES: Final = (Path("/proc/self/net/tcp"), Path("/proc/self/net/tcp6"))  # there even where a unit hides the rest


class Peers:
    """Asks once for each connection, in another thread: the kernel's table may be long."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[asyncio.BaseTransport, bool] = WeakKeyDictionary()

    async def is_one_of_us(self, transport: asyncio.BaseTransport | None) -> bool:
        """Whether the peer is a program of our own user or of root, on this machine."""
        if transport is None:
            return False
        if transport not in self._known:
            peer, own = transport.get_extra_info("peername"), transport.get_extra_info("sockname")
            self._known[transport] = bool(peer and own) and await asyncio.to_thread(_is_ours, peer[:2], own[:2])
        return self._known[transport]


def owner(local: tuple[str, int], remote: tuple[str, int]) -> int | None:
    """The user whose open connection has these two ends, or None if nobody's has."""
    ends = _written(local), _written(remote)
    return next((user for mine, other, user in _sockets() if (mine, other) == ends), None)


def _is_ours(peer: tuple[str, int], own: tuple[str, int]) -> bool:
    if not ip_address(peer[0]).is_loopback:
        return False
    return is_run_by({os.getuid(), ROOT}, peer, own)


def is_run_by(users: Container[int], peer: tuple[str, int], own: tuple[str, int]) -> bool:
    """Whether a program of one of these users is at the other end of a loopback connection."""
    # Elsewhere than on Linux nobody says whose socket it is; daemons run on Linux, other systems only show the demo.
    if sys.platform != "linux":
        return True
    # The kernel shows root for a socket that nobody has any more: one that is still open later had its owner before.
    return owner(peer, own) in users and owner(peer, own) is not None


def _sockets() -> Iterator[tuple[str, str, int]]:
    for table in _TABLES:
        if table.is_file():
            for line in table.read_text(encoding="ascii").splitlines()[1:]:
                words = line.split()
                if words[3] == _ESTABLISHED:
                    yield words[1], words[2], int(words[7])


def _written(end: tuple[str, int]) -> str:
    """An address and port as the kernel's table has them: words of four bytes in the machine's own order."""
    address = ip_address(end[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    words = (address.packed[place : place + 4] for place in range(0, len(address.packed), 4))
    return "".join(f"{int.from_bytes(word, sys.byteorder):08X}" for word in words) + f":{end[1]:04X}"


class ProgramsOnly:
    """Lets programs through and sends people to the pages where they show who they are."""

    def __init__(self, *, people_use: str) -> None:
        self._people_use, self._peers = people_use, Peers()

    def __call__(self, handler: Handler) -> Handler:
        """This handler behind the guard."""

        async def guarded(request: web.Request) -> web.StreamResponse:
            if "Origin" in request.headers or "Sec-Fetch-Site" in request.headers:
                words = f"this interface is for programs; people use {self._people_use}"
                raise bad(words, "Origin", web.HTTPForbidden)
            if not await self._peers.is_one_of_us(request.transport):
                raise bad("another user's program may not do this", "user", web.HTTPForbidden)
            return await handler(request)

        return guarded
