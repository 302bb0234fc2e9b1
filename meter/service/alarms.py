"""Alarms and actions of the floor: raised by desks and decisions, kept in the audit log until acknowledged."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Final, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from common.log import Log
from games.money import dollars
from link.messages import MOST_WORDS
from meter.ledger.accounts import Account
from meter.ledger.awards import contest, needs_approval
from meter.ledger.balances import LinkBalances, LinkTerms
from meter.ledger.link_state import Head
from meter.ledger.open_items import DoubtedAward, HeldWagers, OpenAward, ReportedPayout
from meter.store.audit_log import (
    OPEN_ALARM,
    STARTED,
    STOPPED,
    Acknowledged,
    Alarm,
    AuditLine,
    FloorStore,
    Measured,
    MeterRun,
    Note,
    Said,
    StaffChanged,
    Used,
    award_news,
    line,
    next_after,
    read_note,
    start,
    unwritten,
)

MOST_OPEN: Final = 2_000
_MOST_READ: Final = 1 << 20  # beyond every table of a floor with an alarm of each kind
_OF_TABLES: Final = frozenset({"table lost", "message refused", "entries missing", "wrong PIN"})
"""What a whole floor may raise at once; money that waits for people is never left out for it."""
MEASURE_S: Final = 600.0
LAST_LINE_S: Final = 2.0  # a store that hangs keeps nobody from stopping

Errand: TypeAlias = Callable[[Callable[[], None]], Awaitable[None]]
"""Has something written between two batches of the books."""
Key: TypeAlias = tuple[str, str, str]


class AlarmSink(Protocol):
    """Whoever looks after the floor, as a desk sees him."""

    def raised(self, alarm: Alarm) -> None:
        """Something needs a person."""
        ...

    def over(self, kind: str, link: str, table: str) -> None:
        """Its cause is gone: the next time is news again."""
        ...

    def moved(self, link: str, head: Head) -> None:
        """The link has a new record."""
        ...

    def changed(self) -> None:
        """Something else that people see has changed."""
        ...


class NoAlarms:
    """Nobody looks after the floor."""

    def raised(self, alarm: Alarm) -> None: ...

    def over(self, kind: str, link: str, table: str) -> None: ...

    def moved(self, link: str, head: Head) -> None: ...

    def changed(self) -> None: ...


NOBODY: Final = NoAlarms()


class OpenAlarm(Struct, frozen=True):
    """An alarm that nobody has acknowledged: since when, how often since then, what was said last.

    stands is False once its cause is gone; somebody must see it all the same.
    """

    number: int
    at_ms: int
    alarm: Alarm
    times: int = 1
    last_ms: int = 0
    latest_words: str = ""
    stands: bool = True


class FloorAlarms:
    """Keeps the floor's book; what it shows as open is on disk a moment later, and what it answers is on disk."""

    def __init__(
        self,
        store: FloorStore,
        errand: Errand,
        *,
        wall_ms: Callable[[], int],
        now: Callable[[], float],
        ring: Callable[[], None],
    ) -> None:
        self._store, self._errand, self._wall_ms, self._now, self._ring = store, errand, wall_ms, now, ring
        end = next_after(store)
        self._number, self._seal = end.number, end.seal
        self._open: dict[Key, OpenAlarm] = {}
        self._seen: dict[Key, str] = {}
        """What was acknowledged while its cause stood, in the words it had: the same words again are no news."""
        self._measured_s: dict[str, float] = {}
        self._pots: dict[str, LinkBalances] = {}
        """Where the links stood when they were last looked at, since the meter has begun."""
        self._ran = MeterRun(STARTED, "", "")
        self._waiting: list[AuditLine] = []
        self._closed: list[int] = []
        self._told: list[asyncio.Future[None]] = []
        self._has_work = asyncio.Event()
        for note in map(read_note, reversed(store.last_lines(OPEN_ALARM, "", _MOST_READ))):
            if isinstance(note.said, Alarm):
                self._open[note.said.key] = _opened(note.number, note.at_ms, note.said)
        if end.number and [stored.sealed.seal for stored in store.lines(end.number - 1, 1)] != [end.seal]:
            self.raised(damaged_book_alarm(end.number))

    def begin(self, heads: Mapping[str, Head], *, machine: str, program: str) -> None:
        """Puts on disk that the meter starts, how the run before ended, and what a power cut kept from the book.

        At once, before anybody hears of the start: a run that is cut off a moment later has begun all the same.
        """
        self._ran = start(self._store, machine, program)
        self._write(self._ran)
        for link, head in heads.items():
            self._pots[link] = head.pot
            for said in unwritten(self._store, link, head.pot):
                self._write(said)
        lines, self._waiting = self._waiting, []
        self._store.add_lines(lines, ())

    async def end(self) -> None:
        """Writes down that the meter stops because it was told to; returns when it is on disk, or soon."""
        self._write(MeterRun(STOPPED, self._ran.machine, self._ran.program))
        with suppress(TimeoutError):  # then the next start says that this run ended without a word
            async with asyncio.timeout(LAST_LINE_S):
                await self._on_disk()

    @property
    def open_alarms(self) -> tuple[OpenAlarm, ...]:
        """What nobody has acknowledged, the newest first."""
        return tuple(sorted(self._open.values(), key=lambda alarm: -alarm.number))

    def raised(self, alarm: Alarm) -> None:
        known, now_ms = self._open.get(alarm.key), self._wall_ms()
        if known is not None:
            again = replace(known, times=known.times + 1, last_ms=now_ms, latest_words=alarm.words, stands=True)
            self._open[alarm.key] = again
        elif self._seen.get(alarm.key) != alarm.words and self._has_room(alarm.kind):
            note = self._write(alarm)
            self._open[alarm.key] = _opened(note.number, note.at_ms, alarm)
        self._ring()

    def over(self, kind: str, link: str, table: str) -> None:
        key = kind, link, table
        self._seen.pop(key, None)
        known = self._open.get(key)
        if known is not None and known.stands:
            self._open[key] = replace(known, stands=False)
            self._ring()

    def moved(self, link: str, head: Head) -> None:
        now_s = self._now()  # not the calendar, which may be set back by a day
        if now_s - self._measured_s.get(link, -math.inf) >= MEASURE_S:
            self._measured_s[link] = now_s
            self._write(Measured(link, head.number, head.pot.balances.get(Account.METER, 0)))
        for said in award_news(link, self._pots.get(link, head.pot), head.pot):
            self._write(said)
        self._pots[link] = head.pot
        self._ring()

    def changed(self) -> None:
        self._ring()

    async def acknowledge(self, number: int, by: str) -> bool:
        """Somebody has seen this alarm; False if nobody needs to any more."""
        found = next((alarm for alarm in self._open.values() if alarm.number == number), None)
        if found is None:
            return False
        del self._open[found.alarm.key]
        if found.stands:
            self._seen[found.alarm.key] = found.latest_words
        self._closed.append(number)
        self._write(Acknowledged(number, by))
        self._ring()
        await self._on_disk()
        return True

    async def note(self, by: str, what: str, about: str) -> None:
        """Writes down who did what; returns when it is on disk."""
        self._write(Used(by, what, about))
        await self._on_disk()

    async def write_down(self, said: StaffChanged) -> None:
        """Writes down a change of the staff directory; returns when it is on disk."""
        self._write(said)
        await self._on_disk()
        self._ring()

    async def run(self) -> None:
        """Carries what was written to the disk, for ever."""
        while True:
            await self._has_work.wait()
            self._has_work.clear()
            lines, closed, told = self._waiting, self._closed, self._told
            self._waiting, self._closed, self._told = [], [], []
            await self._errand(partial(self._store.add_lines, lines, closed))
            for answer in told:
                if not answer.done():
                    answer.set_result(None)

    def _has_room(self, kind: str) -> bool:
        return kind not in _OF_TABLES or len(self._open) < MOST_OPEN

    def _write(self, said: Said) -> Note:
        note = Note(self._number + 1, self._wall_ms(), said)
        stored = line(note, self._seal)
        self._number, self._seal = note.number, stored.sealed.seal
        self._waiting.append(stored)
        self._has_work.set()
        return note

    async def _on_disk(self) -> None:
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._told.append(answer)
        self._has_work.set()
        await answer


def standing(link: str, head: Head) -> list[Alarm]:
    """What waits for people where a link stands so; raised again at every start, for nobody can know who saw it."""
    found = [held_alarm(link, held) for held in head.pot.held]
    found += [doubted_alarm(link, doubted) for doubted in head.pot.doubted]
    found += [payout_alarm(link, payout) for payout in head.pot.reported]
    found += [alarm for award in head.pot.awards for alarm in award_alarms(link, head.terms, award)]
    if contest(head.pot) and not head.pot.in_order:
        found.append(contested_alarm(link, head))
    return [*found, stopped_alarm(link, head.stopped)] if head.stopped else found


def waiting(head: Head) -> set[tuple[str, str]]:
    """Which alarms stand because an entry of a table waits to be decided: of what kind, and whose."""
    pot = head.pot
    held = {("wagers held", held.table) for held in pot.held}
    doubted = {("award held", doubted.table) for doubted in pot.doubted}
    awards = {(alarm.kind, award.table) for award in pot.awards for alarm in award_alarms("", head.terms, award)}
    return held | doubted | awards | {("payout held", payout.table) for payout in pot.reported}


def held_alarm(link: str, held: HeldWagers) -> Alarm:
    """A contribution that no table should make (R2); it names its entry, for another entry is other money."""
    words = f"entry {held.seq} of journal {held.journal}: {held.reason}"
    return Alarm("wagers held", link, held.table, words, "two persons decide whether it counts")


def doubted_alarm(link: str, doubted: DoubtedAward) -> Alarm:
    """A claim of a seat without a wager, or made twice (law 6)."""
    words = f"entry {doubted.award.seq} of journal {doubted.award.journal}: {doubted.reason}"
    return Alarm("award held", link, doubted.table, words, "two persons decide whether it counts")


def payout_alarm(link: str, payout: ReportedPayout) -> Alarm:
    """Another amount was paid than was fixed (R72), or it was not proved, too early, or not approved."""
    amounts = f"{dollars(payout.paid_cents)} was paid, {dollars(payout.fixed_cents)} is fixed"
    words = f"entry {payout.seq} of journal {payout.journal}: {payout.reason or amounts}"[:MOST_WORDS]
    return Alarm("payout held", link, payout.table, words, "two persons settle it with the amount that was paid")


def award_alarms(link: str, terms: LinkTerms, award: OpenAward) -> Iterator[Alarm]:
    """What an open award needs people for at the meter: a validation that did not count, an approval."""
    where = f"seat {award.seat}, {award.hand.replace('_', ' ')}, {dollars(award.amount_cents)}"
    if award.refused:
        advice = "find out who tried to validate it: a PIN that was changed, or a stolen certificate"
        yield Alarm("validation refused", link, award.table, f"{where}: {award.refused}"[:MOST_WORDS], advice)
    if needs_approval(terms, award):
        advice = "look at the cards and the cameras; then two persons approve it here"
        yield Alarm("approval wanted", link, award.table, f"{where}; {award.cards}"[:MOST_WORDS], advice)


def contested_alarm(link: str, head: Head) -> Alarm:
    """Percentages at several tables (28.11(i))."""
    tables = ", ".join(sorted({award.table for award in contest(head.pot)}))
    words = f"percentages of the meter are claimed at tables {tables}"
    return Alarm("claims contested", link, "", words, "management enters the order of the claims")


def stopped_alarm(link: str, reason: str) -> Alarm:
    """Nobody may play (R63)."""
    return Alarm("link stopped", link, "", reason, "find the cause; then two persons open it again")


def gap_alarm(link: str, table: str) -> Alarm:
    """Entries of a table do not follow each other, again and again."""
    advice = "nothing is booked before the gap is filled: look at the table's journal"
    return Alarm("entries missing", link, table, "its entries come with a gap", advice)


def disputed_alarm(link: str, table: str, words: str) -> Alarm:
    """A table reported something that the ledger contradicts."""
    advice = "nothing was moved by it: compare the table's slips with the ledger, and the rack with both"
    return Alarm("award disputed", link, table, words[:MOST_WORDS], advice)


def broker_alarm(link: str, reason: str, advice: str) -> Alarm:
    """The meter has no connection to its broker."""
    return Alarm("broker lost", link, "", reason[:MOST_WORDS], advice)


def lost_table_alarm(link: str, table: str) -> Alarm:
    """A table that had joined is not connected any more."""
    advice = "look at the table, its network and its power; it joins again by itself"
    return Alarm("table lost", link, table, "the table has left the link", advice)


def refused_message_alarm(link: str, table: str, words: str) -> Alarm:
    """A message was not taken; table is empty for one that is not of this link."""
    advice = "look at the table and its settings; nothing of the message was booked"
    return Alarm("message refused", link, table, words[:MOST_WORDS], advice)


def wrong_pin_alarm(words: str) -> Alarm:
    """Somebody tries PINs at the meter's pages or console."""
    advice = "find out who it was: another address or an unknown number is no member of the staff"
    return Alarm("wrong PIN", "", "", words[:MOST_WORDS], advice)


def table_pin_alarm(link: str, table: str, words: str, tries: int) -> Alarm:
    """Somebody tries PINs at a table, as the table says."""
    often = f" (tries since the last alarm: {tries})" if tries > 1 else ""
    advice = "find out who stands at the table, or who has this address"
    return Alarm("wrong PIN", link, table, f"{words}{often}"[:MOST_WORDS], advice)


def staff_alarm(words: str) -> Alarm:
    """The staff directory is missing, damaged or old: nobody can sign in at the meter."""
    advice = "restore staff.json and staff.key beside the ledger from a backup; tables go on with their copies"
    return Alarm("staff directory", "", "", words[:MOST_WORDS], advice)


def damaged_book_alarm(number: int) -> Alarm:
    """Somebody or something took lines out of the floor's book, or changed its last one."""
    words = f"line {number}, the last that was written, is missing or another"
    return Alarm("floor's book damaged", "", "", words, "keep the store as it is, and compare it with its backups")


def _opened(number: int, at_ms: int, alarm: Alarm) -> OpenAlarm:
    return OpenAlarm(number, at_ms, alarm, last_ms=at_ms, latest_words=alarm.words)


class DecisionAlarms:
    """Of one link; its state says the same to everybody else."""

    def __init__(self, link: str, *, log: Log, watch: AlarmSink) -> None:
        self._link, self._log, self._watch = link, log, watch

    def moved(self, before: Head, after: Head) -> None:
        """Says what waits for people from now on, and ends what does not any more."""
        self._held(before.pot, after.pot)
        self._claims(before.pot, after)
        if after.stopped != before.stopped:
            self._log.warning("link_stopped" if after.stopped else "link_reopened", reason=after.stopped)
            if after.stopped:
                self._watch.raised(stopped_alarm(self._link, after.stopped))
        self._end(before, after)

    def _held(self, before: LinkBalances, after: LinkBalances) -> None:
        known = {held.key for held in before.held}
        for held in (held for held in after.held if held.key not in known):
            advice = "two persons decide whether it counts: DecideHeld"
            self._log.warning("wagers_held", table=held.table, seq=held.seq, reason=held.reason, advice=advice)
            self._watch.raised(held_alarm(self._link, held))

    def _claims(self, before: LinkBalances, after: Head) -> None:
        pot = after.pot
        for doubted in (doubted for doubted in pot.doubted if doubted not in before.doubted):
            self._log.warning("award_held", table=doubted.table, seq=doubted.award.seq, reason=doubted.reason)
            self._watch.raised(doubted_alarm(self._link, doubted))
        for payout in (payout for payout in pot.reported if payout not in before.reported):
            self._log.warning("payout_held", table=payout.table, seq=payout.seq, paid_cents=payout.paid_cents)
            self._watch.raised(payout_alarm(self._link, payout))
        for award in (award for award in pot.awards if award not in before.awards):
            for alarm in award_alarms(self._link, after.terms, award):
                self._watch.raised(alarm)
        contested = contest(pot)
        if contested and not pot.in_order and contested != contest(before):
            tables = sorted({award.table for award in contested})
            self._log.warning("claims_contested", tables=tables, advice="management enters the order: OrderClaims")
            self._watch.raised(contested_alarm(self._link, after))

    def _end(self, before: Head, after: Head) -> None:
        """What is decided is news when it happens again."""
        for kind, table in waiting(before) - waiting(after):
            self._watch.over(kind, self._link, table)
        if not contest(after.pot) or after.pot.in_order:
            self._watch.over("claims contested", self._link, "")
        if not after.stopped:
            self._watch.over("link stopped", self._link, "")
