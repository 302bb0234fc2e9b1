"""What the floor's page shows: health, the stream, growth, evidence, the day's statement."""

import asyncio

import pytest

from common.auth.roles import Role
from link.messages import Award
from meter.ledger.decisions import Close, Decided, DecideHeld, EntryRef
from meter.web import queries as reading
from meter.web.day_statement import Day, DayTask, read_day
from tests.support.meter.floor_bench import FloorBench
from tests.support.web.floor_page import FloorPage
from tests.support.web.streams import shown


async def test_every_link_and_table_is_shown_with_its_health(bench: FloorBench, page: FloorPage) -> None:
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


async def test_of_tables_behind_a_lost_broker_nothing_is_known(bench: FloorBench, page: FloorPage) -> None:
    """Neither present nor gone, since the broker was lost; when it is back they are what they were."""
    desk = bench.desks["main"]
    bench.present("T2", alive=False)
    desk.went_down("no route")
    lost = (await page.link())["tables"]
    assert {(table["alive"], table["since_ms"]) for table in lost} == {(None, desk.up_since_ms)}
    desk.went_up()
    assert [table["alive"] for table in (await page.link())["tables"]] == [True, False, True]


async def test_the_page_follows_at_once(bench: FloorBench, page: FloorPage) -> None:
    """What is booked is on the stream without anybody asking."""
    async with page.client.get("/floor/stream") as stream, asyncio.timeout(60):
        frames = shown(stream)
        before = (await anext(frames))["links"][0]["figures"]["state"]["number"]
        await bench.wager("T1")
        async for frame in frames:
            if frame["links"][0]["figures"]["state"]["number"] == before + 1:
                break


async def test_a_frame_has_only_the_tables_of_which_something_is_new(bench: FloorBench, page: FloorPage) -> None:
    """Of hundreds of tables one wager concerns one; a new stream begins with all of them."""
    async with page.client.get("/floor/stream") as stream, asyncio.timeout(60):
        frames = shown(stream)
        first = (await anext(frames))["links"][0]["tables"]
        assert [table["table"] for table in first] == ["T1", "T2", "T3"]
        bench.present("T2", alive=False)
        async for frame in frames:
            if tables := frame["links"][0]["tables"]:
                assert [(table["table"], table["alive"]) for table in tables] == [("T2", False)]
                break
    assert len((await page.link())["tables"]) == 3


async def test_r76_the_ledger_says_when_a_claim_came_and_who_had_wagered(bench: FloorBench, page: FloorPage) -> None:
    """The record of the claim, and its round's wagers before it; one without that people let count stands alone."""
    await bench.wager("T1")
    await bench.enter("T1", Award(1, 2, "flush", fixed_cents=50_00))
    alone = EntryRef("T3", "journal-T3", await bench.enter("T3", Award(7, 4, "flush", fixed_cents=50_00)))
    await bench.books.decide("main", Decided(DecideHeld(alone, counts=True), "Ann", "Ben", "seen on the recording"))
    status, answer = await page.get("/floor/evidence/main")
    assert status == 200
    first, second = answer["claims"]
    assert (first["table"], first["wagered_seats"], first["wagers_record"]) == ("T1", [1, 2, 3], first["record"] - 1)
    assert first["booked_ms"] > 0
    assert (second["round"], second["wagered_seats"], second["wagers_record"]) == (7, [], 0)


async def test_growth_is_read_from_the_ledger(bench: FloorBench, page: FloorPage) -> None:
    """Every record of a young ledger is a point; the last one is what the meter shows."""
    await bench.wager("T1")
    await bench.enter("T1", Award(1, 3, "flush", fixed_cents=50_00))
    status, grown = await page.get("/floor/growth/main?span=hour")
    assert status == 200
    assert [point[1] for point in grown["points"]][-3:] == [1_000_000, 1_000_211, 995_211]
    assert (await page.get("/floor/growth/main?span=age"))[0] == 400
    assert (await page.get("/floor/growth/none"))[0] == 404


async def test_the_statement_of_the_day_is_the_one_of_the_command(bench: FloorBench, page: FloorPage) -> None:
    """Only for those who may; reconciled; a day before the ledger's first has none."""
    await bench.wager("T1")
    assert (await page.get("/floor/statement/main"))[0] == 403
    await page.sign_in(Role.ACCOUNTING)
    status, answer = await page.get("/floor/statement/main")
    assert status == 200
    (sheet,) = answer["found"]["sheets"]
    statement = sheet["statement"]
    assert "time zone" in sheet["lasts"]
    assert (sheet["held"], statement["rehearsal"]) == ("", False)
    assert (statement["variance_units"]["together"], statement["meter_closing_cents"]) == (0, 1_000_211)
    assert {row["figure"] for row in sheet["rows"]} >= {"opening", "contribution", "closing", "variance"}
    for form, begins in (("pdf", b"%PDF-1."), ("csv", b"link,money,day,")):
        async with page.client.get(f"/floor/statement/main?format={form}") as file:
            assert file.content_type == {"pdf": "application/pdf", "csv": "text/csv"}[form]
            assert (await file.read()).startswith(begins)
    assert (await page.get("/floor/statement/main?format=doc"))[0] == 400
    assert (await page.get("/floor/statement/main?day=2001-02-03&format=pdf"))[0] == 404
    status, answer = await page.get("/floor/statement/main?day=2001-02-03")
    assert (status, answer["found"]["sheets"]) == (200, [])
    assert (answer["found"]["day_after"], answer["found"]["first_day"]) == (statement["day"], statement["day"])
    assert (await page.get("/floor/statement/main?day=yesterday"))[0] == 400


async def test_r90_the_statement_of_a_links_last_day_adds_up_on_the_page(bench: FloorBench, page: FloorPage) -> None:
    """What went to the house and what is left are two figures."""
    await bench.wager("T1")
    await bench.drain()
    await bench.books.decide("main", Decided(Close(), "Ann", "Ben", "the game ends"))
    await page.sign_in(Role.ACCOUNTING)
    _, answer = await page.get("/floor/statement/main")
    (sheet,) = answer["found"]["sheets"]
    figures = {row["figure"]: row["dollars"] for row in sheet["rows"] if row["account"] == "together"}
    assert (figures["closed_to_the_house"], figures["closing"], figures["variance"]) == ("-10002.1111", "0.00", "0.00")


async def test_statements_are_worked_out_one_at_a_time(page: FloorPage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long ledger takes long: whoever asks meanwhile is told to try again."""
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def take_long(task: DayTask) -> Day:
        begun.set()
        await go_on.wait()
        return await read_day(task)

    monkeypatch.setattr(reading, "read_day", take_long)
    await page.sign_in(Role.ACCOUNTING)
    first = asyncio.create_task(page.get("/floor/statement/main?day=2001-03-01"))
    await begun.wait()
    assert (await page.get("/floor/statement/main?day=2001-03-02"))[0] == 503
    go_on.set()
    assert (await first)[0] == 200
