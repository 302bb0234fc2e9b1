"""The door of the floor's page: PINs, roles, a second person of his own PIN, our own page only."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from common.auth.lockout import OWN_SCREEN
from common.auth.roles import Role
from meter.store.audit_log import STAFF, StaffChanged, read_note
from meter.web.permissions import MAY
from meter.web.routes import PAGES
from tests.support.meter.floor_bench import FloorBench
from tests.support.meter.staff_pins import ANN, DAN, PINS, SUE, TIM, Login, set_by_others
from tests.support.web.floor_page import FloorPage, page_at


def fail_again(bench: FloorBench, login: Login) -> None:
    """Wrong PINs until this person is locked out, without the waiting between them."""
    for _ in range(6):
        bench.web_server.authenticator._attempts.begin(login.number, OWN_SCREEN)


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (SUE, "two different persons"),
        (replace(ANN, pin=SUE.pin), "do not match"),
        (replace(SUE, number="999"), "do not match"),
        (replace(SUE, number="Sue"), "do not match"),
        (TIM, "Tim may not"),
        (DAN, "Dan may not"),
    ],
)
async def test_nobody_decides_without_a_second_person_of_his_own_pin(
    bench: FloorBench, page: FloorPage, second: Login, words: str
) -> None:
    """Nothing reaches the ledger, whoever is named."""
    await page.sign_in(Role.SUPERVISOR)
    number = bench.desks["main"].head.number
    status, answer = await page.decide({"type": "Correct", "old_cents": 1_000_000, "new_cents": 5}, second)
    assert (status, answer["accepted"]) == (409, False)
    assert words in answer["reason"]
    assert bench.desks["main"].head.number == number


async def test_guessing_the_second_pin_locks_it_out(bench: FloorBench, page: FloorPage) -> None:
    """The sheet is no way around the door's waiting."""
    await page.sign_in(Role.SUPERVISOR)
    correct = {"type": "Correct", "old_cents": 1_000_000, "new_cents": 5}
    _, answer = await page.decide(correct, replace(ANN, pin="000000"))
    assert "number and PIN do not match" in answer["reason"]
    fail_again(bench, ANN)
    number = bench.desks["main"].head.number
    status, answer = await page.decide(correct)
    assert (status, "too many wrong PINs" in answer["reason"]) == (409, True)
    assert bench.desks["main"].head.number == number


async def test_a_stop_is_never_refused_because_of_a_lock_out(bench: FloorBench, page: FloorPage) -> None:
    """Whoever must wait for everything else can still stop a link, with the right PIN only."""
    await page.sign_in(Role.SUPERVISOR)
    fail_again(bench, ANN)
    status, answer = await page.decide({"type": "Stop"}, replace(ANN, pin="000000"))
    assert (status, "number and PIN do not match" in answer["reason"]) == (409, True)
    assert (await page.decide({"type": "Stop"}))[0] == 200
    assert bench.desks["main"].head.stopped


async def test_wrong_pins_at_the_door_lock_and_are_written_down(bench: FloorBench, page: FloorPage) -> None:
    """Each is in the floor's book; a locked person stays out with the right PIN."""
    status, body = await page.post("/floor/sign-in", {"number": SUE.number, "pin": "999999"})
    assert (status, "do not match" in body["error"]) == (403, True)
    fail_again(bench, SUE)
    status, body = await page.post("/floor/sign-in", {"number": SUE.number, "pin": SUE.pin})
    assert (status, body["wait_s"] == 60) == (403, True)
    await page.sign_in(Role.TECHNICIAN)
    _, history = await page.get("/floor/history")
    assert [note["said"]["what"] for note in history["notes"]][:2] == ["signed in", "wrong PIN"]


OF_COMMANDS = "ChangeTerms"  # while the meter is stopped, so never at its page


@pytest.mark.parametrize("action", [action for action in MAY if action[0].isupper() and action != OF_COMMANDS])
async def test_each_decision_is_for_its_roles_only(bench: FloorBench, page: FloorPage, action: str) -> None:
    """A dealer decides nothing here, a technician only what concerns machines (R65)."""
    claim = {"table": "T1", "journal": "journal-T1", "seq": 1}
    details: dict[str, dict[str, object]] = {
        "OrderClaims": {"order": [claim]},
        "DecideHeld": {"entry": claim, "counts": False},
        "SettleAward": {"award": claim, "paid": True},
        "ApproveAward": {"award": claim, "amount_cents": 1},
        "Correct": {"old_cents": 1, "new_cents": 2},
        "Transfer": {"to": "side", "cents": 1},
        "TakeOverflow": {"cents": 1},
        "SwapBoard": {"table": "T1", "old_journal": "journal-T1", "new_journal": "new"},
    }
    decision = details.get(action, {}) | {"type": action}
    for role in (Role.DEALER, Role.TECHNICIAN):
        bench.web_server.authenticator._attempts.unlock(ANN.number)
        status, answer = await page.decide(decision, replace(ANN, pin="000000"), first=PINS[role])
        refused = "the second person: number" if role in MAY[action] else f"the first person: {PINS[role].name} may not"
        assert (status, answer["reason"].startswith(refused)) == (409, True)


@pytest.mark.parametrize("path", [*PAGES, "/static/floor.js", "/static/common.js", "/nothing", "/floor/session"])
async def test_every_answer_carries_the_strict_headers(page: FloorPage, path: str) -> None:
    """Pages, scripts, data and errors."""
    async with page.client.get(path) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Frame-Options"] == "DENY"


async def test_orders_come_from_our_own_page_only(bench: FloorBench, page: FloorPage) -> None:
    """Another site, an old page and a form change nothing; the programs' interface is not there at all."""
    await page.sign_in(Role.SUPERVISOR)
    stop = {"type": "Decided", "decision": {"type": "Stop"}, "by": "Ann", "and_by": "Ben", "reason": "drill"}
    order = {"alarm": 1}
    assert (await page.post("/floor/acknowledge", order, Origin="http://evil.example"))[0] == 403
    assert (await page.post("/floor/acknowledge", order, **{"X-Pitlink-Token": "guess"}))[0] == 403
    assert (await page.post("/floor/acknowledge", order, **{"Sec-Fetch-Site": "cross-site"}))[0] == 403
    async with page.client.post("/api/links/main/decisions", json=stop) as answer:
        assert answer.status == 404
    async with page.client.get("/floor", headers={"Host": "evil.example"}) as answer:
        assert answer.status == 403
    assert not bench.desks["main"].head.stopped


async def test_the_cookie_is_for_our_own_site_and_no_script(page: FloorPage) -> None:
    """Same-site, and not the cookie of a table on the same machine."""
    [cookie] = page.client.session.cookie_jar
    assert cookie.key == "pitlink-floor"
    assert cookie["httponly"]
    assert cookie["samesite"] == "Strict"


async def test_a_pin_that_others_set_is_changed_on_the_floors_page_by_its_owner(tmp_path: Path) -> None:
    """A weak one, the old one and a stranger's are refused; the book says who changed it, and Sue is in."""
    async with FloorBench(tmp_path).running() as bench, page_at(bench) as page:
        set_by_others(bench.staff, SUE)
        status, answer = await page.post("/floor/sign-in", SUE.shown)
        assert (status, answer["must_change"]) == (403, True)
        for pin, words in (("111111", "too easy"), (SUE.pin, "that is the old PIN")):
            status, answer = await page.post("/floor/own-pin", {"signed": SUE.shown, "pin": pin})
            assert (status, words in answer["error"]) == (409, True)
        status, answer = await page.post("/floor/own-pin", {"signed": SUE.shown, "pin": "318207"})
        assert (status, [one["name"] for one in answer["people"]]) == (200, ["Sue"])
        assert (await page.post("/floor/sign-in", SUE.shown))[0] == 403
        [note] = [read_note(line) for line in bench.store.last_lines(STAFF, "", 1)]
        assert isinstance(note.said, StaffChanged)
        assert (note.said.by, note.said.what) == ("Sue", "changed the PIN of Sue (number 2001)")
