"""Blackjack: the progressive wager on the first cards (19:47-2.19) and the bonus wager (19:47-2.20)."""

from collections.abc import Sequence
from typing import Final

from games.cards import ACE, Card
from games.game import MISDEALS, FoldEffect, Game, MinimumRate, Option, Prerequisite, SettlementStep, Tour, Wager
from games.paytable import PayTable, fixed, odds_table, percent

_C: Final = "2.19(c)"
_BLACK: Final = frozenset("sc")
_RED: Final = frozenset("hd")


def _hands(cards: Sequence[Card]) -> frozenset[str]:
    """Every entitlement of cards in the order in which the player received them."""
    aces = 0
    while aces < min(len(cards), 4) and cards[aces].rank == ACE:
        aces += 1
    entitled = set()
    if aces >= 2:
        entitled.add("two_aces_same_suit" if len(_suits(cards[:2])) == 1 else "two_aces_any")
    if aces >= 3:
        entitled.add("three_aces_same_suit" if len(_suits(cards[:3])) == 1 else "three_aces_any")
    if aces == 4 and any(_suits(cards[:4]) <= color for color in (_BLACK, _RED)):
        entitled.add("four_aces_same_color")
    return frozenset(entitled)


def _blackjack(cards: Sequence[Card]) -> frozenset[str]:
    """A blackjack is an ace and a card that counts ten, as the first two cards."""
    ten, ace = sorted(card.rank for card in cards[:2])
    return frozenset({"blackjack"}) if ace == ACE and 10 <= ten < ACE else frozenset()


def _suits(cards: Sequence[Card]) -> frozenset[str]:
    return frozenset(card.suit for card in cards)


_PROGRESSIVE: Final = Wager(
    name="progressive",
    rule="2.19(a)",
    hands=_hands,
    tables=(
        PayTable(
            "base",
            (
                percent("four_aces_same_color", 10_000, _C),
                fixed("three_aces_same_suit", 2_500_00, _C, deducted=True),
                fixed("three_aces_any", 250_00, _C, deducted=True),
                fixed("two_aces_same_suit", 100_00, _C, deducted=True),
                fixed("two_aces_any", 25_00, _C, deducted=True),
            ),
            stake_cents=1_00,
        ),
    ),
    stakes=(1_00,),
    minimum_cents=1_00,
    needs=Prerequisite(("blackjack",), "2.19(f)"),
    fold=FoldEffect("lives", "2.19(d)"),
)

# The button's display says what it pays (2.20(f)), so no table does.
BONUS: Final = Wager(
    name="bonus",
    rule="2.20(a)",
    hands=_blackjack,
    stakes=(1_00, 5_00),
    minimum_cents=1_00,
    needs=Prerequisite(("blackjack",), "2.20(c)"),
    fold=FoldEffect("lives", "2.20(e)"),
)

TEN_BESIDE_ACE: Final = "ten_beside_ace"


def _ten_beside_ace(cards: Sequence[Card]) -> frozenset[str]:
    """The dealer's up-card is an ace, and the second card of this hand counts ten."""
    is_won = len(cards) > 1 and cards[0].rank == ACE and 10 <= cards[1].rank < ACE
    return frozenset({TEN_BESIDE_ACE}) if is_won else frozenset()


def insurance_table(to_one: int) -> PayTable:
    """What the house pays for insurance: 2.9 is not in our text."""
    return odds_table("base", ((TEN_BESIDE_ACE, to_one),), "2.18(d)")


def _insurance(name: str, hand: int, needs: str) -> Wager:
    return Wager(
        name=name,
        rule="2.18(d)",
        hands=_ten_beside_ace,
        tables=(insurance_table(2),),
        sees="dealer_hand",
        dealer_hand=hand,
        needs=Prerequisite((needs,), "2.18(d)"),
        fold=FoldEffect("forfeits", "2.18(f)"),
    )


# Every player has a wager against the first two hands of the dealer; the third one is his choice (2.18(b)).
_THIRD_WAGER: Final = Wager(
    name="third_wager",
    rule="2.18(b)",
    sees="no_cards",
    needs=Prerequisite(("blackjack",), "2.18(b)"),
    fold=FoldEffect("forfeits", "2.18(f)"),
)
_TWO_INSURANCES: Final = (
    _insurance("first_insurance", 1, "blackjack"),
    _insurance("second_insurance", 2, "blackjack"),
)
MULTIPLE_ACTION: Final = {
    "2": _TWO_INSURANCES,
    "3": (*_TWO_INSURANCES, _THIRD_WAGER, _insurance("third_insurance", 3, "third_wager")),
}

BLACKJACK: Final = Game(
    name="blackjack",
    title="Blackjack",
    most_seats=7,
    hand_size=2,
    fewest_cards=4,
    hand_grows=True,
    most_decks=8,
    order="count_then_lock",
    wagers=(
        Wager(name="blackjack", rule="2.19(f)", sees="no_cards", fold=FoldEffect("forfeits", "house: folding")),
        _PROGRESSIVE,
        BONUS,
    ),
    settlement={
        "player_by_player": (
            Tour((SettlementStep("first_insurance"), SettlementStep("progressive"))),
            Tour((SettlementStep("second_insurance"),)),
            Tour((SettlementStep("third_insurance"),)),
            Tour((SettlementStep("bonus"),), begins="left"),
        )
    },
    shares_whole_meter=True,
    has_fold=False,
    coupons=False,
    validates="every",
    minimum_rates=(MinimumRate(7_000, "2.19(i)"),),
    minimum_reset_cents=5_000_00,
    rate_combines_reset_meter=True,
    # In multiple action the progressive is settled with the first of the dealer's hands.
    options=(Option("dealer_hands", ("1", "2", "3"), "2.18(f)", wagers=MULTIPLE_ACTION, cited_by=("progressive",)),),
    irregularities=MISDEALS,
    clauses={
        "most_seats": "house: seats",
        "hand_size": "2.19(c)",
        "fewest_cards": "house: pace",
        "hand_grows": "2.19(c)",
        "most_decks": "house: decks",
        "order": "2.19(b)",
        "settlement": "2.19(h), 2.20(f)",
        "minimum_rates": "2.19(i)",
        "minimum_reset_cents": "2.19(i)",
        "rate_combines_reset_meter": "2.19(i)",
        "shares_whole_meter": "2.19(h)",
        "has_fold": "2.19(d)",
        "coupons": "2.19(b)",
        "validates": "2.19(g)3",
        "percentages_from": "2.19(h)",
        "amounts_from": "2.19(h)",
        "one_wager": "2.19(b)",
        "late": "2.19(b)",
        "count": "2.19(b)",
        "light": "2.19(g)2",
        "hand": "2.19(g)1",
        "pay_first": "2.19(h)",
    },
)
