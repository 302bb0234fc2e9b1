"""A ccTalk hopper as a return device: it is emptied, and its own lifetime counter says how many chips came out."""

import asyncio
from collections.abc import Callable, Container
from contextlib import suppress
from typing import Final

from drivers.cctalk.bus import Bus
from drivers.cctalk.commands import (
    BROKEN,
    DAZZLED,
    ENABLE_CODE,
    ENCRYPTION_QUESTION,
    JAMMED,
    LATCHED,
    PAYOUT,
    REFUSING,
    RESTARTED,
    Header,
    HopperFlag,
    Level,
    PayoutStatus,
    named,
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
        return await self._data(Header.REQUEST_SERIAL_NUMBER, (3, 4))

    async def count(self) -> int:
        """Chips dispensed in its life, as far as 24 bits go."""
        return int.from_bytes(await self._data(Header.REQUEST_HOPPER_DISPENSE_COUNT, (3,)), "little")

    async def status(self) -> PayoutStatus:
        return PayoutStatus(*await self._data(Header.REQUEST_HOPPER_STATUS, (4,)))

    async def flags(self) -> HopperFlag:
        return HopperFlag(int.from_bytes(await self._data(Header.TEST_HOPPER, range(1, 5)), "little"))

    async def level(self) -> Level:
        return Level((await self._data(Header.REQUEST_PAYOUT_HIGH_LOW_STATUS, (1,)))[0])

    async def cipher_key(self) -> bytes:
        return await self._data(Header.REQUEST_CIPHER_KEY, (8,))

    async def enable(self) -> None:
        await self._data(Header.ENABLE_HOPPER, (0,), bytes((ENABLE_CODE,)))

    async def enter_pin(self, pin: bytes) -> None:
        """Unlocks a hopper with a PIN; it says yes to a wrong one, too."""
        await self._data(Header.ENTER_PIN_NUMBER, (0,), pin)

    async def reset(self, restart_ms: int) -> None:
        """Resets it, once, and leaves it in peace until it hears again; a lost acknowledgement says nothing."""
        with suppress(ReturnFault):
            await self._bus.ask_when_free(CcTalkMessage(self._address, HOST, Header.RESET_DEVICE), (0,))
        await asyncio.sleep(restart_ms / 1000)

    async def stop(self) -> None:
        """Stops the motor; some say how many chips remain, some only that they have heard."""
        await self._data(Header.EMERGENCY_STOP, (0, 1))

    async def pays_by_value(self) -> bool:
        """Whether it is an accumulator hopper, which is told an amount and never a number of coins."""
        return bool(await self._asked(Header.REQUEST_HOPPER_POLLING_VALUE, (7,)))

    async def is_encrypted(self) -> bool:
        """Whether its commands are encrypted; the second byte of its answer is 0 where they are not."""
        answer = await self._asked(Header.REQUEST_ENCRYPTION_SUPPORT, range(2, 256), ENCRYPTION_QUESTION)
        return bool(answer and answer[1])

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

    async def _asked(self, header: Header, sizes: Container[int], data: bytes = b"") -> bytes | None:
        """The answer to a question that many hoppers do not know, or None."""
        try:
            answer = await self._bus.ask_once(CcTalkMessage(self._address, HOST, header, data), sizes)
        except ReturnFault:
            return None
        return answer.data if answer.header == Header.REPLY else None

    async def _data(self, header: Header, sizes: Container[int], data: bytes = b"") -> bytes:
        answer = await self._bus.ask(CcTalkMessage(self._address, HOST, header, data), sizes)
        if answer.header == Header.NAK:
            detail = f"{self.place} refuses header {header}; it is not the hopper that these settings describe"
            raise ReturnFault(FaultKind.GARBLED, detail)
        return answer.data


MOST: Final = 255
"""Chips asked for in one payout, the most that a frame can say: a hopper is emptied by asking for more than it has."""
_ANY_KEY: Final = bytes(8)


def _unheard(_note: str) -> None:
    """For those who do not write down what a hopper came through by itself."""


class CcTalkHopper:
    """A payout device on a ccTalk wire; note hears of latched bits that a reset has cleared."""

    def __init__(self, settings: HopperSettings, bus: Bus, note: Callable[[str], None] = _unheard) -> None:
        self._settings = settings
        self._talk = HopperTalk(bus, settings.address, settings.port)
        self._note = note
        self._emptying = asyncio.Lock()
        self._ordering = asyncio.Lock()
        self._is_stopped = False

    async def identify(self) -> Identity:
        """Who answers; anything but a payout device that counts coins is a fault."""
        await self._unlock()
        category = await self._talk.text(Header.REQUEST_EQUIPMENT_CATEGORY_ID)
        if category != PAYOUT:
            raise self._fault(FaultKind.MISSING, f"is a {category!r}, not a {PAYOUT!r} device; correct the address")
        identity = Identity(
            maker=await self._talk.text(Header.REQUEST_MANUFACTURER_ID),
            product=await self._talk.text(Header.REQUEST_PRODUCT_CODE),
            serial=str(int.from_bytes(await self._talk.serial_number(), "little")),
        )
        await self._require_coins()
        return identity

    async def reading(self) -> Reading:
        """The lifetime counter at rest, under the name of the device that keeps it."""
        await self._unlock()
        maker = await self._talk.text(Header.REQUEST_MANUFACTURER_ID)
        serial = int.from_bytes(await self._talk.serial_number(), "little")
        return Reading(f"{maker} {serial}", await self._resting_count())

    async def empty(self, progress: Callable[[Reading], None], *, most: int | None = None) -> Reading:
        """Pays until the hopper is empty, or most came; a payout that a dead host had ordered is seen through first."""
        async with self._emptying:
            self._is_stopped = False
            tally = _Tally(await self.reading(), progress)
            await self._see_through(await self._talk.status(), tally)
            is_empty = False
            while not is_empty and (most is None or tally.chips < most):
                is_empty = await self._pay(tally, MOST if most is None else min(MOST, most - tally.chips))
            return await self._close(tally)

    async def stop(self) -> None:
        """Stops the motor; an empty() under way ends with a fault."""
        self._is_stopped = True
        async with self._ordering:
            await self._talk.stop()

    async def _unlock(self) -> None:
        if self._settings.pin:
            await self._talk.enter_pin(bytes.fromhex(self._settings.pin))

    async def _require_coins(self) -> None:
        """Names the hoppers that have none of the counters a table trusts; every other silence is a silence."""
        try:
            await self._talk.status()
        except ReturnFault:
            if await self._talk.pays_by_value():
                what = "pays amounts (header 134), not chips; set it to count coins, or take another hopper"
                raise self._fault(FaultKind.REFUSED, what) from None
            if await self._talk.is_encrypted():
                what = "wants encrypted commands (header 111), which Pitlink does not speak; take another hopper"
                raise self._fault(FaultKind.REFUSED, what) from None
            raise

    async def _pay(self, tally: "_Tally", most: int) -> bool:
        """One payout from order to end; True once the hopper has shown that it is empty."""
        asked = 1 if HopperFlag.SINGLE_CHIP_MODE in await self._make_ready() else most
        status, is_acknowledged = await self._order(asked)
        status = await self._see_through(status, tally)
        self._heed_stop()
        tally.doubts += not is_acknowledged
        if tally.doubts > self._settings.retries:
            raise self._fault(FaultKind.SILENT, "pays but does not acknowledge its orders; look at its cable")
        if status.paid >= asked:
            tally.was_reversed = False
            return False
        # An order of which only the event counter tells may have been a refusal: it proves nothing.
        return await self._is_empty(status, tally) and is_acknowledged

    async def _make_ready(self) -> HopperFlag:
        """Resets latched faults and tests their cause again, then enables the hopper: every restart disables it."""
        flags = await self._flags()
        if flags & LATCHED:
            await self._talk.reset(self._settings.restart_ms)
            await self._unlock()
            latched, flags = flags & LATCHED, await self._flags()
            self._require_clear(flags)
            self._note(f"{self._talk.place} was reset and is clear of: {named(latched)}")
        if HopperFlag.ENCRYPTION_REQUIRED in flags:
            what = f"wants encrypted orders ({named(HopperFlag.ENCRYPTION_REQUIRED)}), whose algorithm is not public"
            raise self._fault(FaultKind.REFUSED, f"{what}; fit a hopper without encryption")
        if self._settings.payout_timeout_ms:
            await self._talk.limit_payout_timeout(self._settings.payout_timeout_ms)
        await self._talk.enable()
        return flags

    async def _flags(self) -> HopperFlag:
        """What the hopper says of itself; after a memory error nothing that it counted is believed, nor forgotten."""
        flags = await self._talk.flags()
        if HopperFlag.MEMORY_ERROR in flags:
            what = f"may have miscounted: {named(flags & (HopperFlag.MEMORY_ERROR | LATCHED))}"
            advice = "count the chips by hand, void the round, then clear it with pitlink cctalk reset"
            raise self._fault(FaultKind.DISTRUSTED, f"{what}; {advice}")
        return flags

    async def _order(self, asked: int) -> tuple[PayoutStatus, bool]:
        """Orders one payout; returns once the hopper is known to have heard it, and whether it said so itself."""
        before, count = await self._talk.status(), await self._resting_count()
        for _ in range(1 + self._settings.retries):
            is_acknowledged = await self._dispense(asked)
            status = await self._talk.status()
            if status.event == next_event(before.event):
                return status, is_acknowledged
            if is_acknowledged or status != before or await self._resting_count() != count:
                raise self._restarted(await self._flags())
        raise self._fault(FaultKind.SILENT, "does not hear the order to pay; look at its cable")

    async def _dispense(self, asked: int) -> bool:
        """Whether the order was acknowledged; if not, only the counters know what became of it."""
        security = await self._security()
        async with self._ordering:
            self._heed_stop()
            answer = await self._talk.dispense(security, asked)
        if answer is False:
            raise await self._refusal()
        return answer is True

    async def _security(self) -> bytes:
        match self._settings.security:
            case Security.CIPHER:
                return await self._talk.cipher_key()
            case Security.SERIAL:
                return await self._talk.serial_number()
            case Security.NONE:
                return _ANY_KEY

    async def _see_through(self, status: PayoutStatus, tally: "_Tally") -> PayoutStatus:
        """Watches a payout until nothing remains of it."""
        patience = _Patience(self._settings.stall_ms)
        while status.remaining:
            self._hear(tally, await self._resting_count())
            if patience.is_over(status):
                await self._talk.stop()
                raise self._fault(FaultKind.JAM, "neither pays nor gives up; look inside")
            await asyncio.sleep(self._settings.poll_ms / 1000)
            status = await self._talk.status()
            self._heed_stop()
        self._hear(tally, await self._resting_count())
        return status

    async def _is_empty(self, status: PayoutStatus, tally: "_Tally") -> bool:
        """Why a payout ended early: nothing left (True), a jam that cleared itself (False), or a fault."""
        flags = await self._flags()
        if flags & RESTARTED:
            raise self._restarted(flags)
        self._require_clear(flags)
        if HopperFlag.PAYOUT_TIMEOUT not in flags and not status.paid:
            raise self._fault(FaultKind.JAM, "turned but gave nothing and is not sure to be empty; look inside")
        if HopperFlag.MOTOR_REVERSED in flags:
            # Some reverse whenever nothing comes: nothing twice in a row is empty, once may be a jam that came free.
            is_sure, tally.was_reversed = tally.was_reversed and not status.paid, True
            if not is_sure:
                return False
        elif HopperFlag.PAYOUT_TIMEOUT not in flags:
            raise self._fault(FaultKind.JAM, "stopped and does not say why; look inside")
        if self._settings.level_sensor:
            self._require_low(await self._talk.level())
        return True

    async def _close(self, tally: "_Tally") -> Reading:
        last = await self.reading()
        if last.epoch != tally.epoch:
            raise self._fault(FaultKind.RESET, f"is {last.epoch} now, it was {tally.epoch}; count the chips by hand")
        await self._flags()  # its memory may have failed since the last look
        self._hear(tally, last.count)
        return last

    async def _resting_count(self) -> int:
        """The counter, once it says the same twice: a chip may be falling, and one garbled sum in 256 looks sound."""
        count = await self._talk.count()
        for _ in range(MOST):
            again = await self._talk.count()
            if again == count:
                return count
            count = again
        raise self._fault(FaultKind.GARBLED, "has a counter that does not come to rest")

    def _hear(self, tally: "_Tally", count: int) -> None:
        if not tally.hear(count):
            what = "counts backwards: its memory is not to be believed; count the chips by hand and void the round"
            raise self._fault(FaultKind.DISTRUSTED, what)

    async def _refusal(self) -> ReturnFault:
        flags = await self._flags()
        if flags & RESTARTED:
            return self._restarted(flags)
        if flags & (HopperFlag.PIN_NEEDED | HopperFlag.PIN_WRONG):
            wish = "does not accept the PIN" if self._settings.pin else "wants a PIN; write pin = …"
            return self._fault(FaultKind.REFUSED, f"{wish} in [return_device]")
        self._require_clear(flags & ~HopperFlag.CIPHER_WRONG)
        seen = f" ({named(flags)})" if flags else ""
        what = f"refuses to pay; security = {self._settings.security.value!r} may be wrong{seen}"
        return self._fault(FaultKind.REFUSED, what)

    def _require_clear(self, flags: HopperFlag) -> None:
        """Faults for what a reset did not clear, or what ended a payout, each bit by its name."""
        bits = named(flags & REFUSING)
        if flags & JAMMED:
            raise self._fault(FaultKind.JAM, f"is jammed ({bits}); clear its exit and disc, then recount or retest")
        if flags & DAZZLED:
            what = f"sees light that is not its own, or a chip that it did not push ({bits}); look for tampering"
            raise self._fault(FaultKind.SPURIOUS, what)
        if flags & BROKEN:
            raise self._fault(FaultKind.REFUSED, f"is out of order ({bits}); have it mended")
        if flags & REFUSING:
            raise self._fault(FaultKind.REFUSED, f"stays locked after a reset ({bits}); switch it off and on")

    def _require_low(self, level: Level) -> None:
        if Level.LOW_FITTED not in level:
            raise self._fault(FaultKind.MISSING, "has no low-level plate; set level_sensor = false")
        if Level.LOW not in level:
            raise self._fault(
                FaultKind.JAM, "holds chips that do not reach its disc; stir them, then recount or retest"
            )

    def _restarted(self, flags: HopperFlag) -> ReturnFault:
        seen = f" ({named(flags & REFUSING)})" if flags & REFUSING else ""
        what = f"restarted by itself or obeys somebody else{seen}; check its power and wiring, then recount or retest"
        return self._fault(FaultKind.RESET, what)

    def _heed_stop(self) -> None:
        if self._is_stopped:
            raise self._fault(FaultKind.STOPPED, "was stopped before it was empty; recount or retest")

    def _fault(self, kind: FaultKind, what: str) -> ReturnFault:
        return ReturnFault(kind, f"hopper at {self._talk.place} {what}")


class _Tally:
    """Passes every new count on, once, and keeps what the payouts of one emptying showed."""

    def __init__(self, start: Reading, progress: Callable[[Reading], None]) -> None:
        self.epoch = start.epoch
        self.doubts = 0  # orders that went unacknowledged
        self.was_reversed = False  # the last payout ended short after a reversal
        self._start = self._last = start
        self._progress = progress

    @property
    def chips(self) -> int:
        """Chips that left so far."""
        return self._last.chips_since(self._start)

    def hear(self, count: int) -> bool:
        """Whether a count can follow the last one: chips that left do not come back."""
        now = Reading(self.epoch, count)
        if now.chips_since(self._last) > now.modulus // 2:
            return False
        if now != self._last:
            self._last = now
            self._progress(now)
        return True


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
