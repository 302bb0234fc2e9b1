"""The floor's page as the meter sees it: who may do what, two persons by their PINs, nothing twice."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientResponse, CookieJar
from aiohttp.test_utils import TestClient, TestServer
from floor_bench import FloorBench
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from staff_pins import PINS

from house.staff.attempts import LOCKED_AFTER
from house.staff.door import TurnedAway
from house.staff.pins import Person
from house.staff.roles import Role
from meter.floor.orders import STALE
from meter.floor.roles import MAY
from meter.floor.site import PAGES
from meter.link import Award, Wagers

SUE, ANN = PINS[Role.SUPERVISOR], PINS[Role.ACCOUNTING]


async def shown(stream: ClientResponse) -> AsyncIterator[Any]:
    """What a stream shows."""
    async for line in stream.content:
        if line.startswith(b"data: "):
            yield json.loads(line[6:])


class Page:
    """A browser at the floor."""

    def __init__(self, client: "TestClient[Any, Any]") -> None:
        self.client, self.token, self.keys = client, "", 0
        self.origin = str(client.make_url("/")).rstrip("/")

    async def load(self) -> "Page":
        _, body = await self.get("/floor/session")
        self.token = body["token"]
        return self

    async def get(self, path: str) -> tuple[int, Any]:
        async with self.client.get(path) as answer:
            return answer.status, await answer.json()

    async def post(self, path: str, body: Any, **headers: str) -> tuple[int, Any]:
        usual = {"Origin": self.origin, "Sec-Fetch-Site": "same-origin", "X-Pitlink-Token": self.token}
        async with self.client.post(path, json=body, headers=usual | headers) as answer:
            return answer.status, await answer.json()

    async def sign_in(self, role: Role) -> None:
        name, pin = PINS[role]
        status, body = await self.post("/floor/sign-in", {"name": name, "pin": pin})
        assert status == 200
        self.token = body["token"]

    async def view(self) -> Any:
        """The newest state of the stream."""
        async with self.client.get("/floor/stream") as stream:
            return await anext(shown(stream))

    async def link(self, name: str = "main") -> Any:
        return next(link for link in (await self.view())["links"] if link["link"] == name)

    async def decide(self, decision: Any, second: tuple[str, str] = ANN, **other: Any) -> tuple[int, Any]:
        self.keys += 1
        order: dict[str, Any] = {
            "key": str(self.keys),
            "seen": (await self.link())["seen"],
            "decision": decision,
            "reason": "seen on the recording",
            "second": {"name": second[0], "pin": second[1]},
        }
        return await self.post("/floor/decide/main", order | other)


@asynccontextmanager
async def page_at(bench: FloorBench) -> AsyncIterator[Page]:
    async with TestClient(TestServer(bench.application()), cookie_jar=CookieJar(unsafe=True)) as client:
        yield await Page(client).load()


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[FloorBench]:
    async with FloorBench(tmp_path).running() as bench:
        await bench.join()
        yield bench


@pytest.fixture
async def page(bench: FloorBench) -> AsyncIterator[Page]:
    async with page_at(bench) as page:
        yield page


def fail_again(bench: FloorBench, name: str) -> None:
    """Wrong PINs until this person is locked out, without the waiting between them."""
    for _ in range(LOCKED_AFTER - 1):
        bench.front._door._attempts.begin(name, bench.clock.wall_ms())


def keys(claims: Any) -> list[dict[str, Any]]:
    return [{name: claim[name] for name in ("table", "journal", "seq")} for claim in claims]


async def test_every_link_and_table_is_shown_with_its_health(bench: FloorBench, page: Page) -> None:
    """Present, gone and never heard of; what was booked; the meter to the cent."""
    await bench.wager("T1")
    bench.present("T2", alive=False)
    link = await page.link()
    assert {table["table"]: table["alive"] for table in link["tables"]} == {"T1": True, "T2": False, "T3": True}
    assert link["tables"][0]["booked_seq"] == 1
    assert link["figures"]["state"]["amount_cents"] == 1_000_211
    assert link["accounts"]["meter"] == "$10,002.1111"
    assert (link["health"], link["is_up"]) == ("good", True)
    side = await page.link("side")
    assert {table["alive"] for table in side["tables"]} == {None}
    bench.desks["side"].went_down("no route")
    assert (await page.link("side"))["health"] == "broker lost"


async def test_of_tables_behind_a_lost_broker_nothing_is_known(bench: FloorBench, page: Page) -> None:
    """Neither present nor gone, since the broker was lost; when it is back they are what they were."""
    desk = bench.desks["main"]
    bench.present("T2", alive=False)
    desk.went_down("no route")
    lost = (await page.link())["tables"]
    assert {(table["alive"], table["since_ms"]) for table in lost} == {(None, desk.up_since_ms)}
    desk.went_up()
    assert [table["alive"] for table in (await page.link())["tables"]] == [True, False, True]


async def test_the_page_follows_at_once(bench: FloorBench, page: Page) -> None:
    """What is booked is on the stream without anybody asking."""
    async with page.client.get("/floor/stream") as stream, asyncio.timeout(20):
        frames = shown(stream)
        before = (await anext(frames))["links"][0]["figures"]["state"]["number"]
        await bench.wager("T1")
        async for frame in frames:
            if frame["links"][0]["figures"]["state"]["number"] == before + 1:
                break


async def test_a_frame_has_only_the_tables_of_which_something_is_new(bench: FloorBench, page: Page) -> None:
    """Of hundreds of tables one wager concerns one; a new stream begins with all of them."""
    async with page.client.get("/floor/stream") as stream, asyncio.timeout(20):
        frames = shown(stream)
        first = (await anext(frames))["links"][0]["tables"]
        assert [table["table"] for table in first] == ["T1", "T2", "T3"]
        bench.present("T2", alive=False)
        async for frame in frames:
            if tables := frame["links"][0]["tables"]:
                assert [(table["table"], table["alive"]) for table in tables] == [("T2", False)]
                break
    assert len((await page.link())["tables"]) == 3


async def test_28_11_i_two_persons_enter_the_order_with_their_pins(bench: FloorBench, page: Page) -> None:
    """The evidence is there, the outlook says what it would pay, the ledger has both names, the history too."""
    await bench.contest()
    await page.sign_in(Role.SUPERVISOR)
    link = await page.link()
    first, second = link["contest"]
    assert (first["table"], first["clock"], first["is_fixed"]) == ("T1", "synchronised, 2 ms", True)
    assert (second["part"], second["before_cents"], second["is_contested"]) == ("10 % of the meter", 500_000, True)
    order = keys([second, first])
    status, foreseen = await page.get(f"/floor/outlook/main?order={json.dumps(order)}")
    assert (status, foreseen["amounts_cents"]) == (200, [100_043, 900_379])
    status, answer = await page.decide({"type": "OrderClaims", "order": order})
    assert (status, answer["accepted"]) == (200, True)
    link = await page.link()
    assert [(award["table"], award["amount_cents"]) for award in link["awards"]] == [("T2", 100_043)]
    _, history = await page.get("/floor/history")
    said = history["notes"][0]["said"]
    assert (said["by"], said["what"]) == ("Sue and Ann", "decided OrderClaims")
    assert f"record {answer['record']}" in said["about"]


async def test_r76_the_ledger_says_when_a_claim_came_and_who_had_wagered(bench: FloorBench, page: Page) -> None:
    """The record of the claim, and the wagers of the same round before it; a claim without them stands alone."""
    await bench.wager("T1")
    await bench.enter("T1", Award(1, 2, "flush", fixed_cents=50_00))
    await bench.enter("T3", Award(7, 4, "flush", fixed_cents=50_00))
    status, answer = await page.get("/floor/evidence/main")
    assert status == 200
    first, second = answer["claims"]
    assert (first["table"], first["wagered_seats"], first["wagers_record"]) == ("T1", [1, 2, 3], first["record"] - 1)
    assert first["booked_ms"] > 0
    assert (second["round"], second["wagered_seats"], second["wagers_record"]) == (7, [], 0)


async def test_an_order_that_cannot_be_has_no_outlook(bench: FloorBench, page: Page) -> None:
    """In words, as the decision itself would be refused."""
    status, answer = await page.get("/floor/outlook/main?order=[]")
    assert (status, "no claims" in answer["error"]) == (409, True)
    status, _ = await page.get("/floor/outlook/main?order={")
    assert status == 400


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (SUE, "two different persons"),
        (("sue ", "1357"), "two different persons"),
        (("Ann", "1357"), "do not match"),
        (("Nobody", "1357"), "do not match"),
        (PINS[Role.TECHNICIAN], "Tim may not"),
        (PINS[Role.DEALER], "Dan may not"),
    ],
)
async def test_nobody_decides_without_a_second_person_of_his_own_pin(
    bench: FloorBench, page: Page, second: tuple[str, str], words: str
) -> None:
    """Nothing reaches the ledger, whoever is named."""
    await page.sign_in(Role.SUPERVISOR)
    number = bench.desks["main"].head.number
    status, answer = await page.decide({"type": "Correct", "old_cents": 1_000_000, "new_cents": 5}, second)
    assert (status, answer["accepted"]) == (409, False)
    assert words in answer["reason"]
    assert bench.desks["main"].head.number == number


async def test_guessing_the_second_pin_locks_it_out(bench: FloorBench, page: Page) -> None:
    """The sheet is no way around the door's waiting."""
    await page.sign_in(Role.SUPERVISOR)
    _, answer = await page.decide({"type": "Stop"}, ("Ann", "0000"))
    assert "name and PIN do not match" in answer["reason"]
    fail_again(bench, "Ann")
    status, answer = await page.decide({"type": "Stop"})
    assert (status, "too many wrong PINs" in answer["reason"]) == (409, True)
    assert not bench.desks["main"].head.stopped


async def test_wrong_pins_at_the_door_lock_and_are_written_down(bench: FloorBench, page: Page) -> None:
    """Each is in the floor's book; a locked person stays out with the right PIN."""
    status, body = await page.post("/floor/sign-in", {"name": "Sue", "pin": "9999"})
    assert (status, "do not match" in body["error"]) == (403, True)
    fail_again(bench, "Sue")
    status, body = await page.post("/floor/sign-in", {"name": "Sue", "pin": "1357"})
    assert (status, body["wait_s"] > 60) == (403, True)
    await page.sign_in(Role.TECHNICIAN)
    _, history = await page.get("/floor/history")
    assert [note["said"]["what"] for note in history["notes"]][:2] == ["signed in", "wrong PIN"]


async def test_a_repeated_order_is_answered_and_not_repeated(bench: FloorBench, page: Page) -> None:
    """A double tap, and a lost answer asked again: one record."""
    await page.sign_in(Role.SUPERVISOR)
    seen = (await page.link())["seen"]
    orders = [page.decide({"type": "Stop"}, key="one", seen=seen) for _ in range(3)]
    answers = await asyncio.gather(*orders)
    assert {status for status, _ in answers} == {200}
    assert len({answer["record"] for _, answer in answers}) == 1


async def test_two_pages_that_saw_the_same_do_it_once(bench: FloorBench, page: Page) -> None:
    """The second finds that the link has moved on; a wager alone does not move it on."""
    await page.sign_in(Role.SUPERVISOR)
    seen = (await page.link())["seen"]
    await bench.wager("T1")
    transfer = {"type": "Transfer", "to": "side", "cents": 100}
    first, second = await asyncio.gather(page.decide(transfer, seen=seen), page.decide(transfer, seen=seen))
    assert {first[0], second[0]} == {200, 409}
    assert STALE in {first[1]["reason"], second[1]["reason"]}
    assert bench.desks["side"].head.pot.amount_cents == 1_000_100


async def test_what_happens_while_the_second_person_signs_counts(
    bench: FloorBench, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wagers are held while his PIN is looked at: nobody has decided about a link where that is so."""
    await page.sign_in(Role.SUPERVISOR)
    vouch = bench.front._door.vouch

    async def vouch_slowly(name: str, pin: str) -> Person | TurnedAway:
        await bench.enter("T1", Wagers(1, 500, (1,)))
        return await vouch(name, pin)

    monkeypatch.setattr(bench.front._door, "vouch", vouch_slowly)
    status, answer = await page.decide({"type": "Stop"})
    assert (status, answer["reason"]) == (409, STALE)
    assert not bench.desks["main"].head.stopped


async def test_what_the_ledger_refuses_is_said_in_its_words(bench: FloorBench, page: Page) -> None:
    """And stands in the history with who wanted it."""
    await page.sign_in(Role.SUPERVISOR)
    status, answer = await page.decide({"type": "Correct", "old_cents": 1, "new_cents": 2})
    assert (status, "look again" in answer["reason"]) == (409, True)
    _, history = await page.get("/floor/history")
    assert history["notes"][0]["said"]["what"] == "were refused Correct"


async def test_r2_held_wagers_are_decided_at_the_page(bench: FloorBench, page: Page) -> None:
    """With their reason in view."""
    await bench.enter("T1", Wagers(1, 500, (1,)))
    await page.sign_in(Role.ACCOUNTING)
    [held] = (await page.link())["held"]
    assert "wagers of $5" in held["reason"]
    decision = {"type": "DecideHeld", "entry": keys([held])[0], "counts": True}
    status, _ = await page.decide(decision, SUE)
    assert (status, bench.desks["main"].head.pot.in_cents) == (200, 500)


@pytest.mark.parametrize("action", [action for action in MAY if action[0].isupper()])
async def test_each_decision_is_for_its_roles_only(bench: FloorBench, page: Page, action: str) -> None:
    """A dealer decides nothing here, a technician only what concerns machines."""
    claim = {"table": "T1", "journal": "journal-T1", "seq": 1}
    decision = {
        "OrderClaims": {"order": [claim]},
        "DecideHeld": {"entry": claim, "counts": False},
        "SettleAward": {"award": claim, "paid": True},
        "Correct": {"old_cents": 1, "new_cents": 2},
        "Transfer": {"to": "side", "cents": 1},
        "SwapBoard": {"table": "T1", "old_journal": "journal-T1", "new_journal": "new"},
    }.get(action, {}) | {"type": action}
    assert (await page.decide(decision))[0] == 403
    for role in (Role.DEALER, Role.TECHNICIAN):
        await page.sign_in(role)
        allowed = role in MAY[action]
        status, _ = await page.decide(decision, ("Nobody", "0000"))
        assert status == (409 if allowed else 403)
        await page.post("/floor/sign-out", {"name": PINS[role][0]})


@pytest.mark.parametrize("decision", [{"type": "Receive", "source": "side"}, {"type": "Bless"}, {}, None])
async def test_what_is_no_decision_of_people_is_refused(page: Page, decision: Any) -> None:
    """Nobody may receive what nobody sent; nonsense is 400."""
    await page.sign_in(Role.SUPERVISOR)
    assert (await page.decide(decision))[0] in {400, 403}


async def test_an_alarm_is_acknowledged_by_somebody_who_signed_in(bench: FloorBench, page: Page) -> None:
    """Not by a stranger, not twice; the history says who and what it was."""
    bench.present("T1", alive=False)
    [alarm] = (await page.view())["alarms"]
    assert (await page.post("/floor/acknowledge", {"alarm": alarm["number"]}))[0] == 403
    await page.sign_in(Role.TECHNICIAN)
    status, answer = await page.post("/floor/acknowledge", {"alarm": alarm["number"]})
    assert (status, answer["accepted"]) == (200, True)
    assert (await page.post("/floor/acknowledge", {"alarm": alarm["number"]}))[0] == 409
    assert (await page.view())["alarms"] == []
    _, history = await page.get("/floor/history")
    assert history["notes"][0]["said"] == {"type": "Acknowledged", "alarm": alarm["number"], "by": "Tim"}
    assert history["alarms"][0]["said"]["kind"] == "table lost"


async def test_growth_is_read_from_the_ledger(bench: FloorBench, page: Page) -> None:
    """Every record of a young ledger is a point; the last one is what the meter shows."""
    await bench.wager("T1")
    await bench.enter("T2", Award(1, 3, "flush", fixed_cents=50_00))
    status, grown = await page.get("/floor/growth/main?span=hour")
    assert status == 200
    assert [point[1] for point in grown["points"]][-3:] == [1_000_000, 1_000_211, 995_211]
    assert (await page.get("/floor/growth/main?span=age"))[0] == 400
    assert (await page.get("/floor/growth/none"))[0] == 404


async def test_the_statement_of_the_day_is_the_one_of_the_command(bench: FloorBench, page: Page) -> None:
    """Only for those who may; reconciled; a day without records has none."""
    await bench.wager("T1")
    assert (await page.get("/floor/statement/main"))[0] == 403
    await page.sign_in(Role.ACCOUNTING)
    status, answer = await page.get("/floor/statement/main")
    assert status == 200
    statement = answer["found"]["statement"]
    assert (statement["variance_units"], statement["meter_closing_cents"]) == (0, 1_000_211)
    assert {row["figure"] for row in answer["found"]["rows"]} >= {"opening", "contribution", "closing", "variance"}
    status, answer = await page.get("/floor/statement/main?day=2001-02-03")
    assert (status, answer["found"]["statement"]) == (200, None)
    assert answer["found"]["day_after"] == statement["day"]
    assert (await page.get("/floor/statement/main?day=yesterday"))[0] == 400
    several = await asyncio.gather(*(page.get(f"/floor/statement/main?day=2001-03-0{day}") for day in (1, 2)))
    assert sorted(status for status, _ in several) == [200, 503]  # one at a time: a long ledger takes long


@pytest.mark.parametrize("path", [*PAGES, "/static/floor.js", "/static/common.js", "/nothing", "/floor/session"])
async def test_every_answer_carries_the_strict_headers(page: Page, path: str) -> None:
    """Pages, scripts, data and errors."""
    async with page.client.get(path) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Frame-Options"] == "DENY"


async def test_orders_come_from_our_own_page_only(bench: FloorBench, page: Page) -> None:
    """Another site, an old page and a form change nothing; a browser has no business at the programs' interface."""
    await page.sign_in(Role.SUPERVISOR)
    stop = {"type": "Decided", "decision": {"type": "Stop"}, "by": "Ann", "and_by": "Ben", "reason": "drill"}
    order = {"alarm": 1}
    assert (await page.post("/floor/acknowledge", order, Origin="http://evil.example"))[0] == 403
    assert (await page.post("/floor/acknowledge", order, **{"X-Pitlink-Token": "guess"}))[0] == 403
    assert (await page.post("/floor/acknowledge", order, **{"Sec-Fetch-Site": "cross-site"}))[0] == 403
    assert (await page.post("/api/links/main/decisions", stop))[0] == 403
    async with page.client.get("/floor", headers={"Host": "evil.example"}) as answer:
        assert answer.status == 403
    assert not bench.desks["main"].head.stopped


async def test_the_cookie_is_for_our_own_site_and_no_script(page: Page) -> None:
    """Same-site, and not the cookie of a table on the same machine."""
    [cookie] = page.client.session.cookie_jar
    assert cookie.key == "pitlink-floor"
    assert cookie["httponly"]
    assert cookie["samesite"] == "Strict"


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
        "second": JSON | st.just({"name": "Ann", "pin": "1"}),
    }
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=PATHS, body=JSON | ORDER | st.fixed_dictionaries({"alarm": st.integers()}), query=st.text(max_size=10))
def test_whatever_is_sent_the_meter_has_an_answer(
    tmp_path_factory: pytest.TempPathFactory, path: str, body: Any, query: str
) -> None:
    """Never a 500, never a change that was not asked for properly."""

    async def send() -> None:
        async with FloorBench(tmp_path_factory.mktemp("floor")).running() as bench, page_at(bench) as page:
            bench.front._door.visits.sign_in(next(iter(bench.front._door.visits._visits)), "Sue", Role.SUPERVISOR)
            await page.load()
            number = bench.desks["main"].head.number
            headers = {"Origin": page.origin, "X-Pitlink-Token": page.token, "Content-Type": "application/json"}
            async with page.client.post(path, data=json.dumps(body).encode(), headers=headers) as answer:
                assert answer.status < 500
            async with page.client.get(path, params={"order": query, "day": query, "span": query}) as answer:
                assert answer.status < 500
            assert bench.desks["main"].head.number == number

    asyncio.run(send())
