"""Lines: edges of one pin on their way into the loop."""

from unittest import mock

import pytest
from gpiozero import GPIOZeroError

from drivers.gpio.pins import contact
from drivers.gpio.watch import InputLine
from drivers.ports import PinFault
from drivers.simulated.pins import SimulatedPin
from tests.support.drivers.bench_rig import BenchRig, only_simulated, rig_under_test


@pytest.fixture
async def rig() -> BenchRig:
    return rig_under_test()


async def edges(rig: BenchRig, *levels: bool) -> None:
    """The wire takes these levels, one after the other."""
    for level in levels:
        rig.drive(5, level)
        await rig.wait(1)


async def test_a_deaf_line_hears_nothing_and_still_shows_its_level(rig: BenchRig) -> None:
    """Until it listens again."""
    heard: list[bool] = []
    rig.drive(5, True)
    line = InputLine(rig.board, "lock-out button", contact(5), lambda active, _at: heard.append(active))
    await edges(rig, False, True)
    assert heard == [True, False]
    line.deafen()
    await edges(rig, False, True, False)
    assert (heard, line.is_active) == ([True, False], True)
    line.listen()
    await edges(rig, True)
    assert (heard, line.is_active) == ([True, False, False], False)
    line.close()


async def test_the_last_line_deafened_leaves_the_others_their_hearing(rig: BenchRig) -> None:
    """lgpio 0.2.2 told to drop the listener it was given last hears no other pin: only real lines can fail here."""
    heard: list[bool] = []
    rig.drive(6, True)
    other = InputLine(rig.board, "lock-out button", contact(6), lambda active, _at: heard.append(active))
    wild = InputLine(rig.board, "seat 3 acceptor", contact(5), lambda _active, _at: wild.deafen())
    for edge in range(40):
        rig.drive(5, edge % 2 == 0)
    await rig.wait(1)
    rig.drive(6, False)
    await rig.wait(1)
    assert heard == [True]
    wild.close()
    other.close()


@only_simulated("no kernel is late on order")
async def test_edges_heard_late_and_at_once_are_timed_when_they_were(rig: BenchRig) -> None:
    """A machine without time for us must not make a flicker of a chip."""
    heard: list[tuple[bool, float]] = []
    line = InputLine(rig.board, "seat 3 acceptor", contact(5), lambda active, at: heard.append((active, at)))
    pin, began, late = rig.pins.wire(5), rig.clock.now(), []
    with mock.patch.object(SimulatedPin, "_call_when_changed", lambda pin: late.append((pin._last_change, pin.state))):
        for level in (False, True):
            rig.drive(5, level)
            await rig.wait(60)
    for stamp, state in late:
        pin.when_changed(stamp, state)
    await rig.wait(0)
    assert heard == [(True, began), (False, pytest.approx(began + 0.06))]
    line.close()


@only_simulated("a kernel has but one clock")
@pytest.mark.parametrize("strange_s", [1_795_000_000.0, 0.001, -61.0])
async def test_the_stamp_of_another_clock_says_nothing(rig: BenchRig, strange_s: float) -> None:
    """The calendar of an old kernel, a moment yet to come, one too long ago: then the edge was now."""
    now = rig.clock.now()
    assert rig.board.time_of(now + strange_s) == now


class BusyError(GPIOZeroError):  # type: ignore[misc]  # gpiozero ships no types
    """What lgpio says of a line that its own thread still reads."""


@only_simulated("no kernel is busy on order")
async def test_a_line_still_busy_when_it_is_closed_is_asked_for_again(rig: BenchRig) -> None:
    """Afterwards the pin is free, and the next device hears it."""
    line = InputLine(rig.board, "lock-out button", contact(5), lambda _active, _at: None)
    tries = [BusyError("GPIO busy"), BusyError("GPIO busy"), None]
    with mock.patch.object(SimulatedPin, "_disable_event_detect", side_effect=tries), mock.patch("time.sleep"):
        line.close()
    heard: list[bool] = []
    again = InputLine(rig.board, "lock-out button", contact(5), lambda active, _at: heard.append(active))
    await edges(rig, False, True)
    assert heard == [True, False]
    again.close()


@only_simulated("no kernel is busy on order")
async def test_a_line_that_stays_busy_is_a_fault(rig: BenchRig) -> None:
    """It is not asked for ever."""
    line = InputLine(rig.board, "lock-out button", contact(5), lambda _active, _at: None)
    with (
        mock.patch.object(SimulatedPin, "_disable_event_detect", side_effect=BusyError("GPIO busy")),
        mock.patch("time.sleep"),
        pytest.raises(PinFault, match="lock-out button: GPIO5 is held by another program"),
    ):
        line.close()
    line.close()
