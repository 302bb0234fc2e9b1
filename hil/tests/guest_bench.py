"""The virtual board that all tests of a run share."""

from pathlib import Path

from hil.broker_and_meter import BrokerAndMeter
from hil.virtual import VirtualRig


class GuestBench:
    """A booted rig whose table was just started, and the house around it."""

    def __init__(self, rig: VirtualRig, folder: Path, port: int) -> None:
        self.rig, self._folder, self._port = rig, folder, port
        self._number = 0

    def house(self) -> BrokerAndMeter:
        """A new house: empty books, an empty hopper."""
        self._number += 1
        return BrokerAndMeter(self._folder / f"house-{self._number}", self._port)
