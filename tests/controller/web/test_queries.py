"""What the pages read: the evaluator, the evidence, replays and slips."""

from common.auth.roles import Role
from drivers.simulated.hopper_mechanics import Jam
from games.round.events import ClaimValidated, HandClaimed, NoWinShown, PayoutConfirmed, RecountAsked
from tests.support.meter.staff_pins import DAN
from tests.support.table.paper_floor import Bench
from tests.support.web.panel_page import FLOP, Page, claimed, validated


async def test_the_evaluator_names_hand_pay_and_clause(bench: Bench, page: Page) -> None:
    """Before anything is claimed; what cannot be says why."""
    await bench.deal(3)
    _, found = await page.get("/panel/hand?seat=3&cards=2h+3h&community=Th+Jh+Qh")
    assert found == {"words": "flush", "pay": "$50", "rule": "28.11(f)", "source": "rack", "refusal": ""}
    for query, words in (
        ("cards=2h+3c", "pays nothing"),
        ("cards=2h+2h", "2h"),
        ("cards=", "show the cards"),
        ("cards=Zz+3c", "no card"),
    ):
        _, found = await page.get(f"/panel/hand?seat=3&community=Th+Jh+Qd&{query}")
        assert words in found["refusal"]
    assert bench.state.claims == ()


async def test_the_supervisors_evidence_is_on_one_screen(bench: Bench, page: Page) -> None:
    """Hand, that seat's light from the first to the last, count, meter before and after, who claimed (R67)."""
    await page.sign_in(Role.DEALER)
    await claimed(bench, page)
    await page.sign_in(Role.SUPERVISOR)
    status, found = await page.get("/panel/evidence/3")
    assert status == 200
    assert [change["light"] for change in found["lights"]] == ["open", "lit"]
    assert found["payment"]["amount"] == "$50"
    assert found["claimed_by"] == "Dan"
    assert found["count"] == "1 chip = 1 light"
    assert found["meter"] == "$10,000.70 before, $9,950.70 after this award"
    assert (await page.get("/panel/evidence/4"))[0] == 404
    assert (await page.get("/panel/evidence/99"))[0] == 404


async def test_r67_a_win_keeps_its_events_its_lights_and_its_meter(bench: Bench, page: Page) -> None:
    """Before he validates, a supervisor sees every event and fault of the round; later rounds change nothing of it."""
    with bench.hopper.hands_on() as board:
        board.metal.jam, board.metal.jam_after = Jam.DISC, 1
    for seat in (3, 5):
        await bench.drop_chip(seat)
    await bench.settle()
    await bench.press_lock_out()
    await bench.settle()
    with bench.hopper.hands_on() as board:
        board.metal.jam = None
    await bench.must(RecountAsked("Dan"))
    await bench.until(lambda: bench.state.registered)
    await page.sign_in(Role.SUPERVISOR)
    await bench.must(HandClaimed(3, ("2h", "3h"), tuple(FLOP), by="Dan"), NoWinShown((5,), "Dan"))
    await bench.until(lambda: bench.state.claims[0].amount_cents == 50_00)
    _, seen = await page.get("/panel/evidence/3")
    _, told = await page.get("/replay/data?round=1")
    frozen = told["replay"]["frames"]
    happened = [frame["event"] for frame in frozen]
    assert happened.index("Device faulted") < happened.index("Hand claimed") < happened.index("Award fixed")
    lit = {seat for seat, light in frozen[happened.index("Hand claimed")]["lights"].items() if light == "lit"}
    assert lit == {"3", "5"}
    assert seen["meter"] == "$10,001.40 before, $9,951.40 after this award"
    await bench.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
    await bench.press_end_of_round()
    await bench.until(lambda: bench.state.round == 2)
    await bench.deal(1, 2)
    await bench.booked()
    _, again = await page.get("/replay/data?round=1")
    assert again["replay"]["frames"][: len(frozen)] == frozen
    assert again["replay"]["frames"][-1]["payments"][0]["meter_before_cents"] == 10_001_40


async def test_replay_slips_and_pdf_are_there_for_those_who_may(bench: Bench, page: Page) -> None:
    """A round told again, its slip as data and as paper."""
    await page.sign_in(Role.DEALER)
    await claimed(bench, page)
    await page.sign_in(Role.SUPERVISOR)
    await validated(bench, page)
    await page.act("pay", await page.offer("pay", 3), signed=DAN, seat=3)
    status, told = await page.get("/replay/data?round=1")
    assert (status, told["latest"]) == (200, 1)
    assert told["replay"]["frames"][-1]["event"] == "Payout confirmed"
    assert (await page.get("/replay/data?round=77"))[0] == 404
    assert (await page.get("/replay/data?round=x"))[0] == 400
    _, slips = await page.get("/slips/data")
    assert [slip["number"] for slip in slips["slips"]] == [1]
    assert (await page.get("/slip/2/data"))[0] == 404
    for paper in ("", "?paper=a4", "?paper=letter", "?paper=receipt"):
        async with page.session.get(page.url + "/slip/1/pdf" + paper) as answer:
            assert answer.content_type == "application/pdf"
            assert (await answer.read()).startswith(b"%PDF-1.")
    assert (await page.get("/slip/1/pdf?paper=parchment"))[0] == 400
