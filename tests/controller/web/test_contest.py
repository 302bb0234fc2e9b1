"""A contested award at the panel: what both tables are told, and the evidence beside it."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from common.auth.roles import Role
from games.round.events import ClaimRejected
from tests.support.table.contested import contested_tables
from tests.support.table.paper_floor import Bench
from tests.support.web.panel_page import Page, page_at


@pytest.fixture
async def contested(tmp_path: Path) -> AsyncIterator[list[tuple[Bench, Page]]]:
    """Two tables that claim a straight flush at once, and a panel at each."""
    async with contested_tables(tmp_path) as tables, AsyncExitStack() as stack:
        yield [(bench, await stack.enter_async_context(page_at(url(bench)))) for bench in tables]


def url(bench: Bench) -> str:
    assert bench.assembly is not None
    return f"http://127.0.0.1:{bench.assembly.port}"


async def test_28_11_i_both_panels_say_do_not_pay_and_who_else_claims(contested: list[tuple[Bench, Page]]) -> None:
    """The one next step and the advice, with every claim that management decides between."""
    for _bench, page in contested:
        view = await page.view()
        assert view["state"]["next_step"].startswith("Seat 3: straight flush: do not pay, keep the cards; ")
        (told,) = view["advice"]
        assert told["device"] == "contested award"
        assert "table T1 seat 3: straight flush" in told["detail"]
        assert "table T2 seat 3: straight flush" in told["detail"]
        assert told["advice"].startswith("Do not pay. Keep the cards")


async def test_the_evidence_names_the_other_claim_until_it_is_gone(contested: list[tuple[Bench, Page]]) -> None:
    """Beside hand, light and meter; when the other table's claim is rejected, this one simply goes on."""
    (one, page), (two, _other) = contested
    await page.sign_in(Role.SUPERVISOR)

    async def evidence() -> Any:
        return (await page.get("/panel/evidence/3"))[1]

    assert len((await evidence())["contest"]) == 2
    await two.must(ClaimRejected(3, "Sue", "misread"))
    await one.until(lambda: not one.state.held, "still held")
    assert (await evidence())["contest"] == []
    assert (await page.view())["state"]["next_step"] == "Seat 3: straight flush $1,000.14, call supervisor"
    assert (await page.view())["advice"] == []
