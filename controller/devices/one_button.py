"""One button for lock-out and end of round: what a press of it means, so that an impatient one means nothing new."""

import math
from typing import Final

from games.round.state import Phase

GUARD_S: Final = 1.0
_AFTER_LOCK_OUT: Final = frozenset({Phase.COUNTED, Phase.IN_PLAY, Phase.SETTLING, Phase.VOIDED})


class OneButton:
    """A press means what the dealer saw GUARD_S ago, and presses that follow each other faster all mean the same."""

    def __init__(self, phase: Phase) -> None:
        self._ends = self._last_ended = phase in _AFTER_LOCK_OUT
        self._turned_at = self._pressed_at = -math.inf

    def stand(self, phase: Phase, at: float) -> None:
        """The table shows this phase from now on."""
        if (phase in _AFTER_LOCK_OUT) is not self._ends:
            self._ends, self._turned_at = not self._ends, at

    def press(self, at: float) -> bool:
        """Whether this press ends the round; otherwise it is lock-out."""
        if at - self._turned_at < GUARD_S:
            self._last_ended = not self._ends
        elif at - self._pressed_at >= GUARD_S:
            self._last_ended = self._ends
        self._pressed_at = at
        return self._last_ended
