"""Audits in another process: of a doubted ledger at the start, and behind a running meter."""

import asyncio
import sys
from collections.abc import Mapping
from contextlib import closing
from typing import Final

import msgspec
from msgspec import Struct

from common.log import Log
from common.supervision import ServiceManager
from meter.service.worker_process import run_worker, worker_task
from meter.store.audit import audited
from meter.store.base import OpenStore, OutOfReach, Saved, StoreFault
from meter.store.open import open_store
from meter.store.sqlite import SqliteStore

DAMAGED: Final = 3
OUT_OF_REACH: Final = 4
SOUND: Final = b"sound"


class Task(Struct, frozen=True):
    """Which ledger to read back, and up to which figures (none: all of it).

    It is told on standard input, for an address is nobody else's business.
    """

    store: str
    link: str
    snapshot: Saved | None


class BackgroundAudit:
    """Reads every link back that was opened on trust."""

    def __init__(self, store: str, snapshots: Mapping[str, Saved | None], log: Log) -> None:
        self._store, self._snapshots, self._log = store, snapshots, log

    async def run(self) -> None:
        """Audits link after link, then rests for ever; raises StoreFault at the first damage."""
        await self.check()
        await asyncio.Event().wait()

    async def check(self) -> None:
        """Audits link after link; raises StoreFault at the first damage."""
        for link, snapshot in self._snapshots.items():
            fault = await self._audit(Task(self._store, link, snapshot))
            if fault:
                raise fault
            self._log.info("ledger_audited", link=link, records=snapshot.head.number if snapshot else 0)

    async def _audit(self, task: Task) -> StoreFault | None:
        """What is wrong with this ledger, or None; an audit that could not be made is no proof of anything."""
        code, found = await run_worker("meter.service.background_audit", msgspec.json.encode(task))
        if (code, found) == (0, SOUND):
            return None
        words = found.decode() or f"the audit of link {task.link} ended with code {code}"
        return OutOfReach(words) if code == OUT_OF_REACH else StoreFault(words)


def main() -> int:
    """Audits what standard input says; 0 and a word if it is sound, otherwise what was found, on standard output."""
    # The floor comes first, but a starved audit would prove nothing.
    task = msgspec.json.decode(worker_task(niceness=5), type=Task)
    try:
        with closing(open_store(task.store, reading=True)) as store:
            if isinstance(store, SqliteStore):
                store.check_file()
            audited(store, task.link, task.snapshot)
    except StoreFault as fault:
        print(fault, end="", flush=True)
        return OUT_OF_REACH if isinstance(fault, OutOfReach) else DAMAGED
    print(SOUND.decode(), end="", flush=True)
    return 0


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


if __name__ == "__main__":
    sys.exit(main())
