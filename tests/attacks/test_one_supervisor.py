"""Attacks of one supervisor: what somebody who validates cannot do without a second person."""

import pytest

from games.round.events import ClaimValidated, HandClaimed, PayoutConfirmed
from games.round.state import ClaimState
from tests.support.games.pit import FLOP, ROYAL, STRAIGHT_FLUSH, PaperTable


@pytest.mark.parametrize("name", ["Sue", "sue", " SUE ", "Ｓue"])  # noqa: RUF001  as somebody might type it
@pytest.mark.parametrize("cards", [STRAIGHT_FLUSH, ROYAL])
def test_whoever_validated_a_claim_cannot_confirm_its_payout(cards: tuple[str, ...], name: str) -> None:
    """Finding 1, law 6: the validator is not the payer, however the name is spelled."""
    table = PaperTable()
    table.deal(3)
    table.must(HandClaimed(3, cards, FLOP))
    table.fix(1_000_00)
    table.must(ClaimValidated(3, "Sue"))
    assert "another person must confirm" in table.refusal(PayoutConfirmed(3, name)).reason
    assert table.claim(3).state is ClaimState.VALIDATED
    table.must(PayoutConfirmed(3, "Dan"))


@pytest.mark.parametrize("hand", ["royal_flush", "straight_flush"])
def test_a_part_of_the_meter_is_not_claimed_by_name(hand: str) -> None:
    """Finding 1: a percentage award needs the cards, also where the house takes names for smaller wins."""
    table = PaperTable()
    table.deal(3)
    assert "enter its cards" in table.refusal(HandClaimed(3, hand=hand)).reason
