"""A hopper that pays: emptied to the last chip, through jams, restarts and hosts that die."""

import asyncio
from functools import partial

import pytest

from drivers.cctalk.commands import HopperFlag
from drivers.cctalk.hopper import CcTalkHopper
from drivers.ports import FaultKind, Reading, ReturnFault
from drivers.simulated.hopper_board import HopperBoard
from drivers.simulated.hopper_mechanics import HopperMechanics, Jam
from tests.support.drivers.return_rigs import hopper_board, hopper_rig, ignore


@pytest.mark.parametrize(("chips", "orders"), [(0, 1), (1, 1), (254, 1), (255, 2), (600, 3)])
async def test_a_hopper_is_emptied_to_the_last_chip(chips: int, orders: int) -> None:
    """Payouts are ordered until one of them comes out short, and no more of them."""
    async with hopper_rig() as rig:
        rig.bench.load(chips)
        before = await rig.device.reading()
        assert (await rig.device.empty(ignore)).chips_since(before) == chips
        assert (rig.stock, rig.orders) == (0, orders)


async def test_progress_hears_the_counter_grow() -> None:
    """Each new count once, never backwards, and the last one is the answer."""
    heard: list[Reading] = []

    def has_heard(chips: int) -> bool:
        return len(heard) == chips

    async with hopper_rig(hopper_board(chip_ms=60_000)) as rig:
        rig.bench.load(3)
        emptying = asyncio.create_task(rig.device.empty(heard.append))
        for chips in (1, 2, 3):
            await rig.turn_once()
            await rig.until(partial(has_heard, chips))
        last = await rig.wait_for(emptying)
    assert [reading.count for reading in heard] == [1, 2, 3]
    assert heard[-1] == last


async def test_chips_that_fall_in_while_it_runs_come_out_too() -> None:
    """Empty means empty at the end, not as many as there were at the start."""
    async with hopper_rig(hopper_board(time_factor=100)) as rig:
        rig.load(2)
        before = await rig.device.reading()
        emptying = asyncio.create_task(rig.device.empty(ignore))
        await rig.until(lambda: rig.given == 2)
        rig.load(3)
        await rig.until(lambda: rig.given == 5)
        await rig.turn_once()
        assert (await rig.wait_for(emptying)).chips_since(before) == rig.given == 5


async def test_the_counter_may_wrap() -> None:
    """24 bits of a lifetime end some day, in the middle of a round."""
    async with hopper_rig(hopper_board(lifetime=(1 << 24) - 3)) as rig:
        rig.bench.load(7)
        before = await rig.device.reading()
        last = await rig.device.empty(ignore)
    assert (last.count, last.chips_since(before)) == (4, 7)


@pytest.mark.parametrize("jam", [Jam.DISC, Jam.EXIT])
async def test_a_jam_is_a_fault_until_somebody_cleared_it(jam: Jam) -> None:
    """The chips before the jam are counted, a retest without help jams again, and help brings the rest."""
    async with hopper_rig() as rig:
        rig.bench.load(7)
        with rig.bench.hands_on() as board:
            board.metal.jam, board.metal.jam_after = jam, 3
        before = await rig.device.reading()
        for _ in range(2):
            with pytest.raises(ReturnFault, match="jammed") as caught:
                await rig.device.empty(ignore)
            assert caught.value.kind is FaultKind.JAM
            assert (await rig.device.reading()).chips_since(before) == rig.given == 3
        with rig.bench.hands_on() as board:
            board.metal.jam = None
        assert (await rig.device.empty(ignore)).chips_since(before) == rig.given == 7


async def test_a_bridge_of_chips_is_told_from_an_empty_hopper_by_its_level_plate() -> None:
    """The disc turns in vain although there are chips above it."""
    async with hopper_rig(hopper_board(low_level=4), level_sensor=True) as rig:
        rig.bench.load(9)
        with rig.bench.hands_on() as board:
            board.metal.jam, board.metal.jam_after = Jam.BRIDGE, 2
        with pytest.raises(ReturnFault, match="stir them") as caught:
            await rig.device.empty(ignore)
        assert caught.value.kind is FaultKind.JAM
        with rig.bench.hands_on() as board:
            board.metal.jam = None
        await rig.device.empty(ignore)
        assert rig.given == 9


async def test_a_level_plate_that_is_not_there_is_a_fault_of_the_settings() -> None:
    """Better told than guessed."""
    async with hopper_rig(level_sensor=True) as rig:
        with pytest.raises(ReturnFault, match="level_sensor = false"):
            await rig.device.empty(ignore)


async def test_a_motor_that_freed_itself_is_asked_once_more() -> None:
    """A payout that ends short after turning back proves nothing: only a clean one that ends short means empty."""
    async with hopper_rig() as rig:
        rig.bench.load(5)
        with rig.bench.hands_on() as board:
            board.metal.reversals = 1
        before = await rig.device.reading()
        assert (await rig.device.empty(ignore)).chips_since(before) == 5
        assert rig.orders == 2


async def test_a_motor_that_turned_back_once_and_gave_nothing_is_asked_once_more() -> None:
    """It may be empty, it may have been stuck: the next clean payout decides."""
    async with hopper_rig() as rig:
        with rig.bench.hands_on() as board:
            board.metal.reversals = 1
        await rig.device.empty(ignore)
        assert rig.orders == 2


@pytest.mark.parametrize("chips", [0, 5])
async def test_a_hopper_that_reverses_whenever_nothing_comes_is_not_jammed(chips: int) -> None:
    """Its last payout of every round ends with a reversal: two in a row without a chip are an empty hopper."""
    async with hopper_rig() as rig:
        with rig.bench.hands_on() as board:
            board.metal.reverses_in_vain = True
        for _ in range(3):
            rig.load(chips)
            before, orders = await rig.device.reading(), rig.orders
            assert (await rig.device.empty(ignore)).chips_since(before) == chips
            assert rig.orders == orders + 2


async def test_a_motor_that_turned_back_and_stopped_before_its_time_is_jammed() -> None:
    """No chip, no timeout: it gave up on something, and somebody must look."""

    class GivesUp(HopperMechanics):
        def _turn(self, now: float) -> None:
            super()._turn(now)
            self.flags = HopperFlag.MOTOR_REVERSED

    async with hopper_rig(HopperBoard(GivesUp(chip_ms=0), time_factor=0)) as rig:
        with pytest.raises(ReturnFault, match="not sure to be empty") as caught:
            await rig.device.empty(ignore)
        assert caught.value.kind is FaultKind.JAM


async def test_light_in_the_exit_is_called_tampering() -> None:
    """As long as it shines; the chips before it are counted."""
    async with hopper_rig() as rig:
        rig.load(5)
        with rig.bench.hands_on() as board:
            board.metal.jam, board.metal.jam_after = Jam.LIGHT, 2
        before = await rig.device.reading()
        for _ in range(2):
            with pytest.raises(ReturnFault, match="tampering") as caught:
                await rig.device.empty(ignore)
            assert caught.value.kind is FaultKind.SPURIOUS
        rig.clear_jam()
        assert (await rig.device.empty(ignore)).chips_since(before) == 5


async def test_a_hopper_that_stands_still_is_stopped() -> None:
    """Neither chips nor an end: the driver's own patience is the last one."""
    async with hopper_rig(hopper_board(chip_ms=60_000), stall_ms=20) as rig:
        rig.bench.load(1)
        with pytest.raises(ReturnFault, match="neither pays nor gives up") as caught:
            await rig.device.empty(ignore)
        assert caught.value.kind is FaultKind.JAM
        with rig.bench.hands_on() as board:
            assert board.metal.due is None


async def test_a_restart_in_the_middle_is_a_fault_and_costs_no_chip() -> None:
    """The lifetime counter survives, so collecting again adds up."""
    async with hopper_rig() as rig:
        rig.bench.load(7)
        with rig.bench.hands_on() as board:
            board.metal.cut_after = 4
        before = await rig.device.reading()
        with pytest.raises(ReturnFault, match="restarted by itself") as caught:
            await rig.device.empty(ignore)
        assert caught.value.kind is FaultKind.RESET
        assert (await rig.device.empty(ignore)).chips_since(before) == rig.given == 7


async def test_a_payout_outlives_its_host() -> None:
    """After a crash the new host sees the old payout through and counts from the reading in the journal."""
    async with hopper_rig(hopper_board(chip_ms=10)) as rig:
        rig.bench.load(8)
        before = await rig.device.reading()
        seen = asyncio.Event()
        doomed = asyncio.create_task(rig.device.empty(lambda _reading: seen.set()))
        await rig.wait_for(seen.wait())
        doomed.cancel()
        await asyncio.gather(doomed, return_exceptions=True)
        reborn = CcTalkHopper(rig.settings, rig.bus)
        assert (await reborn.empty(ignore)).chips_since(before) == rig.given == 8


@pytest.mark.parametrize("error", [-1, 1])
async def test_a_hopper_that_miscounts_is_believed_here_and_caught_at_the_table(error: int) -> None:
    """The driver reports what the device counted: lights against chips is where a wrong count shows."""
    async with hopper_rig() as rig:
        rig.bench.load(5)
        with rig.bench.hands_on() as board:
            board.metal.miscount = error
        before = await rig.device.reading()
        assert (await rig.device.empty(ignore)).chips_since(before) == 5 + error
        assert rig.given == 5


async def test_an_exchanged_hopper_starts_another_epoch() -> None:
    """Counts of two devices are never subtracted from each other, least of all in the middle of a payout."""
    async with hopper_rig(hopper_board(chip_ms=10)) as rig:
        rig.bench.load(8)
        before = await rig.device.reading()

        def exchange(_reading: Reading) -> None:
            with rig.bench.hands_on() as board:
                board.serial = 7

        with pytest.raises(ReturnFault, match="is Pitlink 7 now") as caught:
            await rig.device.empty(exchange)
        assert caught.value.kind is FaultKind.RESET
        assert (await rig.device.reading()).epoch != before.epoch


async def test_the_payout_timeout_is_set_before_every_payout() -> None:
    """A restart forgets it, so it is said again; the other motor variables stay as they were."""
    board = hopper_board()
    async with hopper_rig(board, payout_timeout_ms=2_000) as rig:
        await rig.device.empty(ignore)
        assert board._variables == bytes((34, 0, 6))


async def test_a_wire_as_slow_as_a_real_one_works_with_the_settings_of_a_real_one() -> None:
    """9600 baud with echo, byte by byte, and the driver's own defaults."""
    async with hopper_rig(baud=9600, reply_timeout_ms=250, gap_ms=50) as rig:
        rig.bench.load(2)
        before = await rig.device.reading()
        assert (await rig.device.empty(ignore)).chips_since(before) == 2
        assert rig.orders == 1
