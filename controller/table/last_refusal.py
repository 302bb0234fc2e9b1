"""Last refusal: why something was not done, and when; cleared when people go on."""

from typing import Final

from common.clock import Clock
from games.refusal import Refusal, because
from games.round.events import (
    AwardFixed,
    AwardsFreed,
    AwardsHeld,
    ChipsCounted,
    ChipsReturned,
    CollectionStarted,
    CouponAccepted,
    CouponRefused,
    DeviceFaulted,
    DeviceMended,
    Event,
    LinkLost,
    LinkRestored,
    ValidationAccepted,
    ValidationRefused,
    WagersRegistered,
)
from games.round.state import Phase
from games.round.step import RoundStep

_BY_ITSELF: Final = (
    AwardFixed,
    AwardsFreed,
    AwardsHeld,
    ChipsCounted,
    ChipsReturned,
    CollectionStarted,
    CouponAccepted,
    DeviceFaulted,
    DeviceMended,
    LinkLost,
    LinkRestored,
    ValidationAccepted,
    WagersRegistered,
)


class LastRefusal:
    """Watches a table; what the table does by itself takes no refusal out of a person's sight."""

    def __init__(self, phase: Phase, clock: Clock) -> None:
        self.known: Refusal | None = None
        self.at_ms = 0
        self._phase, self._clock = phase, clock

    def note(self, event: Event, step: RoundStep) -> None:
        """Keeps a refusal, or drops the one before when somebody's act was accepted or the phase is another."""
        said_by_meter = event.reason if isinstance(event, CouponRefused | ValidationRefused) else ""
        refusal = because("meter_says", words=said_by_meter) if said_by_meter else step.refusal
        if refusal is not None:
            self.known, self.at_ms = refusal, self._clock.wall_ms()
        elif step.state.phase is not self._phase or not isinstance(event, _BY_ITSELF):
            self.known, self.at_ms = None, 0
        self._phase = step.state.phase
