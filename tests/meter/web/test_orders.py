"""What people decide at the floor's page: in the ledger's words, with both names, nothing twice."""

import asyncio
import json
from typing import Any

import pytest

from common.auth.authenticator import Credentials, SignInRefused, Vouched
from common.auth.roles import Role
from link.messages import Award, Wagers
from meter.ledger.decisions import AnyDecision, Close, Decided
from meter.ledger.records import read_record
from meter.web.orders import STALE
from tests.support.meter.floor_bench import FloorBench
from tests.support.meter.meter_bench import with_cards
from tests.support.web.floor_page import FloorPage, keys
from tests.support.web.streams import shown


async def test_28_11_i_two_persons_enter_the_order_with_their_pins(bench: FloorBench, page: FloorPage) -> None:
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


async def test_an_order_that_cannot_be_has_no_outlook(bench: FloorBench, page: FloorPage) -> None:
    """In words, as the decision itself would be refused."""
    status, answer = await page.get("/floor/outlook/main?order=[]")
    assert (status, "no claims" in answer["error"]) == (409, True)
    status, _ = await page.get("/floor/outlook/main?order={")
    assert status == 400


async def test_a_repeated_order_is_answered_and_not_repeated(bench: FloorBench, page: FloorPage) -> None:
    """A double tap, and a lost answer asked again: one record."""
    await page.sign_in(Role.SUPERVISOR)
    seen = (await page.link())["seen"]
    orders = [page.decide({"type": "Stop"}, key="one", seen=seen) for _ in range(3)]
    answers = await asyncio.gather(*orders)
    assert {status for status, _ in answers} == {200}
    assert len({answer["record"] for _, answer in answers}) == 1


async def test_two_pages_that_saw_the_same_do_it_once(bench: FloorBench, page: FloorPage) -> None:
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
    bench: FloorBench, page: FloorPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wagers are held while his PIN is looked at: nobody has decided about a link where that is so."""
    await page.sign_in(Role.SUPERVISOR)
    vouch = bench.web_server.authenticator.vouch

    async def vouch_slowly(shown: Credentials, source: str, *, stops: bool) -> Vouched | SignInRefused:
        await bench.enter("T1", Wagers(1, 500, (1,)))
        return await vouch(shown, source, stops=stops)

    monkeypatch.setattr(bench.web_server.authenticator, "vouch", vouch_slowly)
    status, answer = await page.decide({"type": "Stop"})
    assert (status, answer["reason"]) == (409, STALE)
    assert not bench.desks["main"].head.stopped


async def test_what_the_ledger_refuses_is_said_in_its_words(bench: FloorBench, page: FloorPage) -> None:
    """And stands in the history with who wanted it."""
    await page.sign_in(Role.SUPERVISOR)
    status, answer = await page.decide({"type": "Correct", "old_cents": 1, "new_cents": 2})
    assert (status, "look again" in answer["reason"]) == (409, True)
    _, history = await page.get("/floor/history")
    assert history["notes"][0]["said"]["what"] == "were refused Correct"


async def test_r2_held_wagers_are_decided_at_the_page(bench: FloorBench, page: FloorPage) -> None:
    """With their reason in view."""
    await bench.enter("T1", Wagers(1, 500, (1,)))
    await page.sign_in(Role.ACCOUNTING)
    [held] = (await page.link())["held"]
    assert "wagers of $5" in held["reason"]
    decision = {"type": "DecideHeld", "entry": keys([held])[0], "counts": True}
    status, _ = await page.decide(decision)
    assert (status, bench.desks["main"].head.pot.in_cents) == (200, 500)


async def test_r90_a_table_that_will_not_come_back_is_given_up_by_its_name(bench: FloorBench, page: FloorPage) -> None:
    """One that is not named is waited for, one that nobody knows is refused; the record has the name."""
    await bench.join()
    await bench.drain("T1", "T2")
    await page.sign_in(Role.SUPERVISOR)
    _, answer = await page.decide({"type": "Close"})
    assert "table T3 has not been heard since the link was stopped" in answer["reason"]
    status, answer = await page.decide({"type": "Close", "given_up": ["T3", "T9"]})
    assert (status, answer["reason"]) == (409, "table T9 has not joined this link: there is nothing to give up")
    assert not bench.desks["main"].head.closed
    status, answer = await page.decide({"type": "Close", "given_up": ["T3"]})
    assert (status, answer["accepted"]) == (200, True)
    assert decided_last(bench) == Close(("T3",))


def decided_last(bench: FloorBench) -> AnyDecision:
    """The decision in the newest record of link main."""
    [row] = bench.store.latest("main", 1)
    cause = read_record(row.body).cause
    assert isinstance(cause, Decided)
    return cause.decision


@pytest.mark.parametrize("decision", [{"type": "Receive", "source": "side"}, {"type": "Bless"}, {}, None])
async def test_what_is_no_decision_of_people_is_refused(page: FloorPage, decision: Any) -> None:
    """Nobody may receive what nobody sent; nonsense is 400."""
    await page.sign_in(Role.SUPERVISOR)
    assert (await page.decide(decision))[0] in {400, 403}


async def test_an_alarm_is_acknowledged_by_somebody_who_signed_in(bench: FloorBench, page: FloorPage) -> None:
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


async def test_every_award_from_the_meter_shows_on_the_floor_at_once(bench: FloorBench, page: FloorPage) -> None:
    """A page that follows hears of each claim in the moment it is booked: a flush as well as a whole meter."""
    await bench.wager("T1")
    async with page.client.get("/floor/stream") as stream, asyncio.timeout(30):
        views = shown(stream)
        await anext(views)
        await bench.enter("T1", Award(1, 3, "flush", fixed_cents=50_00))
        await bench.enter("T1", with_cards(Award(1, 2, "royal_flush", percent_bp=10_000)))
        seen: set[tuple[str, int, str]] = set()
        while len(seen) < 2:
            for link in (await anext(views))["links"]:
                seen |= {(award["table"], award["seat"], award["hand"]) for award in link["awards"]}
    assert seen == {("T1", 3, "flush"), ("T1", 2, "royal flush")}
