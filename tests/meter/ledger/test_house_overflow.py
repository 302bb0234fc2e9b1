"""R85: overflow that does not seed the next jackpot is the house's, and two persons take it out."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cli.main import main
from meter.booking.link_booker import LinkBooker
from meter.ledger.accounts import UNITS_PER_CENT, Account
from meter.ledger.decisions import ChangeTerms, Close, Decided, TakeOverflow, Transfer
from meter.reports.statement import AccountTotals
from meter.settings import read_meter_settings
from meter.store.audit import audited
from meter.store.base import StoreFault
from meter.store.sqlite import SqliteStore
from meter.web.view import stale_token
from tests.support.meter.accounting_bench import adds_up_by_account, days, house, ledger, moved
from tests.support.meter.meter_bench import NOW_MS, TERMS, MeterBench, envelope, flush, link, payout, royal, wagers
from tests.support.meter.meter_settings import GOOD
from tests.support.meter.proved import Unchecked
from tests.support.meter.staff_pins import ANN, SUE, give_staff, type_pins

FULL = replace(TERMS, limit_cents=TERMS.base_cents)
ROUND = 300 * TERMS.rate_bp
"""What three dollars' wagers put over the limit, in units."""


def full(*, seeds: bool = False) -> MeterBench:
    """A link at its limit, with three dollars' wagers over it: $2.11 and a part of a cent."""
    meter = house(link(replace(FULL, overflow_seeds_next=seeds)), link(name="side"))
    meter.say(envelope(1, wagers(1, 2, 3)))
    return meter


def test_r85_two_persons_take_the_overflow_out_to_the_house() -> None:
    """The meter stands as it was, the statement names it apart and reconciles (R87), and the audit finds the same."""
    meter = full()
    assert meter.decide(TakeOverflow(2_00)) == ""
    pot = meter.heads["main"].pot
    assert pot.balances[Account.OVERFLOW] == ROUND - 2_00 * UNITS_PER_CENT
    assert pot.balances[Account.HOUSE] == (2_00 - TERMS.base_cents) * UNITS_PER_CENT
    assert (pot.amount_cents, pot.adjusted_cents) == (TERMS.base_cents, 0)
    (day,) = days(meter)
    units = 2_00 * UNITS_PER_CENT
    assert moved(day)["overflow_taken"] == AccountTotals(overflow=-units, together=-units)
    assert day.is_reconciled
    assert adds_up_by_account(day)
    assert audited(meter.store, "main").head == meter.heads["main"]


@pytest.mark.parametrize(
    ("seeds", "cents", "words"),
    [
        (True, 1_00, "seeds the next jackpot: it is the players'"),
        (False, 2_12, "the overflow holds $2.11"),
        (False, 0, "nothing would be taken"),
    ],
)
def test_r85_nobody_takes_what_is_not_the_houses(seeds: bool, cents: int, words: str) -> None:
    """Neither the players' overflow, nor more than there is."""
    meter = full(seeds=seeds)
    before = meter.heads["main"]
    assert words in meter.decide(TakeOverflow(cents))
    assert meter.heads["main"] == before


def test_r85_no_parameter_makes_the_players_overflow_the_houses() -> None:
    """Nor lets the link be closed over it: it goes to another link's players; what is below a cent may stay."""
    seeds = replace(FULL, overflow_seeds_next=True)
    side, keeping = link(seeds, "side"), link(FULL)
    meter = house(link(seeds), side)
    meter.say(envelope(1, wagers(1, 2, 3)))
    meter.drain()
    before = meter.heads["main"]
    with pytest.raises(StoreFault, match=r"\$2.11 of overflow .* the players': transfer them first, to a link"):
        meter.changed(keeping, side)
    assert "transfer them first, to a link whose overflow seeds" in meter.decide(Close())
    assert audited(meter.store, "main").head.pot == before.pot
    assert meter.decide(Transfer("side", overflow_cents=2_11)) == ""
    assert meter.changed(keeping, side).heads["main"].terms == keeping.terms


def test_r85_a_ledger_in_which_an_older_program_let_it_happen_is_read_back() -> None:
    """What was booked was booked; only nobody can do so any more."""
    meter = full(seeds=True)
    older = LinkBooker(link(FULL), audited(meter.store, "main"), meter.store, Unchecked())
    older.decide(Decided(ChangeTerms(FULL, link(FULL).offer), "Ann", "Ben", "reviewed"), NOW_MS)
    page = older.page()
    assert page is not None
    meter.store.commit([page])
    assert MeterBench(meter.store, link(FULL), link(name="side")).heads["main"].terms == FULL


@pytest.mark.parametrize("seeds", [False, True])
def test_r85_the_houses_overflow_may_become_the_players(seeds: bool) -> None:
    """What is given is owed from then on; and any other parameter changes while overflow stands."""
    meter = full(seeds=seeds)
    meter.drain()
    dearer = replace(FULL, overflow_seeds_next=True, rate_bp=8_000)
    assert meter.changed(link(dearer), link(name="side")).heads["main"].terms == dearer


def test_r85_one_person_alone_takes_nothing() -> None:
    """As every decision."""
    assert "two different persons" in full().decide(TakeOverflow(1_00), "Ann", "ann ")


@pytest.mark.parametrize("claim", [royal(), flush()])
def test_r82_nobody_takes_overflow_while_an_award_is_open(claim: object) -> None:
    """What went over may come back to the meter, if the award is rejected."""
    meter = full()
    meter.say(envelope(2, claim))  # type: ignore[arg-type]  # an award
    assert "an award is open at table T1" in meter.decide(TakeOverflow(1_00))
    meter.say(envelope(3, payout(2)))
    assert meter.decide(TakeOverflow(1_00)) == ""


@given(st.lists(st.integers(1, 400), max_size=6))
def test_r85_however_often_it_is_taken_no_unit_is_lost(sums: list[int]) -> None:
    """What wagers put over the limit is what is there and what the house has."""
    meter, taken = full(), 0
    for seq, cents in enumerate(sums, start=2):
        taken += 0 if meter.decide(TakeOverflow(cents)) else cents
        meter.say(envelope(seq, wagers(1, 2, 3)))
    balances = meter.heads["main"].pot.balances
    assert balances[Account.OVERFLOW] + taken * UNITS_PER_CENT == ROUND * (len(sums) + 1)
    assert balances[Account.HOUSE] == (taken - TERMS.base_cents) * UNITS_PER_CENT
    assert all(day.is_reconciled for day in days(meter))


def test_two_pages_that_saw_the_same_take_it_once() -> None:
    """What is taken from hidden accounts alone is news to a sheet that was opened before; wagers are not."""
    meter = full()
    before = stale_token(meter.heads["main"])
    meter.say(envelope(2, wagers(1)))
    assert stale_token(meter.heads["main"]) == before
    assert meter.decide(TakeOverflow(1)) == ""
    assert stale_token(meter.heads["main"]) != before
    meter = full(seeds=True)
    meter = meter.reopen(
        link(replace(FULL, overflow_seeds_next=True)), link(replace(FULL, overflow_seeds_next=True), "side")
    )
    before = stale_token(meter.heads["main"])
    assert meter.decide(Transfer("side", overflow_cents=1)) == ""
    assert stale_token(meter.heads["main"]) != before


def test_r85_pitlink_decide_takes_it_and_the_books_say_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the shell, while no meter runs; then the statement, the liability and the export."""
    give_staff(tmp_path)
    type_pins(monkeypatch, ANN, SUE)
    config = tmp_path / "meter.toml"
    text = GOOD.replace("ledger.sqlite", str(tmp_path / "ledger.sqlite"))
    config.write_text(text.replace("limit_cents = 0", "limit_cents = 1_000_000"))
    store = SqliteStore(tmp_path / "ledger.sqlite")
    meter = MeterBench(store, *read_meter_settings(config).links)
    meter.join("T1")
    meter.say(envelope(1, wagers(1, 2, 3)))
    store.close()
    words = ["decide", "--config", str(config), "main", '{"type": "TakeOverflow", "cents": 200}']
    assert main([*words, "--by", ANN.number, "--and-by", SUE.number, "--reason", "week 3"]) == 0
    assert json.loads(capsys.readouterr().out)["taken"]
    assert ledger(config, "statement") == 0
    assert "overflow taken" in capsys.readouterr().out
    assert ledger(config, "--format", "json", "liability") == 0
    (owed,) = json.loads(capsys.readouterr().out)
    assert (owed["total_units"], owed["house_overflow_units"]) == (10**6 * UNITS_PER_CENT, 10 * UNITS_PER_CENT)
    assert ledger(config, "export") == 0
    assert (
        "TakeOverflow\n  by Ann; Sue: week 3\n  cents=200\n    overflow taken: overflow to house"
        in capsys.readouterr().out
    )
    assert ledger(config, "verify") == 0
