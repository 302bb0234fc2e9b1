"""The table: one inbox, one loop; decide, write down, then act."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import Any, Final, Protocol, TypeAlias

from msgspec import Struct

from common.clock import Clock
from common.log import Log
from controller.journal.file import JournalFault
from controller.journal.journal import Journal
from controller.journal.records import EventRecord, Moment, Waiting
from controller.table.meter_entries import RoundInterval, entries
from controller.table.recovery import recall
from games.refusal import Refusal
from games.round.device_events import NOT_YET
from games.round.effects import Effect
from games.round.events import Event, LinkLost, SupervisorKeyTurned
from games.round.outputs import changes, outputs
from games.round.state import Phase, RoundState
from games.round.step import RoundStep, at_boot, handle
from games.round.table_rules import TableRules

_Order: TypeAlias = tuple[Callable[[], Any], "asyncio.Future[Any]"]


class JournalThread:
    """A thread of its own: half the way that an executor takes, and a light waits for every step of it."""

    def __init__(self) -> None:
        self._orders: SimpleQueue[_Order | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="journal", daemon=True)
        self._thread.start()

    def do(self, work: Callable[[], Any]) -> "asyncio.Future[Any]":
        """What work returns or raises, once its turn has come."""
        answer = asyncio.get_running_loop().create_future()
        self._orders.put((work, answer))
        return answer

    def close(self) -> None:
        """Waits until everything asked for is done; nothing may be asked for any more."""
        self._orders.put(None)
        self._thread.join()

    def _serve(self) -> None:
        while (order := self._orders.get()) is not None:
            work, answer = order
            try:
                result = work()
            except Exception as error:  # noqa: BLE001  it is raised where the answer is awaited
                _tell(answer, answer.set_exception, error)
            else:
                _tell(answer, answer.set_result, result)


def _tell(answer: "asyncio.Future[Any]", settle: Callable[[Any], None], outcome: object) -> None:
    loop = answer.get_loop()
    if not loop.is_closed():
        loop.call_soon_threadsafe(lambda: None if answer.done() else settle(outcome))


Decide: TypeAlias = Callable[[RoundState], Event]
Witness: TypeAlias = Callable[[Event, RoundStep], None]
Guard: TypeAlias = Callable[[RoundState], Refusal | None]
SNAPSHOT_EVERY: Final = 200
RETRY_S: Final = 1.0
HANG_S: Final = 2.0
HANGS: Final = "the journal's disk does not answer; the table waits for it"


class Performer(Protocol):
    """Who carries out what the round orders."""

    def perform(self, effect: Effect) -> None: ...

    def make_safe(self) -> None:
        """Shuts every gate at once; called when the journal cannot be written."""
        ...


class _Posted(Struct):
    decide: Decide
    answer: asyncio.Future[RoundStep] | None
    unless: Guard | None = None


class _Nobody:
    """Carries out nothing: what an event at boot orders is ordered again by at_boot."""

    def perform(self, effect: Effect) -> None:
        del effect

    def make_safe(self) -> None:
        return None


class TableLoop:
    """Owns the book; everybody else posts events and hears of steps."""

    def __init__(self, rules: TableRules, journal: Journal, clock: Clock, log: Log) -> None:
        self.rules = rules
        self.journal = journal
        self.trouble = ""
        self._clock = clock
        self._log = log
        self._inbox: asyncio.Queue[_Posted] = asyncio.Queue()
        self._witnesses: list[Witness] = []
        self._journal_thread = JournalThread()
        self._pace = RoundInterval()
        self._busy = False
        self._failing = 0
        self._performer: Performer = _Nobody()
        self.state, self._since_snapshot = recall(rules, journal)

    def post(self, event: Event) -> None:
        """Puts an event in the inbox."""
        self._inbox.put_nowait(_Posted(lambda _state: event, None))

    def post_when(self, decide: Decide) -> None:
        """Puts an event in the inbox that depends on the book at its turn."""
        self._inbox.put_nowait(_Posted(decide, None))

    async def ask(self, event: Event, *, unless: Guard | None = None) -> RoundStep:
        """Posts an event and waits until it is written down and acted upon.

        unless is asked at the event's turn; what it refuses never happened and is not written down.
        """
        answer: asyncio.Future[RoundStep] = asyncio.get_running_loop().create_future()
        self._inbox.put_nowait(_Posted(lambda _state: event, answer, unless))
        return await answer

    def watch(self, witness: Witness) -> None:
        """Calls witness after every step."""
        self._witnesses.append(witness)

    @property
    def is_idle(self) -> bool:
        """Whether every posted event has been written down and acted upon."""
        return not self._busy and self._inbox.empty()

    async def settled(self) -> None:
        """Waits until everything posted so far is written down and acted upon."""
        await self._inbox.join()

    async def run(self, performer: Performer) -> None:
        """Stands where the journal says, with the meter not yet heard, then serves the inbox for ever."""
        self._busy = True
        for event in _unknown_at_boot(self.state):
            await self._serve([_Posted(lambda _state, event=event: event, None)])  # type: ignore[misc]  # bound at once
        self._busy = False
        self._performer = performer
        try:
            for effect in at_boot(self.rules, self.state):
                performer.perform(effect)
            while True:
                letters = [await self._inbox.get()]
                self._busy = True
                while not self._inbox.empty():
                    letters.append(self._inbox.get_nowait())
                await self._serve(letters)
                self._busy = False
                for _ in letters:
                    self._inbox.task_done()
        finally:
            performer.make_safe()  # with nobody at the inbox no chip may come in

    async def on_journal(self, work: Callable[[], Any]) -> Any:
        """Does something with the journal on its own thread; while any such work fails, the table is shut and waits."""
        failed = False

        def hang() -> None:
            nonlocal failed
            failed = self._fail(HANGS, again=failed)

        while True:
            try:
                result = await self._attempt(work, hang)
            except JournalFault as fault:
                failed = self._fail(str(fault), again=failed)
                await asyncio.sleep(RETRY_S)
            else:
                self._failing -= failed
                if failed and not self._failing:
                    self._recover()
                return result

    async def _attempt(self, work: Callable[[], Any], hang: Callable[[], None]) -> Any:
        alarm = asyncio.get_running_loop().call_later(HANG_S, hang)
        try:
            return await self._journal_thread.do(work)
        finally:
            alarm.cancel()

    async def waiting(self) -> list[Waiting]:
        """What the meter has not acknowledged yet."""
        found: list[Waiting] = await self.on_journal(self.journal.waiting)
        return found

    def close(self) -> None:
        """Leaves the journal clean, with nothing to replay; nothing may be posted any more."""
        self._journal_thread.close()
        try:
            if self._busy:  # a step that was cut off may be on disk and not in the book: it is told again
                self.state, _ = recall(self.rules, self.journal)
            self.journal.write([], self.state, snapshot=True)
            self.journal.close()
        except JournalFault as fault:
            self._log.error("journal_failed", problem=str(fault))
            self.journal.abandon()

    def abandon(self) -> None:
        """Lets go of the journal as a crash would; for benches that pull the plug."""
        self._journal_thread.close()
        self.journal.abandon()

    async def _serve(self, letters: list[_Posted]) -> None:
        clock = self._clock
        moment = Moment(clock.wall_ms(), round(clock.now() * 1000), clock.is_synchronised())
        state, steps, records = self.state, [], []
        for letter in letters:
            why_not = letter.unless(state) if letter.unless is not None else None
            if why_not is not None:
                _answer(letter, RoundStep(state, (), why_not))
                continue
            event = letter.decide(state)
            step = handle(self.rules, state, event)
            state = step.state
            steps.append((letter, event, step))
            ordered = self._pace.timed(entries(step, moment.synced), moment)
            records.append(EventRecord(event, step.refusal, state.round, moment, ordered))
        await self._write(records, state)
        self.state = state
        for letter, event, step in steps:
            self._act(event, step)
            _answer(letter, step)

    async def _write(self, records: list[EventRecord], state: RoundState) -> None:
        self._since_snapshot += len(records)
        between_rounds = state.phase is Phase.ENDED and self._since_snapshot >= SNAPSHOT_EVERY // 2
        snapshot = between_rounds or self._since_snapshot >= SNAPSHOT_EVERY  # an archive cuts only between rounds
        await self.on_journal(lambda: self.journal.write(records, state, snapshot=snapshot))
        self._since_snapshot = 0 if snapshot else self._since_snapshot

    def _fail(self, problem: str, *, again: bool) -> bool:
        self._failing += not again
        self._performer.make_safe()
        self.trouble = problem
        self._log.error("journal_failed", problem=problem)
        return True

    def _recover(self) -> None:
        self.trouble = ""
        self._log.info("journal_recovered")
        for effect in changes(None, outputs(self.rules, self.state)):
            self._performer.perform(effect)

    def _act(self, event: Event, step: RoundStep) -> None:
        """Metal first: a light does not wait for a log line."""
        for effect in step.effects:
            self._performer.perform(effect)
        for witness in self._witnesses:
            witness(event, step)
        words = {"event_kind": type(event).__name__, "round": step.state.round, "phase": step.state.phase.value}
        if step.refusal is None:
            self._log.info("event_recorded", **words)
        else:
            self._log.warning("event_refused", **words, why=step.refusal.key, values=dict(step.refusal.values))


def _unknown_at_boot(state: RoundState) -> Iterator[Event]:
    """What a table that wakes up cannot know: that the meter is there, and that the key is still turned."""
    if not state.link_down:
        yield LinkLost(NOT_YET)
    if state.key_on:
        yield SupervisorKeyTurned(on=False)


def _answer(letter: _Posted, step: RoundStep) -> None:
    if letter.answer is not None and not letter.answer.done():
        letter.answer.set_result(step)
