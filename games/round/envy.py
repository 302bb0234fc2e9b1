"""Envy: what other players are paid for a hand that somebody holds, whether or not he wagered on it."""

from collections.abc import Iterator

from msgspec.structs import replace

from games.paytable import PayLine
from games.refusal import Refusal
from games.round.claims import cards_of, spoken
from games.round.events import HandClaimed, HandShown
from games.round.state import EnviedHand, Envy, RoundState
from games.round.table_rules import TableRules
from games.settlement.till import row_paid, worth


def hands_envied(rules: TableRules, state: RoundState, event: HandClaimed | HandShown) -> frozenset[str] | Refusal:
    """Every hand that these cards are to those who envy them, or the one that was named; or why it cannot be."""
    assert rules.envy is not None
    if not event.cards:
        return frozenset({event.hand}) if event.hand else Refusal("show the cards or name the hand", rules.envy.rule)
    cards = cards_of(rules, state, event)
    return cards if isinstance(cards, Refusal) else rules.envy.hands(cards)


def row_envied(rules: TableRules, hands: frozenset[str]) -> PayLine | None:
    """The row of the envy bonus for these hands, or None if nobody envies them."""
    assert rules.envy is not None
    table = rules.envy.pay_table(rules.envy.pay_table_names[0], rules.stake_cents)
    return row_paid(rules.envy, table, hands, meter_cents=None) if table else None


def envied(rules: TableRules, state: RoundState, event: HandClaimed | HandShown) -> RoundState:
    """Writes down who is owed an envy bonus for this hand: each once, and never its own player."""
    if rules.envy is None:
        return state
    hands = hands_envied(rules, state, event)
    row = None if isinstance(hands, Refusal) else row_envied(rules, hands)
    if row is None:
        return state
    shown = {**state.shown, event.seat: EnviedHand(row.hand, tuple(event.cards))}
    return replace(state, shown=shown, envy=(*state.envy, *_owed(rules, state, event.seat, row)))


def _owed(rules: TableRules, state: RoundState, holder: int, row: PayLine) -> Iterator[Envy]:
    """What is owed for this hand and not written down yet: to each other player's seats, from the last to the first."""
    had = {envy.seat for envy in state.envy if envy.holder == holder}
    amount = worth(row.pay, 0, rules.stake_cents)
    for seat in sorted(entitled(rules, state) - had - _areas_of(state, holder), reverse=True):
        yield Envy(seat, holder, row.hand, amount, row.rule)


def areas_held(rules: TableRules, state: RoundState, seats: tuple[int, ...]) -> RoundState:
    """Writes down that one player holds these seats; what is owed and not paid yet is reckoned anew."""
    others = (tuple(seat for seat in areas if seat not in seats) for areas in state.areas)
    held = tuple(areas for areas in (*others, tuple(sorted(set(seats)))) if len(areas) > 1)
    state = replace(state, areas=held, envy=tuple(envy for envy in state.envy if envy.paid_by))
    for holder, shown in state.shown.items():
        row = row_envied(rules, frozenset({shown.hand}))
        assert row is not None
        state = replace(state, envy=(*state.envy, *_owed(rules, state, holder, row)))
    return state


def _areas_of(state: RoundState, seat: int) -> frozenset[int]:
    """The seats of the player who holds this one, it among them."""
    return frozenset({seat}.union(*(areas for areas in state.areas if seat in areas)))


def entitled(rules: TableRules, state: RoundState) -> frozenset[int]:
    """The seats whose wager carries the envy bonus; folding does not end it, a void hand does."""
    carriers = state.wagers if rules.envy_goes_with_progressive else state.envy_markers
    return frozenset(carriers) - set(state.voided)


def unshown(state: RoundState, holder: int) -> RoundState:
    """The book where this hand is none after all: nobody is owed anything for it any more."""
    return replace(
        state,
        shown={seat: shown for seat, shown in state.shown.items() if seat != holder},
        envy=tuple(envy for envy in state.envy if envy.paid_by or envy.holder != holder),
    )


def envy_paid(state: RoundState, seat: int, by: str) -> RoundState:
    """Writes down that a seat was paid all that it is owed."""
    return replace(
        state,
        envy=tuple(
            replace(envy, paid_by=by) if envy.seat == seat and not envy.paid_by else envy for envy in state.envy
        ),
    )


def words_of(envy: Envy) -> str:
    """What somebody is owed for, as people say it."""
    return f"the {spoken(envy.hand)} at seat {envy.holder}"
