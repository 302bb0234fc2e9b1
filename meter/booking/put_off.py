"""Tables that were put off a link, and what each was last on it with: what waits there counts by that or not at all."""

from collections.abc import Iterable
from typing import Final

from meter.ledger.decisions import ChangeTerms, Decided
from meter.ledger.parameters import Parameters
from meter.ledger.records import Opened, Sealed, read_record

_WORDS: Final = (b'"Opened"', b'"ChangeTerms"')


def put_off(records: Iterable[Sealed]) -> dict[str, Parameters]:
    """The tables that are off the link after these records and once were on it, with the parameters of then."""
    last_on: dict[str, Parameters] = {}
    on: tuple[str, ...] = ()
    for row in records:
        if not any(word in row.body for word in _WORDS):
            continue  # nearly all of millions: to read each would take minutes
        match read_record(row.body).cause:
            case Opened(terms=terms, offer=offer) | Decided(decision=ChangeTerms(terms=terms, offer=offer)):
                on = offer.tables
                last_on |= dict.fromkeys(on, Parameters(terms, offer))
    return {table: was for table, was in last_on.items() if table not in on}
