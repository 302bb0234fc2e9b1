"""View of the floor's page: every link with its tables, what waits there, and the alarms."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from common.web.orders import token_of
from common.web.sign_in import PersonView
from games.money import Cents
from games.paytable import Percent, words
from link.messages import TableLights
from meter.ledger.accounts import Account, Kind
from meter.ledger.award_life import award_state
from meter.ledger.awards import contest, is_contested, needs_approval, pay, put_in_order
from meter.ledger.balances import LinkBalances, LinkTerms
from meter.ledger.link_state import Head
from meter.ledger.open_items import HeldWagers, OpenAward
from meter.reports.formatting import in_dollars, spoken
from meter.reports.liability import owed_in_all
from meter.service.alarms import OpenAlarm
from meter.service.link_desk import LinkDesk
from meter.web.api import LinkStatus, view_of
from meter.web.obstacles import Obstacle, obstacles


class ClaimView(Struct, frozen=True):
    """An award or a claim with its evidence: the table's own time and clock, its entry, the meter before it."""

    table: str
    journal: str
    seq: int
    seat: int
    hand: str
    part: str
    amount_cents: Cents
    before_cents: Cents
    after_cents: Cents
    house_cents: Cents
    at_ms: int
    clock: str
    sharers: tuple[int, ...]
    is_fixed: bool
    is_part: bool
    is_contested: bool
    stands: str  # how far it has come, in words
    needs_approval: bool
    cards: str


class TableStatus(Struct, frozen=True):
    """One table of a link: alive is None while nothing is heard of it, and since_ms when the broker was lost, if so."""

    table: str
    alive: bool | None
    since_ms: int
    heard_ms: int
    joined: bool
    game: str = ""
    pay_table: str = ""
    stake_cents: Cents = 0
    seats: int = 0
    software: str = ""
    config_hash: str = ""
    journal: str = ""
    booked_seq: int = 0
    wagered_ms: int = 0
    lights: TableLights | None = None  # what it showed last, so far as it ever said so


class LinkFloor(Struct, frozen=True):
    """One link: its figures, its connection, its tables, what waits for a decision; seen names what orders rest on.

    accounts are exact dollars, below the cent, too.
    """

    link: str
    seen: str
    health: str
    is_up: bool
    up_since_ms: int
    figures: LinkStatus
    awards: tuple[ClaimView, ...]
    waiting: tuple[ClaimView, ...]
    contest: tuple[ClaimView, ...]
    in_order: bool
    held: tuple[HeldWagers, ...]
    tables: tuple[TableStatus, ...]
    accounts: Mapping[str, str]
    messages: Mapping[str, int]
    obstacles: tuple[Obstacle, ...]
    owed_units: int  # what the link owes its players, in ten-thousandths of a cent


Sent: TypeAlias = dict[tuple[str, str], TableStatus]
"""What a browser knows of the tables."""


class FloorView(Struct, frozen=True):
    """The whole floor for one browser, but of the tables only those of which something is new to it.

    started_ms tells one run of the meter from the next.
    """

    started_ms: int
    links: tuple[LinkFloor, ...]
    alarms: tuple[OpenAlarm, ...]
    people: tuple[PersonView, ...]


def link_floor(name: str, desk: LinkDesk, now_ms: int) -> LinkFloor:
    """One link as its desk knows it; the figures' own moment is left out, for it alone is no change."""
    pot = desk.head.pot
    figures = view_of(name, desk.head, now_ms)
    figures = replace(figures, state=replace(figures.state, at_ms=0))
    return LinkFloor(
        link=name,
        seen=stale_token(desk.head),
        health=figures.state.health if desk.is_up else "broker lost",
        is_up=desk.is_up,
        up_since_ms=desk.up_since_ms,
        figures=figures,
        awards=claim_views(desk.head, pot.awards),
        waiting=claim_views(desk.head, pot.claims),
        contest=claim_views(desk.head, contest(pot)),
        in_order=pot.in_order,
        held=pot.held,
        tables=tuple(_table(table, desk) for table in desk.tables),
        accounts={spoken(name): f"${in_dollars(units)}" for name, units in figures.accounts.items()},
        messages={spoken(kind): count for kind, count in desk.tally.items()},
        obstacles=obstacles(desk),
        owed_units=owed_in_all(desk.head),
    )


def only_news(link: LinkFloor, sent: Sent) -> LinkFloor:
    """The link without the tables that this browser knows so; it knows them from now on."""
    news = {(link.link, table.table): table for table in link.tables if sent.get((link.link, table.table)) != table}
    sent |= news
    return replace(link, tables=tuple(news.values()))


def stale_token(head: Head) -> str:
    """A short token of everything that a decision about this link rests on; wagers alone do not change it."""
    pot = head.pot
    decided = [pot.explained.get(kind, 0) for kind in (Kind.CORRECTION, Kind.TRANSFER, Kind.CLOSING)]
    elsewhere = [pot.balances.get(account, 0) for account in (Account.HOUSE, Account.OTHER_LINKS)]
    open_business = pot.awards, pot.claims, pot.in_order, pot.held, pot.doubted, pot.reported
    rests_on = (head.stopped, head.closed, head.terms, head.offer, decided, elsewhere, open_business)
    return token_of(rests_on)


def outlook(pot: LinkBalances, terms: LinkTerms, order: Sequence[tuple[str, str, int]]) -> list[Cents]:
    """What each claim would be paid if they came in this order and nobody wagered meanwhile, first to last."""
    booking = put_in_order(pot, terms, order)
    amounts: list[Cents] = []
    for key in order:
        award = booking.pot.award(*key)
        assert award is not None, "each claim is fixed when those before it are paid"
        amounts.append(award.amount_cents)
        booking = pay(booking.pot, terms, award)
    return amounts


def claim_views(head: Head, claims: Iterable[OpenAward]) -> tuple[ClaimView, ...]:
    """Awards and claims as people compare them."""
    return tuple(_claim(head, claim) for claim in claims)


def _claim(head: Head, claim: OpenAward) -> ClaimView:
    pot, state = head.pot, award_state(head.pot, head.terms, claim.key)
    return ClaimView(
        table=claim.table,
        journal=claim.journal,
        seq=claim.seq,
        seat=claim.seat,
        hand=spoken(claim.hand),
        part=words(Percent(claim.percent_bp)) if claim.percent_bp else "a fixed amount",
        amount_cents=claim.amount_cents,
        before_cents=claim.before_cents,
        after_cents=claim.after_cents,
        house_cents=claim.house_cents,
        at_ms=claim.at_ms,
        clock=claim.clock,
        sharers=claim.sharers,
        is_fixed=claim in pot.awards,
        is_part=bool(claim.percent_bp),
        is_contested=is_contested(pot, claim),
        stands=state.value + (f" ({claim.refused})" if claim.refused else ""),
        needs_approval=claim in pot.awards and needs_approval(head.terms, claim),
        cards=claim.cards,
    )


def _table(table: str, desk: LinkDesk) -> TableStatus:
    where, member = desk.tables[table], desk.members.get(table)
    alive, since_ms = (where.alive, where.since_ms) if desk.is_up else (None, desk.up_since_ms)
    view = TableStatus(table, alive, since_ms, where.heard_ms, joined=member is not None, lights=where.lights)
    if member is None:
        return view
    hello = member.hello
    return replace(
        view,
        game=hello.game,
        pay_table=hello.pay_table,
        stake_cents=hello.stake_cents,
        seats=hello.seats,
        software=hello.software,
        config_hash=hello.config_hash,
        journal=hello.journal,
        booked_seq=member.booked_seq,
        wagered_ms=member.wagered_ms,
    )
