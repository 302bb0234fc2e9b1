"""The round that a table is in, as its entries tell it: who has wagered, and which hands have claimed an award."""

from msgspec import Struct
from msgspec.structs import replace

from meter.link import Award, Entry, Release, Wagers


class ClaimedHand(Struct, frozen=True):
    """A hand that claimed an award by this entry, for these seats."""

    seq: int
    seats: tuple[int, ...]
    hand: str


class LastRound(Struct, frozen=True, omit_defaults=True):
    """The last round that a table spoke of: its lit seats, and what was claimed and not rejected since."""

    number: int = -1
    lit: tuple[int, ...] = ()
    claimed: tuple[ClaimedHand, ...] = ()

    def after(self, seq: int, entry: Entry) -> "LastRound":
        """The round after this entry of its table."""
        match entry:
            case Wagers(round=number, seats=seats) if number != self.number:
                return LastRound(number, seats)
            case Wagers(seats=seats):
                return replace(self, lit=(*self.lit, *(seat for seat in seats if seat not in self.lit)))
            case Award(round=number, hand=hand) as award:
                known = self._round(number)
                return replace(known, claimed=(*known.claimed, ClaimedHand(seq, _seats(award), hand)))
            case Release(award_seq=rejected):
                return self.without(rejected)
            case _:
                return self

    def without(self, seq: int) -> "LastRound":
        """The round without what this entry claimed: it was rejected, and may be claimed again."""
        return replace(self, claimed=tuple(claim for claim in self.claimed if claim.seq != seq))

    def refusal(self, award: Award) -> str | None:
        """Why this hand cannot claim, or None: it has claimed in this round, and was not rejected (law 6)."""
        for claim in self._round(award.round).claimed:
            twice = set(claim.seats) & set(_seats(award))
            if claim.hand == award.hand and twice:
                where = f"in round {award.round} already, by entry {claim.seq}"
                return f"seat {min(twice)} has claimed {award.hand} {where}"
        return None

    def doubt(self, award: Award) -> str:
        """Why nothing may be fixed for this claim before two persons have decided, or nothing (law 6)."""
        dark = set(_seats(award)) - set(self._round(award.round).lit)
        return f"no wager of seat {min(dark)} in round {award.round} is booked: no light, no award" if dark else ""

    def _round(self, number: int) -> "LastRound":
        return self if number == self.number else LastRound(number)


def _seats(award: Award) -> tuple[int, ...]:
    return award.sharers or (award.seat,)
