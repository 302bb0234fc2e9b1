"""Payouts at a real meter process: with a stolen table certificate, without a staff directory, and the right way."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from drivers.mqtt.settings import BrokerSettings
from link.messages import Award, Payout
from tests.support.meter.link_bench import BrokerProcess
from tests.support.meter.meter_process import LinkTable, MeterProcess
from tests.support.meter.staff_pins import SUE

FLUSH_CENTS = 50_00
FORGED = "0" * 64


@asynccontextmanager
async def table(broker: BrokerProcess, meter: MeterProcess) -> AsyncIterator[LinkTable]:
    """A table, or whoever has its certificate, at the running meter."""
    await meter.start()
    async with LinkTable("T1", BrokerSettings("127.0.0.1", broker.port)) as t1:
        yield t1


async def claim(t1: LinkTable) -> int:
    """A round with a wager of seat 3, which claims a flush; the meter has fixed it."""
    t1.wager(3)
    seq = t1.claim(Award(1, 3, "flush", fixed_cents=FLUSH_CENTS))
    await t1.booked()
    assert (seq, FLUSH_CENTS) in {(award.seq, award.amount_cents) for award in t1.replies[-1].awards}
    return seq


def held(alarms: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [shown for shown in alarms if shown["alarm"]["kind"] == "payout held"]


async def test_a_stolen_table_certificate_pays_nothing_and_two_persons_do(
    broker: BrokerProcess, meter: MeterProcess
) -> None:
    """Without proofs, with one person's, with forged ones: held, with an alarm on the floor; then two persons pay."""
    async with table(broker, meter) as t1:
        t1.enter(Payout(await claim(t1)))
        t1.pay(await claim(t1), FLUSH_CENTS, validator=SUE, payer=SUE)
        t1.enter(Payout(await claim(t1), {3: f"2001:{FORGED}"}, {3: f"1001:{FORGED}"}, FLUSH_CENTS))
        await t1.booked()
        (alarm,) = held(await meter.alarms(lambda shown: any(one["times"] == 3 for one in held(shown))))
        assert "nobody proved with a PIN to validate seat 3" in alarm["alarm"]["words"]
        assert "the proof of 2001 to validate seat 3 does not hold" in alarm["latest_words"]
        before = await t1.state(lambda state: len(state.pending) == 3)
        assert (before.hits, before.wins_cents) == (0, 0)
        t1.pay(await claim(t1), FLUSH_CENTS)
        after = await t1.state(lambda state: state.hits > 0)
        assert (after.hits, after.wins_cents, len(after.pending)) == (1, FLUSH_CENTS, 3)
    assert await meter.stop() == 0


async def test_a_meter_that_never_had_staff_takes_wagers_and_claims_and_holds_every_payout(
    broker: BrokerProcess, tmp_path: Path
) -> None:
    """The alarm says how the staff directory is begun; the meter runs on."""
    meter = MeterProcess(tmp_path, broker.port, has_staff=False)
    try:
        async with table(broker, meter) as t1:
            t1.pay(await claim(t1), FLUSH_CENTS)
            t1.enter(Payout(await claim(t1)))
            await t1.booked()
            (alarm,) = held(await meter.alarms(lambda shown: any(one["times"] == 2 for one in held(shown))))
            assert all("pitlink staff init" in words for words in (alarm["alarm"]["words"], alarm["latest_words"]))
            state = await t1.state(lambda state: len(state.pending) == 2)
            assert (state.hits, state.wins_cents) == (0, 0)
        assert await meter.stop() == 0
    finally:
        meter.close()
