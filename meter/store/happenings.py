"""What happens by itself and belongs into the floor's book: starts, stops, and every award with its amount (R106)."""

from typing import Final

from msgspec.structs import replace

from meter.ledger.open_items import OpenAward
from meter.ledger.pot import Pot
from meter.store.audit_log import (
    AWARD,
    RUN,
    Awarded,
    FloorStore,
    Ran,
    read_note,
)

STARTED: Final = "started"
STOPPED: Final = "stopped"
RESTORED: Final = "restored"
FIRST: Final = "for the first time"
CLEAN: Final = "after a stop"
PUT_BACK: Final = "on books that were restored from a backup"
LATE: Final = "found in the ledger at the start"
UNCLEAN: Final = "the run before ended without a word: power cut, kill or fault"
LOOKED_BACK: Final = 2_000
"""Lines of awards: far more than belong to those that a head still knows."""


def start(store: FloorStore, machine: str, program: str) -> Ran:
    """The line of a start: it says how the run before ended."""
    last = store.last_lines(RUN, "", 1)
    said = read_note(last[0]).said if last else None
    how = {STOPPED: CLEAN, RESTORED: PUT_BACK}.get(said.what, UNCLEAN) if isinstance(said, Ran) else UNCLEAN
    return Ran(STARTED, machine, program, how if last else FIRST)


def unwritten(store: FloorStore, link: str, pot: Pot) -> list[Awarded]:
    """The missing lines of this pot's awards: its ledger was on disk when the power failed, the book was not yet."""
    said = (read_note(line).said for line in store.last_lines(AWARD, link, LOOKED_BACK))
    written = {replace(one, words="") for one in said if isinstance(one, Awarded)}
    paid = [_line("paid", link, award) for award in pot.last_paid]
    fixed = [_line("fixed", link, award) for award in pot.awards]
    return [replace(line, words=LATE) for line in (*paid, *fixed) if line not in written]


def award_news(link: str, before: Pot, after: Pot) -> list[Awarded]:
    """What became of awards between these two: given back, paid, fixed."""
    if before.awards == after.awards and before.hits == after.hits:
        return []
    known = {award.key for award in before.last_paid}
    paid = [award for award in after.last_paid if award.key not in known]
    stand = {award.key for award in (*after.awards, *paid)}
    amounts = {award.key: award.amount_cents for award in before.awards}
    return [
        *(_line("given back", link, award) for award in before.awards if award.key not in stand),
        *(_line("paid", link, award) for award in paid),
        *(_line("fixed", link, award) for award in after.awards if amounts.get(award.key) != award.amount_cents),
    ]


def _line(what: str, link: str, award: OpenAward) -> Awarded:
    return Awarded(
        what, link, award.table, award.seat, award.hand, award.amount_cents, journal=award.journal, seq=award.seq
    )
