"""View of a table: what people may see at this moment, as one plain value."""

from msgspec import Struct

from common.board_health import BoardHealth, HealthAlarm
from common.words import Words
from controller.meter_link.display import LinkView
from controller.table.loop import TableLoop
from controller.web.deal_view import DealLine, deal_lines
from controller.web.next_step import next_step, phase_words
from controller.web.text import IN_ENGLISH, Told, pay_words, reason_words, told
from drivers.recognise.wear import SeatHealth
from games.money import Cents
from games.paytable import Fixed, Percent
from games.refusal import Refusal
from games.round.layout import act_of_meter, walk
from games.round.outputs import Outputs, outputs
from games.round.state import Claim, ClaimState, Envy, NotedIrregularity, RoundState, SideWagers
from games.round.table_rules import TableRules
from games.settlement.walk import AskSeats, Standing


class SeatView(Struct, frozen=True):
    """One seat: its light, its gate, its wager, what is wrong with it, and what its dealer should know."""

    seat: int
    light: str
    gate_open: bool
    wager: str
    side: dict[str, Cents]
    numbers: dict[int, Cents]
    wager_lights: dict[str, str]  # of the side wagers with a sensor of their own
    has_base: bool
    folded: bool
    flagged: bool
    fault: str
    note: str


class CountView(Struct, frozen=True):
    """Chips against lights; agree is None while nobody has counted."""

    lights: int
    chips: int | None
    returned: int
    coupons: int
    agree: bool | None
    words: str


class PaymentView(Struct, frozen=True):
    """One line of the settlement: a winning wager, or an envy bonus for somebody else's hand."""

    wager: str
    seat: int
    hand: str
    cards: tuple[str, ...]
    community: tuple[str, ...]
    amount: str
    amount_cents: Cents
    source: str
    source_words: str
    deducted: bool
    state: str
    is_held: bool
    state_words: str
    is_open: bool
    rule: str
    slip: int
    meter_before_cents: Cents
    meter_after_cents: Cents
    house_funded_cents: Cents
    validated_by: str
    paid_by: str
    reason: str


class TableView(Struct, frozen=True):
    """A table as panel, demo and command line show it."""

    table: str
    game: str
    title: str
    pay_table: str
    stake_cents: Cents
    rehearsal: bool
    round: int
    phase: str
    phase_words: str
    next_step: str
    seats: tuple[SeatView, ...]
    lamp: str
    key_on: bool
    lights: int
    chips: int | None
    coupons: int
    count: CountView
    community: tuple[str, ...]
    claims: tuple[Claim, ...]
    payments: tuple[PaymentView, ...]
    refunds_due: dict[int, tuple[str, ...]]
    irregularities: tuple[str, ...]
    asks: tuple[int, ...]
    number_drawn: int | None
    deal: tuple[DealLine, ...]
    explanation: str
    closing: str
    faults: dict[str, str]
    refusal: Told | None
    trouble: str
    link: LinkView
    unclean_stops: int
    health: dict[int, SeatHealth] = {}  # by seat
    refused_ms: int = 0
    board: BoardHealth | None = None  # until it was first looked at
    board_alarms: tuple[HealthAlarm, ...] = ()


def view(
    name: str,
    table: TableLoop,
    link: LinkView,
    last_refusal: Refusal | None,
    words: Words = IN_ENGLISH,
    *,
    rehearsal: bool = False,
) -> TableView:
    """The table as it stands, in the words of one language."""
    rules, state = table.rules, table.state
    shown = outputs(rules, state)
    return TableView(
        table=name,
        game=rules.game.name,
        title=words.game(rules.game.name, rules.game.title),
        pay_table=rules.pay_table.name,
        stake_cents=rules.stake_cents,
        rehearsal=rehearsal,
        round=state.round,
        phase=state.phase.value,
        phase_words=phase_words(rules, state, words),
        next_step=table.trouble or next_step(rules, state, words),
        seats=tuple(_seat(rules, state, seat, shown, words) for seat in rules.seats),
        lamp=shown.lamp.value,
        key_on=state.key_on,
        lights=len(state.wagers),
        chips=state.counted,
        coupons=len(state.coupons),
        count=count(state, words),
        community=state.community,
        claims=state.claims,
        payments=payments(rules, state, words),
        refunds_due=state.refunds_due,
        irregularities=tuple(_irregularity(rules, noted, words) for noted in state.irregularities),
        asks=asked_seats(rules, state),
        number_drawn=state.number_drawn,
        deal=deal_lines(rules, state, words),
        explanation=state.explanation,
        closing=state.closing.reason if state.closing else "",
        faults={device: fault.detail for device, fault in state.faults.items()},
        refusal=None if last_refusal is None else told(last_refusal, words),
        trouble=table.trouble,
        link=link,
        unclean_stops=table.journal.unclean_stops,
    )


def count(state: RoundState, words: Words = IN_ENGLISH) -> CountView:
    """Chips and coupons beside the lights."""
    lights, coupons = len(state.wagers), len(state.coupons)
    agree = None if state.counted is None else state.counted + coupons == lights
    chips = state.returned if state.counted is None else state.counted
    parts = [words.noun("chip", chips)] + ([words.noun("coupon", coupons)] if coupons else [])
    verdict = {None: "·", True: "=", False: "≠"}[agree]
    said = f"{' + '.join(parts)} {verdict} {words.noun('light', lights)}"
    return CountView(lights, state.counted, state.returned, coupons, agree, said)


def payments(rules: TableRules, state: RoundState, words: Words = IN_ENGLISH) -> tuple[PaymentView, ...]:
    """Every claim and envy bonus in paying order; what has no turn any more comes last."""
    places: dict[tuple[int, str, int], int] = {}
    for place, standing in enumerate(walk(rules, state) if state.claims or state.envy else ()):
        if standing.line is not None:
            places[_key(standing)] = place
    claims = [((claim.seat, claim.wager, 0), _payment(state, claim, words)) for claim in state.claims]
    envy = [((envy.seat, "envy", envy.holder), _envy(envy, words)) for envy in state.envy]
    last = len(places)
    lines = sorted([*claims, *envy], key=lambda line: (places.get(line[0], last), -line[0][0]))
    return tuple(line for _, line in lines)


def _key(standing: Standing) -> tuple[int, str, int]:
    turn = standing.turn
    return turn.seat.number, turn.wager.name, turn.holder


def asked_seats(rules: TableRules, state: RoundState) -> tuple[int, ...]:
    """The seats of which the dealer must say whether they win from the meter, before it is asked for another one."""
    act = act_of_meter(rules, state) if state.open_claims else None
    return act.seats if isinstance(act, AskSeats) else ()


def _irregularity(rules: TableRules, noted: NotedIrregularity, words: Words) -> str:
    """An irregularity of the round, as long as it holds."""
    known = rules.irregularity(noted.name)
    name = words.inside("irregularity", noted.name)
    if noted.seats:
        name = words.say("irregularity_at", irregularity=noted.name, seats=noted.seats)
    effect = words.say("nothing_void" if known is None or known.voids == "nothing" else "hands_void")
    return words.say("irregularity_holds", irregularity=name, effect=effect)


def _payment(state: RoundState, claim: Claim, words: Words) -> PaymentView:
    is_held = state.is_held(claim)
    pay = Percent(claim.percent_bp) if claim.percent_bp else Fixed(claim.fixed_cents)
    return PaymentView(
        wager=claim.wager,
        seat=claim.seat,
        hand=words.say("win" if claim.wager == "progressive" else "wager_win", wager=claim.wager, hand=claim.hand),
        cards=claim.cards,
        community=claim.community if claim.cards else (),
        amount=words.money(claim.amount_cents) if claim.amount_cents and not is_held else pay_words(pay, words),
        amount_cents=claim.amount_cents,
        source=claim.source,
        source_words=words.inside("source", claim.source),
        deducted=claim.deducted,
        state=claim.state.value,
        is_held=is_held,
        state_words=_claim_words(state, claim, words),
        is_open=claim.is_open,
        rule=claim.rule,
        slip=claim.slip,
        meter_before_cents=claim.meter_before_cents,
        meter_after_cents=claim.meter_after_cents,
        house_funded_cents=claim.house_funded_cents,
        validated_by=claim.validated_by,
        paid_by=claim.paid_by,
        reason=claim.reason,
    )


def _claim_words(state: RoundState, claim: Claim, words: Words) -> str:
    if state.is_held(claim):
        return words.say("held", why=reason_words(state.held, words))
    return words.inside("claim", claim.state.value)


def _envy(envy: Envy, words: Words) -> PaymentView:
    stands = ClaimState.PAID if envy.paid_by else ClaimState.VALIDATED
    return PaymentView(
        wager="envy",
        seat=envy.seat,
        hand=words.say("envied", hand=envy.hand, seat=envy.holder),
        cards=(),
        community=(),
        amount=words.money(envy.amount_cents),
        amount_cents=envy.amount_cents,
        source="rack",
        source_words=words.inside("source", "rack"),
        deducted=False,
        state=stands.value,
        is_held=False,
        state_words=words.inside("claim", stands.value),
        is_open=not envy.paid_by,
        rule=envy.rule,
        slip=0,
        meter_before_cents=0,
        meter_after_cents=0,
        house_funded_cents=0,
        validated_by="",
        paid_by=envy.paid_by,
        reason="",
    )


def _seat(rules: TableRules, state: RoundState, seat: int, shown: Outputs, words: Words) -> SeatView:
    wager, side = state.wagers.get(seat), state.side.get(seat, SideWagers())
    fault = next((fault.detail for fault in state.faults.values() if fault.seat == seat), "")
    return SeatView(
        seat=seat,
        light=shown.lights[seat].value,
        gate_open=shown.gates[seat],
        wager="" if wager is None else "coupon" if wager.coupon else "chip",
        side=side.amounts,
        numbers=side.numbers,
        wager_lights={wager: light.value for (place, wager), light in shown.wager_lights.items() if place == seat},
        has_base=seat not in state.baseless,
        folded=seat in state.folded,
        flagged=seat in state.flagged,
        fault=fault,
        note=_note(rules, state, seat, words),
    )


def _note(rules: TableRules, state: RoundState, seat: int, words: Words) -> str:
    """The one thing to know of this seat now."""
    claim = next((claim for claim in state.claims_of(seat) if claim.is_open), None) or state.claim(seat)
    if seat in state.refunds_due:
        return words.say("note_refund", refund=_refund(state, seat, words))
    if seat in state.voided:
        return words.say("note_void")
    if seat in state.asked_coupons:
        return words.say("note_coupon_asked")
    if seat in state.refused_coupons and seat not in state.wagers:
        return state.refused_coupons[seat]
    if state.deal.bank is not None and seat == state.deal.bank.seat:
        return words.say("note_co_banks" if state.deal.bank.co_bank else "note_banks")
    if seat in state.baseless:
        return words.say("note_no_base", wager=rules.base_wager.name)
    if claim is not None and claim.state is not ClaimState.REJECTED:
        key = "note_held" if state.is_held(claim) else "note_claim"
        return words.say(key, hand=claim.hand, state=claim.state.value)
    if seat in state.folded:
        return fold_words(rules, words) if seat in state.wagers else words.say("note_folded")
    if seat in state.flagged:
        return words.say("note_look")
    return ""


def _refund(state: RoundState, seat: int, words: Words) -> str:
    wagers = words.listed(words.inside("wager", name) for name in state.refunds_due[seat])
    return words.say("refund_coupon" if seat in state.coupons else "refund_wagers", wagers=wagers)


def fold_words(rules: TableRules, words: Words = IN_ENGLISH) -> str:
    """What becomes of a progressive wager whose player folds, and so of the cards."""
    if not rules.has_fold:
        return ""
    if not rules.game.has_fold:
        return words.say("fold_above_21")
    kept = rules.envy is not None and rules.envy.fold.effect == "lives"
    match rules.wager.fold.effect:
        case "lives":
            return words.say("fold_lives")
        case "forfeits":
            return words.say("fold_envy_lives" if kept else "fold_forfeits")
        case "bars":
            return words.say("fold_bars")
