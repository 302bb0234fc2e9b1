"""A round at the table pays what the settlement of the same cards says, in whatever order hands are claimed."""

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.money import part_up
from games.round.effects import FixAward, ReleaseAward
from games.round.events import (
    AreasHeld,
    AwardFixed,
    ClaimValidated,
    EnvyMarkersPlaced,
    Event,
    HandClaimed,
    HandsAllShown,
    HandShown,
    PayoutConfirmed,
    SeatFolded,
)
from games.round.state import Claim, ClaimState
from games.round.table_rules import TableRules
from games.settlement import PlayedRound, Seat, settle
from tests.support.any_rounds import regular_rounds
from tests.support.pit import PaperTable


class Meter:
    """A meter on paper: one award at a time, which a release takes back."""

    def __init__(self, cents: int, reset_cents: int) -> None:
        self.cents, self._reset, self._before, self._read = cents, reset_cents, cents, 0

    def answer(self, table: PaperTable) -> None:
        """Reads every entry that it has not read yet; what it fixes may make the table ask anew."""
        while self._read < len(table.entries):
            order = table.entries[self._read]
            self._read += 1
            if isinstance(order.entry, ReleaseAward):
                self.cents = self._before
            elif isinstance(order.entry, FixAward):
                table.must(self._fixed(order.seq, order.entry))

    def _fixed(self, seq: int, asked: FixAward) -> AwardFixed:
        self._before = self.cents
        amount = part_up(self.cents, asked.percent_bp) or asked.fixed_cents
        self.cents = self._reset if asked.percent_bp == 10_000 else max(self.cents - amount, 0)
        lacking = max(amount - self._before, 0)
        return AwardFixed(seq, amount, self._before, self.cents, lacking)


def table_of(played: PlayedRound) -> PaperTable:
    """A table where this round is dealt, with its folds and envy markers."""
    marked = tuple(seat.number for seat in played.seats if seat.wagers.get("bonus", 0) >= 500)
    rules = TableRules(
        game=played.game,
        pay_table=played.tables["progressive"],
        stake_cents=played.stake_cents,
        seats=tuple(range(1, played.game.most_seats + 1)),
        decks=played.decks,
        offers=("bonus",) if played.game.joker else (),
    )
    table = PaperTable(rules)
    if played.game.joker:
        table.must(EnvyMarkersPlaced(marked))
    table.deal(*(seat.number for seat in played.seats if "progressive" in seat.wagers))
    for seat in played.seats:
        if seat.folded:
            table.must(SeatFolded(seat.number))
    return table


def claimed(played: PlayedRound, seat: Seat) -> HandClaimed:
    """The event that claims this seat's cards."""
    flop = tuple(map(str, played.community[:3]))
    return HandClaimed(seat.number, tuple(map(str, seat.cards)), flop)


def pay_all(table: PaperTable, meter: Meter) -> list[Claim]:
    """Validates and pays whoever has the turn until nobody is left; the claims as they were paid."""
    paid = []
    while table.state.open_claims:
        for claim in table.state.open_claims:
            if claim.state in {ClaimState.FIXED, ClaimState.SHARING} and not claim.validated_by:
                table.must(ClaimValidated(claim.seat, "Sue"))
        turn = next(claim for claim in table.state.claims if claim.has_the_turn)
        table.must(PayoutConfirmed(turn.seat, "Dan"))
        paid.append(table.claim(turn.seat))
        meter.answer(table)
    return paid


@given(regular_rounds(), st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_the_round_pays_the_progressive_as_the_settlement_says(played: PlayedRound, random: Random) -> None:
    """Hand, amount, source, deduction and validation at each seat, what the meter pays in seat order, and the meter."""
    played = replace(played, seats=tuple(random.sample(played.seats, len(played.seats))))
    settlement, table = settle(played), table_of(played)
    due = [line for line in settlement.payments if line.wager == "progressive"]
    meter = Meter(played.meter_cents, played.reset_cents)
    for seat in played.seats:
        if seat.number in {line.seat for line in due}:
            table.must(claimed(played, seat))
            meter.answer(table)
    if due:
        table.must(HandsAllShown("Dan"))
    paid = pay_all(table, meter)
    # An amount that nobody validates is to be paid as soon as it is claimed: it may come before a seat claimed later.
    assert [claim.seat for claim in paid if claim.deducted] == [line.seat for line in due if line.deducted]
    assert {
        (claim.seat, claim.hand, claim.amount_cents, claim.source, claim.deducted, claim.validation) for claim in paid
    } == {(line.seat, line.hand, line.amount_cents, line.source, line.deducted, line.validation) for line in due}
    assert len(paid) == len(due)
    assert meter.cents == settlement.meter_after_cents


def is_envied(played: PlayedRound, seat: Seat) -> bool:
    """Whether others are paid for this seat's hand."""
    envy = played.game.wager("envy")
    assert envy is not None
    return played.tables["envy"].line(envy.hand(seat.cards)) is not None


def with_one_player_at_two_seats(played: PlayedRound, random: Random) -> tuple[PlayedRound, list[Event]]:
    """The same round where somebody holds two adjacent seats, if any are; and what the dealer says of it.

    Best one that shows a hand at one of them: who envies nobody proves nothing.
    """
    numbers = {seat.number for seat in played.seats}
    pairs = [(number, number + 1) for number in sorted(numbers) if number + 1 in numbers]
    if not pairs:
        return played, []
    showing = {seat.number for seat in played.seats if is_envied(played, seat)}
    held = random.choice([pair for pair in pairs if showing & set(pair)] or pairs)
    seats = tuple(replace(seat, player="Pat") if seat.number in held else seat for seat in played.seats)
    return replace(played, seats=seats), [AreasHeld(held)]


@given(regular_rounds(("three-card-poker", "pai-gow-poker")), st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_the_round_owes_the_envy_that_the_settlement_says(played: PlayedRound, random: Random) -> None:
    """To every seat entitled, for each hand of another player, wagered on or not (20.14, 11.15(d)3)."""
    played, words = with_one_player_at_two_seats(played, random)
    settlement, table = settle(played), table_of(played)
    for seat in played.seats:
        if is_envied(played, seat):
            words.append(HandShown(seat.number, tuple(map(str, seat.cards))))
    table.must(*random.sample(words, len(words)))
    owed = Counter((each.seat, each.hand, each.amount_cents) for each in table.state.envy)
    assert owed == Counter(
        (line.seat, line.hand, line.amount_cents) for line in settlement.payments if line.wager == "envy"
    )
