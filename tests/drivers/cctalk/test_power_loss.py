"""The hopper loses power at every point of a payout: the count is exact, or it is distrusted; it is never wrong."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.cctalk.commands import LATCHED, HopperFlag, named
from drivers.ports import FaultKind, Reading, ReturnFault
from drivers.simulated.hopper_mechanics import Jam
from tests.support.drivers.return_rigs import DirectRig, hopper_board, ignore

CHIPS = 3


def rig_with(chips: int = CHIPS, *, latches: bool = True, writes: bool = True, single: bool = False) -> DirectRig:
    """A hopper that gives a chip every few frames."""
    board = hopper_board(chip_ms=4)
    board.latches_power_loss, board.metal.cuts_a_write, board.is_single = latches, not writes, single
    rig = DirectRig(board)
    rig.load(chips)
    return rig


async def collect(rig: DirectRig, start: Reading) -> int | None:
    """As a table does: a fault is answered by asking again; chips counted, or None if nobody believes the hopper."""
    for _ in range(5):
        try:
            return (await rig.device.empty(ignore)).chips_since(start)
        except ReturnFault as fault:
            if fault.kind is FaultKind.DISTRUSTED:
                return None
    raise AssertionError("five tries did not empty it")


async def bytes_of_a_payout(*, single: bool) -> int:
    """How many bytes pass the hopper in an emptying without a power loss."""
    rig = rig_with(single=single)
    rig.wire.cut_after_bytes = most = 100_000
    await rig.device.empty(ignore)
    assert rig.wire.cut_after_bytes is not None
    return most - rig.wire.cut_after_bytes


@pytest.mark.parametrize(
    ("latches", "single"),
    [(False, False), (True, False), (True, True)],
    ids=["forgets", "latches", "one chip an order"],
)
async def test_a_power_loss_at_any_byte_costs_no_chip_its_count(latches: bool, single: bool) -> None:
    """Each byte of each question and answer, in turn, is the last one before the power fails."""
    total = await bytes_of_a_payout(single=single)
    assert total > 300
    for last in range(1, total + 1):
        rig = rig_with(latches=latches, single=single)
        start = await rig.device.reading()
        rig.wire.cut_after_bytes = last
        assert await collect(rig, start) == rig.board.metal.given == CHIPS, last


async def test_a_power_loss_in_the_middle_of_a_write_is_never_believed() -> None:
    """The chip that left is not in the counter, and the hopper says that its memory failed: a person must count."""
    total = await bytes_of_a_payout(single=False)
    wrong = 0
    for last in range(1, total + 1):
        rig = rig_with(writes=False)
        start = await rig.device.reading()
        rig.wire.cut_after_bytes = last
        chips = await collect(rig, start)
        assert chips is None or chips == rig.board.metal.given == CHIPS, last
        wrong += (await rig.device.reading()).chips_since(start) != rig.board.metal.given
    assert wrong, "no power loss cost a count: the test proves nothing"


@settings(deadline=None, max_examples=60)
@given(
    chips=st.integers(0, 30),
    cuts=st.lists(st.integers(1, 30), max_size=3),
    last_bytes=st.none() | st.integers(1, 900),
    latches=st.booleans(),
    writes=st.booleans(),
    single=st.booleans(),
    lifetime=st.sampled_from([0, 1000, (1 << 24) - 5]),
)
async def test_power_losses_between_chips_and_bytes_leave_the_count_exact_or_distrusted(
    chips: int, cuts: list[int], last_bytes: int | None, latches: bool, writes: bool, single: bool, lifetime: int
) -> None:
    """However often, whether it latches, and wherever its counter stands."""
    rig = rig_with(chips, latches=latches, writes=writes, single=single)
    rig.board.metal.lifetime = lifetime
    start = await rig.device.reading()
    rig.wire.cut_after_bytes = last_bytes
    for cut in [*cuts, None]:
        rig.board.metal.cut_after = cut
        counted = await collect(rig, start)
    assert counted is None or counted == rig.board.metal.given == chips
    assert counted is not None or not writes


@pytest.mark.parametrize(
    "flag",
    [
        HopperFlag.FINGER_MISMATCH,
        HopperFlag.REVERSE_LIMIT,
        HopperFlag.POWER_LOST_PAYING,
        HopperFlag.CIPHER_WRONG,
        HopperFlag.PIN_WRONG,
        HopperFlag.UNKNOWN_COIN_PAID,
        HopperFlag.COIL_FAULT,
    ],
)
async def test_a_latched_bit_is_reset_named_and_the_count_goes_on(flag: HopperFlag) -> None:
    """It refused every payout before; after the reset the chips come, and a note says what it was."""
    rig = rig_with()
    start = await rig.device.reading()
    rig.board.metal.flags |= flag
    assert (await rig.device.empty(ignore)).chips_since(start) == CHIPS
    (note,) = rig.notes
    assert named(flag) in note


async def test_a_power_loss_is_named_with_its_bit() -> None:
    """The fault of the restart says that the power was lost while paying, and the note that a reset cleared it."""
    rig = rig_with()
    rig.board.metal.cut_after = 1
    with pytest.raises(ReturnFault, match=r"power lost while paying \(3\.0\)") as caught:
        await rig.device.empty(ignore)
    assert caught.value.kind is FaultKind.RESET
    await rig.device.empty(ignore)
    assert rig.notes == ["address 3 on direct was reset and is clear of: power lost while paying (3.0)"]


async def test_a_memory_error_is_distrusted_until_somebody_resets_the_hopper() -> None:
    """Neither asking again nor a new program forgets it; no chip moves; a reset by hand does."""
    rig = rig_with(writes=False)
    rig.board.metal.cut_after = 1
    for _ in range(3):
        with pytest.raises(ReturnFault, match=r"memory error \(2\.6\)") as caught:
            await rig.device.empty(ignore)
        assert caught.value.kind is FaultKind.DISTRUSTED
    assert rig.board.metal.given == 1
    rig.board.restart(by_power=False)
    await rig.device.empty(ignore)
    assert rig.board.metal.given == CHIPS


async def test_a_memory_that_fails_after_the_last_chip_is_still_noticed() -> None:
    """The hopper is empty, the verdict is given, and then its counter jumps: the last look is at its memory."""
    rig = rig_with()
    reading = rig.device.reading
    asked = 0

    async def corrupt() -> Reading:
        nonlocal asked
        asked += 1
        if asked == 2:
            rig.board.restart(by_power=True, is_written=False)
            rig.board.metal.lifetime += 5
        return await reading()

    rig.device.reading = corrupt  # type: ignore[method-assign]
    with pytest.raises(ReturnFault) as caught:
        await rig.device.empty(ignore)
    assert caught.value.kind is FaultKind.DISTRUSTED


async def test_a_counter_that_runs_backwards_is_distrusted() -> None:
    """A hopper that lost counts without saying so is found out when its own counter shrinks."""
    rig = rig_with()
    rig.board.metal.lifetime = 100

    def lose(_reading: Reading) -> None:
        rig.board.metal.lifetime = 50

    with pytest.raises(ReturnFault, match="counts backwards") as caught:
        await rig.device.empty(lose)
    assert caught.value.kind is FaultKind.DISTRUSTED


async def test_what_a_reset_does_not_clear_is_a_fault_with_each_bit() -> None:
    """A chip stands in the exit: two registers tell of it, and both bits are in the message."""
    rig = rig_with()
    rig.board.metal.jam, rig.board.metal.jam_after = Jam.EXIT, 1
    with pytest.raises(ReturnFault, match=r"exit blocked at rest \(1\.3\), exit blocked while paying \(1\.5\)"):
        await rig.device.empty(ignore)
    with pytest.raises(ReturnFault, match=r"is jammed \(exit blocked at rest \(1\.3\)\)"):
        await rig.device.empty(ignore)


def test_every_bit_has_a_name_and_a_place() -> None:
    """As manuals count: register 1 to 3, bit 0 to 7."""
    assert named(HopperFlag.CURRENT_EXCEEDED | HopperFlag.ENCRYPTION_REQUIRED) == (
        "motor current exceeded (1.0), encryption required (3.4)"
    )
    assert named(HopperFlag(1 << 23)) == "not in the standard (3.7)"
    assert all("not in the standard" not in named(flag) for flag in HopperFlag)
    assert HopperFlag.MEMORY_ERROR not in LATCHED, "a reset would forget it"
