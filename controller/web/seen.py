"""Seen: what a person looked at when he decided, as a short token that his order must carry."""

import hashlib
from typing import Final

import msgspec

from games.refusal import Refusal
from games.round.state import Book, Phase

STALE: Final = Refusal("the table has moved on since this page looked; look again")
_DEALT: Final = frozenset({Phase.COUNTED, Phase.IN_PLAY, Phase.SETTLING})


def seen(book: Book, seat: int = 0) -> str:
    """The token of everything that a decision about this seat, or about the whole table (0), rests on."""
    parts = _of_seat(book, seat) if seat else _of_table(book)
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:16]


def staleness(book: Book, seat: int, token: str) -> Refusal | None:
    """Why an order that looked at this is refused, or None."""
    return None if token == seen(book, seat) else STALE


def _of_seat(book: Book, seat: int) -> tuple[object, ...]:
    """A wager on another seat, or the meter's answer for one, does not make this seat's page stale."""
    claims = [claim for claim in book.claims if claim.seat == seat]
    envy = [envy for envy in book.envy if seat in {envy.seat, envy.holder}]
    stage = "dealt" if book.phase in _DEALT else book.phase.value
    return book.round, stage, book.wagers.get(seat), seat in book.folded, seat in book.voided, claims, envy


def _of_table(book: Book) -> tuple[object, ...]:
    stage = "dealt" if book.phase in _DEALT else book.phase.value
    hands = book.claims, book.all_shown, book.shown, book.envy_markers, book.areas
    return book.round, stage, book.counted, book.counts, hands, book.refunds_due, book.voided, book.closing
