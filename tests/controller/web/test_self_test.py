"""The technician's bench and faults at the panel: self-tests, pins, testing again."""

import asyncio
from typing import Any

import pytest

from common.auth.roles import Role
from games.round.events import PanelUsed
from tests.support.meter.staff_pins import SUE
from tests.support.table.paper_floor import Bench
from tests.support.web.panel_page import Page, events
from tests.support.web.streams import shown


async def test_self_tests_only_while_the_table_is_closed(bench: Bench, page: Page) -> None:
    """Never while a round is open; during a test nobody opens the table."""
    await page.sign_in(Role.TECHNICIAN)
    status, answer = await page.post("/panel/test", {"what": "lights"})
    assert (status, answer["reason"]) == (409, "self-tests only while the table is closed")
    await page.sign_in(Role.SUPERVISOR)
    assert (await page.act("close", await page.offer("close"), signed=SUE, reason="test"))[0] == 200
    await bench.until(lambda: bench.state.phase.value == "closed")
    running = asyncio.create_task(page.post("/panel/test", {"what": "lights"}))
    assert bench.assembly is not None
    test = bench.assembly.web_server.self_test
    await bench.until(lambda: test.running == "seat 1 light")
    assert bench.lit == [1]
    status, answer = await page.act("open", await page.offer("open"), signed=SUE)
    assert (status, answer["reason"]) == (409, "a technician is testing; wait until he is done")
    assert (await page.post("/panel/test", {"what": "gates"}))[0] == 409
    while not running.done():
        await bench.pass_time(0.1)
        await asyncio.sleep(0)
    assert "8 lights shone" in (await running)[1]["reason"]
    assert bench.lit == []
    assert (await page.act("open", await page.offer("open"), signed=SUE))[0] == 200


@pytest.mark.parametrize(
    ("what", "words"),
    [("gates", "7 gates opened"), ("sensors", "at rest and quiet"), ("return device", "its counter stands at")],
)
async def test_every_part_can_be_tested(bench: Bench, page: Page, what: str, words: str) -> None:
    """Each moves once or answers, and the technician's name is in the journal."""
    await page.sign_in(Role.SUPERVISOR)
    await page.act("close", await page.offer("close"), signed=SUE, reason="test")
    await bench.until(lambda: bench.state.phase.value == "closed")
    await page.sign_in(Role.TECHNICIAN)
    running = asyncio.create_task(page.post("/panel/test", {"what": what}))
    while not running.done():
        await bench.pass_time(0.1)
        await asyncio.sleep(0.001)
    status, answer = await running
    assert (status, words in answer["reason"]) == (200, True)
    assert bench.open_gates == []
    assert ("Tim", f"test {what}") in [(event.by, event.action) for event in events(bench, PanelUsed)]


async def test_the_technician_sees_every_pin_live(bench: Bench, page: Page) -> None:
    """A finger in a beam shows at once; pins that are at rest say so."""
    await page.sign_in(Role.TECHNICIAN)
    async with page.session.get(page.url + "/panel/lines") as stream:
        lines = shown(stream)
        before = _by_device(await anext(lines))
        assert before["seat 3 acceptor input"] is False
        assert before["seat 3 acceptor's gate output"] is True
        bench.metal.slots[3].stick()
        async for now in lines:
            if _by_device(now)["seat 3 acceptor input"]:
                break


def _by_device(lines: list[dict[str, Any]]) -> dict[str, bool]:
    return {f"{line['device']} {line['direction']}": line["active"] for line in lines}


async def test_a_fault_is_tested_again_by_name(bench: Bench, page: Page) -> None:
    """The journal says who asked."""
    bench.metal.slots[3].stick()
    await bench.pass_time(3)
    await bench.settle()
    await page.sign_in(Role.DEALER)
    view = await page.view()
    assert view["advice"][0]["advice"].startswith("Take out what is in the slot of seat 3")
    bench.metal.slots[3].free()
    assert (await page.act("retest", "", device="seat 3 acceptor"))[0] == 200
    await bench.pass_time(1)
    await bench.settle()
    assert bench.state.faults == {}
    assert (await page.act("retest", "", device="seat 3 acceptor"))[0] == 409
    assert ("Dan", "test again") in [(event.by, event.action) for event in events(bench, PanelUsed)]
