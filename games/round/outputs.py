"""What the table shows and accepts: lights, gates and lamp as a function of the round's state."""

from msgspec import Struct

from games.round.effects import Effect, Light, OpenGate, SetLamp, SetLight, ShutGate
from games.round.state import ClaimState, Phase, RoundState
from games.round.table_rules import TableRules


class Outputs(Struct, frozen=True):
    """Every light and gate of the table at one moment."""

    lights: dict[int, Light]
    gates: dict[int, bool]
    lamp: Light
    wager_lights: dict[tuple[int, str], Light] = {}  # of the sensors of side wagers, by seat and wager


def outputs(rules: TableRules, state: RoundState) -> Outputs:
    """How the table must look and what it may take in this state."""
    faulty = {fault.seat for fault in state.faults.values() if not fault.wager}
    is_open, live = takes_chips(rules, state), live_wagers(state)
    shut = {*state.wagers, *state.asked_coupons, *faulty}
    gates = {seat: is_open and seat not in shut for seat in rules.seats}
    lights = {seat: _light(is_live=seat in live, is_faulty=seat in faulty, is_open=gates[seat]) for seat in rules.seats}
    return Outputs(lights, gates, _lamp(state), _wager_lights(rules, state))


def _wager_lights(rules: TableRules, state: RoundState) -> dict[tuple[int, str], Light]:
    """A sensor's light is lit exactly while the wager that it saw lives."""
    live, is_open = live_side_wagers(rules, state), state.is_taking_wagers and state.closing is None
    return {
        (seat, wager): _light(
            is_live=(seat, wager) in live,
            is_faulty=state.is_sensor_faulty(seat, wager),
            is_open=is_open and seat not in state.baseless,
        )
        for seat, wager in rules.sensors
    }


def takes_chips(rules: TableRules, state: RoundState) -> bool:
    """Whether any gate may be open: never after lock-out or "No more bets" (1.13Q(e)3, 1.10A(d)2)."""
    sound = not state.is_miscounted and all(fault.seat for fault in state.faults.values())
    return state.is_taking_wagers and sound and not rules.why_cut_off(state) and state.closing is None


def is_at_rest(rules: TableRules, state: RoundState) -> bool:
    """Whether nothing is in hand here, and no wager can come before the meter lets this table play again."""
    in_hand = live_wagers(state) or state.asked_coupons or state.open_claims or state.envy_due or state.refunds_due
    return bool(rules.why_cut_off(state)) and not in_hand


def changes(before: Outputs | None, after: Outputs) -> tuple[Effect, ...]:
    """The orders that turn one look of the table into another: gates shut first and open last."""
    gates = {seat: is_open for seat, is_open in after.gates.items() if not before or before.gates[seat] != is_open}
    lights = {seat: light for seat, light in after.lights.items() if not before or before.lights[seat] is not light}
    told = before.wager_lights if before else {}
    shown = {at: light for at, light in after.wager_lights.items() if told.get(at) is not light}
    return (
        *(ShutGate(seat) for seat, is_open in gates.items() if not is_open),
        *(SetLight(seat, light) for seat, light in lights.items()),
        *(SetLight(seat, light, wager) for (seat, wager), light in shown.items()),
        *((SetLamp(after.lamp),) if not before or before.lamp is not after.lamp else ()),
        *(OpenGate(seat) for seat, is_open in gates.items() if is_open),
    )


def live_wagers(state: RoundState) -> frozenset[int]:
    """Seats whose wager can still win: a paid, refunded or forfeited one cannot."""
    paid = {claim.seat for claim in state.claims if claim.state is ClaimState.PAID and claim.wager == "progressive"}
    refunded = set(state.voided) - set(state.refunds_due)
    over = state.phase in (Phase.ENDED, Phase.CLOSED)
    return frozenset() if over else frozenset(state.wagers) - paid - refunded - set(state.forfeited)


def live_side_wagers(rules: TableRules, state: RoundState) -> frozenset[tuple[int, str]]:
    """The wagers that a sensor saw and that can still win, by seat and wager."""
    if not state.sensed or state.phase in (Phase.VOIDED, Phase.ENDED, Phase.CLOSED):
        return frozenset()
    live, forfeits = (
        set[tuple[int, str]](),
        {each.name for each in rules.layout_wagers if each.fold.effect == "forfeits"},
    )
    for seat, names in state.sensed.items():
        gone = {*state.refunded.get(seat, ()), *(forfeits if seat in state.folded else ())}
        live |= {(seat, name) for name in names if name not in gone and not state.is_paid(seat, name)}
    return frozenset(live)


def _light(*, is_live: bool, is_faulty: bool, is_open: bool) -> Light:
    """Lit once a chip was taken, and only then (1.13Q(e)1, 1.10A(d)1)."""
    if is_live:
        return Light.LIT
    if is_faulty:
        return Light.LOOK
    return Light.OPEN if is_open else Light.DARK


def _lamp(state: RoundState) -> Light:
    if (
        state.is_miscounted
        or state.open_claims
        or state.refunds_due
        or state.envy_due
        or state.papers_due
        or any(fault.seat == 0 for fault in state.faults.values())
    ):
        return Light.LOOK
    match state.phase:
        case Phase.CLOSED | Phase.ENDED:
            return Light.DARK
        case Phase.OPEN:
            return Light.OPEN
        case _:
            return Light.LIT
