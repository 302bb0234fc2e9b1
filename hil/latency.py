"""How fast a table answers inside the guest, against the least that a program can do there in the same run."""

import statistics
import sys
from typing import Final

from msgspec import Struct

from hil.operator import BEAMS, END_OF_ROUND, GATES, LIGHTS, LOCK_OUT, TableOperator
from hil.virtual import VirtualRig

UP_S: Final = 600.0
_ECHO: Final = "systemd-run -q --unit=bench-echo /opt/pitlink/current/bin/python /opt/bench/echo.py"
_ECHO_IN, _ECHO_OUT = 0, 1
_CHIP_MS, _PRESS_MS = 180.0, 150.0
_DARK_MS: Final = 900.0  # a light that invites is dark for 1,000


class Answer(Struct, frozen=True):
    """One way from a pin to another, and what each try took."""

    way: str
    took_ms: tuple[float, ...]

    @property
    def median_ms(self) -> float:
        """The middle one."""
        return statistics.median(self.took_ms)

    @property
    def late_ms(self) -> float:
        """Nine of ten were faster."""
        return statistics.quantiles(self.took_ms, n=10)[-1]


def answers(table: TableOperator, rig: VirtualRig, rounds: int) -> tuple[Answer, ...]:
    """Bare callback, edge to light, button to gates: every round has seven chips, one lock-out and eight bare edges."""
    rig.must("sh", "-c", _ECHO)
    table.until(lambda state: not state["link"]["reason"], "not up", UP_S)
    table.open()
    rig.react(_ECHO_IN, True, {_ECHO_OUT: True})  # the first one warms everything up
    rig.react(_ECHO_IN, False, {_ECHO_OUT: False})
    bare, lights, gates = [], [], []
    for number in range(1, rounds + 1):
        for seat in GATES:
            bare.append(_bare(rig))
            lights.append(_chip(table, rig, seat))
        bare.append(_bare(rig))
        gates.append(_lock_out(table, rig))
        _next_round(table, number + 1)
        print(
            f"bench: round {number}: light {lights[-1]:.1f} ms, gates {gates[-1]:.1f} ms", file=sys.stderr, flush=True
        )
    ways = {"bare callback": bare, "edge → light": lights, "button → gates": gates}
    return tuple(Answer(way, tuple(took_ms)) for way, took_ms in ways.items())


def _bare(rig: VirtualRig) -> float:
    took = rig.react(_ECHO_IN, True, {_ECHO_OUT: True})
    rig.react(_ECHO_IN, False, {_ECHO_OUT: False})
    return took


def _chip(table: TableOperator, rig: VirtualRig, seat: int) -> float:
    """From the edge behind a chip to its light."""
    try:
        return rig.pass_beam(BEAMS[seat], LIGHTS[seat], _CHIP_MS, _DARK_MS)
    finally:
        table.chip_fell()


def _lock_out(table: TableOperator, rig: VirtualRig) -> float:
    """From a finger's first edge until the last gate is low."""
    took = rig.react(LOCK_OUT, False, dict.fromkeys(GATES.values(), False))
    rig.play([(LOCK_OUT, False, _PRESS_MS), (LOCK_OUT, True, _PRESS_MS)])
    table.until(lambda state: state["phase"] == "in play", "not registered")
    return took


def _next_round(table: TableOperator, number: int) -> None:
    table.press(END_OF_ROUND)
    table.until(lambda state: (state["round"], state["phase"]) == (number, "open"), "no next round")
    table.until(lambda _: table.open_gates() == set(GATES), "gates stay shut")
