"""What the meter tells everybody: its state as the link's message, and the MQTT last will."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from msgspec.structs import replace

from drivers.mqtt.client import Outgoing
from games.money import dollars
from link import messages as wire
from link import topics
from link.messages import VERSION, PendingAward, State, Win
from meter.ledger.awards import contest, is_contested
from meter.ledger.balances import LinkBalances, LinkTerms
from meter.ledger.link_state import Head
from meter.ledger.open_items import OpenAward
from meter.ledger.parameters import day_of, days_left, ending_notice


def last_will(link: str, head: Head) -> Outgoing:
    """MQTT last will "meter gone". Not retained for a stopped link: it would replace the retained stop (R63)."""
    gone = wire.encode(wire.Gone(wire.VERSION, link))
    is_open = not head.stopped and not head.closed
    return Outgoing(topics.state_topic(link), gone, retain=is_open, qos=1)


MOST_WORDS: Final = 500
MOST_PENDING: Final = 50  # in a state, the largest first: a message has an end


def state_of(link: str, head: Head, at_ms: int) -> State:
    """Where this link stands, for signs, tables and whoever looks on."""
    pot, terms = head.pot, head.terms
    today = day_of(at_ms)
    notices = tuple(_notices(head, today))
    return State(
        v=VERSION,
        link=link,
        alive=not head.stopped and not head.closed,
        number=head.number,
        amount_cents=pot.amount_cents,
        reset_cents=terms.reset_cents,
        rate_bp=terms.rate_bp,
        pending=_pending(pot),
        notice=notices[0] if notices else "",
        at_ms=at_ms,
        health=_health(head, today),
        notices=notices,
        last_win=_win(pot.last_paid[-1]) if pot.last_paid else None,
        hits=pot.hits,
        wins_cents=pot.paid_cents,
        held=len(pot.held) + len(pot.doubted),
        limit_cents=terms.limit_cents,
        reset_rate_bp=terms.reset_rate_bp,
        base_cents=pot.base_cents,
        in_cents=pot.in_cents,
        contribution_cents=pot.contribution_cents,
        carry=f"{pot.carry.numerator}/{pot.carry.denominator}",
        deducted_cents=pot.deducted_cents,
        refill_cents=pot.refill_cents,
        adjusted_cents=pot.adjusted_cents,
    )


def is_news(before: Head, after: Head) -> bool:
    """Whether more has happened than that the amount grew: then nobody waits to be told."""
    return _news(before) != _news(after)


def stopped_state(link: str, head: Head, words: str, at_ms: int) -> State:
    """The last words of a meter that cannot go on."""
    stopped = head if head.stopped else replace(head, stopped=words[:MOST_WORDS])
    return state_of(link, stopped, at_ms)


def leaving_state(link: str, head: Head, words: str, at_ms: int) -> State:
    """The last words of a meter with which nothing is wrong: its health is as it stands, as is everything else."""
    state = state_of(link, head, at_ms)
    if not state.alive:
        return state  # stopped or closed before, which it stays
    return replace(state, alive=False, notice=words, notices=(words, *state.notices))


def _news(head: Head) -> tuple[object, ...]:
    pot = head.pot
    claimed = pot.awards, pot.claims, pot.in_order, pot.doubted
    return *claimed, pot.last_paid, pot.held, pot.adjusted_cents, head.stopped, head.closed


def _health(head: Head, today: date) -> str:
    if head.closed:
        return "closed"
    if head.stopped:
        return "stopped"
    is_overdue = (days_left(head.terms, today) or 0) < 0
    waits = head.pot.held or head.pot.doubted or head.pot.reported or contest(head.pot)
    return "attention" if waits or is_overdue else "good"


def _notices(head: Head, today: date) -> Iterator[str]:
    """The most urgent first."""
    pot = head.pot
    if head.closed:
        yield "this progressive has ended"
    if head.stopped:
        yield f"the progressive is stopped: {head.stopped}"
    tables = list(dict.fromkeys(award.table for award in (*pot.awards, *pot.claims)))
    if tables:
        more = f" and {len(tables) - 5} more" if len(tables) > 5 else ""
        yield f"award pending at table {', '.join(tables[:5])}{more}"
    yield from _standing_notices(head.terms, today)


def _standing_notices(terms: LinkTerms, today: date) -> Iterator[str]:
    ending = ending_notice(terms, today)
    if ending:
        yield ending  # R89
    if terms.limit_cents:
        yield f"the jackpot is limited to {dollars(terms.limit_cents)}"  # R36
    if terms.reset_rate_bp:
        whole, part = divmod(terms.reset_rate_bp, 100)
        yield f"{whole}.{part:02} % of each wager is set aside for the next jackpot"  # R37


def _pending(pot: LinkBalances) -> tuple[PendingAward, ...]:
    """Claims that wait first, then the largest awards."""
    awards = (*pot.claims, *sorted(pot.awards, key=lambda award: -award.amount_cents))[:MOST_PENDING]
    return tuple(PendingAward(a.table, a.seat, a.hand, a.amount_cents, is_contested(pot, a)) for a in awards)


def _win(award: OpenAward) -> Win:
    return Win(award.table, award.seat, award.hand, award.amount_cents)
