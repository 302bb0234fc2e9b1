"""Results: what became of each message, and of all that one transaction took."""

from enum import Enum
from typing import TypeAlias

from msgspec import Struct

from link.messages import Reply
from meter.ledger.balances import NotTaken
from meter.ledger.link_state import Head, Member
from meter.ledger.records import Record, SealedRecord


class MessageResult(Enum):
    """What became of a message; the value is what logs and counters say."""

    JOINED = "joined"
    BOOKED = "booked"
    DUPLICATE = "duplicate"
    GAP = "gap"
    HELD = "held"
    KEPT_ASIDE = "kept_aside"  # booked, but what it says does not count before two persons have decided
    REFUSED = "refused"
    TOO_OFTEN = "too_often"  # waits until its table is calm


class Disputed(Struct, frozen=True):
    """An entry that was booked and moves nothing, for it contradicts what was settled."""

    words: str


Taken: TypeAlias = MessageResult | Disputed | NotTaken


class MessageOutcome(Struct, frozen=True):
    """What became of one message; words say why, where it was not taken or contradicts what was."""

    table: str
    result: MessageResult
    words: str = ""


class BookingReport(Struct, frozen=True):
    """What one transaction did to a link: where it stands, what became of each message, the reply to each table.

    members are those that it changed.
    """

    head: Head
    outcomes: tuple[MessageOutcome, ...]
    replies: tuple[tuple[str, Reply], ...]
    members: tuple[Member, ...] = ()


def outcome_of(table: str, taken: Taken) -> MessageOutcome:
    """The same for logs, counters and alarms."""
    match taken:
        case Disputed(words=words):
            return MessageOutcome(table, MessageResult.KEPT_ASIDE, words)
        case NotTaken(words=words, too_often=True):
            return MessageOutcome(table, MessageResult.TOO_OFTEN, words)
        case NotTaken(words=words, held=held):
            return MessageOutcome(table, MessageResult.HELD if held else MessageResult.REFUSED, words)
        case result:
            return MessageOutcome(table, result)


Sender: TypeAlias = tuple[str, str]
"""A table and its journal."""
EntryKey: TypeAlias = tuple[str, str, int]
"""The same, and an entry's number."""


class Draft:
    """Begun anew after every report."""

    def __init__(self) -> None:
        self.rows: list[tuple[Record, SealedRecord]] = []
        self.entries: dict[EntryKey, Record] = {}
        self.changed: set[str] = set()
        self.outcomes: list[MessageOutcome] = []
        self.answers: dict[Sender, dict[int, Record]] = {}  # to whom, and the claims that he repeated
        self.not_taken: dict[Sender, NotTaken] = {}
