"""What the rounds of all games have in common, and that each of them names its own clauses."""

from typing import get_args

import pytest

from games.catalogue import GAMES
from games.game import Demand, Game
from games.round.effects import AddWagers
from games.round.events import (
    BaseWagerLaid,
    BaseWagerMissed,
    ChipPlaced,
    ChipsCounted,
    ClaimRejected,
    EndOfRoundPressed,
    FoldCorrected,
    HandClaimed,
    IrregularityNoted,
    LockOutPressed,
    PayoutConfirmed,
    RecountAsked,
    RefundsConfirmed,
    SeatFolded,
    SupervisorKeyTurned,
    WagerPlaced,
    WagersRepeated,
    WagerTakenBack,
)
from games.round.state import ClaimState
from tests.support.games.pit import FLOP, FLUSH, PaperTable, table_rules


@pytest.mark.parametrize("each", GAMES.values(), ids=list(GAMES))
def test_every_demand_of_the_round_names_a_clause_of_its_game(each: Game) -> None:
    """Whoever is refused can look it up in his own game's rules."""
    chapter = {"texas-holdem-bonus": "28.", "caribbean-stud": "16.", "three-card-poker": "20.", "blackjack": "2."}
    for demand in get_args(Demand):
        clause = each.clauses[demand]
        assert clause.startswith((chapter.get(each.name, "11."), "house: "))


@pytest.mark.parametrize(("name", "pay_table"), [("texas-holdem-bonus", "A"), ("caribbean-stud", "base")])
def test_a_folded_hand_keeps_its_progressive_where_the_game_says_so(name: str, pay_table: str) -> None:
    """28.10(a)2i, and our reading of caribbean stud: the light stays, the cards stay."""
    table = PaperTable(table_rules(pay_table, name=name))
    table.deal(3)
    table.must(SeatFolded(3))
    assert table.lit == [3]
    flop = FLOP if table.rules.community_size else ()
    table.must(HandClaimed(3, FLUSH if flop else (*FLUSH, *FLOP), flop))


def test_20_10_b_folding_forfeits_the_progressive_of_three_card_poker() -> None:
    """The wager is no longer live, so its light goes dark, and the hand cannot be claimed."""
    table = PaperTable(table_rules(name="three-card-poker"))
    table.deal(3, 5)
    table.must(SeatFolded(3), SeatFolded(4))
    assert table.lit == [5]
    assert table.refusal(HandClaimed(3, ("As", "Ks", "Qs"))).rule == "20.10(b)"
    assert table.refusal(HandClaimed(4, ("As", "Ks", "Qs"))).rule == "20.13(d)2"
    table.must(EndOfRoundPressed())


def test_20_10_b_a_hand_that_was_claimed_is_not_folded_over_its_head() -> None:
    """Whoever claims has not folded; the supervisor decides which it is."""
    table = PaperTable(table_rules(name="three-card-poker"))
    table.deal(3)
    table.must(HandClaimed(3, ("9s", "9h", "9d")))
    assert table.refusal(SeatFolded(3)).rule == "20.10(b)"
    table.must(ClaimRejected(3, "Sue", "he folded"), SeatFolded(3))
    assert table.lit == []


def test_a_fold_entered_at_the_wrong_seat_is_corrected_by_the_supervisor() -> None:
    """A slip of the dealer's finger costs no player his wager."""
    table = PaperTable(table_rules(name="three-card-poker", supervisor_key=True))
    table.deal(3)
    table.must(SeatFolded(3), SupervisorKeyTurned(on=False))
    assert "key" in table.refusal(FoldCorrected(3, "Sue")).reason
    table.must(SupervisorKeyTurned(on=True), FoldCorrected(3, "Sue"))
    assert table.lit == [3]
    assert "not folded" in table.refusal(FoldCorrected(3, "Sue")).reason


def test_11_9_e_nobody_surrenders_with_a_progressive_wager() -> None:
    """Only a player without one may; the light stays."""
    table = PaperTable(table_rules("base", name="pai-gow-poker"))
    table.deal(3)
    assert table.refusal(SeatFolded(3)).rule == "11.9(e)"
    table.must(SeatFolded(4))
    assert table.lit == [3]
    assert "no seat 7" in table.refusal(SeatFolded(7)).reason


def test_11_9_e_nobody_surrenders_with_a_seven_card_bonus() -> None:
    """His hand must stay to be looked at."""
    table = PaperTable(table_rules("base", name="pai-gow-poker", offers=("seven_card_bonus",)))
    table.must(WagerPlaced(4, "seven_card_bonus", 5_00))
    table.deal(3)
    assert table.refusal(SeatFolded(4)).rule == "11.9(e)"
    table.must(SeatFolded(5))


@pytest.mark.parametrize(
    ("name", "pay_table", "rule"),
    [
        ("texas-holdem-bonus", "A", "28.6(c)"),
        ("three-card-poker", "A", "20.13(b)"),
        ("blackjack", "base", "2.19(f)"),
        ("pai-gow-poker", "base", "11.14(a)"),
    ],
)
def test_28_6_c_20_13_b_2_19_f_11_14_a_a_lone_progressive_wager_is_none(name: str, pay_table: str, rule: str) -> None:
    """Its light goes out, nothing is registered, and the count expects one chip more than lights."""
    table = PaperTable(table_rules(pay_table, name=name))
    table.must(ChipPlaced(3), ChipPlaced(5), BaseWagerMissed(3, "Dan"))
    assert (table.lit, table.state.loose_chips, table.state.chips_due) == ([5], 1, 2)
    assert table.refusal(BaseWagerMissed(3, "Dan"))
    assert table.refusal(ChipPlaced(3)).rule == rule
    assert table.refusal(BaseWagerLaid(5, "Dan"))
    table.must(LockOutPressed())
    assert "chip without a light" in table.refusal(ChipsCounted(1)).reason
    table.must(RecountAsked("Dan"), ChipsCounted(2))
    assert table.entries[-1].entry == AddWagers(1, 100, (5,), ())
    assert table.refusal(BaseWagerMissed(5, "Dan")).rule == table.rules.clause("late")
    assert table.state.loose_chips == 0


def test_28_6_c_who_lays_his_base_wager_after_all_may_wager_again() -> None:
    """The chip that went in first has been given back, and stays loose."""
    table = PaperTable(table_rules())
    table.must(ChipPlaced(3), BaseWagerMissed(3, "Dan"), BaseWagerLaid(3, "Dan"), ChipPlaced(3))
    assert (table.lit, table.state.chips_due) == ([3], 2)


def test_11_15_b_side_wagers_lie_there_by_the_dealers_word_and_as_last_round() -> None:
    """The amount he said, the last round's, or the least; taken back, without a base wager, or unknown: none."""
    table = PaperTable(table_rules("base", name="pai-gow-poker", offers=("bonus", "insurance")))
    assert "last round" in table.refusal(WagersRepeated("Dan")).reason
    assert table.refusal(WagerPlaced(3, "bonus", 50)).rule == "11.15(b)", "less than a dollar"
    assert "no number wager" in table.refusal(WagerPlaced(3, "number", 5_00, number=4)).reason
    table.must(WagerPlaced(3, "bonus", 5_00), WagerPlaced(4, "bonus"), WagerPlaced(5, "insurance", 2_00))
    table.must(WagerTakenBack(5, "insurance"))
    assert "made no insurance wager" in table.refusal(WagerTakenBack(5, "insurance")).reason
    assert {seat: side.amounts for seat, side in table.state.side.items()} == {3: {"bonus": 5_00}, 4: {"bonus": 1_00}}
    table.deal(3)
    assert table.refusal(WagerTakenBack(3, "bonus")).rule == "11.7(c)"
    table.must(EndOfRoundPressed())
    table.next_round()
    assert table.state.side == {}
    table.must(BaseWagerMissed(4, "Dan"), WagersRepeated("Dan"))
    assert {seat: side.amounts for seat, side in table.state.side.items()} == {3: {"bonus": 5_00}}
    assert table.refusal(WagerPlaced(4, "bonus", 5_00)).rule == "11.15(b)"
    table.must(WagerPlaced(3, "bonus"))
    assert table.state.side[3].amounts == {"bonus": 5_00}, "as last round"


def test_20_12a_b_a_six_card_bonus_is_decided_by_the_dealers_cards_too_and_paid_at_once() -> None:
    """It needs pair plus beside it; by name no supervisor is asked, and by cards the dealer's three are told once."""
    table = PaperTable(table_rules(name="three-card-poker", offers=("six_card_bonus",)))
    assert table.refusal(WagerPlaced(3, "six_card_bonus", 5_00)).rule == "20.12A(b)"
    for seat in (2, 3):
        table.must(WagerPlaced(seat, "pair_plus", 5_00), WagerPlaced(seat, "six_card_bonus", 5_00))
    table.deal(5)
    assert "dealer's cards" in table.refusal(HandClaimed(3, ("9s", "9h", "9d"), wager="six_card_bonus")).reason
    table.must(HandClaimed(3, ("9s", "9h", "9d"), wager="six_card_bonus", dealer=("9c", "2h", "3d")))
    claim = table.state.claim(3, "six_card_bonus")
    assert claim is not None
    assert (claim.hand, claim.state) == ("four_of_a_kind", ClaimState.VALIDATED)
    assert (
        "say who you are"
        in table.refusal(HandClaimed(2, hand="three_of_a_kind", wager="six_card_bonus", paid=True)).reason
    )
    table.must(HandClaimed(2, hand="three_of_a_kind", wager="six_card_bonus", by="Dan", paid=True))
    assert table.state.is_paid(2, "six_card_bonus")
    table.must(PayoutConfirmed(3, "Dan", "six_card_bonus"), EndOfRoundPressed())
    assert len(table.entries) == 1


def test_20_10_b_what_was_forfeited_before_a_round_became_void_stays_lost() -> None:
    """Who folded lost his wager before the fault (as `settle` has it); the others get theirs back."""
    table = PaperTable(table_rules(name="three-card-poker"))
    table.deal(3, 5)
    table.must(SeatFolded(3), IrregularityNoted("misdeal", "Sue"))
    assert table.state.refunds_due == {5: ("progressive",)}
    table.must(RefundsConfirmed("Dan"))
    assert table.lit == []
    table.must(EndOfRoundPressed())
