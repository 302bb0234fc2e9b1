"""A broker of the demo's own, without root: Mosquitto where it is installed, else the one that comes as a wheel."""

import asyncio
import os
import random
import shutil
import socket
import sys
from collections.abc import Iterator
from errno import EADDRINUSE
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from typing import Final, Self

from drivers.mqtt.settings import BrokerSettings

_READY_WITHIN_S: Final = 60.0
_FIRST_PORT: Final = 10_000
_PORTS_EACH: Final = 340  # for a process; those that start side by side have different ones
_PROCESSES: Final = 64
_NATS: Final = """
server_name: pitlink-demo
listen: "127.0.0.1:{inner}"
jetstream {{ store_dir: "{folder}" }}
mqtt {{ host: "127.0.0.1", port: {port} }}
"""
_MOSQUITTO: Final = """
listener {port} 127.0.0.1
allow_anonymous true
persistence false
set_tcp_nodelay true
"""


KINDS: Final = {"mosquitto": _MOSQUITTO, "nats-server": _NATS}


class NoBroker(Exception):  # noqa: N818  it says what is missing
    """This machine has no broker that the demo could start."""


class DemoBroker:
    """A broker process on a free loopback port."""

    def __init__(self, folder: Path, wanted: str = "") -> None:
        self._folder, self._wanted = folder, wanted
        self._process: asyncio.subprocess.Process | None = None
        self.address = BrokerSettings(host="127.0.0.1", port=free_port())
        self.kind = ""

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Starts it and waits until it listens; the port stays the same after a stop."""
        self.kind, words = self._command()
        self._process = await asyncio.create_subprocess_exec(
            *words, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
        )
        await self._listening()

    async def stop(self) -> None:
        """Ends it at once, as a crash would."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    def _command(self) -> tuple[str, list[str]]:
        for kind in [self._wanted] if self._wanted else KINDS:
            program = shutil.which(kind, path=f"{os.environ.get('PATH', '')}:/usr/sbin:{Path(sys.executable).parent}")
            if program:
                return kind, [program, "-c", self._config(kind)]
        raise NoBroker("no broker: install mosquitto, or pitlink[demo] which brings one")

    def _config(self, kind: str) -> str:
        path = self._folder / f"{kind}.conf"
        text = KINDS[kind].format(port=self.address.port, inner=free_port(), folder=self._folder / "streams")
        path.write_text(text, encoding="utf-8")
        return str(path)

    async def _listening(self) -> None:
        async with asyncio.timeout(_READY_WITHIN_S):
            while True:
                try:
                    _, writer = await asyncio.open_connection(self.address.host, self.address.port)
                except OSError:
                    await asyncio.sleep(0.02)
                else:
                    writer.close()
                    return


def free_port() -> int:
    """A loopback port nobody uses at this moment, from below those that outgoing connections are given.

    A broker that comes back after a crash must find its port free, and a client that knocks meanwhile must not meet
    itself there. No process gets one twice before it has had all of its own, so seldom does anybody else take it
    before it is used.
    """
    for port in islice(_own_ports(os.getpid()), _PORTS_EACH):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError as error:
                if error.errno != EADDRINUSE:
                    raise
            else:
                return port
    raise NoBroker(f"all {_PORTS_EACH} ports that this program tries are in use; end what uses them")


@cache
def _own_ports(process: int) -> Iterator[int]:
    """A part of the ports for each process number modulo some: those that start side by side have different ones."""
    first = _FIRST_PORT + process % _PROCESSES * _PORTS_EACH
    return cycle(random.SystemRandom().sample(range(first, first + _PORTS_EACH), _PORTS_EACH))
