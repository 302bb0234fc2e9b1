"""Whose program is at the other end: only of an open connection does the kernel know."""

import asyncio
import os
import socket
from collections.abc import Iterator

import pytest

from common.web import local_programs
from common.web.local_programs import Peers, owner

Ends = tuple[socket.socket, socket.socket]


@pytest.fixture
def ends() -> Iterator[Ends]:
    """A program and the daemon it has reached."""
    with (
        socket.create_server(("127.0.0.1", 0)) as authenticator,
        socket.create_connection(authenticator.getsockname()) as program,
    ):
        daemon, _ = authenticator.accept()
        with daemon:
            yield program, daemon


def test_an_open_connection_has_its_owner(ends: Ends) -> None:
    """The user whose program it is."""
    _, daemon = ends
    assert owner(daemon.getpeername(), daemon.getsockname()) == os.getuid()


async def test_a_program_that_has_hung_up_is_nobody(ends: Ends) -> None:
    """The kernel shows root for its socket, whoever it was: an order left behind is not root's."""
    program, daemon = ends
    far, own = daemon.getpeername(), daemon.getsockname()
    reader, writer = await asyncio.open_connection(sock=daemon)
    program.close()
    assert await reader.read() == b""
    assert owner(far, own) is None
    assert not await Peers().is_one_of_us(writer.transport)
    writer.close()


async def test_a_program_that_hangs_up_meanwhile_is_nobody(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root's name, read while the socket was given up, does not count."""
    _, daemon = ends
    found = iter([local_programs.ROOT, None])
    monkeypatch.setattr(local_programs, "owner", lambda _peer, _own: next(found))
    _, writer = await asyncio.open_connection(sock=daemon)
    assert not await Peers().is_one_of_us(writer.transport)
    writer.close()
