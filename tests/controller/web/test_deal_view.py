"""What the panel says of the deal: bank, start, house way, vigorish and centre in the dealer's words."""

import pytest

from controller.web.actions import seat_offers, table_offers
from controller.web.deal_view import deal_lines
from controller.web.next_step import next_step
from games.round.events import (
    BankPassed,
    BankTaken,
    BaseWagerWon,
    CentreCounted,
    ChipsCounted,
    EndOfRoundPressed,
    HouseWayAsked,
    LockOutPressed,
    NumberDrawn,
)
from tests.support.games.pit import PaperTable, table_rules


def second_round(*offers: str, **choices: str) -> PaperTable:
    """A table of pai gow poker in its second round."""
    table = PaperTable(table_rules("base", name="pai-gow-poker", offers=offers, choices=choices))
    table.must(LockOutPressed(), ChipsCounted(0), EndOfRoundPressed())
    table.next_round()
    return table


def said(table: PaperTable) -> list[str]:
    """Every line of the deal, with its clause."""
    return [f"{line.words} ({line.rule})" for line in deal_lines(table.rules, table.state)]


def orders(table: PaperTable) -> list[str]:
    """What the panel offers of bank and deal."""
    mine = {"bank", "pass-bank", "no-bank", "dice", "stub", "house-way", "centre"}
    return [offer.label for offer in table_offers(table.rules, table.state) if offer.action in mine]


def test_11_10_c_the_panel_offers_the_bank_to_one_seat_after_the_other() -> None:
    """Take or pass, in turn; once it is taken nobody is offered it (S-93, S-120)."""
    table = second_round(player_bank="bank")
    assert orders(table) == ["Seat 6 takes the bank", "Seat 6 passes the bank"]
    table.must(BankPassed((6,)))
    assert orders(table) == ["Seat 5 takes the bank", "Seat 5 passes the bank", "Undo: no player banks"]
    table.must(BankTaken(5, 500_00, 200_00, 25_00, 25_00))
    assert orders(table) == ["Undo: no player banks"]
    assert said(table) == ["Seat 5 banks; the dealer wagers $25 against it (11.10(g))"]


def test_11_10_e_l_m_bank_and_centre_in_words() -> None:
    """Half of a co-bank's surplus goes to the rack first (S-93)."""
    table = second_round(player_bank="co_bank")
    table.must(BankTaken(6, 500_00, 200_00, 25_00, co_bank=True), LockOutPressed(), ChipsCounted(0))
    table.must(CentreCounted(125_00, 40_00))
    assert said(table) == [
        "Seat 6 and the house bank, half and half; the dealer sets that hand (11.10(e))",
        "Centre: $42.50 to the rack, $2.13 vigorish, $40.37 to the bank (11.10(m))",
    ]


@pytest.mark.parametrize(("rounding", "due"), [("exact", "$1.65"), ("next_25", "$1.75")])
def test_11_9_j_the_panel_shows_what_to_pay_and_the_vigorish(rounding: str, due: str) -> None:
    """Five per cent of $33, to the cent or up to the next quarter (S-90)."""
    table = second_round(vigorish=rounding)
    table.must(LockOutPressed(), ChipsCounted(0), BaseWagerWon(5, 33_00))
    assert said(table) == [f"Seat 5: pay $33, collect {due} vigorish (11.9(i), (j))"]


def test_11_8_c_the_panel_announces_number_and_first_seat() -> None:
    """As soon as the generator has drawn (S-82)."""
    table = second_round(start="generator")
    table.must(LockOutPressed(), ChipsCounted(0))
    assert next_step(table.rules, table.state) == "No progressive wagers: deal"
    table.must(NumberDrawn(3))
    assert next_step(table.rules, table.state) == "No progressive wagers: number 3, seat 5 first, deal"
    counted = "the generator shows 3; counted counterclockwise, the dealer being one"
    assert said(table) == [f"First cards to seat 5: {counted} (11.8C(c))"]


def test_11_9_d_the_house_way_in_words() -> None:
    """High and low hand with their names, and the rule of the house that set them so (S-89)."""
    table = second_round()
    table.must(LockOutPressed(), ChipsCounted(0), HouseWayAsked(0, ("As", "Kd", "Qh", "9c", "7d", "4s", "2c")))
    hands = "high As 9c 7d 4s 2c (high card), low Kd Qh (high card)"
    rule = "no pair: the highest card high, the next two low (11.9(d))"
    assert said(table) == [f"House way, the dealer: {hands}; {rule}"]
    assert "House way of this hand" in [offer.label for offer in seat_offers(table.rules, table.state, 3)]


def test_11_17_h_the_panel_asks_for_the_stub_in_the_fifth_round() -> None:
    """And in none before (S-110)."""
    table = second_round("seven_card_bonus")
    for _ in range(3):
        table.must(LockOutPressed(), ChipsCounted(0))
        assert "Count the stub" not in orders(table)
        table.must(EndOfRoundPressed())
        table.next_round()
    table.must(LockOutPressed(), ChipsCounted(0))
    assert "Count the stub" in orders(table)
