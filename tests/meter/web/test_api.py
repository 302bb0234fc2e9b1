"""The control interface: what waits for people, and their decisions."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import msgspec
import pytest
from aiohttp.test_utils import TestClient, TestServer

from common.auth.authenticator import Authenticator
from common.auth.lockout import LockOut
from common.auth.sessions import Sessions
from common.web.server import loopback_application
from link.messages import Coupon, Wagers
from meter.booking.group_commit import GroupCommit
from meter.booking.results import BookingReport
from meter.ledger.accounts import Account
from meter.ledger.balances import LinkTerms
from meter.ledger.decisions import Decided, Stop
from meter.ledger.records import read_record
from meter.staff.keeper import StaffKeeper
from meter.store.base import StoreFault
from meter.web.api import MeterApi, view_of
from meter.web.permissions import MAY
from tests.support.meter.meter_bench import (
    NOW_MS,
    TERMS,
    MeterBench,
    envelope,
    flush,
    link,
    payout,
    royal,
    shown_after,
    straight_flush,
    wagers,
)
from tests.support.meter.staff_pins import ANN, SUE, TIM, give_staff

SIGNED = {
    "type": "Decided",
    "by": ANN.number,
    "and_by": SUE.number,
    "pins": [ANN.pin, SUE.pin],
    "reason": "seen on the recording",
}


class ControlBench:
    """A meter with a control interface, without a broker."""

    def __init__(self, client: "TestClient[Any, Any]", meter: MeterBench, folder: Path) -> None:
        self.client, self.meter, self.folder = client, meter, folder

    async def decide(self, decision: dict[str, Any], **other: Any) -> tuple[int, Any]:
        answer = await self.client.post("/api/links/main/decisions", json=SIGNED | {"decision": decision} | other)
        return answer.status, await answer.json()


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[ControlBench]:
    """Three tables have joined; everybody has a PIN."""
    give_staff(tmp_path)
    meter = MeterBench()
    staff, attempts = StaffKeeper(tmp_path, lambda: NOW_MS), LockOut(tmp_path / "attempts.json", lambda: 0.0)
    authenticator = Authenticator(staff.directory, attempts, Sessions(lambda: 0.0), may=MAY, note=AsyncMock())
    meter.join()

    def hear(link: str, report: BookingReport) -> None:
        meter.heads[link] = report.head

    books = GroupCommit(meter.booker, hear)
    control = MeterApi(lambda: meter.heads, books.decide, authenticator=authenticator, wall_ms=lambda: NOW_MS)
    task = asyncio.create_task(books.run())
    async with TestClient(TestServer(loopback_application(control.routes()))) as client:
        yield ControlBench(client, meter, tmp_path)
    task.cancel()
    await asyncio.wait([task])


async def test_r76_the_evidence_of_contested_claims_is_shown(bench: ControlBench) -> None:
    """Each table's own time, its word about its clock, its sequence and the meter before (R67)."""
    bench.meter.deal("T1", "T2")
    bench.meter.say(envelope(2, royal()), envelope(2, straight_flush(), "T2"))
    view = await (await bench.client.get("/api/links/main")).json()
    first, second = view["contest"]
    assert (first["table"], first["seq"], first["at_ms"]) == ("T1", 2, NOW_MS + 2)
    assert (first["before_cents"], second["before_cents"]) == (shown_after(2), TERMS.reset_cents)
    assert second["clock"] == ""


async def test_28_11_i_the_order_is_entered_while_the_meter_runs(bench: ControlBench) -> None:
    """The answer comes when it is on disk, and the next view shows it."""
    bench.meter.deal("T1", "T2")
    bench.meter.say(envelope(2, royal()), envelope(2, straight_flush(), "T2"))
    order = [{"table": table, "journal": f"journal-{table}", "seq": 2} for table in ("T2", "T1")]
    status, answer = await bench.decide({"type": "OrderClaims", "order": order})
    assert (status, answer) == (200, {"taken": True, "reason": "", "number": 9})
    view = await (await bench.client.get("/api/links/main")).json()
    assert [award["table"] for award in view["awards"]] == ["T2"]


async def test_r2_held_wagers_are_shown_and_decided(bench: ControlBench) -> None:
    """What is held, why, and the way to let it count."""
    bench.meter.say(envelope(1, Wagers(1, 500, (1,))))
    view = await (await bench.client.get("/api/links/main")).json()
    assert "wagers of $5" in view["held"][0]["reason"]
    entry = {key: view["held"][0][key] for key in ("table", "journal", "seq")}
    status, _ = await bench.decide({"type": "DecideHeld", "entry": entry, "counts": True})
    assert status == 200
    assert bench.meter.heads["main"].pot.in_cents == 500


async def test_r10_all_meters_are_read_on_demand(bench: ControlBench) -> None:
    """In, display, open awards and rate, chips and coupons apart, of every link (R47: at once)."""
    redeemed = envelope(1, Coupon(1, 2, "C-1"))
    bench.meter.say(redeemed, envelope(2, wagers(1, 2, coupons=(2,), number=1)), envelope(3, flush(seat=2)))
    view = await (await bench.client.get("/api/links/main")).json()
    assert (view["chip_cents"], view["coupon_cents"], view["state"]["in_cents"]) == (100, 100, 200)
    assert view["accounts"]["meter"] == bench.meter.heads["main"].pot.amount_cents * 10_000 + 7_400
    assert view["terms"]["rate_bp"] == 7_037
    assert view["awards"][0]["taken_cents"] == 50_00
    states = await (await bench.client.get("/api/links")).json()
    assert states["main"]["pending"][0]["table"] == "T1"


async def test_r10_overflow_hits_wins_base_and_limit_are_read_on_demand() -> None:
    """A meter pinned at its limit with a paid award: each figure is there by name, and the last awards (R87)."""
    meter = MeterBench(None, link(LinkTerms(7_037, 1_000_00, 500_00, reset_rate_bp=1_000, limit_cents=1_000_70)))
    meter.join("T1")
    view = msgspec.to_builtins(view_of("main", meter.heads["main"], NOW_MS))
    assert view["accounts"].keys() == {account.value for account in Account}
    assert (view["accounts"]["overflow"], view["accounts"]["reset_meter"], view["accounts"]["paid"]) == (0, 0, 0)
    meter.say(envelope(1, wagers(2, 3)), envelope(2, flush()), envelope(3, payout(2)))
    view = msgspec.to_builtins(view_of("main", meter.heads["main"], NOW_MS))
    state = view["state"]
    assert (state["amount_cents"], state["hits"], state["wins_cents"]) == (950_70, 1, 50_00)
    assert (state["base_cents"], state["limit_cents"], state["reset_cents"]) == (1_000_00, 1_000_70, 500_00)
    assert view["accounts"]["overflow"] == 2 * 100 * 7_037 - 70 * 10_000
    assert view["accounts"]["reset_meter"] == 2 * 100 * 1_000
    assert view["accounts"]["paid"] == 50_00 * 10_000
    assert [(award["table"], award["seq"]) for award in view["last_paid"]] == [("T1", 2)]


@pytest.mark.parametrize(
    ("decision", "other", "status", "words"),
    [
        ({"type": "Reopen"}, {}, 409, "not stopped"),
        ({"type": "Stop"}, {"and_by": ANN.number}, 409, "two different persons"),
        ({"type": "Stop"}, {"tip": 1}, 400, "unknown field"),
        ({"type": "Bless"}, {}, 400, "Bless"),
        ({"type": "Receive", "source": "side", "cents": 5}, {}, 409, "Ann may not decide this"),
        ({"type": "Transfer", "to": "side", "cents": 5}, {}, 409, "no link side"),
    ],
)
async def test_what_cannot_be_decided_is_refused_with_its_reason(
    bench: ControlBench, decision: dict[str, Any], other: dict[str, Any], status: int, words: str
) -> None:
    """Nothing reaches the ledger."""
    before = bench.meter.heads["main"]
    code, answer = await bench.decide(decision, **other)
    assert code == status
    assert words in json.dumps(answer)
    assert bench.meter.heads["main"] == before


async def test_only_json_of_a_known_link_gets_in(bench: ControlBench) -> None:
    """Each refusal has its own status."""
    form = await bench.client.post("/api/links/main/decisions", data=b"{}")
    nobody = await bench.client.get("/api/links/none")
    broken = await bench.client.post(
        "/api/links/main/decisions", data=b"{", headers={"Content-Type": "application/json"}
    )
    assert [answer.status for answer in (form, nobody, broken)] == [415, 404, 400]


async def test_a_store_that_fails_under_a_decision_ends_the_books() -> None:
    """Whoever asked gets no answer, and nothing goes on as if it had been taken."""
    meter = MeterBench()

    def fail(pages: object) -> None:
        raise StoreFault("full")

    meter.store.commit = fail  # type: ignore[method-assign]  # the disk fills up
    books = GroupCommit(meter.booker, lambda _link, _report: None)
    task = asyncio.create_task(books.run())

    with pytest.raises(asyncio.CancelledError):
        await books.decide("main", Decided(Stop(), "Ann", "Ben", "seizure"))
    with pytest.raises(StoreFault, match="full"):
        await task


@pytest.mark.parametrize(
    ("decision", "pins", "words"),
    [
        ("Stop", [ANN.pin, TIM.pin], ""),
        ("Stop", None, "by their PINs"),
        ("Stop", [ANN.pin, "000000"], "3001: number and PIN do not match"),
        ("Stop", ["000000", TIM.pin], "4001: number and PIN do not match"),
        ("Reopen", [ANN.pin, TIM.pin], "3001: Tim may not decide this"),
    ],
)
async def test_r94_where_people_have_pins_names_alone_decide_nothing(
    bench: ControlBench, decision: str, pins: list[str] | None, words: str
) -> None:
    """Both are known by their own PIN and stand in the ledger as they are called; each needs a role that may."""
    status, answer = await bench.decide({"type": decision}, by=ANN.number, and_by=TIM.number, pins=pins)
    assert (status, answer["taken"]) == ((409, False) if words else (200, True))
    assert words in answer["reason"]
    assert bool(bench.meter.heads["main"].stopped) is not bool(words)
    causes = [read_record(row.body).cause for row in bench.meter.store.records("main")]
    signed = [(cause.by, cause.and_by) for cause in causes if isinstance(cause, Decided)]
    assert signed == ([] if words else [("Ann", "Tim")])


async def test_a_staff_file_that_cannot_be_read_lets_nobody_decide(bench: ControlBench) -> None:
    """Otherwise whoever spoils the file would need no PIN."""
    (bench.folder / "staff.json").write_text("[{")
    status, answer = await bench.decide({"type": "Stop"}, pins=[ANN.pin, TIM.pin])
    assert (status, answer["taken"]) == (409, False)
    assert "cannot be read" in answer["reason"]
