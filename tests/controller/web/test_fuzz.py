"""Nothing that a browser could send makes a server error."""

import re
from typing import Any
from urllib.parse import quote

from hypothesis import given, settings
from hypothesis import strategies as st

from common.auth.roles import Role
from common.web.guard import RequestGuard
from controller.web.actions import stale_token
from controller.web.api import ACTIONS
from tests.support.table.paper_floor import Bench
from tests.support.web.panel_page import Page

QUESTIONS = (
    "/",
    "/panel",
    "/sign",
    "/sign/card?theme={}",
    "/sign/card?language={}",
    "/sign/samples?language={}",
    "/sign/themes.css",
    "/sign/logo",
    "/sign/theme/{}/{}",
    "/themes",
    "/replay",
    "/slips",
    "/slip/{}",
    "/static/{}",
    "/panel/card",
    "/panel/session",
    "/panel/seat/{}",
    "/panel/evidence/{}",
    "/panel/hand?seat={}",
    "/panel/hand?seat=3&community=Th+Jh+Qh&cards={}",
    "/replay/data?round={}",
    "/replay/rounds",
    "/slips/data?before={}",
    "/slip/{}/data",
    "/slip/{}/pdf",
    "/panel/tests",
    "/api/state",
    "/api/lines",
    "/api/tests",
)
STREAMS = ("/panel/stream", "/panel/lines", "/sign/stream", "/api/stream")
ORDERS = (
    "/panel/sign-in",
    "/panel/sign-out",
    "/panel/own-pin",
    "/panel/test",
    "/panel/act/{}",
    "/api/retest",
    "/api/test",
    "/api/{}",
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
words = st.sampled_from(["Sue", "flush", "dealer_card_exposed", "seat 3 acceptor", "lights", "135713"])
says = st.dictionaries(
    st.sampled_from(
        ["seat", "reason", "cards", "community", "hand", "serial", "void_seats", "seats", "irregularity", "device"]
    ),
    json_values | st.integers(-1, 9) | words,
    max_size=5,
)
orders = st.fixed_dictionaries({"seen": st.text(max_size=20), "key": st.text(max_size=20), "says": says}) | json_values
bodies = st.dictionaries(st.sampled_from(["name", "pin", "what", "device", "by"]), json_values | words, max_size=3)
odd_words = st.text(st.characters(codec="utf-8"), max_size=12) | st.integers().map(str)


async def test_every_route_is_asked_below(bench: Bench) -> None:
    """A route that is added is added here, too."""
    assert bench.assembly is not None
    server = bench.assembly.web_server._server
    guard = RequestGuard(server._authenticator, local=True, cookie_name="x")
    paths = [route.path for route in (*server._site(guard), *server._control)]
    routes = {re.sub(r"\{\w+\}", "{}", path) for path in paths}
    known = {re.sub(r"\?.*", "", path) for path in (*QUESTIONS, *STREAMS, *ORDERS)}
    assert routes == known


@given(
    action=st.sampled_from([*sorted(ACTIONS), "retest", "acknowledge", "void", "x"]), order=orders, fresh=st.booleans()
)
@settings(max_examples=100, deadline=None)
async def test_no_order_whatever_makes_a_server_error(
    bench: Bench, page: Page, action: str, order: Any, fresh: bool
) -> None:
    """Every order gets 200, 400, 403, 404 or 409, and the table goes on."""
    if not (await page.get("/panel/session"))[1]["people"]:
        await page.sign_in(Role.SUPERVISOR)
    if fresh and isinstance(order, dict) and "says" in order:
        seat = order["says"].get("seat")
        order = order | {"seen": stale_token(bench.state, seat if isinstance(seat, int) else 0)}
    status, _ = await page.post(f"/panel/act/{action}", order if order is not None else {})
    assert status in {200, 400, 403, 404, 409}
    assert (await page.get("/panel/session"))[0] == 200


@given(path=st.sampled_from(ORDERS), rest=odd_words, body=bodies | orders)
@settings(max_examples=80, deadline=None)
async def test_no_body_whatever_makes_a_server_error(page: Page, path: str, rest: str, body: Any) -> None:
    """Signing in and out, self-tests, orders and the programs' interface: an answer below 500."""
    address = page.url + path.replace("{}", quote(rest, safe=""))
    headers = {"Origin": page.url, "X-Pitlink-Token": page.token}
    async with page.session.post(address, json=body, headers=headers) as answer:
        assert answer.status < 500


@given(path=st.sampled_from(QUESTIONS), rest=odd_words)
@settings(max_examples=150, deadline=None)
async def test_no_address_whatever_makes_a_server_error(page: Page, path: str, rest: str) -> None:
    """Every question gets an answer below 500."""
    if not (await page.get("/panel/session"))[1]["people"]:
        await page.sign_in(Role.SUPERVISOR)
    async with page.session.get(page.url + path.replace("{}", quote(rest, safe=""))) as answer:
        assert answer.status < 500
