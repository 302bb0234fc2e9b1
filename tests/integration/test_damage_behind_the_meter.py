"""A ledger too long to be read at the start: damage far back stops the running meter, and no restart opens it again."""

import sqlite3

from meter.daemon import AUDITED_AT_START
from tests.support.meter.link_bench import BrokerProcess
from tests.support.meter.meter_process import MeterProcess, write_long_ledger


async def test_a_long_ledger_opens_at_once_and_damage_in_it_is_never_talked_away(
    broker: BrokerProcess, meter: MeterProcess
) -> None:
    """Sound, it is audited while it runs; damaged, it stops, and the next start reads everything first and refuses."""
    write_long_ledger(meter)
    await meter.start()
    assert (await meter.said("ledger_audited"))["records"] == AUDITED_AT_START + 2
    assert await meter.stop() == 0
    database = sqlite3.connect(meter.store)
    with database:
        database.execute("UPDATE ledger SET body = replace(body, '\"seats\":[1,2]', '\"seats\":[1]') WHERE number = 77")
    database.close()
    begun = meter.launch()
    await meter.said("meter_started", since=begun)
    assert "record 77" in (await meter.said("part_died", since=begun))["reason"]
    assert await meter.code() != 0
    for _ in range(2):
        begun = meter.launch()
        assert await meter.code() == 3
        assert "record 77" in (await meter.said("meter_refused_to_start", since=begun))["reason"]
    assert not any(line.get("event") == "meter_started" for line in meter.lines[begun:])
