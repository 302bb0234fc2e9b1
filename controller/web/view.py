"""View of a table: what people may see at this moment, as one plain value."""

from msgspec import Struct

from common.board_health import BoardHealth, HealthAlarm
from controller.meter_link.display import LinkView
from controller.table.loop import TableLoop
from controller.web.deal_view import DealLine, deal_lines
from controller.web.next_step import next_step, phase_words
from controller.web.text import many, spoken
from drivers.recognise.wear import SeatHealth
from games.money import Cents, dollars
from games.paytable import Fixed, Percent, words
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
    deducted: bool
    state: str
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
    refusal: Refusal | None
    trouble: str
    link: LinkView
    unclean_stops: int
    health: dict[int, SeatHealth] = {}  # by seat
    refused_ms: int = 0
    board: BoardHealth | None = None  # until it was first looked at
    board_alarms: tuple[HealthAlarm, ...] = ()


def view(
    name: str, table: TableLoop, link: LinkView, last_refusal: Refusal | None, *, rehearsal: bool = False
) -> TableView:
    """The table as it stands."""
    rules, state = table.rules, table.state
    shown = outputs(rules, state)
    return TableView(
        table=name,
        game=rules.game.name,
        title=rules.game.title,
        pay_table=rules.pay_table.name,
        stake_cents=rules.stake_cents,
        rehearsal=rehearsal,
        round=state.round,
        phase=state.phase.value,
        phase_words=phase_words(rules, state),
        next_step=table.trouble or next_step(rules, state),
        seats=tuple(_seat(rules, state, seat, shown) for seat in rules.seats),
        lamp=shown.lamp.value,
        key_on=state.key_on,
        lights=len(state.wagers),
        chips=state.counted,
        coupons=len(state.coupons),
        count=count(state),
        community=state.community,
        claims=state.claims,
        payments=payments(rules, state),
        refunds_due=state.refunds_due,
        irregularities=tuple(_irregularity(rules, noted) for noted in state.irregularities),
        asks=asked_seats(rules, state),
        number_drawn=state.number_drawn,
        deal=deal_lines(rules, state),
        explanation=state.explanation,
        closing=state.closing.reason if state.closing else "",
        faults={device: fault.detail for device, fault in state.faults.items()},
        refusal=last_refusal,
        trouble=table.trouble,
        link=link,
        unclean_stops=table.journal.unclean_stops,
    )


def count(state: RoundState) -> CountView:
    """Chips and coupons beside the lights."""
    lights, coupons = len(state.wagers), len(state.coupons)
    agree = None if state.counted is None else state.counted + coupons == lights
    chips = state.returned if state.counted is None else state.counted
    parts = [many(chips, "chip")] + ([many(coupons, "coupon")] if coupons else [])
    verdict = {None: "·", True: "=", False: "≠"}[agree]
    return CountView(
        lights, state.counted, state.returned, coupons, agree, f"{' + '.join(parts)} {verdict} {many(lights, 'light')}"
    )


def payments(rules: TableRules, state: RoundState) -> tuple[PaymentView, ...]:
    """Every claim and envy bonus in paying order; what has no turn any more comes last."""
    places: dict[tuple[int, str, int], int] = {}
    for place, standing in enumerate(walk(rules, state) if state.claims or state.envy else ()):
        if standing.line is not None:
            places[_key(standing)] = place
    claims = [((claim.seat, claim.wager, 0), _payment(state, claim)) for claim in state.claims]
    envy = [((envy.seat, "envy", envy.holder), _envy(envy)) for envy in state.envy]
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


def _irregularity(rules: TableRules, noted: NotedIrregularity) -> str:
    """An irregularity of the round, as long as it holds."""
    known = rules.irregularity(noted.name)
    seats = f" at {', '.join(f'seat {seat}' for seat in noted.seats)}" if noted.seats else ""
    effect = "nothing is void" if known is None or known.voids == "nothing" else "hands are void"
    return f"{spoken(noted.name)}{seats}: {effect}"


def _payment(state: RoundState, claim: Claim) -> PaymentView:
    is_held = state.is_held(claim)
    pay = Percent(claim.percent_bp) if claim.percent_bp else Fixed(claim.fixed_cents)
    return PaymentView(
        wager=claim.wager,
        seat=claim.seat,
        hand=spoken(claim.hand) if claim.wager == "progressive" else f"{spoken(claim.wager)}: {spoken(claim.hand)}",
        cards=claim.cards,
        community=claim.community if claim.cards else (),
        amount=dollars(claim.amount_cents) if claim.amount_cents and not is_held else words(pay),
        amount_cents=claim.amount_cents,
        source=claim.source,
        deducted=claim.deducted,
        state=f"held: {state.held}" if is_held else claim.state.value,
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


def _envy(envy: Envy) -> PaymentView:
    return PaymentView(
        wager="envy",
        seat=envy.seat,
        hand=f"envy: {spoken(envy.hand)} at seat {envy.holder}",
        cards=(),
        community=(),
        amount=dollars(envy.amount_cents),
        amount_cents=envy.amount_cents,
        source="rack",
        deducted=False,
        state="paid" if envy.paid_by else "to be paid",
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


def _seat(rules: TableRules, state: RoundState, seat: int, shown: Outputs) -> SeatView:
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
        note=_note(rules, state, seat),
    )


def _note(rules: TableRules, state: RoundState, seat: int) -> str:
    """The one thing to know of this seat now."""
    claim = next((claim for claim in state.claims_of(seat) if claim.is_open), None) or state.claim(seat)
    if seat in state.refunds_due:
        return f"void: {_refund(state, seat)}"
    if seat in state.voided:
        return "void"
    if seat in state.asked_coupons:
        return "coupon: the meter has not answered yet"
    if seat in state.refused_coupons and seat not in state.wagers:
        return state.refused_coupons[seat]
    if state.deal.bank is not None and seat == state.deal.bank.seat:
        return "co-banks this round" if state.deal.bank.co_bank else "banks this round"
    if seat in state.baseless:
        return f"no {spoken(rules.base_wager.name)}: no progressive wager"
    if claim is not None and claim.state is not ClaimState.REJECTED:
        return f"{spoken(claim.hand)}: {'held, do not pay' if state.is_held(claim) else claim.state.value}"
    if seat in state.folded:
        return fold_words(rules) if seat in state.wagers else "folded"
    if seat in state.flagged:
        return "look: a chip came or went after lock-out"
    return ""


def _refund(state: RoundState, seat: int) -> str:
    coupon = " (the coupon as a coupon)" if seat in state.coupons else ""
    return f"refund {' and '.join(map(spoken, state.refunds_due[seat]))}{coupon}"


def fold_words(rules: TableRules) -> str:
    """What becomes of a progressive wager whose player folds, and so of the cards."""
    if not rules.has_fold:
        return ""
    if not rules.game.has_fold:
        return "above 21: collect every wager of the box, progressive lives"
    kept = ", envy lives" if rules.envy is not None and rules.envy.fold.effect == "lives" else ""
    match rules.wager.fold.effect:
        case "lives":
            return "folded: keep the cards, progressive lives"
        case "forfeits":
            return f"folded: progressive lost{kept}"
        case "bars":
            return "may not fold: progressive is live"
