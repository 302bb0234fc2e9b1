"""Simulated ccTalk devices answer as devices do: whatever is said to them, and through every loss of power."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.clock import ManualClock
from drivers.cctalk.acceptor import AcceptorAddress, CcTalkAcceptor
from drivers.cctalk.bus import BusSettings
from drivers.cctalk.commands import ENCRYPTION_QUESTION, Header
from drivers.cctalk.credits import AcceptorHeader
from drivers.cctalk.frame import HOST, CcTalkMessage, Checksum, decode, encode
from drivers.ports import ChipEntered, FaultKind, FaultReported, Signal
from drivers.simulated.acceptor_board import AcceptorBoard
from drivers.simulated.cctalk_wire import SimulatedWire
from tests.support.drivers.return_rigs import DirectBus, hopper_board

HOPPER, ACCEPTOR = 3, 2
NOBODY = 9
CORE = (4, 192, 241, 242, 244, 245, 246, 254)


def wire_of_two(checksum: Checksum = Checksum.SIMPLE) -> SimulatedWire:
    """A hopper at 3 and an acceptor at 2, without an echo."""
    wire = SimulatedWire(hopper_board(), address=HOPPER, checksum=checksum, echo=False)
    wire.neighbours = {ACCEPTOR: [AcceptorBoard()]}
    return wire


def say(wire: SimulatedWire, frame: bytes) -> bytes:
    return b"".join(wire.hear(frame, 0.0))


def ask(wire: SimulatedWire, address: int, header: int, data: bytes = b"", source: int = HOST) -> CcTalkMessage | None:
    """The one frame that comes back, or None."""
    said = say(wire, encode(CcTalkMessage(address, source, header, data), Checksum.SIMPLE))
    return decode(said, Checksum.SIMPLE) if said else None


def test_short_data_is_refused_and_the_device_lives() -> None:
    """A master inhibit without its byte, motor variables with one of three: no device falls silent over it."""
    wire = wire_of_two()
    assert say(wire, bytes.fromhex("02 00 01 e4 19")) == bytes.fromhex("01 00 02 05 f8")
    assert ask(wire, HOPPER, Header.MODIFY_VARIABLE_SET, b"\x01") == CcTalkMessage(HOST, HOPPER, Header.NAK)
    assert ask(wire, HOPPER, Header.DISPENSE_HOPPER_COINS) == CcTalkMessage(HOST, HOPPER, Header.NAK)
    for address in (HOPPER, ACCEPTOR):
        assert ask(wire, address, Header.SIMPLE_POLL) == CcTalkMessage(HOST, address, Header.REPLY)


@given(address=st.sampled_from([0, HOPPER, ACCEPTOR]), header=st.integers(0, 255), data=st.binary(max_size=12))
def test_no_command_ends_a_device(address: int, header: int, data: bytes) -> None:
    """Every header with any data: an answer or silence, and the next poll is answered."""
    wire = wire_of_two()
    say(wire, encode(CcTalkMessage(address, HOST, header, data), Checksum.SIMPLE))
    for one in (HOPPER, ACCEPTOR):
        assert ask(wire, one, Header.SIMPLE_POLL) == CcTalkMessage(HOST, one, Header.REPLY)


@given(noise=st.binary(max_size=80))
def test_no_noise_ends_a_device(noise: bytes) -> None:
    """Whatever bytes come: after a pause the next poll is answered."""
    wire = wire_of_two()
    say(wire, noise)
    wire.pause()
    assert ask(wire, HOPPER, Header.SIMPLE_POLL) == CcTalkMessage(HOST, HOPPER, Header.REPLY)


@pytest.mark.parametrize(
    ("address", "headers"),
    [
        (HOPPER, (*CORE, 160, 163, 166, 168, 169, 171, 172, 216, 217, 247)),
        (ACCEPTOR, (*CORE, 169, 216, 227, 229, 230, 232, 249)),
    ],
)
def test_appendix_13_is_answered(address: int, headers: tuple[int, ...]) -> None:
    """Every question without data that the standard's minimum lists."""
    wire = wire_of_two()
    for header in headers:
        answer = ask(wire, address, header)
        assert answer is not None, header
        assert answer.header == Header.REPLY, header


def test_appendix_13_is_obeyed() -> None:
    """The commands with data: random numbers, PIN, encryption support, coin names, and amounts where they are paid."""
    wire = wire_of_two()
    assert ask(wire, HOPPER, Header.PUMP_RNG, bytes(8)) == CcTalkMessage(HOST, HOPPER, Header.REPLY)
    assert ask(wire, HOPPER, Header.ENTER_PIN_NUMBER, b"1234") == CcTalkMessage(HOST, HOPPER, Header.REPLY)
    encryption = ask(wire, HOPPER, Header.REQUEST_ENCRYPTION_SUPPORT, ENCRYPTION_QUESTION)
    assert encryption is not None
    assert encryption.data == bytes(17)
    names = [ask(wire, ACCEPTOR, AcceptorHeader.REQUEST_COIN_ID, bytes((coin,))) for coin in (1, 2)]
    assert [name.data for name in names if name] == [b"TK100A", b"......"]


def test_an_accumulator_hopper_pays_amounts_and_nothing_else() -> None:
    """134 and 133 in the place of 167, 166 and 168."""
    wire = wire_of_two()
    wire.board.pays_by_value = True
    wire.board.metal.load(9, 0.0)
    assert ask(wire, HOPPER, Header.REQUEST_HOPPER_STATUS) is None
    ask(wire, HOPPER, Header.ENABLE_HOPPER, bytes((165,)))
    ask(wire, HOPPER, Header.REQUEST_CIPHER_KEY)
    assert ask(wire, HOPPER, Header.DISPENSE_HOPPER_VALUE, bytes(8) + b"\x05\x00") == CcTalkMessage(
        HOST, HOPPER, Header.REPLY, b"\x01"
    )
    status = ask(wire, HOPPER, Header.REQUEST_HOPPER_POLLING_VALUE)
    assert status is not None
    assert status.data == bytes((1, 0, 0, 5, 0, 0, 0))
    assert wire.board.metal.given == 5


def test_an_address_poll_finds_everybody() -> None:
    """Bare bytes, lowest first, as their delays bring them; who has no power is not among them."""
    wire = wire_of_two()
    wire.neighbours[17] = [AcceptorBoard(), AcceptorBoard()]
    poll = encode(CcTalkMessage(0, HOST, Header.ADDRESS_POLL), Checksum.SIMPLE)
    assert say(wire, poll) == bytes((2, 3, 17, 17))
    wire.neighbours[ACCEPTOR][0].is_silent = True
    assert say(wire, poll) == bytes((3, 17, 17))
    for address in (HOPPER, 17):
        clash = encode(CcTalkMessage(address, HOST, Header.ADDRESS_CLASH), Checksum.SIMPLE)
        assert say(wire, clash) == bytes((address,)) * (2 if address == 17 else 1)


def test_a_broadcast_is_obeyed_by_everybody_and_answered_in_a_muddle() -> None:
    """A reset to address 0 resets all of them; their answers run into each other."""
    wire = wire_of_two()
    wire.neighbours[ACCEPTOR][0].note(1, 0)
    ask(wire, HOPPER, Header.ENABLE_HOPPER, bytes((165,)))
    muddle = say(wire, encode(CcTalkMessage(0, HOST, Header.RESET_DEVICE), Checksum.SIMPLE))
    assert decode(muddle, Checksum.SIMPLE) is None
    buffer = ask(wire, ACCEPTOR, AcceptorHeader.READ_BUFFERED_CREDIT_OR_ERROR_CODES)
    flags = ask(wire, HOPPER, Header.TEST_HOPPER)
    assert buffer is not None
    assert flags is not None
    assert (buffer.data[0], flags.data[0] & 0x80) == (0, 0x80)


def test_source_and_destination_are_looked_at() -> None:
    """A device answers who asked, not itself, and never for another."""
    wire = wire_of_two()
    assert ask(wire, HOPPER, Header.SIMPLE_POLL, source=7) == CcTalkMessage(7, HOPPER, Header.REPLY)
    assert ask(wire, HOPPER, Header.SIMPLE_POLL, source=HOPPER) is None
    assert ask(wire, NOBODY, Header.SIMPLE_POLL) is None
    by_crc = wire_of_two(Checksum.CRC)
    said = say(by_crc, encode(CcTalkMessage(HOPPER, HOST, Header.SIMPLE_POLL), Checksum.CRC))
    assert said == encode(CcTalkMessage(HOST, HOPPER, Header.REPLY), Checksum.CRC)


async def test_an_acceptor_that_loses_power_at_any_byte_loses_no_chip_in_silence() -> None:
    """The second of two chips is told, or the restart is: each byte of two polls is the last one in turn."""
    outcomes = set()
    for last in range(1, 60):
        board, said = AcceptorBoard(), list[Signal]()
        wire = SimulatedWire(hopper_board(), address=HOPPER)
        wire.neighbours, wire.cut_device = {ACCEPTOR: [board]}, board
        bus = DirectBus(BusSettings("direct", roll_call_ms=0), wire)
        acceptor = CcTalkAcceptor(bus, "seat 1", AcceptorAddress(ACCEPTOR), channel=1, report=said.append)
        clock = ManualClock()
        await acceptor.meet(clock)
        acceptor.open()
        await acceptor.obey(clock)
        await acceptor.poll(clock)
        assert board.insert(1, bus.line.now)
        await acceptor.poll(clock)
        assert board.insert(1, bus.line.now)
        wire.cut_after_bytes = last
        for _ in range(3):
            await acceptor.poll(clock)
        chips = len([signal for signal in said if isinstance(signal, ChipEntered)])
        kinds = {signal.kind for signal in said if isinstance(signal, FaultReported)}
        assert chips == 2 or kinds == {FaultKind.RESET}, last
        outcomes.add((chips, bool(kinds)))
    assert {(1, True), (2, True)} <= outcomes
