"""Input pins watched: edges arrive in the loop, and levels are read again regularly."""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Generic, Protocol, TypeVar

from common.clock import Timer
from drivers.gpio.pins import InputWiring, PinRegistry
from drivers.ports import FaultKind, FaultReported, PinFault


class InputLine:
    """One input; heard(active, at) is called in the loop for every edge, with the time at which it was."""

    def __init__(
        self, board: PinRegistry, device: str, wire: InputWiring, heard: Callable[[bool, float], None]
    ) -> None:
        self._board, self._device, self._wire, self._heard = board, device, wire, heard
        self._call_in_loop = board.loop.call_soon_threadsafe
        self.is_deaf = False
        self._input = board.input(device, wire)
        self._pin = self._input.pin
        self._pin.when_changed = self._changed

    @property
    def is_active(self) -> bool:
        """The level at this moment."""
        return bool(self._pin.state) == self._wire.active_high

    def listen(self) -> None:
        """Lets edges through."""
        self.is_deaf = False

    def deafen(self) -> None:
        """Lets no edge through; the level can still be read."""
        # The pin keeps its listener: when lgpio 0.2.2 is told to drop the one that it was given last, it takes the rest
        # for dropped, too, and every pin of the table is deaf until the next one is opened (seen on a kernel's chip).
        self.is_deaf = True

    def close(self) -> None:
        """Gives the pin back."""
        self.is_deaf = True
        self._board.quieten(self._device, self._wire, self._pin)
        self._input.close()
        self._board.release(self._wire.pin)

    def _changed(self, stamp: float, state: int) -> None:
        """Runs in the pin's thread: an exception here would end the callbacks of every pin (lgpio has one thread)."""
        if not self.is_deaf:
            self._call_in_loop(self._heard, bool(state) == self._wire.active_high, self._board.time_of(stamp))


Seen = TypeVar("Seen")
Seen_co = TypeVar("Seen_co", covariant=True)


class Recogniser(Protocol[Seen_co]):
    """Pure code that makes sense of levels over time."""

    def start(self, levels: Sequence[bool], at: float) -> Iterable[Seen_co]: ...

    def edge(self, line: int, active: bool, at: float, /) -> Iterable[Seen_co]: ...

    def look(self, levels: Sequence[bool], at: float) -> Iterable[Seen_co]: ...

    def retest(self, levels: Sequence[bool], at: float) -> None: ...

    @property
    def due(self) -> float | None: ...


class LineWatch(Generic[Seen]):
    """The lines of one device, watched from now on; act is called in the loop for everything seen."""

    def __init__(
        self,
        board: PinRegistry,
        device: str,
        *,
        wires: Sequence[InputWiring],
        recogniser: Recogniser[Seen],
        reread_ms: float,
        act: Callable[[Seen], None],
    ) -> None:
        self._loop, self._clock = board.loop, board.clock
        self._recogniser, self._act, self._beat = recogniser, act, board.beat(reread_ms / 1000)
        self._is_paused, self._deaf_before = False, list[bool]()
        self._lines = self._open(board, device, wires)
        at = self._clock.now()  # before the levels are read: an edge in between is not older than they are
        # What stands at the start is told once the loop runs: whoever builds us has not finished yet.
        self._loop.call_soon(self._tell, recogniser.start(self.levels(), at))
        self._timer: Timer | None = None
        self._rings_at = math.inf
        self._beat.join(self)

    def retest(self) -> None:
        """Listens again and puts the lines on trial."""
        for line in self._lines:
            line.listen()
        at = self._clock.now()
        self._recogniser.retest(self.levels(), at)
        self._rearm()

    def pause(self) -> None:
        """Lets nothing through until resume(); levels can still be read."""
        self._deaf_before = [line.is_deaf for line in self._lines]
        self._is_paused = True
        self._deafen()

    def resume(self, seen: Iterable[Seen]) -> None:
        """Listens again as before, and tells what was seen meanwhile."""
        for line, was_deaf in zip(self._lines, self._deaf_before, strict=False):  # a closed watch has no lines
            if not was_deaf:
                line.listen()
        self._is_paused = False
        self._tell(seen)
        self._rearm()

    def levels(self) -> list[bool]:
        """Every line as it stands now."""
        return [line.is_active for line in self._lines]

    def close(self) -> None:
        """Lets go of the lines; edges still on their way are dropped."""
        self._beat.leave(self)
        self._disarm()
        for line in self._lines:
            line.close()
        self._lines = []

    def _open(self, board: PinRegistry, device: str, wires: Sequence[InputWiring]) -> list[InputLine]:
        lines: list[InputLine] = []
        try:
            for number, wire in enumerate(wires):
                lines.append(InputLine(board, device, wire, partial(self._heard, number)))
        except PinFault:
            for line in lines:
                line.close()
            raise
        return lines

    def _heard(self, line: int, active: bool, at: float) -> None:
        if self._lines and not self._is_paused:
            self._tell(self._recogniser.edge(line, active, at))
            self._rearm()

    def looked(self, levels: list[bool], at: float) -> None:
        """The lines stood so at that moment."""
        if self._lines and not self._is_paused:
            self._tell(self._recogniser.look(levels, at))
            self._rearm()

    def _ring(self) -> None:
        at = max(self._clock.now(), self._rings_at)
        self._disarm()
        self._loop.call_soon(self.looked, self.levels(), at)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._rings_at = None, math.inf

    def _tell(self, seen: Iterable[Seen]) -> None:
        if not self._lines:
            return
        for one in seen:
            if isinstance(one, FaultReported) and one.kind is FaultKind.CHATTER:
                self._deafen()
            self._act(one)

    def _deafen(self) -> None:
        """Lets no more edges into the loop: a line gone wild must not drown the table; looks go on."""
        for line in self._lines:
            line.deafen()

    def _rearm(self) -> None:
        """Looks before the next beat where that decides something."""
        due = self._recogniser.due
        if due is not None and due < min(self._rings_at, self._beat.rings_at):
            self._disarm()
            self._timer, self._rings_at = self._clock.call_at(due, self._ring), due
