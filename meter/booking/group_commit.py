"""Group commit: everything that waits goes to disk in one transaction, before any reply."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Final

from meter.booking.booker import Booker, DecisionVerdict, Work
from meter.booking.results import BookingReport
from meter.ledger.decisions import Decided

PROVE_S: Final = 1.0  # work that writes nothing proves nothing: a lost lock or a dead disk is found all the same
LOOKS: Final = 4  # in that time, whether anything was written


class Silence:
    """How long nothing was written: what is written proves the store as well, and a proof holds up the next wager.

    Whoever looks late may have stood still, and another has his books by now: what was written before proves nothing.
    """

    def __init__(self, written: int, *, since: float) -> None:
        self._written, self._since, self._looked = written, since, since

    def is_long(self, written: int, at: float) -> bool:
        """Whether the store must be proved now; then a new silence begins."""
        is_late, self._looked = at - self._looked >= PROVE_S, at
        is_long = is_late or (written == self._written and at - self._since >= PROVE_S)
        if is_long or written != self._written:
            self._written, self._since = written, at
        return is_long


class GroupCommit:
    """Books in one transaction whatever has arrived; the next one gathers while this one is on its way to disk.

    All of it in the loop's own thread: to hand each batch to another one and back cost as much as the booking itself
    (measured), and nobody may hear of anything before it is booked anyway; in turns of the loop and not in a task,
    which costs each wager that comes alone a twentieth of its time. The guard looks out for a store that hangs.
    """

    def __init__(
        self,
        booker: Booker,
        hear: Callable[[str, BookingReport], None],
        *,
        guard: AbstractContextManager[None] | None = None,
    ) -> None:
        self._booker, self._hear, self._guard = booker, hear, guard or nullcontext()
        self._waiting: list[Work] = []
        self._orders: list[tuple[str, Decided, asyncio.Future[DecisionVerdict]]] = []
        self._errands: list[tuple[Callable[[], None], asyncio.Future[None]]] = []
        self._failed: asyncio.Future[None] | None = None
        """While the books are open: how they end."""
        self._gathers = False

    def submit(self, work: Work) -> None:
        """Queues a message; one read of a line brings at most some hundreds, and they are booked with it."""
        self._waiting.append(work)
        self._gather()

    async def decide(self, link: str, decided: Decided) -> DecisionVerdict:
        """Has a decision taken between two batches; the answer comes when it is on disk."""
        verdict: asyncio.Future[DecisionVerdict] = asyncio.get_running_loop().create_future()
        self._orders.append((link, decided, verdict))
        self._gather()
        return await verdict

    async def errand(self, act: Callable[[], None]) -> None:
        """Has something else written between two batches; returns when that is done."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._errands.append((act, done))
        self._gather()
        await done

    def book_now(self) -> None:
        """Books what waits, for whoever knows that nothing more is to be read."""
        if self._waiting:
            self._turn()

    def prove(self) -> None:
        """Shows at once that the books are still ours; raises StoreFault otherwise."""
        with self._guard:
            self._booker.prove()

    async def run(self) -> None:
        """Books for ever; a store that fails ends it, and with it the meter, even if it was about to end anyway."""
        loop = asyncio.get_running_loop()
        failed = self._failed = loop.create_future()
        self._gather()
        try:
            silence = Silence(self._booker.written, since=loop.time())
            while not failed.done():
                await asyncio.wait([failed], timeout=PROVE_S / LOOKS)
                if silence.is_long(self._booker.written, loop.time()) and not failed.done():
                    self._book([])
        finally:
            self._failed = None
            for _, _, verdict in self._orders:
                verdict.cancel()
            for _, done in self._errands:
                done.cancel()
            if failed.done():
                failed.result()

    def _gather(self) -> None:
        """Sees to it that what waits is booked soon."""
        if not self._gathers and self._failed is not None:
            self._gathers = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        """Books what the turn before has brought: whoever reads for us reads all that has come."""
        self._gathers = False
        if self._failed is None or self._failed.done():
            return
        try:
            self._work()
        except BaseException as error:  # noqa: BLE001  whatever it is, it ends the meter and not only this turn
            self._failed.set_exception(error)

    def _work(self) -> None:
        if self._waiting:
            batch, self._waiting = self._waiting, []
            self._book(batch)
        while self._orders:
            self._decide(*self._orders.pop(0))
        while self._errands:
            self._run_errand(*self._errands.pop(0))
        if self._waiting:
            self._gather()

    def _book(self, batch: list[Work]) -> None:
        """Books a batch; where there is none, proves that there could be one."""
        with self._guard:
            reports = self._booker.book(batch) if batch else self._booker.prove()
        for link, report in reports.items():
            self._hear(link, report)

    def _decide(self, link: str, decided: Decided, verdict: "asyncio.Future[DecisionVerdict]") -> None:
        try:
            with self._guard:
                taken = self._booker.decide(link, decided)
        except BaseException:
            verdict.cancel()  # nobody knows what became of it: whoever asked must look when the meter is back
            raise
        for name, report in taken.reports.items():
            self._hear(name, report)
        if not verdict.done():  # whoever asked may have gone
            verdict.set_result(taken)

    def _run_errand(self, act: Callable[[], None], done: "asyncio.Future[None]") -> None:
        try:
            with self._guard:
                act()
        except BaseException:
            done.cancel()
            raise
        if not done.done():
            done.set_result(None)
