"""Group commit: what waits is booked soon, the store is proved every second, and no failure is lost."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from meter.booking import group_commit
from meter.booking.booker import Booker, Work
from meter.booking.group_commit import GroupCommit, Silence
from meter.booking.results import BookingReport
from meter.ledger.decisions import Decided, Stop
from meter.store.base import StoreFault
from tests.support.meter.meter_bench import NOW_MS, MemoryStore, MeterBench, envelope, hello, link, wagers
from tests.support.meter.proved import Unchecked


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not is_so():  # noqa: ASYNC110  nobody sets an event for it
            await asyncio.sleep(0.01)


async def ended(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.wait([task])


@pytest.mark.parametrize("work", ["errands", "greetings"])
async def test_work_that_writes_nothing_proves_nothing(work: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy a meter is: a standby that sees no proof for three seconds takes its books away."""
    monkeypatch.setattr(group_commit, "PROVE_S", 0.05)
    store = MemoryStore()
    booker = Booker(store, (link(),), lambda: NOW_MS, Unchecked())
    booker.open()
    books = GroupCommit(booker, lambda _link, _report: None)
    task = asyncio.create_task(books.run())
    books.submit(Work("main", hello()))
    await until(lambda: store.commits == 2)

    async def greet() -> None:
        books.submit(Work("main", hello()))

    busy: Callable[[], Awaitable[None]] = (lambda: books.errand(lambda: None)) if work == "errands" else greet
    for _ in range(200):
        await busy()
        await asyncio.sleep(0.01)
        if store.commits > 3:
            break
    assert store.commits > 3, "proved again and again, with never a quiet moment"
    await ended(task)


def test_what_is_written_proves_the_store() -> None:
    """A wager on disk is as good as a proof; a second after the last one, and every second then, it is proved."""
    silence = Silence(7, since=10.0)
    looks = [(7, 10.25), (8, 10.9), (9, 11.5), (9, 12.4), (9, 12.5), (9, 12.75), (9, 13.5), (10, 14.4)]
    assert [at for written, at in looks if silence.is_long(written, at)] == [12.5, 13.5]


def test_a_late_look_proves_the_store_at_once() -> None:
    """A meter that is busy without writing is fenced off after three seconds of silence."""
    assert Silence(7, since=10.0).is_long(7, 12.0)


def test_whoever_stood_still_proves_the_store_at_once() -> None:
    """A wager that was written just before proves nothing any more: another meter may have the books by now."""
    silence = Silence(7, since=10.0)
    assert not silence.is_long(8, 10.25)
    assert silence.is_long(9, 60.0)
    assert [at for at in (60.25, 60.5, 60.75, 61.0) if silence.is_long(9, at)] == [61.0]


@pytest.mark.parametrize("turns", range(6))
async def test_a_failure_is_not_lost_in_a_stop(turns: int) -> None:
    """Stopped in the very turn in which the store fails: whoever looks on must hear of the fault."""
    meter = MeterBench()
    meter.join()
    failed: list[bool] = []

    def fail(pages: object) -> None:
        failed.append(True)
        raise StoreFault("full")

    meter.store.commit = fail  # type: ignore[method-assign]  # the disk fills up
    books = GroupCommit(meter.booker, lambda _link, _report: None)
    task = asyncio.create_task(books.run())
    await asyncio.sleep(0)
    books.submit(Work("main", envelope(1, wagers())))
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    if failed:
        assert isinstance(task.exception(), StoreFault)
    else:
        assert task.cancelled()


async def test_what_came_before_the_books_were_open_is_booked() -> None:
    """Messages and decisions alike."""
    meter = MeterBench()
    meter.join()
    reports: list[BookingReport] = []
    books = GroupCommit(meter.booker, lambda _link, report: reports.append(report))
    for seq in range(1, 8):
        books.submit(Work("main", envelope(seq, wagers())))
    decision = asyncio.ensure_future(books.decide("main", Decided(Stop(), "Ann", "Ben", "drill")))
    await asyncio.sleep(0)
    task = asyncio.create_task(books.run())
    assert not (await asyncio.wait_for(decision, 60)).refusal
    await until(lambda: sum(len(report.outcomes) for report in reports) == 7)
    await ended(task)


async def test_what_is_heard_may_bring_more_work() -> None:
    """A message that comes while the one before is answered is booked as well."""
    meter = MeterBench()
    meter.join()
    booked: list[int] = []

    def hear(_link: str, report: BookingReport) -> None:
        seq = report.replies[0][1].booked_seq
        booked.append(seq)
        if seq < 3:
            books.submit(Work("main", envelope(seq + 1, wagers())))

    books = GroupCommit(meter.booker, hear)
    task = asyncio.create_task(books.run())
    await asyncio.sleep(0)
    books.submit(Work("main", envelope(1, wagers())))
    await until(lambda: booked == [1, 2, 3])
    await ended(task)


async def test_an_errand_is_done_between_batches_and_a_store_that_fails_ends_the_books() -> None:
    """Nobody hears that something is on disk that is not."""
    books = GroupCommit(MeterBench().booker, lambda _link, _report: None)
    task = asyncio.create_task(books.run())
    done: list[str] = []
    async with asyncio.timeout(60):
        await books.errand(lambda: done.append("written"))
        assert done == ["written"]
        with pytest.raises(asyncio.CancelledError):
            await books.errand(full)
        with pytest.raises(StoreFault, match="full"):
            await task


def full() -> None:
    raise StoreFault("the disk is full")
