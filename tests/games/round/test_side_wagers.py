"""Side wagers of a live table: what each needs beside it, which cards decide it, what it pays and when."""

from typing import Any

import pytest

from games.paytable import PayTable
from games.round.events import (
    BaseWagerMissed,
    BonusDisplayed,
    ChipPlaced,
    CouponRedeemed,
    EndOfRoundPressed,
    HandClaimed,
    NumberDrawn,
    PayoutConfirmed,
    SeatFolded,
    WagerPlaced,
    WagerTakenBack,
)
from games.round.layout import act_of_round
from games.round.state import Claim
from games.settlement.walk import Act, Pay
from tests.support.games.pit import PaperTable, table_rules


def cards(text: str) -> tuple[str, ...]:
    """Cards as a dealer reads them out."""
    return tuple(text.split())


def a_table(name: str, *offers: str, pays: dict[str, str] | None = None, **house: Any) -> PaperTable:
    """A table of this game with these side wagers, each with the pay table that the house chose."""
    chosen = "A" if name in ("three-card-poker", "texas-holdem-bonus") else "base"
    rules = table_rules(chosen, name=name, offers=offers)
    side = {wager: _pay_table(rules.game.wager(wager), table) for wager, table in (pays or {}).items()}
    return PaperTable(table_rules(chosen, name=name, offers=offers, side_tables=side, **house))


def _pay_table(wager: Any, name: str) -> PayTable:
    table: PayTable = wager.pay_table(name, 100)
    return table


def won(table: PaperTable, seat: int, wager: str) -> Claim:
    """What this wager of the seat won."""
    claim = table.state.claim(seat, wager)
    assert claim is not None
    return claim


def pays_next(table: PaperTable) -> tuple[int, str]:
    """Whom the panel has the dealer pay now, and for what."""
    act: Act | None = act_of_round(table.rules, table.state)
    assert isinstance(act, Pay)
    return act.standing.turn.seat.number, act.standing.turn.wager.name


def test_20_6_a_4_a_progressive_wager_lies_beside_ante_or_pair_plus() -> None:
    """Without an ante, pair plus will do; without either the chip stays dark (S-32)."""
    table = a_table("three-card-poker")
    table.must(BaseWagerMissed(3, "Dan"))
    assert table.refusal(ChipPlaced(3)).rule == "20.13(b)"
    table.must(WagerPlaced(3, "pair_plus", 5_00), ChipPlaced(3))
    assert table.lit == [3]


def test_20_6_a_4_the_light_goes_out_with_the_last_wager_that_it_needs() -> None:
    """Pair plus taken back where no ante lies: the progressive is none, and its chip belongs to no light."""
    table = a_table("three-card-poker")
    table.must(BaseWagerMissed(3, "Dan"), WagerPlaced(3, "pair_plus", 5_00), ChipPlaced(3))
    assert table.lit == [3]
    table.must(WagerTakenBack(3, "pair_plus", "Dan"))
    assert table.lit == []
    assert (table.state.loose_chips, table.state.chips_due) == (1, 1)


def test_20_6_a_4_a_six_card_bonus_is_made_before_the_first_card() -> None:
    """Beside pair plus, and not once the wagers are closed (S-47)."""
    table = a_table("three-card-poker", "six_card_bonus")
    table.must(WagerPlaced(3, "pair_plus", 5_00))
    table.deal(5)
    assert "before lock-out" in table.refusal(WagerPlaced(3, "six_card_bonus", 5_00)).reason


@pytest.mark.parametrize("pay_table", ["A", "B", "C", "D"])
@pytest.mark.parametrize(
    ("own", "dealer", "hand"),
    [
        ("As Ks Qs", "Js Ts 2d", "royal_flush"),
        ("9s 8s 7s", "6s 5s 2d", "straight_flush"),
        ("9s 9h 2d", "9d 9c 3h", "four_of_a_kind"),
        ("9s 9h 2d", "9d 2c 3h", "full_house"),
        ("9s 7s 2s", "Ks 3s 3h", "flush"),
        ("As 2h 3d", "4c 5s Kh", "straight"),
        ("Ts Jh Qd", "Kc As 2h", "straight"),
        ("9s 9h 2d", "9d Kc 3h", "three_of_a_kind"),
        ("9s 8h 2d", "7c 6d 5h", "straight"),
        ("9s 2h 2d", "Kc 3h 2c", "three_of_a_kind"),
    ],
)
def test_20_11_a_4_the_six_card_bonus_pays_the_best_five_of_six_at_the_houses_odds(
    pay_table: str, own: str, dealer: str, hand: str
) -> None:
    """The highest hand alone, whatever became of the ante; ace to five is a straight (S-49, S-50, S-119)."""
    odds = {
        "royal_flush": (1000, 1000, 1000, 1000),
        "straight_flush": (200, 200, 200, 200),
        "four_of_a_kind": (50, 50, 100, 100),
        "full_house": (25, 25, 20, 20),
        "flush": (20, 15, 15, 15),
        "straight": (10, 10, 9, 10),
        "three_of_a_kind": (5, 5, 8, 7),
    }
    table = a_table("three-card-poker", "six_card_bonus", pays={"six_card_bonus": pay_table})
    table.must(WagerPlaced(3, "pair_plus", 5_00), WagerPlaced(3, "six_card_bonus", 2_00))
    table.deal()
    table.must(HandClaimed(3, cards(own), dealer=cards(dealer), wager="six_card_bonus"))
    claim = won(table, 3, "six_card_bonus")
    assert (claim.hand, claim.amount_cents) == (hand, odds[hand]["ABCD".index(pay_table)] * 2_00)


def test_20_12a_c_two_pair_of_six_cards_is_no_win() -> None:
    """Three of a kind is the least (S-50)."""
    table = a_table("three-card-poker", "six_card_bonus")
    table.must(WagerPlaced(3, "pair_plus", 5_00), WagerPlaced(3, "six_card_bonus", 5_00))
    table.deal()
    asked = HandClaimed(3, cards("9s 9h 2d"), dealer=cards("2c Kh Qd"), wager="six_card_bonus")
    assert "pays nothing" in table.refusal(asked).reason


def test_20_10_b_1_a_fold_leaves_the_six_card_bonus_and_takes_the_progressive() -> None:
    """Each wager has its own rule (S-48)."""
    table = a_table("three-card-poker", "six_card_bonus")
    table.must(WagerPlaced(3, "pair_plus", 5_00), WagerPlaced(3, "six_card_bonus", 5_00))
    table.deal(3)
    table.must(SeatFolded(3))
    assert table.lit == []
    table.must(HandClaimed(3, cards("9s 9h 2d"), dealer=cards("9d Kc 3h"), wager="six_card_bonus"))
    assert won(table, 3, "six_card_bonus").amount_cents == 25_00


def test_11_16_a_the_schedule_pays_three_of_a_kind_and_not_only_a_straight_or_higher() -> None:
    """Three to one (S-118)."""
    table = a_table("pai-gow-poker", "bonus")
    table.must(WagerPlaced(3, "bonus", 5_00))
    table.deal()
    table.must(HandClaimed(3, cards("9s 9h 9d Kc 4h 3d 2c"), wager="bonus"))
    assert (won(table, 3, "bonus").hand, won(table, 3, "bonus").amount_cents) == ("three_of_a_kind", 15_00)


def test_11_15_d_premium_hands_are_paid_after_every_plain_one() -> None:
    """Seat 5's four of a kind waits for the flush of seat 2, though it sits to the right of it (S-107)."""
    table = a_table("pai-gow-poker", "bonus")
    table.must(WagerPlaced(2, "bonus", 1_00), WagerPlaced(5, "bonus", 1_00))
    table.deal()
    table.must(HandClaimed(5, cards("8s 8h 8d 8c 3s Kd 5d"), wager="bonus"))
    table.must(HandClaimed(2, cards("As Ts 9s 6s 4s 2h 3d"), wager="bonus"))
    assert pays_next(table) == (2, "bonus")
    table.must(PayoutConfirmed(2, "Dan", "bonus"))
    assert pays_next(table) == (5, "bonus")


@pytest.mark.parametrize(("pay_table", "dollars"), [("A", 400), ("B", 250), ("C", 100), ("D", 100), ("E", 100)])
def test_11_16_c_insurance_pays_by_the_table_that_the_house_chose(pay_table: str, dollars: int) -> None:
    """Nine high, for a dollar (S-108)."""
    table = a_table("pai-gow-poker", "bonus", "insurance", pays={"insurance": pay_table})
    table.must(WagerPlaced(3, "insurance", 1_00))
    table.deal()
    table.must(HandClaimed(3, hand="nine_high", wager="insurance", by="Dan", paid=True))
    assert won(table, 3, "insurance").amount_cents == dollars * 1_00


@pytest.mark.parametrize(
    ("pay_table", "seven", "dollars"),
    [
        ("A", "9s 8s 7s 6s 5s Kd 2c", 50),
        ("B", "9s 8s 7s 6s 5s Kd 2c", 50),
        ("A", "9s 8s 7s Jk 5s Kd 2c", 50),
        ("B", "9s 8s 7s Jk 5s Kd 2c", 30),
        ("A", "As Ks Qs Js Ts 4d 2c", 250),
        ("B", "As Ks Qs Js Ts 4d 2c", 200),
        ("B", "As Ah Ad Ac Jk 4d 2c", 500),
        ("A", "9s 9h 9d Kc 4h 3d 2c", 3),
    ],
)
def test_11_18_c_the_seven_card_bonus_pays_by_table_a_or_b(pay_table: str, seven: str, dollars: int) -> None:
    """Table B tells a joker in a straight flush apart (S-111)."""
    table = a_table("pai-gow-poker", "seven_card_bonus", pays={"seven_card_bonus": pay_table})
    table.must(WagerPlaced(3, "seven_card_bonus", 1_00))
    table.deal()
    table.must(HandClaimed(3, cards(seven), wager="seven_card_bonus"))
    assert won(table, 3, "seven_card_bonus").amount_cents == dollars * 1_00


@pytest.mark.parametrize(
    ("three", "dollars"), [("9s 8s 7s", 40), ("9s 9h 9d", 25), ("9s 8s Jk", 5), ("9s 8h 7d", 4), ("9s 9h 2d", 1)]
)
def test_11_18_b_the_three_card_bonus_is_settled_of_the_first_three_cards(three: str, dollars: int) -> None:
    """Before four more are dealt; a whole hand does not say which three came first (S-110, S-111)."""
    table = a_table("pai-gow-poker", "three_card_bonus")
    table.must(WagerPlaced(3, "three_card_bonus", 1_00))
    table.deal()
    table.must(HandClaimed(3, cards(three), wager="three_card_bonus"))
    assert won(table, 3, "three_card_bonus").amount_cents == dollars * 1_00
    table.must(PayoutConfirmed(3, "Dan", "three_card_bonus"), EndOfRoundPressed())
    late = a_table("pai-gow-poker", "three_card_bonus")
    late.must(WagerPlaced(3, "three_card_bonus", 1_00))
    late.deal()
    whole = HandClaimed(3, (*cards(three), *cards("Ac Ad Kc Kd")), wager="three_card_bonus")
    assert "show 3 cards" in late.refusal(whole).reason


def test_11_18_d_the_limit_of_the_seven_card_bonus_holds_and_leaves_the_progressive_alone() -> None:
    """No cap touches the progressive, though the same cards win both (S-109)."""
    table = a_table("pai-gow-poker", "seven_card_bonus", limits={"seven_card_bonus_limit_cents": 50_000_00})
    table.must(WagerPlaced(3, "seven_card_bonus", 500_00))
    table.deal(3)
    table.must(HandClaimed(3, cards("As Ks Qs Js Ts 4d 2c"), wager="seven_card_bonus"))
    capped = won(table, 3, "seven_card_bonus")
    assert (capped.amount_cents, capped.rule) == (50_000_00, "11.18(c), 11.18(d)")
    table.fix(60_000_00)
    assert table.claim(3).amount_cents == 60_000_00


@pytest.mark.parametrize(("odds", "cents"), [("5.5", 16_00), ("6", 18_00)])
def test_11_13_the_number_pays_whole_dollars_at_the_layouts_odds(odds: str, cents: int) -> None:
    """Three dollars: 16.50 become 16; another number and a table without a number pay none (S-97)."""
    table = a_table("pai-gow-poker", "number", pays={"number": odds})
    table.must(WagerPlaced(2, "number", 3_00, 5), WagerPlaced(4, "number", 3_00, 6))
    table.deal()
    assert not table.state.claims
    table.must(NumberDrawn(5))
    assert [(claim.seat, claim.amount_cents) for claim in table.state.claims] == [(2, cents)]
    silent = a_table("pai-gow-poker")
    silent.deal()
    assert "no number is drawn" in silent.refusal(NumberDrawn(5)).reason


def test_11_7_d_a_progressive_wager_without_a_pai_gow_wager_is_none() -> None:
    """Its light goes out, and neither chip nor coupon brings it back (S-85)."""
    table = a_table("pai-gow-poker")
    table.must(ChipPlaced(3), BaseWagerMissed(3, "Dan"))
    assert table.lit == []
    assert table.refusal(ChipPlaced(3)).rule == "11.14(a)"
    assert table.refusal(CouponRedeemed(3, "C-1")).rule == "11.14(a)"


def test_2_20_a_the_bonus_costs_a_dollar_or_five_beside_a_blackjack_wager_and_asks_for_two_cards() -> None:
    """An ace and a ten in two cards win, in three they do not (S-59)."""
    table = a_table("blackjack", "bonus", decks=6)
    for cents in (2_00, 10_00):
        assert table.refusal(WagerPlaced(2, "bonus", cents)).rule == "2.20(a)"
    table.must(BaseWagerMissed(4, "Dan"))
    assert "needs blackjack" in table.refusal(WagerPlaced(4, "bonus", 1_00)).reason
    table.must(WagerPlaced(2, "bonus", 1_00), WagerPlaced(3, "bonus", 5_00))
    table.deal()
    assert "pays nothing" in table.refusal(HandClaimed(3, cards("As 5d 5h"), wager="bonus")).reason
    table.must(HandClaimed(2, cards("As Kd"), wager="bonus"))


@pytest.mark.parametrize("is_offered", [True, False])
def test_1_13q_g_the_live_table_takes_the_bonus_only_where_the_house_offers_it(is_offered: bool) -> None:
    """The progressive is taken with the bonus or without; a wager that is not offered is told as such (S-9)."""
    table = a_table("texas-holdem-bonus", *(["bonus"] if is_offered else []))
    table.must(ChipPlaced(3))
    if is_offered:
        table.must(WagerPlaced(3, "bonus", 5_00))
        assert table.state.side[3].amounts == {"bonus": 5_00}
    else:
        assert "this table has no bonus wager" in table.refusal(WagerPlaced(3, "bonus", 5_00)).reason


def test_2_20_g_1_no_bonus_is_displayed_or_paid_before_its_cards_were_verified() -> None:
    """The dealer tells the blackjack first: other cards, and none, leave the display dark (S-61)."""
    table = a_table("blackjack", "bonus")
    table.must(WagerPlaced(2, "bonus", 5_00))
    table.deal(3)
    assert table.refusal(BonusDisplayed(2, 50_00)).rule == "2.20(f)"
    assert table.refusal(HandClaimed(2, cards("As 9d"), wager="bonus"))
    assert table.refusal(PayoutConfirmed(2, "Dan", "bonus"))
    table.must(HandClaimed(2, cards("As Kd"), wager="bonus"))
    table.must(BonusDisplayed(2, 50_00), PayoutConfirmed(2, "Dan", "bonus"))
    assert won(table, 2, "bonus").amount_cents == 50_00
