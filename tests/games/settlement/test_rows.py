"""Rows of the rule book on who is paid when, that no other test names."""

from itertools import combinations
from typing import Any

import pytest

from games.cards import DECK
from games.catalogue import GAMES
from games.catalogue.texas_holdem_bonus import TEXAS_HOLDEM_BONUS
from games.catalogue.three_card_poker import THREE_CARD_POKER
from games.compliance import TableCase, table_faults
from games.game import Game
from games.paytable import words as pay_words
from games.ranking import high_five
from tests.support.games.played_rounds import METER, paid, refused, seat, settled
from tests.support.games.showdown_asking import ask, words

PAI_GOW = "pai-gow-poker"


def test_28_11_i_two_royal_flushes_cannot_be_dealt_over_one_flop() -> None:
    """Three cards of a royal flush on the flop leave one pair of cards for it, so its share is the whole (S-20)."""
    royal = [card for card in DECK if card.suit == "h" and card.rank >= 10]
    others = [card for card in DECK if card not in royal]
    for flop in combinations(royal, 3):
        held = [two for two in combinations(royal, 2) if not set(two) & set(flop)]
        assert len(held) == 1
        assert high_five((*flop, *held[0])).name == "royal_flush"
        assert all(high_five((*flop, held[0][0], other)).name != "royal_flush" for other in others)


def test_28_10_h_4_5_at_each_player_the_bonus_comes_before_the_progressive() -> None:
    """And the cards go when both are settled: nobody is visited twice (S-24)."""
    for tours in TEXAS_HOLDEM_BONUS.settlement.values():
        assert {tuple(step.wager for step in tour.steps) for tour in tours} == {("bonus", "progressive")}


@pytest.mark.parametrize("wagers", [(), ("bonus",)])
def test_1_13q_g_the_progressive_is_offered_with_the_bonus_or_without(wagers: tuple[str, ...]) -> None:
    """A licensee may leave the bonus wager out (S-9)."""
    assert table_faults(TableCase("texas-holdem-bonus", "A", 100, seats=7, wagers=wagers)) == ()
    made = " ".join(("ante", *wagers, "progressive"))
    assert paid(settled("texas-holdem-bonus", {3: seat(made, "2h 3h")}, community="4h 9h Kh")) == [
        (3, "progressive", "flush", 50_00)
    ]


@pytest.mark.parametrize("base", ["ante", "pair_plus", "ante pair_plus"])
def test_20_13_c_the_highest_hand_is_paid_once_whatever_the_other_wagers_did(base: str) -> None:
    """Ace, king, queen of hearts are a straight and a flush, too, and beat or lose to any dealer (S-37)."""
    for dealer in ("As Ah Ad", "2c 3d 5s"):
        hand = "Ac Kc Qc"
        assert paid(settled("three-card-poker", {2: seat(f"{base} progressive", hand)}, dealer=dealer)) == [
            (2, "progressive", "akq_suited_other", 500_00)
        ]


def test_20_11_a_4_a_clause_of_two_temporary_rules_names_its_document() -> None:
    """20.11(a)4 lists progressive pays in one text and 6 card bonus odds in another (S-46)."""
    assert _pay_clauses(THREE_CARD_POKER, "progressive") == {"20.11(a)4 (progressive)"}
    assert _pay_clauses(THREE_CARD_POKER, "six_card_bonus") == {"20.11(a)4 (6 card bonus)"}


def _pay_clauses(game: Game, name: str) -> set[str]:
    wager = game.wager(name)
    assert wager is not None
    return {line.rule for table in wager.tables for line in table.lines}


def test_2_20_g_1_the_cards_are_verified_before_a_bonus_is_paid() -> None:
    """A display without a blackjack pays nothing; with one, what it shows (S-61)."""
    wagers = "blackjack bonus"
    assert refused("blackjack", {2: seat(wagers, "As 9d", displayed_cents=25_00)}) == (
        "2.20(d)",
        "seats.2.displayed_cents",
    )
    assert not settled("blackjack", {2: seat(wagers, "As 9d")}).payments
    assert paid(settled("blackjack", {2: seat(wagers, "As Kd", displayed_cents=25_00)})) == [
        (2, "bonus", "blackjack", 25_00)
    ]


def test_2_20_c_no_bonus_without_a_blackjack_wager() -> None:
    """The base wager comes first (S-59)."""
    assert refused("blackjack", {2: seat("bonus", "As Kd", displayed_cents=100)})[0] == "2.20(c)"


@pytest.mark.parametrize(
    ("hand", "held"),
    [
        ("Ah Kh Qh Jh Th 2c 2d", (4,)),
        ("Ah As Ad Ac Jk 9c 2d", (4,)),
        ("Ah Kh Qh Jk Th 3c 2d", ()),
        ("9h 8h 7h 6h 5h 2c 2d", ()),
    ],
)
def test_11_9_l_cards_stay_exactly_where_the_rack_does_not_pay(hand: str, held: tuple[int, ...]) -> None:
    """Parts of the meter wait for the papers; amounts are paid from the rack, off the meter or not (S-92)."""
    settlement = settled(PAI_GOW, {4: seat("pai_gow progressive", hand)})
    assert settlement.cards_held == held
    assert [line.source for line in settlement.payments] == (["cage"] if held else ["rack"])


BANK = {"seat": 2, "dealer_wager_cents": 25_00}
AREAS = {
    2: {"wager_cents": 0, "cards": words("Ks Kd 9c 8h 6s 4d 2c")},
    4: {"wager_cents": 50_00, "cards": words("Ah Kh Qh Jh Th 3c 3d")},
}
DEALER = {"cards": words("Qs Qd Tc 7h 5s 4h 2d")}


def test_11_10_p_with_a_players_bank_the_progressive_is_still_the_houses() -> None:
    """The bank's money is the same with a progressive wager at the table or without; rack and cage pay it (S-94)."""
    told: dict[str, Any] = {"seats": AREAS, "bank": BANK, "dealer": DEALER}
    wagered = {**AREAS, 4: {**AREAS[4], "side_wagers": ["progressive"]}}
    assert ask(PAI_GOW, **told) == ask(PAI_GOW, **(told | {"seats": wagered}))
    (line,) = settled(PAI_GOW, {4: seat("pai_gow progressive", "Ah Kh Qh Jh Th 3c 3d")}).payments
    assert (line.hand, line.amount_cents, line.source) == ("natural_royal_flush_and_pair", METER, "cage")


def test_16_12_a_odds_are_said_with_to_and_never_with_for() -> None:
    """Every pay of every wager, as signs, par sheets and slips print it (S-69, S-111)."""
    printed = {
        pay_words(line.pay)
        for game in GAMES.values()
        for wager in game.wagers
        for table in wager.tables
        for line in table.lines
    }
    assert "100 to 1" in printed
    assert not any(" for " in word for word in printed)
