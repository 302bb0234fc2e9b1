"""The ccTalk wire: a board's serial port joined to the hopper at its far end, for one life of the board."""

import os
import select
import threading
from contextlib import suppress
from typing import Final

from drivers.simulated.hopper import SimulatedHopper

_LOOK_S: Final = 0.5


class SerialWire:
    """From plugging in until the board has no power; the board's end is a file descriptor that the wire closes."""

    def __init__(self, board: int, hopper: SimulatedHopper) -> None:
        self._board = board
        self._hopper = os.open(hopper.port, os.O_RDWR | os.O_NOCTTY)
        self._is_ending = threading.Event()
        self._thread = threading.Thread(target=self._carry, name="wire", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Pulls it out."""
        self._is_ending.set()
        self._thread.join(30)
        os.close(self._board)
        os.close(self._hopper)

    def _carry(self) -> None:
        far = {self._board: self._hopper, self._hopper: self._board}
        with suppress(OSError):  # the board's power was cut
            while not self._is_ending.is_set():
                for end in select.select(list(far), [], [], _LOOK_S)[0]:
                    said = os.read(end, 512)
                    if not said:
                        return
                    os.write(far[end], said)
