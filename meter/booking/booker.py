"""Booker: books a batch for all links in one transaction; what it returns is on disk."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from games.compliance import unlike
from games.money import dollars
from link.messages import Envelope, Hello
from meter.booking.link_booker import LinkBooker
from meter.booking.proofs import NOBODY, ProofVerifier
from meter.booking.results import BookingReport
from meter.ledger.accounts import Account
from meter.ledger.balances import LinkBalances
from meter.ledger.decisions import ChangeTerms, Close, Decided, Receive, Transfer
from meter.ledger.link_state import Head, LinkState, Member
from meter.ledger.parameters import announcement_fault, closing_fault, day_of, differences, seeds_fault
from meter.settings import Link
from meter.store.audit import audited, trusted
from meter.store.base import OpenStore, Saved, Store, StoreFault

_WHERE: Final = {
    Account.METER: "on its meter",
    Account.RESET_METER: "in its reset meter",
    Account.OVERFLOW: "of overflow",
    Account.AWARDS: "in open awards",
}
_OTHER_OFFER: Final = "other tables, games, pay tables, stakes, approved configurations or shortest times"


class Work(Struct, frozen=True):
    """A message to be booked or answered, well-formed and from the table it names."""

    link: str
    message: Envelope | Hello


class ParameterChange(Struct, frozen=True):
    """Who changes the parameters, and why; nobody waits for tables that are given up."""

    by: str
    and_by: str
    reason: str
    given_up: tuple[str, ...] = ()


class DecisionVerdict(Struct, frozen=True):
    """What became of a decision: why it was not taken, or what it did to each link."""

    refusal: str
    reports: Mapping[str, BookingReport] = {}


def refuse_lost(store: OpenStore, names: Sequence[str]) -> None:
    """No link is begun anew that has no books here and once had, for the floor's book knows it (R90): StoreFault."""
    known = store.links()
    lost = [name for name in names if name not in known and store.last_lines("", name, 1)]
    if lost:
        raise StoreFault(f"the books of link {lost[0]} are gone, and the floor's book knows it: restore a backup")


def refuse_orphans(store: OpenStore, links: Sequence[Link]) -> None:
    """A link that holds money is not dropped from the settings, nor begun anew without its books (R90): StoreFault."""
    refuse_lost(store, [link.name for link in links])
    for name in sorted(set(store.links()) - {link.name for link in links}):
        saved = store.load(name)
        if saved and not saved.head.closed and saved.head.pot.has_balance:
            raise StoreFault(
                f"link {name} holds {_holdings(saved.head.pot)} and is not in the settings: write it back, "
                "then have two persons transfer or close it"
            )


def _holdings(pot: LinkBalances) -> str:
    money = [f"{dollars(pot.cents(account))} {where}" for account, where in _WHERE.items() if pot.balances.get(account)]
    waiting = [
        (len(pot.claims), "claim(s)"),
        (len(pot.held), "held contribution(s)"),
        (len(pot.doubted), "held claim(s)"),
    ]
    return ", ".join([*money, *(f"{count} {what}" for count, what in waiting if count)])


def _refuse_strangers(change: ParameterChange | None, link_bookers: Iterable[LinkBooker]) -> None:
    """Whoever gives up a table by a mistyped name would wait for the right one in vain: raises StoreFault."""
    known = {member.hello.table for link_booker in link_bookers for member in link_booker.members}
    strangers = sorted(set(change.given_up) - known) if change else []
    if strangers:
        raise StoreFault(f"table {', '.join(strangers)} has joined no link: there is nothing to give up")


class Booker:
    """All links of one store; used by one thread."""

    def __init__(
        self, store: Store, links: Sequence[Link], wall_ms: Callable[[], int], proofs: ProofVerifier = NOBODY
    ) -> None:
        self._store, self._links, self._wall_ms, self._proofs = store, links, wall_ms, proofs
        self._link_bookers: dict[str, LinkBooker] = {}
        self._audited_at_most: int | None = None
        self.unaudited: dict[str, Saved] = {}
        """The links that were opened on the figures after their last record, and those figures."""
        self.written = 0
        """How many transactions have put records on disk."""

    def open(self, change: ParameterChange | None = None, *, audited_at_most: int | None = None) -> dict[str, Head]:
        """Audits every link, opens new ones, and says where each stands.

        Of all links together no more records than that are read; the links for which they do not last are trusted.
        Raises StoreFault if anything is wrong. Parameters that are not those of the ledger are a fault, unless two
        persons change them now.
        """
        self._audited_at_most = audited_at_most
        for link, state in self._books():
            self._link_bookers[link.name] = link_booker = LinkBooker(link, state, self._store, self._proofs)
            if state.head.number == 0:
                link_booker.open(self._wall_ms())
            elif not state.head.closed and (state.head.terms, state.head.offer) != (link.terms, link.offer.digest):
                self._change(link_booker, link, change)
        _refuse_strangers(change, self._link_bookers.values())
        self._commit(self._link_bookers)
        return {name: link_booker.report().head for name, link_booker in self._link_bookers.items()}

    def members(self, link: str) -> tuple[Member, ...]:
        """Every table that has joined this link."""
        return self._link_bookers[link].members

    def decide(self, link: str, decided: Decided) -> DecisionVerdict:
        """Takes a decision in one transaction, a transfer on both its links; what it returns is on disk."""
        if isinstance(decided.decision, ChangeTerms | Receive):
            return DecisionVerdict(
                "no decision changes parameters or receives a transfer: stop the meter and change parameters with "
                "--apply-terms; send a transfer from the other link"
            )
        orders = {link: decided}
        if isinstance(decided.decision, Transfer):
            given = decided.decision
            received = Receive(link, given.cents, given.reset_meter_cents, given.overflow_cents)
            orders[given.to] = replace(decided, decision=received)
            strange = self._strangers(link, given.to)
            if strange:
                return DecisionVerdict(strange)
        for name, order in orders.items():
            refusal = self._refusal(name, order)
            if refusal:
                return DecisionVerdict(refusal if name == link else f"link {name}: {refusal}")
        concerned = {name: self._link_bookers[name] for name in orders}
        for name, link_booker in concerned.items():
            link_booker.decide(orders[name], self._wall_ms())
        self._commit(concerned)
        return DecisionVerdict("", {name: link_booker.report() for name, link_booker in concerned.items()})

    def stop(self, reason: str) -> None:
        """Writes into every sound ledger that its link is stopped: a restart alone does not open it again (R63)."""
        for link, state in self._books():
            link_booker = LinkBooker(link, state, self._store, self._proofs)
            if not link_booker.head.stopped and not link_booker.head.closed:
                link_booker.stop(reason, self._wall_ms())
                self._commit({link.name: link_booker})

    def _strangers(self, link: str, to: str) -> str | None:
        """Why nothing goes from this link to that one, whatever stands there, or None."""
        if to == link:
            return "a link cannot transfer to itself"
        known = {each.name: each for each in self._links}
        if link not in known or to not in known:
            return None  # which is said in the link's own words
        one, other = known[link], known[to]
        if one.rehearsal != other.rehearsal:
            return "play money never becomes money, nor money play money: one of the two links is a rehearsal"
        why = unlike(one.case, other.case)
        return f"link {to} is not of similar wager and probability: {why}" if why else None

    def _refusal(self, link: str, decided: Decided) -> str | None:
        link_booker = self._link_bookers.get(link)
        if link_booker is None:
            return f"there is no link {link}"
        is_closing = isinstance(decided.decision, Close)
        early = closing_fault(link_booker.head.terms, day_of(self._wall_ms())) if is_closing else None
        return early or link_booker.refusal(decided)

    def _change(self, link_booker: LinkBooker, link: Link, change: ParameterChange | None) -> None:
        words = differences(link_booker.head.terms, link.terms) or _OTHER_OFFER
        if change is None:
            raise StoreFault(
                f"the settings of link {link.name} are not those of its ledger ({words}): write the old ones "
                "back, or change them now: pitlink meter --config FILE --apply-terms --by A --and-by B --reason WORDS"
            )
        staying = {member.hello.table for member in link_booker.members} & {*link.tables}
        given_up = tuple(table for table in change.given_up if table in staying)  # other links have their own
        decided = Decided(ChangeTerms(link.terms, link.offer, given_up), change.by, change.and_by, change.reason)
        today, old = day_of(self._wall_ms()), link_booker.head.terms
        unfit = seeds_fault(link_booker.head.pot, old, link.terms) or announcement_fault(old, link.terms, today)
        refusal = link_booker.refusal(decided) or unfit
        if refusal:
            raise StoreFault(f"the parameters of link {link.name} cannot change: {refusal}")
        link_booker.decide(decided, self._wall_ms())

    def book(self, batch: Sequence[Work]) -> dict[str, BookingReport]:
        """Takes a batch in one transaction; what it returns is on disk."""
        now_ms = self._wall_ms()
        for work in batch:
            self._link_bookers[work.link].take(work.message, now_ms)
        concerned = {name: self._link_bookers[name] for name in dict.fromkeys(work.link for work in batch)}
        self._commit(concerned)
        return {name: link_booker.report() for name, link_booker in concerned.items()}

    def prove(self) -> dict[str, BookingReport]:
        """Shows that the store is still ours and can still be written; raises StoreFault otherwise."""
        self._store.commit(())
        return {}

    def _books(self) -> Iterator[tuple[Link, LinkState]]:
        """Every link's book: audited while the records last that may be read, trusted from then on."""
        if self._audited_at_most is None:
            yield from ((link, audited(self._store, link.name)) for link in self._links)
            return
        left = self._audited_at_most
        for link in self._links:
            snapshot = self._store.load(link.name)
            records = snapshot.head.number if snapshot else 0
            if snapshot is None or records <= left:
                left -= records
                yield link, audited(self._store, link.name)
            else:
                self.unaudited[link.name] = snapshot
                yield link, trusted(link.name, snapshot)

    def _commit(self, link_bookers: Mapping[str, LinkBooker]) -> None:
        pages = [page for link_booker in link_bookers.values() if (page := link_booker.page())]
        if pages:
            self._store.commit(pages)
            self.written += 1
