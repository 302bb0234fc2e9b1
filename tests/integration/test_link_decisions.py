"""Decisions and stops on a real broker: what people decide while the meter runs, and how it goes when it must."""

import asyncio
import sqlite3
import subprocess
import sys
from typing import Any

from msgspec.structs import replace

from drivers.mqtt.settings import BrokerSettings
from link.messages import Award
from tests.support.meter.link_bench import BrokerProcess
from tests.support.meter.meter_bench import with_cards
from tests.support.meter.meter_process import BASE_CENTS, RESET_CENTS, LinkTable, MeterProcess, kept_state
from tests.support.meter.staff_pins import ANN, SUE, TIM


def table(broker: BrokerProcess, name: str, journal: str = "") -> LinkTable:
    """A table on this broker."""
    return LinkTable(name, BrokerSettings("127.0.0.1", broker.port), journal=journal)


def claim(name: str) -> dict[str, Any]:
    """The claim of this table, after its round's wager."""
    return {"table": name, "journal": f"journal-{name}", "seq": 2}


async def test_28_11_i_management_orders_contested_claims_while_others_play_on(
    broker: BrokerProcess, meter: MeterProcess
) -> None:
    """Both tables wait, a third one wagers, the entered order is paid: against arrival, over the wire."""
    await meter.start()
    async with table(broker, "T1") as t1, table(broker, "T2") as t2, table(broker, "T3") as t3:
        t1.wager(3)
        t2.wager(5)
        await asyncio.gather(t1.booked(), t2.booked())
        t1.claim(with_cards(Award(1, 3, "royal_flush", percent_bp=10_000)))
        await t1.booked()
        t2.claim(with_cards(Award(1, 5, "straight_flush", percent_bp=1_000)))
        await t2.booked()
        await t1.until(lambda: "management" in t1.replies[-1].held)
        t3.wager(1)
        await t3.booked()
        await t3.state(lambda state: {award.table for award in state.pending if award.contested} == {"T1", "T2"})
        status, answer = await meter.decide({"type": "OrderClaims", "order": [claim("T2"), claim("T1")]})
        assert (status, answer["taken"]) == (200, True)
        await t2.until(lambda: bool(t2.replies[-1].awards))
        there = BASE_CENTS + 140  # R69: what came after the claims stays on the meter
        assert t2.replies[-1].awards[0].amount_cents == there // 10
        t2.pay(2, there // 10)
        await t2.booked()
        await t1.until(lambda: bool(t1.replies[-1].awards) and not t1.replies[-1].held)
        assert t1.replies[-1].awards[0].amount_cents == there - there // 10 + 71  # three times 70.37
        state = await t3.state(lambda state: state.hits == 1)
        assert state.last_win is not None
        assert (state.last_win.table, state.amount_cents) == ("T2", RESET_CENTS)


async def test_a_swapped_board_joins_as_soon_as_two_persons_have_decided(
    broker: BrokerProcess, meter: MeterProcess
) -> None:
    """The new board is told what to do, waits, and starts at 1; the meter keeps what the old one brought."""
    await meter.start()
    async with table(broker, "T1") as old:
        old.wager(1, 2)
        await old.booked()
    async with table(broker, "T1", journal="new-board") as new:
        await new.until(lambda: bool(new.replies) and "SwapBoard to new-board" in new.replies[-1].refusal)
        swap = {"type": "SwapBoard", "table": "T1", "old_journal": "journal-T1", "new_journal": "new-board"}
        assert (await meter.decide(swap, TIM, SUE))[0] == 200
        new.wager(3)
        await new.booked()
        await new.state(lambda state: state.in_cents == 300)


async def test_r63_a_stopped_link_stays_closed_through_a_restart(broker: BrokerProcess, meter: MeterProcess) -> None:
    """The state says so, tables are refused with the reason, a new process changes nothing, a decision does."""
    await meter.start()
    async with table(broker, "T1") as t1:
        t1.wager(1)
        await t1.booked()
        assert (await meter.decide({"type": "Stop"}))[0] == 200
        await t1.state(lambda state: not state.alive and state.health == "stopped")
        assert await meter.stop() == 0
        t1.states.clear()
        t1.replies.clear()
        await meter.start()
        state = await t1.state(lambda state: state.number > 0)
        assert (state.alive, state.notice) == (False, "the progressive is stopped: reviewed")
        t1.wager(2)
        await t1.until(lambda: any("is stopped" in reply.refusal for reply in t1.replies))
        assert (await meter.decide({"type": "Reopen"}))[0] == 200
        await t1.booked()
        await t1.state(lambda state: state.alive and state.in_cents == 200)


async def test_a_table_that_was_put_off_is_written_back_and_hands_in(
    broker: BrokerProcess, meter: MeterProcess
) -> None:
    """R96: with two rounds in its journal it is taken off the link, refused, written back, and each counts once."""
    with_t3 = meter.config.read_text()
    await meter.start()
    t3 = table(broker, "T3")
    async with table(broker, "T1") as t1:
        t1.wager(2)
        await t1.booked()
        async with t3:
            t3.wager(1)
            await t3.booked()
        t3.wager(1, 2)  # its line is down
        t3.wager(3)
        for settings in (with_t3.replace('"T3", ', ""), with_t3):
            await stop_and_rest(meter, t1)
            meter.config.write_text(settings)
            assert await asyncio.to_thread(apply_terms, meter) == 0
            await meter.said("broker_connected", since=meter.launch())  # its control interface is there before
            assert (await meter.decide({"type": "Reopen"}))[0] == 200
            if settings != with_t3:
                async with t3:
                    await t3.until(lambda: "not one of link main's tables" in t3.replies[-1].refusal)
        async with t3:
            await t3.booked()
            await t3.state(lambda state: state.in_cents == 500)


async def stop_and_rest(meter: MeterProcess, table: LinkTable) -> None:
    """Two persons stop the link, its table says that nothing is left there, and the meter is shut down."""
    assert (await meter.decide({"type": "Stop"}))[0] == 200
    playing, table.hello = table.hello, replace(table.hello, idle=True, nonce=f"rest {len(table.replies)}")
    table.greet()
    await table.until(lambda: table.replies[-1].nonce == table.hello.nonce)
    assert await meter.stop() == 0
    table.hello = playing


def apply_terms(meter: MeterProcess) -> int:
    """Two persons apply the settings, at the meter's machine."""
    signed = ["--apply-terms", "--by", ANN.number, "--and-by", SUE.number, "--reason", "approved"]
    words = [sys.executable, "-m", "cli.main", "meter", "--config", str(meter.config), *signed]
    return subprocess.run(words, input=f"{ANN.pin}\n{SUE.pin}\n", text=True, check=False).returncode


async def test_a_store_that_cannot_be_written_is_said_before_the_meter_goes(
    broker: BrokerProcess, meter: MeterProcess
) -> None:
    """Everybody reads why, now and later, from the retained state; nothing of the wager was booked, or lost."""
    await meter.start()
    async with table(broker, "T1") as t1:
        t1.wager(1)
        await t1.booked()
        intruder = sqlite3.connect(meter.store, isolation_level=None)
        intruder.execute("BEGIN IMMEDIATE")
        t1.wager(2)
        state = await t1.state(lambda state: not state.alive)
        assert state.health == "stopped"
        assert "database is locked" in state.notice
        assert state.in_cents == 100
        assert await meter.code() != 0
        assert "database is locked" in (await kept_state(broker.port)).notice
        intruder.close()
        t1.states.clear()
        await meter.start()
        await t1.booked()
        await t1.state(lambda state: state.alive and state.in_cents == 200)


async def test_two_persons_decide_at_a_terminal_while_the_meter_runs(meter: MeterProcess) -> None:
    """The running meter looks at their PINs; the command only asks for them and brings them."""
    await meter.start()
    await meter.said("broker_connected")  # its control interface is there before
    signed = ("--by", ANN.number, "--and-by", SUE.number, "--reason", "drill")
    words = [sys.executable, "-m", "cli.main", "decide", "--config", str(meter.config), "main"]

    def decide(pins: str) -> int:
        return subprocess.run([*words, '{"type": "Stop"}', *signed], input=pins, text=True, check=False).returncode

    assert (await meter.decide({"type": "Stop"}, are_signed=False))[0] == 409
    assert await asyncio.to_thread(decide, f"{ANN.pin}\n000000\n") == 1
    assert await asyncio.to_thread(decide, f"{ANN.pin}\n{SUE.pin}\n") == 0
    assert (await meter.look())["state"]["health"] == "stopped"
