"""The audit behind a running meter: another process reads a long ledger back, and a finding ends the meter."""

import asyncio
import sys
from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import Struct

from common.log import Log
from meter.service.worker_process import ask_apart, task_apart
from meter.store.audit import audited
from meter.store.base import OutOfReach, Saved, StoreFault
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
        code, found = await ask_apart("meter.service.background_audit", msgspec.json.encode(task))
        if (code, found) == (0, SOUND):
            return None
        words = found.decode() or f"the audit of link {task.link} ended with code {code}"
        return OutOfReach(words) if code == OUT_OF_REACH else StoreFault(words)


def main() -> int:
    """Audits what standard input says; 0 and a word if it is sound, otherwise what was found, on standard output."""
    # The floor comes first, but a starved audit would prove nothing.
    task = msgspec.json.decode(task_apart(niceness=5), type=Task)
    try:
        store = open_store(task.store, reading=True)
        if isinstance(store, SqliteStore):
            store.check_file()
        audited(store, task.link, task.snapshot)
    except StoreFault as fault:
        print(fault, end="", flush=True)
        return OUT_OF_REACH if isinstance(fault, OutOfReach) else DAMAGED
    print(SOUND.decode(), end="", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
