"""Advice: what a person does about a fault, in words, beside what the device says of itself."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from controller.table.last_failure import Failure
from controller.web.remedies import remedy
from games.round.state import Book

_KEEP: Final = (
    "Do not pay. Keep the cards where they lie and ask the player to stay; management enters who comes first at the "
    "meter, and this table goes on by itself."
)
_READ_IT: Final = "It runs again and stands where it stood. Tell a technician; acknowledge when the cause is known."


class Advice(Struct, frozen=True):
    """A fault as the panel shows it."""

    device: str
    seat: int
    detail: str
    advice: str


def advice(book: Book, *, plays_on: bool, contest: Sequence[str], failure: Failure | None) -> tuple[Advice, ...]:
    """A contested award, every fault, a lost meter and the program's last failure, each with what to do about it."""
    faults = [Advice(device, fault.seat, fault.detail, remedy(device, fault)) for device, fault in book.faults.items()]
    return (
        *([_contested(book.held, contest)] if _is_contested(book) else []),
        *faults,
        *([_lost(book, plays_on=plays_on)] if book.link_down else []),
        *([Advice("table program", 0, str(failure), _READ_IT)] if failure else []),
    )


def _is_contested(book: Book) -> bool:
    return any(map(book.is_held, book.open_claims))


def _contested(held: str, contest: Sequence[str]) -> Advice:
    return Advice("contested award", 0, "; ".join(contest) or held, _KEEP)


def _lost(book: Book, *, plays_on: bool) -> Advice:
    if plays_on:
        words = "Play on: wagers are kept here and booked when the meter is back."
    elif book.link_refused:
        words = "Finish this round; no progressive wagers until the meter takes this table. Call who looks after it."
    else:
        words = "Finish this round; no progressive wagers until the meter is back. It comes back by itself."
    return Advice("meter", 0, book.link_down, words)
