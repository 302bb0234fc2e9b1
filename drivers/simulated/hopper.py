"""A hopper on a real pty in its own thread: what a host finds at the end of a ccTalk wire, faults included."""

import os
import select
import shutil
import tempfile
import threading
import time
import tty
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from functools import reduce
from itertools import zip_longest
from operator import and_
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from drivers.cctalk.commands import Header
from drivers.cctalk.credits import AcceptorHeader
from drivers.cctalk.frame import HOST, CcTalkMessage, Checksum, Parser, encode
from drivers.simulated.acceptor_board import AcceptorBoard
from drivers.simulated.hopper_board import HopperBoard

_GAP: Final = 0.05
_BITS_PER_BYTE: Final = 10
_NOISE: Final = bytes.fromhex("01 FF 00 55 AA")  # starts like a frame of 260 bytes


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


class SimulatedHopper:
    """The wire's far end, from enter to exit; port is a name that survives unplugging and plugging in again."""

    def __init__(
        self,
        board: HopperBoard,
        *,
        address: int = 3,
        checksum: Checksum = Checksum.SIMPLE,
        echo: bool = True,
        baud: int | None = None,
    ) -> None:
        self.heard: deque[int] = deque(maxlen=4096)  # the headers of the last commands, in order
        self.always: WireFault | None = None  # what happens to every command
        self.neighbours: dict[int, list[AcceptorBoard]] = {}  # other devices on the wire, by address
        self.bytes_heard = self.bytes_said = 0  # since it was plugged in
        self._board = board
        self._address, self._checksum, self._echo, self._baud = address, checksum, echo, baud
        self._once: dict[int, tuple[WireFault, int]] = {}
        self._each: dict[int, WireFault] = {}
        self.port = ""
        self._lock = threading.Condition()
        self._is_ending = threading.Event()
        self._wake_read = self._wake_write = -1
        self._master = self._slave = -1
        self._parser = Parser(checksum)
        self._heard_at, self._unechoed = 0.0, b""
        self._thread = threading.Thread(target=self._serve, name="hopper-bench", daemon=True)

    def __enter__(self) -> Self:
        self.port = str(Path(tempfile.mkdtemp(prefix="pitlink-hopper-")) / "tty")
        self._wake_read, self._wake_write = os.pipe()
        self.plug()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_ending.set()
        self._wake()
        self._thread.join()
        self.unplug()
        os.close(self._wake_read)
        os.close(self._wake_write)
        self._wake_read = self._wake_write = -1
        shutil.rmtree(Path(self.port).parent)

    @contextmanager
    def hands_on(self) -> Iterator[HopperBoard]:
        """The hopper in the hand of a person, while its own thread stands aside."""
        with self._lock:
            yield self._board
        self._wake()

    def load(self, chips: int) -> None:
        """Chips fall into the hopper."""
        with self.hands_on() as board:
            board.metal.load(chips, time.monotonic())

    def fail_once(self, fault: WireFault, header: int, after: int = 0) -> None:
        """Lets one command of that kind go wrong, after so many that go well."""
        self._once[header] = (fault, after)

    def fail_always(self, fault: WireFault, header: int) -> None:
        """Lets every command of that kind go wrong."""
        self._each[header] = fault

    def make_noise(self) -> None:
        """Something else disturbs the wire."""
        with self._lock:
            self._say(_NOISE)

    def plug(self) -> None:
        """Puts the adapter in."""
        with self._lock:
            self._master, self._slave = os.openpty()
            self.bytes_heard = self.bytes_said = 0
            tty.setraw(self._slave)
            os.set_blocking(self._master, False)
            Path(self.port).symlink_to(os.ttyname(self._slave))
        self._wake()

    def unplug(self) -> None:
        """Pulls the adapter out."""
        with self._lock:
            self._hang_up()
        self._wake()

    def _serve(self) -> None:
        while not self._is_ending.is_set():
            woken = self._wait()
            if self._wake_read in woken:
                os.read(self._wake_read, 64)
            with self._lock:
                self._board.advance(time.monotonic())
                if self._master in woken:
                    self._hear()
                elif self._parser.is_waiting and time.monotonic() >= self._heard_at + _GAP:
                    self._forget()

    def _wait(self) -> list[int]:
        sources = [self._wake_read] if self._master < 0 else [self._wake_read, self._master]
        dues = [] if self._board.metal.due is None else [self._board.metal.due]
        if self._parser.is_waiting:
            dues.append(self._heard_at + _GAP)
        patience = max(0.0, min(dues) - time.monotonic()) if dues else None
        with suppress(OSError):  # the adapter was pulled between two looks
            return select.select(sources, [], [], patience)[0]
        return []

    def _hear(self) -> None:
        with suppress(BlockingIOError):
            chunk = os.read(self._master, 512)
            self._heard_at = time.monotonic()
            self.bytes_heard += len(chunk)
            self._unechoed += chunk
            for message in self._parser.feed(chunk):
                fault = self._fault_for(message.header)
                self._say_back(is_broken=fault is WireFault.BROKEN_ECHO)
                if message.destination == self._address:
                    self.heard.append(message.header)
                    self._lock.notify_all()
                    self._obey(message, fault)
                elif message.destination in self.neighbours:
                    self._ask_neighbours(message)

    def _fault_for(self, header: int) -> WireFault | None:
        fault, after = self._once.pop(header, (None, 0))
        if fault is not None and after:
            self._once[header] = (fault, after - 1)
        if fault is not None and not after:
            return fault
        return self._each.get(header, self.always)

    def _forget(self) -> None:
        """A pause ends whatever half frame there was."""
        self._say_back(is_broken=False)
        self._parser = Parser(self._checksum)

    def _say_back(self, *, is_broken: bool) -> None:
        """The wire's own doing: a host on a single wire hears itself."""
        echo, self._unechoed = self._unechoed, b""
        if self._echo:
            self._say(bytes((echo[0] ^ 0x10,)) + echo[1:] if is_broken else echo)
        elif self._baud:
            self._is_ending.wait(len(echo) * _BITS_PER_BYTE / self._baud)

    def _obey(self, message: CcTalkMessage, fault: WireFault | None) -> None:
        if fault is WireFault.LOST_COMMAND:
            return
        if fault in (WireFault.RESTART_BEFORE, WireFault.RESTART_BEFORE_UNANSWERED):
            self._board.restart(by_power=True)
        unwilling = _UNWILLING.get(fault)
        answer = (unwilling, b"") if unwilling is not None else self._board.answer(message, time.monotonic())
        if fault in (WireFault.RESTART_AFTER, WireFault.RESTART_UNANSWERED):
            self._board.restart(by_power=True)
        if fault is WireFault.UNPLUGGED:
            self._hang_up()
        if answer is not None and fault not in _UNANSWERED:
            header, data = answer
            source = self._address + 1 if fault is WireFault.FOREIGN_ADDRESS else self._address
            reply = CcTalkMessage(HOST, source, header, _falsified(data, fault))
            self._say(_spoilt(encode(reply, self._checksum), fault))

    def _ask_neighbours(self, message: CcTalkMessage) -> None:
        """Everybody at that address answers at once; what two of them say at the same time is the host's problem."""
        frames = [
            encode(CcTalkMessage(HOST, message.destination, *answer), self._checksum)
            for neighbour in self.neighbours[message.destination]
            if (answer := neighbour.answer(message, time.monotonic())) is not None
        ]
        if message.header == AcceptorHeader.ADDRESS_CLASH:
            self._say(bytes((message.destination,)) * len(frames))
        elif frames:
            self._say(_collided(frames))

    def _say(self, frame: bytes) -> None:
        pieces = [frame[at : at + 1] for at in range(len(frame))] if self._baud else [frame]
        for piece in pieces:
            if self._master < 0:
                return
            with suppress(BlockingIOError):  # nobody reads: on a wire the bytes would be gone, too
                self.bytes_said += os.write(self._master, piece)
            if self._baud:
                self._is_ending.wait(_BITS_PER_BYTE / self._baud)

    def _hang_up(self) -> None:
        Path(self.port).unlink(missing_ok=True)  # first: the kernel gives the next pty the number of this one
        if self._master >= 0:
            os.close(self._master)
            os.close(self._slave)
        self._master = self._slave = -1

    def _wake(self) -> None:
        if self._wake_write >= 0:
            os.write(self._wake_write, b".")


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
            return _NOISE + frame
        case WireFault.NOISE_AFTER:
            return frame + _NOISE
        case WireFault.BABBLE:
            return _NOISE * 200
        case _:
            return frame
