"""Cut point of an archive: the last round that is over, booked and covered by a snapshot."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final

from controller.journal.snapshots import newest_snapshot
from controller.journal.volumes import Volume, last_volume
from games.round.state import Phase, RoundState

_LAST: Final = 2**62
_FEW: Final = 500
"""So many events without a place to cut are what is left of a table that stood still: nobody need look at them."""
_CUTS: Final = """
SELECT snapshots.number FROM snapshots
    JOIN events AS last ON last.number = snapshots.number
    JOIN events AS next ON next.number = snapshots.number + 1
WHERE snapshots.number > ? AND snapshots.number < ? AND next.round > last.round
ORDER BY snapshots.number DESC
"""


def newest_cut(
    path: Path, database: sqlite3.Connection, before_ms: int, *, now_ms: int, hash_at: Callable[[int], str]
) -> Volume | None:
    """The largest part that may go, as a volume without a file; no event in it happened since this moment."""
    begin = last_volume(path, database)
    end = min(_first_young(database, begin.until, (before_ms, now_ms)), first_waiting(database))
    for (number,) in database.execute(_CUTS, (begin.until, end)):
        _, state = newest_snapshot(path, database, before=number + 1, hash_at=hash_at)
        if is_over(state):
            return volume_until(begin, number, state, hash_at(number))
    return None


def volume_until(begin: Volume, number: int, state: RoundState, chain: str, file: str = "") -> Volume:
    """The volume after that one which ends with this event, its book and its hash."""
    return Volume(begin.until + 1, number, state.round, state.slips, state.link_seq, chain, file)


def first_waiting(database: sqlite3.Connection) -> int:
    """The first event of which the meter has not booked everything: it stays, and all after it."""
    (number,) = database.execute("SELECT min(number) FROM outbox WHERE booked = 0").fetchone()
    return _LAST if number is None else int(number)


def is_over(state: RoundState) -> bool:
    """Whether nobody has anything to do any more in this round."""
    is_settled = not (state.open_claims or state.envy_due or state.refunds_due)
    return is_settled and state.phase in (Phase.ENDED, Phase.CLOSED)


def is_in_use(database: sqlite3.Connection, before_ms: int, now_ms: int) -> bool:
    """Whether anything happened since this moment; if not, the table stands still or the clock is ahead of it."""
    return _first_young(database, 0, (before_ms, now_ms)) != _LAST


def overdue(path: Path, database: sqlite3.Connection, before_ms: int, now_ms: int) -> str:
    """What keeps events back that are twice as old as they need be, of a journal that cannot be cut; "" for nothing."""
    begin, waiting = last_volume(path, database).until, first_waiting(database)
    (oldest_ms,) = database.execute("SELECT min(at_ms) FROM events WHERE number > ?", (begin,)).fetchone()
    if oldest_ms is None or oldest_ms >= before_ms - (now_ms - before_ms):
        return ""
    end = min(_first_young(database, begin, (before_ms, now_ms)), waiting)
    if end == waiting < _LAST:
        return f"the meter has not booked what event {waiting} ordered; let the table reach its meter"
    if end - begin <= _FEW:
        return ""
    if database.execute(_CUTS, (begin, end)).fetchone() is None:
        return f"no snapshot lies between two rounds of events {begin + 1} to {end - 1}; close the table and open it"
    return f"no round with a snapshot is over in events {begin + 1} to {end - 1}; settle what is open at the table"


def _first_young(database: sqlite3.Connection, after: int, since_and_now_ms: tuple[int, int]) -> int:
    """What is stamped later than now is not young: a clock that was wrong once would keep everything after it."""
    young = "SELECT number FROM events WHERE number > ? AND at_ms BETWEEN ? AND ? ORDER BY number LIMIT 1"
    row = database.execute(young, (after, *since_and_now_ms)).fetchone()
    return _LAST if row is None else int(row[0])
