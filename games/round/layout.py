"""The layout: what a table knows of its round, as the round that settlement walks through."""

from collections.abc import Iterator

from games.cards import Card, CardFault, parse_cards
from games.round.state import Claim, ClaimState, RoundState
from games.round.table_rules import TableRules
from games.settlement.order import Turn, turns
from games.settlement.played_round import Fault, PlayedRound, Seat
from games.settlement.settle import needs_validation, row
from games.settlement.walk import Act, Stage, Standing, next_act, next_meter_act, unanswered_seats

_STAGES = {
    ClaimState.WAITING: Stage.WON,
    ClaimState.ASKED: Stage.ASKED,
    ClaimState.FIXED: Stage.FIXED,
    ClaimState.CHECKING: Stage.ASKED,
    ClaimState.VALIDATED: Stage.VALIDATED,
    ClaimState.PAID: Stage.PAID,
}


def layout(rules: TableRules, state: RoundState) -> PlayedRound:
    """The round as far as it is known; what is on the meter only the meter knows."""
    return PlayedRound(
        game=rules.game,
        tables=rules.tables,
        stake_cents=rules.stake_cents,
        meter_cents=0,
        reset_cents=0,
        seats=tuple(_seat(rules, state, seat) for seat in rules.seats),
        community=_cards(rules, state.community),
        dealer=_cards(rules, state.dealer_hands or state.dealer),
        decks=rules.decks,
        settlement=rules.settlement,
        choices=rules.choices,
        limits=rules.limits,
        number_drawn=state.number_drawn,
        faults=tuple(_faults(rules, state)),
    )


def _seat(rules: TableRules, state: RoundState, seat: int) -> Seat:
    side, wagers = state.side.get(seat), {}
    if seat not in state.baseless:
        wagers[rules.base_wager.name] = 0
    if seat in state.wagers:
        wagers[rules.wager.name] = rules.stake_cents
    if side is not None:
        wagers |= side.amounts | ({"number": sum(side.numbers.values())} if side.numbers else {})
    return Seat(
        number=seat,
        wagers=wagers,
        cards=_cards(rules, state.cards.get(seat, ())),
        coupon=seat in state.coupons,
        folded=seat in state.folded,
        numbers=side.numbers if side is not None else {},
        displayed_cents=state.displayed.get(seat),
        player=next((str(areas) for areas in state.areas if seat in areas), None),
        named=state.named.get(seat, {}),
        lost=frozenset(_lost(rules, state, seat)),
    )


def _lost(rules: TableRules, state: RoundState, seat: int) -> Iterator[str]:
    """The wagers of which is known that they win nothing.

    A dealer who writes down a whole hand does not say which three cards came first: the three-card bonus was claimed
    before the others came, or is lost (11.17(f)).
    """
    if seat in state.no_win:
        yield rules.wager.name
    if seat in state.cards:
        yield from (wager.name for wager in rules.layout_wagers if wager.sees == "own_first_three")


def _faults(rules: TableRules, state: RoundState) -> Iterator[Fault]:
    for noted in state.irregularities:
        known = rules.irregularity(noted.name)
        assert known is not None
        yield Fault(known, frozenset(noted.seats), frozenset(noted.settled))


def _cards(rules: TableRules, words: tuple[str, ...]) -> tuple[Card, ...]:
    cards = parse_cards(words, joker=rules.game.joker, decks=max(rules.decks, len(words)))
    assert not isinstance(cards, CardFault)
    return cards


def walk(rules: TableRules, state: RoundState) -> tuple[Standing, ...]:
    """Every turn of the round in paying order, and how far it has come."""
    played = layout(rules, state)
    return tuple(_standing(rules, state, played, turn) for turn in turns(played))


def _standing(rules: TableRules, state: RoundState, played: PlayedRound, turn: Turn) -> Standing:
    if turn.holder:
        return _envy_standing(rules, state, played, turn)
    claim = state.claim(turn.seat.number, turn.wager.name)
    stands = claim is not None and claim.state is not ClaimState.REJECTED
    line = row(played, turn, claim.priced_at_cents if claim else None)
    if claim is not None and claim.state is ClaimState.PAID:
        return Standing(turn, Stage.PAID, line)
    if not stands or line is None:
        is_displayed = turn.wager.tables or turn.seat.displayed_cents is not None
        won = Stage.LOST if is_displayed or not turn.hands else Stage.UNSHOWN
        return Standing(turn, Stage.UNKNOWN if turn.hands is None else won)
    assert claim is not None
    return Standing(turn, stage_of(claim), line, needs_validation(rules.game, turn.wager, line))


def _envy_standing(rules: TableRules, state: RoundState, played: PlayedRound, turn: Turn) -> Standing:
    line = row(played, turn, None)
    if line is None:
        return Standing(turn, Stage.LOST)
    known = next((each for each in state.envy if (each.seat, each.holder) == (turn.seat.number, turn.holder)), None)
    if known is not None and known.paid_by:
        return Standing(turn, Stage.PAID, line)
    must_validate = not is_envy_validated(rules, state, turn.holder)
    return Standing(turn, Stage.FIXED if must_validate else Stage.VALIDATED, line, must_validate)


def is_envy_validated(rules: TableRules, state: RoundState, holder: int) -> bool:
    """Whether others may be paid for this seat's hand: a supervisor has seen it, where one must."""
    return not rules.game.validates_envy or holder in state.envy_validated


def stage_of(claim: Claim) -> Stage:
    """How far this claim's turn has come; a share that waits for its turn was fixed with the first one."""
    if claim.state is not ClaimState.SHARING:
        return _STAGES[claim.state]
    if not claim.is_fixed:
        return Stage.ASKED
    if claim.validation and not claim.validated_by:
        return Stage.FIXED
    return Stage.VALIDATED if claim.is_agreed else Stage.ASKED


def act_of_round(rules: TableRules, state: RoundState) -> Act | None:
    """What comes next for the people at the table, or None where nothing that is known is left to be settled."""
    stands = walk(rules, state)
    unexposed = unanswered_seats(stands)
    return next_act(rules.game, stands, unexposed=unexposed, is_alone=_is_alone(rules, state, stands))


def act_of_meter(rules: TableRules, state: RoundState) -> Act | None:
    """What the next thing that leaves the meter waits for."""
    stands = walk(rules, state)
    return next_meter_act(rules.game, stands, is_alone=_is_alone(rules, state, stands))


def _is_alone(rules: TableRules, state: RoundState, stands: tuple[Standing, ...]) -> bool:
    """Whether nobody else can share the whole meter: everybody was looked at, or one of the shares is paid."""
    is_shared = any(claim.takes_all and claim.state is ClaimState.PAID for claim in state.claims)
    return not rules.can_be_shared or state.all_shown or is_shared or not unanswered_seats(stands)
