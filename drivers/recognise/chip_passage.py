"""Passage: chips recognised by how they break one or two beams behind a gate; pure, time is an argument."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from drivers.ports import ChipEntered, FaultKind, Signal
from drivers.recognise.debounce import LATE_MS, Burst, Debounce, LevelChange, Timings, elapsed_ms
from drivers.recognise.device_health import DeviceHealth
from drivers.recognise.geometry import Geometry
from drivers.recognise.wear import Wear

_BEAM_NAMES: Final = {1: ("beam",), 2: ("outer beam", "inner beam")}
_Deadline: TypeAlias = tuple[float, FaultKind, str]


class Pulse(Struct, frozen=True):
    """A beam was broken from start to end."""

    start: float
    end: float


class AcceptorChannel:
    """When a chip can be on its way from the gate to the beams."""

    def __init__(self, in_flight_ms: float) -> None:
        self._in_flight_ms = in_flight_ms
        self._opened_at: float | None = None
        self._shut_at: float | None = None

    def open(self, at: float) -> None:
        """The gate opened; a short shutting in between leaves chips on their way as they were."""
        if self._opened_at is None or (self._shut_at is not None and not self._is_clearing(at)):
            self._opened_at = at
        self._shut_at = None

    def shut(self, at: float) -> None:
        """The gate shut; chips that had passed it are still on their way."""
        if self._opened_at is not None and self._shut_at is None:
            self._shut_at = at

    def can_reach_beam(self, at: float) -> bool:
        """Whether a chip that reached the first beam at this time can have come through the gate."""
        if self._opened_at is None or at < self._opened_at:
            return False
        return self._shut_at is None or self._is_clearing(at)

    def may_hold_chip(self, at: float) -> bool:
        """Whether a chip that passed before the gate shut may not have reached a beam yet, or was not heard there."""
        return self._is_clearing(at - LATE_MS / 1000)

    def _is_clearing(self, at: float) -> bool:
        return self._shut_at is not None and elapsed_ms(self._shut_at, at) <= self._in_flight_ms


class ChipPassage:
    """One slot: edges and looks of its beams in, chips and faults out."""

    def __init__(
        self, channel: int, device: str, *, beams: int, timings: Timings, geometry: Geometry | None = None
    ) -> None:
        """With a geometry two beams measure how long the thing is that falls past them."""
        self._channel, self._timings, self._geometry = channel, timings, geometry
        self._names = _BEAM_NAMES[beams]
        self._beams = [Debounce(timings) for _ in self._names]
        self._broken_at = [0.0] * beams
        self._unread: list[tuple[float, int, bool]] = []  # levels that stand; another beam's may yet precede them
        self._half_in: deque[Pulse] = deque()  # past the outer beam, not yet past the inner one
        self._short_pulses = Burst(timings.short_pulses, timings.short_window_ms)
        self._unproved: FaultKind | None = None  # what only another proof clears
        self._has_taken = False  # whether a chip went in since the gate last opened
        self._throat = AcceptorChannel(timings.in_flight_ms)
        self.wear = Wear(timings.min_chip_ms, timings.max_chip_ms)
        self._health = DeviceHealth(device, timings.chatter_window_ms, self.wear)

    def start(self, levels: Sequence[bool], at: float) -> list[Signal]:
        """Takes the first levels; a beam that is broken already is stuck."""
        signals: list[Signal] = []
        for number, broken in enumerate(levels):
            self._beams[number].start(broken, at)
            if broken:
                signals += self._fail(FaultKind.STUCK, number, "is broken at the start: clear the slot, then retest")
        return signals

    def edge(self, beam: int, broken: bool, at: float) -> list[Signal]:
        """One beam's pin changed."""
        self._note(beam, self._beams[beam].edge(broken, at))
        return self._read() + self._judge(at)

    def look(self, levels: Sequence[bool], at: float) -> list[Signal]:
        """All beams were read."""
        for number, broken in enumerate(levels):
            self._note(number, self._beams[number].look(broken, at))
        return self._read() + self._judge(at)

    @property
    def due(self) -> float | None:
        """When the next look decides something, or None."""
        waits = [beam.due for beam in self._beams]
        waits += [self._health.trial_ends, *(when for when, _, _ in self._deadlines())]
        return min((when for when in waits if when is not None), default=None)

    def gate_opened(self, at: float) -> None:
        """From now on chips can come."""
        self._has_taken = self._has_taken and self._throat.may_hold_chip(at)
        self._throat.open(at)

    def gate_shut(self, at: float) -> None:
        """From now on only chips already in flight can come."""
        self._throat.shut(at)

    def retest(self, levels: Sequence[bool], at: float) -> None:
        """Begins a trial: the beams must stay clear and still until its end."""
        for beam, broken in zip(self._beams, levels, strict=True):
            beam.start(broken, at)
        self._unread.clear()
        self._half_in.clear()
        self._short_pulses.clear()
        self._health.begin_trial(at)

    def prove(self, dark: Sequence[bool], light: Sequence[bool], at: float) -> list[Signal]:
        """Takes what the beams read with the emitters off, then on again: broken, then clear."""
        for debounce, broken in zip(self._beams, light, strict=True):
            debounce.start(broken, at)
        self._unread.clear()
        self._half_in.clear()
        self._unproved = None
        for beam, (was_broken, is_broken) in enumerate(zip(dark, light, strict=True)):
            if not was_broken:
                problem = "sees light while its emitter is off: keep other light out, check its cable, then retest"
                return self._fail_proof(FaultKind.DAZZLED, beam, problem)
            if is_broken:
                problem = "stays dark while its emitter is on: clear the slot, clean and align it, then retest"
                return self._fail_proof(FaultKind.DARK, beam, problem)
        return []

    @property
    def is_well(self) -> bool:
        """Whether chips may be let in."""
        return self._health.is_well

    def is_busy(self, at: float) -> bool:
        """Whether a chip is, or may be, on its way in."""
        is_seen = bool(self._half_in) or not all(beam.is_quiet for beam in self._beams)
        return self.is_well and (is_seen or self._throat.may_hold_chip(at))

    def _note(self, beam: int, changes: list[LevelChange]) -> None:
        self._unread += [(change.at, beam, change.level) for change in changes]

    def _read(self) -> list[Signal]:
        """Takes levels in the order in which they were: beams whose edges come late settle in any order."""
        signals: list[Signal] = []
        open_since = min(beam.unsettled_since for beam in self._beams)
        self._unread.sort()
        while self._unread and self._unread[0][0] <= open_since:
            signals += self._changed(*self._unread.pop(0))
        return signals

    def _changed(self, at: float, beam: int, broken: bool) -> list[Signal]:
        if broken:
            self._broken_at[beam] = at
            return []
        return self._passed(beam, Pulse(self._broken_at[beam], at)) if self.is_well else []

    def _passed(self, beam: int, pulse: Pulse) -> list[Signal]:
        width_ms = elapsed_ms(pulse.start, pulse.end)
        self.wear.pulse(width_ms)
        if width_ms < self._timings.min_chip_ms:
            return self._too_short(beam, pulse)
        if width_ms > self._timings.max_chip_ms:
            return self._too_long(beam, width_ms)
        if beam == 0 and not self._throat.can_reach_beam(pulse.start):
            return self._behind_the_gate(beam)
        if beam < len(self._beams) - 1:
            self._half_in.append(pulse)
            return []
        return self._went_in(beam, pulse)

    def _too_short(self, beam: int, pulse: Pulse) -> list[Signal]:
        is_seen = elapsed_ms(pulse.start, pulse.end) >= self._timings.flat_chip_ms
        if not is_seen or (beam == 0 and not self._throat.can_reach_beam(pulse.start)):
            return self._flickered(beam, pulse.end)
        problem = "was broken as by a chip that falls flat: look for a chip in the return device, then retest"
        return self._fail(FaultKind.FLAT_CHIP, beam, problem)

    def _too_long(self, beam: int, width_ms: float) -> list[Signal]:
        words = f"was broken for {width_ms:.0f} ms, a chip takes at most {self._timings.max_chip_ms:g} ms"
        if width_ms <= self._timings.two_chips_ms:
            return self._fail(FaultKind.TWO_CHIPS, beam, f"{words}: two chips may have gone in; look, then retest")
        return self._fail(FaultKind.HELD_CHIP, beam, f"{words}: see whether a chip went in, then retest")

    def _behind_the_gate(self, beam: int) -> list[Signal]:
        if self._has_taken:
            problem = "was broken after a chip, with the gate shut: look for a chip on a string, then retest"
            return self._fail(FaultKind.DRAWN_BACK, beam, problem)
        problem = "was broken with the gate shut: look for a chip or a hand, then retest"
        return self._fail(FaultKind.SPURIOUS, beam, problem)

    def _flickered(self, beam: int, at: float) -> list[Signal]:
        self._short_pulses.add(at)
        if not self._short_pulses.is_over:
            return []
        return self._fail(FaultKind.SPURIOUS, beam, "flickers too briefly for a chip: clean and align it, then retest")

    def _went_in(self, beam: int, pulse: Pulse) -> list[Signal]:
        if beam > 0:
            if not self._half_in:
                problem = "was broken before the outer one: look for a chip on a string, then retest"
                return self._fail(FaultKind.DRAWN_BACK, beam, problem)
            outer = self._half_in.popleft()
            if not self._is_next(outer, pulse):
                problem = "was not broken in a chip's order: look for a chip that came back, then retest"
                return self._fail(FaultKind.OUT_OF_ORDER, beam, problem)
            if misfit := self._misfit(outer, pulse):
                return misfit
        self.wear.chip()
        self._has_taken = True
        return [ChipEntered(self._channel, pulse.end)]

    def _is_next(self, outer: Pulse, inner: Pulse) -> bool:
        """Whether the chip longest past the outer beam is the one that now passed the inner beam."""
        in_time = elapsed_ms(outer.end, inner.end) <= self._timings.max_chip_ms
        return in_time and outer.start <= inner.start

    def _misfit(self, outer: Pulse, inner: Pulse) -> list[Signal]:
        """A fault, if what fell past both beams was as long as no chip is."""
        geometry = self._geometry
        if geometry is None:
            return []
        length_mm = geometry.length_mm((outer.start, outer.end), (inner.start, inner.end))
        if length_mm is None:
            problem = "was not broken as by anything that falls: look for a chip on a string, then retest"
            return self._fail(FaultKind.DRAWN_BACK, 1, problem)
        words = f"saw {length_mm:.0f} mm pass, a chip has {geometry.diameter_mm:g} mm"
        if length_mm > geometry.two_above_mm:
            return self._fail(FaultKind.TWO_CHIPS, 1, f"{words}: two chips may have gone in; look, then retest")
        if length_mm < geometry.flat_below_mm:
            return self._fail(FaultKind.FLAT_CHIP, 1, f"{words}: look for a chip that fell flat, then retest")
        return []

    def _judge(self, at: float) -> list[Signal]:
        signals = self._chattered()
        if self._health.is_trial_over(at):
            signals += self._verdict()
        for when, kind, problem in list(self._deadlines()):
            if when <= at:
                signals += self._health.fail(kind, problem)
        return signals

    def _chattered(self) -> list[Signal]:
        for beam, debounce in enumerate(self._beams):
            if debounce.is_chattering:
                problem = f"{self._timings.chatter_words}: check sensor and cable, then retest"
                return self._fail(FaultKind.CHATTER, beam, problem)
        return []

    def _verdict(self) -> list[Signal]:
        for beam, debounce in enumerate(self._beams):
            if debounce.is_held:
                return self._fail(FaultKind.STUCK, beam, "is still broken: clear the slot, then retest")
            if debounce.has_moved:
                return self._fail(FaultKind.SPURIOUS, beam, "moved during the test: leave the slot alone, then retest")
        if self._unproved is not None:
            problem = "beams are proved while every gate is shut: retest once wagers are locked"
            return self._health.fail(self._unproved, problem)
        return self._health.mend()

    def _deadlines(self) -> Iterator[_Deadline]:
        """What becomes a fault when its time comes."""
        if not self.is_well:
            return
        for beam, debounce in enumerate(self._beams):
            if debounce.is_held:
                when = debounce.since + self._timings.stuck_ms / 1000
                yield when, FaultKind.STUCK, f"the {self._names[beam]} stays broken: clear the slot, then retest"
        if self._half_in:
            # By their edges' times they are judged when the inner beam's have come, which may be late.
            late_ms = self._timings.settle_ms + LATE_MS
            when = self._half_in[0].end + (self._timings.max_chip_ms + late_ms) / 1000
            problem = "a chip passed the outer beam only: look for a chip that came back or hangs, then retest"
            yield when, FaultKind.OUT_OF_ORDER, problem

    def _fail_proof(self, kind: FaultKind, beam: int, problem: str) -> list[Signal]:
        self._unproved = kind
        return self._fail(kind, beam, problem)

    def _fail(self, kind: FaultKind, beam: int, problem: str) -> list[Signal]:
        return self._health.fail(kind, f"the {self._names[beam]} {problem}")
