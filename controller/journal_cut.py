"""Where a journal may be cut in two: behind a round that is over, booked and remembered by a snapshot."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final

from controller.journal_marks import newest_snapshot
from controller.journal_volumes import Volume, last_volume
from games.book import Book, Phase

_LAST: Final = 2**62
_CUTS: Final = """
SELECT snapshots.number FROM snapshots
    JOIN events AS last ON last.number = snapshots.number
    JOIN events AS next ON next.number = snapshots.number + 1
WHERE snapshots.number > ? AND snapshots.number < ? AND next.round > last.round
ORDER BY snapshots.number DESC
"""


def newest_cut(
    path: Path, database: sqlite3.Connection, before_ms: int, *, hash_at: Callable[[int], str]
) -> Volume | None:
    """The largest part that may go, as a volume without a file; every event in it happened before this moment."""
    begin = last_volume(path, database)
    end = min(_first_since(database, begin.until, before_ms), first_waiting(database))
    for (number,) in database.execute(_CUTS, (begin.until, end)):
        _, book = newest_snapshot(path, database, before=number + 1, hash_at=hash_at)
        if is_over(book):
            return volume_until(begin, number, book, hash_at(number))
    return None


def volume_until(begin: Volume, number: int, book: Book, chain: str, file: str = "") -> Volume:
    """The volume after that one which ends with this event, its book and its hash."""
    return Volume(begin.until + 1, number, book.round, book.slips, book.link_seq, chain, file)


def first_waiting(database: sqlite3.Connection) -> int:
    """The first event of which the meter has not booked everything: it stays, and all after it."""
    (number,) = database.execute("SELECT min(number) FROM outbox WHERE booked = 0").fetchone()
    return _LAST if number is None else int(number)


def is_over(book: Book) -> bool:
    """Whether nobody has anything to do any more in this round."""
    is_settled = not (book.open_claims or book.envy_due or book.refunds_due)
    return is_settled and book.phase in (Phase.ENDED, Phase.CLOSED)


def _first_since(database: sqlite3.Connection, after: int, at_ms: int) -> int:
    since = "SELECT number FROM events WHERE number > ? AND at_ms >= ? ORDER BY number LIMIT 1"
    row = database.execute(since, (after, at_ms)).fetchone()
    return _LAST if row is None else int(row[0])
