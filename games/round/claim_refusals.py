"""Why a hand cannot be claimed, fixed, validated, rejected, paid or envied."""

from collections.abc import Mapping
from typing import Final

from games.cards import CardFault, parse_cards
from games.paytable import PayLine, Percent
from games.persons import is_same_person
from games.refusal import Refusal, because
from games.round.claims import cards_of, hands_claimed, line_claimed, unpaid, wager_called, wins_all
from games.round.events import (
    AwardFixed,
    BonusDisplayed,
    ClaimRejected,
    ClaimValidated,
    DealerCardDealt,
    EnvyPaid,
    Event,
    HandClaimed,
    HandsAllShown,
    HandShown,
    NoWinShown,
    NumberDrawn,
    PapersCompleted,
    PayoutConfirmed,
    ValidationAccepted,
    ValidationRefused,
)
from games.round.layout import act_of_round, is_envy_validated, layout, walk
from games.round.state import Claim, ClaimState, RoundState
from games.round.table_rules import TableRules
from games.round.wager_refusals import NUMBERS, Check, no_such_seat
from games.settlement.played_round import HAND_RULES
from games.settlement.till import row_paid
from games.settlement.walk import AskDisplay, AskSeats, AskSharers, Stage

_MOST_CENTS: Final = 10_000_000_00
SECOND_HAND: Final = 2
_TO_BE_SETTLED: Final = (Stage.WON, Stage.ASKED, Stage.FIXED, Stage.VALIDATED)


def _claimed(rules: TableRules, state: RoundState, event: HandClaimed) -> Refusal | None:
    """Why this seat's hand cannot be claimed, or None."""
    hands = hands_claimed(rules, state, event)
    return (
        no_such_seat(rules, event.seat)
        or (hands if isinstance(hands, Refusal) and wager_called(rules, event.wager) is None else None)
        or _not_live(rules, state, event)
        or _other_cards(rules, state, event)
        or (hands if isinstance(hands, Refusal) else _unpaid_hand(rules, state, event, hands))
    )


def _not_live(rules: TableRules, state: RoundState, event: HandClaimed) -> Refusal | None:
    """Why the claimed wager cannot win; by cards somebody else may envy the hand all the same."""
    played = layout(rules, state)
    seat = played.seat(event.seat)
    wager, known = wager_called(rules, event.wager), state.claim(event.seat, event.wager)
    assert wager is not None
    if known is not None and known.state is ClaimState.PAID:
        return because("win_was_paid", seat=event.seat, hand=known.hand)
    if wager.sees in ("no_cards", "dealer_hand"):
        return because("no_hand_decides", wager.rule, seat=event.seat, wager=wager.name)
    if wager.name not in seat.wagers:
        if wager.is_progressive:
            return because("no_progressive_wager", rules.clause("light"), seat=event.seat)
        return because("no_such_wager_made", wager.rule, seat=event.seat, wager=wager.name)
    if played.is_refunded(seat, wager):
        return because("hand_void_refunded", seat=event.seat)
    if played.is_forfeited(seat, wager):
        return because("folded_forfeited", wager.fold.rule, seat=event.seat, wager=wager.name)
    if known is not None and known.is_open and not _may_grow(rules, state, event):
        return because("claimed_already", seat=event.seat, state=known.state.value)
    return None


def _may_grow(rules: TableRules, state: RoundState, event: HandClaimed) -> bool:
    """Whether a claim may be entered anew: a hand that draws cards grows, and cards may follow a name."""
    shown = state.cards.get(event.seat, ())
    if not shown:
        return bool(event.cards) or rules.game.hand_grows
    return rules.game.hand_grows and len(event.cards) > len(shown)


def _other_cards(rules: TableRules, state: RoundState, event: HandClaimed) -> Refusal | None:
    """Why this cannot be the seat's hand: other cards were written down for it, and a name does not outweigh cards."""
    shown, cards = state.cards.get(event.seat, ()), event.cards
    if not shown:
        return None
    is_same = cards[: len(shown)] == shown if rules.game.hand_grows else bool(cards) and set(cards) <= set(shown)
    return None if is_same else because("other_cards_shown", rules.clause("hand"), seat=event.seat, cards=shown)


def _unpaid_hand(rules: TableRules, state: RoundState, event: HandClaimed, hands: frozenset[str]) -> Refusal | None:
    line = line_claimed(rules, event.wager, hands)
    return (
        unpaid(rules, event, hands)
        or (_by_name_only(rules, event, line) if line is not None and not event.cards else None)
        or (_not_paid_at_once(rules, event, line) if event.paid else None)
        or _too_late_to_share(rules, state, event, hands)
    )


def _by_name_only(rules: TableRules, event: HandClaimed, line: PayLine) -> Refusal | None:
    """Cards are written down for everything that leaves the meter; amounts by name only where the house says so."""
    is_part = isinstance(line.pay, Percent)
    if rules.is_envied(line.hand):
        return because("envied_needs_cards", rules.clause("hand"), seat=event.seat, hand=line.hand)
    if not line.deducted or (rules.names_will_do and not is_part):
        return None
    key = "part_needs_cards" if is_part else "amount_needs_cards"
    return because(key, rules.clause("hand"), seat=event.seat, hand=line.hand)


def _not_paid_at_once(rules: TableRules, event: HandClaimed, line: PayLine | None) -> Refusal | None:
    wager = wager_called(rules, event.wager)
    assert wager is not None
    if line is None:
        return because("pay_unknown", wager.rule, seat=event.seat, wager=event.wager)
    if line.deducted or (wager.is_progressive and rules.game.must_be_validated(line)):
        return because("validate_before_paying", rules.game.clauses["validates"], seat=event.seat, hand=line.hand)
    if not event.by.strip():
        return because("say_who")
    return None


def _too_late_to_share(
    rules: TableRules, state: RoundState, event: HandClaimed, hands: frozenset[str]
) -> Refusal | None:
    """The meter that was paid belongs to whoever shares it, not the one that began after it."""
    paid = next((claim for claim in state.claims if claim.takes_all and claim.state is ClaimState.PAID), None)
    if paid is None or not rules.game.shares_whole_meter or not wins_all(rules, event.wager, hands):
        return None
    return because("whole_meter_paid", rules.clause("shares_whole_meter"), seat=paid.seat)


def _shown(rules: TableRules, state: RoundState, event: HandShown) -> Refusal | None:
    if rules.envy is None:
        return because("no_envy_here")
    if event.seat not in rules.seats:
        return no_such_seat(rules, event.seat)
    played = layout(rules, state)
    seat = played.seat(event.seat)
    if played.is_void(seat):
        return because("hand_void", rules.envy.rule, seat=event.seat)
    if seat.folded and not rules.game.shows_folded_hands and rules.choices.get("folded_hands") != "exposed":
        return because("folded_unseen", rules.game.clauses["shows_folded_hands"], seat=event.seat)
    if event.seat in state.cards:
        return because("cards_shown_already", seat=event.seat, cards=state.cards[event.seat])
    if not event.cards:
        return because("envy_needs_cards", rules.envy.rule)
    cards = cards_of(rules, state, event)
    if isinstance(cards, Refusal):
        return cards
    envy = played.wager("envy")
    assert envy is not None
    if row_paid(envy, rules.tables["envy"], envy.hands(cards), meter_cents=None):
        return None
    return because("nobody_envies", rules.envy.rule, seat=event.seat)


def _no_win(rules: TableRules, state: RoundState, event: NoWinShown) -> Refusal | None:
    unknown = sorted(set(event.seats) - set(rules.seats))
    unlit = sorted(set(event.seats) - set(state.wagers))
    if not event.seats:
        return because("name_no_win_seats")
    if unknown:
        return no_such_seat(rules, unknown[0])
    if unlit:
        return because("no_progressive_wager", rules.clause("light"), seat=unlit[0])
    claimed = next((seat for seat in event.seats if _wins_from_meter(state.claim(seat))), None)
    return because("reject_claim_first", seat=claimed) if claimed else None


def _wins_from_meter(claim: Claim | None) -> bool:
    return claim is not None and claim.deducted and claim.state is not ClaimState.REJECTED


def _all_shown(_: TableRules, state: RoundState, __: HandsAllShown) -> Refusal | None:
    return None if state.claims or state.cards else because("nobody_claimed")


def _number(rules: TableRules, state: RoundState, event: NumberDrawn) -> Refusal | None:
    if not rules.draws_number:
        return because("no_number_here")
    if state.number_drawn is not None:
        return because("number_known", "11.8C(c)", number=state.number_drawn)
    return None if event.number in NUMBERS else because("number_range", "11.4(a)2")


def _dealer_card(rules: TableRules, state: RoundState, event: DealerCardDealt) -> Refusal | None:
    """Why the dealer has no such card: his hands come one after the other, each once the one before is settled."""
    known, hand = state.dealer_hands, event.hand
    if rules.dealer_hands == 1:
        return because("dealer_cards_not_told", "2.18(f)")
    if not 0 <= hand <= rules.dealer_hands:
        return because("dealer_hands", "2.18(f)", hands=rules.dealer_hands)
    if hand not in (len(known), len(known) - 1):
        return because("second_card_next", "2.18(g)", hand=len(known)) if known else because("up_card_next", "2.18(g)")
    elsewhere = (word for cards in state.cards.values() for word in cards)
    seen = parse_cards((event.card, *known[:hand], *elsewhere), decks=rules.decks)
    if isinstance(seen, CardFault):
        return because("cards_impossible", "2.18(e)", fault=seen.problem)
    return _hand_out_of_turn(rules, state, hand)


def _hand_out_of_turn(rules: TableRules, state: RoundState, hand: int) -> Refusal | None:
    insurances = {wager.name for wager in rules.layout_wagers if wager.dealer_hand >= hand and wager.dealer_hand}
    paid = next((each for each in state.claims if each.wager in insurances and each.state is ClaimState.PAID), None)
    if paid is not None:
        return because("card_stands", "2.18(d)", seat=paid.seat, wager=paid.wager)
    if hand < SECOND_HAND or hand < len(state.dealer_hands):
        return None
    if not layout(rules, state).is_hand_played(hand):
        return because("nobody_on_hand", HAND_RULES[hand], hand=hand)
    due = (each for each in walk(rules, state) if each.turn.wager.tables and each.stage in _TO_BE_SETTLED)
    if first := next(due, None):
        rule = "2.18(f)" if hand == SECOND_HAND else "2.18(h)"
        return because("settle_before_hand", rule, seat=first.turn.seat.number, wager=first.turn.wager.name, hand=hand)
    return None


def _display(rules: TableRules, state: RoundState, event: BonusDisplayed) -> Refusal | None:
    mine = [each for each in walk(rules, state) if each.turn.seat.number == event.seat and not each.turn.wager.tables]
    if not any(each.stage is Stage.UNSHOWN for each in mine):
        shown = event.seat in state.displayed
        return because("display_pressed" if shown else "display_not_won", "2.20(f)", seat=event.seat)
    if not 0 < event.cents <= _MOST_CENTS:
        return because("display_amount", "2.20(f)")
    return _display_too_early(rules, state, event.seat)


def _display_too_early(rules: TableRules, state: RoundState, seat: int) -> Refusal | None:
    """Why the button does not lie before this seat: it goes around from the left, after everything else."""
    act = act_of_round(rules, state)
    assert act is not None  # this seat's own display, at the latest
    first = act.before if isinstance(act, AskSeats | AskSharers) else act.standing
    place = first.turn.seat.number
    if isinstance(act, AskDisplay):
        return None if place == seat else because("button_elsewhere", "2.20(f)", seat=place)
    return because("button_comes_last", "2.20(f)", seat=seat, wager=first.turn.wager.name, first=place)


def _envy_paid(rules: TableRules, state: RoundState, event: EnvyPaid) -> Refusal | None:
    """Winning wagers come before envy, this seat's own or all, as the house settles; then the right comes first."""
    mine = [envy for envy in state.envy_due if envy.seat == event.seat]
    if not mine:
        return because("no_envy_owed", seat=event.seat)
    if not any(is_envy_validated(rules, state, envy.holder) for envy in mine):
        rule = rules.game.clauses["validates_envy"]
        return because("validate_envied_first", rule, hand=mine[0].hand, seat=mine[0].holder)
    validators = [state.envy_validated.get(envy.holder, "") for envy in mine]
    if any(is_same_person(validator, event.by) for validator in validators if validator):
        return _alone(event.seat, event.by)
    for standing in walk(rules, state):
        seat = standing.turn.seat.number
        is_mine = bool(standing.turn.holder) and seat == event.seat
        if is_mine:
            return None
        if standing.stage in _TO_BE_SETTLED and standing.line is not None:
            if standing.turn.holder:
                return because("pay_envy_first", rules.clause("settlement"), seat=seat)
            return because("pay_hand_first", rules.clause("settlement"), seat=seat, hand=standing.line.hand)
    return None


def _award(_: TableRules, state: RoundState, event: AwardFixed) -> Refusal | None:
    return None if is_news(state, event) else because("entry_not_awaited", entry=event.seq)


def is_news(state: RoundState, event: AwardFixed) -> bool:
    """Whether a claim waits for this, or nobody was paid what was said before and now is another amount."""
    claims = state.claims_to(event.seq)
    if any(claim.state is ClaimState.PAID for claim in claims):
        return False
    changed = sum(claim.amount_cents for claim in claims) != event.amount_cents
    return bool(claims) and (changed or any(claim.state is ClaimState.ASKED for claim in claims))


def _validated(rules: TableRules, state: RoundState, event: ClaimValidated) -> Refusal | None:
    if event.wager == "envy":
        return _envy_to_validate(rules, state, event.seat)
    claim = state.claim(event.seat, event.wager)
    if claim is not None and _is_share_to_validate(state, claim):
        return _held(rules, state, claim, "held_validate")
    return _not_in_state(event.seat, claim, ClaimState.FIXED) or _held(rules, state, claim, "held_validate")


def _checked(_: TableRules, state: RoundState, event: ValidationAccepted | ValidationRefused) -> Refusal | None:
    claim = state.claim(event.seat)
    is_asked = claim is not None and claim.is_open and claim.validation_seq and not claim.is_agreed
    return None if is_asked else because("no_validation_awaited", seat=event.seat)


def _envy_to_validate(rules: TableRules, state: RoundState, seat: int) -> Refusal | None:
    if not any(envy.holder == seat for envy in state.envy_due):
        return because("no_envied_hand", seat=seat)
    if is_envy_validated(rules, state, seat):
        return because("envied_validated", seat=seat)
    return None


def _is_share_to_validate(state: RoundState, claim: Claim) -> bool:
    if claim.state is not ClaimState.SHARING or claim.validated_by:
        return False
    return not any(each.state is ClaimState.ASKED for each in state.claims_to(claim.award_seq))


def _payout(rules: TableRules, state: RoundState, event: PayoutConfirmed) -> Refusal | None:
    claim = state.claim(event.seat, event.wager)
    return (
        _not_in_state(event.seat, claim, ClaimState.VALIDATED)
        or _held(rules, state, claim, "held_pay")
        or (_alone(event.seat, event.by) if claim and is_same_person(claim.validated_by, event.by) else None)
        or (_unshared(rules, state, claim) if claim is not None and claim.takes_all else None)
    )


def _alone(seat: int, person: str) -> Refusal:
    """Why nobody pays what he validated himself (law 6)."""
    return because("validated_by_payer", seat=seat, person=person)


def _unshared(rules: TableRules, state: RoundState, claim: Claim) -> Refusal | None:
    """Why the whole meter cannot be paid yet: a sharer is not validated, or the meter has not agreed."""
    sharers = (each for each in state.claims_to(claim.award_seq) if each.is_open and not each.is_agreed)
    waiting = next((each for each in sharers if each.seat != claim.seat), None)
    if waiting is None:
        return None
    key = "sharer_checked" if waiting.validated_by else "sharer_to_validate"
    return because(key, rules.clause("shares_whole_meter"), seat=waiting.seat)


def _held(rules: TableRules, state: RoundState, claim: Claim | None, key: str) -> Refusal | None:
    """Why nobody says yet what a part of the meter comes to: other tables claim one, too."""
    if claim is None or not state.is_held(claim):
        return None
    return because(key, rules.clause("shares_whole_meter"), seat=claim.seat, why=state.held)


def _papers(rules: TableRules, state: RoundState, event: PapersCompleted) -> Refusal | None:
    claim, rule = state.claim(event.seat), rules.clause("percentages_from")
    if claim is None or claim.source != "cage":
        return no_such_seat(rules, event.seat) or because("no_papers_due", rule, seat=event.seat)
    if claim.state is not ClaimState.PAID:
        return because("papers_before_payment", rule, seat=event.seat, hand=claim.hand, state=claim.state.value)
    return None if claim.holds_cards else because("papers_complete", rule, seat=event.seat)


def _rejected(rules: TableRules, state: RoundState, event: ClaimRejected) -> Refusal | None:
    claims = [claim for claim in state.claims_of(event.seat) if claim.is_open]
    insured = [claim for claim in claims if _follows_dealer(rules, claim)]
    is_open = len(claims) > len(insured)
    is_envied = any(envy.holder == event.seat for envy in state.envy_due)
    is_named = any(not state.is_paid(event.seat, wager) for wager in state.named.get(event.seat, {}))
    if insured and not (is_open or is_envied or is_named):
        return because("dealer_card_decides", "2.18(d)", seat=event.seat, wager=insured[0].wager)
    if not (is_open or is_envied or is_named):
        return because("no_open_claim", seat=event.seat)
    if not event.reason.strip():
        return because("say_why_rejected")
    return _shared_already(rules, state, event.seat)


def _follows_dealer(rules: TableRules, claim: Claim) -> bool:
    wager = wager_called(rules, claim.wager)
    return wager is not None and bool(wager.dealer_hand)


def _shared_already(rules: TableRules, state: RoundState, seat: int) -> Refusal | None:
    claim = state.claim(seat)
    shares = state.claims_to(claim.award_seq) if claim else ()
    paid = next((share.seat for share in shares if share.state is ClaimState.PAID), None)
    if paid is None:
        return None
    return because("share_was_paid", rules.clause("shares_whole_meter"), seat=paid)


def _not_in_state(seat: int, claim: Claim | None, wanted: ClaimState) -> Refusal | None:
    if claim is None:
        return because("no_claim", seat=seat)
    if claim.state is wanted:
        return None
    return because("claim_state", seat=seat, hand=claim.hand, state=claim.state.value)


CLAIM_CHECKS: Final[Mapping[type[Event], Check]] = {
    HandClaimed: _claimed,
    HandShown: _shown,
    NoWinShown: _no_win,
    HandsAllShown: _all_shown,
    NumberDrawn: _number,
    DealerCardDealt: _dealer_card,
    BonusDisplayed: _display,
    EnvyPaid: _envy_paid,
    AwardFixed: _award,
    ClaimValidated: _validated,
    ValidationAccepted: _checked,
    ValidationRefused: _checked,
    PayoutConfirmed: _payout,
    PapersCompleted: _papers,
    ClaimRejected: _rejected,
}
