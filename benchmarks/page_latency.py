"""Event to page: how long until a browser shows what the table has written down, beside the bare stream's own time."""

import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from games.round.events import ChipLifted, ChipPlaced
from tests.support.table.paper_floor import Bench, paper_floor
from tests.support.web.pages import browser, chromium, visitor
from tests.support.web.web_clients import program_session

ROUNDS = 60
LIMIT_MS = 200
QUIET_S = 0.03  # longer than the stream's own pace, so that each event is a first one
WATCH = """(lights) => new Promise((seen) => {
  const place = document.getElementById("count");
  const look = () => { if (place.textContent.endsWith(lights)) { watch.disconnect(); seen(Date.now()); } };
  const watch = new MutationObserver(look);
  watch.observe(place, { childList: true, characterData: true, subtree: true });
  look();
})"""


async def bare(bench: Bench, control: Path) -> list[float]:
    """Order accepted to line received, by a program on the stream."""
    took = []
    async with program_session(control) as session, session.get("/api/stream") as stream:
        for number in range(ROUNDS):
            await asyncio.sleep(QUIET_S)
            began = time.perf_counter()
            await _toggle(bench, number)
            async for line in stream.content:
                if line.startswith(b"data: ") and json.loads(line[6:])["lights"] == (number + 1) % 2:
                    break
            took.append((time.perf_counter() - began) * 1000)
    return took


async def pages(bench: Bench, page: object) -> list[float]:
    """Order accepted to text on the page, by the page's own clock (one machine, one clock)."""
    took = []
    for number in range(ROUNDS):
        lights = "1 light" if number % 2 == 0 else "0 lights"
        seen = asyncio.create_task(page.evaluate(WATCH, lights))  # type: ignore[attr-defined]
        await asyncio.sleep(QUIET_S)
        began = time.time() * 1000
        await _toggle(bench, number)
        took.append(await seen - began)
    return took


async def _toggle(bench: Bench, number: int) -> None:
    assert bench.assembly is not None
    event = ChipPlaced(3) if number % 2 == 0 else ChipLifted(3)
    await bench.assembly.table.ask(event)


def line(name: str, took: list[float]) -> str:
    ordered = sorted(took)
    middle, most, last = statistics.median(ordered), ordered[int(len(ordered) * 0.95)], ordered[-1]
    return f"{name:<34} p50 {middle:6.1f} ms   p95 {most:6.1f} ms   max {last:6.1f} ms"


async def main() -> int:
    with chromium() as address, tempfile.TemporaryDirectory() as folder:
        async with paper_floor(Path(folder)) as floor, browser(address) as chrome:
            bench = floor.tables["T1"]
            assert bench.assembly is not None
            stream = await bare(bench, bench.assembly.control)
            async with visitor(chrome, bench) as panel:
                await panel.go("/panel")
                await panel.says("#count", "lights")
                shown = await pages(bench, panel.page)
    print(line("order -> line of the bare stream", stream))
    print(line("order -> text on the panel", shown))
    worst = max(shown)
    print(f"worst {worst:.0f} ms of {LIMIT_MS} ms allowed")
    return 0 if worst <= LIMIT_MS else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
