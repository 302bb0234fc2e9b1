"""A hopper on its wire: who answers, and what is said of silence, noise, strangers and ports."""

import asyncio
import errno
import os
import tty
from contextlib import suppress
from pathlib import Path
from unittest import mock

import pytest

from drivers.cctalk.bus import Bus
from drivers.cctalk.commands import Header
from drivers.cctalk.hopper import CcTalkHopper
from drivers.cctalk.settings import HopperSettings
from drivers.ports import FaultKind, Identity, Reading, ReturnFault
from drivers.simulated.cctalk_wire import WireFault
from tests.support.drivers.return_rigs import BRISK, WITHIN_S, hopper_board, hopper_rig, ignore


async def test_a_hopper_says_who_it_is() -> None:
    """Maker, product and serial number as the device gives them."""
    async with hopper_rig() as rig:
        assert await rig.device.identify() == Identity("Pitlink", "Bench hopper", "12345678")


async def test_a_coin_acceptor_is_not_taken_for_a_hopper() -> None:
    """The fault names what answered instead."""
    board = hopper_board()
    board.category = "Coin Acceptor"
    async with hopper_rig(board) as rig:
        with pytest.raises(ReturnFault, match="'Coin Acceptor', not a 'Payout'") as caught:
            await rig.device.identify()
    assert caught.value.kind is FaultKind.MISSING


async def test_silence_names_port_and_address() -> None:
    """Nobody there: the person learns where to look, after every retry was made."""
    async with hopper_rig() as rig:
        rig.bench.wire.always = WireFault.LOST_COMMAND
        with pytest.raises(ReturnFault, match=f"address 3 on {rig.bench.port} does not answer") as caught:
            await rig.device.identify()
        assert rig.bench.wire.heard.count(Header.REQUEST_EQUIPMENT_CATEGORY_ID) == 1 + rig.settings.retries
    assert caught.value.kind is FaultKind.SILENT


async def test_another_address_is_named() -> None:
    """A hopper with other switches than the settings say is found by what it answers."""
    async with hopper_rig() as rig:
        rig.bench.wire.always = WireFault.FOREIGN_ADDRESS
        with pytest.raises(ReturnFault, match="does not answer but address 4 does") as caught:
            await rig.device.identify()
    assert caught.value.kind is FaultKind.SILENT


@pytest.mark.parametrize(
    ("fault", "words", "kind"),
    [
        (WireFault.BABBLE, "answered nonsense", FaultKind.GARBLED),
        (WireFault.GARBLED_REPLY, "answered nonsense", FaultKind.GARBLED),
        (WireFault.HALF_REPLY, "answered nonsense", FaultKind.GARBLED),
        # A late answer to another question, or another kind of device: it is not read as numbers.
        (WireFault.ODD_SIZE, "answered header 168 with header 0 and 00 00 00 00", FaultKind.GARBLED),
        (WireFault.BUSY, "says that it is busy", FaultKind.SILENT),
    ],
)
async def test_what_never_becomes_an_answer_is_called_by_its_name(
    fault: WireFault, words: str, kind: FaultKind
) -> None:
    """Asked again, but not for ever."""
    async with hopper_rig() as rig:
        rig.bench.wire.always = fault
        with pytest.raises(ReturnFault, match=words) as caught:
            await rig.device.reading()
    assert caught.value.kind is kind


async def test_a_babbler_that_never_pauses_is_given_up() -> None:
    """Endless noise is a fault in bounded time, not a table that waits for ever."""
    master, slave = os.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)
    loop = asyncio.get_running_loop()

    def babble() -> None:
        with suppress(BlockingIOError):
            os.write(master, b"\xff" * 64)

    settings = HopperSettings(os.ttyname(slave), echo=False, **BRISK)
    bus = Bus(settings.wire)
    loop.add_writer(master, babble)
    try:
        with pytest.raises(ReturnFault, match="answered nonsense"):
            await asyncio.wait_for(CcTalkHopper(settings, bus).identify(), WITHIN_S)
    finally:
        loop.remove_writer(master)
        await bus.close()
        os.close(master)
        os.close(slave)


async def test_one_lie_about_the_count_is_not_believed() -> None:
    """An 8-bit sum cannot see every error, so a count must be heard twice."""
    async with hopper_rig(hopper_board(lifetime=1000)) as rig:
        for after in range(3):
            rig.bench.wire.fail_once(WireFault.LIE, Header.REQUEST_HOPPER_DISPENSE_COUNT, after)
            assert (await rig.device.reading()).count == 1000


async def test_questions_at_the_same_time_take_turns() -> None:
    """Whoever asks, everybody gets his own answer."""
    async with hopper_rig(hopper_board(lifetime=42)) as rig:
        identities = [rig.device.identify() for _ in range(4)]
        readings = [rig.device.reading() for _ in range(4)]
        assert set(await asyncio.gather(*identities)) == {Identity("Pitlink", "Bench hopper", "12345678")}
        assert set(await asyncio.gather(*readings)) == {Reading("Pitlink 12345678", 42)}


async def test_noise_on_an_idle_wire_is_dropped() -> None:
    """What came before a question cannot be its answer, and costs no retry."""
    async with hopper_rig() as rig:
        await rig.device.identify()
        rig.bench.wire.heard.clear()
        assert rig.bus._line is not None
        rig.bus._line._news.clear()
        rig.bench.make_noise()
        await rig.wait_for(rig.bus._line._news.wait())
        await rig.device.identify()
        assert len(rig.bench.wire.heard) == 5


@pytest.mark.parametrize("fault", [WireFault.NOISE_BEFORE, WireFault.NOISE_AFTER])
async def test_noise_around_every_answer_is_survived(fault: WireFault) -> None:
    """Garbage bytes beside sound frames cost time, not chips."""
    async with hopper_rig() as rig:
        rig.bench.wire.always = fault
        rig.bench.load(5)
        before = await rig.device.reading()
        assert (await rig.device.empty(ignore)).chips_since(before) == rig.given == 5


async def test_a_question_that_was_given_up_does_not_answer_the_next() -> None:
    """Whoever cancels leaves an answer on the wire; it is dropped, not believed."""
    async with hopper_rig() as rig:
        await rig.device.identify()
        for _ in range(20):
            given_up = asyncio.create_task(rig.device.reading())
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            given_up.cancel()
            await asyncio.gather(given_up, return_exceptions=True)
            assert (await rig.device.identify()).serial == "12345678"


async def test_an_unplugged_adapter_is_named_and_found_again() -> None:
    """The next use after it is back simply works."""
    async with hopper_rig() as rig:
        before = await rig.device.reading()
        rig.bench.unplug()
        with pytest.raises(ReturnFault, match=rig.bench.port) as caught:
            await rig.device.reading()
        assert caught.value.kind is FaultKind.MISSING
        with pytest.raises(ReturnFault, match="cannot be opened"):
            await rig.device.reading()
        rig.bench.plug()
        assert await rig.device.reading() == before


async def test_a_port_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A wrong name in the settings reads like an adapter that is not plugged in."""
    settings = HopperSettings(str(tmp_path / "ttyNOWHERE"), **BRISK)
    with pytest.raises(ReturnFault, match="ttyNOWHERE cannot be opened") as caught:
        await CcTalkHopper(settings, Bus(settings.wire)).identify()
    assert caught.value.kind is FaultKind.MISSING


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (FileNotFoundError(errno.ENOENT, "gone"), "there is no such port; plug in the adapter"),
        (PermissionError(errno.EACCES, "denied"), "adduser USER dialout"),
        (OSError(errno.EBUSY, "busy"), "another program speaks there"),
        (OSError("odd"), r"it is no serial port \(odd\); correct the port's name"),
    ],
    ids=["missing", "permission", "busy", "other"],
)
async def test_a_port_that_does_not_open_says_what_to_do(error: OSError, words: str) -> None:
    """Each reason has its own remedy."""
    settings = HopperSettings("/dev/ttyUSB0", **BRISK)
    denied = mock.patch("serial_asyncio_fast.create_serial_connection", side_effect=error)
    with denied, pytest.raises(ReturnFault, match=words):
        await CcTalkHopper(settings, Bus(settings.wire)).identify()


async def test_two_hosts_cannot_share_a_port() -> None:
    """The second one is turned away instead of mixing its questions in."""
    async with hopper_rig() as rig:
        await rig.device.identify()
        intruder = CcTalkHopper(rig.settings, Bus(rig.settings.wire))
        with pytest.raises(ReturnFault, match="another program speaks there; stop the table"):
            await intruder.identify()
