"""A hopper on a real pty in its own thread: what a host finds at the end of a ccTalk wire, faults included."""

import os
import select
import shutil
import tempfile
import threading
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from drivers.cctalk.frame import Checksum
from drivers.simulated.cctalk_wire import NOISE, SimulatedWire
from drivers.simulated.hopper_board import HopperBoard

_GAP: Final = 0.05
_BITS_PER_BYTE: Final = 10


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
        self.wire = SimulatedWire(board, address=address, checksum=checksum, echo=echo)
        self.bytes_heard = self.bytes_said = 0  # since it was plugged in
        self.slow_s = 0.0  # how long it thinks before it answers
        self._baud = baud
        self.port = ""
        self._lock = threading.Lock()
        self._is_ending = threading.Event()
        self._wake_read = self._wake_write = -1
        self._master = self._slave = -1
        self._heard_at = 0.0
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
            yield self.wire.board
        self._wake()

    def load(self, chips: int) -> None:
        """Chips fall into the hopper."""
        with self.hands_on() as board:
            board.metal.load(chips, time.monotonic())

    def make_noise(self) -> None:
        """Something else disturbs the wire."""
        with self._lock:
            self._say(NOISE)

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
                self.wire.board.advance(time.monotonic())
                if self._master in woken:
                    self._hear()
                elif self.wire.is_waiting and time.monotonic() >= self._heard_at + _GAP:
                    self._say(self.wire.pause())

    def _wait(self) -> list[int]:
        sources = [self._wake_read] if self._master < 0 else [self._wake_read, self._master]
        due = self.wire.board.metal.due
        dues = [] if due is None else [due]
        if self.wire.is_waiting:
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
            if self._baud and not self.wire.echo:
                self._is_ending.wait(len(chunk) * _BITS_PER_BYTE / self._baud)
            for number, said in enumerate(self.wire.hear(chunk, time.monotonic())):
                if self.wire.is_unplugged:
                    self._hang_up()
                if said and number % 2:  # an echo comes at once, its answer after it
                    self._is_ending.wait(self.slow_s)
                self._say(said)

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
        self.wire.is_unplugged = False
        if self._master >= 0:
            os.close(self._master)
            os.close(self._slave)
        self._master = self._slave = -1

    def _wake(self) -> None:
        if self._wake_write >= 0:
            os.write(self._wake_write, b".")
