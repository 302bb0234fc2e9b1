"""The demo as a newcomer starts it, in a process of its own, and the guide's next control pressed as he would."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.async_api import Locator, expect

from demo.broker import free_port


@contextmanager
def running_demo() -> Iterator[str]:
    """Where the browser finds it."""
    port = free_port()
    words = [sys.executable, "-m", "cli.main", "demo", "--no-browser", "--port", str(port)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert f"http://127.0.0.1:{port}/ shows 2 tables on one meter" in process.stdout.readline()
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.communicate(timeout=60)
    assert process.returncode == 0, "SIGTERM ends the demo cleanly, broker and meter with it"


async def drop(place: Locator, seat: int) -> None:
    """A chip at a seat, with its light."""
    await place.get_by_role("button", name=f"Seat {seat}: drop a chip (gate open").click()
    await expect(place.get_by_role("button", name=f"Seat {seat}: drop a chip (gate shut, light lit)")).to_be_visible()


async def follow(place: Locator, *names: str) -> None:
    """Presses what the page says to press next, which must be these in this order."""
    for name in names:
        press = place.locator("button.main")
        await expect(press).to_have_attribute("data-name", name)
        await press.click()


async def lock_and_deal(place: Locator, seat: int, hand: str) -> None:
    """A wager at this seat, counted, and a hand that wins, claimed."""
    await drop(place, seat)
    await follow(place, "lock")
    await expect(place.locator('[data-name="deal"]')).to_have_class("main")
    await place.get_by_label("Which hand").select_option(hand)
    await follow(place, "deal", f"claim-{seat}")
