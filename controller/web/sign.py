"""The players' sign: the meter, what it pays, recent wins and contested awards, in words that need no colour."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from controller.web.text import spoken
from controller.web.view import TableView
from games.catalogue import GAMES
from games.money import Cents, dollars
from link.messages import PendingAward, State, Win

SHOWN_S: Final = 120.0
MOST_SHOWN: Final = 3


class _Heard(Struct, frozen=True):
    win: Win
    at_s: float


class RecentWins:
    """Follows the meter's count of wins; one that was won before this table listened has no time, and is not shown."""

    def __init__(self) -> None:
        self._hits: int | None = None
        self._heard: tuple[_Heard, ...] = ()

    def hear(self, state: State | None, now_s: float) -> None:
        """What the meter says now; the same once more changes nothing."""
        if state is None or not state.alive:
            return
        if self._hits is not None and state.hits > self._hits and state.last_win is not None:
            self._heard = (*self._heard, _Heard(state.last_win, now_s))[-MOST_SHOWN:]
        self._hits = state.hits

    def shown(self, now_s: float) -> tuple[Win, ...]:
        """The wins of the last two minutes, the newest first."""
        return tuple(heard.win for heard in reversed(self._heard) if now_s - heard.at_s < SHOWN_S)


def contest(meter: State | None) -> tuple[str, ...]:
    """Every claim that waits for management, without its uncertain amount; clocks are compared on the floor."""
    return tuple(_claim(award) for award in (meter.pending if meter else ()) if award.contested)


def _claim(award: PendingAward) -> str:
    return f"table {award.table} seat {award.seat}: {spoken(award.hand)}"


_SAID_IN_FULL: Final = "award pending"
"""How the meter's notice begins that a sign says itself, with hand and amount."""


class SignNews(Struct, frozen=True):
    """Something that has happened; a win stands out."""

    words: str
    is_win: bool = False


class SignView(Struct, frozen=True):
    """What a sign shows besides the card; amount_cents None means that nobody knows the meter now."""

    table: str
    amount_cents: Cents | None
    is_open: bool
    status: str
    news: tuple[SignNews, ...]
    connected: str = ""
    number: int | None = None  # what the random number generator drew in this round


def sign_view(table: TableView, meter: State | None, wins: Sequence[Win] = ()) -> SignView:
    """The sign of a table that stands so, on a meter that was last heard so, with its recent wins."""
    known = meter if meter is not None and meter.alive and table.link.up else None
    return SignView(
        table=table.table,
        amount_cents=known.amount_cents if known else None,
        is_open=table.phase != "closed" and table.link.up,
        status=_status(table),
        news=(*_pending(table.table, known), *_own(table), *_won(table, wins), *_notices(known)),
        connected=_connected(table, meter),
        number=table.number_drawn,
    )


def _connected(table: TableView, meter: State | None) -> str:
    """Which other tables this meter is connected to, with the other games by name (1.13G(h), 1.13Q(f))."""
    if meter is None or meter.tables < 2:
        return ""
    titles = [GAMES[name].title for name in meter.games if name != table.game and name in GAMES]
    others = f" of {' and '.join(titles)}" if titles else ""
    effect = "wagers there raise this meter, and a win there lowers it"
    return f"This progressive is connected to other tables{others}: {effect}."


def _status(table: TableView) -> str:
    if table.phase == "closed":
        return f"Progressive closed: {table.closing}" if table.closing else "Progressive closed"
    if not table.link.up:
        return "Progressive out of service: no connection to the meter"
    return "Rehearsal: nothing is paid" if table.rehearsal else ""


def _pending(here: str, meter: State | None) -> Iterator[SignNews]:
    for award in meter.pending if meter else ():
        yield SignNews(f"Award pending at {_place(award.table, here)}: {spoken(award.hand)}{_standing(award)}")


def _standing(award: PendingAward) -> str:
    """How much it is; what management must decide first has no certain amount."""
    if award.contested:
        return ", claimed at several tables: management decides"
    return f" {dollars(award.amount_cents)}" if award.amount_cents else ""


def _own(table: TableView) -> Iterator[SignNews]:
    for paid in table.payments:
        if paid.state == "paid":
            yield SignNews(f"WIN: seat {paid.seat}, {paid.hand} {paid.amount}", is_win=True)


def _won(table: TableView, wins: Sequence[Win]) -> Iterator[SignNews]:
    """Recent wins on this meter, wherever; one that this round still shows is not said twice."""
    shown = {(paid.seat, paid.amount_cents) for paid in table.payments if paid.state == "paid"}
    for win in wins:
        if win.table != table.table or (win.seat, win.amount_cents) not in shown:
            place = _place(win.table, table.table)
            yield SignNews(f"WON at {place}: {spoken(win.hand)} {dollars(win.amount_cents)}", is_win=True)


def _notices(meter: State | None) -> Iterator[SignNews]:
    for words in meter.notices if meter else ():
        if not words.startswith(_SAID_IN_FULL):
            yield SignNews(f"{words[:1].upper()}{words[1:]}")


def _place(name: str, here: str) -> str:
    return "this table" if name == here else f"table {name}"
