"""Rate limit per table, for what it may change and take back, and throttle of log lines."""

from collections import deque
from collections.abc import Callable, Container
from typing import Final

from msgspec import Struct

from link.messages import Coupon, CouponReturn, Envelope, Release, Wagers
from meter.booking.results import Disputed, MessageResult, Taken
from meter.ledger.link_state import NotTaken

FIRST: Final = 10  # lines of a line, before they become fewer
CALM_MS: Final = 60_000  # ends it
_MINUTE_MS: Final = 60_000


class _Throttled(Struct):
    count: int = 0
    last_ms: int = 0


class LogThrottle:
    """Log throttle per table and kind of line: 10 lines, then every power of two, until a minute was quiet.

    Tables that are not of this link count as one. A clock that is set back or forward starts anew.
    """

    def __init__(self, tables: Container[str], wall_ms: Callable[[], int]) -> None:
        self._tables, self._wall_ms = tables, wall_ms
        self._throttled: dict[tuple[str, str], _Throttled] = {}

    def __len__(self) -> int:
        return len(self._throttled)

    def worth_a_line(self, kind: str, table: str) -> int:
        """How often this has happened now, if that is to be said, or 0."""
        line = self._throttled.setdefault((kind, table if table in self._tables else ""), _Throttled())
        now_ms = self._wall_ms()
        is_calm = not 0 <= now_ms - line.last_ms < CALM_MS
        line.count, line.last_ms = 1 if is_calm else line.count + 1, now_ms
        return line.count if line.count <= FIRST or line.count & (line.count - 1) == 0 else 0


FREE_TRIES: Final = 3
"""Wrong proofs in a row after which the next one waits: a person mistypes, or his PIN was changed a moment ago."""
LONGEST_WAIT_MS: Final = 15 * 60_000
WRONG_PROOFS: Final = (
    "too many wrong proofs: the meter checks the next one later; look for a stolen certificate, or have the person "
    "ask for a new PIN"
)


class ProofThrottle:
    """Wrong proofs in a row, by table and by person: the wait doubles from 5 s, for a table up to 15 minutes.

    For a person it stays at one minute: nobody at another table keeps a supervisor from validating.
    """

    def __init__(self) -> None:
        self._wrong: dict[str, tuple[int, int]] = {}  # how often, and when last

    def must_wait(self, table: str, person: str, now_ms: int) -> bool:
        """Whether a proof of this person from this table is not looked at now."""
        of_table = self._wait_ms(f"table {table}", LONGEST_WAIT_MS, now_ms)
        return max(of_table, self._wait_ms(f"person {person}", _MINUTE_MS, now_ms)) > 0

    def note_wrong(self, table: str, person: str, now_ms: int) -> None:
        """A proof did not hold."""
        for key in (f"table {table}", f"person {person}"):
            self._wrong[key] = self._wrong.get(key, (0, 0))[0] + 1, now_ms

    def note_right(self, table: str, person: str) -> None:
        """A proof held: the count of both begins anew."""
        for key in (f"table {table}", f"person {person}"):
            self._wrong.pop(key, None)

    def _wait_ms(self, key: str, most_ms: int, now_ms: int) -> int:
        times, at_ms = self._wrong.get(key, (0, 0))
        wait_ms = min(5_000 << min(times - FREE_TRIES, 20), most_ms) if times >= FREE_TRIES else 0
        return min(at_ms + wait_ms - now_ms, wait_ms)


MOST_IN_A_MINUTE: Final = 60  # a round in which seven seats claim and are all rejected makes 13
TOO_OFTEN: Final = (
    f"rate limit: {MOST_IN_A_MINUTE} changed Hellos, withdrawn or contradicted awards, coupons in a minute; the next "
    "waits until the table is quiet for one: look for two boards with one journal, or a stolen certificate"
)


class RateLimit:
    """Rate limit per table: changed hellos, withdrawn or contradicted awards, coupons, in a minute of its clock.

    A clock that is set back or forward forgets the notes: no table is kept out for longer than a minute. A round that
    is registered begins anew: a table that hands in what it played without the meter says a day's claims in a second.
    """

    def __init__(self) -> None:
        self._noted_ms: dict[str, deque[int]] = {}

    def note(self, table: str, now_ms: int) -> None:
        """Notes one more."""
        self._noted_ms.setdefault(table, deque(maxlen=MOST_IN_A_MINUTE)).append(now_ms)

    def note_entry(self, envelope: Envelope, taken: Taken, now_ms: int) -> None:
        """This became of an entry."""
        if isinstance(envelope.entry, Wagers) and taken is MessageResult.BOOKED:
            self._noted_ms.pop(envelope.table, None)
        elif isinstance(taken, Disputed) or (
            isinstance(envelope.entry, Release | Coupon | CouponReturn) and not isinstance(taken, NotTaken)
        ):
            self.note(envelope.table, now_ms)

    def must_wait(self, envelope: Envelope, now_ms: int) -> bool:
        """Whether this is one word too many of an award or a coupon, for now."""
        return not isinstance(envelope.entry, Wagers) and self.is_exceeded(envelope.table, now_ms)

    def is_exceeded(self, table: str, now_ms: int) -> bool:
        """Whether so much of this table was written down that no more should be now."""
        lately = [at_ms for at_ms in self._noted_ms.get(table, ()) if 0 <= now_ms - at_ms < _MINUTE_MS]
        return len(lately) == MOST_IN_A_MINUTE
