"""The meter as a real process on a real broker, with tables that keep the link's rules."""

import asyncio
import json
import sqlite3
import subprocess
from pathlib import Path

from drivers.mqtt.settings import BrokerSettings
from link.messages import VERSION, Award, Gone, Release, encode
from link.topics import entry_topic, hello_topic
from meter.booking.rate_limits import MOST_IN_A_MINUTE, TOO_OFTEN
from tests.support.meter.link_bench import WITHIN_S, BrokerProcess, Connected, pipe_to, plain_mosquitto
from tests.support.meter.meter_bench import with_cards
from tests.support.meter.meter_process import BASE_CENTS, RATE_BP, RESET_CENTS, LinkTable, MeterProcess, kept_state


def table(broker: BrokerProcess, name: str, journal: str = "") -> LinkTable:
    """A table on this broker."""
    return LinkTable(name, BrokerSettings("127.0.0.1", broker.port), journal=journal)


def shown(chips: int, deducted: int = 0) -> int:
    """What the meter must show after so many wagers."""
    return BASE_CENTS + chips * 100 * RATE_BP // 10_000 - deducted


async def test_a_chip_at_one_table_is_money_at_every_table(broker: BrokerProcess, meter: MeterProcess) -> None:
    """Two tables wager; both see the same exact amount, and both entries are acknowledged (R4, R30)."""
    await meter.start()
    async with table(broker, "T1") as t1, table(broker, "T2") as t2:
        t1.wager(3)
        t2.wager(1, 2, 7)
        await asyncio.gather(t1.booked(), t2.booked())
        for each in (t1, t2):
            state = await each.state(lambda state: state.amount_cents == shown(4))
            assert (state.in_cents, state.carry) == (400, "12/25")


async def test_an_award_is_fixed_shown_everywhere_and_paid(broker: BrokerProcess, meter: MeterProcess) -> None:
    """The claim's amount comes back to its table; the others see it pending, and the reset amount at once."""
    await meter.start()
    async with table(broker, "T1") as t1, table(broker, "T2") as t2:
        t1.wager(3)
        seq = t1.claim(with_cards(Award(1, 3, "royal_flush", percent_bp=10_000)))
        await t1.booked()
        (award,) = t1.replies[-1].awards
        assert (award.seq, award.amount_cents, award.meter_after_cents) == (seq, shown(1), RESET_CENTS)
        state = await t2.state(lambda state: bool(state.pending))
        assert (state.pending[0].table, state.pending[0].amount_cents) == ("T1", shown(1))
        assert state.amount_cents == RESET_CENTS
        t1.pay(seq, award.amount_cents)
        await t2.state(lambda state: state.hits == 1 and not state.pending)


async def test_a_killed_meter_is_gone_for_everybody_and_comes_back_with_every_cent(
    broker: BrokerProcess, meter: MeterProcess
) -> None:
    """The last will says so within a second; the new process knows what the old one booked (R39, R41, R42, R51)."""
    await meter.start()
    async with table(broker, "T1") as t1:
        t1.wager(1, 2, 3)
        await t1.booked()
        meter.kill()
        await t1.state(lambda state: not state.alive)
        assert t1.messages[-1].payload == encode(Gone(VERSION, "main"))  # which claims no amount
        t1.wager(4)
        t1.states.clear()
        await meter.start()
        await t1.booked()
        await t1.state(lambda state: state.alive and state.amount_cents == shown(4))


async def test_a_meter_told_to_stop_says_goodbye(broker: BrokerProcess, meter: MeterProcess) -> None:
    """SIGTERM: the retained state says that nobody is there, and keeps the last figures; the exit code is zero."""
    await meter.start()
    async with table(broker, "T1") as t1:
        t1.wager(1, 2)
        t1.claim(with_cards(Award(1, 2, "straight_flush", percent_bp=1_000)))
        await t1.booked()
        told = await t1.state(lambda state: bool(state.pending))
        assert await meter.stop() == 0
        await t1.state(lambda state: not state.alive)
    kept = await kept_state(broker.port)
    assert (kept.alive, kept.health, kept.notice) == (False, told.health, "the meter was shut down")
    assert not kept.forbids_play
    assert (kept.number, kept.amount_cents, kept.pending) == (told.number, told.amount_cents, told.pending)


async def test_a_meter_without_a_broker_says_so_and_waits(tmp_path: Path) -> None:
    """Broker absent at start: one helpful line, no end; then the link stands by itself."""
    broker = plain_mosquitto(tmp_path)
    meter = MeterProcess(tmp_path, broker.port)
    try:
        await meter.start()
        line = await meter.said("broker_disconnected")
        assert f"127.0.0.1:{broker.port}" in line["reason"]
        assert "start the broker" in line["advice"]
        broker.start()
        async with table(broker, "T1") as t1:
            t1.wager(3)
            await t1.booked()
        assert await meter.stop() == 0
    finally:
        meter.close()
        broker.close()


async def test_a_broker_that_forgot_everything_is_told_again(broker: BrokerProcess, meter: MeterProcess) -> None:
    """Killed and back with nothing in store, the broker has the meter's state again, and no wager is lost."""
    await meter.start()
    async with table(broker, "T1") as t1:
        t1.wager(1)
        await t1.booked()
        broker.kill()
        for seat in range(1, 8):
            t1.wager(seat)
        broker.start()
        await t1.booked()
        await t1.state(lambda state: state.amount_cents == shown(8))
        assert (await kept_state(broker.port)).alive


async def test_r13_a_second_table_of_one_name_is_refused_and_the_first_plays_on(
    broker: BrokerProcess, meter: MeterProcess
) -> None:
    """Another journal under the name T1 gets a reason; T1 gets its bookings."""
    await meter.start()
    async with table(broker, "T1") as t1:
        t1.wager(1)
        await t1.booked()
        async with Connected(pipe_to(broker.port, "impostor")) as impostor:
            stranger = LinkTable("T1", BrokerSettings("127.0.0.1", broker.port), journal="other")
            impostor.mqtt.publish(hello_topic("main", "T1"), encode(stranger.hello), qos=1)
            stranger.wager(1, 2, 3)
            impostor.mqtt.publish(entry_topic("main", "T1"), encode(stranger.entries[0]), qos=1)
            line = await meter.said("message_rejected")
            assert "another journal" in line["reason"]
        t1.wager(2)
        await t1.booked()
        await t1.state(lambda state: state.amount_cents == shown(2))
        assert t1.replies[-1].refusal == ""


async def test_bad_messages_disturb_nobody(broker: BrokerProcess, meter: MeterProcess) -> None:
    """Garbage, giants, other versions and other tables' entries between good ones: every good one counts, once."""
    await meter.start()
    async with table(broker, "T1") as t1, Connected(pipe_to(broker.port, "rowdy")) as rowdy:
        t1.wager(1)
        await t1.booked()
        good = encode(t1.entries[0])
        for payload in (b"", b"\xff\xfe", b"{" * 9_000, b"x" * 200_000, good.replace(b'"v":1', b'"v":9'), good):
            rowdy.mqtt.publish(entry_topic("main", "T1"), payload, qos=1)
            rowdy.mqtt.publish(entry_topic("main", "T2"), payload, qos=1)
            rowdy.mqtt.publish(hello_topic("main", "T1"), payload, qos=1)
        for seat in range(2, 8):
            t1.wager(seat)
        await t1.booked()
        await t1.state(lambda state: state.amount_cents == shown(7))
    assert await meter.stop() == 0


async def test_a_table_that_claims_and_takes_back_without_end_is_made_to_wait(
    broker: BrokerProcess, meter: MeterProcess
) -> None:
    """Five hundred at the speed of the line: sixty are booked, the next waits and is not refused, others play on."""
    await meter.start()
    async with table(broker, "T1") as t1, table(broker, "T2") as t2:
        t1.wager(3)
        for _ in range(500):
            t1.enter(Release(t1.claim(Award(1, 3, "flush", fixed_cents=50_00)), "misread", "supervisor"))
        await t1.until(lambda: bool(t1.replies) and t1.replies[-1].held == TOO_OFTEN)
        assert t1.booked_seq == 1 + 2 * MOST_IN_A_MINUTE
        assert not any(reply.refusal for reply in t1.replies)
        assert (await meter.said("message_rejected"))["kind"] == "too_often"
        t2.wager(1)
        await t2.booked()
        await t2.state(lambda state: state.amount_cents == shown(2))


async def test_r49_a_damaged_ledger_keeps_the_meter_silent(broker: BrokerProcess, meter: MeterProcess) -> None:
    """Started on books that do not agree, it names the record, ends with a code of its own, and publishes nothing."""
    await meter.start()
    async with table(broker, "T1") as t1:
        t1.wager(1, 2, 3)
        await t1.booked()
    assert await meter.stop() == 0
    database = sqlite3.connect(meter.store)
    with database:
        database.execute("UPDATE ledger SET seal = x'00' WHERE number = 2")
    database.close()
    async with Connected(pipe_to(broker.port, "witness", "#")) as witness:
        heard = witness.recorder.messages
        await witness.recorder.until(lambda: bool(heard))  # the goodbye in store
        begun = meter.launch()
        assert await meter.code() == 3
        line = await meter.said("meter_refused_to_start", since=begun)
        assert "record 2" in line["reason"]
        witness.mqtt.publish("end", b"")
        await witness.recorder.until(lambda: heard[-1].topic == "end")
        assert all(message.retained for message in heard[:-1])


async def test_a_meter_on_a_ledger_in_use_is_refused(broker: BrokerProcess, meter: MeterProcess) -> None:
    """A second process on the same store ends at once; the first goes on."""
    await meter.start()
    second = MeterProcess(meter.store.parent, broker.port)
    second.launch()
    assert await second.code() == 3
    line = await second.said("meter_refused_to_start")
    assert "in use by another meter" in line["reason"]
    assert await meter.stop() == 0


async def test_wrong_settings_are_all_named_and_end_with_their_own_code(tmp_path: Path) -> None:
    """Exit code 2, each fault with file and key, and no ledger is made."""
    meter = MeterProcess(tmp_path, 1883)
    text = meter.config.read_text().replace("7037", "69").replace("\ntables", "\ntabels")
    meter.config.write_text(text)
    meter.launch()
    assert await meter.code() == 2
    words = "".join(line.get("text", "") for line in meter.lines)
    assert "meter.toml: link[1].tables: missing" in words
    assert "meter.toml: link[1].tabels: unknown key" in words
    assert "[28.11(h)]" in words
    assert not meter.store.exists()


async def test_mosquitto_sub_alone_is_enough_to_follow_a_link(broker: BrokerProcess, meter: MeterProcess) -> None:
    """The command that docs/link.md shows prints the state and who is there."""
    await meter.start()
    topics = ["-t", "pitlink/v1/main/meter/state", "-t", "pitlink/v1/main/table/+/presence"]
    async with table(broker, "T1") as t1:
        t1.wager(3)
        await t1.booked()
        await t1.state(lambda state: state.amount_cents == shown(1))
        words = ["mosquitto_sub", "-h", "127.0.0.1", "-p", str(broker.port), *topics, "-v", "-C", "2"]
        done = await asyncio.to_thread(
            subprocess.run, words, capture_output=True, text=True, timeout=WITHIN_S, check=True
        )
    said = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert json.loads(said["pitlink/v1/main/meter/state"])["alive"] is True
    assert json.loads(said["pitlink/v1/main/table/T1/presence"]) == {"v": 1, "table": "T1", "alive": True}


async def test_a_table_back_after_an_hour_hands_in_everything(broker: BrokerProcess, meter: MeterProcess) -> None:
    """A thousand rounds played without the link are booked in order, once, within seconds (R46)."""
    await meter.start()
    t1 = table(broker, "T1")
    for _ in range(1_000):
        t1.wager(1, 2)
    async with t1:
        await t1.booked()
        await t1.state(lambda state: state.amount_cents == shown(2_000))
