"""The pipe on real brokers: it comes back, loses openly, and never makes anybody wait."""

import asyncio
import socket
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from demo.broker import free_port
from drivers.mqtt.buffered_client import BufferedMqttClient
from drivers.mqtt.client import Message, MqttClient, Outgoing
from drivers.mqtt.settings import BrokerSettings
from tests.support.meter.link_bench import (
    LARGEST,
    WITHIN_S,
    BrokerProcess,
    Connected,
    Recorder,
    pipe_of,
    pipe_to,
    plain_mosquitto,
)

Kind = type[MqttClient] | type[BufferedMqttClient]


@pytest.fixture(params=[MqttClient, BufferedMqttClient], ids=["aiomqtt", "buffered"])
def kind(request: pytest.FixtureRequest) -> Kind:
    """Both clients keep the same promises."""
    found: Kind = request.param
    return found


@pytest.mark.parametrize("qos", [0, 1])
async def test_messages_arrive_in_the_order_they_were_sent(broker: BrokerProcess, qos: int, kind: Kind) -> None:
    """What one pipe publishes another hears; more of them than a broker takes unacknowledged."""
    async with (
        Connected(pipe_of(kind, broker.port, "a", "talk/#")) as a,
        Connected(pipe_of(kind, broker.port, "b")) as b,
    ):
        for number in range(100):
            b.mqtt.publish(f"talk/{number}", b"%d" % number, qos=qos)
        await a.recorder.until(lambda: len(a.recorder.messages) == 100)
    assert a.recorder.messages == [Message(f"talk/{n}", b"%d" % n) for n in range(100)]


async def test_a_retained_message_says_that_it_is_old(broker: BrokerProcess, kind: Kind) -> None:
    """A late listener can tell what was in store from what is fresh."""
    async with Connected(pipe_of(kind, broker.port, "speaker", "shelf")) as speaker:
        speaker.mqtt.publish("shelf", b"old", retain=True, qos=1)
        await speaker.recorder.until(lambda: bool(speaker.recorder.messages))
        async with Connected(pipe_of(kind, broker.port, "late", "shelf")) as late:
            await late.recorder.until(lambda: bool(late.recorder.messages))
    assert speaker.recorder.messages == [Message("shelf", b"old", retained=False)]
    assert late.recorder.messages == [Message("shelf", b"old", retained=True)]


async def test_whoever_leaves_says_his_own_will(broker: BrokerProcess, kind: Kind) -> None:
    """A clean stop looks to others like a death: the retained word is the will."""
    async with Connected(pipe_of(kind, broker.port, "witness", "will/#")) as witness:
        async with Connected(pipe_of(kind, broker.port, "leaver")):
            pass
        await witness.recorder.until(lambda: bool(witness.recorder.messages))
    assert witness.recorder.messages[0] == Message("will/leaver", b"gone")


async def test_an_absent_broker_is_named_and_awaited(tmp_path: Path, kind: Kind) -> None:
    """Without a broker the pipe says whom it misses, once, and is up soon after the broker is there."""
    process = plain_mosquitto(tmp_path)
    recorder, mqtt = Recorder(), pipe_of(kind, process.port, "early")
    task = asyncio.create_task(mqtt.run(recorder))
    await recorder.until(lambda: bool(recorder.reasons))
    assert f"127.0.0.1:{process.port}" in recorder.reasons[0]
    assert "refused" in recorder.reasons[0]
    process.start()
    await recorder.until(lambda: recorder.ups == 1)
    assert len(recorder.reasons) == 1
    task.cancel()
    await asyncio.wait([task])
    process.close()


async def test_a_killed_broker_is_noticed_at_once_and_found_again(broker: BrokerProcess, kind: Kind) -> None:
    """After kill -9 of the broker the listener knows; back again it is subscribed as before."""
    async with Connected(pipe_of(kind, broker.port, "survivor", "news")) as survivor:
        recorder = survivor.recorder
        broker.kill()
        await recorder.until(lambda: bool(recorder.reasons))
        assert not survivor.mqtt.is_up
        broker.start()
        await recorder.until(lambda: recorder.ups == 2)
        survivor.mqtt.publish("news", b"back", qos=1)
        await recorder.until(lambda: bool(recorder.messages))
    assert recorder.messages == [Message("news", b"back")]


async def test_publishing_into_the_void_never_waits(broker: BrokerProcess, kind: Kind) -> None:
    """With the broker gone ten thousand publishes return without a turn of the loop and are counted as lost."""
    async with Connected(pipe_of(kind, broker.port, "shouter")) as shouter:
        broker.kill()
        await shouter.recorder.until(lambda: bool(shouter.recorder.reasons))
        for _ in range(10_000):
            shouter.mqtt.publish("void", b"?", qos=1)
    assert shouter.mqtt.lost_outgoing == 10_000


async def test_a_publish_in_flight_when_the_broker_dies_delays_nothing(broker: BrokerProcess, kind: Kind) -> None:
    """Waiting for an acknowledgement that never comes does not keep the pipe from coming back."""
    async with Connected(pipe_of(kind, broker.port, "sender", "echo")) as sender:
        for _ in range(100):
            sender.mqtt.publish("echo", b"x", qos=1)
        broker.kill()
        broker.start()
        await sender.recorder.until(lambda: sender.recorder.ups == 2)


async def test_an_oversized_message_is_dropped_and_counted(broker: BrokerProcess, kind: Kind) -> None:
    """A message beyond the limit disturbs nobody; the next one is heard."""
    async with (
        Connected(pipe_of(kind, broker.port, "small", "in")) as small,
        Connected(pipe_of(kind, broker.port, "big")) as big,
    ):
        big.mqtt.publish("in", b"x" * (LARGEST + 1), qos=1)
        big.mqtt.publish("in", b"x" * LARGEST, qos=1)
        await small.recorder.until(lambda: bool(small.recorder.messages))
    assert [len(message.payload) for message in small.recorder.messages] == [LARGEST]
    assert small.mqtt.oversized == 1


async def test_a_listener_that_breaks_ends_the_pipe_and_the_will_is_said(broker: BrokerProcess, kind: Kind) -> None:
    """A bug above is not hidden by reconnecting, and nobody is left to believe that we are well."""

    class Broken(Recorder):
        def heard(self, message: Message) -> None:
            raise LookupError("a bug")

    async with Connected(pipe_of(kind, broker.port, "witness", "will/#")) as witness:
        task = asyncio.create_task(pipe_of(kind, broker.port, "broken", "poke").run(Broken()))
        async with Connected(pipe_of(kind, broker.port, "poker")) as poker:
            while not task.done():
                poker.mqtt.publish("poke", b"!", qos=1)
                await asyncio.wait([task], timeout=0.05)
        with pytest.raises(LookupError):
            await task
        await witness.recorder.until(lambda: Message("will/broken", b"gone") in witness.recorder.messages)


async def test_a_server_that_never_answers_is_left(kind: Kind) -> None:
    """Something that accepts the connection and says nothing does not keep the pipe from stopping."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        task = asyncio.create_task(pipe_of(kind, server.getsockname()[1], "patient").run(Recorder()))
        connection, _ = await asyncio.to_thread(server.accept)
        task.cancel()
        done, _ = await asyncio.wait([task], timeout=WITHIN_S)
        connection.close()
    assert done


async def kept_will(kind: Kind, port: int) -> list[Message]:
    """What those who come late find; this broker keeps a message a moment after it has handed it on."""
    async with asyncio.timeout(WITHIN_S):
        while True:
            async with Connected(pipe_of(kind, port, "late", "will/#")) as late:
                with suppress(TimeoutError):
                    await late.recorder.until(lambda: bool(late.recorder.messages), within_s=1.0)
                    return late.recorder.messages


async def test_the_broker_from_a_wheel_serves_as_well(tmp_path: Path, kind: Kind) -> None:
    """The demo's broker needs no system package: same pipe, retained word and will included."""
    command = Path(sys.executable).parent / "nats-server"
    if not command.exists():
        pytest.skip("the demo extra is not installed")
    port = free_port()
    settings = tmp_path / "nats.conf"
    settings.write_text(
        f'server_name: pit\nhost: 127.0.0.1\nport: {free_port()}\njetstream {{ store_dir: "{tmp_path}" }}\n'
        f"mqtt {{ host: 127.0.0.1, port: {port} }}\n"
    )
    process = BrokerProcess([str(command), "-c", str(settings)], port, "Server is ready")
    process.start()
    try:
        async with Connected(pipe_of(kind, port, "listener", "talk/#", "will/#")) as listener:
            async with Connected(
                pipe_of(kind, port, "talker", will=Outgoing("will/talker", b"gone", True, 1))
            ) as talker:
                for number in range(20):
                    talker.mqtt.publish(f"talk/{number}", b"hi", qos=1)
                await listener.recorder.until(lambda: len(listener.recorder.messages) == 20)
            await listener.recorder.until(lambda: listener.recorder.messages[-1].topic == "will/talker")
            assert await kept_will(kind, port) == [Message("will/talker", b"gone", retained=True)]
    finally:
        process.close()


async def test_an_order_to_stop_is_heard_at_any_moment(broker: BrokerProcess, kind: Kind) -> None:
    """Cancelled after any number of turns of the loop, while connecting, subscribing or sending, the pipe ends."""
    for turns in range(0, 60, 3):
        mqtt = pipe_of(kind, broker.port, "stopped", "echo")
        task = asyncio.create_task(mqtt.run(Recorder()))
        for _ in range(turns):
            await asyncio.to_thread(int)  # one turn of the loop that lets the connecting thread go on, too
            mqtt.publish("echo", b"x", qos=1)
        task.cancel()
        done, _ = await asyncio.wait([task], timeout=WITHIN_S)
        assert done, f"still running after a stop at turn {turns}"


@pytest.mark.parametrize("proofs", [0, 1])
async def test_whoever_must_not_speak_ends_without_a_word(broker: BrokerProcess, proofs: int) -> None:
    """Found out before the connection or before its first word: neither greeting nor will is said."""
    asked: list[bool] = []

    def prove() -> None:
        asked.append(True)
        if len(asked) > proofs:
            raise PermissionError("another speaks in this name")

    will = Outgoing("will/late", b"gone", retain=True, qos=1)
    late = BufferedMqttClient(
        BrokerSettings("127.0.0.1", broker.port), "late", topics=["news"], will=will, largest_bytes=1, prove=prove
    )
    recorder = Recorder()
    async with Connected(pipe_to(broker.port, "witness", "will/#")) as witness:
        with pytest.raises(PermissionError):
            await asyncio.wait_for(late.run(recorder), WITHIN_S)
        witness.mqtt.publish("will/asked", b"anybody?", qos=1)
        await witness.recorder.until(lambda: bool(witness.recorder.messages))
        assert [message.topic for message in witness.recorder.messages] == ["will/asked"]
    assert (recorder.ups, len(asked)) == (0, proofs + 1)
    broker.kill()
    assert any(" as late " in line for line in broker.log) is bool(proofs)
