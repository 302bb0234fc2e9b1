"""How a live round of pai gow poker is banked and dealt, clause by clause (11.4, 11.8C, 11.9, 11.10, 11.17(h))."""

import msgspec
import pytest

from games.money import dollars
from games.round.deal import bank_offers, centre, house_way, next_offered, start
from games.round.effects import DrawNumber
from games.round.events import (
    AreasHeld,
    BankGivenBack,
    BankPassed,
    BankTaken,
    BaseWagerLaid,
    BaseWagerMissed,
    BaseWagerWon,
    CentreCounted,
    ChipPlaced,
    ChipsCounted,
    DiceTotalled,
    EndOfRoundPressed,
    Event,
    HouseWayAsked,
    IrregularityNoted,
    LockOutPressed,
    NumberDrawn,
    SeatFolded,
    StubCounted,
    WagerPlaced,
)
from games.round.state import RoundState
from games.round.table_rules import TableRules
from tests.support.games.pit import PaperTable, table_rules


def pai_gow(*offers: str, **choices: str) -> TableRules:
    """A table of pai gow poker that offers these wagers and has made these choices."""
    return table_rules("base", name="pai-gow-poker", offers=offers, choices=choices)


BANKS = pai_gow(player_bank="co_bank")


def bank(seat: int, **told: int | bool) -> BankTaken:
    """A bank that nothing is wrong with, except as told."""
    usual = {"chips_cents": 500_00, "others_cents": 200_00, "last_wager_cents": 25_00, "dealer_wager_cents": 25_00}
    return msgspec.convert({"type": "BankTaken", "seat": seat, **usual, **told}, BankTaken)


def play_round(table: PaperTable, *events: Event) -> None:
    """A round without progressive wagers, with these events while wagers are open."""
    table.must(*events, LockOutPressed(), ChipsCounted(table.state.chips_due), EndOfRoundPressed())
    table.next_round()


@pytest.fixture
def table() -> PaperTable:
    """A table where players may bank, in its second round."""
    table = PaperTable(BANKS)
    play_round(table)
    return table


def test_11_10_a_a_house_that_offers_no_bank_refuses_it() -> None:
    """The option is the licensee's; by default there is none (S-93)."""
    table = PaperTable(pai_gow())
    play_round(table)
    assert table.refusal(bank(6)).rule == "11.10(a)"
    assert next_offered(table.rules, table.state.deal) is None


def test_11_10_b_nobody_banks_the_first_round() -> None:
    """Not before a round was played after the table was opened (S-93)."""
    table = PaperTable(BANKS)
    assert table.refusal(bank(6)).rule == "11.10(b)"
    play_round(table)
    table.must(bank(6))


def test_11_10_c_a_bank_out_of_turn_is_refused_and_changes_nothing(table: PaperTable) -> None:
    """It is offered from the far right; every seat before must have passed it on (S-93, S-120)."""
    before = table.state
    why = table.refusal(bank(4))
    assert (why.rule, "seats 6, 5 come before seat 4" in why.reason) == ("11.10(c)", True)
    assert table.state == before
    table.must(BankPassed((6,)))
    assert "seat 5 comes before seat 4" in table.refusal(bank(4)).reason
    table.must(BankPassed((5,)), bank(4))
    assert table.state.deal.bank is not None
    assert table.state.deal.bank.seat == 4


def test_11_10_c_who_passed_has_had_the_offer(table: PaperTable) -> None:
    """A pass entered by mistake is taken back as a whole (S-93)."""
    table.must(BankPassed((6,)))
    assert table.refusal(bank(6)).rule == "11.10(c)"
    assert table.refusal(BankPassed((6,))).rule == "11.10(c)"
    table.must(BankGivenBack(), bank(6))
    assert table.refusal(BankPassed((5,))).rule == "11.10(c)"


def test_11_10_c_the_first_offer_goes_around_until_it_returns_to_the_dealer(table: PaperTable) -> None:
    """One seat further each round, whether or not anybody took it; then one round is the dealer's (S-120)."""
    firsts = []
    for _ in range(8):
        firsts.append(next_offered(table.rules, table.state.deal))
        play_round(table)
    assert firsts == [6, 5, 4, 3, 2, 1, None, 6]


def test_11_10_c_when_the_offer_has_returned_to_the_dealer_nobody_banks(table: PaperTable) -> None:
    """The words say so (S-120)."""
    for _ in range(6):
        play_round(table)
    assert "returned to the dealer" in table.refusal(bank(6)).reason


def test_11_10_c_a_house_may_offer_it_to_the_far_right_at_once() -> None:
    """Option: no round of the dealer between (S-120)."""
    table = PaperTable(pai_gow(player_bank="bank", bank_offer="wrap"))
    play_round(table)
    for _ in range(6):
        play_round(table)
    assert next_offered(table.rules, table.state.deal) == 6


def test_11_10_c_nobody_banks_two_rounds_running(table: PaperTable) -> None:
    """The last bank is passed over, whoever is offered it first (S-93)."""
    play_round(table, BankPassed((6,)), bank(5))
    assert bank_offers(table.rules, table.state.deal) == (4, 3, 2, 1, 6)
    assert table.refusal(bank(5)).reason == "seat 5 banked the last round"
    play_round(table)
    table.must(BankPassed((4, 3, 2, 1, 6)), bank(5))


def test_11_10_d_1_the_bank_wagered_against_the_dealer_in_the_last_round_without_a_bank(table: PaperTable) -> None:
    """The dealer's word counts, and so does what was said of the seat then, also over a bank between (S-93)."""
    assert table.refusal(bank(6, last_wager_cents=0)).rule == "11.10(d)1"
    play_round(table, BaseWagerMissed(3))
    play_round(table, bank(5))
    table.must(BankPassed((4,)))
    assert table.refusal(bank(3)).rule == "11.10(d)1"
    table.must(BankPassed((3,)), bank(2))


def test_11_10_d_2_the_bank_covers_all_other_wagers(table: PaperTable) -> None:
    """To the cent (S-93)."""
    assert table.refusal(bank(6, chips_cents=199_99)).rule == "11.10(d)2"
    table.must(bank(6, chips_cents=200_00))


def test_11_10_e_co_banking_only_where_the_house_offers_it() -> None:
    """Then the dealer wagers nothing against the bank (S-93)."""
    alone = PaperTable(pai_gow(player_bank="bank"))
    play_round(alone)
    assert alone.refusal(bank(6, co_bank=True, dealer_wager_cents=0)).rule == "11.10(e)"
    table = PaperTable(BANKS)
    play_round(table)
    assert table.refusal(bank(6, co_bank=True)).rule == "11.10(e)"
    table.must(bank(6, co_bank=True, dealer_wager_cents=0))


def test_11_10_f_the_bank_holds_one_area(table: PaperTable) -> None:
    """Whichever was entered first (S-93)."""
    table.must(AreasHeld((5, 6)))
    assert table.refusal(bank(6)).rule == "11.10(f)"
    table.must(AreasHeld((5,)), bank(6))
    assert table.refusal(AreasHeld((5, 6))).rule == "11.10(f)"


def test_11_10_g_the_dealer_wagers_at_most_the_banks_last_wager(table: PaperTable) -> None:
    """The bank may direct a lesser amount, or none (S-93)."""
    assert table.refusal(bank(6, dealer_wager_cents=25_01)).rule == "11.10(g)"
    table.must(bank(6, dealer_wager_cents=0))


def test_11_10_p_the_bank_makes_no_wager_of_its_own_and_the_others_keep_theirs(table: PaperTable) -> None:
    """The light goes out, a chip goes back; a progressive wager elsewhere is the house's as ever (S-94)."""
    table.must(ChipPlaced(6), ChipPlaced(2), bank(6))
    assert table.lit == [2]
    assert table.state.loose_chips == 1
    assert table.refusal(ChipPlaced(6)).rule == "11.10(f), (p)"
    assert table.refusal(BaseWagerLaid(6)).rule == "11.10(f), (p)"
    table.must(BankGivenBack(), ChipPlaced(6))
    assert table.lit == [2, 6]


def test_11_10_p_a_house_may_take_the_banks_side_wagers_on_its_one_area() -> None:
    """Option of section 7.12 (S-94)."""
    table = PaperTable(pai_gow(player_bank="bank", bank_side_wagers="taken"))
    play_round(table)
    table.must(bank(6), ChipPlaced(6))
    assert table.lit == [6]


def test_11_10_a_bank_is_taken_before_lock_out_only(table: PaperTable) -> None:
    """Afterwards the words say when (S-93)."""
    table.must(LockOutPressed())
    assert "before lock-out" in table.refusal(bank(6)).reason


def test_11_10_l_m_the_centre_is_settled_with_the_bank(table: PaperTable) -> None:
    """Surplus less five per cent to the bank; of a co-bank, half to the rack first (S-93)."""
    table.must(bank(6), LockOutPressed(), ChipsCounted(0), CentreCounted(125_00, 40_00))
    found = centre(table.rules, table.state.deal)
    assert found is not None
    assert (found.vigorish_cents, found.to_bank_cents, found.rule) == (4_25, 80_75, "11.10(l)")
    assert table.refusal(CentreCounted(0, 500_01)).rule == "11.10(d)2"


def test_11_10_l_without_a_bank_there_is_no_centre(table: PaperTable) -> None:
    """The dealer pays from the rack (S-93)."""
    table.must(LockOutPressed(), ChipsCounted(0))
    assert table.refusal(CentreCounted(1, 0)).rule == "11.10(l)"


def test_11_8_c_the_generator_draws_once_and_the_bank_counts_as_one() -> None:
    """Counted counterclockwise: with the dealer as one, number 3 is seat 5; with seat 4 as one, it is seat 2 (S-82)."""
    table = PaperTable(pai_gow(start="generator", player_bank="bank"))
    table.must(LockOutPressed(), ChipsCounted(0))
    assert DrawNumber() in table.orders
    table.must(NumberDrawn(3))
    begins = start(table.rules, table.state)
    assert begins is not None
    assert (begins.position, begins.order[:2]) == (5, (5, 6))
    assert table.refusal(NumberDrawn(4)).rule == "11.8C(c)"
    table.must(EndOfRoundPressed())
    table.next_round()
    table.must(BankPassed((6, 5)), bank(4), LockOutPressed(), ChipsCounted(0), NumberDrawn(3))
    begins = start(table.rules, table.state)
    assert begins is not None
    assert begins.position == 2


def test_11_8_c_b_the_dice_say_where_the_deal_starts() -> None:
    """A total of 14 is the sixth position after the dealer, our seat 1 (S-82)."""
    table = PaperTable(pai_gow())
    table.must(LockOutPressed(), ChipsCounted(0))
    assert table.refusal(DiceTotalled((6, 6, 7))).rule == "11.4(a)1"
    table.must(DiceTotalled((6, 6, 2)))
    begins = start(table.rules, table.state)
    assert begins is not None
    assert begins.position == 1


def test_11_8_c_d_the_button_lies_before_the_dealer_and_moves_clockwise() -> None:
    """One place with each round (S-82)."""
    table = PaperTable(pai_gow(start="button"))
    places = []
    for _ in range(8):
        begins = start(table.rules, table.state)
        assert begins is not None
        places.append(begins.position)
        play_round(table)
    assert places == [0, 1, 2, 3, 4, 5, 6, 0]
    table.must(LockOutPressed(), ChipsCounted(0))
    assert table.refusal(DiceTotalled((1, 1, 1))).rule == "11.4(a)"


STUB = pai_gow("three_card_bonus", "seven_card_bonus")


def at_fifth_round(rules: TableRules = STUB) -> PaperTable:
    """A table in its fifth round, dealt, with no stub counted before."""
    table = PaperTable(rules)
    for _ in range(4):
        play_round(table)
    table.must(WagerPlaced(2, "seven_card_bonus"), LockOutPressed(), ChipsCounted(0))
    return table


def test_11_17_h_the_fifth_round_does_not_end_without_a_count_of_the_stub() -> None:
    """Four rounds may; the words say what to do, and after the count four may again (S-110)."""
    table = at_fifth_round()
    why = table.refusal(EndOfRoundPressed())
    assert (why.rule, "count the stub first: 4 rounds" in why.reason) == ("11.17(h)", True)
    table.must(StubCounted(11, 6), EndOfRoundPressed())
    table.next_round()
    for _ in range(4):
        play_round(table)
    table.must(LockOutPressed(), ChipsCounted(0))
    assert table.refusal(EndOfRoundPressed()).rule == "11.17(h)"


def test_11_17_h_2_a_stub_of_the_wrong_size_is_refused_until_a_supervisor_voids_the_hands() -> None:
    """The deck then leaves the table and is counted; seven-card wagers go back (S-110)."""
    table = at_fifth_round()
    why = table.refusal(StubCounted(12, 6))
    assert (why.rule, "make 54, not 53" in why.reason) == ("11.17(h)2", True)
    assert table.refusal(StubCounted(11, 8)).rule == "11.17(h)"
    assert table.refusal(EndOfRoundPressed()).rule == "11.17(h)"
    table.must(IrregularityNoted("wrong_count_left_deck_faulty", "Sue"))
    assert table.state.refunds_due == {2: ("seven_card_bonus",)}


def test_11_17_i_a_shuffler_that_counts_spares_the_count() -> None:
    """No round waits for it (S-110)."""
    table = at_fifth_round(pai_gow("seven_card_bonus", stub="shuffler_counts"))
    assert table.refusal(StubCounted(11, 6)).rule == "11.17(i)"
    table.must(EndOfRoundPressed())


def test_11_17_h_other_ways_to_deal_leave_four_cards_and_no_stub() -> None:
    """Nothing is asked there (S-110)."""
    table = PaperTable(pai_gow())
    for _ in range(6):
        play_round(table)
    table.must(LockOutPressed(), ChipsCounted(0))
    assert table.refusal(StubCounted(4, 7)).rule == "11.17(h)"


SEVEN = ("As", "Kd", "Qh", "9c", "7d", "4s", "2c")


def test_11_9_b_d_the_house_way_is_shown_of_cards_that_can_lie_there(table: PaperTable) -> None:
    """Seven cards, each once on the table; the highest card high, the next two low (S-89)."""
    table.must(LockOutPressed(), ChipsCounted(0), HouseWayAsked(0, SEVEN))
    hands = house_way(table.rules, 0, table.state.deal.set_cards[0])
    assert (hands.low, hands.high[0]) == (("Kd", "Qh"), "As")
    assert "7 belong" in table.refusal(HouseWayAsked(3, SEVEN[:6])).reason
    other = ("As", "3d", "3h", "9d", "8d", "5s", "Jc")
    assert table.refusal(HouseWayAsked(3, other)).reason == "As lies at the dealer"
    assert table.refusal(HouseWayAsked(3, ("3d", "3d", "3h", "9d", "8d", "5s", "Jc"))).rule == "11.9(d)"


def test_11_9_j_a_won_base_wager_needs_a_wager(table: PaperTable) -> None:
    """Not at a seat that surrendered, banks or made none (S-90)."""
    table.must(BaseWagerMissed(2), LockOutPressed(), ChipsCounted(0), SeatFolded(3), BaseWagerWon(5, 33_00))
    assert table.state.deal.won == {5: 33_00}
    assert table.refusal(BaseWagerWon(2, 33_00)).rule == "11.9(i)"
    assert table.refusal(BaseWagerWon(3, 33_00)).rule == "11.9(i)"
    assert dollars(100_000_00) in table.refusal(BaseWagerWon(5, 0)).reason


def test_what_is_known_of_the_deal_survives_a_power_cut(table: PaperTable) -> None:
    """The book is read back from its bytes as it was."""
    table.must(BankPassed((6,)), bank(5), LockOutPressed(), ChipsCounted(0), HouseWayAsked(0, SEVEN))
    table.must(BaseWagerWon(3, 10_00), CentreCounted(10_00, 20_00), DiceTotalled((1, 2, 3)))
    assert msgspec.json.decode(msgspec.json.encode(table.state), type=RoundState) == table.state


@pytest.mark.parametrize("name", ["caribbean-stud", "texas-holdem-bonus"])
def test_other_games_know_nothing_of_this(name: str) -> None:
    """They refuse it in words."""
    table = PaperTable(table_rules("base" if name == "caribbean-stud" else "A", name=name))
    assert table.refusal(bank(1)).rule == "11.10(a)"
    table.must(LockOutPressed(), ChipsCounted(0))
    for event in (DiceTotalled((1, 1, 1)), StubCounted(4, 7), HouseWayAsked(0, SEVEN), BaseWagerWon(1, 1_00)):
        assert table.refusal(event).reason
