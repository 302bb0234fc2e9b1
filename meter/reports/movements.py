"""The movements of a statement: what came to each account that a link keeps, what went, and why."""

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from meter.ledger.accounts import Account, Kind, Posting
from meter.ledger.decisions import Decided, Receive, Transfer
from meter.ledger.records import Cause
from meter.reports.wagered import Wagered
from meter.store.replay import Told

KEPT: Final = (Account.METER, Account.RESET_METER, Account.OVERFLOW, Account.AWARDS)
"""What a link keeps (R87): all of it the players', but for an overflow that does not seed the next jackpot (R85)."""
TRANSFER_IN: Final = "transfer_in"
TRANSFER_OUT: Final = "transfer_out"
CLOSED_TO_THE_HOUSE: Final = "closed_to_the_house"

_BY_WAGERS: Final = (Kind.CONTRIBUTION, Kind.RESET_CONTRIBUTION, Kind.OVERFLOW)
_IN_ORDER: Final = (
    *(kind.value for kind in Kind if kind not in (Kind.TRANSFER, Kind.CLOSING)),
    TRANSFER_IN,
    TRANSFER_OUT,
    CLOSED_TO_THE_HOUSE,
)
_Part: TypeAlias = tuple[str, str, Account, int]
"""A figure, the other link, the account and the units."""


class Kept(Struct, frozen=True):
    """Units by account, and together."""

    meter: int = 0
    reset_meter: int = 0
    overflow: int = 0
    awards: int = 0
    together: int = 0


class Movement(Struct, frozen=True):
    """What one figure of a statement did to each account; a transfer names the other link."""

    figure: str
    units: Kept
    other_link: str = ""


def kept(units: Mapping[Account, int]) -> Kept:
    """These accounts as a statement shows them."""
    by_account = {account.value: units.get(account, 0) for account in KEPT}
    return Kept(**by_account, together=sum(by_account.values()))


class Movements:
    """What records moved, added up as they come; contributions are always a figure, also of nothing."""

    def __init__(self) -> None:
        self._sums: dict[tuple[str, str], dict[Account, int]] = {(kind.value, ""): {} for kind in _BY_WAGERS}

    def add(self, entry: Told, wagers: Wagered | None) -> None:
        """Takes the next record, and the wagers that count with it."""
        for figure, other_link, account, units in (*_contributed(wagers), *_moved(entry)):
            sums = self._sums.setdefault((figure, other_link), {})
            sums[account] = sums.get(account, 0) + units

    def lines(self) -> tuple[Movement, ...]:
        """The sums, always in the same order."""
        names = sorted(self._sums, key=lambda name: (_IN_ORDER.index(name[0]), name[1]))
        return tuple(Movement(figure, kept(self._sums[figure, other]), other) for figure, other in names)

    def left_over(self, opening: Mapping[Account, int], closing: Mapping[Account, int]) -> Kept:
        """What closing has that opening and the movements do not explain."""
        moved = {account: sum(sums.get(account, 0) for sums in self._sums.values()) for account in KEPT}
        return kept({each: closing.get(each, 0) - opening.get(each, 0) - moved[each] for each in KEPT})


def _contributed(wagers: Wagered | None) -> Iterator[_Part]:
    """By the wagers and the rates: the postings are what is to be checked (R108)."""
    if wagers:
        yield Kind.CONTRIBUTION.value, "", Account.METER, wagers.meter_units
        yield Kind.RESET_CONTRIBUTION.value, "", Account.RESET_METER, wagers.reset_meter_units
        yield Kind.OVERFLOW.value, "", Account.OVERFLOW, wagers.overflow_units


def _moved(entry: Told) -> Iterator[_Part]:
    """Everything else, as it was posted."""
    for posting in entry.record.postings:
        if posting.source is Account.WAGERS:
            continue
        figure, other_link = _figure(posting), _other_link(posting, entry.record.cause)
        if posting.target in KEPT:
            yield figure, other_link, posting.target, posting.units
        if posting.source in KEPT:
            yield figure, other_link, posting.source, -posting.units


def _figure(posting: Posting) -> str:
    """What a statement calls it: "closing" would be read as the balance at the end of the day."""
    if posting.kind is Kind.TRANSFER:
        return TRANSFER_IN if posting.source is Account.OTHER_LINKS else TRANSFER_OUT
    return CLOSED_TO_THE_HOUSE if posting.kind is Kind.CLOSING else posting.kind.value


def _other_link(posting: Posting, cause: Cause) -> str:
    match cause:
        case Decided(decision=Transfer(to=link) | Receive(source=link)) if posting.kind is Kind.TRANSFER:
            return link
        case _:
            return ""
