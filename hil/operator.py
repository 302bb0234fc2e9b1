"""Operator of a table on a rig: player with chips, dealer with buttons and cards, supervisor with a key."""

import time
from collections.abc import Callable
from typing import Any, Final

from demo.floor import STAFF
from drivers.simulated.hopper import SimulatedHopper
from hil.rig import Rig

LOCK_OUT, END_OF_ROUND, KEY, LAMP = 25, 3, 2, 26
BEAMS: Final = dict(enumerate((15, 24, 4, 5, 6, 7, 8), start=1))
GATES: Final = dict(enumerate((9, 10, 11, 12, 13, 16, 17), start=1))
LIGHTS: Final = dict(enumerate((18, 19, 20, 21, 22, 23, 27), start=1))
PINS: Final = {name: {"number": number, "pin": pin} for number, name, _, pin in STAFF}
PATIENCE_S: Final = 120.0
_CHIP_MS, _PRESS_MS = 145, 150


class TableOperator:
    """One table, handled as people handle it."""

    def __init__(self, rig: Rig, hopper: SimulatedHopper) -> None:
        self.rig, self._hopper = rig, hopper
        self.chips_in = 0

    def insert_chip(self, seat: int) -> bool:
        """Pushes a chip into a slot; whether the gate let it through."""
        if not self.rig.read([GATES[seat]])[GATES[seat]]:
            return False
        try:
            self.rig.play([(BEAMS[seat], True, _CHIP_MS), (BEAMS[seat], False, _CHIP_MS)])
        finally:  # whatever becomes of the board, the chip falls
            self.chip_fell()
        return True

    def chip_fell(self) -> None:
        """A chip that passed a gate lies in the hopper."""
        self._hopper.load(1)
        self.chips_in += 1

    def press(self, button: int) -> None:
        """Presses and releases a button."""
        self.rig.play([(button, False, _PRESS_MS), (button, True, _PRESS_MS)])

    def turn_key(self, *, on: bool) -> None:
        """Turns the supervisor's key."""
        self.rig.drive({KEY: not on})

    def state(self) -> dict[str, Any] | None:
        """How the table stands; None while nobody answers."""
        status, answer = self.rig.ask("state")
        return answer if status == 200 else None

    def tell(self, action: str, *, by: str = "Dan", **body: Any) -> bool:
        """Tells the table something, signed by this person of the demo's staff; whether it was accepted."""
        signed = {} if action == "retest" else {"signed": PINS[by]}
        status, _ = self.rig.ask(action, body | signed)
        return bool(status == 200)

    def until(self, is_so: Callable[[dict[str, Any]], bool], what: str, within_s: float = PATIENCE_S) -> dict[str, Any]:
        """Waits, not for ever, until the table stands like that."""
        deadline = time.monotonic() + within_s
        while True:
            state = self.state()
            if state is not None and is_so(state):
                return state
            if time.monotonic() > deadline:
                raise TimeoutError(f"{what}: {state}")
            time.sleep(0.2)

    def lit(self) -> set[int]:
        """The seats whose light shines at this moment, as eyes see it."""
        shown = self.rig.read(LIGHTS.values())
        return {seat for seat, line in LIGHTS.items() if shown[line]}

    def open_gates(self) -> set[int]:
        """The seats that take a chip, as a chip finds them."""
        shown = self.rig.read(GATES.values())
        return {seat for seat, line in GATES.items() if shown[line]}

    def open(self) -> None:
        """The supervisor turns the key and opens the table."""
        self.until(lambda state: not state["link"]["reason"] and not state["faults"], "no link, or a fault")
        self.turn_key(on=True)
        self.until(lambda state: state["key_on"], "the key does not turn")
        assert self.tell("open", by="Sue")
        self.until(lambda state: state["phase"] == "open", "not open")
