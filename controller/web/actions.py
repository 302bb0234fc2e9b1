"""Actions: what can be done at a table now, by whom, and the token that an order must carry."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from common.web.orders import token_of
from controller.web.next_step import least_from_meter
from controller.web.permissions import roles_for
from controller.web.text import spoken
from controller.web.view import asked_seats, count, fold_words, payments
from games.game import Wager
from games.money import Cents, dollars
from games.refusal import Refusal
from games.round.deal import next_offered, owes_stub
from games.round.events import (
    AreasHeld,
    BaseWagerWon,
    ClaimValidated,
    CouponRedeemed,
    DealerCardDealt,
    EnvyPaid,
    Event,
    FoldCorrected,
    HandClaimed,
    HandShown,
    IrregularityWithdrawn,
    PayoutConfirmed,
    SeatFolded,
    TableOpened,
    WagerPlaced,
    WagerTakenBack,
)
from games.round.layout import act_of_meter, walk
from games.round.state import ClaimState, Phase, RoundState, SideWagers
from games.round.step import handle
from games.round.table_rules import TableRules
from games.settlement.walk import AskSeats, AskSharers, Stage
from games.showdown.pai_gow.deck import MOST_ROUNDS_UNCOUNTED

STALE: Final = Refusal("the table has moved on since this page looked; look again")
_DEALT: Final = frozenset({Phase.COUNTED, Phase.IN_PLAY, Phase.SETTLING})


def stale_token(state: RoundState, seat: int = 0) -> str:
    """The token of everything that a decision about this seat, or about the whole table (0), rests on."""
    return token_of(_of_seat(state, seat) if seat else _of_table(state))


def staleness(state: RoundState, seat: int, token: str) -> Refusal | None:
    """Why an order that looked at this is refused, or None."""
    return None if token == stale_token(state, seat) else STALE


def _of_seat(state: RoundState, seat: int) -> tuple[object, ...]:
    """A wager on another seat, or the meter's answer for one, does not make this seat's page stale."""
    claims = [claim for claim in state.claims if claim.seat == seat]
    envy = [envy for envy in state.envy if seat in {envy.seat, envy.holder}]
    stage = "dealt" if state.phase in _DEALT else state.phase.value
    lying = state.wagers.get(seat), state.asked_coupons.get(seat), state.side.get(seat), seat in state.baseless
    bank = state.deal.bank, state.deal.passed
    return state.round, stage, lying, seat in state.folded, seat in state.voided, claims, envy, bank


def _of_table(state: RoundState) -> tuple[object, ...]:
    stage = "dealt" if state.phase in _DEALT else state.phase.value
    hands = state.claims, state.all_shown, state.cards, state.dealer_hands, state.no_win
    things = state.areas, state.irregularities, state.refunds_due, state.voided, state.closing
    return state.round, stage, state.counted, state.counts, hands, things, state.deal


NOBODY: Final = "?"


class Action(Struct, frozen=True):
    """One thing that somebody may do: which order it is, its words, and what the order must say besides.

    asks names the fields the page asks for; seen is what the order must carry; refusal says why it would be refused.
    wager and seats are what the order says of itself. proof: the meter pays, so whoever orders it types the PIN.
    """

    action: str
    label: str
    roles: tuple[str, ...]
    seen: str
    seat: int = 0
    asks: tuple[str, ...] = ()
    note: str = ""
    device: str = ""
    refusal: str = ""
    rule: str = ""
    wager: str = ""
    seats: tuple[int, ...] = ()
    cents: Cents = 0
    irregularity: str = ""
    hand: int = 0
    proof: bool = False


def table_offers(rules: TableRules, state: RoundState) -> tuple[Action, ...]:
    """What can be done now, the most urgent first."""
    return (
        *_asking(rules, state),
        *_settling(rules, state),
        *_envying(rules, state),
        *_laying(state),
        *_dealing(rules, state),
        *_counting(state),
        *_mending(state),
        *_attending(rules, state),
    )


def acknowledge_offer(state: RoundState) -> Action:
    """What somebody confirms who has read why the program stopped."""
    return _offer(state, "acknowledge", "Acknowledge: the program stopped", note="the reason is in the journal then")


def seat_offers(rules: TableRules, state: RoundState, seat: int) -> tuple[Action, ...]:
    """What can be done at one seat, asked of the rules themselves; what they forbid says why."""
    taking = state.is_taking_wagers
    return tuple(_wagering(rules, state, seat)) if taking else tuple(_playing(rules, state, seat))


def _wagering(rules: TableRules, state: RoundState, seat: int) -> Iterator[Action]:
    """What the dealer says of a seat while wagers are open."""
    yield from _laying_wagers(rules, state, seat, [each for each in rules.layout_wagers if not each.dealer_hand])
    if rules.game.coupons:
        coupon = _offer(state, "coupon", "Coupon", seat=seat, asks=("serial",))
        yield _tried(rules, state, coupon, CouponRedeemed(seat, NOBODY))
    if seat in state.coupons or seat in state.asked_coupons:
        yield _offer(state, "return-coupon", "Undo: coupon back to the player", seat=seat)
    base = spoken(rules.base_wager.name)
    if seat in state.baseless:
        yield _offer(state, "base-laid", f"The player laid the {base} wager after all", seat=seat)
    else:
        back = "the coupon back to the player" if seat in state.coupons else "the player a chip from the rack"
        note = f"light out; give {back}" if seat in state.wagers else ""
        yield _offer(state, "no-base", f"No {base} wager here", seat=seat, note=note)


def _laying_wagers(rules: TableRules, state: RoundState, seat: int, wagers: Sequence[Wager]) -> Iterator[Action]:
    """What the dealer says of these wagers on the layout: they come, or were taken back."""
    side = state.side.get(seat, SideWagers())
    for wager in wagers:
        words, cents = spoken(wager.name), side.amounts.get(wager.name, 0)
        if cents or (wager.name == "number" and side.numbers):
            on_numbers = ", ".join(f"{dollars(laid)} on {number}" for number, laid in side.numbers.items())
            lying = dollars(cents) if cents else on_numbers
            label = f"Take back: {words} ({lying})"
            offer = replace(_offer(state, "take-back", label, seat=seat), wager=wager.name)
            yield _tried(rules, state, offer, WagerTakenBack(seat, wager.name))
        if not cents:
            asks = ("number", "cents") if wager.name == "number" else ("cents",)
            offer = _offer(state, "wager", f"{words.capitalize()} wager", seat=seat, asks=asks)
            known = replace(offer, wager=wager.name, cents=rules.usual_cents(wager))
            number = 1 if wager.name == "number" else 0
            yield _tried(rules, state, known, WagerPlaced(seat, wager.name, number=number))


def _playing(rules: TableRules, state: RoundState, seat: int) -> Iterator[Action]:
    """What the dealer says of a seat once wagers are closed."""
    for wager in (rules.wager, *rules.layout_wagers):
        if _can_win(rules, state, seat, wager):
            yield _claim_offer(rules, state, seat, wager)
    if rules.envy:
        show = _offer(state, "show", "Show a hand that others envy", seat=seat, asks=("hand",))
        why = handle(rules, state, HandShown(seat, ("?",))).refusal
        known = state.cards.get(seat)
        yield replace(show, refusal=why.reason, rule=why.rule) if why and (known or seat in state.voided) else show
    insurances = [wager for wager in rules.layout_wagers if wager.dealer_hand]
    yield from (offer for offer in _laying_wagers(rules, state, seat, insurances) if not offer.refusal)
    if rules.has_fold:
        words = "Player folds" if rules.game.has_fold else "Hand above 21"
        fold = _offer(state, "fold", words, seat=seat, note=fold_words(rules))
        yield _tried(rules, state, fold, SeatFolded(seat))
        unfold = _offer(state, "correct-fold", "Undo: the player did not fold", seat=seat)
        yield _tried(rules, state, unfold, FoldCorrected(seat, NOBODY))
    if rules.game.sets_hands:
        yield _offer(state, "house-way", "House way of this hand", seat=seat, asks=("hand",))
        won = _offer(state, "base-won", f"{spoken(rules.base_wager.name).capitalize()} wager wins", seat=seat)
        yield _tried(rules, state, replace(won, asks=("cents",)), BaseWagerWon(seat, 1_00))
    if seat in asked_seats(rules, state):
        offer = _offer(state, "no-win", f"Seat {seat} wins nothing from the meter", seat=0)
        yield replace(offer, seats=(seat,))


def _can_win(rules: TableRules, state: RoundState, seat: int, wager: Wager) -> bool:
    """Whether a claim on this wager makes sense at this seat: the progressive always says why not.

    What the dealer settles against his own hand, as pair plus, is no claim.
    """
    if wager.is_progressive:
        return True
    lies = wager.name in state.side.get(seat, SideWagers()).amounts
    return lies and rules.is_offered(wager.name) and wager.sees not in ("no_cards", "dealer_hand")


def _claim_offer(rules: TableRules, state: RoundState, seat: int, wager: Wager) -> Action:
    label = "Claim a win" if wager.is_progressive else f"{spoken(wager.name).capitalize()} wins"
    offer = replace(_offer(state, "claim", label, seat=seat, asks=("hand",)), wager=wager.name)
    table = rules.tables.get(wager.name)
    hand = table.lines[-1].hand if table else "blackjack"
    why = handle(replace(rules, names_will_do=True), state, HandClaimed(seat, hand=hand, wager=wager.name)).refusal
    is_about_cards = why is not None and "enter its cards" in why.reason
    return offer if why is None or is_about_cards else replace(offer, refusal=why.reason, rule=why.rule)


def _asking(rules: TableRules, state: RoundState) -> Iterator[Action]:
    """What the walk needs to know before the meter is asked."""
    act = act_of_meter(rules, state) if state.open_claims else None
    if isinstance(act, AskSeats):
        seats = ", ".join(map(str, act.seats))
        label = f"No meter win: seat{'s' if len(act.seats) > 1 else ''} {seats}"
        note = f"{least_from_meter(rules)} or better comes before seat {act.before.turn.seat.number}"
        yield replace(_offer(state, "no-win", label, note=note), seats=act.seats)
    if isinstance(act, AskSharers):
        yield _offer(state, "all-shown", "Every hand was looked at", note="nobody else shares the whole meter")


def _settling(rules: TableRules, state: RoundState) -> Iterator[Action]:
    lines = payments(rules, state)
    order = {(line.seat, line.wager): place for place, line in enumerate(lines)}
    first = next((line for line in lines if line.is_open), None)
    for claim in sorted(state.open_claims, key=lambda claim: order.get((claim.seat, claim.wager), 0)):
        on = "" if claim.wager == "progressive" else f"{spoken(claim.wager)}, "
        words = f"seat {claim.seat}: {on}{spoken(claim.hand)}"
        amount = f" {dollars(claim.amount_cents)}" if claim.amount_cents else ""
        is_held = state.is_held(claim)
        if claim.state in {ClaimState.FIXED, ClaimState.SHARING} and not claim.validated_by and not is_held:
            offer = _offer(state, "validate", f"Validate {words}{amount}", seat=claim.seat)
            offer = replace(offer, wager=claim.wager, proof=claim.deducted)
            yield _tried(rules, state, offer, ClaimValidated(claim.seat, NOBODY, claim.wager))
        if claim.state is ClaimState.VALIDATED and not is_held:
            note = f"from the {claim.source}"
            if first is not None and (first.seat, first.wager) != (claim.seat, claim.wager):
                note = f"out of order: seat {first.seat} comes first"
            offer = _offer(state, "pay", f"Paid {words}{amount}", seat=claim.seat, note=note)
            offer = replace(offer, wager=claim.wager, proof=claim.deducted)
            yield _tried(rules, state, offer, PayoutConfirmed(claim.seat, NOBODY, claim.wager))
    for seat in state.papers_due:
        yield _offer(state, "papers", f"Papers done: seat {seat}", seat=seat, note="its cards may go")
    by_dealer = {wager.name for wager in rules.layout_wagers if wager.dealer_hand}
    for seat in dict.fromkeys(claim.seat for claim in state.open_claims if claim.wager not in by_dealer):
        yield _offer(state, "reject", f"Reject the hand of seat {seat}", seat=seat, asks=("reason",))
    if rules.draws_number and state.number_drawn is None and state.phase in _DEALT:
        yield _offer(state, "number", "Number drawn", asks=("number",), note="the generator's number, 1 to 7")
    yield from _dealers_cards(rules, state)
    for seat in _undisplayed(rules, state):
        yield _offer(state, "display", f"Bonus display of seat {seat}", seat=seat, asks=("cents",), note="2.20(f)")
    if state.refunds_due:
        seats = ", ".join(map(str, state.refunds_due))
        note = "each player's wager, from the rack; a coupon as a coupon"
        yield _offer(state, "refund", f"Refunded: seats {seats}", note=note)


def _dealers_cards(rules: TableRules, state: RoundState) -> Iterator[Action]:
    """The dealer's next card in multiple action, as far as insurance looks at it, and the last one told again."""
    hands = [wager.dealer_hand for wager in rules.layout_wagers if wager.dealer_hand]
    if not hands or state.phase not in _DEALT:
        return
    lying = {name for side in state.side.values() for name in side.amounts}
    insured = [wager.dealer_hand for wager in rules.layout_wagers if wager.dealer_hand and wager.name in lying]
    told = len(state.dealer_hands)
    for hand in (told, told - 1):
        if 0 <= hand <= max(insured, default=0):
            which = f"second card of the dealer's hand {hand}" if hand else "dealer's up-card"
            label = f"The {which}" if hand == told else f"Correct the {which}: {state.dealer_hands[hand]}"
            offer = replace(_offer(state, "dealer-card", label, asks=("card",), note="for insurance"), hand=hand)
            card = "As" if hand == told else state.dealer_hands[hand]
            yield _tried(rules, state, offer, DealerCardDealt(card, hand, NOBODY))


def _undisplayed(rules: TableRules, state: RoundState) -> tuple[int, ...]:
    stands = walk(rules, state) if state.named or state.cards else ()
    return tuple(each.turn.seat.number for each in stands if each.stage is Stage.UNSHOWN)


def _envying(rules: TableRules, state: RoundState) -> Iterator[Action]:
    if rules.game.validates_envy:
        for holder in dict.fromkeys(envy.holder for envy in state.envy_due if envy.holder not in state.envy_validated):
            hand = next(spoken(envy.hand) for envy in state.envy_due if envy.holder == holder)
            offer = _offer(state, "validate", f"Validate seat {holder}: {hand}, envied", seat=holder)
            yield replace(offer, wager="envy")
    for seat in dict.fromkeys(envy.seat for envy in state.envy_due):
        owed = sum(envy.amount_cents for envy in state.envy_due if envy.seat == seat)
        offer = _offer(state, "pay-envy", f"Envy paid seat {seat}: {dollars(owed)}", seat=seat, note="from the rack")
        yield _tried(rules, state, offer, EnvyPaid(seat, NOBODY))
    claimed = {claim.seat for claim in state.open_claims}
    for holder in dict.fromkeys(envy.holder for envy in state.envy_due):
        if holder not in claimed:
            label = f"Take back the hand of seat {holder}"
            yield _offer(state, "reject", label, seat=holder, asks=("reason",))
    if rules.envy:
        offer = _offer(
            state, "one-player", "One player, several seats", asks=("seats",), note="he does not envy himself"
        )
        offer = _tried(rules, state, offer, AreasHeld(rules.seats[:1], NOBODY))
        yield from () if offer.refusal else (offer,)


def _laying(state: RoundState) -> Iterator[Action]:
    """One tap for all wagers that no sensor sees."""
    if state.is_taking_wagers and state.last_side and not state.side:
        yield _offer(state, "as-last-round", "Side wagers as last round", note=_side_words(state.last_side))


def _dealing(rules: TableRules, state: RoundState) -> Iterator[Action]:
    """Who banks and how the round is dealt, each when it can happen."""
    deal = state.deal
    if state.phase is Phase.OPEN and (seat := next_offered(rules, deal)):
        asks = ("chips_cents", "others_cents", "last_wager_cents", "dealer_wager_cents")
        more = ("co_bank",) if rules.choice("player_bank") == "co_bank" else ()
        yield _offer(state, "bank", f"Seat {seat} takes the bank", seat=seat, asks=(*asks, *more))
        offer = _offer(state, "pass-bank", f"Seat {seat} passes the bank")
        yield replace(offer, seats=(seat,))
    if state.phase is Phase.OPEN and (deal.bank or deal.passed):
        yield _offer(state, "no-bank", "Undo: no player banks", note="the bank is offered anew")
    if state.phase in _DEALT:
        yield from _dealt(rules, state)


def _dealt(rules: TableRules, state: RoundState) -> Iterator[Action]:
    if rules.start == "dice" and not state.deal.dice:
        yield _offer(state, "dice", "Dice: where the deal starts", asks=("dice",))
    if owes_stub(rules, state):
        note = f"at least every {MOST_ROUNDS_UNCOUNTED} rounds"
        yield _offer(state, "stub", "Count the stub", asks=("cards", "hands"), note=note)
    if rules.game.sets_hands:
        yield _offer(state, "house-way", "House way of the dealer's hand", asks=("hand",))
    if state.deal.bank:
        yield _offer(state, "centre", "Settle the centre", asks=("lost_cents", "won_cents"))


def _side_words(side: Mapping[int, SideWagers]) -> str:
    names = {seat: (*laid.amounts, *(("number",) if laid.numbers else ())) for seat, laid in side.items()}
    return "; ".join(f"seat {seat}: {', '.join(map(spoken, laid))}" for seat, laid in sorted(names.items()))


def _counting(state: RoundState) -> Iterator[Action]:
    if state.is_miscounted:
        yield _offer(state, "explain", "Explain the difference", asks=("reason", "seats"), note=count(state).words)
    if state.is_to_be_counted:
        yield _offer(state, "recount", "Count again", note="the return device gives back what it still holds")


def _mending(state: RoundState) -> Iterator[Action]:
    for device in state.faults:
        yield _offer(state, "retest", f"Test {device} again", device=device)


def _attending(rules: TableRules, state: RoundState) -> Iterator[Action]:
    if state.phase is Phase.CLOSED:
        yield _tried(rules, state, _offer(state, "open", "Open the table"), TableOpened(NOBODY))
    elif state.closing is None:
        yield _offer(state, "close", "Close the table", asks=("reason",), note="after the round in hand")
    if state.phase not in (Phase.CLOSED, Phase.VOIDED, Phase.ENDED):
        yield _offer(state, "irregularity", "Irregularity", asks=("irregularity",))
    for noted in state.irregularities:
        offer = replace(_offer(state, "withdraw", f"No {spoken(noted.name)} after all"), irregularity=noted.name)
        offer = _tried(rules, state, offer, IrregularityWithdrawn(noted.name, NOBODY))
        yield from () if offer.refusal else (offer,)


def _tried(rules: TableRules, state: RoundState, offer: Action, event: Event) -> Action:
    why = handle(rules, state, event).refusal
    return offer if why is None else replace(offer, refusal=why.reason, rule=why.rule)


def _offer(
    state: RoundState,
    action: str,
    label: str,
    *,
    seat: int = 0,
    asks: Sequence[str] = (),
    note: str = "",
    device: str = "",
) -> Action:
    roles = tuple(sorted(role.value for role in roles_for(action)))
    return Action(
        action=action,
        label=label,
        roles=roles,
        seen=stale_token(state, seat),
        seat=seat,
        asks=tuple(asks),
        note=note,
        device=device,
    )
