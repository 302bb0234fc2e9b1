"""Balances of a link's accounts, its terms, and what wagers and bookings do to them."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from games.money import Cents
from meter.ledger.accounts import UNITS_PER_CENT, Account, Kind, Posting, posting
from meter.ledger.open_items import DoubtedAward, HeldWagers, OpenAward, ReportedPayout, SettledAward, Stood

LAST_AWARDS: Final = 25  # R10
RULES: Final = 1
"""The rules of booking, by which new records are made; each record is told by those that it was made by."""


class LinkTerms(Struct, frozen=True):
    """What a link promises: they stand in its first ledger entry and rule until another entry changes them."""

    rate_bp: int
    base_cents: Cents
    reset_cents: Cents
    rehearsal: bool = False
    reset_rate_bp: int = 0  # what part of a wager goes to the hidden reset meter
    limit_cents: Cents = 0  # the most that the meter shows; 0: no limit
    overflow_seeds_next: bool = False  # what did not fit is part of the next reset amount (R85)
    ends_on: str = ""  # the announced last day, such as 2026-12-31 (R89)
    approval_above_cents: Cents | None = None  # two persons at the meter approve a whole meter above this; None: none


class LinkBalances(Struct, frozen=True):
    """One link's money: the balance of every account, what each kind did to the meter, the wagers, what is open."""

    balances: Mapping[Account, int] = {}
    explained: Mapping[Kind, int] = {}
    chips: int = 0
    chip_cents: Cents = 0
    coupons: int = 0
    coupon_cents: Cents = 0
    hits: int = 0
    awards: tuple[OpenAward, ...] = ()
    claims: tuple[OpenAward, ...] = ()  # percentages that wait for their turn
    in_order: bool = False  # management has entered the order of these claims
    held: tuple[HeldWagers, ...] = ()
    last_paid: tuple[OpenAward, ...] = ()  # the newest last
    rules: int = RULES  # of booking
    stood: tuple[Stood, ...] = ()  # one for each open percentage, the first claimed first
    settled: tuple[SettledAward, ...] = ()
    reported: tuple[ReportedPayout, ...] = ()
    doubted: tuple[DoubtedAward, ...] = ()

    @property
    def amount_cents(self) -> Cents:
        """What the meter shows: whole cents; what is below a cent stays on it."""
        return self.cents(Account.METER)

    @property
    def carry(self) -> Fraction:
        """The part of a cent on the meter that is not shown."""
        return Fraction(self.balances.get(Account.METER, 0) % UNITS_PER_CENT, UNITS_PER_CENT)

    @property
    def deducted_cents(self) -> Cents:
        """What awards took from the meter, less what was put back."""
        return -self.explained_cents(Kind.AWARD_FIXED, Kind.RELEASE)

    @property
    def base_cents(self) -> Cents:
        """What the house put in at the start."""
        return self.explained_cents(Kind.BASE)

    @property
    def contribution_cents(self) -> Cents:
        """The whole cents that wagers added, less what went over the limit later; carry comes on top."""
        return self.explained_cents(Kind.CONTRIBUTION, Kind.OVERFLOW)

    @property
    def refill_cents(self) -> Cents:
        """What came in after whole-meter awards, less what was taken back."""
        return self.explained_cents(Kind.REFILL)

    @property
    def adjusted_cents(self) -> Cents:
        """What people's decisions did to the meter: corrections, transfers, closing (with what is below a cent)."""
        kinds = (Kind.CORRECTION, Kind.TRANSFER, Kind.CLOSING)
        return -(sum(-self.explained.get(kind, 0) for kind in kinds) // UNITS_PER_CENT)

    @property
    def paid_cents(self) -> Cents:
        """What players were paid (R6)."""
        return self.cents(Account.PAID)

    @property
    def in_cents(self) -> Cents:
        """What was wagered, coupons included (R3)."""
        return self.chip_cents + self.coupon_cents

    @property
    def has_balance(self) -> bool:
        """Whether anything stands here that belongs to somebody (R90)."""
        accounts = (Account.METER, Account.RESET_METER, Account.OVERFLOW, Account.AWARDS)
        return any(self.balances.get(account) for account in accounts) or bool(self.claims or self.held or self.doubted)

    @property
    def claimants(self) -> tuple[str, ...]:
        """The table of each award that is claimed and not settled."""
        if not (self.awards or self.claims or self.doubted):
            return ()
        doubted = (doubted.award for doubted in self.doubted)
        return tuple(award.table for award in (*self.awards, *self.claims, *doubted))

    def award(self, table: str, journal: str, seq: int) -> OpenAward | None:
        """The open award that this entry fixed, or None."""
        return next((award for award in self.awards if award.key == (table, journal, seq)), None)

    def claim(self, table: str, journal: str, seq: int) -> OpenAward | None:
        """The claim of this entry that waits for its turn, or None."""
        return next((claim for claim in self.claims if claim.key == (table, journal, seq)), None)

    def cents(self, account: Account) -> Cents:
        """The whole cents on an account."""
        return self.balances.get(account, 0) // UNITS_PER_CENT

    def explained_cents(self, *kinds: Kind) -> Cents:
        """What these kinds did to the meter, in whole cents."""
        return sum(self.explained.get(kind, 0) for kind in kinds) // UNITS_PER_CENT


class Booking(Struct, frozen=True):
    """What an entry did: the postings, and the pot after them; doubt is what somebody must hear of it."""

    postings: tuple[Posting, ...]
    pot: LinkBalances
    doubt: str = ""


class NotTaken(Struct, frozen=True):
    """Why something is not booked now; a held entry will be, once the reason is gone.

    too_often: the reason is that its table says so much of it, which people should hear of.
    """

    words: str
    held: bool = False
    too_often: bool = False


def open_pot(terms: LinkTerms, rules: int = RULES) -> Booking:
    """The first booking of a link: the house puts the base amount on the meter."""
    return booked(LinkBalances(rules=rules), [posting(Kind.BASE, Account.HOUSE, Account.METER, terms.base_cents)])


def contribute(pot: LinkBalances, terms: LinkTerms, *, stake_cents: Cents, chips: int, coupons: int) -> Booking:
    """Registered wagers move the meter by exactly the rate; coupons move it like chips and are counted apart."""
    wagered = (chips + coupons) * stake_cents
    units = wagered * terms.rate_bp
    fits = min(units, _room(pot, terms)) if terms.limit_cents else units
    postings = [Posting(Kind.CONTRIBUTION, Account.WAGERS, Account.METER, fits)]
    if fits < units:
        postings.append(Posting(Kind.OVERFLOW, Account.WAGERS, Account.OVERFLOW, units - fits))
    if terms.reset_rate_bp:
        collected = wagered * terms.reset_rate_bp
        postings.append(Posting(Kind.RESET_CONTRIBUTION, Account.WAGERS, Account.RESET_METER, collected))
    counted = replace(
        pot,
        chips=pot.chips + chips,
        chip_cents=pot.chip_cents + chips * stake_cents,
        coupons=pot.coupons + coupons,
        coupon_cents=pot.coupon_cents + coupons * stake_cents,
    )
    return booked(counted, postings)


def imbalance(pot: LinkBalances) -> str | None:
    """Why these figures cannot be right, or None: accounts cancel out, the meter is explained, nothing is negative."""
    meter = pot.balances.get(Account.METER, 0)
    pending = sum(award.amount_cents for award in pot.awards) * UNITS_PER_CENT
    if sum(pot.balances.values()):
        return f"the accounts add up to {sum(pot.balances.values())} units instead of nothing"
    if sum(pot.explained.values()) != meter:
        return f"the meter holds {meter} units, its history explains {sum(pot.explained.values())}"
    if pot.balances.get(Account.AWARDS, 0) != pending:
        return f"open awards are {pending} units, their account holds {pot.balances.get(Account.AWARDS, 0)}"
    kept = (Account.METER, Account.RESET_METER, Account.OVERFLOW)
    below = next((account for account in kept if pot.balances.get(account, 0) < 0), None)
    return f"the {below.value.replace('_', ' ')} is below zero" if below else None


def rules_fault(rules: int) -> str | None:
    """Why nothing can be booked by these rules here, or None."""
    if rules == RULES:
        return None
    return f"it goes by booking rules {rules}, this version books by rules {RULES}: use the version that wrote it"


def booked(pot: LinkBalances, postings: Iterable[Posting]) -> Booking:
    """Applies what moves anything; a posting of nothing says nothing."""
    moving = tuple(posting for posting in postings if posting.units)
    balances, explained = dict(pot.balances), dict(pot.explained)
    for moved in moving:
        balances[moved.source] = balances.get(moved.source, 0) - moved.units
        balances[moved.target] = balances.get(moved.target, 0) + moved.units
        into_meter = (moved.target is Account.METER) - (moved.source is Account.METER)
        if into_meter:
            explained[moved.kind] = explained.get(moved.kind, 0) + into_meter * moved.units
    return Booking(moving, replace(pot, balances=balances, explained=explained))


def room_cents(pot: LinkBalances, terms: LinkTerms) -> Cents:
    """How many whole cents fit on the meter below its limit."""
    return _room(pot, terms) // UNITS_PER_CENT


def _room(pot: LinkBalances, terms: LinkTerms) -> int:
    return max(0, terms.limit_cents * UNITS_PER_CENT - pot.balances.get(Account.METER, 0))
