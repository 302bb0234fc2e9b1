"""Last wills on a real broker: fixed at the connection, so another one takes a new connection that nobody notices."""

import asyncio
import socket
from functools import partial
from itertools import groupby

from drivers.mqtt.buffered_client import BufferedMqttClient
from drivers.mqtt.client import Message, Outgoing
from drivers.mqtt.settings import BrokerSettings
from link.messages import State
from tests.support.meter.link_bench import WITHIN_S, BrokerProcess, Connected, Recorder, pipe_to
from tests.support.meter.meter_process import LinkTable, MeterProcess, kept_state


def table(broker: BrokerProcess, name: str) -> LinkTable:
    """A table on this broker."""
    return LinkTable(name, BrokerSettings("127.0.0.1", broker.port))


def cut_line(mqtt: BufferedMqttClient) -> None:
    """Ends a pipe's connection as a power cut does: the broker says its will."""
    assert mqtt._up is not None
    assert mqtt._up._transport is not None
    mqtt._up._transport.get_extra_info("socket").shutdown(socket.SHUT_RDWR)


async def decided(meter: MeterProcess, decision: str) -> None:
    """Two persons decide this, and the meter is connected with the will that goes with it."""
    begun = len(meter.lines)
    assert (await meter.decide({"type": decision}))[0] == 200
    await meter.said("broker_connected", since=begun)


async def killed(meter: MeterProcess, witness: LinkTable) -> State:
    """Kills the meter, lets a table hear of it, and returns what the broker has kept."""
    witness.states.clear()
    meter.kill()
    await witness.state(lambda state: not state.number)
    return await kept_state(witness.mqtt._broker.port)


async def test_another_will_is_taken_without_a_word(broker: BrokerProcess) -> None:
    """What was published before arrives before; nobody hears a goodbye, and the listener is only told to begin anew."""
    async with Connected(pipe_to(broker.port, "witness", "will/#", "talk")) as witness:
        async with Connected(pipe_to(broker.port, "heir", "talk")) as heir:

            def has_come_up(ups: int) -> bool:
                return heir.recorder.ups == ups

            for number in range(2, 10):
                heir.mqtt.publish("talk", b"%d" % number)
                heir.mqtt.bequeath(Outgoing("will/heir", b"%d" % number))
                await heir.recorder.until(partial(has_come_up, number))
            heir.mqtt.bequeath(Outgoing("will/heir", b"9"))  # as it is
            heir.mqtt.publish("talk", b"10")
            await witness.recorder.until(lambda: witness.recorder.messages[-1:] == [Message("talk", b"10")])
        await witness.recorder.until(lambda: witness.recorder.messages[-1].topic == "will/heir")
    assert (heir.recorder.ups, heir.recorder.reasons) == (9, [])
    said = [Message("talk", b"%d" % number) for number in range(2, 11)]
    assert witness.recorder.messages == [*said, Message("will/heir", b"9")]


async def test_a_will_that_changes_on_the_way_up_is_the_one_that_counts(broker: BrokerProcess) -> None:
    """Changed at any moment of connecting and subscribing: the connection that stands has the last one."""
    async with Connected(pipe_to(broker.port, "witness", "will/#")) as witness:
        heard = witness.recorder.messages
        for turns in range(0, 40, 4):
            assert await died_after(broker, turns, witness.recorder) == b"new"
        assert {message.payload for message in heard} == {b"new"}


async def died_after(broker: BrokerProcess, turns: int, witness: Recorder) -> bytes:
    """What is said for a pipe that dies, and had another will so many turns of the loop after it began."""
    mqtt, recorder = pipe_to(broker.port, "heir", will=Outgoing("will/heir", b"old")), Recorder()
    task = asyncio.create_task(mqtt.run(recorder))
    for _ in range(turns):
        await asyncio.to_thread(int)  # one turn of the loop that lets the connecting thread go on, too
    mqtt.bequeath(Outgoing("will/heir", b"new"))
    await recorder.until(lambda: mqtt.is_up and not mqtt._has_other_will.is_set())
    before = len(witness.messages)
    cut_line(mqtt)
    await witness.until(lambda: len(witness.messages) > before)
    task.cancel()
    await asyncio.wait([task], timeout=WITHIN_S)
    return witness.messages[before].payload


async def test_whoever_lost_his_name_says_nothing_with_another_will(broker: BrokerProcess) -> None:
    """Passed over while he changes it: no goodbye, no will, old or new, and no second connection in that name."""
    asked: list[bool] = []

    def prove() -> None:
        asked.append(True)
        if len(asked) > 2:  # before the first connection and before its first word
            raise PermissionError("another speaks in this name")

    address, recorder = BrokerSettings("127.0.0.1", broker.port), Recorder()
    will = Outgoing("will/late", b"old", retain=True, qos=1)
    late = BufferedMqttClient(address, "late", topics=["news"], will=will, largest_bytes=1, prove=prove)
    async with Connected(pipe_to(broker.port, "witness", "will/#")) as witness:
        task = asyncio.create_task(late.run(recorder))
        await recorder.until(lambda: recorder.ups == 1)
        late.bequeath(Outgoing("will/late", b"new"))
        await asyncio.wait([task], timeout=WITHIN_S)
        assert isinstance(task.exception(), PermissionError)
        witness.mqtt.publish("will/asked", b"anybody?", qos=1)
        await witness.recorder.until(lambda: bool(witness.recorder.messages))
        assert [message.topic for message in witness.recorder.messages] == ["will/asked"]
    assert (recorder.ups, len(asked)) == (1, 3)


async def test_a_farewell_is_kept_whatever_the_will_is(broker: BrokerProcess) -> None:
    """Whoever leaves by himself leaves a word for those who come later, also where his will would not be kept."""
    async with Connected(pipe_to(broker.port, "leaver", will=Outgoing("will/leaver", b"gone"))) as leaver:
        leaver.mqtt.leave_with(lambda: b"goodbye")
    async with Connected(pipe_to(broker.port, "late", "will/#")) as late:
        await late.recorder.until(lambda: bool(late.recorder.messages))
    assert late.recorder.messages == [Message("will/leaver", b"goodbye", retained=True)]


async def test_r63_a_stop_outlasts_the_meter_that_is_killed_after_it(
    broker: BrokerProcess, meter: MeterProcess
) -> None:
    """kill -9 on a stopped link: who is there hears that nobody is, who comes later finds the stop and its figures."""
    await meter.start()
    await meter.said("broker_connected")
    async with table(broker, "T1") as t1:
        t1.wager(1)
        await t1.booked()
        await decided(meter, "Stop")
        kept = await killed(meter, t1)
        assert (kept.forbids_play, kept.notice) == (True, "the progressive is stopped: reviewed")
        assert kept.in_cents == 100
        begun = meter.launch()
        await meter.said("broker_connected", since=begun)  # stopped from its first word on
        again = await killed(meter, t1)
        assert (again.forbids_play, again.notice, again.in_cents) == (True, kept.notice, 100)


async def test_a_link_that_is_opened_again_has_its_will_again_and_no_table_notices(
    broker: BrokerProcess, meter: MeterProcess
) -> None:
    """The connection is made anew without a word of leaving; a meter that dies then is lost, and not stopped."""
    await meter.start()
    await meter.said("broker_connected")
    async with table(broker, "T1") as t1:
        t1.wager(1)
        await t1.booked()
        await decided(meter, "Stop")
        await decided(meter, "Reopen")
        t1.wager(2)
        await t1.booked()
        await t1.state(lambda state: state.in_cents == 200)
        assert [alive for alive, _ in groupby(state.alive for state in t1.states)] == [True, False, True]
        assert all(state.number for state in t1.states)  # no will
        assert not any(line.get("event") == "broker_disconnected" for line in meter.lines)
        kept = await killed(meter, t1)
        assert (kept.alive, kept.number) == (False, 0)
