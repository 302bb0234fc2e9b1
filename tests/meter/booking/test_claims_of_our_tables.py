"""Law 6 from the other side: whatever happens at a table of ours, the meter never doubts what it claims."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings

from controller.table.meter_entries import link_entry
from games.catalogue import GAMES
from games.money import part_up
from games.paytable import Percent
from games.round import events
from games.round.effects import ReleaseAward
from games.round.state import ClaimState
from games.round.table_rules import TableRules
from link.messages import Award
from meter.booking.rate_limits import MOST_IN_A_MINUTE, RateLimit
from meter.booking.results import MessageResult
from meter.ledger.round_state import LastRound
from tests.support.games.nights import Intent, happen, nights, tables
from tests.support.games.pit import FLOP, PaperTable, table_rules
from tests.support.meter.meter_bench import envelope


def taken_back(table: PaperTable) -> int:
    """How many awards this table has taken back."""
    return sum(isinstance(order.entry, ReleaseAward) for order in table.entries)


@given(tables, nights)
@settings(max_examples=200, deadline=None)
def test_r71_the_claims_of_our_tables_are_never_doubted(rules: TableRules, night: list[Intent]) -> None:
    """Every game, shared, envied, rejected, claimed again, voided, at a lost link: each hand is lit and claims once.

    And none of it waits as too much, even if all of it is handed in at one moment.
    """
    table = PaperTable(rules)
    for intent in night:
        table.do(happen(table.state, intent, rules))
    last, award_rate = LastRound(), RateLimit()
    for order in table.entries:
        entry = link_entry(order, table.state)
        sent = envelope(order.seq, entry)
        assert not isinstance(entry, Award) or last.doubt(entry) == ""
        assert not award_rate.must_wait(sent, 0)
        last = last.after(order.seq, entry, is_held=False, booked_ms=0)
        award_rate.note_entry(sent, MessageResult.BOOKED, 0)


@given(tables, nights)
@settings(max_examples=200, deadline=None)
def test_a_table_of_ours_takes_nothing_back_by_itself(rules: TableRules, night: list[Intent]) -> None:
    """One award at most for each word of a person and each answer of the meter: it never goes round by itself."""
    table = PaperTable(rules)
    for intent in night:
        before = taken_back(table)
        table.do(happen(table.state, intent, rules))
        assert taken_back(table) <= before + 1


def answer(table: PaperTable, meter_cents: int) -> None:
    """The meter fixes whatever is asked for; at a low one the cards may be paid more as another hand."""
    while claim := next((claim for claim in table.state.claims if claim.state is ClaimState.ASKED), None):
        amount = claim.fixed_cents or part_up(meter_cents, claim.percent_bp)
        table.must(events.AwardFixed(claim.award_seq, amount, meter_cents, max(meter_cents - amount, 0)))


# As many hands as one round can have that win a part of the meter.
PARTS: dict[str, tuple[str, ...]] = {
    "texas-holdem-bonus": ("8h 9h", "Ah Kh"),
    "caribbean-stud": tuple(
        " ".join(rank + suit for rank in ranks)
        for suit in "shdc"
        for ranks in ("A2345", "6789T")
        if (suit, ranks[0]) != ("c", "6")
    ),
    "three-card-poker": ("As Ks Qs",),
    "blackjack": ("As Ac As Ac", "Ah Ad Ah Ad", "As Ac As Ac", "Ah Ad Ah Ad"),
    "pai-gow-poker": (
        "As Ks Qs Js Ts 2s 3s",
        "Ah Kh Qh Jh Th 4s 5s",
        "Ad Kd Qd Jd Td 6s 7s",
        "Ac Kc Qc Jc Tc 8s 9s",
    ),
}


def claims_of(rules: TableRules) -> Iterator[list[events.HandClaimed]]:
    """Hands by cards where they win a part of the meter, and the same amount at every seat by name."""
    flop = FLOP if rules.community_size else ()
    hands = enumerate(PARTS[rules.game.name], start=1)
    yield [events.HandClaimed(seat, tuple(cards.split()), flop) for seat, cards in hands]
    for line in rules.pay_table.lines:
        if line.deducted and not isinstance(line.pay, Percent):
            yield [events.HandClaimed(seat, hand=line.hand) for seat in rules.seats]


@pytest.mark.parametrize("meter_cents", [1, 150_01, 10_000_01])
@pytest.mark.parametrize("name", GAMES)
def test_a_whole_table_may_claim_and_be_rejected_twice_in_a_minute(name: str, meter_cents: int) -> None:
    """Every seat in the order that makes every other give up its turn, all rejected, and all of it once more."""
    wager = GAMES[name].progressive
    assert wager is not None
    pays, stake = wager.pay_table_names[0], wager.stakes[0]
    rules = table_rules(pays, name=name, stake_cents=stake, names_will_do=True, decks=min(8, GAMES[name].most_decks))
    for claims in claims_of(rules):
        table = PaperTable(rules)
        table.deal(*rules.seats)
        for _ in range(2):
            for claim in claims:
                table.must(claim)
                table.ask()
                answer(table, meter_cents)
            while turn := next((claim for claim in table.state.claims if claim.has_the_turn), None):
                table.must(events.ClaimRejected(turn.seat, "Sue", "no"))
                table.ask()
                answer(table, meter_cents)
        assert not table.state.open_claims
        assert len(claims) < taken_back(table) < MOST_IN_A_MINUTE
