"""Wear: how close a seat's acceptor comes to its limits, so that a worn one shows before it fails; pure."""

from collections import deque
from typing import Final

from msgspec import Struct

RECENT: Final = 50
_WORN_SHARE: Final = 10  # one near miss in so many, …
_LEAST: Final = 3  # … but a few must have been seen
_MARGIN: Final = 10  # a pulse within a tenth of a limit is a near miss


class SeatHealth(Struct, frozen=True):
    """What one acceptor did since the program started; widths and the verdict are of the last pulses only.

    latest_ms are the widths of the last two.
    """

    chips: int = 0
    near_misses: int = 0
    faults: int = 0
    shortest_ms: float | None = None
    typical_ms: float | None = None
    longest_ms: float | None = None
    is_worn: bool = False
    pulses: int = 0
    latest_ms: tuple[float, ...] = ()


class Wear:
    """Keeps count; limits are the shortest and the longest pulse that a chip makes."""

    def __init__(self, low_ms: float = 0, high_ms: float = float("inf")) -> None:
        self._low_ms, self._high_ms = low_ms, high_ms
        self._chips = self._near_misses = self._faults = self._pulses = 0
        self._widths: deque[float] = deque(maxlen=RECENT)
        self._misses: deque[bool] = deque(maxlen=RECENT)

    def pulse(self, width_ms: float) -> None:
        """A beam was broken for so long."""
        self._widths.append(width_ms)
        self._pulses += 1
        is_short = width_ms < self._low_ms * (1 + 1 / _MARGIN)
        self._note(is_near=is_short or width_ms > self._high_ms * (1 - 1 / _MARGIN))

    def chip(self) -> None:
        """A chip went in."""
        self._chips += 1

    def rejected(self) -> None:
        """Something came that was no chip, or was not taken for one."""
        self._note(is_near=True)

    def accepted(self) -> None:
        """A chip was taken by a device that measures for itself."""
        self._chips += 1
        self._note(is_near=False)

    def failed(self) -> None:
        """A jam, or any other fault."""
        self._faults += 1

    def look(self) -> SeatHealth:
        """How it stands."""
        widths = sorted(self._widths)
        near = sum(self._misses)
        return SeatHealth(
            chips=self._chips,
            near_misses=self._near_misses,
            faults=self._faults,
            shortest_ms=round(widths[0], 1) if widths else None,
            typical_ms=round(widths[len(widths) // 2], 1) if widths else None,
            longest_ms=round(widths[-1], 1) if widths else None,
            is_worn=near >= _LEAST and near * _WORN_SHARE >= len(self._misses),
            pulses=self._pulses,
            latest_ms=tuple(round(width, 1) for width in list(self._widths)[-2:]),
        )

    def _note(self, *, is_near: bool) -> None:
        self._near_misses += is_near
        self._misses.append(is_near)
