"""Verification of the books: ledgers, audit log, noted seals, and transfers between links."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, permutations, zip_longest

from msgspec import Struct
from msgspec.structs import asdict, replace

from games.money import dollars
from meter.ledger.decisions import Decided, Receive, Transfer
from meter.ledger.records import Record
from meter.reports.formatting import Row
from meter.store.audit_log import all_lines, first_bad_line
from meter.store.base import OpenStore, Saved, Store, StoreFault
from meter.store.replay import replayed


class TransferLeg(Struct, frozen=True):
    """Money between two links, as the ledger of one of them has it: order is what the two persons signed."""

    record: Record
    source: str
    target: str
    order: Decided

    @property
    def words(self) -> str:
        """The same, and that the other ledger knows nothing of it."""
        link, number, amount = self.record.link, self.record.number, dollars(_cents(self.order))
        if link == self.source:
            return f"link {link}: record {number} sent {amount} to link {self.target}, whose ledger did not receive it"
        return f"link {link}: record {number} received {amount} from link {self.source}, whose ledger did not send it"


def moved(record: Record) -> TransferLeg | None:
    """What this record moves between links, or None."""
    match record.cause:
        case Decided(decision=Transfer(to=to)) as order:
            return TransferLeg(record, record.link, to, order)
        case Decided(decision=Receive() as received) as order:
            parts = {name: part for name, part in asdict(received).items() if name != "source"}
            return TransferLeg(
                record, received.source, record.link, replace(order, decision=Transfer(record.link, **parts))
            )
        case _:
            return None


def first_unmatched(ledgers: Mapping[str, Sequence[TransferLeg]]) -> TransferLeg | None:
    """The first transfer between two of these links that stands in one ledger only, or None."""
    found = (
        _first_odd(_between(ledgers[source], source, target), _between(ledgers[target], source, target))
        for source, target in permutations(ledgers, 2)
    )
    return _earliest(found)


def _between(ledger: Iterable[TransferLeg], source: str, target: str) -> list[TransferLeg]:
    return [move for move in ledger if (move.source, move.target) == (source, target)]


def _first_odd(sent: Sequence[TransferLeg], received: Sequence[TransferLeg]) -> TransferLeg | None:
    """Where both go on and differ, the one that was booked earlier has no other side."""
    pairs = zip_longest(sent, received)
    odd = (pair for pair in pairs if pair[0] is None or pair[1] is None or pair[0].order != pair[1].order)
    return _earliest(chain.from_iterable([next(odd, ())]))


def _earliest(found: Iterable[TransferLeg | None]) -> TransferLeg | None:
    return min(filter(None, found), key=lambda move: move.record.booked_ms, default=None)


def _cents(order: Decided) -> int:
    match order.decision:
        case Transfer(cents=cents, reset_meter_cents=reset_cents, overflow_cents=overflow_cents):
            return cents + reset_cents + overflow_cents
        case _:
            return 0


class Verified(Struct, frozen=True):
    """One book, ledger or floor: whether it is sound, its last record and seal if so, and that in words.

    Or the transfers between links: whether each stands in both ledgers, or the first that does not. Or a seal that was
    noted: whether a record has it, and which.
    """

    book: str
    link: str
    is_sound: bool
    record: int
    seal: str
    words: str


def verified_ledgers(store: OpenStore, links: Iterable[str]) -> list[Verified]:
    """Every seal and every figure of these links again, as they stood at one moment, and what went between them."""
    standing = _at_one_moment(store)
    moves: dict[str, list[TransferLeg]] = {link: [] for link in links}
    found = [_verified_ledger(store, link, standing.get(link), moves[link]) for link in moves]
    if standing and all(ledger.is_sound for ledger in found):
        found += _verified_transfers(moves)
    return found


def _at_one_moment(store: OpenStore) -> dict[str, Saved]:
    try:
        return store.load_all()
    except StoreFault:
        return {}  # whoever reads the records will name the first bad one


def _verified_ledger(store: Store, link: str, snapshot: Saved | None, moves: list[TransferLeg]) -> Verified:
    """What is wrong names the first bad record."""
    number, seal = 0, ""
    try:
        for entry in replayed(store, link, snapshot):
            number, seal = entry.after.number, entry.after.seal.hex()
            moves.extend(filter(None, [moved(entry.record)]))
    except StoreFault as fault:
        return Verified("ledger", link, is_sound=False, record=0, seal="", words=f"link {link}: {fault}")
    words = f"link {link}: {number} records are sound; record {number} has the seal {seal}"
    return Verified("ledger", link, is_sound=True, record=number, seal=seal, words=words)


def _verified_transfers(moves: Mapping[str, Sequence[TransferLeg]]) -> list[Verified]:
    """Whether each transfer between two of these links stands in both of their ledgers; nothing where there is none."""
    odd = first_unmatched(moves)
    if odd:
        words = f"{odd.words}: these ledgers are not of one moment, or one of them is another"
        return [Verified("transfers", odd.record.link, is_sound=False, record=odd.record.number, seal="", words=words)]
    sent = sum(move.source == link and move.target in moves for link, ledger in moves.items() for move in ledger)
    words = f"what went between links stands in both ledgers: {sent} transfer(s)"
    return [Verified("transfers", "", is_sound=True, record=0, seal="", words=words)] if sent else []


def verified_floor_book(store: OpenStore) -> Verified:
    """Alarms, acknowledgements and actions are sealed like the ledger's records."""
    end = store.floor_end()
    # Read again if in doubt: a running meter may close an alarm between two of our questions.
    bad = first_bad_line(all_lines(store), end) and first_bad_line(all_lines(store), end)
    words = f"the floor's book is damaged at line {bad}" if bad else "the floor's book is sound"
    return Verified("floor", "", is_sound=not bad, record=0, seal="", words=words)


def lost_ledgers(store: OpenStore) -> list[Verified]:
    """The links that the floor's book knows and that have no books any more."""
    names = {line.link for line in all_lines(store)} - {"", *store.links()}
    words = "its books are gone, and the floor's book knows it; restore a backup"
    return [
        Verified("ledger", name, is_sound=False, record=0, seal="", words=f"link {name}: {words}")
        for name in sorted(names)
    ]


def verified_seals(store: Store, links: Iterable[str], noted: Sequence[bytes]) -> list[Verified]:
    """Whether the seals that somebody noted are those of records still: who writes all records anew cannot keep them.

    The links are sound, or their seals prove nothing.
    """
    places = {
        row.seal: (link, number)
        for link in (links if noted else ())
        for number, row in enumerate(store.records(link), start=1)
        if row.seal in noted
    }
    return [_verified_seal(seal.hex(), *places.get(seal, ("", 0))) for seal in noted]


def _verified_seal(seal: str, link: str, record: int) -> Verified:
    gone = f"no record has the seal {seal}: what stood here when it was noted was changed, or these are other books"
    kept = f"link {link}: record {record} has the seal {seal} as it was noted: nothing up to it was changed since"
    return Verified("seal", link, is_sound=record > 0, record=record, seal=seal, words=kept if record else gone)


def verified_row(verified: Verified) -> Row:
    """The same as a row."""
    return asdict(verified) | {"is_sound": "yes" if verified.is_sound else "no"}
