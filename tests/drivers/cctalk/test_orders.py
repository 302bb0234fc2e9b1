"""Orders to pay: every dialect of them, what refuses them, and none that is given blindly or after a stop."""

import asyncio

import pytest

from drivers.cctalk.commands import Header, HopperFlag
from drivers.cctalk.frame import Checksum
from drivers.cctalk.settings import Security
from drivers.ports import FaultKind, ReturnFault
from drivers.simulated.cctalk_wire import WireFault
from drivers.simulated.hopper_board import Answer, HopperBoard
from drivers.simulated.hopper_mechanics import HopperMechanics
from tests.support.drivers.return_rigs import hopper_board, hopper_rig, ignore


@pytest.mark.parametrize("checksum", Checksum)
@pytest.mark.parametrize("security", Security)
@pytest.mark.parametrize(("adapter_echo", "echo"), [(True, True), (False, False), (True, False)])
async def test_every_dialect_pays(checksum: Checksum, security: Security, adapter_echo: bool, echo: bool) -> None:
    """Both sums, both ways to unlock, adapters that echo and that do not, and an echo nobody announced."""
    board = hopper_board(security=security)
    async with hopper_rig(board, checksum=checksum, adapter_echo=adapter_echo, echo=echo, security=security) as rig:
        rig.bench.load(7)
        before = await rig.device.reading()
        assert (await rig.device.empty(ignore)).chips_since(before) == rig.given == 7
        assert rig.orders == 1


async def test_an_announced_echo_that_does_not_come_is_a_fault() -> None:
    """The settings are wrong, or the wire is cut: nothing is believed that was not heard going out."""
    async with hopper_rig(adapter_echo=False, echo=True) as rig:
        with pytest.raises(ReturnFault, match="set echo = false"):
            await rig.device.identify()


async def test_the_wrong_way_to_unlock_is_refused_and_said() -> None:
    """A hopper that wants its serial number pays nothing for a cipher key."""
    async with hopper_rig(hopper_board(security=Security.SERIAL), security=Security.CIPHER) as rig:
        rig.bench.load(3)
        with pytest.raises(ReturnFault, match="security = 'cipher' may be wrong"):
            await rig.device.empty(ignore)
        assert (rig.given, rig.orders) == (0, 0)


async def test_a_refusal_that_was_lost_is_not_taken_for_an_empty_hopper() -> None:
    """The event counter moves for a refused order, too, and the timeout flag may be an old one."""
    async with hopper_rig() as rig:
        await rig.device.empty(ignore)
        rig.bench.load(3)
        with rig.bench.hands_on() as board:
            board.security = Security.SERIAL
        rig.bench.wire.fail_once(WireFault.LOST_REPLY, Header.DISPENSE_HOPPER_COINS)
        with pytest.raises(ReturnFault, match="refuses to pay"):
            await rig.device.empty(ignore)
        assert rig.stock == 3


async def test_a_hopper_that_never_acknowledges_is_given_up() -> None:
    """Its payouts prove nothing, so they are not repeated for ever; the chips that came are counted."""
    async with hopper_rig() as rig:
        rig.bench.load(3)
        before = await rig.device.reading()
        rig.bench.wire.fail_always(WireFault.LOST_REPLY, Header.DISPENSE_HOPPER_COINS)
        with pytest.raises(ReturnFault, match="does not acknowledge"):
            await rig.device.empty(ignore)
        assert rig.orders == 1 + rig.settings.retries
        assert (await rig.device.reading()).chips_since(before) == 3


async def test_an_order_that_is_never_heard_is_given_up() -> None:
    """The counters do not move, so it was sent again; but not for ever."""
    async with hopper_rig() as rig:
        rig.load(3)
        rig.bench.wire.fail_always(WireFault.LOST_COMMAND, Header.DISPENSE_HOPPER_COINS)
        with pytest.raises(ReturnFault, match="does not hear the order") as caught:
            await rig.device.empty(ignore)
        assert caught.value.kind is FaultKind.SILENT
        assert rig.bench.wire.heard.count(Header.DISPENSE_HOPPER_COINS) == 1 + rig.settings.retries
        assert (rig.orders, rig.stock) == (0, 3)


@pytest.mark.parametrize(
    ("fault", "header", "after"),
    [
        (WireFault.HOLLOW, Header.DISPENSE_HOPPER_COINS, 0),
        (WireFault.LIE, Header.REQUEST_HOPPER_STATUS, 2),
        (WireFault.RESTART_UNANSWERED, Header.DISPENSE_HOPPER_COINS, 0),
    ],
    ids=[
        "acknowledged, not done",
        "acknowledged, event counter seems unmoved",
        "done, restarted, event counter at 0 again",
    ],
)
async def test_an_order_is_not_sent_again_while_its_signs_disagree(
    fault: WireFault, header: Header, after: int
) -> None:
    """Only an order that left no trace at all was not heard; otherwise a person looks first."""
    async with hopper_rig(hopper_board(chip_ms=60_000)) as rig:
        rig.load(3)
        rig.bench.wire.fail_once(fault, header, after)
        with pytest.raises(ReturnFault) as caught:
            await rig.device.empty(ignore)
        assert caught.value.kind is FaultKind.RESET
        assert rig.bench.wire.heard.count(Header.DISPENSE_HOPPER_COINS) == 1


async def test_a_command_refused_for_no_reason_names_itself() -> None:
    """A hopper of another make than the settings say."""
    async with hopper_rig() as rig:
        rig.bench.wire.fail_always(WireFault.REFUSED, Header.ENABLE_HOPPER)
        with pytest.raises(ReturnFault, match="refuses header 164") as caught:
            await rig.device.empty(ignore)
        assert caught.value.kind is FaultKind.GARBLED


async def test_a_hopper_with_a_pin_says_so() -> None:
    """The settings have none, so nothing is paid; with it every payout works, also after a restart has locked it."""
    board = hopper_board()
    board.pin = bytes.fromhex("31323334")
    for pin, words in (("", "wants a PIN"), ("31323335", "does not accept the PIN")):
        async with hopper_rig(board, pin=pin) as rig:
            rig.load(1)
            with pytest.raises(ReturnFault, match=words) as caught:
                await rig.device.empty(ignore)
            assert caught.value.kind is FaultKind.REFUSED
    async with hopper_rig(board, pin="31323334") as rig:
        await rig.device.empty(ignore)
        board.restart(by_power=True)
        rig.load(3)
        await rig.device.empty(ignore)
        assert rig.given == 5


async def test_encryption_is_named_before_anything_is_ordered() -> None:
    """A bit says that only the maker can work out the key: no order is worth a try."""
    async with hopper_rig() as rig:
        with rig.bench.hands_on() as board:
            board.is_encrypted = True
        with pytest.raises(ReturnFault, match=r"encryption required \(3\.4\)") as caught:
            await rig.device.empty(ignore)
        assert caught.value.kind is FaultKind.REFUSED
        assert Header.DISPENSE_HOPPER_COINS not in rig.bench.wire.heard


async def test_a_hopper_that_pays_amounts_is_refused_by_name() -> None:
    """An accumulator hopper has no counter of chips: it is told at the start, not in the first round."""
    async with hopper_rig() as rig:
        with rig.bench.hands_on() as board:
            board.pays_by_value = True
        with pytest.raises(ReturnFault, match="pays amounts") as caught:
            await rig.device.identify()
        assert caught.value.kind is FaultKind.REFUSED


async def test_a_hopper_that_speaks_only_in_cipher_is_refused_by_name() -> None:
    """It does not know header 166, and says under 111 that its commands are encrypted."""

    class DesBoard(HopperBoard):
        def _tell(self, header: int) -> Answer | None:
            match header:
                case Header.REQUEST_HOPPER_STATUS:
                    return None
                case Header.REQUEST_ENCRYPTION_SUPPORT:
                    return Header.REPLY, bytes((0, 101)) + bytes(15)
                case _:
                    return super()._tell(header)

    async with hopper_rig(DesBoard(HopperMechanics())) as rig:
        with pytest.raises(ReturnFault, match="wants encrypted commands") as caught:
            await rig.device.identify()
        assert caught.value.kind is FaultKind.REFUSED


async def test_a_hopper_in_single_chip_mode_is_emptied_chip_by_chip() -> None:
    """One order for each chip, and one more that comes out empty."""
    async with hopper_rig() as rig:
        with rig.bench.hands_on() as board:
            board.is_single = True
        rig.load(4)
        before = await rig.device.reading()
        assert (await rig.device.empty(ignore)).chips_since(before) == 4
        assert rig.orders == 5


async def test_a_serial_number_of_four_bytes_names_and_unlocks() -> None:
    """As the hopper says it, so it is given back."""
    board = hopper_board(security=Security.SERIAL, serial=0x89ABCDEF)
    board.serial_size = 4
    async with hopper_rig(board, security=Security.SERIAL) as rig:
        assert (await rig.device.identify()).serial == str(0x89ABCDEF)
        rig.load(2)
        await rig.device.empty(ignore)
        assert rig.given == 2


async def test_a_hopper_without_a_cipher_key_is_not_asked_for_one() -> None:
    """security = "none": eight bytes of any kind."""
    async with hopper_rig(hopper_board(security=Security.NONE), security=Security.NONE) as rig:
        rig.load(2)
        await rig.device.empty(ignore)
        assert rig.given == 2
        assert Header.REQUEST_CIPHER_KEY not in rig.bench.wire.heard


async def test_a_stop_may_be_acknowledged_without_a_number() -> None:
    """Some hoppers say what remains, some only that they have heard."""
    async with hopper_rig() as rig:
        with rig.bench.hands_on() as board:
            board.says_what_remains = False
        await rig.device.stop()


async def test_a_busy_hopper_is_waited_for() -> None:
    """Busy is no failure: it costs no retry, and an order that was put off is given once."""
    async with hopper_rig(retries=0, busy_ms=1000) as rig:
        rig.load(3)
        for header in (Header.TEST_HOPPER, Header.REQUEST_HOPPER_STATUS, Header.REQUEST_CIPHER_KEY):
            rig.bench.wire.fail_once(WireFault.BUSY, header)
        await rig.device.empty(ignore)
        assert (rig.given, rig.orders) == (3, 1)


async def test_a_hopper_is_left_in_peace_after_a_reset() -> None:
    """It is deaf while it wakes up: who asks too early would call it silent."""
    board = hopper_board()
    board.wake_s = 0.05
    async with hopper_rig(board, retries=0, restart_ms=60) as rig:
        with rig.bench.hands_on():
            board.metal.flags |= HopperFlag.POWER_LOST_PAYING
        rig.load(1)
        await rig.device.empty(ignore)
        assert rig.bench.wire.heard.count(Header.RESET_DEVICE) == 1
        assert rig.given == 1


async def test_a_counter_that_never_rests_is_not_believed() -> None:
    """No number can be taken for the round."""

    class RestlessMetal(HopperMechanics):
        @property
        def lifetime(self) -> int:
            self.asked += 1
            return self.asked

        @lifetime.setter
        def lifetime(self, count: int) -> None:
            self.asked = count

    async with hopper_rig(HopperBoard(RestlessMetal())) as rig:
        with pytest.raises(ReturnFault, match="does not come to rest") as caught:
            await rig.device.reading()
        assert caught.value.kind is FaultKind.GARBLED


async def test_a_restart_just_before_the_verdict_is_called_a_restart() -> None:
    """A fresh hopper has forgotten why it stopped: that is no jam."""
    async with hopper_rig() as rig:
        rig.bench.wire.fail_once(WireFault.RESTART_BEFORE, Header.TEST_HOPPER, after=1)
        with pytest.raises(ReturnFault) as caught:
            await rig.device.empty(ignore)
    assert caught.value.kind is FaultKind.RESET


async def test_stop_stands_still_and_ends_the_emptying() -> None:
    """Chips that came out before are counted; the rest comes when it is asked for again."""
    async with hopper_rig(hopper_board(chip_ms=60_000)) as rig:
        rig.bench.load(50)
        before = await rig.device.reading()
        seen = asyncio.Event()
        emptying = asyncio.create_task(rig.device.empty(lambda _reading: seen.set()))
        await rig.turn_once()
        await rig.wait_for(seen.wait())
        await rig.device.stop()
        with pytest.raises(ReturnFault) as caught:
            await rig.wait_for(emptying)
        assert caught.value.kind is FaultKind.STOPPED
        assert (await rig.device.reading()).chips_since(before) == rig.given == 1
        with rig.bench.hands_on() as board:
            board.metal.chip_ms = 0
        assert (await rig.device.empty(ignore)).chips_since(before) == 50


async def test_no_order_leaves_after_a_stop() -> None:
    """A stop that comes while the hopper is being made ready keeps it from ever starting."""
    async with hopper_rig() as rig:
        rig.bench.load(3)
        with rig.bench.hands_on():  # its first question stays unanswered until the stop was ordered
            emptying = asyncio.create_task(rig.device.empty(ignore))
            await asyncio.sleep(0)
            stopping = asyncio.create_task(rig.device.stop())
            await asyncio.sleep(0)
        await rig.wait_for(stopping)
        with pytest.raises(ReturnFault) as caught:
            await rig.wait_for(emptying)
        assert caught.value.kind is FaultKind.STOPPED
        assert rig.orders == 0


async def test_an_adapter_pulled_during_a_payout_hides_no_chip() -> None:
    """The hopper goes on paying alone; what it paid is in its counter."""
    async with hopper_rig(hopper_board(chip_ms=5)) as rig:
        rig.bench.load(8)
        before = await rig.device.reading()
        rig.bench.wire.fail_once(WireFault.UNPLUGGED, Header.DISPENSE_HOPPER_COINS)
        with pytest.raises(ReturnFault, match="went away") as caught:
            await rig.device.empty(ignore)
        assert caught.value.kind is FaultKind.MISSING
        rig.bench.plug()
        assert (await rig.device.empty(ignore)).chips_since(before) == rig.given == 8
