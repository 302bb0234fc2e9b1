"""Advice: what a person does about a fault, in words."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from common.board_health import HealthAlarm
from common.words import Words
from controller.settings.device_names import RETURN_DEVICE
from controller.table.last_failure import Failure
from controller.web.text import IN_ENGLISH, device_words, reason_words
from games.round.state import DeviceFault, RoundState

_AT_SEAT: Final = frozenset({"stuck", "chatter", "spurious", "out of order"})
_AT_RETURN: Final = frozenset({"jam", "silent", "missing", "garbled", "reset", "distrusted", "stopped"})
"""Kinds of faults with a remedy of their own; for any other a technician is called."""


def remedy(device: str, fault: DeviceFault, words: Words) -> str:
    """What to do about this fault of this device."""
    if fault.seat and fault.kind in _AT_SEAT:
        return words.say(f"seat_{fault.kind.replace(' ', '_')}", seat=fault.seat)
    if device == RETURN_DEVICE and fault.kind in _AT_RETURN:
        return words.say(f"return_{fault.kind}")
    return words.say("call_technician")


class Advice(Struct, frozen=True):
    """A fault as the panel shows it."""

    device: str
    seat: int
    detail: str
    advice: str


def advice(
    state: RoundState,
    words: Words = IN_ENGLISH,
    *,
    plays_on: bool,
    contest: Sequence[str],
    failure: Failure | None,
    wrong_pins: str = "",
    stale: str = "",
    board: Sequence[HealthAlarm] = (),
) -> tuple[Advice, ...]:
    """A contested award, faults, a lost meter, the program's last failure and wrong PINs, each with what to do."""
    faults = [
        Advice(device_words(device, words), fault.seat, fault.detail, remedy(device, fault, words))
        for device, fault in state.faults.items()
    ]
    return (
        *([_contested(state.held, contest, words)] if _is_contested(state) else []),
        *faults,
        *([_lost(state, words, plays_on=plays_on)] if state.link_down else []),
        *([_of_table("program", str(failure), words)] if failure else []),
        *([_of_table("sign_in", wrong_pins, words)] if wrong_pins else []),
        *([_of_table("staff", stale, words)] if stale else []),
        *(Advice(alarm.part, 0, alarm.words, alarm.advice) for alarm in board),
    )


def _of_table(what: str, detail: str, words: Words) -> Advice:
    return Advice(words.say(f"about_{what}"), 0, detail, words.say(f"advice_{what}"))


def _is_contested(state: RoundState) -> bool:
    return any(map(state.is_held, state.open_claims))


def _contested(held: str, contest: Sequence[str], words: Words) -> Advice:
    return _of_table("contest", "; ".join(contest) or reason_words(held, words), words)


def _lost(state: RoundState, words: Words, *, plays_on: bool) -> Advice:
    key = "advice_play_on" if plays_on else "advice_link_refused" if state.link_refused else "advice_link_lost"
    return Advice(words.say("about_meter"), 0, reason_words(state.link_down, words), words.say(key))
