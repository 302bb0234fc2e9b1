"""A simulated return device on pins: a stock of chips that fall through a beam while a motor runs."""

from collections.abc import Callable

from drivers.gpio.pins import InputWiring
from drivers.simulated.pins import SimulatedPins
from drivers.simulated.slots import Beam


class SolenoidModel:
    """Chips, an opening and a beam; used in the loop's thread, at the pace of the clock."""

    def __init__(
        self, pins: SimulatedPins, *, motor: int, beam: InputWiring, chip_ms: float = 80, past_beam_ms: float = 30
    ) -> None:
        self.stock = 0
        self.given = 0  # chips that left, whatever the beam saw
        self.jam_after: int | None = None  # chips that still come before one stays in the beam
        self.overlaps = 0  # chips that fall so close behind another that the beam sees one
        self.beam = Beam(pins, beam)
        self._clock, self._motor = pins.clock, pins.wire(motor)
        self._chip_ms, self._past_beam_ms = chip_ms, past_beam_ms
        self._is_turning = self._is_stuck = False

    def load(self, chips: int) -> None:
        """Chips fall in."""
        self.stock += chips
        if not self._is_turning:
            self._is_turning = True
            self._after(self._chip_ms, self._turn)

    def clear_jam(self) -> None:
        """A person frees the chip, and it falls out."""
        self.jam_after = None
        if self._is_stuck:
            self._is_stuck = False
            self._leave()

    def _turn(self) -> None:
        """A look at the motor once in the time that a chip takes, as long as there are chips."""
        if self.stock and self._motor.is_held_high and not self._is_stuck:
            self._give()
        self._is_turning = self.stock > 0
        if self._is_turning:
            self._after(self._chip_ms, self._turn)

    def _give(self) -> None:
        self._enter()
        if self.jam_after == 0:
            self._is_stuck = True
            return
        if self.jam_after is not None:
            self.jam_after -= 1
        self._after(self._past_beam_ms, self._leave)
        if self.overlaps and self.stock:
            self.overlaps -= 1
            self._after(self._past_beam_ms / 2, self._enter)
            self._after(self._past_beam_ms * 3 / 2, self._leave)

    def _enter(self) -> None:
        self.stock -= 1
        self.beam.enter()

    def _leave(self) -> None:
        self.given += 1
        self.beam.leave()

    def _after(self, ms: float, act: Callable[[], None]) -> None:
        self._clock.call_at(self._clock.now() + ms / 1000, act)
