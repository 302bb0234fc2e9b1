"""The demo's own interface: hands, faults and wishes over HTTP, and nothing that makes a server error."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from aiohttp import ClientSession
from hypothesis import given, settings
from hypothesis import strategies as st

from common.clock import PacedClock
from common.log import open_log
from demo.configuration import SHARING, DemoGame, usual_pay_table
from demo.faults import OF_A_TABLE
from demo.floor import DemoFloor
from demo.page import DemoPage
from games.catalogue import GAMES
from games.round.state import Phase

pytestmark = pytest.mark.timeout(300)


class Demo:
    """A demo and what a browser can ask of it."""

    def __init__(self, floor: DemoFloor, url: str, session: ClientSession) -> None:
        self.floor, self.url, self._session = floor, url.rstrip("/"), session

    async def post(self, path: str, body: Any = None, **headers: str) -> int:
        kind = {"Content-Type": "application/json"} | headers
        async with self._session.post(self.url + path, json=body or {}, headers=kind) as answer:
            return answer.status

    async def get(self, path: str) -> tuple[int, str]:
        async with self._session.get(self.url + path) as answer:
            return answer.status, await answer.text()


@pytest.fixture
async def demo(tmp_path: Path) -> AsyncIterator[Demo]:
    """Two games on one meter, as the interactive demo deals them."""
    deals = [DemoGame(name, usual_pay_table(GAMES[name]), 100) for name in SHARING]
    log = open_log((tmp_path / "tables.log").open("a", encoding="utf-8"), readable=False)
    clock = PacedClock(asyncio.get_running_loop())
    async with (
        DemoFloor(tmp_path, deals=deals, clock=clock, log=log, chip_ms=0) as floor,
        DemoPage(floor, 0) as page,
        ClientSession() as session,
    ):
        yield Demo(floor, page.url, session)


acts = st.sampled_from(["chip", "lock-out", "end", "key", "x"])
texts = st.text(st.characters(codec="utf-8"), max_size=8) | st.integers().map(str) | st.sampled_from(["1", "7", "on"])
tables = st.sampled_from(["T1", "T2", "T9", "%00"])
switches = st.sampled_from([f"{kind}-T1" for kind in OF_A_TABLE]) | st.just("x")
wishes = st.dictionaries(
    st.sampled_from(["hand", "seat", "x"]),
    st.sampled_from(["flush", "royal_flush", "nonsense", ""]) | st.integers() | st.none() | st.text(max_size=5),
    max_size=3,
)
actions = st.sampled_from(["claim", "validate", "pay", "open", "state", "x", "../state", "act?x=1"]) | texts


@given(table=tables, act=acts, seat=texts, switch=switches, wish=wishes, action=actions)
@settings(max_examples=25, deadline=None)
async def test_no_request_whatever_makes_a_server_error(
    demo: Demo, table: str, act: str, seat: str, switch: str, wish: Any, action: str
) -> None:
    """Every route of the demo, with and without power at the table: an answer below 500."""
    odd = quote(seat, safe="")
    for path, body in (
        (f"/demo/{table}/hand/{act}/{odd}", {}),
        (f"/demo/{table}/deal", wish),
        (f"/demo/{table}/api/{quote(action, safe='')}", wish),
        (f"/demo/fault/{switch}/{'on' if seat else 'off'}", {}),
        (f"/demo/fault/{odd}/{odd}", {}),
    ):
        assert await demo.post(path, body) < 500
    for path in ("/", f"/static/{odd}", "/static/demo.js"):
        assert (await demo.get(path))[0] < 500
    await demo.post(f"/demo/fault/{switch}/off")


async def test_a_switch_that_is_on_stays_on(demo: Demo) -> None:
    """Twice on is once on: a double click breaks nothing twice, and what is mended works."""
    cable = demo.floor.cables["T1"]
    for _ in range(2):
        assert await demo.post("/demo/fault/network-T1/on") == 200
    table = demo.floor.tables["T1"]
    await table.until(lambda: bool(table.state.link_down), "the table never noticed")
    assert not demo.floor.tables["T2"].state.link_down
    for _ in range(2):
        assert await demo.post("/demo/fault/network-T1/off") == 200
    await table.until(lambda: not table.state.link_down, "the table never came back")
    assert cable.address.port != demo.floor.broker.address.port


async def test_cards_are_laid_once_a_round_and_after_the_count(demo: Demo) -> None:
    """While gates are open nobody deals, and nobody deals over cards that lie there."""
    table = demo.floor.tables["T1"]
    await table.until(lambda: table.state.phase is Phase.OPEN, "the table did not open")
    assert await demo.post("/demo/T1/deal") == 409
    await table.press_lock_out()
    await table.until(lambda: table.state.phase in (Phase.COUNTED, Phase.IN_PLAY), "nothing was counted")
    assert [await demo.post("/demo/T1/deal") for _ in range(2)] == [200, 409]


async def test_only_this_machine_and_only_json(demo: Demo) -> None:
    """Another site's form and another name for this machine press nothing."""
    assert await demo.post("/demo/T1/hand/chip/1", Host="casino.example") == 403
    async with ClientSession() as session, session.post(f"{demo.url}/demo/T1/hand/chip/1", data="x") as answer:
        assert answer.status == 415
    assert demo.floor.tables["T1"].state.wagers == {}
