"""Open items of a link: unpaid awards, waiting claims, held wagers, what two persons must decide."""

from collections.abc import Mapping

from msgspec import Struct

from games.money import Cents, equal_shares


class OpenAward(Struct, frozen=True):
    """An award claimed and neither paid nor released: what was taken from where, so that it can be put back.

    at_ms and clock are the table's own time and its word about that clock: evidence, never an order. validators are
    those whose proof the meter accepted, by the seat whose part they validated; refused is why the last one was not.
    """

    table: str
    journal: str
    seq: int
    seat: int
    hand: str
    percent_bp: int
    before_cents: Cents = 0
    after_cents: Cents = 0
    taken_cents: Cents = 0
    house_cents: Cents = 0
    refill_cents: Cents = 0  # by the house
    collected_cents: Cents = 0  # by the reset meter
    seeded_cents: Cents = 0  # by the overflow
    at_ms: int = 0
    clock: str = ""
    sharers: tuple[int, ...] = ()  # seats, in paying order
    round: int = 0
    cards: str = ""  # in words, for those who approve it
    validators: Mapping[int, str] = {}
    refused: str = ""
    approved: bool = False  # by two persons at the meter

    @property
    def amount_cents(self) -> Cents:
        """What the player is to get, or those who share it together."""
        return self.taken_cents + self.house_cents

    @property
    def shares(self) -> dict[int, Cents]:
        """What each seat gets: equal parts of whole cents, the odd cents one each in paying order."""
        return dict(zip(self.seats, equal_shares(self.amount_cents, len(self.seats)), strict=True))

    @property
    def seats(self) -> tuple[int, ...]:
        """Who gets a part of it, in paying order."""
        return self.sharers or (self.seat,)

    @property
    def is_validated(self) -> bool:
        """Whether the meter agrees with the validation of every part."""
        return all(seat in self.validators for seat in self.seats)

    @property
    def key(self) -> tuple[str, str, int]:
        """The entry that claimed it."""
        return self.table, self.journal, self.seq


class Stood(Struct, frozen=True):
    """How the accounts stood when a percentage was claimed, as if nobody else had claimed one, in units.

    Who comes first among open claims gets his part of what stood at the first of them; what came since is the next
    jackpot's (R69).
    """

    table: str
    journal: str
    seq: int
    meter: int
    reset_meter: int
    overflow: int

    @property
    def key(self) -> tuple[str, str, int]:
        """The entry that claimed it."""
        return self.table, self.journal, self.seq


class DoubtedAward(Struct, frozen=True):
    """A claim of a seat without a wager, or made twice: nothing is fixed for it until two persons have decided."""

    award: OpenAward
    fixed_cents: Cents
    reason: str

    @property
    def table(self) -> str:
        """Where it was claimed."""
        return self.award.table

    @property
    def key(self) -> tuple[str, str, int]:
        """The entry that claimed it."""
        return self.award.key


class SettledAward(Struct, frozen=True):
    """An award that two persons settled, of which its table has not spoken yet: what it will say moves nothing."""

    table: str
    journal: str
    seq: int
    paid: bool
    amount_cents: Cents

    @property
    def key(self) -> tuple[str, str, int]:
        """The entry that claimed it."""
        return self.table, self.journal, self.seq


class ReportedPayout(Struct, frozen=True):
    """A payout of another amount than was fixed (R72), or held for this reason: two persons settle its award."""

    table: str
    journal: str
    seq: int
    paid_cents: Cents
    fixed_cents: Cents
    reason: str = ""

    @property
    def key(self) -> tuple[str, str, int]:
        """The entry that claimed the award."""
        return self.table, self.journal, self.seq


class HeldWagers(Struct, frozen=True):
    """A contribution that no table should make (R2): kept aside until two persons have decided."""

    table: str
    journal: str
    seq: int
    stake_cents: Cents
    chips: int
    coupons: int
    reason: str

    @property
    def key(self) -> tuple[str, str, int]:
        """The entry that brought it."""
        return self.table, self.journal, self.seq
