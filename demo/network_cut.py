"""Network cut of the demo: the cable between one table and the broker, cut without notice."""

import asyncio
from typing import Final, Self

from msgspec.structs import replace

from drivers.mqtt.settings import BrokerSettings

_LARGEST: Final = 65_536


class NetworkCable:
    """A relay on loopback that a table takes for its broker; whole until somebody cuts it."""

    def __init__(self, broker: BrokerSettings) -> None:
        self._broker = broker
        self._whole = asyncio.Event()
        self._whole.set()
        self._server: asyncio.Server | None = None
        self._carrying: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, self._broker.host, 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._carrying:
            task.cancel()
        await asyncio.gather(*self._carrying, return_exceptions=True)
        await self._server.wait_closed()

    @property
    def address(self) -> BrokerSettings:
        """The broker at the far end, as the table sees it."""
        assert self._server is not None
        return replace(self._broker, port=self._server.sockets[0].getsockname()[1])

    def cut(self) -> None:
        """What is on its way stays on its way; no new connection is made."""
        self._whole.clear()

    def mend(self) -> None:
        """What was on its way arrives."""
        self._whole.set()

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._carry(reader, writer))
        self._carrying.add(task)
        task.add_done_callback(self._carrying.discard)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection there and back, until both ends have closed it."""
        try:
            if not self._whole.is_set():
                return
            far_reader, far_writer = await asyncio.open_connection(self._broker.host, self._broker.port)
            try:
                await asyncio.gather(self._pump(reader, far_writer), self._pump(far_reader, writer))
            finally:
                far_writer.transport.abort()
        except OSError:
            return  # the broker is not there, or an end has gone: the table sees a closed connection
        finally:
            writer.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(_LARGEST):
            await self._whole.wait()
            writer.write(data)
            await writer.drain()
        await self._whole.wait()
        writer.close()
