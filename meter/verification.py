"""What reading the books back has shown: each ledger and the floor's book, sound or where they are damaged."""

from msgspec import Struct
from msgspec.structs import asdict

from meter.audit import audited
from meter.floor_book import all_lines, first_bad_line
from meter.paper import Row
from meter.replay import stands_at
from meter.store import OpenStore, Store, StoreFault


class Verified(Struct, frozen=True):
    """One book, ledger or floor: whether it is sound, its last record and seal if so, and that in words."""

    book: str
    link: str
    is_sound: bool
    record: int
    seal: str
    words: str


def verified_ledger(store: Store, link: str) -> Verified:
    """Every seal and every figure of a link again; what is wrong names the first bad record."""
    try:
        head = audited(store, link, stands_at(store, link)).head
    except StoreFault as fault:
        return Verified("ledger", link, is_sound=False, record=0, seal="", words=f"link {link}: {fault}")
    seal = head.seal.hex()
    words = f"link {link}: {head.number} records are sound; record {head.number} has the seal {seal}"
    return Verified("ledger", link, is_sound=True, record=head.number, seal=seal, words=words)


def verified_floor_book(store: OpenStore) -> Verified:
    """Alarms, acknowledgements and actions are sealed like the ledger's records."""
    bad = first_bad_line(all_lines(store))
    words = f"the floor's book is damaged at line {bad}" if bad else "the floor's book is sound"
    return Verified("floor", "", is_sound=not bad, record=0, seal="", words=words)


def verified_row(verified: Verified) -> Row:
    """The same as a row."""
    return asdict(verified) | {"is_sound": "yes" if verified.is_sound else "no"}
