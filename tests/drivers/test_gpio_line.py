"""Lines: edges of one pin on their way into the loop."""

import pytest
from bench_rig import BenchRig, rig_under_test

from drivers.gpio.board import contact
from drivers.gpio.line import Line


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
    line = Line(rig.board, "lock-out button", contact(5), lambda active, _at: heard.append(active))
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
    other = Line(rig.board, "lock-out button", contact(6), lambda active, _at: heard.append(active))
    wild = Line(rig.board, "seat 3 acceptor", contact(5), lambda _active, _at: wild.deafen())
    for edge in range(40):
        rig.drive(5, edge % 2 == 0)
    await rig.wait(1)
    rig.drive(6, False)
    await rig.wait(1)
    assert heard == [True]
    wild.close()
    other.close()
