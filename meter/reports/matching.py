"""Transfers matched: what one link's ledger sent the other one's received, in the same order, of the same people."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, permutations, zip_longest

from msgspec import Struct
from msgspec.structs import asdict, replace

from games.money import dollars
from meter.ledger.decisions import Decided, Receive, Transfer
from meter.ledger.records import Record


class Moved(Struct, frozen=True):
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


def moved(record: Record) -> Moved | None:
    """What this record moves between links, or None."""
    match record.cause:
        case Decided(decision=Transfer(to=to)) as order:
            return Moved(record, record.link, to, order)
        case Decided(decision=Receive() as received) as order:
            parts = {name: part for name, part in asdict(received).items() if name != "source"}
            return Moved(record, received.source, record.link, replace(order, decision=Transfer(record.link, **parts)))
        case _:
            return None


def first_unmatched(ledgers: Mapping[str, Sequence[Moved]]) -> Moved | None:
    """The first transfer between two of these links that stands in one ledger only, or None."""
    found = (
        _first_odd(_between(ledgers[source], source, target), _between(ledgers[target], source, target))
        for source, target in permutations(ledgers, 2)
    )
    return _earliest(found)


def _between(ledger: Iterable[Moved], source: str, target: str) -> list[Moved]:
    return [move for move in ledger if (move.source, move.target) == (source, target)]


def _first_odd(sent: Sequence[Moved], received: Sequence[Moved]) -> Moved | None:
    """Where both go on and differ, the one that was booked earlier has no other side."""
    pairs = zip_longest(sent, received)
    odd = (pair for pair in pairs if pair[0] is None or pair[1] is None or pair[0].order != pair[1].order)
    return _earliest(chain.from_iterable([next(odd, ())]))


def _earliest(found: Iterable[Moved | None]) -> Moved | None:
    return min(filter(None, found), key=lambda move: move.record.booked_ms, default=None)


def _cents(order: Decided) -> int:
    match order.decision:
        case Transfer(cents=cents, reset_meter_cents=reset_cents, overflow_cents=overflow_cents):
            return cents + reset_cents + overflow_cents
        case _:
            return 0
