"""ccTalk acceptors on one wire with a hopper: the acceptor contract where it applies, and what a wire adds to it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from common.clock import RealClock
from drivers.cctalk.acceptor import AcceptorAddress
from drivers.cctalk.acceptor_poller import AcceptorPoller
from drivers.cctalk.bus import BusSettings
from drivers.cctalk.credits import AcceptorHeader
from drivers.cctalk.hopper import CcTalkHopper
from drivers.cctalk.settings import HopperSettings
from drivers.ports import ChipEntered, FaultCleared, FaultKind, FaultReported, Signal
from drivers.simulated.acceptor_board import AcceptorBoard
from drivers.simulated.hopper import SimulatedHopper
from tests.support.drivers.return_rigs import BRISK, WITHIN_S, BenchBus, hopper_board, ignore

SHUT = b"\0"


class Row:
    """Seats 1, 2, 3 … with acceptors at 11, 12, 13 … on one wire."""

    def __init__(self, bench: SimulatedHopper, boards: list[AcceptorBoard]) -> None:
        self.bench, self.boards = bench, boards
        self.bus = BenchBus(BusSettings(bench.port, reply_timeout_ms=50, gap_ms=20, roll_call_ms=60), bench)
        self.said: list[Signal] = []
        self.chain = AcceptorPoller(self.bus, RealClock(asyncio.get_running_loop()), self.said.append, poll_s=0.01)
        self.acceptors = [
            self.chain.add(f"seat {seat} acceptor", AcceptorAddress(10 + seat, in_flight_ms=20), seat)
            for seat in range(1, len(boards) + 1)
        ]
        self.task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self.task = asyncio.create_task(self.chain.run())

    def is_open(self, seat: int) -> bool:
        with self.bench.hands_on():
            return self.boards[seat - 1].is_open(time.monotonic())

    def insert(self, seat: int, coin: int = 1) -> bool:
        with self.bench.hands_on():
            return self.boards[seat - 1].insert(coin, time.monotonic())

    async def take(self, seat: int) -> None:
        """A chip goes in; one that nobody has asked for a second is shut until it is asked again."""
        await self.until(lambda: self.insert(seat))

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits for what must come, at most so long."""
        async with asyncio.timeout(WITHIN_S):
            while not condition():  # noqa: ASYNC110  the bench is a thread of its own: no event to wait for
                await asyncio.sleep(0.002)

    async def open_all(self) -> None:
        for acceptor in self.acceptors:
            acceptor.open()
        await self.until(lambda: all(self.is_open(seat) for seat in range(1, len(self.boards) + 1)))

    async def polled(self, seat: int) -> None:
        """One whole look later."""
        board = self.boards[seat - 1]
        with self.bench.hands_on():
            board.commands.clear()
        looks = (AcceptorHeader.READ_BUFFERED_CREDIT_OR_ERROR_CODES, b"")
        await self.until(lambda: list(board.commands).count(looks) >= 2)

    def shut_at(self) -> dict[int, list[int]]:
        """At which places in the talk each address was told to shut, whoever heard it."""
        with self.bench.hands_on():
            told: dict[int, list[int]] = {}
            for at, message in enumerate(self.bench.wire.messages):
                if (message.header, message.data) == (AcceptorHeader.MODIFY_MASTER_INHIBIT_STATUS, SHUT):
                    told.setdefault(message.destination, []).append(at)
            return told

    @property
    def chips(self) -> list[int]:
        return [signal.channel for signal in self.said if isinstance(signal, ChipEntered)]

    @property
    def faults(self) -> list[tuple[str, FaultKind]]:
        return [(signal.device, signal.kind) for signal in self.said if isinstance(signal, FaultReported)]


@asynccontextmanager
async def row_of(seats: int) -> AsyncIterator[Row]:
    boards = [AcceptorBoard() for _ in range(seats)]
    with SimulatedHopper(hopper_board()) as bench:
        bench.wire.neighbours = {10 + seat: [board] for seat, board in enumerate(boards, start=1)}
        row = Row(bench, boards)
        try:
            yield row
        finally:
            if row.task is not None:
                row.task.cancel()
                await asyncio.gather(row.task, return_exceptions=True)
            await row.bus.close()


@pytest.fixture
async def row() -> AsyncIterator[Row]:
    async with row_of(2) as row:
        row.start()
        yield row


async def test_an_acceptor_starts_shut_and_silent(row: Row) -> None:
    """Polled, but nothing is let in and nothing said."""
    await row.polled(2)
    assert not row.insert(1)
    await row.polled(1)
    assert row.said == []


async def test_open_and_shut_are_what_the_master_inhibit_does(row: Row) -> None:
    """Each seat by itself."""
    row.acceptors[0].open()
    await row.until(lambda: row.is_open(1))
    assert not row.is_open(2)
    row.acceptors[0].shut()
    await row.until(lambda: not row.is_open(1))


async def test_each_chip_is_told_once_and_by_its_own_seat(row: Row) -> None:
    """Five at once are still five."""
    await row.open_all()
    with row.bench.hands_on():
        for _ in range(5):
            row.boards[0].note(1, 0)
    await row.take(2)
    await row.until(lambda: len(row.chips) >= 6)
    await row.polled(1)
    assert sorted(row.chips) == [1] * 5 + [2]
    assert row.faults == []


async def test_a_rejected_chip_is_no_chip_and_no_fault(row: Row) -> None:
    """It went back to the player."""
    await row.open_all()
    assert not row.insert(1, coin=2)
    with row.bench.hands_on():
        for code in (1, 128, 254):
            row.boards[0].note(0, code)
    await row.polled(1)
    assert row.said == []
    assert row.acceptors[0].health.near_misses == 3  # the inhibited one, and two of the codes; 254 is no chip


async def test_busy_is_until_the_last_chip_from_before_was_told(row: Row) -> None:
    """Lock-out waits for it: shut acknowledged, the way in empty, the buffer read."""
    await row.open_all()
    was_busy = row.acceptors[0].is_busy
    await row.take(1)
    row.acceptors[0].shut()
    assert (was_busy, row.acceptors[0].is_busy) == (False, True)
    await row.until(lambda: not row.acceptors[0].is_busy)
    assert row.chips == [1]
    assert not row.insert(1)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (14, FaultKind.JAM),
        (17, FaultKind.OUT_OF_ORDER),
        (20, FaultKind.SPURIOUS),
        (6, FaultKind.JAM),
        (36, FaultKind.SPURIOUS),
        (255, FaultKind.SPURIOUS),
    ],
)
async def test_trouble_shuts_the_acceptor_until_it_was_retested(row: Row, code: int, kind: FaultKind) -> None:
    """Named once; opening does nothing before the retest, everything after it."""
    await row.open_all()
    with row.bench.hands_on():
        row.boards[0].note(0, code)
    await row.until(lambda: not row.is_open(1))
    row.acceptors[0].open()
    await row.polled(2)
    assert row.faults == [("seat 1 acceptor", kind)]
    assert not row.is_open(1)
    row.acceptors[0].retest()
    await row.until(lambda: row.said[-1] == FaultCleared("seat 1 acceptor"))
    row.acceptors[0].open()
    await row.take(1)
    await row.until(lambda: row.chips == [1])
    await row.until(lambda: row.is_open(2))


async def test_a_restart_is_noticed_and_a_chip_may_be_missing(row: Row) -> None:
    """The counter falls to nought: what it had not told is gone, and people must know."""
    await row.open_all()
    await row.take(1)
    await row.until(lambda: row.chips == [1])
    with row.bench.hands_on():
        row.boards[0].restart()
    await row.until(lambda: row.faults == [("seat 1 acceptor", FaultKind.RESET)])
    await row.polled(2)
    assert not row.is_open(1)


async def test_a_restart_before_the_first_event_is_made_good_unseen(row: Row) -> None:
    """The counter stays at nought, so what it was told is told again; the open one opens, the shut one stays shut."""
    row.acceptors[0].open()
    await row.until(lambda: row.is_open(1))
    with row.bench.hands_on():
        for board in row.boards:
            board.restart()
    await row.until(lambda: row.is_open(1))
    reminder = (AcceptorHeader.MODIFY_MASTER_INHIBIT_STATUS, b"\0")
    await row.until(lambda: list(row.boards[1].commands).count(reminder) >= 2)
    assert not row.is_open(2)
    assert row.faults == []


async def test_more_events_than_the_buffer_holds_are_a_fault_after_those_it_held(row: Row) -> None:
    """Five are told, two are named as lost."""
    await row.open_all()
    with row.bench.hands_on():
        for _ in range(7):
            row.boards[0].note(1, 0)
    await row.until(lambda: bool(row.faults))
    assert row.chips == [1] * 5
    (fault,) = [signal for signal in row.said if isinstance(signal, FaultReported)]
    assert "2 events came too fast" in fault.detail


async def test_an_acceptor_that_falls_silent_is_named_and_the_others_go_on(row: Row) -> None:
    """One cable does not close the table; plugged in again and retested it serves again."""
    await row.open_all()
    row.boards[0].is_silent = True
    await row.until(lambda: row.faults == [("seat 1 acceptor", FaultKind.SILENT)])
    await row.take(2)
    await row.until(lambda: row.chips == [2])
    row.boards[0].is_silent = False
    row.acceptors[0].retest()
    await row.until(lambda: FaultCleared("seat 1 acceptor") in row.said)


async def test_an_adapter_pulled_and_put_back_needs_no_restart(row: Row) -> None:
    """Every seat says so, and a retest finds the wire again."""
    await row.open_all()
    row.bench.unplug()
    await row.until(lambda: len(row.faults) == 2)
    assert {kind for _, kind in row.faults} == {FaultKind.MISSING}
    row.bench.plug()
    for acceptor in row.acceptors:
        acceptor.retest()
    await row.until(lambda: len([one for one in row.said if isinstance(one, FaultCleared)]) == 2)
    await row.open_all()


async def test_an_absent_acceptor_is_named_at_the_start() -> None:
    """And it alone."""
    async with row_of(2) as row:
        row.boards[1].is_silent = True
        row.start()
        await row.until(lambda: row.faults == [("seat 2 acceptor", FaultKind.SILENT)])
        row.acceptors[0].open()
        await row.until(lambda: row.is_open(1))


async def test_a_blocked_acceptor_is_not_mended_by_a_retest(row: Row) -> None:
    """Its self-check is asked when it is met, so the fault comes back until the cause is gone."""
    await row.open_all()
    with row.bench.hands_on():
        row.boards[0].note(0, 14)
        row.boards[0].self_check = 3
    await row.until(lambda: len(row.faults) == 1)
    row.acceptors[0].retest()
    await row.until(lambda: row.faults == [("seat 1 acceptor", FaultKind.JAM)] * 2)
    assert FaultCleared("seat 1 acceptor") not in row.said
    assert not row.is_open(1)
    with row.bench.hands_on():
        row.boards[0].self_check = 0
    row.acceptors[0].retest()
    await row.until(lambda: row.said[-1] == FaultCleared("seat 1 acceptor"))


async def test_a_faulty_acceptor_is_named_at_the_start() -> None:
    """With the words of its self-check, and the seat beside it serves."""
    async with row_of(2) as row:
        row.boards[0].self_check = 42
        row.start()
        await row.until(lambda: bool(row.faults))
        (fault,) = [signal for signal in row.said if isinstance(signal, FaultReported)]
        assert "gate is stuck open (self-check 42)" in fault.detail
        row.acceptors[1].open()
        await row.until(lambda: row.is_open(2))


async def test_an_acceptor_without_a_self_check_serves() -> None:
    """Not every one has it; it answers everything else."""
    async with row_of(1) as row:
        row.boards[0].self_check = None
        row.start()
        row.acceptors[0].open()
        await row.take(1)
        await row.until(lambda: row.chips == [1])
        assert row.faults == []


async def test_where_there_is_no_master_inhibit_the_coins_are_inhibited() -> None:
    """The second way to lock out: 231 without a coin shuts, with the chip opens; a reminder keeps it so."""
    async with row_of(2) as row:
        row.boards[0].has_master = False
        row.start()
        await row.polled(2)
        assert not row.insert(1)
        await row.open_all()
        await row.take(1)
        await row.until(lambda: row.chips == [1])
        row.acceptors[0].shut()
        await row.until(lambda: not row.is_open(1))
        await row.until(lambda: not row.acceptors[0].is_busy)
        reminder = (AcceptorHeader.MODIFY_INHIBIT_STATUS, bytes(2))
        await row.until(lambda: list(row.boards[0].commands).count(reminder) >= 3)
        assert not row.insert(1)
        assert row.faults == []


async def test_two_acceptors_at_one_address_are_named() -> None:
    """Even while they say the same."""
    async with row_of(1) as row:
        row.bench.wire.neighbours[11].append(AcceptorBoard())
        row.start()
        await row.until(lambda: bool(row.faults))
        (fault,) = [signal for signal in row.said if isinstance(signal, FaultReported)]
        assert "two devices answer at address 11" in fault.detail


async def test_another_kind_of_device_at_the_address_is_named() -> None:
    """A hopper is no acceptor."""
    async with row_of(1) as row:
        row.boards[0].category = "Payout"
        row.start()
        await row.until(lambda: row.faults == [("seat 1 acceptor", FaultKind.MISSING)])


async def test_acceptors_and_the_hopper_share_the_wire(row: Row) -> None:
    """Chips are told while the hopper pays, and it pays them all."""
    await row.open_all()
    row.bench.load(7)
    hopper = CcTalkHopper(HopperSettings(row.bench.port, **BRISK), row.bus)
    paying = asyncio.create_task(hopper.empty(ignore))
    await row.take(1)
    await row.until(lambda: row.chips == [1])
    async with asyncio.timeout(WITHIN_S):
        assert (await paying).count == 7


async def test_seven_acceptors_are_shut_in_one_burst() -> None:
    """Seven words in a row on the wire: no poll comes between them."""
    async with row_of(7) as row:
        row.start()
        await row.open_all()
        with row.bench.hands_on():
            row.bench.wire.messages.clear()
        for acceptor in row.acceptors:
            acceptor.shut()
        await row.until(lambda: not any(row.is_open(seat) for seat in range(1, 8)) and len(row.shut_at()) == 7)
        told = sorted(places[0] for places in row.shut_at().values())
        assert told == list(range(told[0], told[0] + 7))


async def test_a_silent_acceptor_does_not_keep_the_others_open() -> None:
    """The burst tells each once: one without an answer costs one wait, not all its retries."""
    async with row_of(3) as row:
        row.start()
        await row.open_all()
        with row.bench.hands_on():
            row.bench.wire.messages.clear()
            row.boards[0].is_silent = True
        for acceptor in row.acceptors:
            acceptor.shut()
        await row.until(lambda: len(row.shut_at()) == 3)
        told = row.shut_at()
        assert [at for at in told[11] if at < max(told[12][0], told[13][0])] == told[11][:1]
        await row.until(lambda: not row.is_open(2) and not row.is_open(3))
