"""Laws of settlement that hold for every game, whatever is dealt and wagered."""

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.cards import Card
from games.money import equal_shares, part_up
from games.paytable import Percent
from games.settlement import PlayedRound, Settlement, refusal, settle
from tests.support.games.any_rounds import rounds


def whole_awards(played: PlayedRound, settlement: Settlement) -> int:
    """How often the whole meter was won; hands that share win it once together."""
    table = played.tables["progressive"]
    whole = {line.hand for line in table.lines if line.pay == Percent(10_000)}
    wins = sum(line.hand in whole for line in settlement.payments if line.wager == "progressive")
    return min(wins, 1) if played.game.shares_whole_meter else wins


@given(rounds())
@settings(max_examples=200)
def test_the_rules_refuse_no_lawful_round(played: PlayedRound) -> None:
    """What these laws are tried on can be settled."""
    assert refusal(played) is None


@given(rounds())
@settings(max_examples=200)
def test_each_wager_is_paid_at_most_once_and_never_refunded_as_well(played: PlayedRound) -> None:
    """One line for a wager, one envy line for each other seat's hand."""
    settlement = settle(played)
    lines = Counter((line.seat, line.wager) for line in settlement.payments)
    others = len(played.seats) - 1
    assert all(count <= (others if wager == "envy" else 1) for (_, wager), count in lines.items())
    assert not set(lines) & {(back.seat, back.wager) for back in settlement.refunds}


@given(rounds())
@settings(max_examples=200)
def test_only_live_wagers_are_paid_and_progressives_from_the_last_seat_to_the_first(played: PlayedRound) -> None:
    """A line's wager lies at its seat, is not forfeited, and comes in seat order, folded hold 'em seats last."""
    settlement = settle(played)
    seats = {each.number: each for each in played.seats}
    for line in settlement.payments:
        wager = played.wager(line.wager)
        assert wager is not None
        assert line.wager == "envy" or played.is_live(seats[line.seat], wager)
    progressives = [line.seat for line in settlement.payments if line.wager == "progressive"]
    folds_last = played.game.name == "texas-holdem-bonus"
    ordered = sorted(set(progressives), key=lambda number: (folds_last and seats[number].folded, -number))
    assert progressives == ordered


@given(rounds())
@settings(max_examples=200)
def test_meter_before_minus_deductions_is_meter_after(played: PlayedRound) -> None:
    """Nothing else moves the meter: what it paid, and its reset amount after each whole award."""
    settlement = settle(played)
    deducted = sum(line.amount_cents - line.house_funded_cents for line in settlement.payments if line.deducted)
    anew = played.reset_cents * whole_awards(played, settlement)
    assert settlement.meter_before_cents - deducted + anew == settlement.meter_after_cents
    after_each = [line.meter_after_cents for line in settlement.payments]
    assert (after_each or [settlement.meter_before_cents])[-1] == settlement.meter_after_cents
    assert min([settlement.meter_after_cents, *after_each]) >= 0


@given(rounds(), st.randoms(use_true_random=False))
@settings(max_examples=200)
def test_the_order_of_seats_and_of_the_cards_in_a_hand_changes_nothing(played: PlayedRound, random: Any) -> None:
    """Except where the rule counts cards in the order in which they came: blackjack and the first three."""
    seats = [each if ordered(played) else replace(each, cards=shuffled(each.cards, random)) for each in played.seats]
    random.shuffle(seats)
    flop, rest = shuffled(played.community[:3], random), shuffled(played.community[3:], random)
    dealer = played.dealer if ordered(played) else shuffled(played.dealer, random)
    told_otherwise = replace(played, seats=tuple(seats), community=flop + rest, dealer=dealer)
    assert settle(told_otherwise) == settle(played)


def ordered(played: PlayedRound) -> bool:
    """Whether the order of a hand's cards matters in this round."""
    return played.game.hand_grows or any("three_card_bonus" in each.wagers for each in played.seats)


def shuffled(cards: tuple[Card, ...], random: Any) -> tuple[Card, ...]:
    """The same cards in another order."""
    return tuple(random.sample(cards, len(cards)))


@given(rounds())
@settings(max_examples=200)
def test_percentages_come_from_the_cage_and_hold_the_cards_and_nothing_else_does(played: PlayedRound) -> None:
    """Cards are held at exactly the seats that the cage pays (R73)."""
    settlement = settle(played)
    caged = [line for line in settlement.payments if line.source == "cage"]
    assert settlement.cards_held == tuple(dict.fromkeys(line.seat for line in caged))
    for line in settlement.payments:
        table = played.tables.get(line.wager)
        row = table.line(line.hand) if table else None
        assert (line.source == "cage") is (row is not None and isinstance(row.pay, Percent))
        assert line.deducted is (row is not None and row.deducted)


@given(st.integers(0, 10**9), st.integers(1, 10_000))
def test_a_part_of_the_meter_is_no_less_than_the_percentage_and_by_less_than_a_cent_more(cents: int, bp: int) -> None:
    """Rounded up to the cent, exactly."""
    assert 0 <= part_up(cents, bp) * 10_000 - cents * bp < 10_000


@given(st.integers(0, 10**9), st.integers(1, 7))
def test_shares_add_up_to_the_whole_and_differ_by_a_cent_at_most(cents: int, count: int) -> None:
    """The odd cents go to those who are paid first."""
    shares = equal_shares(cents, count)
    assert sum(shares) == cents
    assert len(shares) == count
    assert shares[0] - shares[-1] <= 1
    assert list(shares) == sorted(shares, reverse=True)
