"""Slots: a mouth with a gate, one or two beams behind it, and the chips that fall through."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from drivers.gpio.header import Pin
from drivers.gpio.pins import InputWiring
from drivers.simulated.contacts import Contact
from drivers.simulated.pins import SimulatedPins

_PULL_MS: Final = 30.0  # how long full power takes to pull a gate open
_FLAT: Final = 3.3 / 39  # how much of a chip a beam sees when it lies


class Fall(Struct, frozen=True):
    """How a chip falls, in milliseconds: gate to outer beam, past a beam, from beam to beam, into the collector."""

    to_beam_ms: float = 20
    past_beam_ms: float = 30
    between_beams_ms: float = 15
    to_collector_ms: float = 10


class Beam:
    """A light beam that stays broken while anything at all is in it, or its emitter is off."""

    def __init__(self, pins: SimulatedPins, wire: InputWiring, emitter: Pin | None = None) -> None:
        self.contact = Contact(pins, wire)
        self._obstacles, self._is_dazzled = 0, False
        self._emitter = None if emitter is None else pins.wire(emitter)
        if self._emitter is not None:
            self._emitter.wired_to.append(self._put)
            self._put()

    def enter(self) -> None:
        """Something moves into the beam."""
        self._obstacles += 1
        self._put()

    def leave(self) -> None:
        """Something moves out of the beam."""
        self._obstacles -= 1
        self._put()

    def dazzle(self, is_dazzled: bool = True) -> None:
        """Other light falls on the receiver: whatever is in the beam, it sees light."""
        self._is_dazzled = is_dazzled
        self._put()

    def _put(self) -> None:
        is_dark = self._emitter is not None and not self._emitter.is_held_high
        self.contact.set((self._obstacles > 0 or is_dark) and not self._is_dazzled)


class SlotModel:
    """One slot; on_chip_in and on_bounce hear where each chip went. Used in the loop's thread."""

    def __init__(
        self,
        pins: SimulatedPins,
        *,
        beams: Sequence[InputWiring],
        gate: int,
        on_chip_in: Callable[[], None],
        on_bounce: Callable[[], None],
        emitters: Pin | None = None,
        hit: int | None = None,
    ) -> None:
        self._clock, self._gate = pins.clock, pins.wire(gate)
        self._hit = None if hit is None else pins.wire(hit)
        self._is_pulled = False
        if self._hit is not None:
            for pin in (self._gate, self._hit):
                pin.wired_to.append(self._follow)
        self.beams = [Beam(pins, wire, emitters) for wire in beams]
        self._on_chip_in, self._on_bounce = on_chip_in, on_bounce

    @property
    def is_open(self) -> bool:
        """Whether the gate lets a chip through at this moment."""
        return self._gate.is_held_high and (self._hit is None or self._is_pulled)

    def insert_chip(self, fall: Fall = Fall()) -> None:  # noqa: B008  a frozen value
        """A chip is pushed in: past an open gate it falls, from a shut one it comes back to the player."""
        if not self.is_open:
            self._on_bounce()
            return
        in_ms = self._pass_beams(self.beams, fall)
        self._after(in_ms + fall.to_collector_ms, self._on_chip_in)

    def insert_chips_fast(self, count: int, every_ms: float, fall: Fall) -> None:
        """Chips are poured in; each meets the gate as it then stands."""
        for chip in range(count):
            self._after(chip * every_ms, lambda: self.insert_chip(fall))

    def insert_two_chips(self, fall: Fall = Fall()) -> None:  # noqa: B008  a frozen value
        """Two chips are pushed in edge to edge: no light is between them."""
        if not self.is_open:
            self._on_bounce()
            self._on_bounce()
            return
        in_ms = self._pass_beams(self.beams, replace(fall, past_beam_ms=2 * fall.past_beam_ms))
        self._after(in_ms + fall.to_collector_ms, self._on_chip_in)
        self._after(in_ms + fall.to_collector_ms, self._on_chip_in)

    def insert_flat_chip(self, fall: Fall = Fall()) -> None:  # noqa: B008  a frozen value
        """A chip lies down as it falls: a beam sees its edge only."""
        self.insert_chip(replace(fall, past_beam_ms=fall.past_beam_ms * _FLAT))

    def chip_on_a_string(self, down_ms: float, fall: Fall = Fall()) -> None:  # noqa: B008  a frozen value
        """A chip falls past the beams, hangs there for a while and is drawn up again."""
        self._pass_beams(self.beams, fall)
        self._after(down_ms, partial(self.chip_comes_back, fall))

    def chip_backs_out(self, fall: Fall = Fall()) -> None:  # noqa: B008  a frozen value
        """A chip reaches the outer beam and is drawn back."""
        self._pass_beams(self.beams[:1], fall)

    def chip_comes_back(self, fall: Fall = Fall()) -> None:  # noqa: B008  a frozen value
        """Something passes the beams from the inside out."""
        self._pass_beams(self.beams[::-1], fall)

    def stick(self, beam: int = 0) -> None:
        """Something stays in a beam."""
        self.beams[beam].enter()

    def free(self, beam: int = 0) -> None:
        """It is taken out again."""
        self.beams[beam].leave()

    def _follow(self) -> None:
        """A solenoid on a weak supply holds what a hit has pulled, and pulls nothing by itself."""
        if not self._gate.is_held_high:
            self._is_pulled = False
        elif self._has_power:
            self._after(_PULL_MS, self._pull)

    def _pull(self) -> None:
        self._is_pulled = self._is_pulled or self._has_power

    @property
    def _has_power(self) -> bool:
        return self._hit is not None and self._hit.is_held_high and self._gate.is_held_high

    def _pass_beams(self, beams: Sequence[Beam], fall: Fall) -> float:
        """Schedules a passage and says after how many milliseconds it is complete."""
        at_ms = fall.to_beam_ms
        for number, beam in enumerate(beams):
            at_ms = fall.to_beam_ms + number * fall.between_beams_ms
            self._after(at_ms, partial(self._break, beam, fall.past_beam_ms))
        return at_ms + fall.past_beam_ms

    def _break(self, beam: Beam, for_ms: float) -> None:
        """A chip is in the beam for as long as it falls past it, however late a busy machine's timers are."""
        beam.enter()
        self._after(for_ms, beam.leave)

    def _after(self, ms: float, act: Callable[[], None]) -> None:
        self._clock.call_at(self._clock.now() + ms / 1000, act)
