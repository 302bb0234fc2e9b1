"""A doubted ledger at the start: another process reads all of it back, while systemd and a standby see that we live."""

import asyncio
from typing import Final

from common.log import Log
from common.supervision import ServiceManager
from meter.service.background_audit import BackgroundAudit
from meter.store.base import (
    OpenStore,
    OutOfReach,
    Saved,
    StoreFault,
)

BEAT_S: Final = 1.0
MORE_TIME_S: Final = 30.0


async def settle_doubt(address: str, store: OpenStore, log: Log, manager: ServiceManager) -> bool:
    """Whether there was a doubt, once every ledger has passed; raises StoreFault with what was found otherwise."""
    doubt = store.doubt() or _new_doubt(store)
    if not doubt:
        return False
    log.warning("ledger_doubted", reason=doubt, advice="all of it is read back before anybody hears of this meter")
    audit = BackgroundAudit(address, {link: _figures(store, link) for link in store.links()}, log)
    check, watchdog = asyncio.create_task(audit.check()), asyncio.create_task(manager.pet_watchdog())
    try:
        while not check.done():
            manager.still_starting("a doubted ledger is read back before anything is said", MORE_TIME_S)
            store.commit(())  # the books stay ours
            await asyncio.wait([check], timeout=BEAT_S)
        check.result()
    finally:
        check.cancel()
        watchdog.cancel()
        await asyncio.gather(check, watchdog, return_exceptions=True)
    store.write_doubt("")
    return True


def _new_doubt(store: OpenStore) -> str:
    """Writes down which figures do not even fit the last records beside them: only an audit says where that began."""
    for link in store.links():
        try:
            store.load(link)
        except OutOfReach:
            raise
        except StoreFault as fault:
            store.write_doubt(str(fault))
            return str(fault)
    return ""


def _figures(store: OpenStore, link: str) -> Saved | None:
    try:
        return store.load(link)
    except StoreFault:
        return None  # the audit names the first bad record
