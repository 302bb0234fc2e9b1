"""Books one link's messages: judges each against the link's state, and drafts records and replies."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Final

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from common.auth.proof import prover
from link.messages import VERSION, Award, Envelope, Hello, Payout, Reply, Validation, shortened
from meter.booking.admission import entry_doubt, entry_refusal, join_refusal
from meter.booking.drain_check import draining_fault
from meter.booking.proofs import ProofVerifier, Verdict
from meter.booking.rate_limits import TOO_OFTEN, WRONG_PROOFS, ProofThrottle, RateLimit
from meter.booking.results import BookingReport, Disputed, Draft, EntryKey, MessageResult, Sender, Taken, outcome_of
from meter.ledger.award_settlement import out_of_turn
from meter.ledger.awards import TO_APPROVE, contest, needs_approval
from meter.ledger.balances import RULES, imbalance
from meter.ledger.contributions import open_items_refusal
from meter.ledger.coupons import CouponRegister
from meter.ledger.decision_effects import entry_of
from meter.ledger.decisions import ChangeTerms, Decided, Reopen, SwapBoard
from meter.ledger.link_state import Head, LinkState, Member, NotTaken
from meter.ledger.open_items import OpenAward
from meter.ledger.records import Cause, Entered, HelloRefused, Joined, Opened, Record, Stopped, sealed
from meter.settings import Link
from meter.store.base import Page, Store, StoreFault, entry_key


class HelloNonces:
    """Kept of members; of anybody else only until he is answered: anybody may say hello, under ever new names."""

    def __init__(self, is_member: Callable[[Sender], bool]) -> None:
        self._is_member = is_member
        self._words: dict[Sender, str] = {}

    def __len__(self) -> int:
        return len(self._words)

    def note(self, hello: Hello) -> None:
        """A table has said hello, with a nonce or without."""
        self._words[hello.table, hello.journal] = hello.nonce

    def of(self, sender: Sender) -> str | UnsetType:
        """The nonce that the reply to this table has, if any."""
        return self._words.get(sender) or UNSET

    def answered(self, senders: Iterable[Sender]) -> None:
        """These were answered."""
        for sender in senders:
            if not self._is_member(sender):
                self._words.pop(sender, None)

    def swapped(self) -> None:
        """Somebody may be no member any more."""
        self.answered(tuple(self._words))


AWARDS_IN_A_REPLY: Final = 50
GREET_AGAIN: Final = "this table has changed while the link was stopped; it must say hello again"
MISFILED: Final = "not found in the meter's books: they are damaged, this table is not; have pitlink ledger verify run"


class SelfCheckFault(StoreFault):
    """The figures in memory cannot be right: the link stays stopped until people have looked (R63)."""


class LinkBooker:
    """Books one link's messages; nothing it says may be told before its page is on disk."""

    def __init__(self, link: Link, state: LinkState, store: Store, proofs: ProofVerifier) -> None:
        self._link, self._state, self._store, self._proofs = link, state, store, proofs
        self._throttle = ProofThrottle()
        self._draft = Draft()
        state.coupons = CouponRegister(partial(store.newest_of_coupon, link.name))
        self._rate = RateLimit()
        self._standing: dict[Sender, NotTaken] = {}  # why a member's next entry was not taken
        self._nonces = HelloNonces(lambda sender: self._member(sender) is not None)
        # Tables that joined a link which has changed since: they wait until a hello of theirs fits again.
        self._misfits = {
            table: words
            for table, member in state.members.items()
            if (words := join_refusal(link, member.hello, member))
        }

    @property
    def head(self) -> Head:
        """Where the link stands, this transaction included."""
        return self._state.head

    @property
    def members(self) -> tuple[Member, ...]:
        """Every table that has joined."""
        return tuple(self._state.members.values())

    def open(self, now_ms: int) -> None:
        """Drafts the first record of a new link."""
        self._write(Opened(self._link.terms, self._link.offer, RULES), now_ms)

    def stop(self, reason: str, now_ms: int) -> None:
        """Drafts that the meter itself stops the link."""
        self._write(Stopped(reason), now_ms)

    def refusal(self, decided: Decided) -> str | None:
        """Why this cannot be decided, or None."""
        match decided.decision:
            case SwapBoard(table=table, new_journal=journal):
                if journal in self._state.locked_out(table) or self._store.find(self._link.name, table, journal, 1):
                    return f"journal {journal} has been used by table {table} before: it is locked out"
        booking = self._state.booking(decided)
        if isinstance(booking, NotTaken):
            return booking.words
        staying = [member for member in self.members if member.hello.table in self._link.tables]
        records, is_stopped = self._store.records(self._link.name), bool(self.head.stopped)
        return draining_fault(decided.decision, staying, records, is_stopped=is_stopped)

    def decide(self, decided: Decided, now_ms: int) -> None:
        """Drafts a decision that can be taken, and an answer to every table."""
        self._write(decided, now_ms)
        self._standing.clear()
        self._nonces.swapped()
        for member in self._state.members.values():
            self._draft.answers.setdefault((member.hello.table, member.hello.journal), {})

    def take(self, message: Envelope | Hello, now_ms: int) -> None:
        """Judges one message and drafts what follows from it."""
        sender = (message.table, message.journal)
        self._draft.answers.setdefault(sender, {})
        if isinstance(message, Hello):
            self._nonces.note(message)
        taken = self._join(message, now_ms) if isinstance(message, Hello) else self._enter(message, now_ms)
        self._note(message, taken)
        self._draft.outcomes.append(outcome_of(message.table, taken))

    def page(self) -> Page | None:
        """What must be on disk before the report may be used, or None; figures that disagree never get there (R41)."""
        fault = imbalance(self.head.pot)
        if fault:
            raise SelfCheckFault(f"the figures of link {self._link.name} disagree: {fault}; nothing of it was written")
        members = [self._state.members[table] for table in sorted(self._draft.changed)]
        return Page(self._link.name, self._draft.rows, members, self.head) if self._draft.rows else None

    def report(self) -> BookingReport:
        """What became of everything since the last report; the draft is done."""
        replies = tuple((sender[0], reply) for sender in self._draft.answers for reply in self._replies(sender))
        changed = tuple(self._state.members[table] for table in self._draft.changed)
        report = BookingReport(self.head, tuple(self._draft.outcomes), replies, changed)
        self._nonces.answered(self._draft.answers)
        self._draft = Draft()
        self._state.coupons.were_written()
        return report

    def _join(self, hello: Hello, now_ms: int) -> MessageResult | NotTaken:
        known = self._state.members.get(hello.table)
        is_news = known is None or bool(known.must_greet) or known.hello.shape != hello.shape
        shut = self._state.shut()
        too_often = TOO_OFTEN if (is_news or shut) and self._rate.is_exceeded(hello.table, now_ms) else None
        misfit = join_refusal(self._link, hello, known) or too_often
        if misfit or shut:
            self._turn_away(hello, too_often or misfit or "", now_ms)
            return NotTaken(shut or misfit or "")
        if is_news:
            self._write(Joined(replace(hello, idle=False, nonce="")), now_ms)
            self._rate.note(hello.table, now_ms)
            self._standing.pop((hello.table, hello.journal), None)
        self._misfits.pop(hello.table, None)
        return MessageResult.JOINED

    def _turn_away(self, hello: Hello, misfit: str, now_ms: int) -> None:
        """Notes what binds a table that had joined through every restart, until a hello of it is taken.

        While the link is stopped, how far the table has come is noted, too: whoever closes or changes the link asks.
        """
        known = self._member((hello.table, hello.journal))
        if known is None or self.head.closed:
            return
        is_stopped = bool(self.head.stopped)
        is_as_it_was = not known.refused and known.hello.shape == hello.shape
        refusal = misfit or ("" if is_as_it_was else GREET_AGAIN)
        is_heard = is_stopped and refusal != TOO_OFTEN
        said = (refusal, hello.next_seq if is_heard else 0, hello.idle and is_heard)
        if said != (known.refused, known.said_seq, known.idle):
            self._write(HelloRefused(hello.table, hello.journal, *said), now_ms)
            self._rate.note(hello.table, now_ms)

    def _enter(self, envelope: Envelope, now_ms: int) -> Taken:
        member = self._state.members.get(envelope.table)
        if member is None:
            return NotTaken(f"table {envelope.table} has not joined; say hello first")
        if member.hello.journal != envelope.journal:
            return NotTaken(f"table {envelope.table} has joined with another journal")
        barred = self._barred(member)
        if barred:
            return NotTaken(barred)
        if envelope.seq <= member.booked_seq:
            return self._repeated(envelope)
        if envelope.seq > member.booked_seq + 1:
            return MessageResult.GAP
        refusal = entry_refusal(self._link, member.hello, envelope.entry)
        doubt = "" if refusal else entry_doubt(self._link, member, envelope, now_ms)
        refusal = refusal or open_items_refusal(self.head.pot, envelope, doubt)
        if refusal:
            return NotTaken(refusal)
        if self._rate.must_wait(envelope, now_ms):
            return NotTaken(TOO_OFTEN, held=True, too_often=True)
        verdict = self._verdict(envelope, now_ms)
        if isinstance(verdict, NotTaken):
            return verdict
        persons = verdict.persons if verdict.persons.validated_by or verdict.persons.paid_by else UNSET
        taken = self._write(Entered(envelope, verdict.why or doubt, persons), now_ms)
        self._rate.note_entry(envelope, taken, now_ms)
        return taken

    def _verdict(self, envelope: Envelope, now_ms: int) -> Verdict | NotTaken:
        """What the proofs of an award's validation or payout are worth; wrong ones slow their table and person down."""
        entry = envelope.entry
        if not isinstance(entry, Validation | Payout):
            return Verdict()
        award = self.head.pot.award(envelope.table, envelope.journal, entry.award_seq)
        if award is None:
            return Verdict()  # what people settled, or what waits again: there is nothing to prove
        person = prover(entry.proof) if isinstance(entry, Validation) else ""
        if person and self._throttle.must_wait(envelope.table, person, now_ms):
            return NotTaken(WRONG_PROOFS, held=True, too_often=True)
        verdict = (
            self._proofs.validation(self._link.name, envelope, entry, award)
            if isinstance(entry, Validation)
            else self._proofs.payout(self._link.name, envelope, entry, award)
        )
        if verdict.wrong:
            self._throttle.note_wrong(envelope.table, verdict.wrong, now_ms)
        elif person and not verdict.why:
            self._throttle.note_right(envelope.table, person)
        return replace(verdict, why=self._unapproved(entry, award)) if not verdict.why else verdict

    def _unapproved(self, entry: Validation | Payout, award: OpenAward) -> str:
        """Why this payout is held although two persons proved it, or nothing."""
        is_wanted = isinstance(entry, Payout) and needs_approval(self.head.terms, award)
        return f"nobody approved it: {TO_APPROVE}" if is_wanted else ""

    def _barred(self, member: Member) -> str:
        """Why a table that had joined is not heard any more, or nothing."""
        return member.must_greet or self._misfits.get(member.hello.table, "")

    def _entry(self, key: EntryKey) -> Record | None:
        """Booked a moment ago and not in the store yet, or there."""
        return self._draft.entries.get(key) or self._store.find(self._link.name, *key)

    def _repeated(self, envelope: Envelope) -> MessageResult | NotTaken:
        """An entry that is booked already: the same answer again, unless it is not the same entry."""
        key = (envelope.table, envelope.journal, envelope.seq)
        record = self._entry(key)
        if record is None or entry_key(record) != key:
            return NotTaken(f"entry {envelope.seq} is booked, but {MISFILED}")
        if not isinstance(record.cause, Entered) or record.cause.envelope != envelope:
            return NotTaken(f"entry {envelope.seq} is booked with other content: two tables with one journal?")
        if isinstance(envelope.entry, Award):
            self._draft.answers[envelope.table, envelope.journal][envelope.seq] = record
        return MessageResult.DUPLICATE

    def _write(self, cause: Cause, now_ms: int) -> Taken:
        booking = self._state.booking(cause)
        if isinstance(booking, NotTaken):
            return booking
        record = self._state.record(cause, booking, booked_ms=now_ms)
        row = sealed(record, self.head.seal)
        before = self.head.pot
        self._state.take(record, booking.pot, row.seal)
        self._draft.rows.append((record, row))
        self._note_changes(cause, record)
        if before.claims != booking.pot.claims:
            self._tell_claimants(contest(before))
        if booking.doubt:
            return Disputed(booking.doubt)
        is_aside = isinstance(cause, Entered) and (cause.held or len(before.reported) < len(booking.pot.reported))
        return MessageResult.KEPT_ASIDE if is_aside else MessageResult.BOOKED

    def _note_changes(self, cause: Cause, record: Record) -> None:
        match cause:
            case Entered(envelope=envelope):
                self._draft.entries[envelope.table, envelope.journal, envelope.seq] = record
                self._draft.changed.add(envelope.table)
            case (
                Joined(hello=Hello(table=table)) | HelloRefused(table=table) | Decided(decision=SwapBoard(table=table))
            ):
                self._draft.changed.add(table)
            case Decided(decision=Reopen()):
                self._draft.changed.update(self._state.members)
            case Decided(decision=ChangeTerms(given_up=tables)):
                self._draft.changed.update(tables)
            case Decided(decision=decision):
                named = entry_of(decision)
                self._draft.changed.update({named.table} if named else ())

    def _tell_claimants(self, contested: tuple[OpenAward, ...]) -> None:
        """A percentage claimed or settled at one table concerns whoever claims, or has one fixed, at another."""
        for award in (*contested, *contest(self.head.pot)):
            self._draft.answers.setdefault((award.table, award.journal), {})

    def _note(self, message: Envelope | Hello, taken: Taken) -> None:
        """Remembers why a member's next entry was not taken, so that every reply says so until it is, hello or not.

        Anything else is refused once: an altered entry of long ago keeps nobody from the next one.
        """
        sender = (message.table, message.journal)
        if isinstance(taken, NotTaken):
            self._draft.not_taken[sender] = taken
            if self._is_next(message):
                self._standing[sender] = taken
        elif taken not in (MessageResult.DUPLICATE, MessageResult.GAP):
            self._draft.not_taken.pop(sender, None)
            if isinstance(message, Envelope):
                self._standing.pop(sender, None)

    def _is_next(self, message: Envelope | Hello) -> bool:
        member = self._member((message.table, message.journal))
        return isinstance(message, Envelope) and member is not None and message.seq == member.booked_seq + 1

    def _replies(self, sender: Sender) -> Iterator[Reply]:
        """One reply, or several where the amounts would not fit into one message."""
        member = self._member(sender)
        again = filter(None, map(self._state.answer_again, self._draft.answers[sender].values()))
        told = {award.seq: award for award in (*again, *self._state.open_awards(*sender))}
        awards = [told[seq] for seq in sorted(told)]
        why = self._why(sender, member)
        coupons = tuple(member.coupons.values()) if member and member.coupons else UNSET
        for first in range(0, max(len(awards), 1), AWARDS_IN_A_REPLY):
            yield Reply(
                v=VERSION,
                journal=sender[1],
                booked_seq=member.booked_seq if member else 0,
                awards=tuple(awards[first : first + AWARDS_IN_A_REPLY]),
                refusal="" if why.held else shortened(why.words),
                held=shortened(why.words) if why.held else "",
                nonce=self._nonces.of(sender),
                coupons=coupons,
            )

    def _why(self, sender: Sender, member: Member | None) -> NotTaken:
        """Why this table's next entry, or the table itself, is not taken, or a NotTaken that says nothing."""
        barred = self._state.shut() or (self._barred(member) if member else "")
        standing = NotTaken(barred) if barred else self._standing.get(sender)
        return self._draft.not_taken.get(sender) or standing or self._out_of_turn(sender)

    def _out_of_turn(self, sender: Sender) -> NotTaken:
        """What a member must know of its percentages while another table claims one, too."""
        return (self._member(sender) and out_of_turn(self.head.pot, sender[0])) or NotTaken("")

    def _member(self, sender: Sender) -> Member | None:
        member = self._state.members.get(sender[0])
        return member if member and member.hello.journal == sender[1] else None
