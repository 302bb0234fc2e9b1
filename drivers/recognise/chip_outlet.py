"""Outlet: chips counted as they leave through one beam until none comes any more; pure, time is an argument."""

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from drivers.ports import FaultKind, FaultReported
from drivers.recognise.debounce import LATE_MS, Debounce, LevelChange, Timings, elapsed_ms


class ChipLeft(Struct, frozen=True):
    """A chip has passed the beam."""

    at: float


class RanEmpty(Struct, frozen=True):
    """The motor ran and no chip came for so long that none is left."""


Leaving: TypeAlias = ChipLeft | RanEmpty | FaultReported


class OutletTimings(Struct, frozen=True):
    """How long things take at the outlet, and how much it can hold."""

    settle_ms: float = 3  # a level must stand this long to count
    longest_pulse_ms: float = 1000  # no single chip breaks the beam, and no hopper signals one, for longer
    jam_ms: float = 1000  # no chip stays in the beam for longer while the motor runs
    empty_ms: float = 2000  # while chips are left, one comes at least this often
    most_chips: int = 255  # more in one emptying are ghosts
    reread_ms: float = 50


class ChipOutlet:
    """One beam behind a motor; edges and looks in, chips and verdicts out."""

    def __init__(self, device: str, timings: OutletTimings) -> None:
        self._device, self._timings = device, timings
        self._beam = Debounce(Timings(settle_ms=timings.settle_ms))
        self._broken_at = self._started_at = 0.0
        self._moved_at: float | None = None  # start or last movement, while the motor runs
        self._judged_at = 0.0
        self._chips = 0
        self._is_wild = False

    def start(self, levels: Sequence[bool], at: float) -> list[Leaving]:
        """Takes the first level; a chip that lies in the beam is counted when it leaves."""
        self._beam.start(levels[0], at)
        return []

    def retest(self, levels: Sequence[bool], at: float) -> None:
        """The motor runs from now on."""
        if self._is_wild:
            self._beam.start(levels[0], at)
        self._moved_at, self._started_at, self._chips, self._is_wild = at, at, 0, False

    def hold(self) -> None:
        """The motor stands; chips are still counted, but nothing is expected of them."""
        self._moved_at, self._chips = None, 0

    def edge(self, _line: int, broken: bool, at: float, /) -> list[Leaving]:
        """The beam's pin changed."""
        return self._judge(self._beam.edge(broken, at), broken=broken, at=at)

    def look(self, levels: Sequence[bool], at: float) -> list[Leaving]:
        """The beam's pin was read."""
        return self._judge(self._beam.look(levels[0], at), broken=levels[0], at=at)

    @property
    def due(self) -> float | None:
        """When the next look decides something; what is overdue waits for the regular look."""
        dues = [due for due in (self._beam.due, self._deadline()) if due is not None and due > self._judged_at]
        return min(dues, default=None)

    def _judge(self, changes: Sequence[LevelChange], *, broken: bool, at: float) -> list[Leaving]:
        self._judged_at = at
        seen: list[Leaving] = [ChipLeft(change.at) for change in changes if not change.level]
        self._chips += len(seen)
        if self._moved_at is not None:
            self._moved_at = max([self._moved_at, *(change.at for change in changes)])
        return seen + self._doubt(changes) + self._verdict(broken=broken, at=at)

    def _doubt(self, changes: Sequence[LevelChange]) -> list[Leaving]:
        """A fault for a pulse that is too long for one chip: one was counted, and a second may have left behind it."""
        doubts: list[Leaving] = []
        for change in changes:
            if change.level:
                self._broken_at = change.at
            elif self._is_too_long(change.at):
                self.hold()
                words = "gave a pulse too long for one chip; count the chips by hand, then recount or retest"
                doubts.append(self._fault(FaultKind.TWO_CHIPS, words))
        return doubts

    def _is_too_long(self, at: float) -> bool:
        """A chip that lay in the beam when the motor started, or that somebody freed, took as long as it took."""
        is_of_this_run = self._moved_at is not None and self._broken_at > self._started_at
        return is_of_this_run and elapsed_ms(self._broken_at, at) > self._timings.longest_pulse_ms

    def _verdict(self, *, broken: bool, at: float) -> list[Leaving]:
        """Nothing, or why the motor must stop: judged only by a level that the pin does not contradict."""
        if self._beam.is_chattering or self._chips > self._timings.most_chips:
            return self._run_wild()
        deadline = self._deadline()
        if deadline is None or at < deadline or broken != self._beam.level:
            return []
        self.hold()
        if broken:
            return [self._fault(FaultKind.JAM, "has a chip stuck in its beam; free it, then recount or retest")]
        return [RanEmpty()]

    def _run_wild(self) -> list[Leaving]:
        """Told once, with the motor running or not: the beam is not heard again before the next emptying."""
        if self._is_wild:
            return []
        self.hold()
        self._is_wild = True
        return [self._fault(FaultKind.CHATTER, "has a beam that flickers; clean it, then count the chips by hand")]

    def _deadline(self) -> float | None:
        """When the beam has been as it is for too long."""
        if self._moved_at is None:
            return None
        # A chip may have passed that is not heard yet; one that lies in the beam is seen by every look.
        patience_ms = self._timings.jam_ms if self._beam.level else self._timings.empty_ms + LATE_MS
        return self._moved_at + patience_ms / 1000

    def _fault(self, kind: FaultKind, what: str) -> FaultReported:
        return FaultReported(self._device, kind, f"{self._device} {what}")
