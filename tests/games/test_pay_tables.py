"""Every cell of every pay table, as the texts print it."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.catalogue import GAMES
from games.game import Game, Wager
from games.paytable import Fixed, Odds, Pay, Percent, pay_of, words

# (game, wager, table, stake in dollars) -> rows as printed: hand, pay, and (M) where the meter pays.
Rows = list[tuple[str, str]]
HOLDEM_F: Rows = [
    ("royal_flush", "100 % (M)"),
    ("straight_flush", "10 % (M)"),
    ("four_of_a_kind", "$500 (M)"),
    ("full_house", "$100 (M)"),
    ("flush", "$50 (M)"),
]
PRINTED: dict[tuple[str, str, str, int], Rows] = {
    ("texas-holdem-bonus", "progressive", "base", 1): HOLDEM_F,
    ("texas-holdem-bonus", "progressive", "A", 1): [
        *HOLDEM_F,
        ("straight", "$10"),
        ("three_of_a_kind", "$3"),
        ("two_pair", "$2"),
    ],
    ("texas-holdem-bonus", "progressive", "B", 1): [*HOLDEM_F, ("straight", "$10 (M)"), ("three_of_a_kind", "$5")],
    ("texas-holdem-bonus", "progressive", "C", 1): [
        *HOLDEM_F,
        ("straight", "$10 (M)"),
        ("three_of_a_kind", "$3"),
        ("two_pair", "$2"),
    ],
    ("texas-holdem-bonus", "progressive", "D", 1): [
        *HOLDEM_F,
        ("straight", "$10 (M)"),
        ("three_of_a_kind", "$5"),
        ("two_pair", "$2"),
    ],
    ("caribbean-stud", "progressive", "base", 1): [
        ("royal_flush", "100 % (M)"),
        ("straight_flush", "10 % (M)"),
        ("four_of_a_kind", "$500 (M)"),
        ("full_house", "$100 (M)"),
        ("flush", "$50 (M)"),
    ],
    ("caribbean-stud", "progressive", "pre_amendment", 1): [
        ("royal_flush", "100 % (M)"),
        ("straight_flush", "$5000 (M)"),
        ("four_of_a_kind", "$500 (M)"),
        ("full_house", "$100 (M)"),
        ("flush", "$50 (M)"),
    ],
    ("three-card-poker", "progressive", "A", 1): [
        ("akq_suited_spades", "100 % (M)"),
        ("akq_suited_other", "$500"),
        ("straight_flush", "$70"),
        ("three_of_a_kind", "$60"),
        ("straight", "$6"),
    ],
    ("three-card-poker", "progressive", "B", 1): [
        ("akq_suited_spades", "100 % (M)"),
        ("akq_suited_other", "$500"),
        ("straight_flush", "$100"),
        ("three_of_a_kind", "$90"),
    ],
    ("three-card-poker", "progressive", "A", 5): [
        ("akq_suited_spades", "100 % (M)"),
        ("akq_suited_other", "$2500"),
        ("straight_flush", "$350"),
        ("three_of_a_kind", "$300"),
        ("straight", "$30"),
    ],
    ("three-card-poker", "progressive", "B", 5): [
        ("akq_suited_spades", "100 % (M)"),
        ("akq_suited_other", "$2500"),
        ("straight_flush", "$500"),
        ("three_of_a_kind", "$450"),
    ],
    ("three-card-poker", "envy", "base", 1): [("akq_suited_spades", "$100"), ("akq_suited_other", "$25")],
    ("three-card-poker", "envy", "base", 5): [("akq_suited_spades", "$500"), ("akq_suited_other", "$125")],
    ("three-card-poker", "six_card_bonus", "A", 0): [
        ("royal_flush", "1000 to 1"),
        ("straight_flush", "200 to 1"),
        ("four_of_a_kind", "50 to 1"),
        ("full_house", "25 to 1"),
        ("flush", "20 to 1"),
        ("straight", "10 to 1"),
        ("three_of_a_kind", "5 to 1"),
    ],
    ("three-card-poker", "six_card_bonus", "B", 0): [
        ("royal_flush", "1000 to 1"),
        ("straight_flush", "200 to 1"),
        ("four_of_a_kind", "50 to 1"),
        ("full_house", "25 to 1"),
        ("flush", "15 to 1"),
        ("straight", "10 to 1"),
        ("three_of_a_kind", "5 to 1"),
    ],
    ("three-card-poker", "six_card_bonus", "C", 0): [
        ("royal_flush", "1000 to 1"),
        ("straight_flush", "200 to 1"),
        ("four_of_a_kind", "100 to 1"),
        ("full_house", "20 to 1"),
        ("flush", "15 to 1"),
        ("straight", "9 to 1"),
        ("three_of_a_kind", "8 to 1"),
    ],
    ("three-card-poker", "six_card_bonus", "D", 0): [
        ("royal_flush", "1000 to 1"),
        ("straight_flush", "200 to 1"),
        ("four_of_a_kind", "100 to 1"),
        ("full_house", "20 to 1"),
        ("flush", "15 to 1"),
        ("straight", "10 to 1"),
        ("three_of_a_kind", "7 to 1"),
    ],
    ("blackjack", "progressive", "base", 1): [
        ("four_aces_same_color", "100 % (M)"),
        ("three_aces_same_suit", "$2500 (M)"),
        ("three_aces_any", "$250 (M)"),
        ("two_aces_same_suit", "$100 (M)"),
        ("two_aces_any", "$25 (M)"),
    ],
    ("pai-gow-poker", "progressive", "base", 1): [
        ("natural_royal_flush_and_pair", "100 % (M)"),
        ("five_aces_and_pair", "100 % (M)"),
        ("natural_royal_flush", "10 % (M)"),
        ("five_aces", "10 % (M)"),
        ("royal_flush_and_pair", "$200 (M)"),
        ("royal_flush", "$100 (M)"),
        ("straight_flush_and_pair", "$50 (M)"),
        ("straight_flush", "$25 (M)"),
        ("four_of_a_kind_and_pair", "$40"),
        ("four_of_a_kind", "$20"),
        ("full_house_and_pair", "$10"),
        ("full_house", "$5"),
        ("flush_and_pair", "$6"),
        ("flush", "$3"),
        ("straight_and_pair", "$4"),
        ("straight", "$2"),
        ("three_of_a_kind", "$2"),
    ],
    ("pai-gow-poker", "progressive", "base", 5): [
        ("natural_royal_flush_and_pair", "100 % (M)"),
        ("five_aces_and_pair", "100 % (M)"),
        ("natural_royal_flush", "10 % (M)"),
        ("five_aces", "10 % (M)"),
        ("royal_flush_and_pair", "$1000 (M)"),
        ("royal_flush", "$500 (M)"),
        ("straight_flush_and_pair", "$250 (M)"),
        ("straight_flush", "$125 (M)"),
        ("four_of_a_kind_and_pair", "$200"),
        ("four_of_a_kind", "$100"),
        ("full_house_and_pair", "$50"),
        ("full_house", "$25"),
        ("flush_and_pair", "$30"),
        ("flush", "$15"),
        ("straight_and_pair", "$20"),
        ("straight", "$10"),
        ("three_of_a_kind", "$10"),
    ],
    ("pai-gow-poker", "bonus", "base", 0): [
        ("seven_card_straight_flush_no_joker", "8000 to 1"),
        ("royal_flush_plus_royal_match", "2000 to 1"),
        ("seven_card_straight_flush_with_joker", "1000 to 1"),
        ("five_aces", "400 to 1"),
        ("royal_flush", "150 to 1"),
        ("straight_flush", "50 to 1"),
        ("four_of_a_kind", "25 to 1"),
        ("full_house", "5 to 1"),
        ("flush", "4 to 1"),
        ("three_of_a_kind", "3 to 1"),
        ("straight", "2 to 1"),
    ],
    ("pai-gow-poker", "envy", "base", 0): [
        ("seven_card_straight_flush_no_joker", "$5000"),
        ("royal_flush_plus_royal_match", "$1000"),
        ("seven_card_straight_flush_with_joker", "$500"),
        ("five_aces", "$250"),
        ("royal_flush", "$50"),
        ("straight_flush", "$20"),
        ("four_of_a_kind", "$5"),
    ],
    ("pai-gow-poker", "three_card_bonus", "base", 0): [
        ("straight_flush_no_joker", "40 to 1"),
        ("three_of_a_kind", "25 to 1"),
        ("straight_flush_with_joker", "5 to 1"),
        ("straight", "4 to 1"),
        ("flush", "3 to 1"),
        ("one_pair", "1 to 1"),
    ],
    ("pai-gow-poker", "seven_card_bonus", "A", 0): [
        ("five_aces", "500 to 1"),
        ("royal_flush", "250 to 1"),
        ("straight_flush", "50 to 1"),
        ("four_of_a_kind", "25 to 1"),
        ("full_house", "5 to 1"),
        ("flush", "4 to 1"),
        ("three_of_a_kind", "3 to 1"),
        ("straight", "2 to 1"),
    ],
    ("pai-gow-poker", "seven_card_bonus", "B", 0): [
        ("five_aces", "500 to 1"),
        ("royal_flush", "200 to 1"),
        ("straight_flush_without_joker", "50 to 1"),
        ("straight_flush_with_joker", "30 to 1"),
        ("four_of_a_kind", "25 to 1"),
        ("full_house", "5 to 1"),
        ("flush", "4 to 1"),
        ("three_of_a_kind", "3 to 1"),
        ("straight", "2 to 1"),
    ],
    ("pai-gow-poker", "number", "5.5", 0): [("number", "11/2 to 1")],
    ("pai-gow-poker", "number", "6", 0): [("number", "6 to 1")],
}
INSURANCE = {
    "A": (400, 40, 20, 5, 3, 2),
    "B": (250, 75, 25, 5, 3, 2),
    "C": (100, 50, 25, 10, 5, 1),
    "D": (100, 25, 15, 6, 5, 3),
    "E": (100, 25, 15, 7, 5, 3),
}
HIGHS = ("nine_high", "ten_high", "jack_high", "queen_high", "king_high", "ace_high")
PRINTED |= {
    ("pai-gow-poker", "insurance", name, 0): [(high, f"{pay} to 1") for high, pay in zip(HIGHS, pays, strict=True)]
    for name, pays in INSURANCE.items()
}


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
        table = wager(GAMES[game], wager_name).pay_table(name, stake * 100)
        assert table is not None
        rows = [(line.hand, printed(line.pay, deducted=line.deducted)) for line in table.lines]
        assert rows == PRINTED[game, wager_name, name, stake]
        assert {line.rule for line in table.lines} - {clause} == set()


def test_28_11_f_hold_em_bonus_pays_five_hands_from_the_meter() -> None:
    """The base table, and the first five rows of every other."""
    for name in ("base", "A", "B", "C", "D"):
        table = wager(GAMES["texas-holdem-bonus"], "progressive").pay_table(name, 100)
        assert table is not None
        assert [(line.hand, printed(line.pay, deducted=line.deducted)) for line in table.lines[:5]] == HOLDEM_F
        assert {line.rule for line in table.lines[:5]} == {"28.11(f)"}


@pytest.mark.parametrize("name", ["A", "B", "C", "D"])
def test_28_11_g_hold_em_bonus_adds_lesser_hands_and_marks_those_that_the_meter_pays(name: str) -> None:
    """Four tables of three rows, (M) beside the straight of B, C and D (S-25a)."""
    table = wager(GAMES["texas-holdem-bonus"], "progressive").pay_table(name, 100)
    assert table is not None
    rows = [(line.hand, printed(line.pay, deducted=line.deducted)) for line in table.lines]
    assert rows == PRINTED["texas-holdem-bonus", "progressive", name, 1]
    assert {line.rule for line in table.lines[5:]} == {"28.11(g)"}


def test_16_12_e_caribbean_pays_five_hands_from_the_meter() -> None:
    """As amended: ten percent for a straight flush; before that, $5,000 (S-70, S-71)."""
    tables = {table.name: table for table in wager(GAMES["caribbean-stud"], "progressive").tables}
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
    tables = wager(GAMES["caribbean-stud"], "progressive").tables
    assert {table.name: table.linkable for table in tables} == {"base": True, "pre_amendment": False}


def test_28_6_c_hold_em_bonus_takes_one_dollar() -> None:
    """A stake that the rule does not offer has no table (S-15)."""
    assert_one_dollar_only("texas-holdem-bonus")


def test_16_12_caribbean_takes_one_dollar() -> None:
    """Its amounts are those of the $1 wager that it shares with hold 'em bonus."""
    assert_one_dollar_only("caribbean-stud")


def test_2_19_a_blackjack_takes_one_dollar() -> None:
    """An additional one dollar wager."""
    assert_one_dollar_only("blackjack")


def assert_one_dollar_only(game: str) -> None:
    """There is a table for $1 and none for $5."""
    progressive = wager(GAMES[game], "progressive")
    assert progressive.stakes == (100,)
    assert progressive.pay_table("base", 100) is not None
    assert progressive.pay_table("base", 500) is None


def test_20_13_a_three_card_takes_one_or_five_dollars() -> None:
    """At the discretion of the licensee."""
    assert wager(GAMES["three-card-poker"], "progressive").stakes == (100, 500)


def test_11_14_a_pai_gow_takes_one_or_five_dollars() -> None:
    """At the discretion of the licensee."""
    assert wager(GAMES["pai-gow-poker"], "progressive").stakes == (100, 500)


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


def wager(game: Game, name: str) -> Wager:
    """The wager of this name."""
    found = game.wager(name)
    assert found is not None
    return found
