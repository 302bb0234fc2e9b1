"""Pots: what lies in the middle, and which seats may win it."""

from collections.abc import Sequence

from msgspec import Struct

from games.money import Cents


class Stake(Struct, frozen=True):
    """What a seat has put in during the round, and whether it has folded since."""

    seat: int
    paid_cents: Cents
    folded: bool = False


class Pot(Struct, frozen=True):
    """An amount and the seats that play for it; the first pot of a round is the main pot."""

    amount_cents: Cents
    seats: tuple[int, ...]


class Uncalled(Struct, frozen=True):
    """The part of a bet that nobody called; it goes back to its seat."""

    seat: int
    amount_cents: Cents


def uncalled(stakes: Sequence[Stake]) -> Uncalled | None:
    """What the highest bettor put in beyond everybody else's stake, or None."""
    highest, second = sorted(stakes, key=lambda stake: stake.paid_cents, reverse=True)[:2]
    if highest.folded or highest.paid_cents == second.paid_cents:
        return None
    return Uncalled(highest.seat, highest.paid_cents - second.paid_cents)


def pots(stakes: Sequence[Stake]) -> tuple[Pot, ...]:
    """The main pot and the side pots of what was called; a seat plays only for what it has matched."""
    extra = uncalled(stakes)
    paid = {stake.seat: stake.paid_cents for stake in stakes}
    if extra is not None:
        paid[extra.seat] -= extra.amount_cents
    live = {stake.seat: paid[stake.seat] for stake in stakes if not stake.folded}
    levels = sorted({level for level in live.values() if level > 0})
    return tuple(
        Pot(_layer(paid, below, level, top=level == levels[-1]), _matched(live, level))
        for below, level in zip([0, *levels], levels, strict=False)
    )


def _layer(paid: dict[int, Cents], below: Cents, level: Cents, *, top: bool) -> Cents:
    """All money between two levels; above the top level only folded seats have any, and it stays in the last pot."""
    return sum(max(0, (cents if top else min(cents, level)) - below) for cents in paid.values())


def _matched(live: dict[int, Cents], level: Cents) -> tuple[int, ...]:
    return tuple(sorted(seat for seat, cents in live.items() if cents >= level))
