"""The draft of a link's next page: what the running transaction adds, and whom it will have to answer."""

from typing import TypeAlias

from meter.booking.results import Outcome
from meter.ledger.pot import NotTaken
from meter.ledger.records import Record, Sealed

Sender: TypeAlias = tuple[str, str]
"""A table and its journal."""
EntryKey: TypeAlias = tuple[str, str, int]
"""The same, and an entry's number."""


class Draft:
    """Begun anew after every report."""

    def __init__(self) -> None:
        self.rows: list[tuple[Record, Sealed]] = []
        self.entries: dict[EntryKey, Record] = {}
        self.changed: set[str] = set()
        self.outcomes: list[Outcome] = []
        self.answers: dict[Sender, dict[int, Record]] = {}  # to whom, and the claims that he repeated
        self.not_taken: dict[Sender, NotTaken] = {}
