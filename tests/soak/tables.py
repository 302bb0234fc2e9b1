"""Tables of a floor in a process of their own, with journals on disk, so that a test can kill them at any moment.

python -m tests.soak.tables PORT FOLDER SEED TABLE…    plays until FOLDER/closing exists and everything is booked
"""

import asyncio
import os
import random
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from drivers.mqtt.settings import BrokerSettings
from link.messages import VERSION, Award, Entry, Envelope, Payout, Release, Wagers, decode, encode
from tests.support.meter.meter_process import LinkTable

PACE_S: Final = 0.03
FIRST_MS: Final = 1_800_000_000_000
ROUND_MS: Final = 60_000
PRIZE_CENTS: Final = 50_00
PRIZES: Final = 0.05  # of all rounds: wagers bring more than that, so that the meter pays them all however long it runs


def journal_of(folder: Path, table: str) -> list[Envelope]:
    """What a table has written down; a line that a kill cut short was never sent."""
    path = folder / f"{table}.journal"
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return [decode(line, Envelope) for line in lines]


class JournalTable(LinkTable):
    """A table that writes and syncs before it sends, and goes on after a kill where its journal ends."""

    def __init__(self, name: str, broker: BrokerSettings, folder: Path) -> None:
        super().__init__(name, broker, resend_s=0.4)
        self.entries = journal_of(folder, name)
        path = folder / f"{name}.journal"
        with path.open("ab") as whole:
            whole.truncate(sum(len(encode(entry)) + 1 for entry in self.entries))
        self._file = path.open("ab")

    def enter(self, entry: Entry, *, after_ms: int = ROUND_MS) -> int:
        seq, last_ms = len(self.entries) + 1, self.entries[-1].at_ms if self.entries else FIRST_MS
        envelope = Envelope(VERSION, self.name, self.hello.journal, seq, last_ms + after_ms, entry)
        self._file.write(encode(envelope) + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self.entries.append(envelope)
        self._work.set()
        return seq

    def _has_booked(self, seq: int) -> bool:
        return self.booked_seq >= seq

    @property
    def unsettled(self) -> list[int]:
        """The awards that were claimed and neither paid nor rejected."""
        claims = [envelope.seq for envelope in self.entries if isinstance(envelope.entry, Award)]
        settled = {e.entry.award_seq for e in self.entries if isinstance(e.entry, Payout | Release)}
        return [seq for seq in claims if seq not in settled]

    async def settle(self, luck: random.Random) -> None:
        """Waits for the amount of every open award, then pays or rejects it."""
        for seq in self.unsettled:
            await self.until(partial(self._has_booked, seq))
            paid = luck.random() < 0.7
            if paid:
                self.pay(seq, PRIZE_CENTS)
            else:
                self.enter(Release(seq, "misread", "supervisor"))


async def play(table: JournalTable, luck: random.Random, is_closing: Callable[[], bool]) -> None:
    """Round after round, now and then a prize, until the floor closes; leaves nothing unbooked behind."""
    while not is_closing():
        await table.settle(luck)
        seats = tuple(sorted(luck.sample(range(1, 8), luck.randint(1, 7))))
        number = table.enter(Wagers(len(table.entries) + 1, 100, seats))
        if luck.random() < PRIZES:
            table.enter(Award(number, seats[0], "flush", fixed_cents=PRIZE_CENTS))
        await asyncio.sleep(PACE_S * luck.random())
    await table.settle(luck)
    await table.until(lambda: table.booked_seq == len(table.entries))


async def run(port: int, folder: Path, seed: str, names: Sequence[str]) -> None:
    """Plays all of these tables until the floor closes."""
    tables = [JournalTable(name, BrokerSettings("127.0.0.1", port), folder) for name in names]
    async with asyncio.TaskGroup() as floor:
        for table in tables:
            await table.__aenter__()
            floor.create_task(play(table, random.Random(f"{seed}/{table.name}"), (folder / "closing").exists))
    for table in tables:
        await table.__aexit__()


if __name__ == "__main__":
    asyncio.run(run(int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4:]))
