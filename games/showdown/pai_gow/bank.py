"""The player bank of 11.10: who is offered it, who may take it, how the centre is settled; no side wager (11.10(p))."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from games.money import Cents
from games.refusal import Refusal, because
from games.showdown.pai_gow.vigorish import Rounding, vigorish

# What follows when the initial offer has gone around: a round of the dealer, or the far right at once (11.10(c)).
AfterTheLast: TypeAlias = Literal["dealer_round", "wrap"]


class Candidate(Struct, frozen=True):
    """What the dealer knows of a player who wants the bank."""

    seat: int
    banked_last_round: bool
    last_wager_cents: Cents
    chips_cents: Cents
    areas: int = 1


class Centre(Struct, frozen=True):
    """How the chips in the centre are settled: what the bank adds or receives, and what the house does."""

    collected_cents: Cents
    paid_cents: Cents
    from_bank_cents: Cents
    from_house_cents: Cents
    surplus_cents: Cents
    to_house_cents: Cents
    vigorish_cents: Cents
    to_bank_cents: Cents
    rule: str


def offers(seats: Sequence[int], first: int | None = None) -> tuple[int, ...]:
    """The seats in the order something is offered to them: counterclockwise from the first, or from the far right."""
    around = sorted(seats, reverse=True)
    from_first = [seat for seat in around if first is None or seat <= first]
    return (*from_first, *around[: len(around) - len(from_first)])


def next_first_offer(seats: Sequence[int], first: int) -> int:
    """Who comes first in the next round: the player to the right of the one before."""
    return offers(seats, first - 1)[0]


def next_bank_offer(seats: Sequence[int], last: int | None, after_the_last: AfterTheLast) -> int | None:
    """Who is offered the bank first; None is the dealer, to whom the offer returns after the last player (11.10(c)).

    last is who was offered it first in the round before, None if there was no offer.
    """
    if last is None or after_the_last == "wrap":
        return offers(seats)[0] if last is None else next_first_offer(seats, last)
    return max((seat for seat in seats if seat < last), default=None)


def bank_refusal(candidate: Candidate, other_wagers_cents: Cents, *, first_round: bool) -> Refusal | None:
    """Why the rules forbid this player to bank this round, or None."""
    if first_round:
        return because("bank_first_round", "11.10(b)")
    if candidate.banked_last_round:
        return because("banked_last", "11.10(c)", seat=candidate.seat)
    if candidate.last_wager_cents <= 0:
        return because("bank_no_wager", "11.10(d)1", seat=candidate.seat)
    if candidate.chips_cents < other_wagers_cents:
        has, needs = candidate.chips_cents, other_wagers_cents
        return because("bank_poor", "11.10(d)2", seat=candidate.seat, has=has, needs=needs)
    if candidate.areas != 1:
        return because("bank_one_area", "11.10(f)")
    return None


def settle_centre(lost_cents: Cents, won_cents: Cents, rounding: Rounding, *, co_bank: bool) -> Centre:
    """Losing wagers pay the winning ones; what lacks comes from the bank, what is over goes to it less vigorish."""
    missing, surplus = max(0, won_cents - lost_cents), max(0, lost_cents - won_cents)
    # The odd cent of a division belongs to the bank's half.
    from_house, to_house = (missing // 2, surplus // 2) if co_bank else (0, 0)
    vig = vigorish(surplus - to_house, rounding)
    return Centre(
        collected_cents=lost_cents,
        paid_cents=won_cents,
        from_bank_cents=missing - from_house,
        from_house_cents=from_house,
        surplus_cents=surplus,
        to_house_cents=to_house,
        vigorish_cents=vig,
        to_bank_cents=surplus - to_house - vig,
        rule="11.10(m)" if co_bank else "11.10(l)",
    )
