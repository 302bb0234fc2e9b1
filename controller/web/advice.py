"""Advice: what a person does about a fault, in words."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from common.board_health import HealthAlarm
from controller.settings.device_names import RETURN_DEVICE
from controller.table.last_failure import Failure
from games.round.state import DeviceFault, RoundState

_AT_SEAT: Final[Mapping[str, str]] = {
    "stuck": "Take out what is in the slot of seat {seat}, then test again; the seat plays without progressive.",
    "chatter": "Clean the sensor of seat {seat}, then test again; if it comes back, call a technician.",
    "spurious": "Something was seen where nothing can be: look at seat {seat}, then test again.",
    "out of order": "A chip went the wrong way: settle it with the player of seat {seat}, then test again.",
}
_AT_RETURN: Final[Mapping[str, str]] = {
    "jam": "Open the return device, clear the chips, put them back in, then count again. Do not deal.",
    "silent": "Check that the return device has power and its cable is in; it is asked again by itself.",
    "missing": "The adapter of the return device is not there: plug it in; it is asked again by itself.",
    "garbled": "The cable of the return device is loose or disturbed: check it; it is asked again by itself.",
    "reset": "The return device lost power while it counted: count again and compare by hand.",
    "distrusted": "The return device may have miscounted: count by hand, void the round, call a technician.",
    "stopped": "The return device was told to stand still: count again.",
}
_ANY: Final = "Call a technician, then test again."


def remedy(device: str, fault: DeviceFault) -> str:
    """What to do about this fault of this device."""
    if fault.seat:
        return _AT_SEAT.get(fault.kind, _ANY).format(seat=fault.seat)
    return _AT_RETURN.get(fault.kind, _ANY) if device == RETURN_DEVICE else _ANY


_KEEP: Final = (
    "Do not pay. Keep the cards where they lie and ask the player to stay; management enters who comes first at the "
    "meter, and this table goes on by itself."
)
_READ_IT: Final = "It runs again and stands where it stood. Tell a technician; acknowledge when the cause is known."


_WHO_TRIED: Final = "Ask who it was. The journal has every try; nobody is locked out at this screen by tries elsewhere."


_STALE: Final = "Whoever was removed since can still sign in here. Call who looks after the link to the meter."


class Advice(Struct, frozen=True):
    """A fault as the panel shows it."""

    device: str
    seat: int
    detail: str
    advice: str


def advice(
    state: RoundState,
    *,
    plays_on: bool,
    contest: Sequence[str],
    failure: Failure | None,
    wrong_pins: str = "",
    stale: str = "",
    board: Sequence[HealthAlarm] = (),
) -> tuple[Advice, ...]:
    """A contested award, faults, a lost meter, the program's last failure and wrong PINs, each with what to do."""
    faults = [Advice(device, fault.seat, fault.detail, remedy(device, fault)) for device, fault in state.faults.items()]
    return (
        *([_contested(state.held, contest)] if _is_contested(state) else []),
        *faults,
        *([_lost(state, plays_on=plays_on)] if state.link_down else []),
        *([Advice("table program", 0, str(failure), _READ_IT)] if failure else []),
        *([Advice("sign-in", 0, wrong_pins, _WHO_TRIED)] if wrong_pins else []),
        *([Advice("staff directory", 0, stale, _STALE)] if stale else []),
        *(Advice(alarm.part, 0, alarm.words, alarm.advice) for alarm in board),
    )


def _is_contested(state: RoundState) -> bool:
    return any(map(state.is_held, state.open_claims))


def _contested(held: str, contest: Sequence[str]) -> Advice:
    return Advice("contested award", 0, "; ".join(contest) or held, _KEEP)


def _lost(state: RoundState, *, plays_on: bool) -> Advice:
    if plays_on:
        words = "Play on: wagers are kept here and booked when the meter is back."
    elif state.link_refused:
        words = "Finish this round; no progressive wagers until the meter takes this table. Call who looks after it."
    else:
        words = "Finish this round; no progressive wagers until the meter is back. It comes back by itself."
    return Advice("meter", 0, state.link_down, words)
