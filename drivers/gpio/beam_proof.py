"""Beam proof: all emitters off and on again, and every receiver must have seen both."""

import time
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from drivers.gpio.header import Pin
from drivers.gpio.pins import PinRegistry

EMITTERS: Final = "emitters"
LOOK_S: Final = 0.02
"""After so long every receiver has seen its emitter change: slow ones take 10 ms, an expander 2 ms more."""


class ProvedSlot(Protocol):
    """A slot whose beams can be proved; its gate is shut meanwhile."""

    def begin_proof(self) -> None: ...

    def see_dark(self) -> None: ...

    def end_proof(self) -> None: ...


class BeamProof:
    """The emitters of a table on one output; without a program they are dark, and every beam reads as broken."""

    def __init__(self, board: PinRegistry, pin: Pin, *, active_high: bool = True) -> None:
        self._board, self._clock, self._pin = board, board.clock, pin
        self._emitters = board.output(EMITTERS, pin, active_high=active_high)
        self._emitters.on()
        self._up_at = time.monotonic() + LOOK_S
        self._waiting: list[Callable[[], None]] = []

    def wait_until_up(self) -> None:
        """Blocks until every beam has come up: once, while the table is put together, before one is read."""
        time.sleep(max(0.0, self._up_at - time.monotonic()))

    def run(self, slots: Sequence[ProvedSlot], then: Callable[[], None]) -> None:
        """Proves these slots, which have told what they found before then is called; one proof at a time."""
        self._waiting.append(then)
        if len(self._waiting) > 1:
            return
        for slot in slots:
            slot.begin_proof()
        self._emitters.off()
        self._clock.call_at(self._clock.now() + LOOK_S, lambda: self._lit_again(slots))

    def close(self) -> None:
        """Leaves the emitters dark and gives the pin back."""
        self._emitters.close()
        self._board.release(self._pin)

    def _lit_again(self, slots: Sequence[ProvedSlot]) -> None:
        for slot in slots:
            slot.see_dark()
        self._emitters.on()
        self._clock.call_at(self._clock.now() + LOOK_S, lambda: self._end(slots))

    def _end(self, slots: Sequence[ProvedSlot]) -> None:
        for slot in slots:
            slot.end_proof()
        waiting, self._waiting = self._waiting, []
        for then in waiting:
            then()
