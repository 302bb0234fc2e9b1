"""A ccTalk hopper as a return device: it is emptied, and its own lifetime counter says how many chips came out."""

import asyncio
from collections.abc import Callable, Container
from typing import Final

from drivers.cctalk.bus import Bus
from drivers.cctalk.commands import (
    DAZZLED,
    ENABLE_CODE,
    JAMMED,
    LATCHED,
    PAYOUT,
    Header,
    HopperFlag,
    Level,
    PayoutStatus,
    next_event,
)
from drivers.cctalk.frame import HOST, CcTalkMessage
from drivers.cctalk.settings import HopperSettings, Security
from drivers.ports import FaultKind, Identity, Reading, ReturnFault

_TIMEOUT_UNIT_MS: Final = 1000 / 3


class HopperTalk:
    """One address on a wire; every question but dispense() is put again when its answer is lost."""

    def __init__(self, bus: Bus, address: int, port: str) -> None:
        self._bus = bus
        self._address = address
        self.place = f"address {address} on {port}"

    async def text(self, header: Header) -> str:
        """One of the names a device has for itself."""
        return (await self._data(header, range(256))).decode("ascii", errors="replace").strip("\0 ")

    async def serial_number(self) -> bytes:
        return await self._data(Header.REQUEST_SERIAL_NUMBER, (3,))

    async def count(self) -> int:
        """Chips dispensed in its life, as far as 24 bits go."""
        return int.from_bytes(await self._data(Header.REQUEST_HOPPER_DISPENSE_COUNT, (3,)), "little")

    async def status(self) -> PayoutStatus:
        return PayoutStatus(*await self._data(Header.REQUEST_HOPPER_STATUS, (4,)))

    async def flags(self) -> HopperFlag:
        return HopperFlag(int.from_bytes(await self._data(Header.TEST_HOPPER, (1, 2, 3)), "little"))

    async def level(self) -> Level:
        return Level((await self._data(Header.REQUEST_PAYOUT_HIGH_LOW_STATUS, (1,)))[0])

    async def cipher_key(self) -> bytes:
        return await self._data(Header.REQUEST_CIPHER_KEY, (8,))

    async def enable(self) -> None:
        await self._data(Header.ENABLE_HOPPER, (0,), bytes((ENABLE_CODE,)))

    async def reset(self) -> None:
        await self._data(Header.RESET_DEVICE, (0,))

    async def stop(self) -> None:
        await self._data(Header.EMERGENCY_STOP, (1,))

    async def limit_payout_timeout(self, timeout_ms: int) -> None:
        """Sets how long it turns in vain, and leaves its other motor variables as they are."""
        current_limit, stop_delay = (await self._data(Header.REQUEST_VARIABLE_SET, range(3, 256)))[:2]
        timeout = min(255, max(1, round(timeout_ms / _TIMEOUT_UNIT_MS)))
        await self._data(Header.MODIFY_VARIABLE_SET, (0,), bytes((current_limit, stop_delay, timeout, 0)))

    async def dispense(self, security: bytes, chips: int) -> bool | None:
        """Orders a payout, once: True if it was acknowledged, False if it was refused, None if nobody can tell."""
        request = CcTalkMessage(self._address, HOST, Header.DISPENSE_HOPPER_COINS, security + bytes((chips,)))
        try:
            answer = await self._bus.ask_once(request, (0, 1))
        except ReturnFault as fault:
            if fault.kind is FaultKind.MISSING:
                raise
            return None
        return answer.header == Header.REPLY

    async def _data(self, header: Header, sizes: Container[int], data: bytes = b"") -> bytes:
        answer = await self._bus.ask(CcTalkMessage(self._address, HOST, header, data), sizes)
        if answer.header == Header.NAK:
            detail = f"{self.place} refuses header {header}; it is not the hopper that these settings describe"
            raise ReturnFault(FaultKind.GARBLED, detail)
        return answer.data


ASKED: Final = 255
"""Chips asked for in one payout, the most that a frame can say: a hopper is emptied by asking for more than it has."""


class CcTalkHopper:
    """A payout device on a ccTalk wire."""

    def __init__(self, settings: HopperSettings, bus: Bus) -> None:
        self._settings = settings
        self._talk = HopperTalk(bus, settings.address, settings.port)
        self._emptying = asyncio.Lock()
        self._ordering = asyncio.Lock()
        self._is_stopped = False

    async def identify(self) -> Identity:
        """Who answers; anything but a payout device is a fault."""
        category = await self._talk.text(Header.REQUEST_EQUIPMENT_CATEGORY_ID)
        if category != PAYOUT:
            raise self._fault(FaultKind.MISSING, f"is a {category!r}, not a {PAYOUT!r} device; correct the address")
        return Identity(
            maker=await self._talk.text(Header.REQUEST_MANUFACTURER_ID),
            product=await self._talk.text(Header.REQUEST_PRODUCT_CODE),
            serial=str(int.from_bytes(await self._talk.serial_number(), "little")),
        )

    async def reading(self) -> Reading:
        """The lifetime counter at rest, under the name of the device that keeps it."""
        maker = await self._talk.text(Header.REQUEST_MANUFACTURER_ID)
        serial = int.from_bytes(await self._talk.serial_number(), "little")
        return Reading(f"{maker} {serial}", await self._resting_count())

    async def empty(self, progress: Callable[[Reading], None]) -> Reading:
        """Pays until the hopper shows that it is empty; a payout that a dead host had ordered is seen through first."""
        async with self._emptying:
            self._is_stopped = False
            tally = _Tally(await self.reading(), progress)
            await self._see_through(await self._talk.status(), tally)
            is_empty = False
            while not is_empty:
                is_empty = await self._pay(tally)
            return await self._close(tally)

    async def stop(self) -> None:
        """Stops the motor; an empty() under way ends with a fault."""
        self._is_stopped = True
        async with self._ordering:
            await self._talk.stop()

    async def _pay(self, tally: "_Tally") -> bool:
        """One payout from order to end; True once the hopper has shown that it is empty."""
        await self._make_ready()
        status, is_acknowledged = await self._order()
        status = await self._see_through(status, tally)
        self._heed_stop()
        tally.doubts += not is_acknowledged
        if tally.doubts > self._settings.retries:
            raise self._fault(FaultKind.SILENT, "pays but does not acknowledge its orders; look at its cable")
        if status.paid >= ASKED:
            return False
        # An order of which only the event counter tells may have been a refusal: it proves nothing.
        return await self._is_empty(status) and is_acknowledged

    async def _make_ready(self) -> None:
        """Tests the cause of latched faults again, then enables the hopper: every restart disables it."""
        if await self._talk.flags() & LATCHED:
            await self._talk.reset()
            await asyncio.sleep(self._settings.restart_ms / 1000)
            self._require_clear(await self._talk.flags())
        if self._settings.payout_timeout_ms:
            await self._talk.limit_payout_timeout(self._settings.payout_timeout_ms)
        await self._talk.enable()

    async def _order(self) -> tuple[PayoutStatus, bool]:
        """Orders one payout; returns once the hopper is known to have heard it, and whether it said so itself."""
        before, count = await self._talk.status(), await self._resting_count()
        for _ in range(1 + self._settings.retries):
            is_acknowledged = await self._dispense()
            status = await self._talk.status()
            if status.event == next_event(before.event):
                return status, is_acknowledged
            if is_acknowledged or status != before or await self._resting_count() != count:
                raise self._restarted()
        raise self._fault(FaultKind.SILENT, "does not hear the order to pay; look at its cable")

    async def _dispense(self) -> bool:
        """Whether the order was acknowledged; if not, only the counters know what became of it."""
        security = await self._security()
        async with self._ordering:
            self._heed_stop()
            answer = await self._talk.dispense(security, ASKED)
        if answer is False:
            raise await self._refusal()
        return answer is True

    async def _security(self) -> bytes:
        match self._settings.security:
            case Security.CIPHER:
                return await self._talk.cipher_key()
            case Security.SERIAL:
                return await self._talk.serial_number()

    async def _see_through(self, status: PayoutStatus, tally: "_Tally") -> PayoutStatus:
        """Watches a payout until nothing remains of it."""
        patience = _Patience(self._settings.stall_ms)
        while status.remaining:
            tally.hear(await self._resting_count())
            if patience.is_over(status):
                await self._talk.stop()
                raise self._fault(FaultKind.JAM, "neither pays nor gives up; look inside")
            await asyncio.sleep(self._settings.poll_ms / 1000)
            status = await self._talk.status()
            self._heed_stop()
        tally.hear(await self._resting_count())
        return status

    async def _is_empty(self, status: PayoutStatus) -> bool:
        """Why a payout ended early: nothing left (True), a jam that cleared itself (False), or a fault."""
        flags = await self._talk.flags()
        self._require_clear(flags)
        if HopperFlag.DISABLED in flags:
            raise self._restarted()
        if HopperFlag.MOTOR_REVERSED in flags and status.paid:
            return False
        if HopperFlag.MOTOR_REVERSED in flags or HopperFlag.PAYOUT_TIMEOUT not in flags:
            raise self._fault(FaultKind.JAM, "turned but gave nothing and is not sure to be empty; look inside")
        if self._settings.level_sensor:
            self._require_low(await self._talk.level())
        return True

    async def _close(self, tally: "_Tally") -> Reading:
        last = await self.reading()
        if last.epoch != tally.epoch:
            raise self._fault(FaultKind.RESET, f"is {last.epoch} now, it was {tally.epoch}; count the chips by hand")
        tally.hear(last.count)
        return last

    async def _resting_count(self) -> int:
        """The counter, once it says the same twice: a chip may be falling, and one garbled sum in 256 looks sound."""
        count = await self._talk.count()
        for _ in range(ASKED):
            again = await self._talk.count()
            if again == count:
                return count
            count = again
        raise self._fault(FaultKind.GARBLED, "has a counter that does not come to rest")

    async def _refusal(self) -> ReturnFault:
        flags = await self._talk.flags()
        self._require_clear(flags)
        if HopperFlag.DISABLED in flags:
            return self._restarted()
        if HopperFlag.PIN_NEEDED in flags:
            return self._fault(FaultKind.REFUSED, "wants a PIN, which is not supported; take the PIN out of it")
        return self._fault(
            FaultKind.REFUSED, f"refuses to pay; security = {self._settings.security.value!r} may be wrong"
        )

    def _require_clear(self, flags: HopperFlag) -> None:
        if flags & JAMMED:
            raise self._fault(FaultKind.JAM, "is jammed; clear its exit and disc, then recount or retest")
        if flags & DAZZLED:
            raise self._fault(FaultKind.SPURIOUS, "sees light that is not its own at its exit; look for tampering")

    def _require_low(self, level: Level) -> None:
        if Level.LOW_FITTED not in level:
            raise self._fault(FaultKind.MISSING, "has no low-level plate; set level_sensor = false")
        if Level.LOW not in level:
            raise self._fault(
                FaultKind.JAM, "holds chips that do not reach its disc; stir them, then recount or retest"
            )

    def _restarted(self) -> ReturnFault:
        what = "restarted by itself or obeys somebody else; check its power and wiring, then recount or retest"
        return self._fault(FaultKind.RESET, what)

    def _heed_stop(self) -> None:
        if self._is_stopped:
            raise self._fault(FaultKind.STOPPED, "was stopped before it was empty; recount or retest")

    def _fault(self, kind: FaultKind, what: str) -> ReturnFault:
        return ReturnFault(kind, f"hopper at {self._talk.place} {what}")


class _Tally:
    """Passes every new count on, once, and keeps how many orders went unacknowledged."""

    def __init__(self, start: Reading, progress: Callable[[Reading], None]) -> None:
        self.epoch = start.epoch
        self.doubts = 0
        self._last = start.count
        self._progress = progress

    def hear(self, count: int) -> None:
        if count != self._last:
            self._last = count
            self._progress(Reading(self.epoch, count))


class _Patience:
    """Measures how long a payout has stood still."""

    def __init__(self, stall_ms: int) -> None:
        self._stall_ms = stall_ms
        self._seen: PayoutStatus | None = None
        self._since = 0.0

    def is_over(self, status: PayoutStatus) -> bool:
        now = asyncio.get_running_loop().time()
        if status != self._seen:
            self._seen, self._since = status, now
        return (now - self._since) * 1000 > self._stall_ms
