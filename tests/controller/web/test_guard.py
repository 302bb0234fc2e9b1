"""The door of the pages: origins, cookies, headers, PINs, the key, other machines and other users."""

import asyncio
import os
import ssl
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from aiohttp import ClientSession, CookieJar, TCPConnector

from common.auth.roles import Role
from common.auth.sessions import STAYS
from common.web.events import MOST_STREAMS
from controller.web.routes import PAGES
from games.round.events import PanelUsed
from tests.support.panel_page import Page, certificate, events, give_pins, page_at
from tests.support.paper_floor import Bench, paper_floor
from tests.support.staff_pins import DAN, SUE


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://casino.example"},
        {"Origin": ""},
        {"Sec-Fetch-Site": "cross-site"},
        {"X-Pitlink-Token": "guess"},
        {"X-Pitlink-Token": ""},
        {"X-Pitlink-Token": "ü"},
    ],
)
async def test_another_sites_page_orders_nothing(bench: Bench, page: Page, headers: dict[str, str]) -> None:
    """Even with the cookie: a foreign origin or a missing token is turned away."""
    await page.sign_in(Role.DEALER)
    order = {"seen": await page.offer("coupon", 3), "key": "1", "says": {"seat": 3, "serial": "C"}}
    raw = {name: value.encode().decode("latin-1") for name, value in headers.items()}
    status, _ = await page.post("/panel/act/coupon", order, **raw)
    assert status in {400, 403}
    assert bench.state.wagers == {}


async def test_the_cookie_is_for_this_site_and_no_script(page: Page) -> None:
    """HttpOnly, SameSite=Strict, no expiry date; it changes when somebody signs in."""
    async with page.session.get(page.url + "/panel/session") as answer:
        assert "Set-Cookie" not in answer.headers
    before = {cookie.value for cookie in page.session.cookie_jar}
    asked = {"number": DAN.number, "pin": DAN.pin}
    usual = {"Origin": page.url, "X-Pitlink-Token": page.token}
    async with page.session.post(page.url + "/panel/sign-in", json=asked, headers=usual) as answer:
        cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Max-Age" not in cookie
    assert {cookie.value for cookie in page.session.cookie_jar} != before


@pytest.mark.parametrize("path", [*(path.format(number=1) for path in PAGES), "/static/panel.js", "/nothing"])
async def test_every_answer_has_the_strict_headers(page: Page, path: str) -> None:
    """No inline script, no frame, no foreign source, nothing kept in a cache."""
    async with page.session.get(page.url + path) as answer:
        policy = answer.headers["Content-Security-Policy"]
        text = await answer.text()
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert "https://" not in text
    assert " style=" not in text


@pytest.mark.parametrize(
    "name", ["..%2fstaff.json", "%2e%2e%2f__init__.py", "nothing.js", "panel", "__init__.py", "%00.js"]
)
async def test_only_the_pages_own_files_are_served(page: Page, name: str) -> None:
    """No way from /static to anything else."""
    async with page.session.get(f"{page.url}/static/{name}") as answer:
        assert answer.status == 404


async def test_wrong_pins_wait_and_are_written_down(bench: Bench, page: Page) -> None:
    """A second guess must wait; the journal knows of every one; the right PIN does not help while the wait lasts."""
    status, answer = await page.post("/panel/sign-in", {"number": SUE.number, "pin": "000000"})
    assert (status, answer["wait_s"]) == (403, 1)
    status, answer = await page.sign_in(Role.SUPERVISOR)
    assert (status, "wait" in answer["error"]) == (403, True)
    await bench.pass_time(1.1)
    assert (await page.sign_in(Role.SUPERVISOR))[0] == 200
    used = [(event.by, event.action) for event in events(bench, PanelUsed)]
    assert used == [("Sue", "wrong PIN"), ("Sue", "signed in")]


async def test_a_wait_survives_a_power_cut_and_is_that_persons_only(bench: Bench, page: Page) -> None:
    """Six wrong PINs cost a minute at the table's own screen, plug or no plug; the panel says that somebody tries."""
    for _ in range(6):
        await bench.pass_time(31)
        assert (await page.post("/panel/sign-in", {"number": SUE.number, "pin": "000000"}))[0] == 403
    assert "wrong PIN of Sue at the own screen" in str((await page.view())["advice"])
    await bench.power_cut()
    await bench.power_on()
    assert bench.assembly is not None
    async with page_at(f"http://127.0.0.1:{bench.assembly.port}") as again:
        status, answer = await again.sign_in(Role.SUPERVISOR)
        assert (status, answer["error"]) == (403, "too many wrong PINs: wait 60 s")
        assert (await again.sign_in(Role.DEALER))[0] == 200


async def test_a_session_ends_by_itself_and_with_its_pin(bench: Bench, page: Page) -> None:
    """Idle supervisors are gone after two minutes, removed ones at once."""
    await page.sign_in(Role.SUPERVISOR)
    await bench.pass_time(STAYS[Role.SUPERVISOR].idle_s + 1)
    assert (await page.act("close", await page.offer("close"), reason="night"))[0] == 403
    await page.sign_in(Role.SUPERVISOR)
    give_pins(bench, DAN)
    assert (await page.act("close", await page.offer("close"), reason="night"))[0] == 403
    assert (await page.view())["people"] == []


async def test_the_key_alone_makes_a_supervisor_where_the_house_says_so(tmp_path: Path) -> None:
    """supervisor = "key": the turned key at the table's own screen, and its turning is in the journal."""
    async with paper_floor(tmp_path, panel={"port": 0, "supervisor": "key"}) as floor:
        bench = floor.tables["T1"]
        assert bench.assembly is not None
        async with page_at(f"http://127.0.0.1:{bench.assembly.port}") as page:
            assert (await page.act("close", await page.offer("close"), reason="night"))[0] == 200
            assert bench.state.closing is not None
            assert bench.state.closing.by == "supervisor key"
            await bench.turn_key(on=False)
            await bench.settle()
            assert (await page.view())["people"] == []


async def test_other_machines_get_the_pages_over_tls_and_nothing_else(tmp_path: Path) -> None:
    """With a certificate the pages are served elsewhere: no control interface, and strangers see only the sign."""
    files = certificate(tmp_path)
    panel = {"port": 0, "tls": {"host": "127.0.0.1", "port": 0, **files}}
    async with paper_floor(tmp_path, panel=panel) as floor:
        bench = floor.tables["T1"]
        give_pins(bench)
        assert bench.assembly is not None
        context = ssl.create_default_context(cafile=files["certificate"])
        url = f"https://localhost:{bench.assembly.web_server.tls_port}"
        async with ClientSession(connector=TCPConnector(ssl=context), cookie_jar=CookieJar(unsafe=True)) as session:
            page = await Page(session, url).load()
            async with session.get(url + "/api/state") as answer:
                assert answer.status == 404
            async with session.get(url + "/sign") as answer:
                assert answer.status == 200
                assert "max-age" in answer.headers["Strict-Transport-Security"]
            for path in ("/panel/stream", "/panel/seat/3", "/panel/hand?seat=3"):
                assert (await page.get(path))[0] == 403
            status, _ = await page.sign_in(Role.DEALER)
            assert status == 200
            assert all(cookie["secure"] for cookie in session.cookie_jar)
            assert (await page.view())["people"] == [{"name": "Dan", "role": "dealer"}]


async def test_strangers_at_the_sign_keep_nobody_from_the_panel(tmp_path: Path) -> None:
    """As many pages as may be open at the sign elsewhere: the table's own sign and panel still follow."""
    files = certificate(tmp_path)
    async with paper_floor(tmp_path, panel={"port": 0, "tls": {"host": "127.0.0.1", "port": 0, **files}}) as floor:
        assembly = floor.tables["T1"].assembly
        assert assembly is not None
        connector = TCPConnector(ssl=ssl.create_default_context(cafile=files["certificate"]))
        async with ClientSession(connector=connector) as strangers, AsyncExitStack() as streams:
            sign = f"https://localhost:{assembly.web_server.tls_port}/sign/stream"
            for _ in range(MOST_STREAMS):
                assert (await streams.enter_async_context(strangers.get(sign))).status == 200
            assert (await streams.enter_async_context(strangers.get(sign))).status == 503
            async with page_at(f"http://127.0.0.1:{assembly.port}") as page:
                assert (await page.view())["people"] == []
                async with page.session.get(page.url + "/sign/stream") as own:
                    assert own.status == 200


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize(("user", "status"), [(0, b"200"), (65534, b"403")])
async def test_another_users_program_is_turned_away(url: str, user: int, status: bytes) -> None:
    """Same machine, other user: the kernel tells us."""
    code = (
        "import encodings.idna, os, urllib.request as web, urllib.error\n"
        f"os.setuid({user})\n"
        f"try: print(web.urlopen('{url}/api/state').status)\n"
        "except urllib.error.HTTPError as error: print(error.code)"
    )
    program = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    assert (await program.communicate())[0].strip() == status


async def test_programs_use_the_interface_and_browsers_the_panel(page: Page) -> None:
    """A browser's request to /api is refused, whatever its origin."""
    assert (await page.post("/api/open", {"by": "x"}))[0] == 403
    async with page.session.get(page.url + "/api/state", headers={"Sec-Fetch-Site": "same-origin"}) as answer:
        assert answer.status == 403
