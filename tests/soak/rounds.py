"""Random rounds of every game at a table whose process is killed with SIGKILL between any two steps, or within one.

python -m tests.soak.rounds --kills 100 [--seed N]    plays until so many lives have ended, game after game

The table is the loop and the journal of a real one in a process of its own; people, metal and meter are played here. It
must end each round with exactly the payments, order and meter of `settle`, and stand after each kill where it stood.
"""

import argparse
import asyncio
import multiprocessing
import random
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

import msgspec
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from common.clock import RealClock
from common.log import open_log
from controller.journal.journal import Journal
from controller.table.loop import TableLoop
from games.catalogue import GAMES
from games.refusal import Refusal
from games.round.effects import Effect
from games.round.events import Event, LinkRestored
from games.round.state import RoundState
from games.round.step import RoundStep
from games.round.table_rules import TableRules
from games.settlement import PlayedRound
from tests.support.games.any_rounds import regular_rounds
from tests.support.games.crew import Crew, due, rules_of
from tests.support.games.pit import PaperTable
from tests.support.table.paper_floor import Silent

KILL_RATE: Final = 0.25
"""How often a step ends a life: before it, or while it is being written."""
LONGEST_WRITE_S: Final = 0.004
ROUNDS_A_TURN: Final = 2  # the first that is generated is always the simplest
_FORK: Final = multiprocessing.get_context("fork")


class Deaf:
    """No metal: what the round orders is played by the driver."""

    def perform(self, effect: Effect) -> None:
        del effect

    def make_safe(self) -> None:
        return None


def live(rules: TableRules, path: Path, pipe: Connection) -> None:
    """One life of the table: answers each event with the refusal and the book, once it is written down."""
    asyncio.run(_serve(rules, path, pipe))


async def _serve(rules: TableRules, path: Path, pipe: Connection) -> None:
    clock = RealClock(asyncio.get_running_loop())
    table = TableLoop(rules, Journal.open(path), clock, open_log(Silent()))
    running = asyncio.create_task(table.run(Deaf()))
    pipe.send_bytes(msgspec.json.encode(table.state))
    while True:
        event = msgspec.json.decode(await asyncio.to_thread(pipe.recv_bytes), type=Event)
        step = await table.ask(event)
        assert not running.done()
        pipe.send_bytes(msgspec.json.encode((step.refusal, step.state)))


class KilledTable(PaperTable):
    """A table on paper beside the same table in a process; both must always say the same."""

    def __init__(self, rules: TableRules, path: Path, luck: random.Random) -> None:
        self.rules, self._path, self._luck = rules, path, luck
        self.kills = 0
        self._wake(RoundState())
        super().__init__(rules)

    def take(self, event: Event) -> RoundStep:
        """One step here and there; a life may end before it, or while it is being written."""
        if self._luck.random() < KILL_RATE / 2:
            self._die()
            self._wake(self.state)
        before = self.state
        step = super().take(event)
        self._pipe.send_bytes(msgspec.json.encode(event))
        if self._luck.random() >= KILL_RATE / 2:
            self._compare(step)
            return step
        time.sleep(self._luck.random() * LONGEST_WRITE_S)
        self._die()
        if not self._wake(step.state, or_else=before):
            self._pipe.send_bytes(msgspec.json.encode(event))
            self._compare(step)
        return step

    def _compare(self, step: RoundStep) -> None:
        assert self._answer() == (step.refusal, step.state)

    def _answer(self) -> tuple[Refusal | None, RoundState]:
        return msgspec.json.decode(self._pipe.recv_bytes(), type=tuple[Refusal | None, RoundState])

    def _begin(self) -> None:
        self._pipe, far = _FORK.Pipe()
        self._process = _FORK.Process(target=live, args=(self.rules, self._path, far), daemon=True)
        self._process.start()
        far.close()

    def _die(self) -> None:
        self.kills += 1
        self._process.kill()
        self._process.join()
        assert self._process.exitcode == -signal.SIGKILL
        self._pipe.close()

    def _wake(self, expected: RoundState, *, or_else: RoundState | None = None) -> bool:
        """A new life reads the journal: it stands where it stood, or before the event that was being written."""
        self._begin()
        found = msgspec.json.decode(self._pipe.recv_bytes(), type=RoundState)
        assert found in (expected, or_else)
        self._pipe.send_bytes(msgspec.json.encode(LinkRestored()))
        assert self._answer() == (None, replace(found, link_down="", link_refused=False))
        return found == expected

    def close(self) -> None:
        """The last life of the round."""
        self._die()
        self.kills -= 1  # nothing is left to be lost


def play(played: PlayedRound, luck: random.Random, folder: Path) -> int:
    """One round to its end, compared with the settlement; how many lives it cost."""
    table = KilledTable(rules_of(played), folder / "journal.db", luck)
    try:
        crew = Crew(played, luck, table)
        crew.play()
    finally:
        table.close()
    expected = due(crew.settlement)
    assert [line for line in crew.paid if line.deducted] == [line for line in expected if line.deducted]
    assert Counter(crew.paid) == Counter(expected)
    assert crew.meter.cents == crew.settlement.meter_after_cents
    return table.kills


def soak(kills: int, first_seed: int) -> Iterator[tuple[str, int]]:
    """Game after game until so many lives have ended: each round's game and what it cost."""
    told: list[tuple[str, int]] = []

    for turn in range(first_seed, first_seed + 1_000_000):
        name = list(GAMES)[turn % len(GAMES)]

        @seed(turn)
        @settings(
            max_examples=ROUNDS_A_TURN,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(regular_rounds(games=(name,)), st.integers(0, 2**32))
        def rounds(played: PlayedRound, luck: int) -> None:
            with tempfile.TemporaryDirectory() as folder:
                told.append((played.game.name, play(played, random.Random(luck), Path(folder))))

        before = len(told)
        rounds()
        yield from told[before:]
        if sum(cost for _, cost in told) >= kills and turn - first_seed + 1 >= len(GAMES):
            return


def main() -> None:
    """The slower command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    args = parser.parse_args()
    print(f"seed {args.seed}", flush=True)
    began, rounds, lives = time.monotonic(), Counter[str](), Counter[str]()
    for name, kills in soak(args.kills, args.seed):
        rounds[name] += 1
        lives[name] += kills
    for name in GAMES:
        print(f"{name}: {rounds[name]} rounds, {lives[name]} kills")
    took = time.monotonic() - began
    print(f"{rounds.total()} rounds, {lives.total()} kills in {took:.0f} s: every round ended as settle says")


if __name__ == "__main__":
    main()
