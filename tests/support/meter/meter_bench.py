"""What tests of the meter need: a link with three tables, what they say, and a store without a disk."""

import resource
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from link.messages import VERSION, Award, Entry, Envelope, Hello, Payout, Release, Reply, Wagers
from meter.booking.booker import Booker, ParameterChange, Work
from meter.booking.proofs import ProofVerifier
from meter.booking.results import BookingReport, MessageOutcome, MessageResult
from meter.ledger.balances import LinkTerms
from meter.ledger.coupons import moved_serial
from meter.ledger.decisions import AnyDecision, Decided, Reopen, Stop
from meter.ledger.records import Entered, Filed, Record, SealedRecord
from meter.settings import AllowedGame, Link
from meter.store.base import Page, Saved, Store, filed_by
from meter.store.sqlite import SqliteStore
from tests.support.games.paces import ANY_PACE
from tests.support.meter.postgres_bench import PostgresServer
from tests.support.meter.proved import Unchecked

GAME = "texas-holdem-bonus"
TERMS = LinkTerms(rate_bp=7_037, base_cents=1_000_000, reset_cents=500_000)
TABLES = ("T1", "T2", "T3")
NOW_MS = 1_800_000_000_000


def link(terms: LinkTerms = TERMS, name: str = "main") -> Link:
    """A link of hold 'em bonus tables with pay tables A and B, who play as fast as a test likes."""
    return Link(name, terms, TABLES, (AllowedGame(GAME, ("A", "B"), (100,)),), **ANY_PACE)


def hello(table: str = "T1", **other: object) -> Hello:
    """A table of seven seats that asks to join."""
    asked: dict[str, object] = {
        "v": VERSION,
        "table": table,
        "journal": f"journal-{table}",
        "game": GAME,
        "pay_table": "A",
        "stake_cents": 100,
        "seats": 7,
        "next_seq": 1,
        "software": "test",
    }
    return Hello(**(asked | other))  # type: ignore[arg-type]  # names and types are those of Hello


def envelope(seq: int, entry: Entry, table: str = "T1", journal: str = "") -> Envelope:
    """An entry as a table sends it; a round of which nothing else is said has the entry's number."""
    if isinstance(entry, Wagers) and not entry.round:
        entry = replace(entry, round=seq)
    return Envelope(VERSION, table, journal or f"journal-{table}", seq, NOW_MS + seq, entry)


def wagers(*seats: int, coupons: tuple[int, ...] = (), number: int = 0) -> Wagers:
    """A round's wagers of one dollar."""
    return Wagers(number, 100, seats or (1, 2, 3), coupons)


def shown_after(lights: int, terms: LinkTerms = TERMS) -> int:
    """What a meter on these terms shows after so many wagers of one dollar, in cents."""
    return terms.base_cents + lights * 100 * terms.rate_bp // 10_000


def royal(seat: int = 3, number: int = 1) -> Award:
    """A claim for the whole meter."""
    return with_cards(Award(number, seat, "royal_flush", percent_bp=10_000))


def straight_flush(seat: int = 3, number: int = 1) -> Award:
    """A claim for a tenth of the meter."""
    return with_cards(Award(number, seat, "straight_flush", percent_bp=1_000))


def with_cards(award: Award) -> Award:
    """The claim with cards that lay before each of its seats."""
    return replace(award, cards=dict.fromkeys(award.sharers or (award.seat,), ("Ah", "Kh", "Qh", "Jh", "Th")))


def flush(seat: int = 3, number: int = 1) -> Award:
    """A claim for fifty dollars from the meter."""
    return Award(number, seat, "flush", fixed_cents=50_00)


def payout(award_seq: int) -> Payout:
    """The award was validated and paid."""
    return Payout(award_seq)


def rejection(award_seq: int) -> Release:
    """The award was rejected."""
    return Release(award_seq, "misread hand", "supervisor")


def store_address(request: pytest.FixtureRequest, folder: Path) -> str:
    """A new store of the kind that the fixture's parameter names, sqlite or postgres."""
    if request.param == "postgres":
        server: PostgresServer = request.getfixturevalue("postgres")
        return server.database()
    return str(folder / "ledger.sqlite")


def ledger_of_rounds(folder: Path, *then: Envelope) -> Path:
    """A closed ledger of five rounds at T1 and T2, and what T1 said after them."""
    path = folder / "ledger.sqlite"
    store = SqliteStore(path)
    meter = MeterBench(store)
    meter.join()
    for seq in range(1, 6):
        meter.say(*(envelope(seq, wagers(), table) for table in ("T1", "T2")))
    meter.say(*then)
    store.close()
    return path


@contextmanager
def small_disk(largest_bytes: int) -> Iterator[None]:
    """No file of this process may grow beyond this: what a full disk is to it, and needs no root."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


class MemoryStore:
    """A store without a disk, under the same contract."""

    def __init__(self) -> None:
        self.rows: dict[str, list[tuple[Record, SealedRecord]]] = {}
        self.saved: dict[str, Saved] = {}
        self.commits = 0
        self.doubts = ""

    def links(self) -> tuple[str, ...]:
        return tuple(sorted(self.saved))

    def doubt(self) -> str:
        return self.doubts

    def write_doubt(self, words: str) -> None:
        self.doubts = words

    def close(self) -> None:
        """There is nothing to leave."""

    def load(self, link: str) -> Saved | None:
        return self.saved.get(link)

    def records(self, link: str) -> Iterator[Filed]:
        rows = self.rows.get(link, [])
        return (Filed(row.body, row.seal, *filed_by(record)) for record, row in rows)

    def find(self, link: str, table: str, journal: str, seq: int) -> Record | None:
        for record, _ in self.rows.get(link, []):
            match record.cause:
                case Entered(envelope=e) if (e.table, e.journal, e.seq) == (table, journal, seq):
                    return record
        return None

    def newest_of_coupon(self, link: str, serial: str) -> Record | None:
        moved = (record for record, _ in reversed(self.rows.get(link, [])) if moved_serial(record) == serial)
        return next(moved, None)

    def commit(self, pages: Sequence[Page]) -> None:
        self.commits += 1
        for page in pages:
            self.rows.setdefault(page.link, []).extend(page.records)
            members = (
                {member.hello.table: member for member in self.saved[page.link].members}
                if page.link in self.saved
                else {}
            )
            members |= {member.hello.table: member for member in page.members}
            self.saved[page.link] = Saved(page.head, tuple(members.values()))


class MeterBench:
    """A meter without a wire: say something to it, and look at what it says and holds."""

    def __init__(
        self,
        store: Store | None = None,
        *links: Link,
        now_ms: int = NOW_MS,
        change: ParameterChange | None = None,
        audited_at_most: int | None = None,
        proofs: ProofVerifier | None = None,
    ) -> None:
        self.store, self.now_ms = store or MemoryStore(), now_ms
        self.booker = Booker(self.store, links or (link(),), lambda: self.now_ms, proofs or Unchecked())
        self.heads = self.booker.open(change, audited_at_most=audited_at_most)

    def changed(self, *links: Link, given_up: tuple[str, ...] = ()) -> "MeterBench":
        """The same books, opened again after two persons have applied these settings."""
        return MeterBench(self.store, *links, change=ParameterChange("Ann", "Ben", "approved 12 May", given_up))

    def drain(self, *tables: str, link: str = "main") -> None:
        """Two persons stop the link, and its tables, or these, say that nothing is left there."""
        assert self.decide(Stop(), link=link) == ""
        members = [member for member in self.booker.members(link) if member.hello.table in (tables or TABLES)]
        self.say(*(replace(m.hello, next_seq=m.booked_seq + 1, idle=True) for m in members), link=link)

    def reopen(self, *links: Link) -> "MeterBench":
        """Drained, changed to these settings, and opened again."""
        self.drain()
        again = self.changed(*links)
        assert again.decide(Reopen()) == ""
        return again

    def say(self, *messages: Envelope | Hello, link: str = "main") -> BookingReport:
        """Sends these in one transaction."""
        report = self.booker.book([Work(link, message) for message in messages])[link]
        self.heads[link] = report.head
        return report

    def join(self, *tables: str) -> None:
        """Lets these tables join."""
        report = self.say(*(hello(table) for table in tables or TABLES))
        assert {outcome.result for outcome in report.outcomes} == {MessageResult.JOINED}

    def deal(self, *tables: str, seats: tuple[int, ...] = (3,)) -> None:
        """Lets these tables, which have joined, register their round 1: entry 1 is a wager of seat 3, or of these."""
        report = self.say(*(envelope(1, wagers(*seats), table) for table in tables or TABLES))
        assert {outcome.result for outcome in report.outcomes} == {MessageResult.BOOKED}

    def reply(self, message: Envelope | Hello) -> Reply:
        """Sends one message and returns the reply to its table."""
        (reply,) = (reply for table, reply in self.say(message).replies if table == message.table)
        return reply

    def outcome(self, message: Envelope | Hello) -> MessageOutcome:
        """Sends one message and returns what became of it."""
        (outcome,) = self.say(message).outcomes
        return outcome

    def decide(self, decision: AnyDecision, *persons: str, link: str = "main", reason: str = "reviewed") -> str:
        """Two persons decide this; returns why it was refused, or nothing."""
        by, and_by = persons or ("Ann", "Ben")
        verdict = self.booker.decide(link, Decided(decision, by, and_by, reason))
        self.heads |= {name: report.head for name, report in verdict.reports.items()}
        self.told = {table: reply for report in verdict.reports.values() for table, reply in report.replies}
        return verdict.refusal

    @property
    def amount_cents(self) -> int:
        """What the meter shows."""
        return self.heads["main"].pot.amount_cents
