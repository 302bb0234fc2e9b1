"""Two boards under one table's name, on a broker without certificates."""

import asyncio
import io
from pathlib import Path

from common.clock import PacedClock
from common.log import open_log
from demo.table import SimulatedTable, bench_settings
from drivers.mqtt.settings import BrokerSettings
from tests.support.meter.link_bench import BrokerProcess
from tests.support.meter.meter_process import LINK, MeterProcess


def board(folder: Path, port: int, said: io.StringIO) -> SimulatedTable:
    """A board called T1 that logs here."""
    settings = bench_settings("T1", folder, link={"name": LINK, "loss_s": 30.0})
    clock = PacedClock(asyncio.get_running_loop())
    return SimulatedTable(settings, BrokerSettings("127.0.0.1", port), clock=clock, log=open_log(said))


async def test_r13_the_second_board_of_a_name_is_refused_and_told_why(
    tmp_path: Path, broker: BrokerProcess, meter: MeterProcess
) -> None:
    """The first one plays on, never disconnected; the second shows what to do about it."""
    await meter.start()
    said = io.StringIO()
    async with board(tmp_path / "old", broker.port, said) as first:
        assert first.assembly is not None
        client = first.assembly.client
        await first.until(lambda: "link_restored" in said.getvalue() and client.view().up)
        async with board(tmp_path / "new", broker.port, io.StringIO()) as second:
            assert second.assembly is not None
            refused = second.assembly.client
            await second.until(lambda: "another journal" in refused.view().reason)
            assert "SwapBoard" in refused.view().reason
            assert not refused.view().up
            assert client.view().up
            assert "link_down" not in said.getvalue()
