"""What the rules forbid of one table, clause by clause."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from games.catalogue import GAMES
from games.compliance import RuleFault, TableCase, rarity_faults, table_faults
from games.game import Game
from games.odds.bets import Asked, Bet, find
from games.paytable import Fixed, Odds, Pay, Percent, raised

HOLDEM = TableCase("texas-holdem-bonus", "A", 100, seats=7)
CARIBBEAN = TableCase("caribbean-stud", "base", 100, seats=7)
THREE_CARD = TableCase("three-card-poker", "A", 100, seats=7)
BLACKJACK = TableCase("blackjack", "base", 100, seats=7)
PAI_GOW = TableCase("pai-gow-poker", "base", 100, seats=6)
ALL = (HOLDEM, CARIBBEAN, THREE_CARD, BLACKJACK, PAI_GOW)

LAWFUL = [
    pytest.param(TableCase(game.name, table.name, table.stake_cents, seats=game.most_seats), id=str((game.name, *key)))
    for game in GAMES.values()
    if game.progressive
    for table in game.progressive.tables
    for key in [(table.name, table.stake_cents)]
]


def only_fault(case: TableCase) -> RuleFault:
    """The one thing wrong with this table."""
    (fault,) = table_faults(case)
    return fault


def faults(case: TableCase) -> set[tuple[str, object, str]]:
    """Key, value and clause of everything that is wrong."""
    return {(fault.key, fault.value, fault.rule) for fault in table_faults(case)}


@pytest.mark.parametrize("case", LAWFUL)
def test_every_table_of_the_catalogue_is_lawful(case: TableCase) -> None:
    """What the rules list is what they allow, and each award of the meter can be won (R19)."""
    assert table_faults(case) == ()


def test_1_13q_a_an_eighth_position_is_a_fault() -> None:
    """Seven players at most."""
    assert faults(replace(HOLDEM, seats=8)) == {("seats", 8, "1.13Q(a)")}


def test_11_8c_b_3_a_seventh_pai_gow_position_is_a_fault() -> None:
    """The dealer is the seventh position."""
    assert faults(replace(PAI_GOW, seats=7)) == {("seats", 7, "11.8C(b)3")}


@pytest.mark.parametrize(
    ("case", "stake", "rule"),
    [
        (HOLDEM, 500, "28.6(c)"),
        (CARIBBEAN, 500, "16.12(e)"),
        (BLACKJACK, 500, "2.19(a)"),
        (THREE_CARD, 200, "20.13(a)"),
        (PAI_GOW, 1000, "11.14(a)"),
    ],
)
def test_a_stake_that_the_rule_does_not_know_is_a_fault(case: TableCase, stake: int, rule: str) -> None:
    """One dollar, or one or five, as the game's rule says (S-15, S-31, S-52, S-98)."""
    assert ("stake_cents", stake, rule) in faults(replace(case, stake_cents=stake))


@pytest.mark.parametrize("side", ["three_card_bonus", "seven_card_bonus"])
def test_11_15_a_bonus_beside_three_or_seven_card_bonus_is_a_fault(side: str) -> None:
    """A table offers the one or the other (S-107)."""
    fault = only_fault(replace(PAI_GOW, wagers=("bonus", "insurance", side)))
    assert fault.key == "wagers"
    assert fault.value == ("bonus", "insurance", side)
    assert "11.15(a)" in fault.rule
    assert "11.17(a)" in fault.rule
    assert table_faults(replace(PAI_GOW, wagers=("insurance", "three_card_bonus", "seven_card_bonus"))) == ()


@pytest.mark.parametrize("side", ["three_card_bonus", "seven_card_bonus"])
def test_11_13_a_number_wager_beside_three_or_seven_card_bonus_is_a_fault(side: str) -> None:
    """Where 11.17(d) names the starting position, no number is drawn to wager on (S-97, S-110)."""
    fault = only_fault(replace(PAI_GOW, wagers=("number", side)))
    assert (fault.key, fault.value, fault.rule) == ("wagers", ("number", side), "11.13(a), 11.17(d)")
    assert table_faults(replace(PAI_GOW, wagers=("number", "bonus", "insurance"))) == ()


def test_a_wager_of_another_game_is_a_fault() -> None:
    """There is no 6 card bonus at blackjack."""
    fault = only_fault(replace(BLACKJACK, wagers=("six_card_bonus",)))
    assert (fault.key, fault.value) == ("wagers", "six_card_bonus")
    assert "bonus" in fault.remedy


@pytest.mark.parametrize(
    ("case", "wager", "hand", "pay", "rule"),
    [
        (HOLDEM, "progressive", "flush", Fixed(4_999), "28.11(f)"),
        (HOLDEM, "progressive", "straight_flush", Percent(999), "28.11(f)"),
        (CARIBBEAN, "progressive", "full_house", Fixed(9_999), "16.12(e)"),
        (CARIBBEAN, "progressive", "straight_flush", Fixed(5_000_00), "16.12(e)"),
        (PAI_GOW, "progressive", "three_of_a_kind", Fixed(1_99), "11.14(d)"),
        (PAI_GOW, "bonus", "straight", Odds(Fraction(1)), "11.16(a)"),
        (PAI_GOW, "insurance", "ace_high", Odds(Fraction(1)), "11.16(c)"),
        (PAI_GOW, "three_card_bonus", "flush", Odds(Fraction(2)), "11.18(b)"),
        (PAI_GOW, "seven_card_bonus", "flush", Odds(Fraction(3)), "11.18(c)"),
        (PAI_GOW, "number", "number", Odds(Fraction(5)), "11.13(b)6"),
        (PAI_GOW, "number", "number", Odds(Fraction(13, 2)), "11.13(b)6"),
    ],
)
def test_a_pay_below_the_listed_one_is_a_fault(case: TableCase, wager: str, hand: str, pay: Pay, rule: str) -> None:
    """No less than the rule lists, in the kind in which it lists it; the number wager no more than 6 to 1 either."""
    fault = only_fault(replace(case, pays={wager: {hand: pay}}))
    assert (fault.key, fault.rule) == (f"pays.{wager}.{hand}", rule)


@pytest.mark.parametrize(
    ("case", "wager", "hand", "pay"),
    [
        (HOLDEM, "progressive", "flush", Fixed(75_00)),
        (HOLDEM, "progressive", "straight_flush", Percent(1_500)),
        (CARIBBEAN, "progressive", "four_of_a_kind", Fixed(600_00)),
        (PAI_GOW, "progressive", "three_of_a_kind", Fixed(3_00)),
        (PAI_GOW, "insurance", "nine_high", Odds(Fraction(500))),
        (PAI_GOW, "number", "number", Odds(Fraction(23, 4))),
    ],
)
def test_a_house_may_pay_more_than_the_least(case: TableCase, wager: str, hand: str, pay: Pay) -> None:
    """Where the rule lists the least."""
    assert table_faults(replace(case, pays={wager: {hand: pay}})) == ()


@pytest.mark.parametrize(
    ("case", "hand", "pay", "rule"),
    [
        (HOLDEM, "straight", Fixed(11_00), "28.11(g)"),
        (THREE_CARD, "straight_flush", Fixed(71_00), "20.11(a)4 (progressive)"),
        (BLACKJACK, "two_aces_any", Fixed(26_00), "2.19(c)"),
    ],
)
def test_a_pay_that_the_rule_names_exactly_can_neither_fall_nor_rise(
    case: TableCase, hand: str, pay: Fixed, rule: str
) -> None:
    """These clauses print the pay, not the least of it."""
    assert only_fault(replace(case, pays={"progressive": {hand: pay}})).rule == rule
    lower = Fixed(pay.cents - 2_00)
    assert only_fault(replace(case, pays={"progressive": {hand: lower}})).rule == rule


def test_no_meter_pays_more_than_all_of_it() -> None:
    """A royal flush takes the whole."""
    assert only_fault(replace(HOLDEM, pays={"progressive": {"royal_flush": Percent(10_001)}})).rule == "28.11(f)"


@pytest.mark.parametrize("pays", [{"progressive": {"two_pair": Fixed(5_00)}}, {"ante": {"flush": Fixed(5_00)}}])
def test_a_pay_for_what_the_table_does_not_pay_is_a_fault(pays: Mapping[str, Mapping[str, Pay]]) -> None:
    """Pay tables are chosen, not invented."""
    assert only_fault(replace(HOLDEM, pay_table="base", pays=pays)).key.startswith("pays.")


def test_11_16_c_a_side_wager_is_held_against_its_own_pay_table() -> None:
    """Insurance of table C pays 100 to 1 for a nine high, of table A 400."""
    pays = {"insurance": {"nine_high": Odds(Fraction(100))}}
    assert table_faults(replace(PAI_GOW, pay_tables={"insurance": "C"}, pays=pays)) == ()
    assert only_fault(replace(PAI_GOW, pay_tables={"insurance": "A"}, pays=pays)).rule == "11.16(c)"
    assert only_fault(replace(PAI_GOW, pay_tables={"insurance": "F"})).key == "pay_tables.insurance"
    assert only_fault(replace(PAI_GOW, pay_tables={"ante": "A"})).key == "pay_tables.ante"


def test_11_14_e_an_amount_raised_to_50_dollars_comes_off_the_meter() -> None:
    """$40 for four of a kind and a pair does not; $50 does, and so $250 at the $5 wager (S-104)."""
    wager = GAMES["pai-gow-poker"].progressive
    assert wager is not None
    for stake in (1, 5):
        table = wager.pay_table("base", stake * 100)
        assert table is not None
        hand = "four_of_a_kind_and_pair"
        deducted = {
            dollars: line.deducted
            for dollars in (40, 49, 50)
            if (line := raised(table, {hand: Fixed(dollars * stake * 100)}).line(hand))
        }
        assert deducted == {40: False, 49: False, 50: True}


@pytest.mark.parametrize(
    ("case", "limit", "least", "rule"),
    [
        (PAI_GOW, "bonus_limit_cents", 40_000_00, "11.16(d)"),
        (PAI_GOW, "seven_card_bonus_limit_cents", 50_000_00, "11.18(d)"),
        (CARIBBEAN, "bet_limit_cents", 5_000_00, "16.12(d)"),
    ],
)
def test_a_payout_limit_below_the_rules_is_a_fault(case: TableCase, limit: str, least: int, rule: str) -> None:
    """Caps of 11.16(d), 11.18(d) and 16.12(d) have a floor (S-109)."""
    assert table_faults(replace(case, limits={limit: least})) == ()
    assert faults(replace(case, limits={limit: least - 1})) == {(f"limits.{limit}", least - 1, rule)}


@pytest.mark.parametrize(
    ("case", "limit", "minimum", "least", "rule"),
    [
        (PAI_GOW, "bonus_limit_cents", {"bonus": 4_99}, 40_000_00, "11.16(d)"),
        # 8,000 to 1 on $5, and envy: three others with $5,000 hands, two with $1,000 hands.
        (PAI_GOW, "bonus_limit_cents", {"bonus": 5_00}, 57_000_00, "11.16(d)"),
        (replace(PAI_GOW, seats=1), "bonus_limit_cents", {"bonus": 6_00}, 48_000_00, "11.16(d)"),
        (PAI_GOW, "bonus_limit_cents", {"insurance": 200_00}, 80_000_00, "11.16(d)"),
        (PAI_GOW, "seven_card_bonus_limit_cents", {"seven_card_bonus": 100_01}, 50_005_00, "11.18(d)"),
        # 100 to 1 on a bet of twice the ante, and the ante.
        (CARIBBEAN, "bet_limit_cents", {"ante": 25_00}, 5_025_00, "16.12(d)"),
    ],
)
def test_a_payout_limit_below_what_the_least_wagers_could_win_is_a_fault(
    case: TableCase, limit: str, minimum: dict[str, int], least: int, rule: str
) -> None:
    """The greater of the rule's amount and what one player could win with the posted minimum (S-69, S-109)."""
    case = replace(case, minimums=minimum)
    assert table_faults(replace(case, limits={limit: least})) == ()
    fault = only_fault(replace(case, limits={limit: least - 1}))
    assert (fault.key, fault.rule) == (f"limits.{limit}", rule)
    assert f"{least // 100:,}" in fault.remedy


def test_11_18_c_a_raised_pay_raises_the_least_limit() -> None:
    """600 to 1 for five aces at a minimum of $100 is $60,000 (S-109)."""
    pays = {"seven_card_bonus": {"five_aces": Odds(Fraction(600))}}
    case = replace(PAI_GOW, minimums={"seven_card_bonus": 100_00}, pays=pays)
    assert table_faults(replace(case, limits={"seven_card_bonus_limit_cents": 60_000_00})) == ()
    assert only_fault(replace(case, limits={"seven_card_bonus_limit_cents": 59_999_99})).rule == "11.18(d)"


def test_16_12_d_odds_that_the_house_raised_raise_the_least_limit() -> None:
    """250 to 1 on a bet of $20 and the ante of $10: $5,010, whichever is greater (S-69)."""
    case = replace(CARIBBEAN, minimums={"ante": 10_00}, pays={"bet": {"royal_flush": Odds(Fraction(250))}})
    assert table_faults(replace(case, limits={"bet_limit_cents": 5_010_00})) == ()
    assert only_fault(replace(case, limits={"bet_limit_cents": 5_009_99})).rule == "16.12(d)"


def test_16_12_c_a_bet_is_paid_the_listed_odds_or_more() -> None:
    """Six to one for a flush is lawful, four to one is not (S-69)."""
    assert table_faults(replace(CARIBBEAN, pays={"bet": {"flush": Odds(Fraction(6))}})) == ()
    assert only_fault(replace(CARIBBEAN, pays={"bet": {"flush": Odds(Fraction(4))}})).rule == "16.12(c)"


def test_11_15_b_a_minimum_below_the_rules_or_of_no_such_wager_is_a_fault() -> None:
    """A bonus wager is no less than $1; the progressive wager's amount is the rule's, not a minimum (S-107)."""
    assert faults(replace(PAI_GOW, minimums={"bonus": 99})) == {("minimums.bonus", 99, "11.15(b)")}
    assert faults(replace(PAI_GOW, minimums={"progressive": 1_00})) == {("minimums.progressive", 1_00, "")}
    assert "bonus" in only_fault(replace(PAI_GOW, minimums={"ante": 1_00})).remedy


def test_2_20_a_multiple_action_has_no_bonus_unless_that_is_approved() -> None:
    """One table offers the one or the other; a house may have an approval (S-59)."""
    case = TableCase("blackjack", "base", 100, wagers=("bonus",), dealer_hands=2)
    assert faults(case) == {("wagers", ("bonus",), "house: multiple action")}
    assert table_faults(replace(case, multiple_action_bonus="approved")) == ()
    assert table_faults(replace(case, dealer_hands=1)) == ()
    assert table_faults(replace(case, wagers=())) == ()


def test_there_is_no_limit_on_a_progressive_payout() -> None:
    """A cap never touches the meter's awards (S-109)."""
    assert (
        only_fault(replace(PAI_GOW, limits={"progressive_limit_cents": 10**9})).key == "limits.progressive_limit_cents"
    )


def test_r19_an_award_that_cannot_be_won_is_a_fault() -> None:
    """One deck has two aces of a color: four never come; two decks have them once in 2.3 million."""
    fault = only_fault(replace(BLACKJACK, decks=1))
    assert (fault.key, fault.value, fault.rule) == ("decks", 1, "13:69D-1.52(e)4")
    assert "never" in fault.problem
    assert table_faults(replace(BLACKJACK, decks=2)) == ()


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.game)
def test_r19_is_computed_for_every_game(case: TableCase, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stricter limit finds exactly the awards that are rarer than it."""
    bet = find(Asked(case.game, "progressive", case.pay_table, case.stake_cents))
    assert isinstance(bet, Bet)
    sheet = bet.par_sheet()
    rows = [row for row in sheet.rows if isinstance(row.line.pay, Percent)]
    limit = Fraction(max(row.combinations for row in rows), sheet.total)
    rarer = [row.line.hand for row in rows if Fraction(row.combinations, sheet.total) < limit]
    monkeypatch.setattr("games.compliance.rarity.LEAST_CHANCE", limit)
    assert [fault.problem.split()[0] for fault in rarity_faults(case)] == rarer


@pytest.mark.parametrize("decks", [0, 9])
def test_a_shoe_that_no_game_has_is_a_fault(decks: int) -> None:
    """One to eight decks at blackjack."""
    assert only_fault(replace(BLACKJACK, decks=decks)).key == "decks"


def test_a_second_deck_at_poker_is_a_fault() -> None:
    """Every poker game is dealt from one deck."""
    assert only_fault(replace(HOLDEM, decks=2)).key == "decks"


def test_a_game_nobody_knows_is_the_only_fault() -> None:
    """Nothing else can be said of it."""
    fault = only_fault(replace(HOLDEM, game="roulette", seats=99))
    assert (fault.key, fault.value) == ("game", "roulette")
    assert all(name in fault.remedy for name in GAMES)


def test_every_fault_is_found_at_once() -> None:
    """Nobody mends a table one message at a time; each says key, value, clause and remedy."""
    found = table_faults(
        TableCase(
            "pai-gow-poker",
            "A",
            300,
            seats=9,
            decks=3,
            wagers=("bonus", "seven_card_bonus"),
            pays={"three_card_bonus": {"flush": Odds(Fraction(1))}},
            limits={"bonus_limit_cents": 1},
        )
    )
    keys = {"seats", "stake_cents", "pay_table", "wagers", "pays.three_card_bonus.flush", "limits.bonus_limit_cents"}
    assert {fault.key for fault in found} == keys | {"decks"}
    assert all(fault.rule and fault.problem and fault.remedy and fault.value is not None for fault in found)


@given(
    game=st.sampled_from(list(GAMES.values())),
    cents=st.integers(1, 10_000_00),
    data=st.data(),
)
def test_an_amount_is_lawful_exactly_when_it_is_not_below_the_rules(
    game: Game, cents: int, data: st.DataObject
) -> None:
    """Less is always a fault; more is one exactly where the rule names the pay itself."""
    assert game.progressive is not None
    table = data.draw(st.sampled_from(game.progressive.tables))
    line = data.draw(st.sampled_from([line for line in table.lines if isinstance(line.pay, Fixed)]))
    assert isinstance(line.pay, Fixed)
    case = TableCase(game.name, table.name, table.stake_cents, pays={"progressive": {line.hand: Fixed(cents)}})
    exact = game.name in {"three-card-poker", "blackjack"} or line.rule == "28.11(g)"
    is_lawful = cents == line.pay.cents if exact else cents >= line.pay.cents
    pay_faults = [fault for fault in table_faults(case) if fault.key.startswith("pays.")]
    assert (pay_faults == []) is is_lawful


def test_11_16_d_a_limit_that_was_lowered_was_higher() -> None:
    """What a limit was before is above what it is, and there is one (S-117)."""
    lowered = TableCase("pai-gow-poker", "base", 100, limits={"bonus_limit_cents": 40_000_00})
    assert table_faults(replace(lowered, limits_before={"bonus_limit_cents": 50_000_00})) == ()
    for before in ({"bonus_limit_cents": 40_000_00}, {"seven_card_bonus_limit_cents": 60_000_00}):
        keys = [fault.key for fault in table_faults(replace(lowered, limits_before=before))]
        assert keys == [f"limits_before.{next(iter(before))}"]


def test_11_13_a_a_wager_on_the_number_needs_the_generator() -> None:
    """Dice or a button draw none; said or not, the generator does (S-97)."""
    case = TableCase("pai-gow-poker", "base", 100, wagers=("number",))
    assert table_faults(case) == table_faults(replace(case, options={"start": "generator"})) == ()
    assert [fault.rule for fault in table_faults(replace(case, options={"start": "dice"}))] == ["11.13(a)"]
