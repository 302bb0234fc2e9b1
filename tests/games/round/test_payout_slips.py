"""Payout slips: numbers without gaps, given when a claim is to be paid, kept when it is rejected after all."""

from hypothesis import given
from hypothesis import strategies as st

from games.round.events import AwardFixed, ClaimRejected, ClaimValidated, EndOfRoundPressed, HandClaimed, PanelUsed
from games.round.state import ClaimState
from tests.support.games.nights import Intent, happen, nights
from tests.support.games.pit import FLOP, FLUSH, ROYAL, PaperTable


def test_a_slip_is_numbered_when_the_claim_is_to_be_paid() -> None:
    """Before the supervisor has validated there is nothing to sign."""
    table = PaperTable()
    table.deal(3, 5)
    table.must(HandClaimed(3, FLUSH, FLOP))
    table.fix()
    assert table.claim(3).slip == 0
    table.must(ClaimValidated(3, "Sue"))
    assert table.claim(3).slip == 1


def test_numbers_run_on_through_rounds() -> None:
    """The next round's first slip follows the last one's."""
    table = PaperTable()
    for number in (1, 2, 3):
        table.deal(3)
        table.win(3)
        assert table.claim(3).slip == number
        table.must(EndOfRoundPressed())
        table.next_round()


def test_a_rejected_claim_keeps_its_number() -> None:
    """A void slip stays in the sequence; the new claim of the same seat has a new one."""
    table = PaperTable()
    table.deal(3)
    table.must(HandClaimed(3, FLUSH, FLOP))
    table.fix()
    table.must(ClaimValidated(3, "Sue"), ClaimRejected(3, "Sue", "wrong seat"))
    assert (table.claim(3).slip, table.claim(3).state) == (1, ClaimState.REJECTED)
    table.win(3)
    assert table.claim(3).slip == 2


@given(nights)
def test_whatever_happens_every_number_is_used_once_and_none_is_left_out(night: list[Intent]) -> None:
    """The slips of any night are 1, 2, 3 … in the order they were issued (R70)."""
    table = PaperTable()
    issued: list[int] = []
    for intent in night:
        table.do(happen(table.state, intent))
        new = sorted({claim.slip for claim in table.state.claims if claim.slip} - set(issued))
        issued.extend(new)
        assert issued == list(range(1, table.state.slips + 1))


@given(nights)
def test_whatever_happens_a_number_has_one_amount_for_ever(night: list[Intent]) -> None:
    """A claim that is fixed anew leaves its number behind."""
    table = PaperTable()
    amounts: dict[int, int] = {}
    for intent in night:
        table.do(happen(table.state, intent))
        for claim in table.state.claims:
            if claim.slip:
                assert amounts.setdefault(claim.slip, claim.amount_cents) == claim.amount_cents


@given(st.lists(st.integers(1, 10_000_00), min_size=1, max_size=6))
def test_every_amount_that_the_meter_said_and_the_supervisor_validated_has_its_own_number(said: list[int]) -> None:
    """Management's order changes an amount as often as it likes: each validation of another one is another slip."""
    table, slips = PaperTable(), list[tuple[int, int]]()
    table.deal(3)
    table.must(HandClaimed(3, ROYAL, FLOP))
    for cents in said:
        table.do(AwardFixed(table.claim(3).award_seq, cents, 10_000_00, 10_000_00 - cents))
        table.do(ClaimValidated(3, "Sue"))
        slips.append((table.claim(3).slip, table.claim(3).amount_cents))
    assert [cents for _, cents in slips] == said
    assert len(set(slips)) == table.state.slips == slips[-1][0]


def test_what_somebody_does_at_the_panel_changes_nothing_in_the_book() -> None:
    """Signing in or testing a light is written down, and that is all."""
    table = PaperTable()
    before = table.state
    table.must(PanelUsed("Tim", "test lights"))
    assert table.state == before
