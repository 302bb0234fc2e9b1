"""Round state: everything a table knows of its round, as one frozen value."""

from enum import Enum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from games.money import Cents

WHOLE_METER_BP: Final = 10_000


class Phase(Enum):
    """Where a round stands."""

    CLOSED = "closed"
    OPEN = "open"
    COUNTING = "counting"
    LOCKED = "locked"
    COUNTED = "counted"
    IN_PLAY = "in play"
    SETTLING = "settling"
    VOIDED = "voided"
    ENDED = "ended"


class SeatWager(Struct, frozen=True):
    """One seat's live progressive wager; coupon is its serial, empty for a chip, redeemed by entry coupon_seq."""

    coupon: str = ""
    coupon_seq: int = 0


class AskedCoupon(Struct, frozen=True):
    """A coupon that the meter was asked to redeem by entry seq, and has not answered: no wager yet."""

    serial: str
    seq: int


class ClaimState(Enum):
    """How far a claim has come."""

    WAITING = "waiting for its turn"
    SHARING = "sharing the meter, waiting for its turn"
    ASKED = "waiting for the meter"
    FIXED = "waiting for the supervisor"
    CHECKING = "validated, the meter checks"
    VALIDATED = "to be paid"
    PAID = "paid"
    REJECTED = "rejected"


class Claim(Struct, frozen=True):
    """One seat's winning wager on its way to being paid."""

    seat: int
    wager: str = "progressive"
    hand: str = ""
    cards: tuple[str, ...] = ()
    community: tuple[str, ...] = ()
    priced_at_cents: Cents | None = None  # the meter at which this hand pays most; None: an ample one
    percent_bp: int = 0
    fixed_cents: Cents = 0
    deducted: bool = False
    validation: bool = True
    source: str = ""
    rule: str = ""
    state: ClaimState = ClaimState.WAITING
    award_seq: int = 0
    is_fixed: bool = False  # the meter said what entry award_seq comes to
    amount_cents: Cents = 0
    meter_before_cents: Cents = 0
    meter_after_cents: Cents = 0
    house_funded_cents: Cents = 0
    validated_by: str = ""
    paid_by: str = ""
    reason: str = ""
    slip: int = 0
    validation_seq: int = 0  # the entry by which the meter was told of the validation
    is_agreed: bool = False  # the meter agrees with the validation
    waits: str = ""  # what must happen at the meter before it is paid
    validation_proof: str = ""
    payout_proof: str = ""
    papers_by: str = ""

    @property
    def is_open(self) -> bool:
        """Whether somebody still has to act on it."""
        return self.state not in (ClaimState.PAID, ClaimState.REJECTED)

    @property
    def takes_all(self) -> bool:
        """Whether it is a claim to the whole meter."""
        return self.percent_bp == WHOLE_METER_BP

    @property
    def has_the_turn(self) -> bool:
        """Whether this is the claim that the meter is asked for now."""
        at_turn = self.state in (ClaimState.ASKED, ClaimState.FIXED, ClaimState.CHECKING, ClaimState.VALIDATED)
        return bool(self.award_seq) and at_turn

    @property
    def holds_cards(self) -> bool:
        """Whether it was paid, not from the rack, and its cards lie until the papers are complete (19:45-1.52)."""
        return self.state is ClaimState.PAID and self.source == "cage" and not self.papers_by

    @property
    def is_to_be_paid(self) -> bool:
        """Whether somebody may pay it now."""
        return self.state is ClaimState.VALIDATED


class Envy(Struct, frozen=True):
    """What a seat is owed from the rack for the hand of another; paid_by is empty while it is owed."""

    seat: int
    holder: int
    hand: str
    amount_cents: Cents
    rule: str
    paid_by: str = ""
    wager: str = "envy"


class NotedIrregularity(Struct, frozen=True):
    """One irregularity of the round, the seats it names, who wrote it down, and what had been settled before it."""

    name: str
    by: str
    seats: tuple[int, ...] = ()
    settled: tuple[str, ...] = ()
    lines_paid: int = 0  # payments of the round before it


class Collection(Struct, frozen=True):
    """How the return device stood before it gave back this round's chips; carried were counted in an earlier epoch."""

    epoch: str
    count: int
    carried: int = 0


class DeviceFault(Struct, frozen=True):
    """A device that is wrong; seat 0 means the whole table, wager the sensor of this one wager at the seat."""

    kind: str
    detail: str
    seat: int = 0
    wager: str = ""


class Closing(Struct, frozen=True):
    """Who closed the table, or wants it closed after this round, and why."""

    by: str
    reason: str


class SideWagers(Struct, frozen=True):
    """What else lies at a seat because the dealer said so: amounts by wager, and by number for the number wager."""

    amounts: dict[str, Cents] = {}
    numbers: dict[int, Cents] = {}


class Bank(Struct, frozen=True):
    """The player who banks this round, and what the dealer wagers against that player."""

    seat: int
    co_bank: bool
    chips_cents: Cents
    dealer_wager_cents: Cents


class Deal(Struct, frozen=True):
    """Who banks and how the cards are dealt, in this round and, where the next one depends on it, before."""

    rounds: int = 0  # since the table was opened, this one included
    bank: Bank | None = None
    passed: tuple[int, ...] = ()  # seats that passed the bank on
    last_first_offer: int | None = None  # who was offered the bank first in the last round; None: nobody was
    banked_last: int = 0  # the seat that banked the last round
    unwagered: tuple[int, ...] = ()  # seats without a wager against the dealer in the last round without a bank
    dice: tuple[int, ...] = ()
    button: int = 0  # the position where it lies; it begins at the dealer
    is_stub_counted: bool = False
    uncounted: int = 0  # rounds since the stub was counted, this one included
    set_cards: dict[int, tuple[str, ...]] = {}  # cards that were set the house way, by seat; 0 is the dealer
    won: dict[int, Cents] = {}  # base wagers that won, by seat
    centre: tuple[Cents, Cents] | None = None  # lost and won wagers in the centre


class RoundState(Struct, frozen=True):
    """A table's round and what outlives it."""

    round: int = 0
    phase: Phase = Phase.CLOSED
    wagers: dict[int, SeatWager] = {}
    asked_coupons: dict[int, AskedCoupon] = {}  # by seat
    refused_coupons: dict[int, str] = {}  # what the meter said against the last coupon of a seat without a wager
    side: dict[int, SideWagers] = {}
    sensed: dict[int, tuple[str, ...]] = {}  # those of them that a sensor of their own saw
    last_side: dict[int, SideWagers] = {}  # of the round before
    baseless: tuple[int, ...] = ()  # seats without a base wager
    loose_chips: int = 0  # chips that went in and belong to no light
    folded: tuple[int, ...] = ()
    forfeited: tuple[int, ...] = ()
    collection: Collection | None = None
    counts: int = 0  # how often a count of this round was begun
    returned: int = 0
    counted: int | None = None
    by_eye: bool = False
    explanation: str = ""
    wagers_seq: int = 0
    registered: bool = False
    community: tuple[str, ...] = ()
    dealer: tuple[str, ...] = ()
    dealer_hands: tuple[str, ...] = ()  # multiple action: the up-card, then the second card of each hand
    cards: dict[int, tuple[str, ...]] = {}  # of the seats whose hand was written down
    named: dict[int, dict[str, str]] = {}  # hands that were only named, by seat and wager
    no_win: tuple[int, ...] = ()  # seats of which the dealer said that they win nothing from the meter
    stacks_dealt: bool = False  # by hand, so that the number may be drawn
    number_drawn: int | None = None
    displayed: dict[int, Cents] = {}  # what the bonus display showed, by seat
    claims: tuple[Claim, ...] = ()
    all_shown: bool = False  # the dealer looked at every hand since the last claim to the whole meter
    envy: tuple[Envy, ...] = ()
    envy_validated: dict[int, str] = {}  # who validated the hand that others envy, by its seat
    areas: tuple[tuple[int, ...], ...] = ()  # seats of which one player holds several
    irregularities: tuple[NotedIrregularity, ...] = ()
    voided: tuple[int, ...] = ()
    refunds_due: dict[int, tuple[str, ...]] = {}  # wagers that go back to their player, by seat
    refunded: dict[int, tuple[str, ...]] = {}
    flagged: tuple[int, ...] = ()
    link_seq: int = 0
    link_down: str = ""
    link_refused: bool = False  # since the link was last up the meter did not let this table play
    held: str = ""  # why the meter lets no percentage be paid
    key_on: bool = False
    closing: Closing | None = None
    faults: dict[str, DeviceFault] = {}
    slips: int = 0
    deal: Deal = Deal()

    def next_round(self, deal: Deal) -> "RoundState":
        """A clean round after this one, dealt so; what outlives a round is kept."""
        return RoundState(
            round=self.round + 1,
            phase=self.phase,
            last_side=self.side,
            loose_chips=self.loose_chips,
            link_seq=self.link_seq,
            link_down=self.link_down,
            link_refused=self.link_refused,
            held=self.held,
            key_on=self.key_on,
            closing=self.closing,
            faults=self.faults,
            slips=self.slips,
            deal=deal,
        )

    @property
    def coupons(self) -> tuple[int, ...]:
        """Seats that wagered with a coupon."""
        return tuple(sorted(seat for seat, wager in self.wagers.items() if wager.coupon))

    @property
    def chips_due(self) -> int:
        """How many chips must come back: one for each light without a coupon, and those that belong to no light."""
        return len(self.wagers) - len(self.coupons) + self.loose_chips

    @property
    def is_taking_wagers(self) -> bool:
        """Whether nobody has closed this round's wagers yet."""
        return self.phase in (Phase.OPEN, Phase.COUNTING)

    @property
    def is_to_be_counted(self) -> bool:
        """Whether chips must be counted before the hand is dealt."""
        return self.phase in (Phase.COUNTING, Phase.LOCKED)

    @property
    def is_miscounted(self) -> bool:
        """Whether the round stands still because chips and lights differ."""
        return self.is_to_be_counted and self.counted is not None

    @property
    def open_claims(self) -> tuple[Claim, ...]:
        """Claims somebody still has to act on."""
        return tuple(claim for claim in self.claims if claim.is_open)

    @property
    def papers_due(self) -> tuple[int, ...]:
        """The seats whose cards lie until the papers of their payment are complete."""
        return tuple(sorted(claim.seat for claim in self.claims if claim.holds_cards))

    @property
    def lines_paid(self) -> int:
        """How many payments of this round were made."""
        paid = sum(claim.state is ClaimState.PAID for claim in self.claims)
        return paid + sum(bool(envy.paid_by) for envy in self.envy)

    @property
    def envy_due(self) -> tuple[Envy, ...]:
        """Envy bonuses that are still to be paid, in paying order."""
        due = (envy for envy in self.envy if not envy.paid_by)
        return tuple(sorted(due, key=lambda envy: (envy.seat, envy.holder), reverse=True))

    def claim(self, seat: int, wager: str = "progressive") -> Claim | None:
        """The latest claim of this wager of the seat, or None."""
        found = (claim for claim in reversed(self.claims) if claim.seat == seat and claim.wager == wager)
        return next(found, None)

    def claims_of(self, seat: int) -> tuple[Claim, ...]:
        """Every standing claim of the seat."""
        return tuple(claim for claim in self.claims if claim.seat == seat and claim.state is not ClaimState.REJECTED)

    def is_paid(self, seat: int, wager: str) -> bool:
        """Whether this wager of the seat was paid."""
        claim = self.claim(seat, wager)
        return claim is not None and claim.state is ClaimState.PAID

    def claims_to(self, award_seq: int) -> tuple[Claim, ...]:
        """The standing claims that link entry award_seq was asked for, in paying order."""
        standing = (claim for claim in self.claims if claim.state is not ClaimState.REJECTED)
        mine = (claim for claim in standing if award_seq and claim.award_seq == award_seq)
        return tuple(sorted(mine, key=lambda claim: claim.seat, reverse=True))

    def is_held(self, claim: Claim) -> bool:
        """Whether the meter lets nobody be paid this claim, nor says yet what it will be (28.11(i))."""
        return bool(self.held and claim.percent_bp) and claim.is_open

    def seat_fault(self, seat: int) -> DeviceFault | None:
        """What is wrong at this seat's acceptor or at the whole table, or None."""
        found = (fault for fault in self.faults.values() if fault.seat in (seat, 0) and not fault.wager)
        return next(found, None)

    def is_sensor_faulty(self, seat: int, wager: str) -> bool:
        """Whether the sensor of this wager at this seat is wrong."""
        return any((fault.seat, fault.wager) == (seat, wager) for fault in self.faults.values())

    def with_claim(self, claim: Claim) -> "RoundState":
        """The state with the latest claim of this wager and seat replaced."""
        known = self.claim(claim.seat, claim.wager)
        return replace(self, claims=(*(each for each in self.claims if each is not known), claim))
