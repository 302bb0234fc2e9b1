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


class CouponRedeemed(Fact, frozen=True):
    """A player wagered with a progressive coupon."""

    seat: int
    serial: str
    by: str = ""


class CouponReturned(Fact, frozen=True):
    """A coupon wager was taken back before lock-out."""

    seat: int
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


class HandClaimed(Fact, frozen=True):
    """The dealer found a winning hand: by cards (own and community), or by its name where a house prefers."""

    seat: int
    cards: tuple[str, ...] = ()
    community: tuple[str, ...] = ()
    hand: str = ""
    by: str = ""


class HandShown(Fact, frozen=True):
    """The dealer showed a hand that others envy, by cards or by its name; its player need not have wagered."""

    seat: int
    cards: tuple[str, ...] = ()
    hand: str = ""
    by: str = ""


class EnvyMarkersPlaced(Fact, frozen=True):
    """The dealer laid an envy bonus marker at these seats, and at no others: their bonus wager is high enough."""

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


class ClaimValidated(Fact, frozen=True):
    """A supervisor validated a claim."""

    seat: int
    by: str


class ClaimRejected(Fact, frozen=True):
    """A supervisor rejected a claim."""

    seat: int
    by: str
    reason: str


class PayoutConfirmed(Fact, frozen=True):
    """The player was paid."""

    seat: int
    by: str


class HandsVoided(Fact, frozen=True):
    """An irregularity voided the hands, but progressive wagers are settled all the same."""

    irregularity: str
    by: str


class RoundVoided(Fact, frozen=True):
    """An irregularity voided the round; progressive wagers are refunded."""

    irregularity: str
    by: str


class SeatsVoided(Fact, frozen=True):
    """An irregularity voided some seats' hands only; their progressive wagers are refunded, the round goes on."""

    irregularity: str
    seats: tuple[int, ...]
    by: str


class RefundsConfirmed(Fact, frozen=True):
    """Every wager that is to be refunded was given back from the rack."""

    by: str


class EndOfRoundPressed(Fact, frozen=True):
    """The dealer ended the round."""


WagerEvent: TypeAlias = (
    ChipPlaced
    | ChipLifted
    | CouponRedeemed
    | CouponReturned
    | LockOutPressed
    | CollectionStarted
    | ChipsReturned
    | ChipsCounted
    | ChipsAttested
    | RecountAsked
    | MismatchExplained
    | WagersRegistered
    | EnvyMarkersPlaced
)
HandEvent: TypeAlias = (
    SeatFolded | FoldCorrected | HandsVoided | RoundVoided | SeatsVoided | RefundsConfirmed | AreasHeld
)
ClaimEvent: TypeAlias = (
    HandClaimed | HandShown | HandsAllShown | EnvyPaid | AwardFixed | ClaimValidated | ClaimRejected | PayoutConfirmed
)
TableEvent: TypeAlias = TableOpened | CloseAsked | TableClosed | RoundOpened | EndOfRoundPressed
Event: TypeAlias = WagerEvent | HandEvent | ClaimEvent | TableEvent | Notice
