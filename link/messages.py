"""The link protocol: messages between tables and the meter (documented in docs/link.md)."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

VERSION: Final = 1
MAX_MESSAGE_BYTES: Final = 16_384
MAX_STAFF_BYTES: Final = 262_144
"""The staff directory, the one message that may be longer: 500 persons fit."""
MOST_WORDS: Final = 200
"""Letters of a name or a reason."""
GONE: Final = ("the meter has stopped", "its amount and its pending awards stand as they were last said")

_NAME_PATTERN: Final = r"\A[A-Za-z0-9][A-Za-z0-9_-]{0,31}\Z"
_MOST: Final = 2**53 - 1  # the largest whole number that every JSON reader keeps exactly

Name: TypeAlias = Annotated[str, Meta(pattern=_NAME_PATTERN)]
"""What may stand in a topic: the name of a link or a table."""
Journal: TypeAlias = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]{1,64}\Z")]
Words: TypeAlias = Annotated[str, Meta(max_length=MOST_WORDS)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=_MOST)]
Number: TypeAlias = Annotated[int, Meta(ge=1, le=_MOST)]
Money: TypeAlias = Annotated[int, Meta(ge=0, le=10**12)]  # cents: R12 asks for ten digits, this is thirteen
Part: TypeAlias = Annotated[int, Meta(ge=0, le=10_000)]  # basis points of the meter
Seat: TypeAlias = Annotated[int, Meta(ge=1, le=32)]
Seats: TypeAlias = Annotated[tuple[Seat, ...], Meta(max_length=32)]
Card: TypeAlias = Annotated[str, Meta(pattern=r"\A(?:[2-9TJQKA][cdhs]|Jk)\Z")]
Cards: TypeAlias = Annotated[tuple[Card, ...], Meta(max_length=24)]
Proof: TypeAlias = Annotated[str, Meta(pattern=r"\A(?:[0-9]{3,10}:[0-9a-f]{64})?\Z")]
"""A person's proof for one order: staff number and MAC (docs/link.md); empty where nobody typed a PIN."""
Proofs: TypeAlias = Annotated[Mapping[Seat, Proof], Meta(max_length=32)]
Serial: TypeAlias = Annotated[str, Meta(pattern=r"\A[!-_{-~]{1,40}\Z")]
"""A coupon's serial number: what a bar code holds, in capital letters and without spaces."""


StaffNumber: TypeAlias = Annotated[str, Meta(pattern=r"\A[0-9]{3,10}\Z")]
TotpCode: TypeAlias = Annotated[str, Meta(pattern=r"\A([0-9]{6})?\Z")]


class Wagers(Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """One round's registered wagers: each seat once, coupons among them named apart.

    since_ms is the time since the round before, by a clock that nobody sets: said where the calendar was set meanwhile.
    """

    round: Count
    stake_cents: Money
    seats: Seats
    coupons: Seats = ()
    since_ms: Count | UnsetType = UNSET


class Award(Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """Fix an amount for one seat's hand now: a percentage of the meter or a fixed sum deducted from it.

    clock is the table's word about its own clock, for those who must say which of two claims came first; sharers are
    the seats, in paying order, that divide the whole meter equally. cards are those that make each such seat's hand:
    a percentage is not fixed without them.
    """

    round: Count
    seat: Seat
    hand: Words
    percent_bp: Part = 0
    fixed_cents: Money = 0
    clock: Words = ""
    sharers: Seats = ()
    cards: Annotated[Mapping[Seat, Cards], Meta(max_length=32)] = {}


class Validation(Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """A supervisor validated this seat's part of the award fixed by this table's entry award_seq, and proves it.

    The reply says whether the meter agrees: only then is anybody paid.
    """

    award_seq: Number
    seat: Seat
    amount_cents: Money
    proof: Proof = ""


class Payout(Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The award fixed by this table's entry award_seq was validated and paid; amount_cents 0 is: as it was fixed.

    validated and paid are the proofs of the supervisor and of the payer, for each seat that has a part of it.
    """

    award_seq: Number
    validated: Proofs = {}
    paid: Proofs = {}
    amount_cents: Money = 0


class Release(Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The award fixed by this table's entry award_seq was rejected; its amount goes back to the meter."""

    award_seq: Number
    reason: Words
    rejected_by: Words


class Coupon(Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """A player wagers this coupon: redeem its serial number, once on the whole link."""

    round: Count
    seat: Seat
    serial: Serial


class CouponReturn(Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The coupon that this table's entry coupon_seq redeemed goes back to its player: its serial number is free."""

    coupon_seq: Number
    serial: Serial


Entry: TypeAlias = Wagers | Award | Validation | Payout | Release | Coupon | CouponReturn


class Envelope(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table sends: seq counts 1, 2, 3 … without gaps within one journal."""

    v: int
    table: Name
    journal: Journal
    seq: Number
    at_ms: Count
    entry: Entry


class Hello(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table asks to join; the meter replies with what it has booked, or why not.

    decks is said where a game may be dealt from several; 0 is the game's usual number. pays are what the house pays
    from the meter otherwise than the rule lists it, by hand: 6000 is cents, "12 %" a part of the meter. idle is said
    while the link is stopped: no round is in hand here, and none can begin. nonce is another word each time that a
    table comes back: whoever answers with it has heard this hello, and not one of before.
    """

    v: int
    table: Name
    journal: Journal
    game: Words
    pay_table: Words
    stake_cents: Money
    seats: Seat
    next_seq: Number
    software: Words
    rehearsal: bool = False
    connection_sign: bool = False
    config_hash: Words = ""
    decks: Annotated[int, Meta(ge=0, le=99)] = 0
    pays: Annotated[Mapping[Words, Money | Words], Meta(max_length=50)] = {}
    idle: bool = False
    nonce: Words = ""

    @property
    def shape(self) -> "Hello":
        """What the table is, without where it stands: that is told anew each time."""
        return replace(self, next_seq=1, idle=False, nonce="")


class Presence(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a table is there."""

    v: int
    table: Name
    alive: bool


TableWord: TypeAlias = Literal[
    "closed",
    "open",
    "no_wagers",
    "counting",
    "differs",
    "in_play",
    "settling",
    "supervisor",
    "paying",
    "void",
    "over",
    "fault",
]
"""Where a table stands, in one word."""
PageAddress: TypeAlias = Annotated[str, Meta(pattern=r"\A(?:https?://[A-Za-z0-9.:\[\]-]{1,200})?\Z")]


class TableLights(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a table shows, for the floor alone: no money rests on it.

    lit, open and look are the seats with such a light, every other light is dark; chips is what was counted, so far as
    it was; page is where the table's pages are found.
    """

    v: int
    table: Name
    round: Count
    word: TableWord
    seats: Seat
    lit: Seats = ()
    open: Seats = ()
    look: Seats = ()
    chips: Count | None = None
    page: PageAddress = ""


class FixedAward(Struct, frozen=True, forbid_unknown_fields=True):
    """What the meter fixed for the award entry seq.

    validated are the seats whose validation the meter agrees with. waits says what must happen at the meter before
    anybody is paid, refused why the last validation did not count.
    """

    seq: int
    amount_cents: int
    meter_before_cents: int
    meter_after_cents: int
    house_funded_cents: int = 0
    validated: tuple[int, ...] = ()
    waits: str = ""
    refused: str = ""


class Redemption(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a coupon was redeemed, and when by the meter's calendar."""

    table: str
    round: int
    seat: int
    at_ms: int


class CouponAnswer(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Whether the meter took the coupon entry seq; first says where and when its coupon was redeemed before."""

    seq: int
    accepted: bool = True
    first: Redemption | None = None


class Reply(Struct, frozen=True, forbid_unknown_fields=True):
    """The meter's answer to one table: everything up to booked_seq is on disk; every open award rides along.

    refusal says why the table or its next entry is not taken; held says why its next entry must wait. nonce is that
    of the table's last hello, if it had one. coupons answer the last coupon of each seat since the table last
    registered wagers, if there was one.
    """

    v: int
    journal: str
    booked_seq: int
    awards: tuple[FixedAward, ...] = ()
    refusal: str = ""
    held: str = ""
    nonce: str | UnsetType = UNSET
    coupons: tuple[CouponAnswer, ...] | UnsetType = UNSET


class PendingAward(Struct, frozen=True, forbid_unknown_fields=True):
    """An award claimed and not yet paid or released; a contested one waits for management, with or without amount."""

    table: str
    seat: int
    hand: str
    amount_cents: int
    contested: bool = False


class Win(Struct, frozen=True, forbid_unknown_fields=True):
    """An award that was paid."""

    table: str
    seat: int
    hand: str
    amount_cents: int


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """What the meter tells everybody, retained; number grows with every booked change, at_ms with every beat."""

    v: int
    link: str
    alive: bool
    number: int = 0
    amount_cents: int = 0
    reset_cents: int = 0
    rate_bp: int = 0
    pending: tuple[PendingAward, ...] = ()
    notice: str = ""
    at_ms: int = 0
    health: str = "good"
    notices: tuple[str, ...] = ()
    last_win: Win | None = None
    hits: int = 0
    wins_cents: int = 0
    held: int = 0
    limit_cents: int = 0
    reset_rate_bp: int = 0
    # How the amount came about: base + contribution - deducted + refill + adjusted; carry is what is below a cent.
    base_cents: int = 0
    in_cents: int = 0
    contribution_cents: int = 0
    carry: str = "0/1"
    deducted_cents: int = 0
    refill_cents: int = 0
    adjusted_cents: int = 0
    # What is connected: how many tables may join, and which games they deal.
    tables: int = 0
    games: tuple[str, ...] = ()

    @property
    def forbids_play(self) -> bool:
        """Whether a meter says here that nobody may play; one that only leaves is lost, and a will is the broker's."""
        return not self.alive and self.number > 0 and self.health not in ("good", "attention")


class Gone(Struct, frozen=True, forbid_unknown_fields=True):
    """A meter's last will: a State without figures, for it is written down at the connection and said much later."""

    v: int
    link: str
    alive: bool = False
    health: str = "stopped"
    notice: str = GONE[0]
    notices: tuple[str, ...] = GONE


class MessageHeader(Struct, frozen=True):
    """As much of any version's message as it takes to answer its sender."""

    v: int
    table: Name
    journal: Journal


class SignInAsked(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Somebody signs in at a table: number, proof of the PIN, and a TOTP code where he does so over the network.

    With new_pin he chooses another PIN, sealed under the secret of the old one. Without both it only reports that he
    was there, and gets no answer.
    """

    v: Number
    table: Name
    nonce: Journal
    number: StaffNumber
    proof: Words
    code: TotpCode = ""
    new_pin: Words = ""


class TableAlarm(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody tries PINs at a table: the last try in words, and how many since the last alarm."""

    v: Number
    table: Name
    words: Words
    tries: Count


class SignInAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """The meter's answer to the question with this nonce: why not, or nothing."""

    v: Number
    nonce: Journal
    refusal: Words = ""


MessageT = TypeVar(
    "MessageT",
    bound=Envelope
    | Hello
    | Presence
    | TableLights
    | Reply
    | State
    | Gone
    | MessageHeader
    | SignInAsked
    | SignInAnswer
    | TableAlarm,
)


def shortened(words: str) -> str:
    """As much of these words as a message may carry."""
    return words if len(words) <= MOST_WORDS else words[: MOST_WORDS - 1] + "…"


class Garbled(ValueError):  # noqa: N818  it is what the message is, in the words of the link
    """Bytes that are not the message they should be."""


def encode(
    message: Envelope | Hello | Presence | TableLights | Reply | State | Gone | SignInAsked | SignInAnswer | TableAlarm,
) -> bytes:
    """A message as it travels: JSON, the same bytes for the same message."""
    return msgspec.json.encode(message)


def decode(payload: bytes, kind: type[MessageT]) -> MessageT:
    """The message these bytes are, or Garbled with what is wrong with them."""
    if len(payload) > MAX_MESSAGE_BYTES:
        raise Garbled(f"{len(payload)} bytes, {MAX_MESSAGE_BYTES} are allowed")
    try:
        return msgspec.json.decode(payload, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Garbled(str(error)) from error
