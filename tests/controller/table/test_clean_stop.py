"""A stop that was asked for: gates first, then what is under way is written down, then the rest ends."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.journal.journal import Journal
from drivers.light_patterns import Pattern
from drivers.simulated.slots import Fall
from games.round.events import CouponRedeemed
from tests.support.table.paper_floor import Bench, paper_floor


async def start_again(bench: Bench) -> None:
    await bench.power_on()
    await bench.linked()
    await bench.settle()


async def test_a_chip_in_flight_at_the_stop_is_a_wager_after_it(bench: Bench) -> None:
    """It was past the gate: it is written down, its light is lit at the next start, and the count agrees."""
    bench.metal.insert_chip(3, Fall(to_beam_ms=190, past_beam_ms=46))
    await bench.pass_time(0.1)
    await bench.shut_down()
    assert bench.open_gates == []
    await start_again(bench)
    assert list(bench.state.wagers) == [3]
    assert await bench.look(3) is Pattern.STEADY
    await bench.press_lock_out()
    await bench.until(lambda: bench.state.registered)
    assert bench.state.counted == 1


@given(after_ms=st.integers(0, 400))
@settings(max_examples=25, deadline=None)
def test_whenever_the_stop_comes_hopper_and_journal_agree(tmp_path_factory: Any, after_ms: int) -> None:
    """Before, in and behind the beam: a chip that fell in has its wager."""

    async def stop(folder: Path) -> None:
        async with paper_floor(folder) as floor:
            bench = floor.tables["T1"]
            bench.metal.insert_chip(3, Fall(to_beam_ms=150, past_beam_ms=45))
            await bench.pass_time(after_ms / 1000)
            await bench.shut_down()
            assert bench.open_gates == []
            await start_again(bench)
            assert len(bench.state.wagers) == bench.hopper_metal.stock

    asyncio.run(stop(tmp_path_factory.mktemp("stop")))


async def test_gates_shut_before_anything_is_waited_for(bench: Bench) -> None:
    """While a slow chip is waited for nobody else gets one in."""
    assert bench.assembly is not None
    bench.metal.insert_chip(3, Fall(to_beam_ms=190, past_beam_ms=46))
    winding_down = asyncio.create_task(bench.assembly.wind_down())
    await asyncio.sleep(0)
    assert bench.open_gates == []
    bench.insert_chip(5)
    await bench.until(winding_down.done)
    assert bench.metal.chips_bounced == [5]
    assert list(bench.state.wagers) == [3]
    assert bench.open_gates == [], "the chip's own step opens nothing"


async def test_a_step_cut_off_by_the_stop_is_told_again(bench: Bench) -> None:
    """On disk but not in the book: no snapshot of the older book may hide it."""
    assert bench.assembly is not None
    table = bench.assembly.table
    journal: Any = table.journal
    write, entered, disk = journal.write, threading.Event(), threading.Event()

    def slow(*args: Any, **kwargs: Any) -> None:
        entered.set()
        disk.wait(60)
        write(*args, **kwargs)

    journal.write = slow
    asked = asyncio.ensure_future(table.ask(CouponRedeemed(3, "C-1")))
    await bench.until(entered.is_set)
    assembly = await bench._end_tasks()
    disk.set()
    await assembly.stop()
    asked.cancel()
    left = Journal.look(table.journal.path)
    assert not left.recall()[1], "a clean stop leaves nothing to replay, so that settings may change"
    left.abandon()
    await start_again(bench)
    assert list(bench.state.wagers) == [3]


async def test_a_device_that_will_not_go_keeps_no_other(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every other pin is let go, the journal is left clean, and the fault is not swallowed."""
    assert bench.assembly is not None
    first, *others = bench.assembly._devices
    closed: list[object] = []

    def stuck() -> None:
        raise OSError("GPIO busy")

    monkeypatch.setattr(first, "close", stuck)
    for other in others:
        monkeypatch.setattr(other, "close", lambda other=other: closed.append(other))
    assembly = await bench._end_tasks()
    with pytest.raises(OSError, match="GPIO busy"):
        await assembly.stop()
    monkeypatch.undo()
    assert closed == others
    left = Journal.look(assembly.table.journal.path)
    assert not left.recall()[1]
    left.abandon()
    for device in (first, *others):
        device.close()
