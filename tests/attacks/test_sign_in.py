"""Attacks on sign-in from the pit network: nobody is locked out, and no PIN is found by guessing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import AsyncMock

import pytest
from msgspec.structs import replace

from common.auth.authenticator import Authenticator, Credentials, SignInRefused
from common.auth.lockout import LockOut
from common.auth.roles import Role
from common.auth.sessions import Sessions
from common.clock import ManualClock
from common.unix_http import PAGES
from games.round.events import PanelUsed
from games.round.state import ClaimState
from tests.support.meter.floor_bench import FloorBench
from tests.support.meter.staff_pins import ANN, DAN, EVERYBODY, SUE, staff_book
from tests.support.table.paper_floor import PaperFloor, paper_floor
from tests.support.web.floor_page import page_at as floor_page_at
from tests.support.web.panel_page import Page, certificate, claimed, events, give_pins, page_at, validated
from tests.support.web.web_clients import network_pages

pytestmark = pytest.mark.timeout(120)

DAY_S = 86_400


@asynccontextmanager
async def two_pages(tmp_path: Path) -> AsyncIterator[tuple[PaperFloor, Page, Page]]:
    """A table with network pages: a stranger there, and the table's own screen."""
    panel = {"port": 0, "tls": {"host": "127.0.0.1", "port": 0, **certificate(tmp_path)}}
    async with paper_floor(tmp_path, panel=panel) as floor:
        bench = floor.tables["T1"]
        give_pins(bench)
        assert bench.assembly is not None
        tls, upstream = bench.settings.panel.tls, bench.assembly.control.with_name(PAGES)
        assert tls is not None
        async with (
            network_pages(tls, upstream) as (url, browser),
            page_at(f"http://127.0.0.1:{bench.assembly.port}") as own,
        ):
            yield floor, await Page(browser, url).load(), own


async def test_26_wrong_tries_from_the_network_lock_nobody_at_the_own_screen(tmp_path: Path) -> None:
    """Finding 2: whatever a stranger sends, the staff signs in and signs orders at the table, and is told of it."""
    async with two_pages(tmp_path) as (floor, stranger, own):
        bench = floor.tables["T1"]
        for number in range(26):
            wrong = replace(EVERYBODY[number % len(EVERYBODY)], pin="000000")
            assert (await stranger.sign_in_as(wrong))[0] == 403
        assert (await own.sign_in(Role.DEALER))[0] == 200
        assert "from 127.0.0.1" in str((await own.view())["advice"])
        assert (await own.act("close", await own.offer("close"), signed=SUE, reason="night"))[0] == 200
        assert bench.state.closing is not None
        assert any(used.action == "wrong PIN" for used in events(bench, PanelUsed))


async def test_2350_tries_a_day_are_not_possible_over_the_network(tmp_path: Path) -> None:
    """Finding 5: from twenty addresses at once, each person's PIN is looked at about thirty times on the first day."""
    clock, told = ManualClock(), list[str]()
    people = staff_book(number=0).directory
    lock_out = LockOut(tmp_path / "attempts.json", clock.now)
    door = Authenticator(lambda: people, lock_out, Sessions(clock.now), may={}, note=AsyncMock(), alarm=told.append)
    looked_at, until = 0, clock.now() + DAY_S
    while clock.now() < until:
        waits = []
        for number, login in enumerate(EVERYBODY):
            source = f"10.0.0.{(looked_at + number) % 20}"
            refused = await door.vouch(Credentials("000000", login.number), source)
            assert isinstance(refused, SignInRefused)
            looked_at += "do not match" in refused.reason
            waits.append(refused.wait_s)
        clock.advance(max(1, min(waits)))
    assert looked_at <= 32 * len(EVERYBODY)
    assert len(told) == looked_at, "each of them is told"
    assert 10**6 * len(EVERYBODY) / (366 * looked_at) > 80, "years until all PINs of these persons were tried"


async def test_neither_a_restart_nor_the_calendar_shortens_a_wait(tmp_path: Path) -> None:
    """Power cuts and a clock set ahead by a year gain a guesser nothing."""
    async with two_pages(tmp_path) as (floor, _, own):
        bench = floor.tables["T1"]
        for _ in range(5):
            await own.sign_in_as(replace(SUE, pin="000000"))
            await bench.pass_time(31)
        await own.sign_in_as(replace(SUE, pin="000000"))
        floor.clock.step_wall(366 * DAY_S * 1000)
        assert (await own.sign_in_as(SUE))[1]["error"] == "too many wrong PINs: wait 60 s"
        await bench.power_cut()
        await bench.power_on()
        assert bench.assembly is not None
        async with page_at(f"http://127.0.0.1:{bench.assembly.port}") as again:
            assert (await again.sign_in_as(SUE))[1]["error"] == "too many wrong PINs: wait 60 s"
            assert (await again.sign_in_as(DAN))[0] == 200


async def test_a_link_is_stopped_while_both_persons_are_locked_out(tmp_path: Path) -> None:
    """Stop is never refused because of wrong tries, and is no way to guess either: the floor has an alarm."""
    async with FloorBench(tmp_path).running() as bench, floor_page_at(bench) as page:
        for login in (SUE, ANN):
            for _ in range(9):
                bench.web_server.authenticator._attempts.begin(login.number, "")
                bench.web_server.authenticator._attempts.begin(login.number, "203.0.113.7")
        correct = {"type": "Correct", "old_cents": 1_000_000, "new_cents": 5}
        assert "too many wrong PINs" in (await page.decide(correct))[1]["reason"]
        assert (await page.decide({"type": "Stop"}))[0] == 200
        assert bench.desks["main"].head.stopped


async def test_nobody_validates_from_the_network_unless_the_house_says_so(tmp_path: Path) -> None:
    """A supervisor elsewhere, with the right PIN: the claim stays open until she comes to the table's own screen."""
    async with two_pages(tmp_path) as (floor, elsewhere, own):
        bench = floor.tables["T1"]
        await own.sign_in_as(DAN)
        await claimed(bench, own)
        status, answer = await elsewhere.act("validate", await own.offer("validate", 3), signed=SUE, seat=3)
        assert (status, "at the table's own screen" in answer["error"]) == (403, True)
        assert bench.state.claims[0].state is not ClaimState.VALIDATED
        await validated(bench, own)
