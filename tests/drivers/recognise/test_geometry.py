"""Geometry: for every slot that is not refused, chips are counted once, and abuse is a fault or counted right."""

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from drivers.ports import ChipEntered, FaultKind, FaultReported
from drivers.recognise.chip_passage import ChipPassage
from drivers.recognise.debounce import SLOT_TIMINGS
from drivers.recognise.geometry import GRAVITY_MM_S2, Geometry, fall_ms
from tests.support.drivers.wireplay import Edge, play


@st.composite
def slots(draw: st.DrawFn, beams: int) -> Geometry:
    """Any slot that the settings would not refuse."""
    diameter = draw(st.floats(20.0, 60.0))
    thickness = draw(st.floats(1.5, 4.0))
    geometry = Geometry(
        diameter_mm=diameter,
        thickness_mm=thickness,
        chute_mm=thickness * 1.5,
        drop_mm=draw(st.floats(10.0, 200.0)),
        beam_gap_mm=diameter * draw(st.floats(0.3, 0.8)),
        beam_offset_mm=diameter * draw(st.floats(0.0, 0.2)),
        push_mm_s=draw(st.floats(0.0, 1500.0 if beams == 2 else 600.0)),
        slowest_fall=draw(st.floats(0.2 if beams == 2 else 0.5, 1.0)),
    )
    assume(not geometry.problems(beams))
    return geometry


class Thing:
    """Something that falls: how fast it passes the gate, and how much of gravity it feels."""

    def __init__(self, geometry: Geometry, push: float, fall: float) -> None:
        self.push = push * geometry.push_mm_s
        self.acceleration = GRAVITY_MM_S2 * (geometry.slowest_fall + fall * (1 - geometry.slowest_fall))

    def reaches(self, way_mm: float) -> float:
        """Milliseconds from the gate to so far below it."""
        return fall_ms(way_mm, 0.0, self.push, self.acceleration)


def passage(geometry: Geometry, beams: int) -> ChipPassage:
    """An open slot built like this."""
    timings = geometry.timings(SLOT_TIMINGS)
    made = ChipPassage(3, "seat 3 acceptor", beams=beams, timings=timings, geometry=geometry)
    made.gate_opened(0.0)
    return made


def edges(geometry: Geometry, thing: Thing, beams: int, *parts_mm: tuple[float, float]) -> list[Edge]:
    """The beams' edges when parts of a thing, each from … to … behind its front, fall past them."""
    found: list[Edge] = []
    for beam in range(beams):
        way = geometry.drop_mm + beam * geometry.beam_gap_mm
        for start, end in parts_mm:
            found += [(1000 + thing.reaches(way + start), beam, True), (1000 + thing.reaches(way + end), beam, False)]
    return found


def judged(geometry: Geometry, beams: int, told: list[Edge]) -> tuple[int, list[FaultKind]]:
    """How many chips were counted, and which faults were told."""
    said = [signal for _, signal in play(passage(geometry, beams), told, lines=beams)]
    kinds = [signal.kind for signal in said if isinstance(signal, FaultReported)]
    return sum(isinstance(signal, ChipEntered) for signal in said), kinds


def things(data: st.DataObject, geometry: Geometry) -> Thing:
    """Any lawful way to fall."""
    return Thing(geometry, data.draw(st.floats(0.0, 1.0)), data.draw(st.floats(0.0, 1.0)))


@pytest.mark.parametrize("beams", [1, 2])
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_every_lawful_chip_is_counted_once(beams: int, data: st.DataObject) -> None:
    """However fast it was pushed, however it rubs, wherever the beam crosses it."""
    geometry = data.draw(slots(beams))
    chord = data.draw(st.floats(geometry.chord_mm, geometry.diameter_mm))
    assert judged(geometry, beams, edges(geometry, things(data, geometry), beams, (0.0, chord))) == (1, [])


@pytest.mark.parametrize("beams", [1, 2])
@given(data=st.data(), apart_mm=st.floats(0.0, 30.0))
@settings(max_examples=150, deadline=None)
def test_two_chips_are_two_or_a_fault_and_never_one(beams: int, data: st.DataObject, apart_mm: float) -> None:
    """Edge to edge, or with any gap between them."""
    geometry = data.draw(slots(beams))
    chord = data.draw(st.floats(geometry.chord_mm, geometry.diameter_mm))
    second = geometry.diameter_mm + apart_mm
    told = edges(geometry, things(data, geometry), beams, (0.0, chord), (second, second + chord))
    counted, kinds = judged(geometry, beams, told)
    assert counted == 2 or kinds


@pytest.mark.parametrize("beams", [1, 2])
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_a_flat_chip_is_a_fault(beams: int, data: st.DataObject) -> None:
    """A beam sees its thickness only."""
    geometry = data.draw(slots(beams))
    told = edges(geometry, things(data, geometry), beams, (0.0, geometry.thickness_mm))
    assert judged(geometry, beams, told) == (0, [FaultKind.FLAT_CHIP])


@pytest.mark.parametrize("beams", [1, 2])
@given(data=st.data(), down_ms=st.floats(600.0, 5000.0))
@settings(max_examples=100, deadline=None)
def test_a_chip_on_a_string_is_a_fault_when_it_is_drawn_up(beams: int, data: st.DataObject, down_ms: float) -> None:
    """The gate shut behind it; it comes from below, as fast as anybody pulls."""
    geometry = data.draw(slots(beams))
    made, thing = passage(geometry, beams), things(data, geometry)
    down = edges(geometry, thing, beams, (0.0, geometry.diameter_mm))
    turn = max(at for at, _, _ in down)
    up = [(2 * turn + down_ms - at, beam, not broken) for at, beam, broken in down]
    made.gate_shut(turn / 1000)
    said = [signal for _, signal in play(made, down + up, lines=beams)]
    assert sum(isinstance(signal, ChipEntered) for signal in said) == 1
    assert [signal.kind for signal in said if isinstance(signal, FaultReported)] == [FaultKind.DRAWN_BACK]


@given(data=st.data(), held_ms=st.floats(0.0, 1500.0))
@settings(max_examples=100, deadline=None)
def test_a_beam_broken_for_too_long_is_a_fault_by_name(data: st.DataObject, held_ms: float) -> None:
    """450 ms are no chip, whatever the slot."""
    geometry = data.draw(slots(1))
    timings = geometry.timings(SLOT_TIMINGS)
    width = timings.max_chip_ms + 0.1 + held_ms
    expected = FaultKind.TWO_CHIPS if round(width, 3) <= timings.two_chips_ms else FaultKind.HELD_CHIP
    told = [(1000.0, 0, True), (1000.0 + width, 0, False)]
    counted, kinds = judged(geometry, 1, told)
    assert (counted, kinds) == (0, [expected]) or (width >= timings.stuck_ms and kinds == [FaultKind.STUCK])


@given(speed=st.floats(200.0, 3000.0), acceleration=st.floats(0.0, 9810.0), length=st.floats(3.0, 120.0))
def test_two_beams_measure_what_falls_past_them(speed: float, acceleration: float, length: float) -> None:
    """Three times, one speed, one acceleration: the length is exact."""

    def at(way: float) -> float:
        if acceleration < 1e-6:
            return way / speed
        return 2 * way / (speed + math.sqrt(speed**2 + 2 * acceleration * way))

    geometry = Geometry()
    gap = geometry.beam_gap_mm
    measured = geometry.length_mm((0.0, at(length)), (at(gap), at(gap + length)))
    assert measured is not None
    assert measured == pytest.approx(length, rel=1e-6)


def test_nothing_falls_upwards() -> None:
    """Beams broken in no order of a fall have no length."""
    assert Geometry().length_mm((0.0, 0.03), (-0.01, 0.02)) is None
    assert Geometry().length_mm((0.0, 0.06), (0.015, 0.045)) is None


def test_the_usual_slot_takes_a_casino_chip_with_one_beam() -> None:
    """39 mm, and both kinds of confusion excluded."""
    assert (Geometry().diameter_mm, Geometry().problems(1), Geometry().problems(2)) == (39.0, [], [])
