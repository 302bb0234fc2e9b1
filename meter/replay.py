"""A link's ledger told again, record by record, with the figures before and after each."""

from collections.abc import Iterator

from msgspec import Struct

from meter.audit import follow
from meter.book import Book, Head
from meter.records import Record
from meter.store import Store


class Told(Struct, frozen=True):
    """One record, and where the link stood before and after it."""

    record: Record
    before: Head
    after: Head


def told(store: Store, link: str) -> Iterator[Told]:
    """Every record in order; raises StoreFault at one that cannot follow from those before it."""
    book = Book(link)
    for row in store.records(link):
        before = book.head
        yield Told(follow(book, row), before, book.head)
