"""Whatever goes wrong once, chips reported are chips that left, and nobody orders a payout too many."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.cctalk.commands import Header
from drivers.cctalk.frame import Checksum
from drivers.ports import Reading
from drivers.simulated.cctalk_wire import WireFault
from tests.support.drivers.return_rigs import HopperRig, hopper_board, hopper_rig, ignore, patiently

ASKED_IN_A_ROUND = (
    Header.REQUEST_MANUFACTURER_ID,
    Header.REQUEST_SERIAL_NUMBER,
    Header.REQUEST_HOPPER_DISPENSE_COUNT,
    Header.REQUEST_HOPPER_STATUS,
    Header.TEST_HOPPER,
    Header.REQUEST_VARIABLE_SET,
    Header.MODIFY_VARIABLE_SET,
    Header.ENABLE_HOPPER,
    Header.REQUEST_CIPHER_KEY,
    Header.DISPENSE_HOPPER_COINS,
)

NEEDS_A_PERSON = {
    WireFault.LIE,
    WireFault.REFUSED,
    WireFault.HOLLOW,
    WireFault.UNPLUGGED,
    WireFault.RESTART_BEFORE,
    WireFault.RESTART_BEFORE_UNANSWERED,
    WireFault.RESTART_AFTER,
    WireFault.RESTART_UNANSWERED,
}


class Round:
    """One collection as a table makes it: a reading for the journal, then empty until it succeeds."""

    def __init__(self, rig: HopperRig) -> None:
        self.rig = rig
        self.chips = self.calls = self.orders = 0
        self.heard: list[Reading] = []

    async def play(self, chips: int) -> None:
        given, orders = self.rig.given, self.rig.orders
        self.rig.bench.load(chips)
        start, _ = await patiently(self.rig.device.reading, self.mend)
        last, self.calls = await patiently(lambda: self.rig.device.empty(self.heard.append), self.mend)
        self.chips, self.orders = last.chips_since(start), self.rig.orders - orders
        assert self.rig.given - given == chips
        assert all(start.chips_since(start) < reading.chips_since(start) <= self.chips for reading in self.heard)

    def mend(self) -> None:
        """A person: plugs the adapter in, frees the chips, switches the hopper on."""
        self.rig.bench.unplug()
        self.rig.bench.plug()
        with self.rig.bench.hands_on() as board:
            board.metal.jam = None


def assert_no_blind_repeat(heard: list[int]) -> None:
    """Between two orders to pay stand a look at the event counter and one at the chips."""
    orders = [at for at, header in enumerate(heard) if header == Header.DISPENSE_HOPPER_COINS]
    for first, second in itertools.pairwise(orders):
        between = heard[first:second]
        assert Header.REQUEST_HOPPER_STATUS in between
        assert Header.REQUEST_HOPPER_DISPENSE_COUNT in between


@pytest.mark.parametrize("fault", WireFault)
async def test_a_single_fault_at_any_command_loses_no_chip_and_orders_none_twice(fault: WireFault) -> None:
    """Every command of a round, each hit once by this fault, with chips in the hopper and without."""
    async with hopper_rig(payout_timeout_ms=1_000) as rig:
        for header in ASKED_IN_A_ROUND:
            for chips in (0, 7):
                rig.bench.wire.heard.clear()
                rig.bench.wire.fail_once(fault, header)
                collection = Round(rig)
                await collection.play(chips)
                assert header in rig.bench.wire.heard, "the round never asked this"
                assert collection.chips == chips, header
                assert collection.calls == 1 or fault in NEEDS_A_PERSON, header
                assert collection.orders <= collection.calls + (header == Header.DISPENSE_HOPPER_COINS), header
                assert_no_blind_repeat(list(rig.bench.wire.heard))


@settings(deadline=None, max_examples=40)
@given(
    fault=st.sampled_from(WireFault),
    header=st.sampled_from(ASKED_IN_A_ROUND),
    after=st.integers(0, 6),
    chips=st.integers(0, 12),
    chip_ms=st.sampled_from([0, 0.3, 2]),
    lifetime=st.sampled_from([0, (1 << 24) - 4]),
    checksum=st.sampled_from(Checksum),
    cut_after=st.none() | st.integers(1, 12),
)
async def test_faults_during_a_payout_lose_no_chip(
    fault: WireFault,
    header: Header,
    after: int,
    chips: int,
    chip_ms: float,
    lifetime: int,
    checksum: Checksum,
    cut_after: int | None,
) -> None:
    """A fault on the wire while chips fall, with a power cut on top, still adds up."""
    board = hopper_board(chip_ms=chip_ms, lifetime=lifetime)
    async with hopper_rig(board, checksum=checksum, payout_timeout_ms=1_000) as rig:
        await rig.device.empty(ignore)
        with rig.bench.hands_on() as hopper:
            hopper.metal.cut_after = cut_after
        rig.bench.wire.fail_once(fault, header, after)
        collection = Round(rig)
        await collection.play(chips)
        assert collection.chips == chips
        assert collection.orders <= collection.calls + 1
        assert_no_blind_repeat(list(rig.bench.wire.heard))
