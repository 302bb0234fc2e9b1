"""Why a fold, a void hand, a refund or the end of a round is refused."""

from games.money import dollars
from games.refusal import Refusal
from games.round.claims import spoken
from games.round.envy import words_of
from games.round.events import (
    EndOfRoundPressed,
    Event,
    FoldCorrected,
    HandsVoided,
    RefundsConfirmed,
    RoundVoided,
    SeatFolded,
    SeatsVoided,
)
from games.round.outputs import live_wagers
from games.round.state import Book, ClaimState
from games.round.table_rules import TableRules


def hand_refusal(rules: TableRules, book: Book, event: Event) -> Refusal | None:
    """Why this may not happen to a hand, or None."""
    match event:
        case SeatFolded(seat=seat):
            return _fold_refusal(rules, book, seat)
        case FoldCorrected(seat=seat) if seat not in book.folded:
            return Refusal(f"seat {seat} has not folded")
        case HandsVoided(irregularity=name) | RoundVoided(irregularity=name):
            return _irregularity_refusal(rules, book, name, refunds=isinstance(event, RoundVoided))
        case SeatsVoided():
            return _seats_refusal(rules, book, event)
        case RefundsConfirmed() if not book.refunds_due:
            return Refusal("no wager is to be refunded")
        case EndOfRoundPressed():
            return _unfinished(rules, book)
        case _:
            return None


def _fold_refusal(rules: TableRules, book: Book, seat: int) -> Refusal | None:
    fold, claim = rules.wager.fold, book.claim(seat)
    if seat not in rules.seats:
        return Refusal(f"this table has no seat {seat}")
    if fold.effect == "bars" and seat in live_wagers(book):
        return Refusal(f"seat {seat} made a progressive wager and may not surrender", fold.rule)
    if fold.effect == "forfeits" and claim is not None and claim.state is not ClaimState.REJECTED:
        return Refusal(f"seat {seat} has claimed: reject the claim first", fold.rule)
    return None


def _irregularity_refusal(rules: TableRules, book: Book, name: str, *, refunds: bool) -> Refusal | None:
    known = rules.irregularity(name)
    if known is None:
        return _unknown(rules)
    if known.voids == "seats":
        return Refusal("the rules void single seats for this one: name them", known.rule)
    if rules.refunds(known) and not refunds:
        return Refusal("the rules refund this one: void the round", known.rule)
    if refunds and not rules.refunds(known):
        return Refusal("the hands are void but progressive wagers are settled all the same", known.rule)
    if refunds and any(claim.state is not ClaimState.REJECTED for claim in book.claims):
        return Refusal("a hand is claimed: reject the claim first", known.rule)
    if refunds and any(envy.paid_by for envy in book.envy):
        return Refusal("an envy bonus was paid: the round stands", known.rule)
    return None


def _seats_refusal(rules: TableRules, book: Book, event: SeatsVoided) -> Refusal | None:
    known = rules.irregularity(event.irregularity)
    strangers = sorted(set(event.seats) - set(rules.seats))
    claimed = [seat for seat in event.seats if (claim := book.claim(seat)) and claim.state is not ClaimState.REJECTED]
    if known is None:
        return _unknown(rules)
    if known.voids != "seats":
        return Refusal("the rules void no single seat for this one", known.rule)
    if strangers or not event.seats:
        return Refusal(f"this table has no seat {strangers[0]}" if strangers else "name the seats", known.rule)
    if claimed:
        return Refusal(f"seat {claimed[0]} has claimed: reject the claim first", known.rule)
    if any(envy.paid_by and {envy.seat, envy.holder} & set(event.seats) for envy in book.envy):
        return Refusal("an envy bonus was paid to this seat or for its hand: it stands", known.rule)
    return None


def _unknown(rules: TableRules) -> Refusal:
    return Refusal(f"unknown irregularity; write one of {', '.join(known.name for known in rules.game.irregularities)}")


def _unfinished(rules: TableRules, book: Book) -> Refusal | None:
    if book.refunds_due:
        return Refusal(f"refund seats {', '.join(map(str, book.refunds_due))} first")
    if not book.open_claims:
        return _envy_unpaid(book)
    claim = max(book.open_claims, key=lambda claim: (claim.has_the_turn, claim.seat))
    amount = f" {dollars(claim.amount_cents)}" if claim.amount_cents else ""
    return Refusal(f"seat {claim.seat}: {spoken(claim.hand)}{amount} is {claim.state.value}", rules.clause("pay_first"))


def _envy_unpaid(book: Book) -> Refusal | None:
    due = next(iter(book.envy_due), None)
    if due is None:
        return None
    return Refusal(
        f"seat {due.seat}: envy bonus {dollars(due.amount_cents)} for {words_of(due)} is to be paid", due.rule
    )
