"""Frames a second while a sign's jackpot rolls, beside a bare page with the same motion; and its work at rest."""

import asyncio
import sys
import tempfile
from pathlib import Path

from msgspec.structs import replace
from playwright.async_api import Page

from drivers.mqtt.client import Message
from link.messages import encode
from link.topics import state_topic
from tests.support.table.paper_floor import LINK, Bench, paper_floor
from tests.support.web.pages import WALL, browser, chromium, visitor, window

SECONDS = 8
LEAST_RATIO = 0.9
RAISES_S = 0.7
RESTS_S = 3
FRAMES = """(ms) => new Promise((done) => {
  let frames = 0, longest = 0, last = performance.now();
  const end = last + ms;
  const step = (now) => {
    frames += 1;
    longest = Math.max(longest, now - last);
    last = now;
    if (now < end) requestAnimationFrame(step); else done([frames * 1000 / ms, longest]);
  };
  requestAnimationFrame(step);
})"""
SIZES = """() => {
  const reels = [...document.querySelectorAll(".table .reel")], { width, height } = reels[0].getBoundingClientRect();
  return [reels.length, width, height, getComputedStyle(reels[0]).fontSize];
}"""
BARE = """([length, width, height, size]) => {
  document.body.style.cssText = `margin:0;background:#16080d;color:#f6dc9c;font:${size} serif;display:flex`;
  const reels = Array.from({ length }, () => {
    const reel = document.createElement("div");
    reel.style.cssText = `position:relative;overflow:hidden;width:${width}px;height:${height}px`;
    document.body.append(reel);
    return reel;
  });
  setInterval(() => reels.forEach((reel, place) => {
    const glyphs = [0, 100].map((from) => {
      const glyph = document.createElement("span");
      glyph.style.cssText = "position:absolute;inset:0";
      glyph.textContent = Math.floor(Math.random() * 10);
      const moves = [{ transform: `translateY(${from}%)` }, { transform: `translateY(${from - 100}%)` }];
      glyph.animate(moves, { duration: 600, delay: (length - 1 - place) * 60, fill: "both" });
      return glyph;
    });
    reel.replaceChildren(...glyphs);
  }), 700);
}"""
"""Plain reels of the same size that roll as often, without theme, pays or stream."""


async def raises(bench: Bench) -> None:
    """The meter grows for ever, every digit changes."""
    assert bench.assembly is not None
    client = bench.assembly.client
    assert client.state is not None
    bench.floor.broker.deaf_to = {"state"}
    state = client.state
    while True:
        state = replace(state, number=state.number + 1, amount_cents=state.amount_cents + 1_111_11)
        client.heard(Message(state_topic(LINK), encode(state)))
        await asyncio.sleep(RAISES_S)


async def work(page: Page) -> dict[str, float]:
    """How often the page was styled and laid out so far."""
    session = await page.context.new_cdp_session(page)
    await session.send("Performance.enable")
    told = (await session.send("Performance.getMetrics"))["metrics"]
    return {one["name"]: one["value"] for one in told if one["name"] in {"LayoutCount", "RecalcStyleCount"}}


async def measure(address: str, folder: Path) -> float:
    """Prints both rates; returns their ratio."""
    async with browser(address) as chrome, paper_floor(folder) as floor:
        bench = floor.tables["T1"]
        async with visitor(chrome, bench, WALL, moves=True) as sign:
            await sign.go("/sign")
            await sign.says(".odometer", "$10,000.00")
            await asyncio.sleep(1)
            before = await work(sign.page)
            await asyncio.sleep(RESTS_S)
            after = await work(sign.page)
            sizes = await sign.page.evaluate(SIZES)
            growing = asyncio.create_task(raises(bench))
            rate, longest = await sign.page.evaluate(FRAMES, SECONDS * 1000)
            growing.cancel()
        async with window(chrome, "about:blank", WALL, moves=True) as bare:
            await bare.go("")
            await bare.page.evaluate(BARE, sizes)
            bare_rate, bare_longest = await bare.page.evaluate(FRAMES, SECONDS * 1000)
    ratio: float = rate / bare_rate
    print(f"bare page {bare_rate:.1f} frames a second, longest {bare_longest:.0f} ms")
    print(f"sign      {rate:.1f} frames a second, longest {longest:.0f} ms; {ratio:.2f} of the bare page")
    print(f"at rest, in {RESTS_S} s: {', '.join(f'{name} {after[name] - before[name]:.0f}' for name in before)}")
    return ratio


def main() -> int:
    """Measures; 1 if the sign has less than nine tenths of the frames."""
    with chromium() as address, tempfile.TemporaryDirectory() as folder:
        return asyncio.run(measure(address, Path(folder))) < LEAST_RATIO


if __name__ == "__main__":
    sys.exit(main())
