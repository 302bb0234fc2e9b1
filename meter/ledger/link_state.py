"""Link state: which entry comes next, what it moves, and the same again on replay."""

from collections.abc import Mapping
from typing import Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from link.messages import Award, Coupon, CouponAnswer, CouponReturn, Envelope, FixedAward, Hello, Wagers, shortened
from meter.ledger.awards import TO_APPROVE, needs_approval
from meter.ledger.balances import Booking, LinkBalances, LinkTerms, NotTaken, open_pot, rules_fault
from meter.ledger.contributions import entry_booking
from meter.ledger.coupons import CouponRegister
from meter.ledger.decision_effects import ruling
from meter.ledger.decisions import (
    ChangeTerms,
    Close,
    Decided,
    DecideHeld,
    Reopen,
    SettleAward,
    Stop,
    SwapBoard,
    signature_fault,
)
from meter.ledger.open_items import OpenAward
from meter.ledger.records import Cause, Entered, HelloRefused, Joined, Opened, Record, Stopped, first_seal
from meter.ledger.round_state import LastRound

__all__ = ["Head", "LinkState", "Member", "NotTaken", "fixed_award"]

_OF_TABLES: Final = (Joined, Entered)
_GIVEN_UP: Final = "this table was given up when the parameters changed; it must say hello first"
_NEW_BOARD: Final = "this table has a new board; it must say hello first"


class RedeemedSeat(Struct, frozen=True):
    """A coupon that the register accepted for a seat: in which round, and by which entry."""

    round: int
    seq: int


class Member(Struct, frozen=True, omit_defaults=True):
    """A table that has joined, how far its entries are booked, and when by its own clock it last registered wagers.

    refused says why its last hello was not taken, if it was not; round is the highest that it registered, stepped_ms
    where its clock stood after it had gone back, unless the table knew better. said_seq
    and idle are how far it has come, as it said since the link was stopped; given_up is a table that nobody waited for
    when the parameters changed. last is the round that it is in.
    unheard is a new board of which no hello was taken yet, locked_out are the journals of the boards before it.
    coupons answer the last coupon of each seat since wagers were registered, redeemed are those that were accepted and
    not given back. booked_ms is when the meter, by its own
    calendar, booked the last round.
    """

    hello: Hello
    booked_seq: int = 0
    wagered_ms: int = 0
    refused: str = ""
    round: int | None = None
    stepped_ms: int | None = None
    said_seq: int = 0
    idle: bool = False
    given_up: bool = False
    last: LastRound = LastRound()
    unheard: bool = False
    locked_out: tuple[str, ...] = ()
    coupons: Mapping[int, CouponAnswer] = {}
    redeemed: Mapping[int, RedeemedSeat] = {}
    booked_ms: int = 0

    @property
    def must_greet(self) -> str:
        """Why none of its entries is booked before a hello of it is taken, or nothing."""
        return self.refused or (_GIVEN_UP if self.given_up else _NEW_BOARD if self.unheard else "")


class Head(Struct, frozen=True):
    """Where a link's ledger stands: its last record and the figures after it.

    offer names what its tables may deal; stopped says why it must not be played, if it must not.
    """

    number: int
    seal: bytes
    terms: LinkTerms
    pot: LinkBalances
    offer: str = ""
    stopped: str = ""
    closed: bool = False


class LinkState:
    """One link's figures; everything that changes them is a record."""

    def __init__(self, link: str) -> None:
        self.link = link
        self.head = Head(0, first_seal(link), LinkTerms(0, 0, 0), LinkBalances())
        self.members: dict[str, Member] = {}
        self.coupons = CouponRegister()

    def booking(self, cause: Cause) -> Booking | NotTaken:
        """What this would move, by arithmetic alone, or why it cannot be booked."""
        head = self.head
        refusal = self.shut() if head.closed or head.stopped else None
        if refusal and (head.closed or isinstance(cause, _OF_TABLES)):
            return NotTaken(refusal)
        match cause:
            case Entered():
                return entry_booking(head.pot, head.terms, cause)
            case Joined() | HelloRefused() | Stopped():
                return Booking((), head.pot)
            case Opened(terms=terms, rules=rules):
                fault = rules_fault(rules)
                return NotTaken(fault) if fault else open_pot(terms, rules)
            case Decided(decision=decision):
                fault = signature_fault(cause) or self._decision_fault(cause)
                return NotTaken(fault) if fault else ruling(head.pot, head.terms, decision)

    def shut(self) -> str | None:
        """Why no table may be heard here, or None."""
        if self.head.closed:
            return f"link {self.link} was closed"
        if not self.head.stopped:
            return None
        return f"link {self.link} is stopped; what waits at a table counts once it is opened again: {self.head.stopped}"

    def record(self, cause: Cause, booking: Booking, *, booked_ms: int) -> Record:
        """The record that says so; nothing has changed yet."""
        answer = _answer(cause, booking.pot, self.head.terms)
        coupon = self.coupons.answer(cause)
        return Record(self.link, self.head.number + 1, booked_ms, cause, booking.postings, answer, coupon)

    def take(self, record: Record, pot: LinkBalances, seal: bytes) -> None:
        """Takes a record and the pot after it into the figures."""
        self.head = _after(replace(self.head, number=record.number, seal=seal, pot=pot), record.cause)
        self.coupons.take(record)
        self._note_member(record.cause, record.booked_ms)
        self._note_coupon(record)

    def locked_out(self, table: str) -> tuple[str, ...]:
        """The journals of this table's boards before."""
        return self.members[table].locked_out if table in self.members else ()

    def open_awards(self, table: str, journal: str) -> tuple[FixedAward, ...]:
        """What stands fixed for this table and unsettled, or paid by people without its word."""
        pot, terms = self.head.pot, self.head.terms
        mine = (award for award in pot.awards if (award.table, award.journal) == (table, journal))
        unheard = {settled.key for settled in pot.settled if settled.paid and settled.key[:2] == (table, journal)}
        paid = (award for award in pot.last_paid if award.key in unheard)
        return (
            *(fixed_award(award, terms) for award in mine),
            *(replace(fixed_award(award, None), validated=award.seats) for award in paid),
        )

    def answer_again(self, record: Record) -> FixedAward | None:
        """What a claim that is repeated is told besides the open awards: what was paid for it, never what is void.

        Only a percentage can be fixed again, and only a claim that people rejected is settled without its table.
        """
        match record.cause:
            case Entered(envelope=Envelope(entry=Award(percent_bp=part)) as envelope):
                pot, key = self.head.pot, (envelope.table, envelope.journal, envelope.seq)
                paid = next((award for award in reversed(pot.last_paid) if award.key == key), None)
                if paid is not None:
                    return fixed_award(paid, None)
                is_elsewhere = pot.award(*key) is not None or any(settled.key == key for settled in pot.settled)
                return None if part or is_elsewhere else record.answer
            case _:
                return None

    def _decision_fault(self, decided: Decided) -> str | None:
        match decided.decision:
            case SwapBoard(table=table, old_journal=old, new_journal=new):
                member = self.members.get(table)
                if member is None or member.hello.journal != old or new == old:
                    known = member.hello.journal if member else "none"
                    return f"the journal of table {table} is {known}"
            case Stop() if self.head.stopped:
                return f"link {self.link} is stopped: {self.head.stopped}"
            case Reopen() if not self.head.stopped:
                return f"link {self.link} is not stopped"
        return None

    def _note_coupon(self, record: Record) -> None:
        if record.coupon is UNSET or not isinstance(record.cause, Entered):
            return
        envelope, answer = record.cause.envelope, record.coupon
        member = self.members[envelope.table]
        match envelope.entry:
            case Coupon(seat=seat, round=number):
                redeemed = {**member.redeemed, seat: RedeemedSeat(number, envelope.seq)}
                member = replace(member, coupons={**member.coupons, seat: answer})
                self.members[envelope.table] = replace(member, redeemed=redeemed) if answer.accepted else member
            case CouponReturn(coupon_seq=seq):
                kept = {seat: each for seat, each in member.redeemed.items() if each.seq != seq}
                self.members[envelope.table] = replace(member, redeemed=kept)

    def _note_member(self, cause: Cause, booked_ms: int) -> None:
        match cause:
            case Entered(envelope=envelope):
                self.members[envelope.table] = _entered(self.members[envelope.table], cause, booked_ms)
            case Joined(hello=hello):
                known = self.members.get(hello.table, Member(hello, last=LastRound()))
                self.members[hello.table] = replace(known, hello=hello, refused="", given_up=False, unheard=False)
            case HelloRefused(table=table, refusal=refusal, next_seq=seq, idle=idle):
                self.members[table] = replace(self.members[table], refused=refusal, said_seq=seq, idle=idle)
            case Decided(decision=Reopen()):
                heard = [table for table, member in self.members.items() if member.said_seq]
                self.members |= {table: replace(self.members[table], said_seq=0, idle=False) for table in heard}
            case Decided(decision=ChangeTerms(given_up=tables)):
                self.members |= {name: replace(self.members[name], given_up=True) for name in tables}
            case Decided(decision=SwapBoard(table=table, new_journal=journal)):
                self.members[table] = _swapped(self.members[table], journal)
            case Decided(decision=SettleAward(award=named, paid=counts) | DecideHeld(entry=named, counts=counts)):
                member = self.members[named.table]
                if member.hello.journal == named.journal:  # a new board numbers its entries anew
                    self.members[named.table] = replace(member, last=member.last.decided(named.seq, counts=counts))


def fixed_award(award: OpenAward, terms: LinkTerms | None) -> FixedAward:
    """What the table is told of an award; on these terms, while it is open."""
    return FixedAward(
        award.seq,
        award.amount_cents,
        award.before_cents,
        award.after_cents,
        award.house_cents,
        validated=tuple(sorted(award.validators)),
        waits=TO_APPROVE if terms and needs_approval(terms, award) else "",
        refused=shortened(award.refused),
    )


def _swapped(member: Member, journal: str) -> Member:
    """The table with a new board, which has not said anything yet."""
    hello, old = replace(member.hello, journal=journal, next_seq=1), (*member.locked_out, member.hello.journal)
    return Member(hello, last=LastRound(), unheard=True, locked_out=old)


def _entered(member: Member, entered: Entered, booked_ms: int) -> Member:
    """The table after its next entry; wagers that are held were registered, too."""
    envelope, is_held = entered.envelope, bool(entered.held)
    match envelope.entry:
        case Wagers(round=number, since_ms=since_ms):
            highest, at_ms = max(number, member.round or 0), envelope.at_ms
            went_back = at_ms < member.wagered_ms
            stepped_ms = None if since_ms is not UNSET else at_ms if went_back else member.stepped_ms
            last = member.last.after(envelope.seq, envelope.entry, is_held=is_held, booked_ms=booked_ms)
            return Member(
                member.hello,
                envelope.seq,
                at_ms,
                round=highest,
                stepped_ms=stepped_ms,
                last=last,
                locked_out=member.locked_out,
                booked_ms=booked_ms,
            )
        case entry:
            last_then = member.last.after(envelope.seq, entry, is_held=is_held, booked_ms=booked_ms)
            return replace(member, booked_seq=envelope.seq, last=last_then)


def _after(head: Head, cause: Cause) -> Head:
    """What a cause changes besides the pot."""
    match cause:
        case Entered() | Joined() | HelloRefused():
            return head
        case Opened(terms=terms, offer=offer) | Decided(decision=ChangeTerms(terms=terms, offer=offer)):
            return replace(head, terms=terms, offer=offer.digest)
        case Stopped(reason=reason) | Decided(decision=Stop(), reason=reason):
            return replace(head, stopped=reason)
        case Decided(decision=Reopen()):
            return replace(head, stopped="")
        case Decided(decision=Close()):
            return replace(head, closed=True)
        case Decided():
            return head


def _answer(cause: Cause, pot: LinkBalances, terms: LinkTerms) -> FixedAward | None:
    """The fixed award, where the cause was a claim for one."""
    match cause:
        case Entered(envelope=Envelope(entry=Award()) as envelope):
            award = pot.award(envelope.table, envelope.journal, envelope.seq)
            return fixed_award(award, terms) if award else None
        case _:
            return None
