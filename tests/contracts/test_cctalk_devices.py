"""Exchanges that every ccTalk device answers alike, simulated or real.

On a real port: PITLINK_CCTALK_PORT=/dev/serial/by-id/… with PITLINK_CCTALK_HOPPER=3 and PITLINK_CCTALK_ACCEPTOR=2, each
only if it is there, and PITLINK_CCTALK_CHECKSUM=crc where it is. Chips move only with PITLINK_CCTALK_PAY=1.
"""

import os
import time
from collections.abc import Iterator

import pytest
import serial

from drivers.cctalk.bus import Bus
from drivers.cctalk.commands import ENABLE_CODE, PAYOUT, Header, HopperFlag
from drivers.cctalk.credits import COIN_ACCEPTOR, AcceptorHeader
from drivers.cctalk.frame import HOST, UNTOLD, CcTalkMessage, Checksum, Parser, encode
from drivers.cctalk.hopper import CcTalkHopper
from drivers.cctalk.settings import HopperSettings
from drivers.simulated.acceptor_board import AcceptorBoard
from drivers.simulated.hopper import SimulatedHopper
from tests.support.drivers.return_rigs import hopper_board, ignore

PORT = os.environ.get("PITLINK_CCTALK_PORT")
ON_METAL = PORT is not None
TRIES = 3 if ON_METAL else 30  # a simulated device shares a busy machine with us
RESTART_S = 1.5 if ON_METAL else 0.0
QUIET_S = 0.3
UNKNOWN_HEADER = 7  # the standard leaves it out
NOBODY = 251


class BareWire:
    """The bare wire: frames out, frames in, whatever the adapter echoes."""

    def __init__(self, port: str, checksum: Checksum) -> None:
        self.port, self.checksum = port, checksum
        self._line = serial.Serial(port, 9600, timeout=0.02, exclusive=True)

    def close(self) -> None:
        self._line.close()

    def say(self, frame: bytes, patience_s: float) -> CcTalkMessage | None:
        """The first sound frame for the host, or None."""
        self._line.reset_input_buffer()
        self._line.write(frame)
        parser, until = Parser(self.checksum), time.monotonic() + patience_s
        while time.monotonic() < until:
            for message in parser.feed(self._line.read(64)):
                if message.destination == HOST:
                    return message
        return None

    def ask(self, address: int, header: int, data: bytes = b"") -> CcTalkMessage:
        """The answer to a question that must be answered, and may be put again."""
        frame = encode(CcTalkMessage(address, HOST, header, data), self.checksum)
        for _ in range(TRIES):
            answer = self.say(frame, 1.0)
            if answer is not None:
                assert answer.source in (address, UNTOLD)
                return answer
        raise AssertionError(f"address {address} does not answer header {header}")

    def is_silent_to(self, frame: bytes) -> bool:
        """Whether nobody answers; what is not said cannot be waited for longer."""
        return self.say(frame, QUIET_S) is None


@pytest.fixture
def bench() -> Iterator[SimulatedHopper | None]:
    if ON_METAL:
        yield None
        return
    with SimulatedHopper(hopper_board(lifetime=4711)) as bench:
        bench.wire.neighbours = {2: [AcceptorBoard()]}
        bench.load(2)
        yield bench


@pytest.fixture
def wire(bench: SimulatedHopper | None) -> Iterator[BareWire]:
    port = PORT if bench is None else bench.port
    assert port is not None
    wire = BareWire(port, Checksum(os.environ.get("PITLINK_CCTALK_CHECKSUM", "simple")))
    yield wire
    wire.close()


def address_of(device: str, usual: str) -> int:
    name = f"PITLINK_CCTALK_{device}"
    if ON_METAL and name not in os.environ:
        pytest.skip(f"{name} is not set")
    return int(os.environ.get(name, usual))


@pytest.fixture
def hopper() -> int:
    return address_of("HOPPER", "3")


@pytest.fixture
def acceptor() -> int:
    return address_of("ACCEPTOR", "2")


@pytest.fixture(params=["HOPPER", "ACCEPTOR"])
def device(request: pytest.FixtureRequest) -> int:
    return address_of(request.param, "3" if request.param == "HOPPER" else "2")


def flags(wire: BareWire, hopper: int) -> HopperFlag:
    return HopperFlag(int.from_bytes(wire.ask(hopper, Header.TEST_HOPPER).data, "little"))


def test_it_answers_a_poll(wire: BareWire, device: int) -> None:
    """An acknowledgement without data."""
    answer = wire.ask(device, Header.SIMPLE_POLL)
    assert (answer.header, answer.data) == (Header.REPLY, b"")


def test_it_says_what_it_is(wire: BareWire, device: int) -> None:
    """Names in ASCII; a category that the standard has; a serial number of three bytes or four."""
    for header in (Header.REQUEST_MANUFACTURER_ID, Header.REQUEST_PRODUCT_CODE):
        assert wire.ask(device, header).data.decode("ascii")
    category = wire.ask(device, Header.REQUEST_EQUIPMENT_CATEGORY_ID).data.decode("ascii")
    assert category in (PAYOUT, COIN_ACCEPTOR)
    assert len(wire.ask(device, Header.REQUEST_SERIAL_NUMBER).data) in (3, 4)


def test_what_it_does_not_know_is_not_answered(wire: BareWire, device: int) -> None:
    """An unknown header, a broken sum, another address: silence, and the next poll is answered."""
    poll = encode(CcTalkMessage(device, HOST, Header.SIMPLE_POLL), wire.checksum)
    assert wire.is_silent_to(encode(CcTalkMessage(device, HOST, UNKNOWN_HEADER), wire.checksum))
    assert wire.is_silent_to(poll[:-1] + bytes((poll[-1] ^ 0x10,)))
    assert wire.is_silent_to(encode(CcTalkMessage(NOBODY, HOST, Header.SIMPLE_POLL), wire.checksum))
    wire.ask(device, Header.SIMPLE_POLL)


def test_half_a_frame_is_forgotten(wire: BareWire, device: int) -> None:
    """After a pause the next frame is heard whole."""
    poll = encode(CcTalkMessage(device, HOST, Header.SIMPLE_POLL), wire.checksum)
    for size in range(1, len(poll)):
        assert wire.is_silent_to(poll[:size])
    wire.ask(device, Header.SIMPLE_POLL)


def test_a_hopper_has_the_registers_and_counters_that_a_table_trusts(wire: BareWire, hopper: int) -> None:
    """One to four registers, four counters, 24 bits of a lifetime; asking changes nothing."""
    assert len(wire.ask(hopper, Header.TEST_HOPPER).data) in range(1, 5)
    assert len(wire.ask(hopper, Header.REQUEST_HOPPER_STATUS).data) == 4
    counts = {wire.ask(hopper, Header.REQUEST_HOPPER_DISPENSE_COUNT).data for _ in range(3)}
    assert len(counts) == 1
    assert {len(count) for count in counts} == {3}


def test_a_hopper_is_enabled_by_165_and_by_nothing_else(wire: BareWire, hopper: int) -> None:
    """A table relies on the disabled bit to notice a restart."""
    for code, is_disabled in ((ENABLE_CODE, False), (ENABLE_CODE - 1, True), (ENABLE_CODE, False), (0, True)):
        assert wire.ask(hopper, Header.ENABLE_HOPPER, bytes((code,))).header == Header.REPLY
        assert (HopperFlag.DISABLED in flags(wire, hopper)) == is_disabled


def test_a_reset_disables_a_hopper_and_keeps_its_count(wire: BareWire, hopper: int) -> None:
    """The event counter begins at 0; the lifetime does not."""
    wire.ask(hopper, Header.ENABLE_HOPPER, bytes((ENABLE_CODE,)))
    before = wire.ask(hopper, Header.REQUEST_HOPPER_DISPENSE_COUNT).data
    wire.ask(hopper, Header.RESET_DEVICE)
    time.sleep(RESTART_S)
    assert wire.ask(hopper, Header.REQUEST_HOPPER_DISPENSE_COUNT).data == before
    assert wire.ask(hopper, Header.REQUEST_HOPPER_STATUS).data[0] == 0
    assert HopperFlag.DISABLED in flags(wire, hopper)


def test_a_disabled_hopper_refuses_to_pay(wire: BareWire, hopper: int) -> None:
    """No chip leaves without an enable, whatever the order says."""
    wire.ask(hopper, Header.ENABLE_HOPPER, b"\0")
    before = wire.ask(hopper, Header.REQUEST_HOPPER_DISPENSE_COUNT).data
    assert wire.ask(hopper, Header.DISPENSE_HOPPER_COINS, bytes(8) + b"\x01").header == Header.NAK
    assert wire.ask(hopper, Header.REQUEST_HOPPER_DISPENSE_COUNT).data == before


def test_an_acceptor_tells_its_events(wire: BareWire, acceptor: int) -> None:
    """A counter and five pairs; asked twice without a coin they are the same."""
    buffers = {wire.ask(acceptor, AcceptorHeader.READ_BUFFERED_CREDIT_OR_ERROR_CODES).data for _ in range(2)}
    assert {len(buffer) for buffer in buffers} == {11}
    assert len(buffers) == 1


def test_an_acceptor_can_be_locked_out(wire: BareWire, acceptor: int) -> None:
    """Both ways: all at once, and coin by coin; it says back what it was told."""
    for status in (1, 0):
        wire.ask(acceptor, AcceptorHeader.MODIFY_MASTER_INHIBIT_STATUS, bytes((status,)))
        assert wire.ask(acceptor, AcceptorHeader.REQUEST_MASTER_INHIBIT_STATUS).data[0] & 1 == status
    for mask in (b"\x01\x00", bytes(2)):
        wire.ask(acceptor, AcceptorHeader.MODIFY_INHIBIT_STATUS, mask)
        assert wire.ask(acceptor, AcceptorHeader.REQUEST_INHIBIT_STATUS).data[:2] == mask


def test_an_acceptor_is_well(wire: BareWire, acceptor: int) -> None:
    """Its self-check finds nothing."""
    assert wire.ask(acceptor, AcceptorHeader.PERFORM_SELF_CHECK).data[0] == 0


@pytest.mark.skipif(ON_METAL and "PITLINK_CCTALK_PAY" not in os.environ, reason="PITLINK_CCTALK_PAY is not set")
async def test_a_hopper_is_emptied_and_its_count_grows_by_what_came_out(
    bench: SimulatedHopper | None, hopper: int
) -> None:
    """With the driver's own settings for it; on metal the chips are counted by the person who watches."""
    port = PORT if bench is None else bench.port
    assert port is not None
    settings = HopperSettings(port, hopper, Checksum(os.environ.get("PITLINK_CCTALK_CHECKSUM", "simple")))
    bus = Bus(settings.wire)
    device = CcTalkHopper(settings, bus)
    try:
        before = await device.reading()
        chips = (await device.empty(ignore)).chips_since(before)
    finally:
        await bus.close()
    print(f"{chips} chips came out")
    if bench is not None:
        with bench.hands_on() as board:
            assert chips == board.metal.given == 2
