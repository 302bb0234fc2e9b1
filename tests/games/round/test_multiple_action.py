"""Multiple action blackjack at a live table: the dealer's hands one after the other, and insurance on any wager."""

import pytest

from games.round.events import (
    BonusDisplayed,
    ClaimRejected,
    ClaimValidated,
    DealerCardDealt,
    EndOfRoundPressed,
    FoldCorrected,
    HandClaimed,
    IrregularityNoted,
    NoWinShown,
    PayoutConfirmed,
    RefundsConfirmed,
    RoundOpened,
    SeatFolded,
    WagerPlaced,
    WagersRepeated,
    WagerTakenBack,
)
from games.round.state import ClaimState
from tests.support.games.pit import PaperTable, table_rules

INSURANCES = ("first_insurance", "second_insurance", "third_insurance")


def dealt(*seats: int, hands: int = 3, third: tuple[int, ...] = (), more: tuple[str, ...] = ()) -> PaperTable:
    """A table that plays so many hands of the dealer's, its wagers registered; third are the seats with three."""
    offers = (*INSURANCES[:hands], *(("third_wager",) if hands == 3 else ()), *more)
    choices = {"dealer_hands": str(hands)}
    table = PaperTable(table_rules("base", name="blackjack", decks=6, offers=offers, choices=choices))
    table.must(*(WagerPlaced(seat, "third_wager", 5_00) for seat in third))
    table.must(*(WagerPlaced(seat, wager, 5_00) for seat in seats for wager in more))
    table.deal(*seats)
    return table


def amounts(table: PaperTable) -> dict[tuple[int, str], int]:
    """What is to be paid from the rack now."""
    return {(claim.seat, claim.wager): claim.amount_cents for claim in table.state.open_claims if claim.is_to_be_paid}


def test_2_18_d_each_insurance_is_decided_by_the_second_card_of_its_own_hand() -> None:
    """A ten beside the ace in the first and third hand, a nine in the second: two of three are paid (S-51, S-114)."""
    table = dealt(2, third=(4,))
    table.must(DealerCardDealt("As"))
    table.must(*(WagerPlaced(4, wager, 2_50) for wager in INSURANCES))
    table.must(DealerCardDealt("Kd", 1))
    assert amounts(table) == {(4, "first_insurance"): 5_00}
    table.must(PayoutConfirmed(4, "Dan", "first_insurance"), DealerCardDealt("9d", 2))
    assert amounts(table) == {}
    table.must(DealerCardDealt("Td", 3))
    assert amounts(table) == {(4, "third_insurance"): 5_00}
    assert table.refusal(EndOfRoundPressed()).rule == "2.19(h)"
    table.must(PayoutConfirmed(4, "Dan", "third_insurance"), EndOfRoundPressed())


def test_2_18_f_the_progressive_is_settled_once_with_the_first_hand() -> None:
    """The dealer's second hand waits until the three aces are paid; the meter is asked once (S-51)."""
    table = dealt(3, 5)
    table.must(DealerCardDealt("Ad"), DealerCardDealt("9d", 1), HandClaimed(3, ("As", "Ah", "Ac")))
    assert "settle its progressive wager first" in table.refusal(DealerCardDealt("9h", 2)).reason
    table.must(NoWinShown((5,), "Dan"))
    table.fix()
    table.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"), DealerCardDealt("9h", 2))
    assert "was paid" in table.refusal(HandClaimed(3, ("As", "Ah", "Ac", "Ac"))).reason
    table.must(EndOfRoundPressed())
    assert [type(order.entry).__name__ for order in table.entries] == [
        *("AddWagers", "FixAward", "ValidateAward", "DeductAward"),
    ]


def test_2_18_f_a_hand_above_21_loses_its_insurance_and_keeps_its_progressive() -> None:
    """All wagers of the box are collected; 2.19(d): the progressive lives (S-114)."""
    table = dealt(4)
    table.must(DealerCardDealt("As"), WagerPlaced(4, "first_insurance", 2_00), DealerCardDealt("Kd", 1))
    assert amounts(table) == {(4, "first_insurance"): 4_00}
    table.must(SeatFolded(4))
    assert amounts(table) == {}
    assert table.lit == [4]
    table.must(FoldCorrected(4, "Sue"))
    assert amounts(table) == {(4, "first_insurance"): 4_00}
    table.must(PayoutConfirmed(4, "Dan", "first_insurance"))
    assert "has claimed" in table.refusal(SeatFolded(4)).reason, "what was paid stands"


def test_2_18_f_1_when_everybody_is_above_21_there_is_no_second_hand() -> None:
    """The dealer collects his up-card, too (S-51)."""
    table = dealt(4, hands=2)
    table.must(DealerCardDealt("5s"), *(SeatFolded(seat) for seat in table.rules.seats), DealerCardDealt("9d", 1))
    assert table.refusal(DealerCardDealt("9h", 2)).rule == "2.18(f)1"


def test_2_18_h_without_a_third_wager_there_is_no_third_hand() -> None:
    """Two wagers are taken as made, the third is told (S-51)."""
    cards = (DealerCardDealt("5s"), DealerCardDealt("9d", 1), DealerCardDealt("9h", 2))
    table = dealt(4)
    table.must(*cards)
    assert table.refusal(DealerCardDealt("9c", 3)).rule == "2.18(h)"
    table = dealt(4, third=(6,))
    table.must(*cards, DealerCardDealt("9c", 3))
    assert "plays 3 hands" in table.refusal(DealerCardDealt("9c", 4)).reason


def test_2_18_d_insurance_is_made_beside_an_ace_before_the_second_card() -> None:
    """Not before lock-out, not beside a king, not on a wager that was not made, not too late (S-114)."""
    table = dealt(4, third=(4,))
    assert "up-card is not told" in table.refusal(WagerPlaced(4, "first_insurance", 1_00)).reason
    table.must(DealerCardDealt("Ks"))
    assert table.refusal(WagerPlaced(4, "first_insurance", 1_00)).rule == "house: insurance"
    table.must(DealerCardDealt("As"))
    assert "needs third wager" in table.refusal(WagerPlaced(5, "third_insurance", 1_00)).reason
    table.must(WagerPlaced(4, "first_insurance", 1_00), WagerTakenBack(4, "first_insurance"))
    table.must(WagerPlaced(4, "third_insurance", 1_00), DealerCardDealt("9d", 1))
    assert "second card already" in table.refusal(WagerPlaced(4, "first_insurance", 1_00)).reason
    assert "second card already" in table.refusal(WagerTakenBack(4, "third_insurance")).reason
    assert table.refusal(WagerPlaced(4, "third_wager", 1_00)).rule == "2.19(b)", "other wagers are closed"


def test_2_18_g_the_dealers_cards_are_told_in_order_and_corrected_until_paid() -> None:
    """A card too soon, a card the decks do not hold, a card that paid: refused; a misread one is told again."""
    table = dealt(4, hands=2, more=("bonus",))
    assert "up-card next" in table.refusal(DealerCardDealt("Kd", 1)).reason
    table.must(DealerCardDealt("As"), WagerPlaced(4, "first_insurance", 2_00))
    assert "hand 1 next" in table.refusal(DealerCardDealt("Kd", 2)).reason
    assert table.refusal(DealerCardDealt("Xx", 1)).rule == "2.18(e)"
    table.must(DealerCardDealt("Kd", 1), HandClaimed(4, hand="blackjack", wager="bonus"))
    table.must(ClaimRejected(4, "Sue", "no blackjack"))
    assert "tell the right card" in table.refusal(ClaimRejected(4, "Sue", "misread")).reason
    table.must(DealerCardDealt("9d", 1))
    assert table.state.open_claims == ()
    table.must(DealerCardDealt("Qd", 1), PayoutConfirmed(4, "Dan", "first_insurance"))
    assert "the card stands" in table.refusal(DealerCardDealt("9d", 1)).reason
    assert "no hand decides" in table.refusal(HandClaimed(4, ("As", "Kd"), wager="second_insurance")).reason


def test_2_18_one_hand_of_the_dealers_knows_neither_insurance_nor_his_cards() -> None:
    """2.9 is not in our text: insurance belongs to multiple action."""
    table = PaperTable(table_rules("base", name="blackjack", decks=6))
    table.deal(3)
    assert table.refusal(DealerCardDealt("As")).rule == "2.18(f)"
    assert "no first insurance wager" in table.refusal(WagerPlaced(3, "first_insurance", 1_00)).reason


def test_2_20_f_the_bonus_comes_after_the_last_insurance() -> None:
    """An approved bonus beside multiple action is displayed when everything else is settled."""
    table = dealt(4, hands=2, more=("bonus",))
    table.must(DealerCardDealt("As"), WagerPlaced(4, "second_insurance", 2_00), DealerCardDealt("9d", 1))
    table.must(HandClaimed(4, hand="blackjack", wager="bonus"), DealerCardDealt("Kd", 2))
    assert "settle the second insurance wager of seat 4 first" in table.refusal(BonusDisplayed(4, 50_00)).reason
    table.must(PayoutConfirmed(4, "Dan", "second_insurance"), BonusDisplayed(4, 50_00))


@pytest.mark.parametrize("seats", [(4,), (4, 5)])
def test_a_misdeal_refunds_insurance_and_as_last_round_does_not_repeat_it(seats: tuple[int, ...]) -> None:
    """Insurance goes back with the void hand; it is made anew beside the next ace."""
    table = dealt(*seats, third=(4,))
    table.must(DealerCardDealt("As"), WagerPlaced(4, "first_insurance", 2_00), DealerCardDealt("Kd", 1))
    table.must(IrregularityNoted("misdeal", "Sue"))
    assert table.state.refunds_due[4] == ("progressive", "third_wager", "first_insurance")
    assert table.state.open_claims == ()
    table.must(RefundsConfirmed("Sue"), EndOfRoundPressed(), RoundOpened(), WagersRepeated("Dan"))
    assert table.state.side[4].amounts == {"third_wager": 5_00}
    assert table.state.dealer_hands == ()
    assert all(claim.state is not ClaimState.PAID for claim in table.state.claims)
