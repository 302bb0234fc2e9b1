"""Whether the meter is there: what a table heard of it and when, judged without a clock of its own."""

import math
from typing import Final

from controller.table import NOT_YET
from games.events import LinkLost, LinkRestored

NETWORK_DOWN: Final = "the network to the meter is down: call a technician"
SILENT: Final = "the meter does not answer"


class LinkWatch:
    """What one table knows of its meter."""

    def __init__(self, loss_s: float) -> None:
        self._loss_s = loss_s
        self.is_connected = False
        self.is_welcome = False
        self._due = -math.inf  # when a meter that says nothing more is lost
        self._why = NOT_YET
        self._said: str | None = None

    def connected(self) -> None:
        """There is a way to the meter; whether it is there, nobody knows yet."""
        self.is_connected, self._why = True, NOT_YET

    def disconnected(self) -> None:
        """There is no way to the meter."""
        self.is_connected, self.is_welcome, self._why = False, False, NETWORK_DOWN

    def beat(self, now: float) -> None:
        """The meter said where it stands."""
        self._due = now + self._loss_s

    def stopped(self, why: str) -> None:
        """The meter said that it is gone."""
        self._due = -math.inf
        self.turned_away(why)

    def welcomed(self, now: float) -> None:
        """The meter answered, and lets this table play."""
        self.is_welcome, self._due = True, now + self._loss_s

    def turned_away(self, why: str) -> None:
        """The meter does not let this table play."""
        self.is_welcome, self._why = False, why

    def next_look(self, now: float) -> float:
        """When somebody must look again even if nothing is heard: not a moment later."""
        return self._due if self._due > now else math.inf

    def news(self, now: float, *, down: str, stuck: str) -> LinkLost | LinkRestored | None:
        """What has changed since it was said last, once, however long the table takes to write it down.

        down is what the table's book says; stuck is why the meter, although it is there, is of no use, or nothing.
        """
        is_silent = now >= self._due
        is_up = self.is_welcome and not is_silent and not stuck
        down = down if self._said is None else self._said
        if is_up and down:
            self._said = ""
            return LinkRestored()
        if not is_up and (down or stuck or is_silent or self._is_turned_away()):
            reason = (stuck or SILENT) if self.is_connected and self.is_welcome else self._why
            if reason not in (down, NOT_YET):
                self._said = reason
                return LinkLost(reason)
        return None

    def _is_turned_away(self) -> bool:
        """A link may blink; only a silence of loss_s is a loss, but a refusal or a stopped meter is one at once."""
        return self.is_connected and not self.is_welcome and self._why != NOT_YET
