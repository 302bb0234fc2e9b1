"""A broker with generated files: no certificate, no word; each certificate its own topics and no other."""

import asyncio
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

import pytest
from msgspec.structs import replace

from demo.broker import free_port
from drivers.mqtt.buffered_client import BufferedMqttClient
from drivers.mqtt.client import MqttClient, Outgoing
from drivers.mqtt.settings import BrokerSettings, Tls
from link.messages import VERSION, Reply, State, encode
from link.topics import entry_topic, hello_topic, presence_topic, reply_topic, state_topic
from meter.broker_files import BrokerPlan, LinkTables, access_list, broker_settings
from tests.support.meter.link_bench import (
    WITHIN_S,
    BrokerProcess,
    Connected,
    Recorder,
    broker_plugins,
    mosquitto,
    mosquitto_version,
    run_as,
)
from tests.support.meter.meter_process import BASE_CENTS, RATE_BP, LinkTable, MeterProcess

ROOT = Path(__file__).parents[2]
QUIET_S = 0.5  # how long a test listens before it believes that nothing comes


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of certificates, made by the commands of docs/link.md."""
    folder = tmp_path_factory.mktemp("keys")
    text = (ROOT / "docs" / "link.md").read_text(encoding="utf-8")
    (commands,) = re.findall(r"^```sh certificates\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    subprocess.run(["sh", "-e", "-c", commands], cwd=folder, check=True, capture_output=True, timeout=WITHIN_S)
    return folder


@pytest.fixture
def pit(tmp_path: Path, keys: Path) -> Iterator[BrokerProcess]:
    """Mosquitto with the files that pitlink broker config makes, in a folder and on a port of the test."""
    port = free_port()
    plan = BrokerPlan(
        (LinkTables("main", ("T1", "T2", "T3", "T4")),),
        version=mosquitto_version(),
        folder=str(keys),
        plugins=broker_plugins(),
        port=port,
    )
    (keys / "mosquitto.acl").write_text(access_list(plan))
    (keys / "mosquitto.acl").chmod(0o600)
    settings = tmp_path / "mosquitto.conf"
    settings.write_text(broker_settings(plan) + run_as())
    process = mosquitto(settings, port)
    process.start()
    yield process
    process.close()


def broker_for(pit: BrokerProcess, keys: Path, name: str) -> BrokerSettings:
    """The broker as the holder of this certificate reaches it."""
    tls = Tls(str(keys / "ca.crt"), str(keys / f"{name}.crt"), str(keys / f"{name}.key"))
    return BrokerSettings("127.0.0.1", pit.port, tls=tls)


def pipe_as(pit: BrokerProcess, keys: Path, name: str, *topics: str, client_id: str = "") -> BufferedMqttClient:
    """A pipe of the holder of this certificate."""
    return BufferedMqttClient(
        broker_for(pit, keys, name),
        client_id or name,
        topics=topics,
        will=Outgoing("pitlink/v1/main/nobody", b"", qos=1),
        largest_bytes=16_384,
    )


async def test_r44_meter_and_tables_work_over_certificates(pit: BrokerProcess, keys: Path, tmp_path: Path) -> None:
    """The settings of the examples are enough: joined, booked, state and presence heard."""
    tls = (
        f'[broker.tls]\nca = "{keys}/ca.crt"\ncertificate = "{keys}/{{identity}}.crt"\nkey = "{keys}/{{identity}}.key"'
    )
    meter = MeterProcess(tmp_path, pit.port, tls)
    try:
        await meter.start()
        async with (
            LinkTable("T1", broker_for(pit, keys, "T1")) as t1,
            LinkTable("T2", broker_for(pit, keys, "T2")) as t2,
        ):
            t1.wager(1, 2, 3)
            t2.wager(4)
            await asyncio.gather(t1.booked(), t2.booked())
            await t2.state(lambda state: state.amount_cents == BASE_CENTS + 400 * RATE_BP // 10_000)
            await meter.said("table_connected")
            meter.kill()
            await t1.state(lambda state: not state.alive)  # the will passes the access list, too
    finally:
        meter.close()


async def test_r44_without_a_certificate_nobody_gets_in(pit: BrokerProcess, keys: Path) -> None:
    """Neither in the clear nor over TLS without a certificate of our authority."""
    environment = {"PATH": os.environ["PATH"]}
    for words in ([], ["--cafile", str(keys / "ca.crt")]):
        command = ["mosquitto_pub", "-h", "127.0.0.1", "-p", str(pit.port), *words, "-t", "x", "-m", "x"]
        done = await asyncio.to_thread(
            subprocess.run, command, capture_output=True, timeout=WITHIN_S, check=False, env=environment
        )
        assert done.returncode != 0


@pytest.mark.parametrize("kind", [MqttClient, BufferedMqttClient])
async def test_r44_a_certificate_of_another_authority_is_refused(
    pit: BrokerProcess, keys: Path, tmp_path: Path, kind: type[MqttClient | BufferedMqttClient]
) -> None:
    """Whoever signs his own name stays outside, and his log says what to look at."""
    own = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=T1 -keyout k -out c"
    await asyncio.to_thread(
        subprocess.run, own.split(), cwd=tmp_path, check=True, capture_output=True, timeout=WITHIN_S
    )
    broker = BrokerSettings(
        "127.0.0.1", pit.port, tls=Tls(str(keys / "ca.crt"), str(tmp_path / "c"), str(tmp_path / "k"))
    )
    recorder = Recorder()
    mqtt = kind(broker, "T1", topics=["#"], will=Outgoing("x", b""), largest_bytes=100)
    task = asyncio.create_task(mqtt.run(recorder))
    await recorder.until(lambda: bool(recorder.reasons))
    task.cancel()
    await asyncio.wait([task])
    assert recorder.ups == 0


@pytest.mark.parametrize("kind", [MqttClient, BufferedMqttClient])
async def test_r44_certificates_are_read_anew_at_every_connection(
    pit: BrokerProcess, keys: Path, tmp_path: Path, kind: type[MqttClient | BufferedMqttClient]
) -> None:
    """Files that come or change while the pipe runs are used without a restart."""
    own = Tls(str(keys / "ca.crt"), str(tmp_path / "own.crt"), str(tmp_path / "own.key"))
    mqtt = kind(
        BrokerSettings("127.0.0.1", pit.port, tls=own), "T1", topics=["#"], will=Outgoing("x", b""), largest_bytes=100
    )
    recorder = Recorder()
    task = asyncio.create_task(mqtt.run(recorder))
    await recorder.until(lambda: bool(recorder.reasons))
    assert "No such file" in recorder.reasons[0]
    for ending in ("crt", "key"):
        (tmp_path / f"own.{ending}").write_bytes((keys / f"T1.{ending}").read_bytes())
    await recorder.until(lambda: recorder.ups == 1)
    task.cancel()
    await asyncio.wait([task])


class Noise:
    """A relay to the broker that flips a bit in every tenth piece that passes, a few times; then the line is good."""

    def __init__(self, port: int, flips: int) -> None:
        self._port, self.left, self._pieces = port, flips, 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        with suppress(OSError):
            await asyncio.gather(self._pump(reader, far_writer), self._pump(far_reader, writer))
        for end in (writer, far_writer):
            end.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            self._pieces += 1
            if self.left and self._pieces % 10 == 0:
                self.left -= 1
                data = data[:-1] + bytes([data[-1] ^ 1])
            writer.write(data)
            await writer.drain()
        writer.close()


async def test_r43_a_line_that_flips_bits_changes_nothing(pit: BrokerProcess, keys: Path, tmp_path: Path) -> None:
    """What was altered on its way is not taken for a message: the connection ends, and the table sends it again."""
    tls = (
        f'[broker.tls]\nca = "{keys}/ca.crt"\ncertificate = "{keys}/{{identity}}.crt"\nkey = "{keys}/{{identity}}.key"'
    )
    meter = MeterProcess(tmp_path, pit.port, tls)
    try:
        await meter.start()
        async with Noise(pit.port, flips=3) as noise:
            broker = replace(broker_for(pit, keys, "T1"), port=noise.port)
            async with LinkTable("T1", broker) as t1, asyncio.timeout(WITHIN_S):
                while noise.left:
                    t1.wager(1, 2, 3)
                    await t1.booked()
                rounds = len(t1.entries)
                assert t1.ups > 1
                await t1.state(lambda state: state.in_cents == rounds * 300)
                assert t1.states[-1].held == 0
    finally:
        meter.close()


async def test_r45_a_table_cannot_speak_as_another(pit: BrokerProcess, keys: Path) -> None:
    """T2's entry on T1's topic, a reply or a state from a table: nobody hears them."""
    topics = [entry_topic("main", "+")]
    async with (
        Connected(pipe_as(pit, keys, "meter-main", *topics)) as meter,
        Connected(pipe_as(pit, keys, "T1", reply_topic("main", "T1"), state_topic("main"))) as t1,
        Connected(pipe_as(pit, keys, "T2", state_topic("main"))) as t2,
    ):
        t2.mqtt.publish(entry_topic("main", "T1"), b"forged", qos=1)
        t2.mqtt.publish(reply_topic("main", "T1"), b"forged", qos=1)
        t2.mqtt.publish(state_topic("main"), b"forged", qos=1, retain=True)
        t2.mqtt.publish(entry_topic("main", "T2"), b"honest", qos=1)
        await meter.recorder.until(lambda: bool(meter.recorder.messages))
        assert [message.payload for message in meter.recorder.messages] == [b"honest"]
        assert t1.recorder.messages == []


async def test_r45_a_table_cannot_hear_anothers_replies_or_entries(pit: BrokerProcess, keys: Path) -> None:
    """A subscription to everything delivers only what is for everybody and for oneself."""
    async with (
        Connected(pipe_as(pit, keys, "meter-main", entry_topic("main", "+"))) as meter,
        Connected(pipe_as(pit, keys, "T1", "#")) as t1,
        Connected(pipe_as(pit, keys, "T2", "#")) as t2,
    ):
        t2.mqtt.publish(entry_topic("main", "T2"), b"mine", qos=1)
        await meter.recorder.until(lambda: bool(meter.recorder.messages))
        meter.mqtt.publish(reply_topic("main", "T2"), encode(Reply(VERSION, "j", 1)), qos=1)
        await t2.recorder.until(lambda: bool(t2.recorder.messages))
        meter.mqtt.publish(state_topic("main"), encode(State(VERSION, "main", alive=True)), qos=1)
        await t1.recorder.until(lambda: bool(t1.recorder.messages))
        assert [message.topic for message in t1.recorder.messages] == [state_topic("main")]


async def test_an_observer_hears_everything_with_the_command_of_the_docs(pit: BrokerProcess, keys: Path) -> None:
    """State, replies, entries, hellos and presence: mosquitto_sub prints each of them."""
    (words,) = re.findall(r"^\$ (mosquitto_sub .*observer.*)$", (ROOT / "docs" / "link.md").read_text(), re.MULTILINE)
    words = words.replace("-h broker", "-h 127.0.0.1").replace("8883", str(pit.port))
    watching = await asyncio.create_subprocess_exec(*shlex.split(words), cwd=keys, stdout=asyncio.subprocess.PIPE)
    assert watching.stdout is not None
    said = {state_topic("main"): "meter-main", reply_topic("main", "T1"): "meter-main"}
    said |= {topic("main", "T1"): "T1" for topic in (hello_topic, entry_topic, presence_topic)}
    try:
        async with (
            Connected(pipe_as(pit, keys, "meter-main", "silence")) as meter,
            Connected(pipe_as(pit, keys, "T1", "silence")) as t1,
            asyncio.timeout(WITHIN_S),
        ):
            speakers, heard = {"meter-main": meter, "T1": t1}, set[str]()
            while heard != said.keys():  # it may not have subscribed when the first words are said: retained
                for topic, name in said.items():
                    speakers[name].mqtt.publish(topic, b"word", retain=True)
                heard.add((await watching.stdout.readline()).decode().split()[0])
    finally:
        watching.kill()
        await watching.wait()


async def test_an_observer_can_say_nothing(pit: BrokerProcess, keys: Path) -> None:
    """Neither for a table, nor for the meter, nor as a table of his own name."""
    topics = [topic("main", "+") for topic in (hello_topic, entry_topic, presence_topic)]
    async with (
        Connected(pipe_as(pit, keys, "meter-main", *topics)) as meter,
        Connected(pipe_as(pit, keys, "T1", reply_topic("main", "T1"), state_topic("main"))) as t1,
        Connected(pipe_as(pit, keys, "observer", "silence")) as observer,
    ):
        for table in ("T1", "observer"):
            for topic in (hello_topic, entry_topic, presence_topic, reply_topic):
                observer.mqtt.publish(topic("main", table), b"forged", qos=1, retain=True)
        observer.mqtt.publish(state_topic("main"), b"forged", qos=1, retain=True)
        with pytest.raises(TimeoutError):
            await meter.recorder.until(lambda: bool(meter.recorder.messages), within_s=QUIET_S)
        t1.mqtt.publish(entry_topic("main", "T1"), b"honest", qos=1)
        await meter.recorder.until(lambda: bool(meter.recorder.messages))
        assert [message.payload for message in meter.recorder.messages] == [b"honest"]
        assert t1.recorder.messages == []


async def test_a_table_cannot_take_over_anothers_connection(pit: BrokerProcess, keys: Path) -> None:
    """T2 connecting under T1's client id is still T2: T1 stays connected."""
    async with Connected(pipe_as(pit, keys, "T1", state_topic("main"))) as t1:
        async with Connected(pipe_as(pit, keys, "T2", state_topic("main"), client_id="T1")):
            with pytest.raises(TimeoutError):
                await t1.recorder.until(lambda: bool(t1.recorder.reasons), within_s=QUIET_S)
        assert t1.mqtt.is_up


async def test_r63_another_will_over_tls_is_taken_without_a_word(pit: BrokerProcess, keys: Path) -> None:
    """The broker has hung up, too, before the meter is back under the same name: nobody hears that it was gone."""
    async with Connected(pipe_as(pit, keys, "T1", state_topic("main"))) as t1:
        async with Connected(pipe_as(pit, keys, "meter-main", entry_topic("main", "+"))) as meter:
            meter.mqtt.bequeath(Outgoing(state_topic("main"), b"gone", qos=1))
            await meter.recorder.until(lambda: meter.recorder.ups == 2)
            meter.mqtt.publish(state_topic("main"), b"here")
            await t1.recorder.until(lambda: bool(t1.recorder.messages))
        await t1.recorder.until(lambda: len(t1.recorder.messages) > 1)
    assert meter.recorder.reasons == []
    assert [message.payload for message in t1.recorder.messages] == [b"here", b"gone"]


async def test_the_broker_takes_no_message_longer_than_the_links(pit: BrokerProcess, keys: Path) -> None:
    """A giant does not even reach the meter; what only a staff directory may be long is counted there and dropped."""
    async with (
        Connected(pipe_as(pit, keys, "meter-main", entry_topic("main", "+"))) as meter,
        Connected(pipe_as(pit, keys, "T1", state_topic("main"))) as t1,
    ):
        for size in (262_145, 262_144, 16_384):
            t1.mqtt.publish(entry_topic("main", "T1"), b"x" * size, qos=1)
        await meter.recorder.until(lambda: bool(meter.recorder.messages))
        assert [len(message.payload) for message in meter.recorder.messages] == [16_384]
        assert meter.mqtt.oversized == 1


async def test_a_table_cannot_fill_the_broker_with_retained_topics(pit: BrokerProcess, keys: Path) -> None:
    """Finding 8: a stolen certificate writes to the topics of its own table only, on its own link."""
    async with (
        Connected(pipe_as(pit, keys, "T1", reply_topic("main", "T1"))) as stolen,
        Connected(pipe_as(pit, keys, "observer", "pitlink/v1/#")) as observer,
    ):
        for number in range(200):
            stolen.mqtt.publish(presence_topic(f"link{number}", "T1"), b"x" * 10_000, qos=1, retain=True)
            stolen.mqtt.publish(hello_topic("main", f"T1/{number}"), b"x" * 10_000, qos=1, retain=True)
        stolen.mqtt.publish(presence_topic("main", "T1"), b"honest", qos=1, retain=True)
        await observer.recorder.until(lambda: bool(observer.recorder.messages))
    async with Connected(pipe_as(pit, keys, "observer", "pitlink/v1/#")) as later:
        await later.recorder.until(lambda: bool(later.recorder.messages))
        assert [message.payload for message in later.recorder.messages] == [b"honest"]
