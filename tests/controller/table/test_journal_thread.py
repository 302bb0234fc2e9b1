"""The scribe: one thing after the other, each answered with what came of it."""

import asyncio
import threading

import pytest

from controller.table.loop import JournalThread


async def test_work_is_done_in_the_order_it_was_asked_for_in_one_thread() -> None:
    """However many wait."""
    journal_thread, threads = JournalThread(), set[int]()

    def work(number: int) -> int:
        threads.add(threading.get_ident())
        return number

    answers = [journal_thread.do(lambda number=number: work(number)) for number in range(50)]  # type: ignore[misc]  # bound at once
    assert await asyncio.gather(*answers) == list(range(50))
    assert len(threads) == 1
    assert threading.get_ident() not in threads
    journal_thread.close()


async def test_what_goes_wrong_is_raised_where_it_was_asked_for() -> None:
    """And the next one goes well."""
    journal_thread = JournalThread()

    def fail() -> None:
        raise LookupError("no such page")

    with pytest.raises(LookupError, match="no such page"):
        await journal_thread.do(fail)
    assert await journal_thread.do(lambda: 5) == 5
    journal_thread.close()


async def test_an_answer_that_nobody_waits_for_is_dropped() -> None:
    """The work is done all the same, before close() returns."""
    journal_thread, begun, done = JournalThread(), threading.Event(), threading.Event()

    def slow() -> None:
        begun.wait(60)
        done.set()

    answer = journal_thread.do(slow)
    answer.cancel()
    begun.set()
    journal_thread.close()
    assert done.is_set()
    await asyncio.sleep(0)


def test_a_loop_that_has_ended_is_not_told() -> None:
    """A process on its way out does not stumble over its last answer."""

    async def ask() -> tuple[JournalThread, threading.Event]:
        journal_thread, release = JournalThread(), threading.Event()
        journal_thread.do(lambda: release.wait(60))
        return journal_thread, release

    journal_thread, release = asyncio.run(ask())
    release.set()
    journal_thread.close()
