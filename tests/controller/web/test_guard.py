"""The door of the pages: origins, cookies, headers, PINs, the key, other machines and other users."""

import asyncio
import os
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from unittest.mock import AsyncMock

import pytest

from common.auth.roles import Role
from common.auth.sessions import STAYS
from common.pages.relay import MOST_READERS
from common.unix_http import PAGES as PAGES_SOCKET
from common.web.bounded_server import Bounds
from controller.web.routes import PAGES
from games.round.events import PanelUsed
from tests.support.meter.staff_pins import DAN, SUE
from tests.support.table.paper_floor import Bench, paper_floor
from tests.support.web.panel_page import Page, certificate, events, give_pins, page_at
from tests.support.web.web_clients import network_pages, opened


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
    "name",
    ["..%2fstaff.json", "%2e%2e%2f__init__.py", "nothing.js", "panel", "__init__.py", "%00.js", "x" * 300 + ".js"],
)
async def test_only_the_pages_own_files_are_served(page: Page, name: str) -> None:
    """Finding 9: no way from /static to anything else, and no error of ours."""
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
    assert (await page.get("/replay/data"))[0] == 403
    await page.sign_in(Role.SUPERVISOR)
    give_pins(bench, DAN)
    assert (await page.get("/replay/data"))[0] == 403
    assert (await page.view())["people"] == []


async def test_other_machines_get_the_pages_over_tls_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a certificate the pages are served elsewhere: no control interface, and strangers see only the sign."""
    files = certificate(tmp_path)
    panel = {"port": 0, "tls": {"host": "127.0.0.1", "port": 0, **files}}
    async with paper_floor(tmp_path, panel=panel) as floor:
        bench = floor.tables["T1"]
        give_pins(bench)
        assert bench.assembly is not None
        tls, upstream = bench.settings.panel.tls, bench.assembly.control.with_name(PAGES_SOCKET)
        assert tls is not None
        async with network_pages(tls, upstream, shared="/sign/stream") as (url, session):
            page = await Page(session, url).load()
            async with session.get(url + "/api/state") as answer:
                assert answer.status == 404
            async with session.get(url + "/sign") as answer:
                assert answer.status == 200
                assert "max-age" in answer.headers["Strict-Transport-Security"]
            for path in ("/panel/stream", "/panel/seat/3", "/panel/hand?seat=3"):
                assert (await page.get(path))[0] == 403
            status, answer = await page.sign_in(Role.DEALER)
            assert (status, "number, PIN and code do not match" in answer["error"]) == (403, True)
            await bench.pass_time(1.1)
            monkeypatch.setattr(bench.assembly.link.staff, "remote_check", AsyncMock(return_value=""))
            status, body = await page.post("/panel/sign-in", DAN.shown | {"code": "123456"})
            assert status == 200
            page.token = body["token"]
            assert all(cookie["secure"] for cookie in session.cookie_jar)
            assert [cookie.key for cookie in session.cookie_jar] == ["__Host-pitlink-T1"]
            assert (await page.view())["people"] == [{"name": "Dan", "role": "dealer", "orders": True}]


async def test_strangers_at_the_sign_keep_nobody_from_the_panel(tmp_path: Path) -> None:
    """As many pages as may be open at the sign elsewhere: the table's own sign and panel still follow."""
    files = certificate(tmp_path)
    async with paper_floor(tmp_path, panel={"port": 0, "tls": {"host": "127.0.0.1", "port": 0, **files}}) as floor:
        bench = floor.tables["T1"]
        assert bench.assembly is not None
        tls, upstream = bench.settings.panel.tls, bench.assembly.control.with_name(PAGES_SOCKET)
        assert tls is not None
        bounds = Bounds(most=MOST_READERS + 8, most_per_address=MOST_READERS + 8)
        async with AsyncExitStack() as streams:
            network = network_pages(tls, upstream, shared="/sign/stream", bounds=bounds)
            url, strangers = await streams.enter_async_context(network)
            for _ in range(MOST_READERS):
                await opened(streams, strangers, f"{url}/sign/stream")
            async with strangers.get(f"{url}/sign/stream") as late:
                assert late.status == 503
            async with page_at(f"http://127.0.0.1:{bench.assembly.port}") as page:
                assert (await page.view())["people"] == []
                async with page.session.get(page.url + "/sign/stream") as own:
                    assert own.status == 200


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize(("user", "status"), [(0, b"200"), (65534, b"PermissionError")])
async def test_another_users_program_is_turned_away(bench: Bench, user: int, status: bytes) -> None:
    """Same machine, other user: the socket's mode keeps him out."""
    assert bench.assembly is not None
    assert await asked_as(bench, user) == status


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
async def test_who_gets_to_the_socket_is_judged_by_the_kernels_word(bench: Bench) -> None:
    """A socket that somebody has opened for everybody is still for the daemon's user, root and its group only."""
    assert bench.assembly is not None
    bench.assembly.control.chmod(0o666)
    assert await asked_as(bench, 65534) == b"403"


async def test_browsers_find_no_control_interface(page: Page) -> None:
    """It is on the Unix socket only."""
    async with page.session.get(page.url + "/api/state") as answer:
        assert answer.status == 404


async def asked_as(bench: Bench, user: int) -> bytes:
    """What a program of this user hears from the table."""
    assert bench.assembly is not None
    control = bench.assembly.control
    for folder in control.parents[:-1]:
        folder.chmod(folder.stat().st_mode | 0o011)
    code = (
        "import os; from pathlib import Path; from common.unix_http import ask\n"
        f"os.setgroups([]); os.setgid({user}); os.setuid({user})\n"
        f"try: print(ask(Path('{control}'), 'GET', '/api/state', within_s=9)[0])\n"
        "except OSError as error: print(type(error).__name__)"
    )
    program = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    return (await program.communicate())[0].strip()
