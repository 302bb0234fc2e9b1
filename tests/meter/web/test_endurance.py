"""What the floor's page outlives: a restart of the meter, and whatever is sent to it."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.auth.roles import Role
from tests.support.meter.floor_bench import FloorBench
from tests.support.web.floor_page import page_at


async def test_a_restart_of_the_meter_is_seen_and_keeps_the_alarms(tmp_path: Path) -> None:
    """Another run, the same alarms, nobody signed in."""
    async with FloorBench(tmp_path).running() as bench:
        await bench.join()
        bench.present("T1", alive=False)
        async with page_at(bench) as page:
            await page.sign_in(Role.SUPERVISOR)
            before = await page.view()
    async with FloorBench(tmp_path).running() as bench, page_at(bench) as page:
        after = await page.view()
        assert after["started_ms"] > before["started_ms"]
        assert [one["alarm"] for one in after["alarms"]] == [one["alarm"] for one in before["alarms"]]
        assert after["people"] == []
        assert [table["joined"] for table in after["links"][0]["tables"]] == [True, True, True]


WORDS = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=12))


JSON = st.recursive(
    WORDS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
)


PATHS = st.sampled_from(
    [
        "/floor/acknowledge",
        "/floor/decide/main",
        "/floor/decide/none",
        "/floor/sign-in",
        "/floor/sign-out",
        "/floor/growth/main",
        "/floor/outlook/main",
        "/floor/statement/main",
        "/floor/history",
        "/floor/now",
        "/static/../floor.js",
        "/api/links/main/decisions",
    ]
)


ORDER = st.fixed_dictionaries(
    {
        "seen": st.text(max_size=8),
        "key": st.text(max_size=8),
        "decision": JSON | st.just({"type": "Stop"}),
        "reason": st.text(max_size=8),
        "second": JSON | st.just({"number": "4001", "pin": "1"}),
    }
)


@settings(max_examples=60)
@given(path=PATHS, body=JSON | ORDER | st.fixed_dictionaries({"alarm": st.integers()}), query=st.text(max_size=10))
def test_whatever_is_sent_the_meter_has_an_answer(
    tmp_path_factory: pytest.TempPathFactory, path: str, body: Any, query: str
) -> None:
    """Never a 500, never a change that was not asked for properly."""

    async def send() -> None:
        async with FloorBench(tmp_path_factory.mktemp("floor")).running() as bench, page_at(bench) as page:
            bench.web_server.authenticator.browsers.sign_in(
                next(iter(bench.web_server.authenticator.browsers._browsers)), "Sue", Role.SUPERVISOR
            )
            await page.load()
            number = bench.desks["main"].head.number
            headers = {"Origin": page.origin, "X-Pitlink-Token": page.token, "Content-Type": "application/json"}
            async with page.client.post(path, data=json.dumps(body).encode(), headers=headers) as answer:
                assert answer.status < 500
            async with page.client.get(path, params={"order": query, "day": query, "span": query}) as answer:
                assert answer.status < 500
            assert bench.desks["main"].head.number == number

    asyncio.run(send())
