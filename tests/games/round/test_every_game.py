"""What the rounds of all games have in common, and that each of them names its own clauses."""

from typing import get_args

import pytest

from games.catalogue import GAMES
from games.game import Demand, Game
from games.round.events import (
    ClaimRejected,
    EndOfRoundPressed,
    FoldCorrected,
    HandClaimed,
    IrregularityNoted,
    RefundsConfirmed,
    SeatFolded,
    SupervisorKeyTurned,
)
from tests.support.pit import FLOP, FLUSH, PaperTable, table_rules


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


def test_20_10_b_what_was_forfeited_before_a_round_became_void_stays_lost() -> None:
    """Who folded lost his wager before the fault (as `settle` has it); the others get theirs back."""
    table = PaperTable(table_rules(name="three-card-poker"))
    table.deal(3, 5)
    table.must(SeatFolded(3), IrregularityNoted("misdeal", "Sue"))
    assert table.state.refunds_due == {5: ("progressive",)}
    table.must(RefundsConfirmed("Dan"))
    assert table.lit == []
    table.must(EndOfRoundPressed())
