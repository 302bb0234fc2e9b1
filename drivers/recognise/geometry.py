"""Geometry: how long a chip breaks a beam, from its size and its fall; pure."""

import math
from collections.abc import Iterator
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from drivers.recognise.debounce import Timings

GRAVITY_MM_S2: Final = 9810.0
MARGIN: Final = 0.1  # how far a real chip may be off what is calculated
_GATE_SHUTS_MS: Final = 50.0
_MOST_SETTLE_MS: Final = 5.0
_LEAST_SETTLE_MS: Final = 0.5  # an input cannot be read much faster
BY_GEOMETRY: Final = frozenset({"flat_chip_ms", "min_chip_ms", "max_chip_ms", "two_chips_ms", "in_flight_ms"})
"""The timings that nobody sets."""
Problem: TypeAlias = tuple[str, str]


class Geometry(Struct, frozen=True):
    """A chip and the chute that it falls through; a casino's chip has 39 mm."""

    diameter_mm: float = 39.0
    thickness_mm: float = 3.3
    chute_mm: float = 5.0  # how deep the chute is, across the chip's thickness
    drop_mm: float = 60.0  # from the gate to the outer beam
    beam_gap_mm: float = 20.0  # from the outer beam to the inner one
    beam_offset_mm: float = 1.0  # how far a chip's middle may pass beside the beam
    push_mm_s: float = 400.0  # how fast a chip passes the gate at most
    slowest_fall: float = 0.55  # how much of gravity the slowest chip feels: friction, a sloping chute

    @property
    def chord_mm(self) -> float:
        """The shortest part of a chip that crosses the beam."""
        return 2 * math.sqrt(max(0.0, (self.diameter_mm / 2) ** 2 - self.beam_offset_mm**2))

    def timings(self, usual: Timings) -> Timings:
        """The timings of a slot built like this."""
        flat_ms = self._shortest_ms(self.thickness_mm, self.drop_mm + self.beam_gap_mm)
        settle_ms = min(_MOST_SETTLE_MS, flat_ms)
        to_beam_ms = self._longest_ms(self.drop_mm, 0.0)
        return replace(
            usual,
            settle_ms=_rounded(settle_ms),
            flat_chip_ms=_rounded(flat_ms),
            min_chip_ms=_rounded(self._shortest_ms(self.chord_mm, self.drop_mm + self.beam_gap_mm)),
            max_chip_ms=_rounded(self._longest_ms(self.diameter_mm, self.drop_mm)),
            two_chips_ms=_rounded(self._longest_ms(2 * self.diameter_mm, self.drop_mm) + settle_ms),
            in_flight_ms=_rounded(to_beam_ms + _GATE_SHUTS_MS),
        )

    def length_mm(self, outer: tuple[float, float], inner: tuple[float, float]) -> float | None:
        """How long the thing was that broke the outer beam from … to …, then the inner one; None if nothing falls so.

        Three times since it reached the outer beam, one speed, one acceleration: the beams' distance gives both.
        """
        reached, left, cleared = (at - outer[0] for at in (inner[0], outer[1], inner[1]))
        if reached <= 0 or left <= 0 or cleared <= left or cleared + left <= reached:
            return None
        passing, gap = cleared - left, self.beam_gap_mm
        determinant = reached * passing * (cleared + left - reached) / 2
        speed = gap * (cleared**2 - left**2 - reached**2) / 2 / determinant
        acceleration = gap * (reached - passing) / determinant
        return speed * left + acceleration * left**2 / 2

    @property
    def flat_below_mm(self) -> float:
        """What is shorter is no chip that stands upright."""
        return (self.thickness_mm + self.chord_mm) / 2

    @property
    def two_above_mm(self) -> float:
        """What is longer is no single chip."""
        return self.diameter_mm + self.chord_mm / 2

    def problems(self, beams: int) -> list[Problem]:
        """Each key that makes such a slot count wrong, with what to change."""
        return [*self._misfits(), *(self._confusions() if beams == 1 else ())]

    def _misfits(self) -> Iterator[Problem]:
        if self.chute_mm <= self.thickness_mm:
            yield "chute_mm", f"a chip of {self.thickness_mm:g} mm jams in it; make the chute deeper"
        if self.chute_mm >= 2 * self.thickness_mm:
            yield "chute_mm", f"two chips of {self.thickness_mm:g} mm pass side by side as one; make the chute narrower"
        if self.beam_offset_mm * 4 > self.diameter_mm:
            yield "beam_offset_mm", "the beam must cross the middle half of a chip; move it towards the middle"
        if self.beam_gap_mm >= self.chord_mm:
            yield "beam_gap_mm", "a chip must break both beams at once; bring the beams closer together"
        if self.timings(Timings()).flat_chip_ms < _LEAST_SETTLE_MS:
            yield "drop_mm", "a chip that falls flat would pass too fast to be seen; let it fall less far"

    def _confusions(self) -> Iterator[Problem]:
        """One beam knows how long it was broken, and not how fast the chip fell."""
        advice = "fit a second beam, or let chips fall more alike: a longer drop_mm, less push_mm_s, more slowest_fall"
        one_ms = self._longest_ms(self.diameter_mm, self.drop_mm)
        two_ms = self._shortest_ms(self.diameter_mm + self.chord_mm, self.drop_mm)
        if one_ms >= two_ms:
            problem = f"a slow chip breaks the beam for {one_ms:.0f} ms, two fast ones edge to edge for {two_ms:.0f} ms"
            yield "drop_mm", f"{problem}: one beam cannot tell them apart; {advice}"
        flat_ms = self._longest_ms(self.thickness_mm, self.drop_mm)
        upright_ms = self._shortest_ms(self.chord_mm, self.drop_mm + self.beam_gap_mm)
        if flat_ms >= upright_ms:
            problem = f"a flat chip breaks the beam for {flat_ms:.0f} ms, a fast upright one for {upright_ms:.0f} ms"
            yield "drop_mm", f"{problem}: one beam cannot tell them apart; {advice}"

    def _shortest_ms(self, length_mm: float, after_mm: float) -> float:
        return fall_ms(length_mm, after_mm, self.push_mm_s, GRAVITY_MM_S2) * (1 - MARGIN)

    def _longest_ms(self, length_mm: float, after_mm: float) -> float:
        return fall_ms(length_mm, after_mm, 0.0, GRAVITY_MM_S2 * self.slowest_fall) * (1 + MARGIN)


def fall_ms(length_mm: float, after_mm: float, push_mm_s: float, acceleration_mm_s2: float) -> float:
    """How long a length takes past a point so far below the gate."""
    reaches = math.sqrt(push_mm_s**2 + 2 * acceleration_mm_s2 * after_mm)
    leaves = math.sqrt(push_mm_s**2 + 2 * acceleration_mm_s2 * (after_mm + length_mm))
    return 1000 * (leaves - reaches) / acceleration_mm_s2


def _rounded(value: float) -> float:
    return round(value, 2)
