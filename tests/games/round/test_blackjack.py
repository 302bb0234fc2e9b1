"""The round of progressive blackjack, clause by clause (2.19); how its wagers are closed is told elsewhere."""

import pytest

from games.round.effects import FixAward
from games.round.events import ClaimValidated, HandClaimed, PayoutConfirmed
from games.round.state import ClaimState
from games.round.table_rules import TableRules
from tests.support.pit import PaperTable, table_rules

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
