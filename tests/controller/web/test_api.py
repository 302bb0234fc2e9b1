"""The control interface: the same events and refusals as buttons, and no way around them."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession
from hypothesis import given, settings
from hypothesis import strategies as st

from cli import dealer
from cli.dealer import NO_TABLE
from controller.web.api import ACTIONS
from games.round.state import ClaimState, SideWagers
from tests.support.meter.staff_pins import DAN, EVERYBODY, SUE, TIM
from tests.support.table.paper_floor import Bench, PaperFloor, paper_floor
from tests.support.web.panel_page import give_pins
from tests.support.web.web_clients import program_session

FLOP = ["Th", "Jh", "Qh"]
BY_DAN, BY_SUE = {"signed": DAN.shown}, {"signed": SUE.shown}
PIN_OF = {login.number: login.pin for login in EVERYBODY}


class Http:
    """A client of one table."""

    def __init__(self, session: ClientSession, control: Path) -> None:
        self.control, self._session = control, session

    async def post(self, action: str, body: Any = None, **options: Any) -> tuple[int, Any]:
        content: dict[str, Any] = {"json": body if body is not None else {}} | options
        async with self._session.post(f"/api/{action}", **content) as answer:
            return answer.status, await answer.json()

    async def get(self, path: str, **options: Any) -> tuple[int, Any]:
        async with self._session.get(path, **options) as answer:
            return answer.status, await answer.json()


@pytest.fixture
async def http(bench: Bench) -> AsyncIterator[Http]:
    assert bench.assembly is not None
    give_pins(bench)
    async with program_session(bench.assembly.control) as session:
        yield Http(session, bench.assembly.control)


async def test_a_win_goes_from_claim_to_payout(bench: Bench, http: Http) -> None:
    """Claim, validate, pay: each accepted once, the second time refused with a reason."""
    await bench.deal(3)
    assert (await http.post("claim", {"seat": 3, "cards": ["2h", "3h"], "community": FLOP} | BY_DAN))[0] == 200
    await bench.until(lambda: bench.state.claims[0].amount_cents == 50_00)
    status, answer = await http.post("pay", {"seat": 3} | BY_DAN)
    assert (status, answer["accepted"]) == (409, False)
    assert "waiting for the supervisor" in answer["reason"]
    assert (await http.post("validate", {"seat": 3} | BY_SUE))[0] == 200
    await bench.until(lambda: bench.state.claims[0].state is ClaimState.VALIDATED)
    assert (await http.post("pay", {"seat": 3} | BY_DAN))[0] == 200
    assert (await http.post("pay", {"seat": 3} | BY_DAN))[0] == 409


async def test_the_state_tells_lights_phase_next_step_and_meter(bench: Bench, http: Http) -> None:
    """One object has everything a panel shows."""
    await bench.drop_chip(3)
    await bench.settle()
    status, state = await http.get("/api/state")
    assert status == 200
    assert (state["phase"], state["lights"], state["next_step"]) == ("open", 1, "Wagers open: press lock-out")
    assert state["seats"][2]["light"] == "lit"
    assert state["link"]["up"] is True
    assert state["link"]["amount_cents"] == 10_000_00


async def test_the_state_tells_how_each_acceptor_fares(bench: Bench, http: Http) -> None:
    """Pulse widths and near misses by seat: a worn acceptor shows before it fails."""
    await bench.drop_chip(3)
    await bench.settle()
    _, state = await http.get("/api/state")
    assert state["health"]["3"]["chips"] == 1
    assert state["health"]["3"]["typical_ms"] == 30.0
    assert state["health"]["4"] == {**state["health"]["4"], "chips": 0, "faults": 0, "is_worn": False}


async def test_a_refusal_carries_its_clause(bench: Bench, http: Http) -> None:
    """409 with reason and rule, and the table is untouched."""
    await bench.deal(3)
    status, answer = await http.post("claim", {"seat": 4, "cards": ["2h", "3h"], "community": FLOP} | BY_DAN)
    assert status == 409
    assert answer["rule"] == "28.10(h)4ii(2)"
    assert answer["state"]["refusal"]["reason"] == "seat 4 made no wager"


@pytest.mark.parametrize(
    ("action", "body", "where"),
    [
        ("claim", {"seat": "three"}, "$.seat"),
        ("claim", {"seat": 3, "card": []}, "$"),
        ("validate", {"seat": 3, "by": "Sue"}, "$.by"),
        ("validate", {"seat": 3, "proof": "2001:00"}, "$.proof"),
        ("validate", {"seat": 3, "signed": {"number": "2001"}}, "$"),
        ("explain", {"reason": "x", "void_seats": [1, "2"]}, "$.void_seats[1]"),
        ("claim", [1, 2], "$"),
    ],
)
async def test_bad_bodies_are_refused_by_name(http: Http, action: str, body: Any, where: str) -> None:
    """400 with what is wrong and where; never a 500."""
    status, answer = await http.post(action, body)
    assert (status, answer["where"]) == (400, where)


async def test_no_name_is_believed(bench: Bench, http: Http) -> None:
    """An order without number and PIN, with a wrong PIN or of another role is refused; a flash may close the table."""
    await bench.deal(3)
    claim = {"seat": 3, "cards": ["2h", "3h"], "community": FLOP}
    assert (await http.post("claim", claim))[1]["reason"] == "say who it is: signed needs number and pin"
    status, answer = await http.post("claim", claim | {"signed": {"number": DAN.number, "pin": "000000"}})
    assert (status, "do not match" in answer["reason"]) == (409, True)
    status, answer = await http.post("irregularity", {"irregularity": "misdeal", "signed": TIM.shown})
    assert (status, answer["reason"]) == (409, "Tim is a technician: a supervisor does this")
    assert bench.state.claims == ()
    assert (await http.post("close", {"reason": "a flash"}))[0] == 200
    assert bench.state.closing is not None
    assert bench.state.closing.by == "a program here"


async def test_an_unknown_action_lists_the_known_ones(http: Http) -> None:
    """404, and what there is instead."""
    status, answer = await http.post("jackpot")
    assert status == 404
    assert "validate" in answer["error"]


async def test_a_plain_form_presses_nothing(http: Http) -> None:
    """Orders are JSON."""
    status, answer = await http.post("open", json=None, data=b'{"by":"x"}', headers={"Content-Type": "text/plain"})
    assert (status, answer["where"]) == (415, "Content-Type")


async def test_a_huge_body_is_turned_away(http: Http) -> None:
    """The interface reads so much and no more."""
    async with http._session.post("/api/open", json={"by": "x" * 100_000}) as answer:
        assert answer.status == 413


async def test_the_stream_follows_every_step(bench: Bench, http: Http) -> None:
    """Panels see a chip without asking again."""
    async with http._session.get("/api/stream") as stream:
        assert b'"lights":0' in await stream.content.readuntil(b"\n\n")
        await bench.drop_chip(3)
        async for line in stream.content:
            if b'"lights":1' in line:
                break


async def test_retest_is_for_faults_only(bench: Bench, http: Http) -> None:
    """A device that is well is left alone; a faulty one is tested again."""
    assert (await http.post("retest", {"device": "seat 3 acceptor"}))[0] == 409
    bench.metal.slots[3].stick()
    await bench.pass_time(3)
    await bench.settle()
    bench.metal.slots[3].free()
    assert (await http.post("retest", {"device": "seat 3 acceptor"}))[0] == 200
    await bench.pass_time(1)
    await bench.settle()
    assert bench.state.faults == {}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
bodies = st.dictionaries(
    st.sampled_from(["seat", "by", "reason", "cards", "community", "hand", "serial", "void_seats", "irregularity"]),
    json_values | st.integers(-1, 9) | st.sampled_from(["Sue", "flush", "dealer_card_exposed"]),
    max_size=5,
)


@given(st.sampled_from(sorted(ACTIONS)), bodies)
@settings(
    max_examples=150,
    deadline=None,
)
async def test_no_body_whatever_makes_a_server_error(bench: Bench, http: Http, action: str, body: Any) -> None:
    """Every request gets 200, 400 or 409, and the table goes on."""
    status, _ = await http.post(action, body)
    assert status in {200, 400, 409}
    assert (await http.get("/api/state"))[0] == 200


async def test_pitlink_dealer_drives_a_table_from_a_shell(
    bench: Bench, http: Http, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every action of the interface has its words on the command line; the PIN is asked for."""
    monkeypatch.setattr(dealer, "ask_pin", PIN_OF.__getitem__)
    await bench.deal(3)

    async def shell(*words: str) -> int:
        return await asyncio.to_thread(_dealer, http.control, *words)

    assert await shell("claim", "3", "2h", "3h", "--flop", *FLOP, "--by", DAN.number) == 0
    await bench.until(lambda: bench.state.claims[0].amount_cents == 50_00)
    assert await shell("pay", "3", "--by", DAN.number) == 1
    assert "refused: seat 3: the flush is waiting for the supervisor" in capsys.readouterr().out
    assert await shell("validate", "3", "--by", SUE.number) == 0
    await bench.until(lambda: bench.state.claims[0].state is ClaimState.VALIDATED)
    assert await shell("pay", "3", "--by", DAN.number) == 0
    assert await shell("state") == 0
    assert "settling" in capsys.readouterr().out
    assert await asyncio.to_thread(_dealer, http.control.with_name("none.sock"), "state") == NO_TABLE


async def test_pitlink_dealer_tells_of_the_layout_and_of_what_went_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Side wagers, a missing ante, a seat without a win and an irregularity have their words, too."""
    house = {"game": "three-card-poker", "pay_table": "A", "wagers": ["six_card_bonus"]}
    async with paper_floor(tmp_path, table=house) as floor:
        bench = floor.tables["T1"]
        give_pins(bench)
        monkeypatch.setattr(dealer, "ask_pin", PIN_OF.__getitem__)
        assert bench.assembly is not None
        control = bench.assembly.control

        async def shell(*words: str) -> int:
            return await asyncio.to_thread(_dealer, control, *words)

        assert await shell("wager", "3", "pair_plus", "1000", "--by", DAN.number) == 0
        assert await shell("wager", "3", "six_card_bonus", "--by", DAN.number) == 0
        assert await shell("take-back", "3", "pair_plus", "--by", DAN.number) == 1
        assert "six card bonus needs pair plus beside it: take that back first" in capsys.readouterr().out
        assert bench.state.side == {3: SideWagers({"pair_plus": 10_00, "six_card_bonus": 1_00})}
        assert await shell("no-base", "6", "--by", DAN.number) == 0
        assert await shell("base-laid", "6", "--by", DAN.number) == 0
        await bench.deal(3, 5)
        assert await shell("claim", "3", "As", "Ks", "Qs", "--by", DAN.number) == 0
        assert await shell("no-win", "5", "--by", DAN.number) == 0
        await bench.until(lambda: bench.state.claims[0].amount_cents > 0, "not fixed")
        assert await shell("irregularity", "misdeal", "--by", SUE.number) == 0
        assert sorted(bench.state.refunds_due) == [3, 5]
        assert await shell("withdraw", "misdeal", "--by", SUE.number) == 0
        assert bench.state.refunds_due == {}


async def test_r82_pitlink_dealer_invents_no_amount(
    floor: PaperFloor, bench: Bench, http: Http, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a meter that is gone it says so, and no sum."""
    await floor.meter.kill()
    await bench.until(lambda: bool(bench.state.link_down), "the table never noticed")
    assert await asyncio.to_thread(_dealer, http.control, "state") == 0
    shown = capsys.readouterr().out
    assert "meter not known" in shown
    assert "$" not in shown


def _dealer(control: Path, *words: str) -> int:
    import argparse

    parser = argparse.ArgumentParser()
    dealer.arguments(parser)
    return dealer.run(parser.parse_args(["--socket", str(control), *words]))
