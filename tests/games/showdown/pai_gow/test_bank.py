"""The player bank and co-bank of 11.10, and where the deal starts (11.8C)."""

from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.cards import DECK_AND_JOKER
from games.showdown.input import InputFault
from games.showdown.pai_gow.bank import next_bank_offer, next_first_offer, offers, settle_centre
from games.showdown.pai_gow.start import DEALER, by_button, by_dice, by_number, next_button, stacks
from games.showdown.pai_gow.vigorish import Rounding
from tests.support.games.showdown_asking import ask, words

GAME = "pai-gow-poker"
SEATS = [1, 2, 4, 6]
WANTS = {"seat": 4, "chips_cents": 500_00, "last_wager_cents": 25_00}


def test_11_10_b_no_player_banks_the_first_round() -> None:
    """Nobody is offered the bank, and who wants it is refused."""
    told = ask(GAME, "bank", seats=SEATS, first_round=True, candidate=WANTS)
    assert (told["offers"], told["refusal"]["rule"]) == ([], "11.10(b)")


def test_11_10_c_the_bank_is_offered_from_the_far_right_counterclockwise() -> None:
    """The first offer goes to the dealer's far right, in the next round to the player on his right."""
    assert ask(GAME, "bank", seats=SEATS)["offers"] == [6, 4, 2, 1]
    assert ask(GAME, "bank", seats=SEATS, last_first_offer=6)["offers"] == [4, 2, 1, 6]
    assert ask(GAME, "bank", seats=SEATS, last_first_offer=2)["offers"] == [1, 6, 4, 2]


def test_11_10_c_after_the_last_player_the_offer_returns_to_the_dealer() -> None:
    """One round has no offer, then the far right comes first; a house may wrap at once (S-120)."""
    returned = ask(GAME, "bank", seats=SEATS, last_first_offer=1, candidate=WANTS)
    assert (returned["offers"], returned["refusal"]["rule"]) == ([], "11.10(c)")
    assert ask(GAME, "bank", seats=SEATS, last_first_offer=None)["offers"] == [6, 4, 2, 1]
    wrapped = ask(GAME, "bank", seats=SEATS, last_first_offer=1, candidate=WANTS, after_the_last="wrap")
    assert (wrapped["offers"], wrapped["refusal"]) == ([6, 4, 2, 1], None)


@settings(deadline=None)
@given(seats=st.lists(st.integers(1, 6), min_size=1, unique=True))
def test_11_10_c_the_offer_visits_every_player_and_then_the_dealer(seats: list[int]) -> None:
    """Two laps from the far right, the dealer's round between them (S-120)."""
    first: int | None = None
    visited = []
    for _ in range(2 * len(seats) + 2):
        first = next_bank_offer(seats, first, "dealer_round")
        visited.append(first)
    assert visited == [*sorted(seats, reverse=True), None] * 2


@settings(deadline=None)
@given(seats=st.lists(st.integers(1, 6), min_size=1, unique=True), data=st.data())
def test_11_10_c_the_first_offer_visits_every_player_in_a_lap(seats: list[int], data: st.DataObject) -> None:
    """Also when somebody left in between, everybody is offered the bank once per round."""
    first = data.draw(st.integers(1, 6))
    lap = []
    for _ in seats:
        first = next_first_offer(seats, first)
        lap.append(first)
        assert sorted(offers(seats, first)) == sorted(seats)
        assert offers(seats, first)[0] == first
    assert sorted(lap) == sorted(seats)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"banked_last_round": True}, "11.10(c)"),
        ({"last_wager_cents": 0}, "11.10(d)1"),
        ({"chips_cents": 199_99}, "11.10(d)2"),
        ({"areas": 2}, "11.10(f)"),
    ],
)
def test_11_10_c_d_f_why_a_player_may_not_bank(change: dict[str, Any], rule: str) -> None:
    """Each condition by itself, with its clause."""
    told = ask(GAME, "bank", seats=SEATS, candidate={**WANTS, **change}, other_wagers_cents=200_00)
    assert told["refusal"]["rule"] == rule
    assert told["dealer_wager_cents"] is None


def test_11_10_g_the_dealer_wagers_what_the_bank_last_wagered_against_him() -> None:
    """The bank may ask for less; that is the dealer's entry."""
    told = ask(GAME, "bank", seats=SEATS, candidate=WANTS, other_wagers_cents=200_00)
    assert (told["refusal"], told["dealer_wager_cents"]) == (None, 25_00)


@pytest.mark.parametrize(
    ("told", "where"),
    [
        ({"seats": []}, "seats"),
        ({"seats": [1, 1]}, "seats"),
        ({"seats": [1, 2], "candidate": WANTS}, "candidate.seat"),
    ],
)
def test_bank_questions_that_cannot_be_are_refused(told: dict[str, Any], where: str) -> None:
    """A fault names the place."""
    fault = ask(GAME, "bank", **told)
    assert isinstance(fault, InputFault)
    assert fault.where == where


BANK = {"high": words("Qs Qd 9h 8c 2d"), "low": words("Ks Jd")}
WINS = {"high": words("As Ad 7h 5c 3d"), "low": words("Ah 4c")}
LOSES = {"high": words("6s 6d 7s 5s 3s"), "low": words("Th 2h")}
DEALERS = {"high": words("Tc Td 9s 8d 2c"), "low": words("Kd Jh")}


def banked(winner: int, loser: int, **bank: Any) -> Any:
    """Seat 5 banks; seat 2 wins, seat 3 loses."""
    seats = {"5": BANK, "2": {**WINS, "wager_cents": winner}, "3": {**LOSES, "wager_cents": loser}}
    dealer: dict[str, Any] = {"dealer": DEALERS} if bank.get("dealer_wager_cents") else {}
    return ask(GAME, seats=seats, bank={"seat": 5, **bank}, **dealer)


def test_11_10_l_losing_wagers_pay_winners_and_the_surplus_less_vigorish_goes_to_the_bank() -> None:
    """$100 collected, $40 paid: $60 are charged $3, and $57 go to the bank."""
    centre = banked(40_00, 100_00)["centre"]
    assert (centre["surplus_cents"], centre["vigorish_cents"], centre["to_bank_cents"]) == (60_00, 3_00, 57_00)
    assert (centre["from_bank_cents"], centre["rule"]) == (0, "11.10(l)")


def test_11_10_l_what_lacks_is_collected_from_the_bank() -> None:
    """$40 collected, $100 to pay: the bank adds $60, and there is no vigorish on nothing."""
    centre = banked(100_00, 40_00)["centre"]
    assert (centre["from_bank_cents"], centre["from_house_cents"], centre["vigorish_cents"]) == (60_00, 0, 0)


def test_11_10_k_n_the_dealers_wager_plays_against_the_bank_without_vigorish() -> None:
    """Tens against queens and a copy low: the dealer loses $25 into the centre."""
    told = banked(40_00, 100_00, dealer_wager_cents=25_00)
    assert (told["dealer_result"]["result"], told["dealer_result"]["rule"]) == ("lose", "11.10(k)")
    assert told["centre"]["collected_cents"] == 125_00
    assert told["house"]["net_cents"] == told["house"]["vigorish_cents"] - 25_00


def test_11_10_d_2_a_winning_dealer_is_paid_last_when_the_bank_runs_short() -> None:
    """$10 lost and the bank's $60 pay seat 2's $50 first; $20 are left for the dealer's $70."""
    seats = {
        "5": LOSES,
        "2": {**WINS, "wager_cents": 50_00},
        "3": {"high": words("4h 4d 8h 7c 3c"), "low": words("9c 3h"), "wager_cents": 10_00},
    }
    told = ask(GAME, seats=seats, dealer=DEALERS, bank={"seat": 5, "dealer_wager_cents": 70_00, "chips_cents": 60_00})
    assert [line["paid_cents"] for line in told["results"] if line["seat"] == 2] == [50_00]
    assert (told["dealer_result"]["result"], told["dealer_result"]["paid_cents"]) == ("win", 20_00)
    assert told["centre"]["from_bank_cents"] == 60_00


def test_11_10_d_2_a_bank_that_cannot_cover_the_players_is_refused() -> None:
    """A cent less than the others' wagers is too little."""
    seats = {"5": BANK, "2": {**WINS, "wager_cents": 50_00}, "3": {**LOSES, "wager_cents": 10_00}}
    assert ask(GAME, seats=seats, bank={"seat": 5, "chips_cents": 60_00})["centre"]["from_bank_cents"] == 40_00
    fault = ask(GAME, seats=seats, bank={"seat": 5, "chips_cents": 59_99})
    assert isinstance(fault, InputFault)
    assert (fault.where, "11.10(d)2" in fault.problem) == ("bank.chips_cents", True)


def test_11_10_m_the_odd_cent_belongs_to_the_banks_half() -> None:
    """Of 61 cents missing the bank adds 31, of 61 over it receives 31 before vigorish."""
    lacks, over = settle_centre(0, 61, "exact", co_bank=True), settle_centre(61, 0, "exact", co_bank=True)
    assert (lacks.from_bank_cents, lacks.from_house_cents) == (31, 30)
    assert (over.to_bank_cents + over.vigorish_cents, over.to_house_cents) == (31, 30)


def test_11_10_m_co_banking_halves_what_lacks_and_what_is_over() -> None:
    """Half from and to the table inventory; vigorish on the co-bank's half only."""
    lacks = banked(100_00, 40_00, co_bank=True)["centre"]
    assert (lacks["from_bank_cents"], lacks["from_house_cents"]) == (30_00, 30_00)
    over = banked(40_00, 100_00, co_bank=True)["centre"]
    assert (over["to_house_cents"], over["vigorish_cents"], over["to_bank_cents"]) == (30_00, 1_50, 28_50)
    assert over["rule"] == "11.10(m)"


def test_11_10_o_a_winner_against_the_bank_pays_vigorish_to_the_dealer() -> None:
    """Five percent of the $40 won, beside the bank's own."""
    told = banked(40_00, 100_00)
    assert {line["seat"]: line["vigorish_cents"] for line in told["results"]} == {2: 2_00, 3: 0}
    assert told["house"]["vigorish_cents"] == 5_00


def test_11_10_e_the_dealer_sets_a_co_banks_hand_the_house_way() -> None:
    """However the co-bank's cards lie."""
    lies = {"high": words("Ks Jd 9h 8c 2d"), "low": words("Qs Qd")}
    told = ask(GAME, seats={"5": lies, "2": {**WINS, "wager_cents": 1_00}}, bank={"seat": 5, "co_bank": True})
    assert sorted(told["hands"][0]["low"]) == ["Jd", "Ks"]


def test_11_11_j_a_bank_that_sets_its_hands_wrongly_does_not_lose_by_it() -> None:
    """The dealer resets them the house way; hands that are only unwise stay."""
    foul = {"high": words("Ks Jd 9h 8c 2d"), "low": words("Qs Qd")}
    told = ask(GAME, seats={"5": foul, "3": {**LOSES, "wager_cents": 1_00}}, bank={"seat": 5})
    assert (told["hands"][0]["set_by"], told["hands"][0]["rule"]) == ("reset", "11.11(j)")
    assert told["results"][0]["result"] == "lose"
    unwise = {"high": words("Qs Qd Ks Jd 9h"), "low": words("8c 2d")}
    told = ask(GAME, seats={"5": unwise, "3": {**LOSES, "wager_cents": 1_00}}, bank={"seat": 5})
    assert told["hands"][0]["set_by"] == "player"


@pytest.mark.parametrize(
    ("told", "where"),
    [
        ({"bank": {"seat": 5, "co_bank": True, "dealer_wager_cents": 5}, "dealer": DEALERS}, "bank.dealer_wager_cents"),
        ({"bank": {"seat": 1}}, "bank.seat"),
        ({"bank": {"seat": 5, "dealer_wager_cents": 5}}, "dealer"),
        ({"seats": {"5": {**BANK, "wager_cents": 5}}, "bank": {"seat": 5}}, "seats.5.wager_cents"),
        ({"seats": {"5": {"void": True}}, "bank": {"seat": 5}}, "bank.seat"),
        (
            {
                "seats": {"5": {**BANK, "player": "Lee"}, "6": {**WINS, "wager_cents": 5, "player": "Lee"}},
                "bank": {"seat": 5},
            },
            "seats.5.player",
        ),
    ],
)
def test_11_10_e_f_banks_that_cannot_be_are_refused(told: dict[str, Any], where: str) -> None:
    """Also a bank on two areas, and a co-banking dealer with a wager of his own."""
    fault = ask(GAME, **{"seats": {"5": BANK, "2": {**WINS, "wager_cents": 1_00}}, **told})
    assert isinstance(fault, InputFault)
    assert fault.where == where


@settings(deadline=None)
@given(lost=st.integers(0, 10**8), won=st.integers(0, 10**8), co_bank=st.booleans(), data=st.data())
def test_11_10_l_m_everything_in_the_centre_is_accounted_for(
    lost: int, won: int, co_bank: bool, data: st.DataObject
) -> None:
    """What comes into the centre goes out of it, nobody is paid twice, and halves differ by a cent at most."""
    rounding: Rounding = data.draw(st.sampled_from(get_args(Rounding)))
    centre = settle_centre(lost, won, rounding, co_bank=co_bank)
    came = centre.collected_cents + centre.from_bank_cents + centre.from_house_cents
    assert came == centre.paid_cents + centre.to_house_cents + centre.vigorish_cents + centre.to_bank_cents
    assert min(centre.to_bank_cents, centre.to_house_cents, centre.vigorish_cents) >= 0
    if co_bank:
        assert 0 <= centre.from_bank_cents - centre.from_house_cents <= 1
        assert 0 <= centre.to_bank_cents + centre.vigorish_cents - centre.to_house_cents <= 1
    else:
        assert centre.from_house_cents == centre.to_house_cents == 0


@st.composite
def banked_rounds(draw: st.DrawFn) -> dict[str, Any]:
    pack = iter(draw(st.permutations([str(card) for card in DECK_AND_JOKER])))
    seats = draw(st.lists(st.integers(1, 6), min_size=2, max_size=6, unique=True))
    co_bank = draw(st.booleans())
    return {
        "seats": {
            str(seat): {
                "cards": [next(pack) for _ in range(7)],
                "wager_cents": 0 if seat == seats[0] else draw(st.integers(1, 500_00)),
            }
            for seat in seats
        },
        "dealer": {"cards": [next(pack) for _ in range(7)]},
        "bank": {
            "seat": seats[0],
            "co_bank": co_bank,
            "dealer_wager_cents": 0 if co_bank else draw(st.integers(0, 50_00)),
        },
    }


@settings(deadline=None)
@given(told=banked_rounds())
def test_11_10_players_bank_and_house_end_with_nothing_lost_between_them(told: dict[str, Any]) -> None:
    """The nets of all parties add up to zero."""
    answer = ask(GAME, **told)
    players = sum(line["paid_cents"] - line["vigorish_cents"] - line["collected_cents"] for line in answer["results"])
    bank = answer["centre"]["to_bank_cents"] - answer["centre"]["from_bank_cents"]
    assert players + bank + answer["house"]["net_cents"] == 0


def test_11_8c_b_3_the_rules_own_examples() -> None:
    """Eight is the dealer; fourteen is the sixth betting position counted, which is the seat at the dealer's left."""
    assert by_dice((1, 1, 6)).position == DEALER
    assert by_dice((4, 5, 5)).position == 1


def test_11_8c_b_2_positions_are_counted_counterclockwise_with_the_dealer_as_one() -> None:
    """Two is the dealer's far right."""
    assert [by_number(number).position for number in range(1, 8)] == [DEALER, 6, 5, 4, 3, 2, 1]


@settings(deadline=None)
@given(dice=st.tuples(*[st.integers(1, 6)] * 3), bank=st.integers(0, 6))
def test_11_8c_b_dice_and_generator_count_alike_around_seven_positions(dice: tuple[int, int, int], bank: int) -> None:
    """A total beyond seven goes on counting; everybody receives one stack."""
    start = by_dice(dice, bank)
    assert start.position == by_number((sum(dice) - 1) % 7 + 1, bank).position
    assert start.order[0] == start.position
    assert sorted(start.order) == list(range(7))


def test_11_8_c_cards_are_dealt_clockwise_from_the_starting_position() -> None:
    """The dealer is one of the seven, empty positions included."""
    assert ask(GAME, "start", number=4)["order"] == [4, 5, 6, 0, 1, 2, 3]


def test_11_8c_d_the_button_starts_before_the_dealer_and_rotates_clockwise() -> None:
    """Dealer, then seats 1 to 6, then the dealer again."""
    assert next_button(None) == DEALER
    assert [next_button(position) for position in range(7)] == [1, 2, 3, 4, 5, 6, 0]
    assert by_button(3).rule == "11.8C(d)"
    assert ask(GAME, "start", button_was=6)["position"] == 0


def test_11_10_h_3_i_4_j_3_with_a_bank_the_bank_is_number_one() -> None:
    """Seat 3 banks: a total of eight starts there."""
    told = ask(GAME, "start", dice=[2, 2, 4], bank=3)
    assert (told["position"], told["rule"]) == (3, "11.8C(b), 11.10(h)-(j)")


def test_11_10_i_1_5_the_bank_chooses_the_first_stack_and_the_rest_follow_to_its_right() -> None:
    """Stacks are numbered from the dealer's left; after the seventh comes the first."""
    assert stacks() == (1, 2, 3, 4, 5, 6, 7)
    assert ask(GAME, "start", number=1, bank=3, first_stack=5)["stacks"] == [5, 6, 7, 1, 2, 3, 4]
    assert stacks(7) == (7, 1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize(
    ("told", "where"),
    [
        ({"dice": [1, 2, 3], "number": 4}, "input"),
        ({"number": 4, "button_was": 0}, "input"),
        ({"number": 4, "first_stack": 2}, "first_stack"),
    ],
)
def test_starts_that_cannot_be_are_refused(told: dict[str, Any], where: str) -> None:
    """A fault names the place."""
    fault = ask(GAME, "start", **told)
    assert isinstance(fault, InputFault)
    assert fault.where == where
