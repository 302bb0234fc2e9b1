"""Every cell of every pay table, as the texts print it and a sign says it."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.catalogue import GAMES
from games.paytable import Fixed, Odds, Pay, Percent, pay_of, words, written
from tests.support.games.printed_tables import HOLDEM_F, PRINTED
from tests.support.games.wager_of import wager_of


def printed(pay: Pay, *, deducted: bool) -> str:
    """A cell as the texts print it."""
    mark = " (M)" if deducted else ""
    match pay:
        case Percent(bp=bp):
            return f"{bp // 100} %{mark}"
        case Fixed(cents=cents):
            return f"${Fraction(cents, 100)}{mark}"
        case Odds(to_one=odds):
            return f"{odds} to 1{mark}"


def assert_printed(game: str, wager_name: str, clause: str) -> None:
    """Hand, pay and mark of every row of the wager's tables, in the order of the rule, under its clause."""
    keys = [key for key in PRINTED if key[:2] == (game, wager_name)]
    assert keys
    for _, _, name, stake in keys:
        table = wager_of(game, wager_name).pay_table(name, stake * 100)
        assert table is not None
        rows = [(line.hand, printed(line.pay, deducted=line.deducted)) for line in table.lines]
        assert rows == PRINTED[game, wager_name, name, stake]
        assert {line.rule for line in table.lines} - {clause} == set()


def test_28_11_f_hold_em_bonus_pays_five_hands_from_the_meter() -> None:
    """The base table, and the first five rows of every other."""
    for name in ("base", "A", "B", "C", "D"):
        table = wager_of("texas-holdem-bonus", "progressive").pay_table(name, 100)
        assert table is not None
        assert [(line.hand, printed(line.pay, deducted=line.deducted)) for line in table.lines[:5]] == HOLDEM_F
        assert {line.rule for line in table.lines[:5]} == {"28.11(f)"}


@pytest.mark.parametrize("name", ["A", "B", "C", "D"])
def test_28_11_g_hold_em_bonus_adds_lesser_hands_and_marks_those_that_the_meter_pays(name: str) -> None:
    """Four tables of three rows, (M) beside the straight of B, C and D (S-25a)."""
    table = wager_of("texas-holdem-bonus", "progressive").pay_table(name, 100)
    assert table is not None
    rows = [(line.hand, printed(line.pay, deducted=line.deducted)) for line in table.lines]
    assert rows == PRINTED["texas-holdem-bonus", "progressive", name, 1]
    assert {line.rule for line in table.lines[5:]} == {"28.11(g)"}


def test_16_12_e_caribbean_pays_five_hands_from_the_meter() -> None:
    """As amended: ten percent for a straight flush; before that, $5,000 (S-70, S-71)."""
    tables = {table.name: table for table in wager_of("caribbean-stud", "progressive").tables}
    for name, table in tables.items():
        rows = [(line.hand, printed(line.pay, deducted=line.deducted)) for line in table.lines]
        assert rows == PRINTED["caribbean-stud", "progressive", name, 1]
        assert all(line.rule.startswith("16.12(e)") for line in table.lines)


def test_20_11_a_4_three_card_progressive_tables_a_and_b_at_one_and_five_dollars() -> None:
    """Five rows in A, four in B; only spades touch the meter (S-35, S-36)."""
    assert_printed("three-card-poker", "progressive", "20.11(a)4 (progressive)")


def test_20_11_a_4_six_card_bonus_tables_a_to_d() -> None:
    """Seven rows of odds in each (S-49)."""
    assert_printed("three-card-poker", "six_card_bonus", "20.11(a)4 (6 card bonus)")


def test_20_14_b_three_card_envy_at_one_and_five_dollars() -> None:
    """Two rows for each wager."""
    assert_printed("three-card-poker", "envy", "20.14(b)")


def test_2_19_c_blackjack_pays_five_series_of_aces() -> None:
    """All from the meter."""
    assert_printed("blackjack", "progressive", "2.19(c)")


def test_11_14_d_pai_gow_progressive_at_one_and_five_dollars() -> None:
    """Seventeen rows in each; 11.14(e) says which the meter pays (S-101, S-102)."""
    assert_printed("pai-gow-poker", "progressive", "11.14(d)")


def test_11_16_a_pai_gow_bonus_odds() -> None:
    """Eleven rows, three of a kind above a straight."""
    assert_printed("pai-gow-poker", "bonus", "11.16(a)")


def test_11_16_b_pai_gow_envy_amounts() -> None:
    """Seven premium hands."""
    assert_printed("pai-gow-poker", "envy", "11.16(b)")


def test_11_16_c_pai_gow_insurance_tables_a_to_e() -> None:
    """Nine high to ace high in five tables."""
    assert_printed("pai-gow-poker", "insurance", "11.16(c)")


def test_11_18_b_three_card_bonus_odds() -> None:
    """Six rows."""
    assert_printed("pai-gow-poker", "three_card_bonus", "11.18(b)")


def test_11_18_c_seven_card_bonus_tables_a_and_b() -> None:
    """Eight rows in A, nine in B."""
    assert_printed("pai-gow-poker", "seven_card_bonus", "11.18(c)")


def test_11_13_b_6_number_wager_odds() -> None:
    """From 5 1/2 to 6 to 1."""
    assert_printed("pai-gow-poker", "number", "11.13(b)6")


def test_there_is_no_pay_table_that_the_texts_do_not_print() -> None:
    """The printed tables are all that the games hold."""
    held = {
        (game.name, each.name, table.name, table.stake_cents // 100)
        for game in GAMES.values()
        for each in game.wagers
        for table in each.tables
    }
    assert held == set(PRINTED)


def test_16_12_e_the_table_before_the_amendment_cannot_be_linked() -> None:
    """Only the amended straight flush matches hold 'em bonus (S-71)."""
    tables = wager_of("caribbean-stud", "progressive").tables
    assert {table.name: table.linkable for table in tables} == {"base": True, "pre_amendment": False}


def test_11_13_b_6_a_sign_says_5_1_2_to_1_as_the_layout_does() -> None:
    """Nobody reads 11/2 to 1, nor 25/2 % of the meter (S-97)."""
    assert words(Odds(Fraction(11, 2))) == "5 1/2 to 1"
    assert words(Percent(1_250)) == "12.5 % of the meter"


@given(
    st.one_of(st.builds(Percent, st.integers(1, 10_000)), st.builds(Odds, st.fractions(1, 9_999, max_denominator=999)))
)
def test_what_a_sign_says_of_a_pay_a_house_may_write_in_its_settings(pay: Pay) -> None:
    """Parts of the meter and odds are read as they are printed."""
    assert pay_of(words(pay).removesuffix(" of the meter")) == pay


@given(
    st.one_of(
        st.builds(Percent, st.integers(1, 10_000)),
        st.builds(Fixed, st.integers(1, 10**12)),
        st.builds(Odds, st.fractions(1, 9_999, max_denominator=999)),
    )
)
def test_every_pay_is_read_as_it_is_written(pay: Pay) -> None:
    """A table says to its meter what its settings said."""
    assert pay_of(written(pay)) == pay
