"""The meter's MQTT client, against a broker that cuts its words wherever it likes."""

import asyncio
import fcntl
import select
import socket
import ssl
import struct
import termios
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.mqtt.buffered_client import READ_BYTES, BufferedMqttClient
from drivers.mqtt.client import Message, Outgoing
from drivers.mqtt.settings import BrokerSettings, Tls
from tests.support.meter.certificates import self_signed

LARGEST = 4 * READ_BYTES
WITHIN_S = 20.0
RECORD_BYTES = 1 << 14  # of TLS, at most

payloads = st.one_of(st.binary(max_size=300), st.integers(0, 3 * READ_BYTES).map(lambda size: b"x" * size))


class Ears:
    """Notes what a pipe hears, and how much of it stood there each time that the pipe had read all."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.read: list[int] = []
        self.reasons: list[str] = []
        self.changed = asyncio.Event()

    def heard(self, message: Message) -> None:
        self.messages.append(message)

    def all_read(self) -> None:
        self.read.append(len(self.messages))
        self.changed.set()

    def went_up(self) -> None:
        self.changed.set()

    def went_down(self, reason: str) -> None:
        self.reasons.append(reason)
        self.changed.set()


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Tls:
    """One certificate that everybody shows and trusts."""
    certificate, key = self_signed(tmp_path_factory.mktemp("keys"))
    return Tls(certificate, certificate, key)


@asynccontextmanager
async def _line(
    ears: Ears, tls: Tls | None = None, keepalive_s: int = 60
) -> AsyncIterator[tuple[BufferedMqttClient, socket.socket]]:
    """A pipe that is up, and the broker's end of it: a socket that says what the test says."""
    listening = socket.create_server(("127.0.0.1", 0))
    broker = BrokerSettings("127.0.0.1", listening.getsockname()[1], keepalive_s, tls)
    will = Outgoing("will", b"gone")
    mqtt = BufferedMqttClient(broker, "ears", topics=["talk"], will=will, largest_bytes=LARGEST, read=ears.all_read)
    task = asyncio.create_task(mqtt.run(ears))
    line = await asyncio.to_thread(_welcome, listening, tls)
    try:
        async with asyncio.timeout(WITHIN_S):
            await ears.changed.wait()
        yield mqtt, line
    finally:
        task.cancel()
        line.close()  # as a broker does when a client leaves
        await asyncio.wait([task])
        listening.close()


def _welcome(listening: socket.socket, tls: Tls | None) -> socket.socket:
    line, _ = listening.accept()
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(tls.certificate, tls.key)
        line = context.wrap_socket(line, server_side=True)
    line.recv(4_096)
    line.sendall(b"\x20\x02\x00\x00")
    asked = line.recv(4_096)
    line.sendall(b"\x90\x03" + asked[2:4] + b"\x00")
    return line


def _until_delivered(line: socket.socket) -> None:
    """Waits until everything that was sent lies at the other end."""
    while struct.unpack("i", fcntl.ioctl(line, termios.TIOCOUTQ, bytes(4)))[0]:
        time.sleep(0.001)  # a kernel rings no bell


def _published(payload: bytes) -> bytes:
    body, length = b"\x00\x04talk" + payload, b""
    left = len(body)
    while left > 127:
        length, left = length + bytes([left % 128 | 128]), left // 128
    return b"\x30" + length + bytes([left]) + body


async def _heard_in_pieces(said: Sequence[bytes], cuts: Sequence[int]) -> Ears:
    stream, ears = b"".join(map(_published, said)), Ears()
    ends = sorted({cut % len(stream) for cut in cuts} | {len(stream)})
    async with _line(ears) as (_, line), asyncio.timeout(WITHIN_S):
        line.setblocking(False)
        for begin, end in zip([0, *ends], ends, strict=False):
            await asyncio.get_running_loop().sock_sendall(line, stream[begin:end])
            await asyncio.sleep(0)
        while len(ears.messages) < len(said):
            ears.changed.clear()
            await ears.changed.wait()
    return ears


@settings(max_examples=30)
@given(said=st.lists(payloads, min_size=1, max_size=20), cuts=st.lists(st.integers(0, 1 << 20), max_size=8))
def test_messages_are_whole_and_in_order_wherever_the_line_cuts_them(said: list[bytes], cuts: list[int]) -> None:
    """Half a header, half a message, or many messages at once: nothing is lost, and the end of it is said."""
    ears = asyncio.run(_heard_in_pieces(said, cuts))
    assert [message.payload for message in ears.messages] == said
    assert ears.read[-1] == len(said)
    assert not ears.reasons


@pytest.mark.parametrize("is_private", [False, True])
async def test_all_that_has_come_is_read_before_that_is_said(tls: Tls, is_private: bool) -> None:
    """A hundred messages that lie there, each in a TLS record of its own or not, are read in one turn: whoever books
    them books them together.
    """
    ears = Ears()
    async with _line(ears, tls if is_private else None) as (_, line), asyncio.timeout(WITHIN_S):
        before = len(ears.read)
        for _ in range(100):
            line.sendall(_published(b"wager"))
        _until_delivered(line)
        ears.changed.clear()
        await ears.changed.wait()
    assert ears.read[before] == 100


@pytest.mark.parametrize("is_private", [False, True])
async def test_a_flood_leaves_others_their_turns(tls: Tls, is_private: bool) -> None:
    """However much lies there, a turn reads its share of it and no more, to the last message."""
    ears, flood = Ears(), _published(b"x" * 997) * 100
    async with _line(ears, tls if is_private else None) as (_, line), asyncio.timeout(WITHIN_S):
        line.sendall(flood)
        while len(ears.messages) < 100:
            ears.changed.clear()
            await ears.changed.wait()
    in_a_turn = [later - earlier for earlier, later in pairwise([0, *ears.read])]
    assert max(in_a_turn) * 1_000 <= READ_BYTES + RECORD_BYTES
    assert max(in_a_turn) * 1_000 > READ_BYTES / 2, "the flood did not lie there"


async def test_what_is_flushed_is_on_its_way_before_the_loop_turns() -> None:
    """An answer does not wait for whatever else the loop has to do."""
    async with _line(Ears()) as (mqtt, line):
        mqtt.publish("reply", b"booked")
        assert not select.select([line], [], [], 0)[0], "it was sent without being told to"
        mqtt.flush()
        assert select.select([line], [], [], WITHIN_S)[0]
        assert line.recv(4_096) == b"\x30\x0d\x00\x05replybooked"


async def test_an_answer_into_a_line_that_is_gone_ends_the_connection_and_nothing_else() -> None:
    """The meter that answers goes on; its pipe says why it is down, and tries again."""
    ears = Ears()
    async with _line(ears) as (mqtt, line), asyncio.timeout(WITHIN_S):
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset, not a goodbye
        line.close()
        for _ in range(3):
            mqtt.publish("reply", b"booked")
            mqtt.flush()
        while not ears.reasons:
            ears.changed.clear()
            await ears.changed.wait()
    assert "the connection was lost" in ears.reasons[0]


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (b"SSH-2.0" + bytes(80), "it does not speak MQTT 3.1.1"),
        (b"\x32\x09\x00\x04talk\x00\x01!", "higher quality of service"),
    ],
)
async def test_a_broker_that_speaks_otherwise_is_left_and_named(said: bytes, reason: str) -> None:
    """Bytes that are no message for us are not taken for one."""
    ears = Ears()
    async with _line(ears) as (_, line), asyncio.timeout(WITHIN_S):
        line.sendall(said)
        while not ears.reasons:
            ears.changed.clear()
            await ears.changed.wait()
    assert reason in ears.reasons[0]
    assert not ears.messages


async def test_a_broker_that_falls_silent_is_left() -> None:
    """No answer to a ping within the keep-alive time: the connection is given up, and the reason told."""
    ears = Ears()
    async with _line(ears, keepalive_s=1) as (_, line), asyncio.timeout(WITHIN_S):
        while not ears.reasons:
            ears.changed.clear()
            await ears.changed.wait()
        assert line.recv(4_096).startswith(b"\xc0\x00")
    assert "no answer for 1 s" in ears.reasons[0]
