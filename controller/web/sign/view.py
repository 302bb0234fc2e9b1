"""The players' sign: the jackpot, awards on their way, recent wins, and whether wagers are taken."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from msgspec import Struct

from common.words import Words
from controller.web.sign.words import title
from controller.web.text import spoken
from controller.web.view import TableView
from games.catalogue import GAMES
from games.money import Cents, part_up
from games.round.state import Claim, ClaimState
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


class SignAward(Struct, frozen=True):
    """One award of this table's round: being verified, won, or won and paid; no amount while it is not certain."""

    key: str
    stage: Literal["verifying", "won", "paid"]
    title: str
    seat: str
    hand: str
    amount: str
    cards: tuple[str, ...]
    detail: str  # what to do, or how the jackpot goes on


class SignView(Struct, frozen=True):
    """What a sign shows now; amount_cents None means that nobody knows the jackpot now."""

    state: Literal["open", "closed", "lost"]
    amount_cents: Cents | None
    amount: str
    parts: dict[str, str]  # what each part of the jackpot comes to, by basis points
    awards: tuple[SignAward, ...]
    news: tuple[str, ...]
    title: str = ""  # of a sign that is not open
    detail: str = ""
    linked: str = ""
    linked_short: str = ""


_NOT_FOR_PLAYERS: Final = ("award pending", "the progressive is stopped")
"""How the meter's notices begin that a sign says itself, in its own words."""


def sign_view(
    table: TableView, meter: State | None, words: Words, *, wins: Sequence[Win] = (), parts_bp: Sequence[int] = ()
) -> SignView:
    """The sign of a table that stands so, on a meter that was last heard so, with its recent wins."""
    known = _known(table, meter)
    cents = known_cents(table, meter)
    title, detail = _why_not_open(table, meter, words)
    return SignView(
        state=_state(table),
        amount_cents=cents,
        amount="" if cents is None else words.exact(cents),
        parts={} if cents is None else {str(bp): words.exact(part_up(cents, bp)) for bp in parts_bp},
        awards=tuple(_awards(table, known, words)),
        news=(
            *_happenings(table, words),
            *_pending(table.table, known, words),
            *_won(table, wins, words),
            *_notices(known),
        ),
        title=title,
        detail=detail,
        linked=_linked(table, meter, words, ""),
        linked_short=_linked(table, meter, words, "_short"),
    )


def known_cents(table: TableView, meter: State | None) -> Cents | None:
    """What the meter stands at, or None where nobody knows it now."""
    known = _known(table, meter)
    return known.amount_cents if known else None


def _known(table: TableView, meter: State | None) -> State | None:
    return meter if meter is not None and meter.alive and table.link.up else None


def _state(table: TableView) -> Literal["open", "closed", "lost"]:
    """A house that queues plays on without its meter: then its gates are open."""
    if table.phase == "closed":
        return "closed"
    return "open" if table.link.up or any(seat.gate_open for seat in table.seats) else "lost"


def _why_not_open(table: TableView, meter: State | None, words: Words) -> tuple[str, str]:
    match _state(table):
        case "open":
            return "", ""
        case "closed":
            detail = "closed_linked" if meter is not None and meter.tables > 1 else "closed_alone"
            return words.say("closed"), words.say(detail)
        case "lost":
            return words.say("lost"), words.say("lost_detail")


def _linked(table: TableView, meter: State | None, words: Words, length: Literal["", "_short"]) -> str:
    """Which other tables this meter is connected to, with the other games by name (1.13G(h), 1.13Q(f))."""
    if meter is None or meter.tables < 2:
        return ""
    others = [title(words, GAMES[name]) for name in meter.games if name != table.game and name in GAMES]
    if not others:
        return words.say(f"linked{length}")
    *first, last = others
    games = words.say("and", one=", ".join(first), other=last) if first else last
    return words.say(f"linked_games{length}", games=games)


def _awards(table: TableView, meter: State | None, words: Words) -> Iterator[SignAward]:
    """What a supervisor must look at, and what he has validated."""
    contested = {
        award.seat for award in (meter.pending if meter else ()) if award.contested and award.table == table.table
    }
    for claim in table.claims:
        if claim.wager == "progressive" and claim.validation and claim.state is not ClaimState.REJECTED:
            yield _award(table, claim, meter, words, is_certain=claim.is_fixed and claim.seat not in contested)


def _award(table: TableView, claim: Claim, meter: State | None, words: Words, *, is_certain: bool) -> SignAward:
    stage: Literal["verifying", "won", "paid"] = "verifying"
    if claim.state is ClaimState.PAID:
        stage = "paid"
    elif claim.state is ClaimState.VALIDATED:
        stage = "won"
    is_won = stage != "verifying"
    return SignAward(
        key=f"{table.round}/{claim.seat}",
        stage=stage,
        title=words.say(("jackpot_won" if claim.takes_all else "award_won") if is_won else "verifying"),
        seat=words.say("seat", seat=claim.seat),
        hand=words.hand(claim.hand),
        amount=words.exact(claim.amount_cents) if claim.amount_cents and (is_won or is_certain) else "",
        cards=(*claim.cards, *(claim.community if claim.cards else ())),
        detail=_how_it_goes_on(claim, meter, words) if is_won else words.say("stay"),
    )


def _how_it_goes_on(claim: Claim, meter: State | None, words: Words) -> str:
    if meter is None:
        return ""
    return words.say("starts_again" if claim.takes_all else "goes_on", amount=words.exact(meter.amount_cents))


def _happenings(table: TableView, words: Words) -> Iterator[str]:
    if table.rehearsal:
        yield words.say("rehearsal")
    if table.number_drawn is not None:
        yield words.say("number", number=table.number_drawn)
    for claim in table.claims:
        is_displayed = claim.is_open and claim.rule.startswith("2.20(f)")  # the sign is the bonus display, too
        is_paid = claim.state is ClaimState.PAID and not (claim.wager == "progressive" and claim.validation)
        if is_paid or is_displayed:
            hand, amount = words.hand(claim.hand), words.exact(claim.amount_cents)
            yield words.say("seat_won", seat=claim.seat, hand=hand, amount=amount)


def _pending(here: str, meter: State | None, words: Words) -> Iterator[str]:
    """Awards at other tables; this table's own have the whole sign."""
    for award in meter.pending if meter else ():
        if award.table != here:
            is_certain = award.amount_cents and not award.contested
            amount = words.exact(award.amount_cents)
            key = "verifying_at" if is_certain else "verifying_open_at"
            yield words.say(key, table=award.table, hand=words.hand(award.hand), amount=amount)


def _won(table: TableView, wins: Sequence[Win], words: Words) -> Iterator[str]:
    """Recent wins on this meter, wherever; one that this round still shows is not said twice."""
    shown = {(claim.seat, claim.amount_cents) for claim in table.claims if claim.state is ClaimState.PAID}
    for win in wins:
        if win.table != table.table or (win.seat, win.amount_cents) not in shown:
            key = "won_here" if win.table == table.table else "won_at"
            yield words.say(key, table=win.table, hand=words.hand(win.hand), amount=words.exact(win.amount_cents))


def _notices(meter: State | None) -> Iterator[str]:
    """What the rules have the meter tell players, such as its limit and its end."""
    for notice in meter.notices if meter else ():
        if not notice.startswith(_NOT_FOR_PLAYERS):
            yield f"{notice[:1].upper()}{notice[1:]}"
