"""The far end of a ccTalk wire, byte by byte and without a port: a hopper, acceptors beside it, and what goes wrong."""

from collections import deque
from collections.abc import Iterator
from enum import Enum
from functools import reduce
from itertools import zip_longest
from operator import and_
from typing import Final, Protocol

from msgspec.structs import replace

from drivers.cctalk.commands import Header
from drivers.cctalk.frame import BROADCAST, HOST, UNTOLD, CcTalkMessage, Checksum, Parser, encode
from drivers.simulated.acceptor_board import AcceptorBoard
from drivers.simulated.hopper_board import Answer, HopperBoard

_ADDRESS_QUESTIONS: Final = (Header.ADDRESS_CLASH, Header.ADDRESS_POLL)
NOISE: Final = bytes.fromhex("01 FF 00 55 AA")  # starts like a frame of 260 bytes


class WireFault(Enum):
    """What can happen to one command and its answer."""

    LOST_COMMAND = "lost command"
    LOST_REPLY = "lost reply"
    GARBLED_REPLY = "garbled reply"
    HALF_REPLY = "half reply"
    NOISE_BEFORE = "noise before"
    NOISE_AFTER = "noise after"
    BABBLE = "babble"  # noise in place of the answer, and much of it
    FOREIGN_ADDRESS = "foreign address"
    LIE = "lie"  # a wrong byte that the sum does not show
    ODD_SIZE = "odd size"  # a byte too many, soundly summed
    BROKEN_ECHO = "broken echo"
    BUSY = "busy"
    REFUSED = "refused"  # for no reason
    HOLLOW = "hollow"  # it says yes and does nothing
    RESTART_BEFORE = "restart before"  # and then it hears the command
    RESTART_BEFORE_UNANSWERED = "restart before, unanswered"
    RESTART_AFTER = "restart after"  # it answers first
    RESTART_UNANSWERED = "restart unanswered"  # it obeys, restarts, and never answers
    UNPLUGGED = "unplugged"  # it obeys, but the adapter is gone before the answer


_UNANSWERED: Final = (WireFault.LOST_REPLY, WireFault.RESTART_UNANSWERED, WireFault.RESTART_BEFORE_UNANSWERED)
_UNWILLING: Final[dict[WireFault | None, Header]] = {
    WireFault.BUSY: Header.BUSY,
    WireFault.REFUSED: Header.NAK,
    WireFault.HOLLOW: Header.REPLY,
}


class Device(Protocol):
    """The board of a device on the wire."""

    def answer(self, message: CcTalkMessage, now: float) -> Answer | None: ...

    def restart(self, *, by_power: bool, now: float = ..., is_written: bool = ...) -> None: ...


class SimulatedWire:
    """What a host hears for what it says; time comes in with every call."""

    def __init__(
        self, board: HopperBoard, *, address: int = 3, checksum: Checksum = Checksum.SIMPLE, echo: bool = True
    ) -> None:
        self.heard: deque[int] = deque(maxlen=4096)  # the headers of the last commands to the hopper, in order
        self.messages: deque[CcTalkMessage] = deque(maxlen=4096)  # whatever was said to anybody
        self.always: WireFault | None = None  # what happens to every command
        self.neighbours: dict[int, list[AcceptorBoard]] = {}  # other devices on the wire, by address
        self.cut_after_bytes: int | None = None  # bytes on the wire until the power of one device fails
        self.cut_device: Device = board  # whose
        self.is_unplugged = False  # the adapter went away during a command
        self.board = board
        self.echo = echo
        self._address, self._checksum = address, checksum
        self._once: dict[int, tuple[WireFault, int]] = {}
        self._each: dict[int, WireFault] = {}
        self._parser = Parser(checksum)
        self._unechoed = b""

    @property
    def is_waiting(self) -> bool:
        """Whether half a frame was heard, or bytes that the wire has not said back yet."""
        return self._parser.is_waiting or bool(self._unechoed)

    def fail_once(self, fault: WireFault, header: int, after: int = 0) -> None:
        """Lets one command of that kind go wrong, after so many that go well."""
        self._once[header] = (fault, after)

    def fail_always(self, fault: WireFault, header: int) -> None:
        """Lets every command of that kind go wrong."""
        self._each[header] = fault

    def hear(self, chunk: bytes, now: float) -> Iterator[bytes]:
        """What the host hears for these bytes: its own, if the wire has an echo, and the answers."""
        for at in range(len(chunk)):
            byte = chunk[at : at + 1]
            self._unechoed += byte
            if not self._through_power_cut(byte, now):
                self._parser = Parser(self._checksum)
                continue
            for message in self._parser.feed(byte):
                fault = self._fault_for(message.header)
                yield self._say_back(is_broken=fault is WireFault.BROKEN_ECHO)
                yield self._through_power_cut(self._answer(message, fault, now), now)

    def _answer(self, message: CcTalkMessage, fault: WireFault | None, now: float) -> bytes:
        self.messages.append(message)
        if message.destination == BROADCAST:
            return self._tell_all(message, now)
        if message.destination == self._address:
            self.heard.append(message.header)
            return self._obey(self.board, message, fault, now)
        return self._ask_neighbours(message, fault, now)

    def _through_power_cut(self, passing: bytes, now: float) -> bytes:
        """What of these bytes passes before the power of one device fails, if it does."""
        if self.cut_after_bytes is None or not passing:
            return passing
        left = self.cut_after_bytes - len(passing)
        self.cut_after_bytes = left if left > 0 else None
        if left > 0:
            return passing
        self.cut_device.restart(by_power=True, now=now, is_written=not self.board.metal.cuts_a_write)
        return passing[: len(passing) + left - 1]

    def pause(self) -> bytes:
        """A pause ends whatever half frame there was; the wire still says it back."""
        self._parser = Parser(self._checksum)
        return self._say_back(is_broken=False)

    def _fault_for(self, header: int) -> WireFault | None:
        fault, after = self._once.pop(header, (None, 0))
        if fault is not None and after:
            self._once[header] = (fault, after - 1)
        if fault is not None and not after:
            return fault
        return self._each.get(header, self.always)

    def _say_back(self, *, is_broken: bool) -> bytes:
        """The wire's own doing: a host on a single wire hears itself."""
        echo, self._unechoed = self._unechoed, b""
        if not self.echo:
            return b""
        return bytes((echo[0] ^ 0x10,)) + echo[1:] if is_broken else echo

    def _obey(self, device: "Device", message: CcTalkMessage, fault: WireFault | None, now: float) -> bytes:
        if fault is WireFault.LOST_COMMAND or message.source == message.destination:
            return b""
        if fault in (WireFault.RESTART_BEFORE, WireFault.RESTART_BEFORE_UNANSWERED):
            device.restart(by_power=True, now=now)
        unwilling = _UNWILLING.get(fault)
        answer = (unwilling, b"") if unwilling is not None else _answer_of(device, message, now)
        if fault in (WireFault.RESTART_AFTER, WireFault.RESTART_UNANSWERED):
            device.restart(by_power=True, now=now)
        self.is_unplugged = fault is WireFault.UNPLUGGED
        if answer is None or fault in _UNANSWERED:
            return b""
        if isinstance(answer, bytes):
            return answer
        header, data = answer
        source = message.destination + 1 if fault is WireFault.FOREIGN_ADDRESS else message.destination
        # It answers whoever asked; a CRC frame does not say who that was, so it was the host.
        asker = HOST if message.source == UNTOLD else message.source
        return _spoilt(encode(CcTalkMessage(asker, source, header, _falsified(data, fault)), self._checksum), fault)

    def _ask_neighbours(self, message: CcTalkMessage, fault: WireFault | None, now: float) -> bytes:
        """Everybody at that address answers at once; what two of them say at the same time is the host's problem."""
        devices = self.neighbours.get(message.destination, [])
        said = [answer for device in devices if (answer := self._obey(device, message, fault, now))]
        if message.header in _ADDRESS_QUESTIONS:
            return b"".join(said)
        return _collided(said) if said else b""

    def _tell_all(self, message: CcTalkMessage, now: float) -> bytes:
        """A broadcast: everybody obeys and answers; only the address poll gives each a time of its own to do so."""
        said = []
        for address in sorted([self._address, *self.neighbours]):
            to_one = replace(message, destination=address)
            is_hopper = address == self._address
            said.append(
                self._obey(self.board, to_one, None, now) if is_hopper else self._ask_neighbours(to_one, None, now)
            )
        if message.header == Header.ADDRESS_POLL:
            return b"".join(said)
        return _collided([answer for answer in said if answer])


def _answer_of(device: "Device", message: CcTalkMessage, now: float) -> Answer | bytes | None:
    """A frame's worth, or the bare address in which a device answers the two questions about addresses."""
    if message.header not in _ADDRESS_QUESTIONS:
        return device.answer(message, now)
    is_awake = device.answer(CcTalkMessage(message.destination, HOST, Header.SIMPLE_POLL), now)
    return bytes((message.destination,)) if is_awake else None


def _collided(frames: list[bytes]) -> bytes:
    """Open collectors: the wire is low where anybody pulls it low."""
    return bytes(reduce(and_, column) for column in zip_longest(*frames, fillvalue=0xFF))


def _falsified(data: bytes, fault: WireFault | None) -> bytes:
    match fault:
        case WireFault.LIE:
            return bytes((data[0] ^ 1,)) + data[1:] if data else data
        case WireFault.ODD_SIZE:
            return data + b"\0"
        case _:
            return data


def _spoilt(frame: bytes, fault: WireFault | None) -> bytes:
    match fault:
        case WireFault.GARBLED_REPLY:
            return frame[:-1] + bytes((frame[-1] ^ 0x10,))
        case WireFault.HALF_REPLY:
            return frame[: len(frame) // 2]
        case WireFault.NOISE_BEFORE:
            return NOISE + frame
        case WireFault.NOISE_AFTER:
            return frame + NOISE
        case WireFault.BABBLE:
            return NOISE * 200
        case _:
            return frame
