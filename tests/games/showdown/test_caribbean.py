"""The base game of caribbean stud: odds, payout limit and the dealer's qualification."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.cards import DECK
from games.ranking import high_five
from games.showdown.input import InputFault
from tests.support.games.showdown_asking import ask, words

GAME = "caribbean-stud"
ACE_KING = "Ah Kh Tc 5d 2s"
NOTHING = "Ah Qh Tc 5d 2s"


def seat(cards: str, ante: int = 10_00, bet: int = 20_00) -> dict[str, Any]:
    return {"ante_cents": ante, "bet_cents": bet, "cards": words(cards)}


def lines(cards: str, dealer: str = ACE_KING, **options: Any) -> dict[str, tuple[str, int, str]]:
    told = ask(GAME, seats={"3": seat(cards)}, dealer=words(dealer), options=options)
    return {line["wager"]: (line["result"], line["paid_cents"], line["rule"]) for line in told["lines"]}


@pytest.mark.parametrize(
    ("cards", "odds"),
    [
        ("As Ks Qs Js Ts", 100),
        ("9s 8s 7s 6s 5s", 50),
        ("9s 9d 9h 9c Ts", 20),
        ("9s 9d 9h 5c 5s", 7),
        ("As Js 9s 5s 3s", 5),
        ("9s 8d 7h 6c 5s", 4),
        ("9s 9d 9h 6c 5s", 3),
        ("9s 9d 6h 6c 5s", 2),
        ("9s 9d 8h 6c 5s", 1),
        ("As Ks Qd 6c 5s", 1),
    ],
)
def test_16_12_b_c_ante_one_to_one_and_bet_at_the_listed_odds(cards: str, odds: int) -> None:
    """Every line of the table, against a dealer with ace and king."""
    assert lines(cards) == {"ante": ("win", 10_00, "16.12(b)"), "bet": ("win", odds * 20_00, "16.12(c)")}


def test_16_12_c_a_licensee_may_pay_more_but_never_less() -> None:
    """Six to one for a flush is lawful, four to one is not."""
    assert lines("As Js 9s 5s 3s", odds={"flush": 6})["bet"][1] == 120_00
    fault = ask(GAME, seats={"3": seat("As Js 9s 5s 3s")}, dealer=words(ACE_KING), options={"odds": {"flush": 4}})
    assert isinstance(fault, InputFault)
    assert (fault.where, "16.12(c)" in fault.problem) == ("options.odds.flush", True)


def test_16_12_d_the_limit_caps_the_bet_and_never_the_ante() -> None:
    """A bet of $200 on a royal flush would win $20,000; the limit of $5,000 holds it, the ante is paid besides."""
    told = ask(
        GAME,
        seats={"3": seat("As Ks Qs Js Ts", 100_00, 200_00)},
        dealer=words(ACE_KING),
        options={"limit_cents": 5_000_00, "minimum_ante_cents": 10_00},
    )
    assert [(line["paid_cents"], line["rule"]) for line in told["lines"]] == [
        (100_00, "16.12(b)"),
        (5_000_00, "16.12(d)"),
    ]


@pytest.mark.parametrize(
    ("minimum", "least"), [(5_00, 5_000_00), (24_00, 5_000_00), (25_00, 5_025_00), (100_00, 20_100_00)]
)
def test_16_12_d_the_limit_is_at_least_5000_or_what_the_minimum_wager_could_win(minimum: int, least: int) -> None:
    """Whichever is greater; a cent less is refused."""
    options = {"limit_cents": least - 1, "minimum_ante_cents": minimum}
    fault = ask(GAME, seats={"3": seat(ACE_KING)}, dealer=words("9s 9d 8h 6c 5s"), options=options)
    assert isinstance(fault, InputFault)
    assert fault.where == "options.limit_cents"
    assert f"{least // 100:,}" in fault.problem
    lawful = {**options, "limit_cents": least}
    assert not isinstance(
        ask(GAME, seats={"3": seat(ACE_KING)}, dealer=words("9s 9d 8h 6c 5s"), options=lawful), InputFault
    )


@pytest.mark.parametrize(("odds", "least"), [({"royal_flush": 250}, 5_010_00), ({"straight_flush": 300}, 6_010_00)])
def test_16_12_d_odds_that_the_house_raised_raise_the_least_limit(odds: dict[str, int], least: int) -> None:
    """An ante of $10 wins $10, its bet of $20 at 250 to 1 $5,000 more: $5,010, not the listed 100 to 1."""
    told: dict[str, Any] = {"seats": {"3": seat(ACE_KING)}, "dealer": words("9s 9d 8h 6c 5s")}
    options = {"odds": odds, "limit_cents": least, "minimum_ante_cents": 10_00}
    assert not isinstance(ask(GAME, **told, options=options), InputFault)
    fault = ask(GAME, **told, options={**options, "limit_cents": least - 1})
    assert isinstance(fault, InputFault)
    assert (fault.where, "16.12(d)" in fault.problem) == ("options.limit_cents", True)


@pytest.mark.parametrize(
    ("dealer", "qualifies"), [(ACE_KING, True), (NOTHING, False), ("Kh Qh Jc Td 2s", False), ("2h 2d Tc 5d 4s", True)]
)
def test_16_11_c_the_dealer_qualifies_with_ace_and_king_or_better(dealer: str, qualifies: bool) -> None:
    """Our reading of the section the text does not give: otherwise the ante wins and the bet is returned."""
    told = ask(GAME, seats={"3": seat("9s 9h 9d 8c 7s")}, dealer=words(dealer))
    assert told["dealer"]["qualifies"] is qualifies
    assert [line["result"] for line in told["lines"]] == ["win", "win" if qualifies else "push"]


def test_the_same_hand_pushes_and_a_lower_hand_loses_both_wagers() -> None:
    """Suits never decide."""
    assert [result for result, _, _ in lines("Ad Kd Th 5s 2c").values()] == ["push", "push"]
    assert [result for result, _, _ in lines("Ad Kd 8h 5s 2c").values()] == ["lose", "lose"]


def test_a_folded_ante_is_collected_without_a_look_at_the_cards() -> None:
    """No bet, no comparison, and the dealer's qualification does not matter."""
    told = ask(GAME, seats={"3": {"ante_cents": 5_00}}, dealer=words(NOTHING))
    assert [(line["wager"], line["result"]) for line in told["lines"]] == [("ante", "lose")]
    assert told["net_cents"] == {"3": -5_00}


def test_16_12_g_players_are_settled_from_the_far_right() -> None:
    """Seat 7 first, seat 1 last."""
    told = ask(GAME, seats={"1": seat("9s 9d 8h 6c 5s"), "7": seat("Ts Td 8c 6d 4s")}, dealer=words(ACE_KING))
    assert [line["seat"] for line in told["lines"]] == [7, 7, 1, 1]


@pytest.mark.parametrize(
    ("told", "where"),
    [
        ({"seats": {}}, "seats"),
        ({"seats": {"8": seat("9s 9d 8h 6c 5s")}}, "seats"),
        ({"seats": {"3": seat("9s 9d 8h 6c")}}, "seats.3.cards"),
        ({"seats": {"3": seat("9s 9d 8h 6c Ah")}}, "dealer[0]"),
        ({"options": {"limit_cents": 5_000_00}}, "options.minimum_ante_cents"),
        ({"options": {"odds": {"two pair": 3}}}, "options.odds.two pair"),
        ({"dealer": words("Ah Kh Tc 5d")}, "dealer"),
    ],
)
def test_rounds_that_cannot_be_are_refused(told: dict[str, Any], where: str) -> None:
    """A fault names the place."""
    fault = ask(GAME, **{"seats": {"3": seat("9s 9d 8h 6c 5s")}, "dealer": words(ACE_KING), **told})
    assert isinstance(fault, InputFault)
    assert fault.where == where


@settings(deadline=None)
@given(pack=st.permutations([str(card) for card in DECK]), seats=st.sets(st.integers(1, 7), min_size=1), data=st.data())
def test_each_wager_is_settled_once_by_the_hands_alone(pack: list[str], seats: set[int], data: st.DataObject) -> None:
    """Ante and bet win, lose or push together unless the dealer does not qualify, and card order does not matter."""
    hands = {seat: pack[5 * seat : 5 * seat + 5] for seat in seats}
    told = ask(
        GAME,
        seats={str(seat): {"ante_cents": 5_00, "bet_cents": 10_00, "cards": hand} for seat, hand in hands.items()},
        dealer=pack[:5],
    )
    shuffled = ask(
        GAME,
        seats={
            str(seat): {"ante_cents": 5_00, "bet_cents": 10_00, "cards": data.draw(st.permutations(hand))}
            for seat, hand in hands.items()
        },
        dealer=data.draw(st.permutations(pack[:5])),
    )
    assert told == shuffled
    assert [(line["seat"], line["wager"]) for line in told["lines"]] == [
        (seat, wager) for seat in sorted(seats, reverse=True) for wager in ("ante", "bet")
    ]
    by_word = {str(card): card for card in DECK}
    dealer = high_five([by_word[word] for word in pack[:5]])
    for ante, bet in zip(told["lines"][::2], told["lines"][1::2], strict=True):
        ours = high_five([by_word[word] for word in hands[ante["seat"]]])
        fair = "win" if ours.key > dealer.key else "lose" if ours.key < dealer.key else "push"
        assert (ante["result"], bet["result"]) == ((fair, fair) if told["dealer"]["qualifies"] else ("win", "push"))
