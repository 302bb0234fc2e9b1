"""Pots and their division: nothing is lost, nobody wins what he has not matched, the excess stays small."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.showdown.poker.pots import Pot, Stake, Uncalled, pots, uncalled
from games.showdown.poker.showdown import CHIPS, MOST_EXCESS, divide

amounts = st.integers(0, 40)


@st.composite
def tables(draw: st.DrawFn) -> list[Stake]:
    paid = draw(st.lists(amounts, min_size=2, max_size=8))
    folded = draw(st.lists(st.booleans(), min_size=len(paid), max_size=len(paid)))
    stakes = [
        Stake(seat, cents, fold or cents == 0)
        for seat, (cents, fold) in enumerate(zip(paid, folded, strict=True), start=1)
    ]
    return stakes if any(not stake.folded for stake in stakes) else [*stakes, Stake(9, 7)]


def chip_by_chip(stakes: list[Stake], order: list[int]) -> dict[int, int]:
    """The slow definition: every cent a seat put in goes to the best seat that still plays and has put in as many."""
    won = dict.fromkeys((stake.seat for stake in stakes), 0)
    live = {stake.seat: stake.paid_cents for stake in stakes if not stake.folded}
    top = max(live.values())
    for stake in stakes:
        for cent in range(1, stake.paid_cents + 1):
            can_win = [seat for seat in order if live.get(seat, 0) >= min(cent, top)]
            won[can_win[0]] += 1
    return won


@settings(deadline=None)
@given(stakes=tables(), data=st.data())
def test_every_cent_goes_to_the_best_hand_that_has_matched_it(stakes: list[Stake], data: st.DataObject) -> None:
    """Pots won by a strict order of hands, with what nobody called, are the same as chip by chip."""
    order = data.draw(st.permutations([stake.seat for stake in stakes]))
    won = dict.fromkeys((stake.seat for stake in stakes), 0)
    extra = uncalled(stakes)
    if extra:
        won[extra.seat] += extra.amount_cents
    for pot in pots(stakes):
        won[min(pot.seats, key=order.index)] += pot.amount_cents
    assert won == chip_by_chip(stakes, order)


@settings(deadline=None)
@given(stakes=tables())
def test_pots_and_uncalled_bets_hold_all_the_money(stakes: list[Stake]) -> None:
    """Nothing is lost between the players' stakes and the pots."""
    extra = uncalled(stakes)
    assert sum(pot.amount_cents for pot in pots(stakes)) + (extra.amount_cents if extra else 0) == sum(
        stake.paid_cents for stake in stakes
    )


@settings(deadline=None)
@given(stakes=tables(), data=st.data())
def test_the_order_of_the_seats_changes_no_pot(stakes: list[Stake], data: st.DataObject) -> None:
    """Pots depend on what was paid, not on who is written first."""
    shuffled = data.draw(st.permutations(stakes))
    assert pots(shuffled) == pots(stakes)
    assert uncalled(shuffled) == uncalled(stakes)


def test_an_all_in_player_plays_for_the_main_pot_only() -> None:
    """Three players, one all in for $20: the other $60 lie in a side pot for two."""
    stakes = [Stake(1, 20_00), Stake(2, 50_00), Stake(3, 50_00)]
    assert pots(stakes) == (Pot(60_00, (1, 2, 3)), Pot(60_00, (2, 3)))
    assert uncalled(stakes) is None


def test_a_bet_nobody_called_goes_back() -> None:
    """What stands above the second highest stake is no pot, even if that stake was folded."""
    stakes = [Stake(1, 50_00), Stake(2, 20_00), Stake(3, 30_00, folded=True)]
    assert uncalled(stakes) == Uncalled(1, 20_00)
    assert pots(stakes) == (Pot(60_00, (1, 2)), Pot(20_00, (1,)))


@pytest.mark.parametrize(
    ("amount", "ways", "chip", "part", "excess"),
    [
        (101_00, 2, 100, 50_00, 1_00),
        (101_00, 2, 50, 50_50, 0),
        (101_00, 2, 25, 50_50, 0),
        (100_00, 3, 100, 33_00, 1_00),
        (101_00, 3, 100, 33_50, 50),  # two dollars would be over: the dealer breaks one down
        (10_25, 2, 100, 5_00, 25),
        (1, 2, 100, 0, 1),
        (5_00, 1, 100, 5_00, 0),
    ],
)
def test_14_9_i_2_i_the_excess_is_what_the_smallest_chip_cannot_divide(
    amount: int, ways: int, chip: int, part: int, excess: int
) -> None:
    """Parts are whole chips; the excess is at most one dollar."""
    division = divide(amount, ways, chip)
    assert (division.part_cents, division.excess_cents) == (part, excess)


@settings(deadline=None)
@given(amount=st.integers(0, 10**9), ways=st.integers(1, 11), chip=st.sampled_from(CHIPS))
def test_14_9_i_2_the_excess_shall_not_exceed_one_dollar(amount: int, ways: int, chip: int) -> None:
    """Whatever is divided: the parts and the excess are the whole, and no larger chip would have done."""
    division = divide(amount, ways, chip)
    assert division.part_cents * ways + division.excess_cents == amount
    assert 0 <= division.excess_cents <= MOST_EXCESS
    assert division.part_cents % division.chip_cents == 0
    for larger in CHIPS[: CHIPS.index(division.chip_cents)]:
        left = amount - amount // (ways * larger) * larger * ways
        assert larger > chip or amount % larger or left > MOST_EXCESS


def test_pots_know_no_seat_by_its_number() -> None:
    """Renaming the seats renames the pots' seats and nothing else."""
    paid = (10, 25, 25)
    for seats in permutations((2, 5, 8)):
        stakes = [Stake(seat, cents) for seat, cents in zip(seats, paid, strict=True)]
        assert pots(stakes) == (Pot(30, tuple(sorted(seats))), Pot(30, tuple(sorted(seats[1:]))))
