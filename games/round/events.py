"""Everything that can happen at a table: frozen facts in the past tense."""

from typing import TypeAlias

from games.money import Cents
from games.round.device_events import (
    AwardsFreed,
    AwardsHeld,
    DeviceFaulted,
    DeviceMended,
    Fact,
    LinkLost,
    LinkRestored,
    Notice,
    PanelUsed,
    SupervisorKeyTurned,
)

# Notices are events, too: whoever asks here for one gets it.
__all__ = [
    "AwardsFreed",
    "AwardsHeld",
    "DeviceFaulted",
    "DeviceMended",
    "LinkLost",
    "LinkRestored",
    "Notice",
    "PanelUsed",
    "SupervisorKeyTurned",
]


class TableOpened(Fact, frozen=True):
    """A supervisor opened the table."""

    by: str


class CloseAsked(Fact, frozen=True):
    """A supervisor wants the table closed; a round in hand is finished first."""

    by: str
    reason: str


class TableClosed(Fact, frozen=True):
    """The table closed between two rounds."""

    by: str
    reason: str


class RoundOpened(Fact, frozen=True):
    """The next round is open to wagers."""


class ChipPlaced(Fact, frozen=True):
    """A chip went into a seat's acceptor or came to rest on its sensor."""

    seat: int


class ChipLifted(Fact, frozen=True):
    """The chip was taken off a seat's sensor."""

    seat: int


class SideChipPlaced(Fact, frozen=True):
    """A chip came to rest on the sensor of a side wager."""

    seat: int
    wager: str


class SideChipLifted(Fact, frozen=True):
    """The chip was taken off the sensor of a side wager."""

    seat: int
    wager: str


class CouponRedeemed(Fact, frozen=True):
    """A player gave a progressive coupon; it is a wager once the meter has accepted it."""

    seat: int
    serial: str
    by: str = ""


class CouponAccepted(Fact, frozen=True):
    """The meter redeemed the coupon of entry seq."""

    seq: int


class CouponRefused(Fact, frozen=True):
    """The meter did not redeem the coupon of entry seq; the reason says where and when it was redeemed before."""

    seq: int
    reason: str


class CouponReturned(Fact, frozen=True):
    """A coupon was given back to its player before lock-out."""

    seat: int
    by: str = ""


class WagerPlaced(Fact, frozen=True, omit_defaults=True):
    """The dealer saw a wager on the layout that no sensor sees: so many cents, or the usual amount."""

    seat: int
    wager: str
    cents: Cents = 0
    number: int = 0
    by: str = ""


class WagerTakenBack(Fact, frozen=True):
    """A player took such a wager back before wagers closed."""

    seat: int
    wager: str
    by: str = ""


class WagersRepeated(Fact, frozen=True):
    """The dealer saw the same wagers on the layout as in the last round."""

    by: str = ""


class BaseWagerMissed(Fact, frozen=True):
    """The dealer saw that this seat has no base wager: its progressive wager is none, and a chip goes back to it."""

    seat: int
    by: str = ""


class BaseWagerLaid(Fact, frozen=True):
    """The player laid his base wager after all."""

    seat: int
    by: str = ""


class NumberDrawn(Fact, frozen=True):
    """The random number generator showed this number, 1 through 7."""

    number: int
    by: str = ""


class StacksDealt(Fact, frozen=True):
    """The dealer, who deals by hand, pressed: seven stacks lie there, and the number may be drawn (11.8A(e))."""


class BonusDisplayed(Fact, frozen=True):
    """The bonus display showed a winner this amount."""

    seat: int
    cents: Cents
    by: str = ""


class DealerCardDealt(Fact, frozen=True):
    """The dealer turned his up-card (hand 0), or the second card of one of his hands (2.18(e), (g), (h)).

    The card of the latest hand may be told again, until somebody was paid for it.
    """

    card: str
    hand: int = 0
    by: str = ""


class LockOutPressed(Fact, frozen=True):
    """The dealer pressed lock-out: he announced no more bets or, where the count comes first, had the count begun."""


class CollectionStarted(Fact, frozen=True):
    """The return device's counter was read before it gives back chips."""

    epoch: str
    count: int


class ChipsReturned(Fact, frozen=True):
    """So many chips of this round have come back so far."""

    chips: int


class ChipsCounted(Fact, frozen=True):
    """The return device is empty; this many chips of the round came back."""

    chips: int


class ChipsAttested(Fact, frozen=True):
    """The dealer's press was his word: he saw so many chips, one at each light, and announced no more bets."""

    chips: int


class RecountAsked(Fact, frozen=True):
    """Somebody cleared the return device and wants it run again."""

    by: str


class MismatchExplained(Fact, frozen=True):
    """A supervisor explained why chips and lights differ; void_seats made no wager after all."""

    by: str
    reason: str
    void_seats: tuple[int, ...] = ()


class WagersRegistered(Fact, frozen=True):
    """The meter has this round's wagers on disk."""

    seq: int


class SeatFolded(Fact, frozen=True):
    """A player folded the base game."""

    seat: int
    by: str = ""


class FoldCorrected(Fact, frozen=True):
    """A supervisor found that a player had not folded after all."""

    seat: int
    by: str


class HandClaimed(Fact, frozen=True, omit_defaults=True):
    """The dealer found a winning hand: by cards (own, community, dealer's), or by its name where that will do.

    Cards decide every wager of the seat, a name only this one; paid says that the dealer paid it at once.
    """

    seat: int
    cards: tuple[str, ...] = ()
    community: tuple[str, ...] = ()
    hand: str = ""
    by: str = ""
    wager: str = "progressive"
    dealer: tuple[str, ...] = ()
    paid: bool = False


class HandShown(Fact, frozen=True):
    """The dealer showed a hand that others envy; its player need not have wagered."""

    seat: int
    cards: tuple[str, ...] = ()
    by: str = ""


class NoWinShown(Fact, frozen=True):
    """The dealer looked at these seats' hands: they win nothing from the meter."""

    seats: tuple[int, ...]
    by: str = ""


class AreasHeld(Fact, frozen=True):
    """One player plays at all these seats, and at no others: he does not envy himself."""

    seats: tuple[int, ...]
    by: str = ""


class EnvyPaid(Fact, frozen=True):
    """A seat was paid every envy bonus that it is owed."""

    seat: int
    by: str


class HandsAllShown(Fact, frozen=True):
    """The dealer looked at every hand: nobody else shares the whole meter."""

    by: str


class AwardFixed(Fact, frozen=True):
    """The meter fixed the amount asked for by link entry seq."""

    seq: int
    amount_cents: Cents
    meter_before_cents: Cents
    meter_after_cents: Cents
    house_funded_cents: Cents = 0


class ClaimValidated(Fact, frozen=True, omit_defaults=True):
    """A supervisor validated a claim; for the wager "envy", the hand of this seat that others envy.

    proof shows it to the meter, where the claim is paid from it.
    """

    seat: int
    by: str
    wager: str = "progressive"
    proof: str = ""


class ValidationAccepted(Fact, frozen=True, omit_defaults=True):
    """The meter agrees with the validation of this seat's award; waits says what must still happen at the meter."""

    seat: int
    waits: str = ""


class ValidationRefused(Fact, frozen=True):
    """The meter does not agree with the validation of this seat's award: it must be validated again."""

    seat: int
    reason: str


class ClaimRejected(Fact, frozen=True):
    """A supervisor rejected a seat's claims: the hand was misread."""

    seat: int
    by: str
    reason: str


class PayoutConfirmed(Fact, frozen=True, omit_defaults=True):
    """The player was paid; proof shows it to the meter, where the claim is paid from it."""

    seat: int
    by: str
    wager: str = "progressive"
    proof: str = ""


class PapersCompleted(Fact, frozen=True):
    """The papers of a payment that the rack did not make are complete: the seat's cards may go (19:45-1.52)."""

    seat: int
    by: str


class IrregularityNoted(Fact, frozen=True, omit_defaults=True):
    """Something went wrong; seats are those it concerns, where it concerns single ones.

    settled says which wagers had been settled before, where the table cannot know it (11.17(f)).
    """

    irregularity: str
    by: str
    seats: tuple[int, ...] = ()
    settled: tuple[str, ...] = ()


class IrregularityWithdrawn(Fact, frozen=True):
    """A supervisor found that an irregularity was none."""

    irregularity: str
    by: str


class RefundsConfirmed(Fact, frozen=True):
    """Every wager that is to be refunded was given back from the rack."""

    by: str


class BankPassed(Fact, frozen=True):
    """These seats were offered the bank and passed it on; so does an empty seat."""

    seats: tuple[int, ...]
    by: str = ""


class BankTaken(Fact, frozen=True, omit_defaults=True):
    """A player takes the bank of this round.

    The dealer looked at the player's chips, at what all others wager, and at the player's last wager against the
    dealer. dealer_wager_cents is what the dealer wagers against the bank; with a co-bank, nothing.
    """

    seat: int
    chips_cents: Cents
    others_cents: Cents
    last_wager_cents: Cents
    dealer_wager_cents: Cents = 0
    co_bank: bool = False
    by: str = ""


class BankGivenBack(Fact, frozen=True):
    """The dealer banks after all: the bank was entered by mistake, or its player changed his mind before lock-out."""

    by: str = ""


class DiceTotalled(Fact, frozen=True):
    """The dealer uncovered the three dice and announced their total."""

    dice: tuple[int, int, int]
    by: str = ""


class StubCounted(Fact, frozen=True):
    """The dealer counted so many cards of the stub, after so many hands were dealt, the dealer's among them."""

    cards: int
    hands: int
    by: str = ""


class HouseWayAsked(Fact, frozen=True):
    """Somebody's seven cards are to be set as the house sets them; seat 0 is the dealer."""

    seat: int
    cards: tuple[str, ...]
    by: str = ""


class BaseWagerWon(Fact, frozen=True):
    """A base wager of so many cents won."""

    seat: int
    cents: Cents
    by: str = ""


class CentreCounted(Fact, frozen=True):
    """With a bank: so much lies in the centre from lost wagers, and so much is to be paid to those that won."""

    lost_cents: Cents
    won_cents: Cents
    by: str = ""


class EndOfRoundPressed(Fact, frozen=True):
    """The dealer ended the round."""


WagerEvent: TypeAlias = (
    ChipPlaced
    | ChipLifted
    | SideChipPlaced
    | SideChipLifted
    | CouponRedeemed
    | CouponAccepted
    | CouponRefused
    | CouponReturned
    | WagerPlaced
    | WagerTakenBack
    | WagersRepeated
    | BaseWagerMissed
    | BaseWagerLaid
    | LockOutPressed
    | CollectionStarted
    | ChipsReturned
    | ChipsCounted
    | ChipsAttested
    | RecountAsked
    | MismatchExplained
    | WagersRegistered
)
HandEvent: TypeAlias = (
    StacksDealt | SeatFolded | FoldCorrected | IrregularityNoted | IrregularityWithdrawn | RefundsConfirmed | AreasHeld
)
ClaimEvent: TypeAlias = (
    HandClaimed
    | HandShown
    | NoWinShown
    | HandsAllShown
    | NumberDrawn
    | DealerCardDealt
    | BonusDisplayed
    | EnvyPaid
    | AwardFixed
    | ClaimValidated
    | ValidationAccepted
    | ValidationRefused
    | ClaimRejected
    | PayoutConfirmed
    | PapersCompleted
)
DealEvent: TypeAlias = (
    BankPassed | BankTaken | BankGivenBack | DiceTotalled | StubCounted | HouseWayAsked | BaseWagerWon | CentreCounted
)
TableEvent: TypeAlias = TableOpened | CloseAsked | TableClosed | RoundOpened | EndOfRoundPressed
Event: TypeAlias = WagerEvent | HandEvent | ClaimEvent | DealEvent | TableEvent | Notice
