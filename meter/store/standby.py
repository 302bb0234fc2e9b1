"""Standby: of several meters on one store, one books and the others wait for the lock."""

import asyncio
from contextlib import AbstractContextManager
from typing import Final, Protocol, runtime_checkable

from common.clock import Clock
from common.log import Log
from common.supervision import ServiceManager
from meter.store.base import OpenStore

LOOK_S: Final = 0.25


@runtime_checkable
class Shared(Protocol):
    """A store for several meters."""

    def became_active(self, now_s: float) -> bool:
        """Takes the books over if it is our turn."""
        ...

    def as_one(self) -> AbstractContextManager[None]:
        """Makes one transaction of everything that is committed inside."""
        ...


async def wait_for_turn(store: OpenStore, clock: Clock, log: Log, manager: ServiceManager) -> None:
    """Returns when the books are ours alone; until then nothing is read from them and nothing said to anybody."""
    if not isinstance(store, Shared) or store.became_active(clock.now()):
        return
    log.info("meter_standing_by", advice="another meter has the books; this one takes over when that one is gone")
    manager.ready("standing by")
    watchdog = asyncio.create_task(manager.pet_watchdog())
    try:
        while not store.became_active(clock.now()):  # noqa: ASYNC110  a database lock sets no event
            await asyncio.sleep(LOOK_S)
    finally:
        watchdog.cancel()
    log.warning("meter_took_over", advice="find out why the other one is gone")
