"""Shutdown: publishes the last figures, or notes why the meter had to end."""

from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final, Protocol

from link.messages import encode
from meter.booking.booker import Booker
from meter.booking.link_booker import SelfCheckFault
from meter.service.link_desk import LinkDesk
from meter.service.state import leaving_state, stopped_state
from meter.store.base import OutOfReach, StoreFault

SHUT_DOWN: Final = "the meter was shut down"


class FarewellSender(Protocol):
    """The part of a pipe that asks for our last words."""

    def leave_with(self, farewell: Callable[[], bytes]) -> None: ...


class Shutdown:
    """Watches the parts without which the books cannot be kept, and knows what every link leaves with."""

    def __init__(
        self,
        booker: Booker,
        desks: Mapping[str, LinkDesk],
        pipes: Mapping[str, FarewellSender],
        *,
        doubt: Callable[[str], None],
        wall_ms: Callable[[], int],
    ) -> None:
        self._booker, self._desks, self._doubt, self._wall_ms = booker, desks, doubt, wall_ms
        self._why = ""  # it had to go
        for name, mqtt in pipes.items():
            mqtt.leave_with(partial(self._farewell, name))

    async def of(self, part: Coroutine[Any, Any, None]) -> None:
        """Runs this part; if the store or the self-check ends it, every link's retained state will say why."""
        try:
            await part
        except StoreFault as fault:
            self._why = str(fault)
            with suppress(StoreFault):  # what cannot be written now is not opened by the next start either
                self._write_down(fault)
            raise

    def _write_down(self, fault: StoreFault) -> None:
        """No restart alone opens what was stopped (R63), or trusts figures beside which damage was met."""
        match fault:
            case SelfCheckFault():
                self._stop(str(fault))
            case OutOfReach():
                return  # the books are another meter's, or as good as they were
            case _:
                self._doubt(str(fault))

    def _stop(self, reason: str) -> None:
        try:
            self._booker.stop(reason)
        except StoreFault as fault:
            self._doubt(f"{reason}; {fault}")  # what cannot even be stopped is not opened on trust
            raise

    def _farewell(self, name: str) -> bytes:
        """Everything as it stands on disk: whoever looks on sees no amount fall and no pending award vanish (R82)."""
        head, now_ms = self._desks[name].head, self._wall_ms()
        if self._why:
            return encode(stopped_state(name, head, self._why, now_ms))
        return encode(leaving_state(name, head, SHUT_DOWN, now_ms))
