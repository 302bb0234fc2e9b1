"""Line: one input pin whose edges arrive in the loop."""

from collections.abc import Callable

from drivers.gpio.pins import Board, Wire


class Line:
    """One input; heard(active, at) is called in the loop for every edge, with the time at which it was."""

    def __init__(self, board: Board, device: str, wire: Wire, heard: Callable[[bool, float], None]) -> None:
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
