"""A bench table in a process of its own, to be killed: commands on stdin, falling chips on stdout, a far hopper."""

import asyncio
import sys
from pathlib import Path

import msgspec

from common.clock import PacedClock
from common.log import open_log
from demo.table import SimulatedTable, bench_settings
from drivers.mqtt.settings import BrokerSettings
from games.round.events import Event
from tests.support.meter.proved import proved


class FarHopper(SimulatedTable):
    """A bench whose hopper hangs on a port that outlives this process."""

    def plug_in_hopper(self) -> None:
        """It is plugged in already."""

    async def run(self) -> None:
        """Serves commands until stdin ends."""
        for slot in self.metal.slots.values():
            slot._on_chip_in = lambda: print("chip", flush=True)
        await self.power_on()
        print("ready", flush=True)
        reader = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        async for line in reader:
            await self._obey(line.decode().split(maxsplit=1))
        await self.shut_down()

    async def _obey(self, words: list[str]) -> None:
        assert self.assembly is not None
        match words:
            case ["chip", seat]:
                self.insert_chip(int(seat))
            case ["lock"]:
                await self.press_lock_out()
            case ["end"]:
                await self.press_end_of_round()
            case ["key"]:
                await self.turn_key(on=True)
            case ["tell", event]:
                table, said = self.assembly.table, msgspec.json.decode(event, type=Event)
                names = {"link": self.settings.link.name, "table": self.settings.table, "journal": table.journal.id}
                await table.ask(proved(said, table.state, **names))


async def main() -> None:
    folder, port, hopper = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    parts = {"kind": "cctalk", "port": hopper, "poll_ms": 5}
    panel = {"port": 0}
    settings = bench_settings("T1", folder, return_device=parts, panel=panel, link={"name": "demo", "loss_s": 30.0})
    broker = BrokerSettings(host="127.0.0.1", port=port, keepalive_s=2)
    table = FarHopper(settings, broker, clock=PacedClock(asyncio.get_running_loop()), log=open_log(), chip_ms=0)
    await table.run()


asyncio.run(main())
