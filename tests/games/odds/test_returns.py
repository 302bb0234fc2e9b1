"""What comes back of a wager: at a meter, at every meter, and in the long run."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.catalogue import GAMES
from games.odds.awards import PayTerms, awards, turning_points
from games.odds.bets import Asked, Bet, find
from games.odds.long_run import Funding, growth, long_run
from games.odds.par_sheet import ParSheet, par_sheet
from games.paytable import Fixed, Odds, Pay, PayLine, PayTable, Percent

HANDS = tuple("abcdefgh")
PARTS = st.sampled_from((10_000, 5_000, 1_000, 700)).map(Percent)
AMOUNTS = st.integers(1, 50_000).map(Fixed)


def table(pays: list[Pay], deducted: bool = True) -> PayTable:
    lines = (PayLine(hand, pay, deducted, "") for hand, pay in zip(HANDS, pays, strict=False))
    return PayTable("made up", tuple(lines))


# Of the parts of the meter the greater before the smaller, as every rule lists them; amounts before and after.
TABLES = st.builds(
    lambda before, parts, after: table(before + sorted(parts, key=lambda part: -part.bp) + after),
    st.lists(AMOUNTS, max_size=2),
    st.lists(PARTS, min_size=1, max_size=3),
    st.lists(AMOUNTS, max_size=3),
)
ENTITLEMENTS = st.dictionaries(st.frozensets(st.sampled_from(HANDS)), st.integers(1, 1_000), min_size=1, max_size=12)


@given(pays=TABLES, entitlements=ENTITLEMENTS, meter=st.integers(0, 10_000_000))
@settings(deadline=None)
def test_between_turning_points_the_meter_does_not_matter(
    pays: PayTable, entitlements: dict[frozenset[str], int], meter: int
) -> None:
    """At any meter the same rows are paid as at the last turning point below it; past the last one, always."""
    terms = PayTerms(pays, 100, "pay")
    below = max(turn for turn in turning_points(entitlements, terms) if turn <= meter)
    assert awards(entitlements, terms, meter) == awards(entitlements, terms, below)


def test_of_equal_pays_the_row_listed_first_is_paid() -> None:
    """Listed first, a tenth of the meter wins from where it rounds up to the amount; listed later, only above it."""
    both = {frozenset("ab"): 1}
    part, amount = Percent(1_000), Fixed(200_00)
    assert turning_points(both, PayTerms(table([part, amount]), 100, "pay")) == (0, 1_999_91)
    assert turning_points(both, PayTerms(table([amount, part]), 100, "pay")) == (0, 2_000_01)


@given(pays=TABLES, entitlements=ENTITLEMENTS, stake=st.sampled_from((100, 500)))
@settings(deadline=None)
def test_break_even_is_the_first_cent_that_returns_the_stake(
    pays: PayTable, entitlements: dict[frozenset[str], int], stake: int
) -> None:
    """At the break-even meter the wager returns all of its stake, and one cent below it less."""
    terms = PayTerms(pays, stake, "pay")
    least = par_sheet(entitlements, terms).break_even_cents
    assume(least is not None)
    assert least is not None
    at = par_sheet(entitlements, terms, least)
    assert at.returns.at(least, stake) >= 1
    if least:
        below = par_sheet(entitlements, terms, least - 1)
        assert below.returns.at(least - 1, stake) < 1


def found(game: str, wager: str, **asked: Any) -> ParSheet:
    bet = find(Asked(game, wager, **asked))
    assert isinstance(bet, Bet)
    return bet.par_sheet()


@given(meter=st.integers(0, 100_000_000))
@settings(max_examples=50, deadline=None)
def test_the_return_is_fixed_plus_coefficient_times_meter_over_stake(meter: int) -> None:
    """Paying every hand of Caribbean stud out by hand gives the same average, but for parts of a cent."""
    sheet = found("caribbean-stud", "progressive")
    paid = 4 * meter + 36 * Fraction(meter, 10) + (624 * 500 + 3_744 * 100 + 5_108 * 50) * 100
    assert sheet.returns.at(meter, 100) == paid / (2_598_960 * 100)


def test_11_14_d_the_meter_decides_between_royals_below_2000_dollars() -> None:
    """Natural royal, joker and another king: royal and pair at $200 beats 10 % of a meter below $2,000 (S-101)."""
    bet = find(Asked("pai-gow-poker", "progressive", stake_cents=100))
    assert isinstance(bet, Bet)
    assert bet.par_sheet().turning_points[-1] == 1_999_91
    rows = {meter: counts(bet.par_sheet(meter)) for meter in (1_999_90, 1_999_91, 100_000_00)}
    assert rows[1_999_91] == rows[100_000_00] == counts(bet.par_sheet())
    moved = rows[1_999_90]["royal_flush_and_pair"] - rows[1_999_91]["royal_flush_and_pair"]
    # Four suits, and one of three kings, queens, jacks or tens of another suit; an ace beside the joker is the pair.
    assert moved == 4 * 4 * 3 == rows[1_999_91]["natural_royal_flush"] - rows[1_999_90]["natural_royal_flush"]


def counts(sheet: ParSheet) -> dict[str, int]:
    return {row.line.hand: row.combinations for row in sheet.rows}


def test_11_14_f_the_five_dollar_game_turns_at_its_smallest_reset() -> None:
    """10 % of $10,000 is the $1,000 of royal flush and pair: only below the legal reset does the meter matter."""
    turns = found("pai-gow-poker", "progressive", stake_cents=500).turning_points
    assert 9_999_91 == turns[-1] < GAMES["pai-gow-poker"].minimum_reset_cents


@pytest.mark.parametrize("game", ["texas-holdem-bonus", "caribbean-stud", "three-card-poker", "blackjack"])
def test_where_the_highest_hand_is_paid_no_meter_matters(game: str) -> None:
    """Only pai gow tells the dealer to look for the highest pay."""
    assert found(game, "progressive").turning_points == (0,)


def test_11_13_b_6_number_wagers_are_paid_in_whole_dollars() -> None:
    """5 1/2 to 1 on one dollar is five dollars and the stake, on two dollars eleven and the stake."""
    assert found("pai-gow-poker", "number", stake_cents=100).returns.fixed == Fraction(6, 7)
    assert found("pai-gow-poker", "number", stake_cents=200).returns.fixed == Fraction(13, 14)


def test_odds_are_paid_beside_the_stake_and_amounts_instead_of_it() -> None:
    """One to one on half of all hands returns the stake; an amount of the stake returns half of it."""
    half = {frozenset("a"): 1, frozenset(): 1}
    assert par_sheet(half, PayTerms(table([Odds(Fraction(1))]), 500)).returns.fixed == 1
    assert par_sheet(half, PayTerms(table([Fixed(500)]), 500)).returns.fixed == Fraction(1, 2)


def test_a_wager_without_a_meter_has_no_break_even() -> None:
    """Even one that returns all of its stake, as six to one on seven numbers does."""
    sheet = found("pai-gow-poker", "number", pay_table="6")
    assert (sheet.returns.fixed, sheet.break_even_cents) == (Fraction(1), None)


@pytest.mark.parametrize(
    ("game", "asked"),
    [
        ("texas-holdem-bonus", {"pay_table": "D"}),
        ("three-card-poker", {"stake_cents": 500}),
        ("blackjack", {"decks": 8}),
        ("pai-gow-poker", {}),
    ],
)
def test_in_the_long_run_the_meter_pays_out_what_it_takes_in(game: str, asked: dict[str, Any]) -> None:
    """At the average meter, one wager takes off the meter what it and the resets put on; the rack pays the rest."""
    sheet = found(game, "progressive", **asked)
    stake, funding = sheet.terms.stake_cents, Funding(rate_bp=7_500, reset_cents=12_345_67)
    run = long_run(sheet, funding)
    assert run is not None
    taken = put = rack = Fraction(0)
    for row in sheet.rows:
        chance, pay = Fraction(row.combinations, sheet.total), row.line.pay
        assert not isinstance(pay, Odds)
        amount = run.average_meter_cents * pay.bp / 10_000 if isinstance(pay, Percent) else pay.cents
        put += chance * funding.reset_cents if pay == Percent(10_000) else 0
        taken += chance * amount if row.line.deducted else 0
        rack += chance * amount if not row.line.deducted else 0
    assert taken == put + Fraction(stake * funding.rate_bp, 10_000)
    assert run.returned == (taken + rack) / stake == sheet.returns.at(run.average_meter_cents, stake)


def test_a_meter_that_its_amounts_would_empty_has_no_long_run() -> None:
    """Caribbean stud deducts 36 cents of every dollar in amounts: a rate of 36 % is too little, 37 % is enough."""
    sheet = found("caribbean-stud", "progressive")
    assert long_run(sheet, Funding(3_600, 0)) is None
    assert long_run(sheet, Funding(3_700, 0)) is not None


@given(wagers=st.integers(0, 300), reset=st.integers(0, 5_000_00), rate_bp=st.integers(1, 10_000))
@settings(max_examples=50, deadline=None)
def test_the_meter_grows_wager_by_wager(wagers: int, reset: int, rate_bp: int) -> None:
    """Stepping one wager at a time, none of which wins the whole, ends where growth says, to the cent."""
    half_wins = {frozenset("a"): 1, frozenset("b"): 20, frozenset("c"): 30, frozenset(): 949}
    sheet = par_sheet(half_wins, PayTerms(table([Percent(10_000), Percent(1_000), Fixed(50)]), 100))
    meter = Fraction(reset)
    for _ in range(wagers):
        meter += Fraction(rate_bp, 100) - Fraction(20, 999) * meter / 10 - Fraction(30, 999) * 50
        meter = meter.limit_denominator(10**12)
    assert abs(growth(sheet, Funding(rate_bp, reset), wagers) - max(meter, Fraction(0))) <= 1
