"""Actions: what can be done at a table now, by whom, and the token that an order must carry."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from common.web.orders import token_of
from common.words import Words, capitalised, uncapitalised
from controller.web.next_step import least_from_meter
from controller.web.permissions import roles_for
from controller.web.text import IN_ENGLISH, device_words, hand_of, told
from controller.web.view import asked_seats, count, fold_words, payments
from games.game import Wager
from games.money import Cents
from games.refusal import Refusal, because
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

NEEDS_CARDS: Final = ("envied_needs_cards", "part_needs_cards", "amount_needs_cards")
"""Refusals of a claim by name that the same claim by cards does not meet."""
STALE: Final = because("stale")
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


def table_offers(rules: TableRules, state: RoundState, words: Words = IN_ENGLISH) -> tuple[Action, ...]:
    """What can be done now, the most urgent first."""
    return (
        *_asking(rules, state, words),
        *_settling(rules, state, words),
        *_envying(rules, state, words),
        *_laying(state, words),
        *_dealing(rules, state, words),
        *_counting(state, words),
        *_mending(state, words),
        *_attending(rules, state, words),
    )


def acknowledge_offer(state: RoundState, words: Words = IN_ENGLISH) -> Action:
    """What somebody confirms who has read why the program stopped."""
    return _offer(state, "acknowledge", words.say("acknowledge"), note=words.say("acknowledge_note"))


def seat_offers(rules: TableRules, state: RoundState, seat: int, words: Words = IN_ENGLISH) -> tuple[Action, ...]:
    """What can be done at one seat, asked of the rules themselves; what they forbid says why."""
    taking = state.is_taking_wagers
    return tuple(_wagering(rules, state, words, seat)) if taking else tuple(_playing(rules, state, words, seat))


def _wagering(rules: TableRules, state: RoundState, words: Words, seat: int) -> Iterator[Action]:
    """What the dealer says of a seat while wagers are open."""
    yield from _laying_wagers(rules, state, words, seat, [each for each in rules.layout_wagers if not each.dealer_hand])
    if rules.game.coupons:
        coupon = _offer(state, "coupon", words.say("coupon"), seat=seat, asks=("serial",))
        yield _tried(rules, state, words, coupon, CouponRedeemed(seat, NOBODY))
    if seat in state.coupons or seat in state.asked_coupons:
        yield _offer(state, "return-coupon", words.say("return_coupon"), seat=seat)
    base = rules.base_wager.name
    if seat in state.baseless:
        yield _offer(state, "base-laid", words.say("base_laid", wager=base), seat=seat)
    else:
        back = "no_base_coupon" if seat in state.coupons else "no_base_chip"
        note = words.say(back) if seat in state.wagers else ""
        yield _offer(state, "no-base", words.say("no_base", wager=base), seat=seat, note=note)


def _laying_wagers(
    rules: TableRules, state: RoundState, words: Words, seat: int, wagers: Sequence[Wager]
) -> Iterator[Action]:
    """What the dealer says of these wagers on the layout: they come, or were taken back."""
    side = state.side.get(seat, SideWagers())
    for wager in wagers:
        cents = side.amounts.get(wager.name, 0)
        if cents or (wager.name == "number" and side.numbers):
            on_numbers = [words.say("on_number", cents=laid, number=number) for number, laid in side.numbers.items()]
            lying = words.money(cents) if cents else words.listed(on_numbers)
            label = words.say("take_back", wager=wager.name, lying=lying)
            offer = replace(_offer(state, "take-back", label, seat=seat), wager=wager.name)
            yield _tried(rules, state, words, offer, WagerTakenBack(seat, wager.name))
        if not cents:
            asks = ("number", "cents") if wager.name == "number" else ("cents",)
            offer = _offer(state, "wager", capitalised(words.say("lay_wager", wager=wager.name)), seat=seat, asks=asks)
            known = replace(offer, wager=wager.name, cents=rules.usual_cents(wager))
            number = 1 if wager.name == "number" else 0
            yield _tried(rules, state, words, known, WagerPlaced(seat, wager.name, number=number))


def _playing(rules: TableRules, state: RoundState, words: Words, seat: int) -> Iterator[Action]:
    """What the dealer says of a seat once wagers are closed."""
    for wager in (rules.wager, *rules.layout_wagers):
        if _can_win(rules, state, seat, wager):
            yield _claim_offer(rules, state, words, seat, wager)
    if rules.envy:
        show = _offer(state, "show", words.say("show_envied"), seat=seat, asks=("hand",))
        why = handle(rules, state, HandShown(seat, ("?",))).refusal
        known = state.cards.get(seat)
        yield _with_reason(show, why, words) if why and (known or seat in state.voided) else show
    insurances = [wager for wager in rules.layout_wagers if wager.dealer_hand]
    yield from (offer for offer in _laying_wagers(rules, state, words, seat, insurances) if not offer.refusal)
    if rules.has_fold:
        label = words.say("fold" if rules.game.has_fold else "above_21")
        fold = _offer(state, "fold", label, seat=seat, note=fold_words(rules, words))
        yield _tried(rules, state, words, fold, SeatFolded(seat))
        unfold = _offer(state, "correct-fold", words.say("unfold"), seat=seat)
        yield _tried(rules, state, words, unfold, FoldCorrected(seat, NOBODY))
    if rules.game.sets_hands:
        yield _offer(state, "house-way", words.say("house_way_seat"), seat=seat, asks=("hand",))
        won = _offer(state, "base-won", capitalised(words.say("base_wins", wager=rules.base_wager.name)), seat=seat)
        yield _tried(rules, state, words, replace(won, asks=("cents",)), BaseWagerWon(seat, 1_00))
    if seat in asked_seats(rules, state):
        offer = _offer(state, "no-win", words.say("seat_no_win", seat=seat), seat=0)
        yield replace(offer, seats=(seat,))


def _can_win(rules: TableRules, state: RoundState, seat: int, wager: Wager) -> bool:
    """Whether a claim on this wager makes sense at this seat: the progressive always says why not.

    What the dealer settles against his own hand, as pair plus, is no claim.
    """
    if wager.is_progressive:
        return True
    lies = wager.name in state.side.get(seat, SideWagers()).amounts
    return lies and rules.is_offered(wager.name) and wager.sees not in ("no_cards", "dealer_hand")


def _claim_offer(rules: TableRules, state: RoundState, words: Words, seat: int, wager: Wager) -> Action:
    label = words.say("claim_win" if wager.is_progressive else "side_wins", wager=wager.name)
    offer = replace(_offer(state, "claim", capitalised(label), seat=seat, asks=("hand",)), wager=wager.name)
    table = rules.tables.get(wager.name)
    hand = table.lines[-1].hand if table else "blackjack"
    why = handle(replace(rules, names_will_do=True), state, HandClaimed(seat, hand=hand, wager=wager.name)).refusal
    return offer if why is None or why.key in NEEDS_CARDS else _with_reason(offer, why, words)


def _asking(rules: TableRules, state: RoundState, words: Words) -> Iterator[Action]:
    """What the walk needs to know before the meter is asked."""
    act = act_of_meter(rules, state) if state.open_claims else None
    if isinstance(act, AskSeats):
        label = words.say("no_win", seats=act.seats)
        note = words.say("no_win_note", hand=least_from_meter(rules), seat=act.before.turn.seat.number)
        yield replace(_offer(state, "no-win", label, note=note), seats=act.seats)
    if isinstance(act, AskSharers):
        yield _offer(state, "all-shown", words.say("all_shown"), note=words.say("all_shown_note"))


def _settling(rules: TableRules, state: RoundState, words: Words) -> Iterator[Action]:
    lines = payments(rules, state, words)
    order = {(line.seat, line.wager): place for place, line in enumerate(lines)}
    first = next((line for line in lines if line.is_open), None)
    for claim in sorted(state.open_claims, key=lambda claim: order.get((claim.seat, claim.wager), 0)):
        hand = capitalised(hand_of(claim, words))
        amount = f"{hand} {words.money(claim.amount_cents)}" if claim.amount_cents else hand
        is_held = state.is_held(claim)
        if claim.state in {ClaimState.FIXED, ClaimState.SHARING} and not claim.validated_by and not is_held:
            offer = _offer(state, "validate", words.say("validate", win=uncapitalised(amount)), seat=claim.seat)
            offer = replace(offer, wager=claim.wager, proof=claim.deducted)
            yield _tried(rules, state, words, offer, ClaimValidated(claim.seat, NOBODY, claim.wager))
        if claim.state is ClaimState.VALIDATED and not is_held:
            note = words.say("from_source", source=claim.source)
            if first is not None and (first.seat, first.wager) != (claim.seat, claim.wager):
                note = words.say("out_of_order", seat=first.seat)
            offer = _offer(state, "pay", words.say("paid", win=uncapitalised(amount)), seat=claim.seat, note=note)
            offer = replace(offer, wager=claim.wager, proof=claim.deducted)
            yield _tried(rules, state, words, offer, PayoutConfirmed(claim.seat, NOBODY, claim.wager))
    for seat in state.papers_due:
        yield _offer(
            state, "papers", words.say("papers_done", seat=seat), seat=seat, note=words.say("papers_done_note")
        )
    by_dealer = {wager.name for wager in rules.layout_wagers if wager.dealer_hand}
    for seat in dict.fromkeys(claim.seat for claim in state.open_claims if claim.wager not in by_dealer):
        yield _offer(state, "reject", words.say("reject", seat=seat), seat=seat, asks=("reason",))
    if rules.draws_number and state.number_drawn is None and state.phase in _DEALT:
        yield _offer(state, "number", words.say("number"), asks=("number",), note=words.say("number_note"))
    yield from _dealers_cards(rules, state, words)
    for seat in _undisplayed(rules, state):
        yield _offer(state, "display", words.say("display", seat=seat), seat=seat, asks=("cents",))
    if state.refunds_due:
        label = words.say("refunded", seats=tuple(state.refunds_due))
        yield _offer(state, "refund", label, note=words.say("refunded_note"))


def _dealers_cards(rules: TableRules, state: RoundState, words: Words) -> Iterator[Action]:
    """The dealer's next card in multiple action, as far as insurance looks at it, and the last one told again."""
    hands = [wager.dealer_hand for wager in rules.layout_wagers if wager.dealer_hand]
    if not hands or state.phase not in _DEALT:
        return
    lying = {name for side in state.side.values() for name in side.amounts}
    insured = [wager.dealer_hand for wager in rules.layout_wagers if wager.dealer_hand and wager.name in lying]
    known = len(state.dealer_hands)
    for hand in (known, known - 1):
        if 0 <= hand <= max(insured, default=0):
            card = "As" if hand == known else state.dealer_hands[hand]
            if hand == known:
                label = words.say("second_card" if hand else "up_card", hand=hand)
            else:
                label = words.say("correct_second_card" if hand else "correct_up_card", hand=hand, card=card)
            note = words.say("for_insurance")
            offer = replace(_offer(state, "dealer-card", label, asks=("card",), note=note), hand=hand)
            yield _tried(rules, state, words, offer, DealerCardDealt(card, hand, NOBODY))


def _undisplayed(rules: TableRules, state: RoundState) -> tuple[int, ...]:
    stands = walk(rules, state) if state.named or state.cards else ()
    return tuple(each.turn.seat.number for each in stands if each.stage is Stage.UNSHOWN)


def _envying(rules: TableRules, state: RoundState, words: Words) -> Iterator[Action]:
    if rules.game.validates_envy:
        for holder in dict.fromkeys(envy.holder for envy in state.envy_due if envy.holder not in state.envy_validated):
            hand = next(envy.hand for envy in state.envy_due if envy.holder == holder)
            offer = _offer(state, "validate", words.say("validate_envied", seat=holder, hand=hand), seat=holder)
            yield replace(offer, wager="envy")
    for seat in dict.fromkeys(envy.seat for envy in state.envy_due):
        owed = sum(envy.amount_cents for envy in state.envy_due if envy.seat == seat)
        offer = _offer(state, "pay-envy", words.say("envy_paid", seat=seat, amount=owed), seat=seat)
        offer = replace(offer, note=words.say("from_source", source="rack"))
        yield _tried(rules, state, words, offer, EnvyPaid(seat, NOBODY))
    claimed = {claim.seat for claim in state.open_claims}
    for holder in dict.fromkeys(envy.holder for envy in state.envy_due):
        if holder not in claimed:
            label = words.say("take_back_hand", seat=holder)
            yield _offer(state, "reject", label, seat=holder, asks=("reason",))
    if rules.envy:
        offer = _offer(state, "one-player", words.say("one_player"), asks=("seats",), note=words.say("one_player_note"))
        offer = _tried(rules, state, words, offer, AreasHeld(rules.seats[:1], NOBODY))
        yield from () if offer.refusal else (offer,)


def _laying(state: RoundState, words: Words) -> Iterator[Action]:
    """One tap for all wagers that no sensor sees."""
    if state.is_taking_wagers and state.last_side and not state.side:
        yield _offer(state, "as-last-round", words.say("as_last_round"), note=_side_words(state.last_side, words))


def _dealing(rules: TableRules, state: RoundState, words: Words) -> Iterator[Action]:
    """Who banks and how the round is dealt, each when it can happen."""
    deal = state.deal
    if state.phase is Phase.OPEN and (seat := next_offered(rules, deal)):
        asks = ("chips_cents", "others_cents", "last_wager_cents", "dealer_wager_cents")
        more = ("co_bank",) if rules.choice("player_bank") == "co_bank" else ()
        yield _offer(state, "bank", words.say("takes_bank", seat=seat), seat=seat, asks=(*asks, *more))
        offer = _offer(state, "pass-bank", words.say("passes_bank", seat=seat))
        yield replace(offer, seats=(seat,))
    if state.phase is Phase.OPEN and (deal.bank or deal.passed):
        yield _offer(state, "no-bank", words.say("no_bank"), note=words.say("no_bank_note"))
    if state.phase in _DEALT:
        yield from _dealt(rules, state, words)


def _dealt(rules: TableRules, state: RoundState, words: Words) -> Iterator[Action]:
    if rules.start == "dice" and not state.deal.dice:
        yield _offer(state, "dice", words.say("dice"), asks=("dice",))
    if owes_stub(rules, state):
        note = words.say("stub_note", rounds=MOST_ROUNDS_UNCOUNTED)
        yield _offer(state, "stub", words.say("stub"), asks=("cards", "hands"), note=note)
    if rules.game.sets_hands:
        yield _offer(state, "house-way", words.say("house_way_dealer"), asks=("hand",))
    if state.deal.bank:
        yield _offer(state, "centre", words.say("centre"), asks=("lost_cents", "won_cents"))


def _side_words(side: Mapping[int, SideWagers], words: Words) -> str:
    names = {seat: (*laid.amounts, *(("number",) if laid.numbers else ())) for seat, laid in side.items()}
    lying = {seat: words.listed(words.inside("wager", name) for name in laid) for seat, laid in names.items()}
    return "; ".join(words.say("seat_wagers", seat=seat, wagers=lying[seat]) for seat in sorted(lying))


def _counting(state: RoundState, words: Words) -> Iterator[Action]:
    if state.is_miscounted:
        yield _offer(state, "explain", words.say("explain"), asks=("reason", "seats"), note=count(state, words).words)
    if state.is_to_be_counted:
        yield _offer(state, "recount", words.say("recount"), note=words.say("recount_note"))


def _mending(state: RoundState, words: Words) -> Iterator[Action]:
    for device in state.faults:
        yield _offer(state, "retest", words.say("retest", device=device_words(device, words)), device=device)


def _attending(rules: TableRules, state: RoundState, words: Words) -> Iterator[Action]:
    if state.phase is Phase.CLOSED:
        yield _tried(rules, state, words, _offer(state, "open", words.say("open_table")), TableOpened(NOBODY))
    elif state.closing is None:
        yield _offer(state, "close", words.say("close_table"), asks=("reason",), note=words.say("close_note"))
    if state.phase not in (Phase.CLOSED, Phase.VOIDED, Phase.ENDED):
        yield _offer(state, "irregularity", words.say("irregularity"), asks=("irregularity",))
    for noted in state.irregularities:
        label = words.say("withdraw", irregularity=noted.name)
        offer = replace(_offer(state, "withdraw", label), irregularity=noted.name)
        offer = _tried(rules, state, words, offer, IrregularityWithdrawn(noted.name, NOBODY))
        yield from () if offer.refusal else (offer,)


def _tried(rules: TableRules, state: RoundState, words: Words, offer: Action, event: Event) -> Action:
    why = handle(rules, state, event).refusal
    return offer if why is None else _with_reason(offer, why, words)


def _with_reason(offer: Action, why: Refusal, words: Words) -> Action:
    said = told(why, words)
    return replace(offer, refusal=said.reason, rule=said.rule)


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
