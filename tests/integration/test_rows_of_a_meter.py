"""Rows R11 and R41 on a real meter process: what outlives a power cut, and what keeps it from speaking."""

import re
import sqlite3
from collections.abc import Callable
from typing import TypeAlias

import pytest

from drivers.mqtt.settings import BrokerSettings
from tests.support.meter.link_bench import BrokerProcess, Connected, pipe_to
from tests.support.meter.meter_process import BASE_CENTS, RATE_BP, RESET_CENTS, LinkTable, MeterProcess, kept_state

Fault: TypeAlias = Callable[[MeterProcess], None]
LIMIT_CENTS = 2_000_000


def settings(meter: MeterProcess, pattern: str, instead: str) -> None:
    """Other words in the meter's settings."""
    text, times = re.subn(pattern, instead, meter.config.read_text(), flags=re.DOTALL)
    assert times == 1
    meter.config.write_text(text)


def books(meter: MeterProcess, statement: str) -> None:
    """Something happens to the meter's store behind its back."""
    database = sqlite3.connect(meter.store)
    with database:
        database.execute(statement)
    database.close()


async def test_r11_the_parameters_outlive_a_power_cut_and_are_read_back(
    broker: BrokerProcess, meter: MeterProcess
) -> None:
    """Most, base and rate stand in the ledger: read back after kill -9, and other settings do not overrule them."""
    settings(meter, "limit_cents = 0", f"limit_cents = {LIMIT_CENTS}")
    await meter.start()
    await meter.said("broker_connected")
    told = (await meter.look())["terms"]
    assert (told["limit_cents"], told["base_cents"], told["rate_bp"]) == (LIMIT_CENTS, BASE_CENTS, RATE_BP)
    meter.kill()
    begun = len(meter.lines)
    await meter.start()
    await meter.said("broker_connected", since=begun)
    assert (await meter.look())["terms"] == told
    meter.kill()
    settings(meter, f"limit_cents = {LIMIT_CENTS}", f"limit_cents = {LIMIT_CENTS + 1}")
    begun = meter.launch()
    assert await meter.code() == 3
    assert "--apply-terms" in (await meter.said("meter_refused_to_start", since=begun))["reason"]


FAULTS: dict[str, tuple[Fault, str]] = {
    "self-check: a damaged record": (
        lambda meter: books(
            meter, "UPDATE ledger SET body = replace(body, '\"seats\":[1', '\"seats\":[2') WHERE number = 3"
        ),
        "record 3",
    ),
    "self-check: figures that the records do not make": (
        lambda meter: books(meter, "DELETE FROM ledger WHERE number = 3"),
        "ends at record 2",
    ),
    "wrong configuration: another rate": (lambda meter: settings(meter, "7037", "7038"), "--apply-terms"),
    "wrong configuration: another table": (lambda meter: settings(meter, '"T4"', '"T5"'), "--apply-terms"),
    "wrong configuration: a rate below the rule": (lambda meter: settings(meter, "7037", "69"), "28.11(h)"),
    "lost jackpot configuration: no link": (
        lambda meter: settings(meter, 'name = "main"', 'name = "other"'),
        "link main holds",
    ),
    "lost jackpot configuration: no parameters in the ledger": (
        lambda meter: books(meter, "DELETE FROM ledger WHERE number = 1"),
        "record 1",
    ),
    "lost jackpot configuration: no settings": (lambda meter: meter.config.unlink(), "meter.toml"),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_r41_with_any_fault_the_meter_does_not_work(
    broker: BrokerProcess, meter: MeterProcess, fault: str
) -> None:
    """It ends with a reason, says nothing to anybody, books nothing, and what it left still says that it is gone."""
    inject, words = FAULTS[fault]
    await meter.start()
    async with LinkTable("T1", BrokerSettings("127.0.0.1", broker.port)) as t1:
        t1.wager(1, 2)
        await t1.booked()
        assert await meter.stop() == 0
        inject(meter)
        async with Connected(pipe_to(broker.port, "witness", "pitlink/v1/main/meter/#", "end")) as witness:
            begun = meter.launch()
            t1.wager(3)
            assert await meter.code() in (2, 3)
            witness.mqtt.publish("end", b"", qos=1)
            heard = witness.recorder.messages
            await witness.recorder.until(lambda: bool(heard) and heard[-1].topic == "end")
            assert all(message.retained for message in heard[:-1])
        assert words in str(meter.lines[begun:])
        assert t1.booked_seq == 1
    kept = await kept_state(broker.port)
    assert (kept.alive, kept.notice, kept.reset_cents) == (False, "the meter was shut down", RESET_CENTS)
