"""The broker is gone for an hour of the table's clock, and comes back: nothing is lost, nothing grows meanwhile."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from common.log import open_log
from controller.assembly import Assembly
from controller.journal.journal import Journal
from controller.journal.records import WrittenEvent
from demo.table import bench_settings
from games.round.events import Event, LinkLost, LinkRestored
from games.round.state import Phase
from tests.support.table.paper_floor import NOWHERE, Bench, PaperFloor, Silent, open_table

HOUR_S = 3600.0
SELDOM = {"reread_ms": 5000}  # an hour of looks at untouched pins proves nothing
ALL_GATES = [1, 2, 3, 4, 5, 6, 7]


class ClockedBench(Bench):
    """A bench whose link, too, lives by the clock that the test moves."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.booked_at_return: list[int] = []

    def assemble(self) -> Assembly:
        assembly = super().assemble()
        assembly.client._clock = self._clock
        return assembly

    async def time_goes_until(self, condition: Callable[[], bool], what: str) -> None:
        """Lets tenths of a second go by until something is so, in bounded real time."""
        async with asyncio.timeout(60):
            while not condition():
                self.floor.clock.advance(0.1)
                await asyncio.sleep(0.01)
        await self.until(condition, what)

    async def time_goes(self, seconds: float) -> None:
        """A long time with nobody at the table, minute by minute."""
        for _ in range(round(seconds / 60)):
            self.floor.clock.advance(60)
            await asyncio.sleep(0)

    def lines(self) -> list[WrittenEvent]:
        """The journal, read by another reader."""
        journal = Journal.look(Path(self.settings.state_dir) / "journal.db")
        lines = list(journal.lines())
        journal.abandon()
        return lines


@asynccontextmanager
async def clocked_floor(folder: Path, when_lost: str) -> AsyncIterator[ClockedBench]:
    """An open table that has just lost its broker."""
    floor = PaperFloor(folder)
    floor.meter.start()
    changes: dict[str, Any] = {"timing": {"slot": SELDOM, "button": SELDOM}}
    settings = bench_settings("T1", folder, link={"name": "demo", "loss_s": 5.0, "when_lost": when_lost}, **changes)
    bench = ClockedBench(settings, NOWHERE, clock=floor.clock, log=open_log(Silent()), connect=floor.broker.connect)
    bench.floor = floor
    async with bench:
        await bench.linked()
        await open_table(bench)
        floor.broker.switch_off()
        await bench.time_goes_until(lambda: bool(bench.state.link_down), "the loss was not noticed")
        yield bench
    await floor.meter.kill()


async def play_round(bench: ClockedBench) -> None:
    """One wager, locked, counted, ended."""
    number = bench.state.round
    await bench.drop_chip(3)
    await bench.settle()
    await bench.press_lock_out()
    await bench.settle()
    await bench.press_end_of_round()
    await bench.until(lambda: bench.state.round == number + 1)
    await bench.settle()


def note_books(bench: ClockedBench, event: Event) -> None:
    """What the meter had booked when the table said that its link is back."""
    if isinstance(event, LinkRestored):
        bench.booked_at_return.append(bench.floor.meter.pot.in_cents)


async def come_back(bench: ClockedBench) -> None:
    bench.floor.broker.switch_on()
    await bench.time_goes_until(lambda: not bench.state.link_down, "no link")
    await bench.settle()


def changes_of_the_link(lines: list[WrittenEvent]) -> list[str]:
    return [type(line.event).__name__ for line in lines if isinstance(line.event, LinkLost | LinkRestored)]


async def test_a_table_that_closes_stands_still_for_the_hour_and_opens_again(tmp_path: Path) -> None:
    """No chip gets in, nothing is written that did not happen, and the next round is booked."""
    async with clocked_floor(tmp_path, "close") as bench:
        await bench.settle()
        before = bench.lines()
        await bench.time_goes(HOUR_S / 2)
        await bench.drop_chip(4)
        await bench.time_goes(HOUR_S / 2)
        await bench.settle()
        assert bench.metal.chips_bounced == [4]
        assert bench.open_gates == []
        assert bench.state.phase is Phase.OPEN
        assert bench.lines() == before
        await come_back(bench)
        assert bench.open_gates == ALL_GATES
        assert changes_of_the_link(bench.lines()[len(before) :]) == ["LinkRestored"]
        await play_round(bench)
        await bench.booked()
        assert bench.floor.meter.pot.in_cents == 100


async def test_a_table_that_queues_plays_for_the_hour_and_every_round_is_booked_once(tmp_path: Path) -> None:
    """Twelve rounds wait, in their order, through a power cut in the middle."""
    async with clocked_floor(tmp_path, "queue") as bench:
        for number in range(12):
            await play_round(bench)
            await bench.time_goes(HOUR_S / 12)
            if number == 5:
                await bench.power_cut()
                await bench.power_on()
                await bench.settle()
                await bench.until(lambda: bench.open_gates == ALL_GATES)
        assert bench.assembly is not None
        waiting = await bench.assembly.table.waiting()
        assert [letter.seq for letter in waiting] == list(range(1, 13))
        assert bench.floor.meter.pot.in_cents == 0
        assert changes_of_the_link(bench.lines())[-1] == "LinkLost"
        bench.assembly.table.watch(lambda event, _step: note_books(bench, event))
        await come_back(bench)
        assert bench.booked_at_return == [1200], "the link is back when the last of them is booked (R46)"
