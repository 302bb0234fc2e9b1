"""The clock that tests move, and the one that simulated metal moves by."""

import asyncio
import time

from common.clock import ManualClock, PacedClock


async def test_elapse_lets_the_loop_work_between_timers() -> None:
    """What one timer sets going in the loop is done before the next timer rings."""
    clock, done = ManualClock(), list[str]()
    loop = asyncio.get_running_loop()

    def set_going() -> None:
        loop.call_soon(done.append, "first timer's work")

    clock.call_at(1001.0, set_going)
    clock.call_at(1002.0, lambda: done.append("second timer"))
    await clock.elapse(5.0)
    assert done == ["first timer's work", "second timer"]
    assert clock.now() == 1005.0


async def test_elapse_rings_timers_that_the_loop_sets_on_the_way() -> None:
    """Even one whose time has come already when it is set."""
    clock, rung = ManualClock(), list[float]()
    loop = asyncio.get_running_loop()

    def set_late() -> None:
        for when in (1000.5, 1001.5, 1002.0):
            loop.call_soon(clock.call_at, when, lambda: rung.append(clock.now()))

    clock.call_at(1002.0, set_late)
    await clock.elapse(2.0)
    assert rung == [1002.0, 1002.0, 1002.0]


def test_advance_rings_timers_in_order_and_never_goes_back() -> None:
    """Time stands at each timer's own moment while it rings."""
    clock, rung = ManualClock(), []
    for when in (1003.0, 1001.0, 1002.0, 990.0):
        clock.call_at(when, lambda: rung.append(clock.now()))
    clock.advance(2.5)
    assert rung == [1000.0, 1001.0, 1002.0]
    assert clock.now() == 1002.5


def test_a_cancelled_timer_does_not_ring() -> None:
    """Nor does it hold up the others."""
    clock, rung = ManualClock(), []
    clock.call_at(1001.0, lambda: rung.append("cancelled")).cancel()
    clock.call_at(1002.0, lambda: rung.append("kept"))
    clock.advance(5.0)
    assert rung == ["kept"]


def test_stepping_the_calendar_leaves_the_clock_alone() -> None:
    """Intervals are measured by what never goes back."""
    clock = ManualClock(wall_ms=1_000_000)
    clock.step_wall(-5000)
    assert (clock.now(), clock.wall_ms()) == (1000.0, 995_000)


async def test_what_fell_due_while_the_loop_stood_still_happens_at_its_own_time() -> None:
    """In order, and what it sets going as well: nothing is longer or later because the machine was busy."""
    clock, rung, over = PacedClock(asyncio.get_running_loop()), list[tuple[str, float]](), asyncio.Event()
    begin = clock.now()

    def ring(name: str) -> None:
        rung.append((name, round(clock.now() - begin, 3)))

    def enter() -> None:
        ring("enter")
        clock.call_at(clock.now() + 0.03, lambda: ring("leave"))

    clock.call_at(begin + 0.1, lambda: ring("look"))
    clock.call_at(begin + 0.02, enter)
    clock.call_at(begin + 0.01, lambda: ring("cancelled")).cancel()
    clock.call_at(begin + 0.2, over.set)
    time.sleep(0.3)  # noqa: ASYNC251  the loop must stand still: that is what is tested
    ring("before anything has rung")
    await over.wait()
    seen = [at for _, at in rung]
    assert rung[1:] == [("enter", 0.02), ("leave", 0.05), ("look", 0.1)]
    assert seen == sorted(seen), "time never goes back"
    assert clock.now() >= begin + 0.3


async def test_a_paced_clock_rings_in_real_time() -> None:
    """Nothing happens before its time, and an earlier timer set later still rings first."""
    clock, over = PacedClock(asyncio.get_running_loop()), asyncio.Event()
    begin, rung = time.monotonic(), list[float]()
    clock.call_at(clock.now() + 0.05, over.set)
    clock.call_at(clock.now() + 0.02, lambda: rung.append(time.monotonic() - begin))
    await over.wait()
    assert time.monotonic() - begin >= 0.049
    assert rung[0] >= 0.019
