"""Why a fold, an irregularity, a refund or the end of the round is refused."""

from collections.abc import Mapping
from typing import Final

from games.catalogue.pai_gow_poker import areas_refusal
from games.game import Irregularity
from games.money import dollars
from games.refusal import Refusal
from games.round.claims import spoken
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
        return Refusal("no number waits for the stacks at this table", "11.8A(e)")
    if state.number_drawn is not None:
        return Refusal(f"the number of this round is {state.number_drawn}", "11.8C(c)")
    return Refusal("the stacks are dealt already: wait for the number", "11.8A(e)") if state.stacks_dealt else None


def _fold(rules: TableRules, state: RoundState, event: SeatFolded) -> Refusal | None:
    if not rules.has_fold:
        return Refusal(f"{rules.game.title} knows no fold", rules.game.clauses["has_fold"])
    if event.seat not in rules.seats:
        return no_such_seat(rules, event.seat)
    played = layout(rules, state)
    seat = played.seat(event.seat)
    live = played.live_wagers(seat)
    for wager in live:
        if wager.fold.effect == "bars":
            words = f"seat {event.seat} made a {spoken(wager.name)} wager and may not surrender"
            return Refusal(words, wager.fold.rule)
        if wager.fold.folds and wager.fold.folds not in seat.wagers:
            return Refusal(
                f"seat {event.seat} made no {spoken(wager.fold.folds)} and so has nothing to fold", wager.fold.rule
            )
    lost = {wager.name for wager in live if wager.fold.effect == "forfeits"}
    follows = {wager.name for wager in live if wager.dealer_hand}  # its claim goes with the wager, unless it was paid
    claims = (claim for claim in state.claims_of(event.seat) if claim.wager not in follows or not claim.is_open)
    claimed = next((claim for claim in claims if claim.wager in lost), None)
    return Refusal(f"seat {event.seat} has claimed: reject the claim first", rules.wager.fold.rule) if claimed else None


def _unfold(_: TableRules, state: RoundState, event: FoldCorrected) -> Refusal | None:
    return None if event.seat in state.folded else Refusal(f"seat {event.seat} has not folded")


def _irregularity(rules: TableRules, state: RoundState, event: IrregularityNoted) -> Refusal | None:
    known = rules.irregularity(event.irregularity)
    if known is None:
        names = ", ".join(known.name for known in rules.game.irregularities)
        return Refusal(f"unknown irregularity; write one of {names}")
    if any(noted.name == known.name and noted.seats == event.seats for noted in state.irregularities):
        return Refusal(f"{spoken(known.name)} is written down already", known.rule)
    return _too_early(state, known) or _of_seats(rules, known, event) or unanswered(state)


def _too_early(state: RoundState, known: Irregularity) -> Refusal | None:
    if known.voids == "nothing" or _PARTS.get(state.phase, 2) >= _EARLIEST[known.earliest]:
        return None
    return Refusal(f"{spoken(known.name)}: the hand is not dealt yet", known.rule)


def _of_seats(rules: TableRules, known: Irregularity, event: IrregularityNoted) -> Refusal | None:
    strangers = sorted(set(event.seats) - set(rules.seats))
    unknown = sorted(set(event.settled) - {wager.name for wager in rules.layout_wagers})
    if known.voids == "seats" and not event.seats:
        return Refusal("the rules void single seats for this one: name them", known.rule)
    if known.voids != "seats" and event.seats:
        return Refusal("the rules void no single seat for this one", known.rule)
    if unknown:
        return Refusal(f"this table has no {spoken(unknown[0])} wager", known.rule)
    return Refusal(f"this table has no seat {strangers[0]}", known.rule) if strangers else None


def _withdrawal(_: TableRules, state: RoundState, event: IrregularityWithdrawn) -> Refusal | None:
    noted = next((each for each in state.irregularities if each.name == event.irregularity), None)
    if noted is None:
        return Refusal(f"{spoken(event.irregularity)} is not written down in this round")
    if state.refunded or state.lines_paid > noted.lines_paid:
        return Refusal("somebody was refunded or paid since it was written down: it stands")
    return None


def _refunds(_: TableRules, state: RoundState, __: RefundsConfirmed) -> Refusal | None:
    return None if state.refunds_due else Refusal("no wager is to be refunded")


def _areas(rules: TableRules, state: RoundState, event: AreasHeld) -> Refusal | None:
    """Where the rule lets a player hold two areas, they are adjacent."""
    if not event.seats:
        return Refusal("name the seats of one player")
    if rules.envy is None and "areas" not in rules.game.clauses:
        return Refusal("this table pays no envy bonus: it does not matter who holds several seats")
    bank = state.deal.bank.seat if state.deal.bank else None
    lawful = areas_refusal(tuple(sorted(set(event.seats))), bank=bank) if "areas" in rules.game.clauses else None
    unknown = sorted(set(event.seats) - set(rules.seats))
    return no_such_seat(rules, unknown[0]) if unknown else lawful


def _end(rules: TableRules, state: RoundState, _: EndOfRoundPressed) -> Refusal | None:
    if state.refunds_due:
        return Refusal(f"refund seats {', '.join(map(str, state.refunds_due))} first")
    if state.open_claims:
        claim = max(state.open_claims, key=lambda claim: (claim.has_the_turn, claim.seat))
        amount = f" {dollars(claim.amount_cents)}" if claim.amount_cents else ""
        words = f"seat {claim.seat}: {spoken(claim.hand)}{amount} is {claim.state.value}"
        return Refusal(words, rules.clause("pay_first"))
    if state.papers_due:
        seat = state.papers_due[-1]
        words = f"seat {seat}: keep its cards until the papers of its payment are complete, then say so"
        return Refusal(words, rules.clause("percentages_from"))
    if state.envy_due:
        due = state.envy_due[0]
        hand = f"the {spoken(due.hand)} at seat {due.holder}"
        return Refusal(f"seat {due.seat}: envy bonus {dollars(due.amount_cents)} for {hand} is to be paid", due.rule)
    act = act_of_round(rules, state) if state.named else None
    if isinstance(act, AskDisplay):
        words = f"seat {act.standing.turn.seat.number} won the bonus: its player presses the button first"
        return Refusal(words, "2.20(f)")
    if owes_stub(rules, state):
        words = f"count the stub first: {state.deal.uncounted - 1} rounds have passed without a count"
        return Refusal(words, rules.game.clauses["leave_stub"])
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
