"""Restore note: after a restore every link is stopped until two persons open it."""

from collections.abc import Iterable
from datetime import UTC, datetime

from msgspec import Struct

from meter.ledger.link_state import LinkState, NotTaken
from meter.ledger.records import Record, Stopped, read_record, sealed
from meter.store.audit_log import RESTORED, MeterRun, append
from meter.store.base import OpenStore, Page


class Restoration(Struct, frozen=True):
    """Which file is restored, when, on which machine and by which program."""

    file: str
    at_ms: int
    machine: str
    program: str


def shut_restored(store: OpenStore, books: Iterable[LinkState], restoration: Restoration) -> None:
    """Stops each of these links that is not closed, and says in the floor's book what was restored.

    A backup knows nothing of what people decided after it: an award that was settled is open again, a link that was
    stopped is not. Nobody may play, and nothing be paid, before two persons have entered it again.
    """
    ends = {state: _ends(store, state) for state in books}
    for state, end in ends.items():
        if not state.head.closed:
            _stop(store, state, _reason(state, f"{restoration.file}, which ends at {end}"), restoration.at_ms)
    words = "; ".join(f"link {state.link} ends at {end}" for state, end in ends.items())
    said = MeterRun(RESTORED, restoration.machine, restoration.program, f"from {restoration.file}: {words}")
    append(store, said, restoration.at_ms)


def _ends(store: OpenStore, state: LinkState) -> str:
    (last,) = store.latest(state.link, 1)
    booked = datetime.fromtimestamp(read_record(last.body).booked_ms // 1_000, UTC)
    return f"record {state.head.number} of {booked:%Y-%m-%d %H:%M:%S} UTC"


def _reason(state: LinkState, source: str) -> str:
    words = f"restored from {source}: whatever people decided after it must be entered again"
    return f"{words}; it was stopped there: {state.head.stopped}" if state.head.stopped else words


def _stop(store: OpenStore, state: LinkState, reason: str, at_ms: int) -> None:
    cause = Stopped(reason)
    booking = state.booking(cause)
    assert not isinstance(booking, NotTaken), "a link that is not closed can be stopped"
    record: Record = state.record(cause, booking, booked_ms=at_ms)
    row = sealed(record, state.head.seal)
    state.take(record, booking.pot, row.seal)
    store.commit([Page(state.link, [(record, row)], (), state.head)])
