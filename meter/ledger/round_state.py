"""Round state of a table at the meter: which seats wagered, which hands claimed an award."""

from msgspec import Struct
from msgspec.structs import replace

from link.messages import Award, Entry, Release, Wagers


class ClaimedHand(Struct, frozen=True):
    """A hand that claimed an award by this entry, for these seats; booked_ms is when, by the meter's calendar."""

    seq: int
    round: int
    seats: tuple[int, ...]
    hand: str
    booked_ms: int = 0


class HeldSeats(Struct, frozen=True):
    """Seats whose wagers, by this entry, do not count before two persons have decided (R2)."""

    seq: int
    seats: tuple[int, ...]


class LastRound(Struct, frozen=True, omit_defaults=True):
    """The last round that a table registered: its lit seats, and what was claimed and not rejected since.

    held are seats whose wagers are: they are neither lit nor dark.
    """

    number: int = -1
    lit: tuple[int, ...] = ()
    claimed: tuple[ClaimedHand, ...] = ()
    held: tuple[HeldSeats, ...] = ()

    def after(self, seq: int, entry: Entry, *, is_held: bool, booked_ms: int) -> "LastRound":
        """The round after this entry of its table; held wagers of a round long gone light nothing."""
        match entry:
            case Wagers(round=number, seats=seats) if is_held:
                known = self._round(max(number, self.number))
                return replace(known, held=(*known.held, HeldSeats(seq, seats))) if number == known.number else self
            case Wagers(round=number, seats=seats):
                return _lit(self._round(number), seats)
            case Award(round=number, hand=hand) as award:
                claimed = ClaimedHand(seq, number, _seats(award), hand, booked_ms)
                return replace(self, claimed=(*self.claimed, claimed))
            case Release(award_seq=rejected):
                return self.decided(rejected, counts=False)
            case _:
                return self

    def decided(self, seq: int, *, counts: bool) -> "LastRound":
        """The round after its held wagers count, or never; a claim that does not may be made again."""
        seats = tuple(seat for held in self.held if held.seq == seq for seat in held.seats)
        known = replace(self, held=tuple(held for held in self.held if held.seq != seq))
        if counts:
            return _lit(known, seats)
        return replace(known, claimed=tuple(claim for claim in self.claimed if claim.seq != seq))

    def doubt(self, award: Award) -> str:
        """Why nothing may be fixed for this claim before two persons have decided, or nothing (law 6)."""
        return self.repeated(award) or self.unlit(award)

    def repeated(self, award: Award) -> str:
        """Which entry has claimed for this hand in this round and was not rejected, or nothing: none is paid twice."""
        for claim in self.claimed:
            twice = set(claim.seats) & set(_seats(award))
            if (claim.round, claim.hand) == (award.round, award.hand) and twice:
                where = f"in round {award.round} already, by entry {claim.seq}"
                return f"seat {min(twice)} has claimed {award.hand} {where}"
        return ""

    def unlit(self, award: Award) -> str:
        """Which seat of this claim has no wager in its round that counts, or nothing."""
        known = self if award.round == self.number else LastRound()
        dark = set(_seats(award)) - set(known.lit)
        for held in known.held:
            if waits := dark & set(held.seats):
                words = f"the wager of seat {min(waits)} in round {award.round} is held"
                return f"{words}: first decide about entry {held.seq}"
        return f"no wager of seat {min(dark)} in round {award.round} is booked: no light, no award" if dark else ""

    def _round(self, number: int) -> "LastRound":
        """This round, or the one of that number; what was claimed in it before its wagers came was claimed."""
        if number == self.number:
            return self
        return LastRound(number, claimed=tuple(claim for claim in self.claimed if claim.round >= number))


def _lit(last: LastRound, seats: tuple[int, ...]) -> LastRound:
    return replace(last, lit=(*last.lit, *(seat for seat in seats if seat not in last.lit)))


def _seats(award: Award) -> tuple[int, ...]:
    return award.sharers or (award.seat,)
