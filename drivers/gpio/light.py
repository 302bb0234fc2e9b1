"""A light on a pin."""

from drivers.gpio.light_part import Lamplighter
from drivers.gpio.pins import Board
from drivers.ports import Pattern


class GpioLight:
    """One lamp on one output; dark when it is built and when it is closed."""

    def __init__(self, board: Board, device: str, pin: int, *, active_high: bool = True) -> None:
        self._board, self._pin = board, pin
        self._lamp = board.output(device, pin, active_high=active_high)
        self._lamplighter = Lamplighter(board.clock, self._set)

    def show(self, pattern: Pattern) -> None:
        """Says this from now on."""
        self._lamplighter.show(pattern)

    def close(self) -> None:
        """Goes dark and gives the pin back."""
        self._lamplighter.stop()
        self._lamp.off()
        self._lamp.close()
        self._board.release(self._pin)

    def _set(self, on: bool) -> None:
        self._lamp.value = on
