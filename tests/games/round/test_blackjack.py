"""The round of progressive blackjack, clause by clause (2.19); how its wagers are closed is told elsewhere."""

import pytest

from games.round.effects import DeductAward, FixAward, ReleaseAward
from games.round.events import (
    BonusDisplayed,
    ClaimValidated,
    EndOfRoundPressed,
    HandClaimed,
    PayoutConfirmed,
    SeatFolded,
    WagerPlaced,
)
from games.round.state import ClaimState
from games.round.table_rules import TableRules
from tests.support.games.pit import PaperTable, table_rules

SIX_DECKS = table_rules("base", name="blackjack", decks=6)


@pytest.fixture
def table() -> PaperTable:
    return PaperTable(SIX_DECKS)


@pytest.mark.parametrize(
    ("cards", "entry"),
    [
        ("As Ac As Ac", FixAward(1, 3, "four_aces_same_color", 10_000, 0)),
        ("Ah Ah Ah Kd", FixAward(1, 3, "three_aces_same_suit", 0, 2_500_00)),
        ("Ah As Ad 9c 2c", FixAward(1, 3, "three_aces_any", 0, 250_00)),
        ("Ah Ah 5d", FixAward(1, 3, "two_aces_same_suit", 0, 100_00)),
        ("Ah As", FixAward(1, 3, "two_aces_any", 0, 25_00)),
        ("As Ac Ah Ac", FixAward(1, 3, "three_aces_any", 0, 250_00)),
    ],
)
def test_2_19_c_the_first_cards_in_their_order_decide(table: PaperTable, cards: str, entry: FixAward) -> None:
    """2.19(e) too: only the highest entitlement is claimed, whatever else the cards are (S-54, S-55)."""
    table.deal(3)
    table.must(HandClaimed(3, tuple(cards.split())))
    assert table.entries[-1].entry == entry


@pytest.mark.parametrize("cards", ["Kd As Ac", "As Kd Ac As", "As", "", "Ah Jk"])
def test_2_19_g_1_aces_that_came_too_late_or_not_at_all_are_refused(table: PaperTable, cards: str) -> None:
    """An ace after another card is not among the first two, three or four."""
    table.deal(3)
    assert table.refusal(HandClaimed(3, tuple(cards.split()))).rule == "2.19(g)1"


@pytest.mark.parametrize(("decks", "is_possible"), [(1, False), (2, True)])
def test_2_19_g_1_a_card_lies_there_as_often_as_there_are_decks(decks: int, is_possible: bool) -> None:
    """Two aces of spades need a second deck; at two seats they do as well."""
    rules: TableRules = table_rules("base", name="blackjack", decks=decks)
    for claims in ([(3, "As As")], [(3, "As Ah"), (5, "As Ad")]):
        table = PaperTable(rules)
        table.deal(3, 5)
        refusals = [table.do(HandClaimed(seat, tuple(cards.split()))).refusal for seat, cards in claims]
        assert (refusals[-1] is None) == is_possible


def test_2_19_e_a_hand_grows_and_the_highest_entitlement_is_paid_once(table: PaperTable) -> None:
    """Two aces are claimed, a third is drawn: what was fixed goes back, and $250 are asked for in its place (S-55)."""
    table.deal(3)
    table.must(HandClaimed(3, ("As", "Ac")))
    table.fix()
    table.must(ClaimValidated(3, "Sue"))
    assert "has shown" in table.refusal(HandClaimed(3, ("As", "Ah", "Ad"))).reason, "other cards lie there"
    assert table.refusal(HandClaimed(3, ("As", "Ac"))).reason.startswith("seat 3 has claimed already")
    table.must(HandClaimed(3, ("As", "Ac", "Ad")))
    assert [order.entry for order in table.entries[-2:]] == [
        ReleaseAward(2, "the hand has grown", "table"),
        FixAward(1, 3, "three_aces_any", 0, 250_00),
    ]
    table.fix()
    table.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
    assert table.entries[-1].entry == DeductAward(5, "Sue", "Dan", 250_00)
    assert "was paid" in table.refusal(HandClaimed(3, ("As", "Ac", "Ad", "Ah"))).reason


def test_2_19_d_blackjack_knows_no_fold(table: PaperTable) -> None:
    """A bust changes nothing for the progressive, and there is nothing to fold."""
    table.deal(3)
    assert "knows no fold" in table.refusal(SeatFolded(3)).reason
    assert table.lit == [3]


def test_2_20_f_a_bonus_winner_presses_the_button_once_and_is_paid_what_the_display_shows() -> None:
    """Only a winner; the round does not end before he has pressed (S-59 to S-61)."""
    table = PaperTable(table_rules("base", name="blackjack", decks=6, offers=("bonus",)))
    table.must(WagerPlaced(2, "bonus", 5_00), WagerPlaced(4, "bonus", 1_00))
    assert table.refusal(WagerPlaced(3, "bonus", 2_00)).rule == "2.20(a)"
    table.deal(3)
    table.must(HandClaimed(2, hand="blackjack", wager="bonus"))
    assert table.refusal(BonusDisplayed(4, 50_00)).rule == "2.20(f)", "seat 4 did not win"
    assert table.refusal(EndOfRoundPressed()).rule == "2.20(f)"
    table.must(BonusDisplayed(2, 75_00))
    assert "pressed the button already" in table.refusal(BonusDisplayed(2, 5_000_00)).reason
    claim = table.state.claim(2, "bonus")
    assert claim is not None
    assert (claim.amount_cents, claim.state) == (75_00, ClaimState.VALIDATED)
    table.must(PayoutConfirmed(2, "Dan", "bonus"), EndOfRoundPressed())
    assert len(table.entries) == 1, "the meter has no part in it"


def test_2_20_f_the_button_goes_around_from_the_left_after_everything_else() -> None:
    """Three aces that are claimed come first, then the winner at the lower seat; nobody presses out of turn (S-60)."""
    table = PaperTable(table_rules("base", name="blackjack", decks=6, offers=("bonus",)))
    table.must(WagerPlaced(2, "bonus", 5_00), WagerPlaced(5, "bonus", 5_00))
    table.deal(3)
    table.must(HandClaimed(5, hand="blackjack", wager="bonus"), HandClaimed(2, hand="blackjack", wager="bonus"))
    table.must(HandClaimed(3, ("As", "Ah", "Ac")))
    assert "settle the progressive wager of seat 3 first" in table.refusal(BonusDisplayed(2, 75_00)).reason
    table.fix()
    table.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
    assert "the button lies before seat 2" in table.refusal(BonusDisplayed(5, 75_00)).reason
    assert 5 not in table.state.displayed
    table.must(BonusDisplayed(2, 75_00), PayoutConfirmed(2, "Dan", "bonus"))
    table.must(BonusDisplayed(5, 50_00), PayoutConfirmed(5, "Dan", "bonus"), EndOfRoundPressed())


def test_2_19_g_2_no_light_no_payout(table: PaperTable) -> None:
    """The right seat must be lit (S-56)."""
    table.deal(3)
    assert table.refusal(HandClaimed(4, ("As", "Ac"))).rule == "2.19(g)2"


def test_2_19_g_3_a_supervisor_validates_every_win_also_the_smallest(table: PaperTable) -> None:
    """Twenty-five dollars wait for him like the whole meter does (S-56)."""
    table.deal(3)
    table.must(HandClaimed(3, ("As", "Ah")))
    table.fix()
    assert table.claim(3).state is ClaimState.FIXED
    table.refusal(PayoutConfirmed(3, "Dan"))
    table.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
    assert table.claim(3).source == "rack"
