"""A meter that stops itself says so to everybody before it goes, and writes it down where a restart finds it."""

from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any, Protocol

from meter.bookkeeper import Bookkeeper
from meter.clerk import SelfCheckFault
from meter.link import encode
from meter.service import Desk
from meter.state import stopped_state
from meter.store import OutOfReach, StoreFault


class Leaver(Protocol):
    """The part of a pipe that keeps our last words."""

    def leave_with(self, payload: bytes) -> None: ...


class LastWords:
    """Watches the parts without which the books cannot be kept."""

    def __init__(
        self,
        bookkeeper: Bookkeeper,
        desks: Mapping[str, Desk],
        pipes: Mapping[str, Leaver],
        *,
        doubt: Callable[[str], None],
        wall_ms: Callable[[], int],
    ) -> None:
        self._bookkeeper, self._desks, self._pipes, self._wall_ms = bookkeeper, desks, pipes, wall_ms
        self._doubt = doubt

    async def of(self, part: Coroutine[Any, Any, None]) -> None:
        """Runs this part; if the store or the self-check ends it, every link's retained state will say why."""
        try:
            await part
        except StoreFault as fault:
            self._say(str(fault))
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
            self._bookkeeper.stop(reason)
        except StoreFault as fault:
            self._doubt(f"{reason}; {fault}")  # what cannot even be stopped is not opened on trust
            raise

    def _say(self, words: str) -> None:
        for name, desk in self._desks.items():
            state = stopped_state(name, desk.head, words, self._wall_ms())
            self._pipes[name].leave_with(encode(state))
