"""Why a fold, an irregularity, a refund or the end of the round is refused."""

from collections.abc import Mapping
from typing import Final

from games.catalogue.pai_gow_poker import areas_refusal
from games.game import Irregularity
from games.refusal import Refusal, Value, because
from games.round.coupons import unanswered
from games.round.deal import owes_stub
from games.round.events import (
    AreasHeld,
    EndOfRoundPressed,
    Event,
    FoldCorrected,
    IrregularityNoted,
    IrregularityWithdrawn,
    RefundsConfirmed,
    SeatFolded,
    StacksDealt,
)
from games.round.layout import act_of_round, layout
from games.round.state import Phase, RoundState
from games.round.table_rules import TableRules
from games.round.wager_refusals import Check, no_such_seat
from games.settlement.walk import AskDisplay

_PARTS: Final[Mapping[Phase, int]] = {Phase.OPEN: 0, Phase.COUNTING: 1, Phase.LOCKED: 1}
_EARLIEST: Final = {"open": 0, "counting": 1, "dealt": 2}


def _stacks(rules: TableRules, state: RoundState, _: StacksDealt) -> Refusal | None:
    if not rules.draws_by_press:
        return because("no_stacks_number", "11.8A(e)")
    if state.number_drawn is not None:
        return because("number_known", "11.8C(c)", number=state.number_drawn)
    return because("stacks_dealt", "11.8A(e)") if state.stacks_dealt else None


def _fold(rules: TableRules, state: RoundState, event: SeatFolded) -> Refusal | None:
    if not rules.has_fold:
        return because("no_fold_here", rules.game.clauses["has_fold"], game=rules.game.name)
    if event.seat not in rules.seats:
        return no_such_seat(rules, event.seat)
    played = layout(rules, state)
    seat = played.seat(event.seat)
    live = played.live_wagers(seat)
    for wager in live:
        if wager.fold.effect == "bars":
            return because("may_not_surrender", wager.fold.rule, seat=event.seat, wager=wager.name)
        if wager.fold.folds and wager.fold.folds not in seat.wagers:
            return because("nothing_to_fold", wager.fold.rule, seat=event.seat, wager=wager.fold.folds)
    lost = {wager.name for wager in live if wager.fold.effect == "forfeits"}
    follows = {wager.name for wager in live if wager.dealer_hand}  # its claim goes with the wager, unless it was paid
    claims = (claim for claim in state.claims_of(event.seat) if claim.wager not in follows or not claim.is_open)
    claimed = next((claim for claim in claims if claim.wager in lost), None)
    return because("reject_claim_first", rules.wager.fold.rule, seat=event.seat) if claimed else None


def _unfold(_: TableRules, state: RoundState, event: FoldCorrected) -> Refusal | None:
    return None if event.seat in state.folded else because("not_folded", seat=event.seat)


def _irregularity(rules: TableRules, state: RoundState, event: IrregularityNoted) -> Refusal | None:
    known = rules.irregularity(event.irregularity)
    if known is None:
        names = tuple(known.name for known in rules.game.irregularities)
        return because("unknown_irregularity", irregularities=names)
    if any(noted.name == known.name and noted.seats == event.seats for noted in state.irregularities):
        return because("irregularity_known", known.rule, irregularity=known.name)
    return _too_early(state, known) or _of_seats(rules, known, event) or unanswered(state)


def _too_early(state: RoundState, known: Irregularity) -> Refusal | None:
    if known.voids == "nothing" or _PARTS.get(state.phase, 2) >= _EARLIEST[known.earliest]:
        return None
    return because("irregularity_early", known.rule, irregularity=known.name)


def _of_seats(rules: TableRules, known: Irregularity, event: IrregularityNoted) -> Refusal | None:
    strangers = sorted(set(event.seats) - set(rules.seats))
    unknown = sorted(set(event.settled) - {wager.name for wager in rules.layout_wagers})
    if known.voids == "seats" and not event.seats:
        return because("name_void_seats", known.rule)
    if known.voids != "seats" and event.seats:
        return because("voids_no_seat", known.rule)
    if unknown:
        return because("no_such_side_wager", known.rule, wager=unknown[0])
    return because("no_such_seat", known.rule, seat=strangers[0]) if strangers else None


def _withdrawal(_: TableRules, state: RoundState, event: IrregularityWithdrawn) -> Refusal | None:
    noted = next((each for each in state.irregularities if each.name == event.irregularity), None)
    if noted is None:
        return because("irregularity_not_noted", irregularity=event.irregularity)
    if state.refunded or state.lines_paid > noted.lines_paid:
        return because("irregularity_stands")
    return None


def _refunds(_: TableRules, state: RoundState, __: RefundsConfirmed) -> Refusal | None:
    return None if state.refunds_due else because("no_refund_due")


def _areas(rules: TableRules, state: RoundState, event: AreasHeld) -> Refusal | None:
    """Where the rule lets a player hold two areas, they are adjacent."""
    if not event.seats:
        return because("name_player_seats")
    if rules.envy is None and "areas" not in rules.game.clauses:
        return because("areas_do_not_matter")
    bank = state.deal.bank.seat if state.deal.bank else None
    lawful = areas_refusal(tuple(sorted(set(event.seats))), bank=bank) if "areas" in rules.game.clauses else None
    unknown = sorted(set(event.seats) - set(rules.seats))
    return no_such_seat(rules, unknown[0]) if unknown else lawful


def _end(rules: TableRules, state: RoundState, _: EndOfRoundPressed) -> Refusal | None:
    if state.refunds_due:
        return because("refund_first", seats=tuple(state.refunds_due))
    if state.open_claims:
        claim = max(state.open_claims, key=lambda claim: (claim.has_the_turn, claim.seat))
        rule, amount = rules.clause("pay_first"), claim.amount_cents
        if amount:
            stands = claim.state.value
            return because("amount_open", rule, seat=claim.seat, hand=claim.hand, amount=amount, state=stands)
        return because("claim_open", rule, seat=claim.seat, hand=claim.hand, state=claim.state.value)
    if state.papers_due:
        return because("papers_first", rules.clause("percentages_from"), seat=state.papers_due[-1])
    if state.envy_due:
        due = state.envy_due[0]
        owed: dict[str, Value] = {"seat": due.seat, "amount": due.amount_cents, "hand": due.hand, "holder": due.holder}
        return because("envy_to_pay", due.rule, **owed)
    act = act_of_round(rules, state) if state.named else None
    if isinstance(act, AskDisplay):
        return because("display_first", "2.20(f)", seat=act.standing.turn.seat.number)
    if owes_stub(rules, state):
        return because("count_stub_first", rules.game.clauses["leave_stub"], rounds=state.deal.uncounted - 1)
    return None


HAND_CHECKS: Final[Mapping[type[Event], Check]] = {
    StacksDealt: _stacks,
    SeatFolded: _fold,
    FoldCorrected: _unfold,
    IrregularityNoted: _irregularity,
    IrregularityWithdrawn: _withdrawal,
    RefundsConfirmed: _refunds,
    AreasHeld: _areas,
    EndOfRoundPressed: _end,
}
