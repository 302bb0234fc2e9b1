"""The questions that a host puts to one hopper, each with the shape of its answer."""

from collections.abc import Container
from typing import Final

from drivers.cctalk.bus import Bus
from drivers.cctalk.commands import ENABLE_CODE, Header, HopperFlag, Level, PayoutStatus
from drivers.cctalk.frame import HOST, Message
from drivers.ports import FaultKind, ReturnFault

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
        request = Message(self._address, HOST, Header.DISPENSE_HOPPER_COINS, security + bytes((chips,)))
        try:
            answer = await self._bus.ask_once(request, (0, 1))
        except ReturnFault as fault:
            if fault.kind is FaultKind.MISSING:
                raise
            return None
        return answer.header == Header.REPLY

    async def _data(self, header: Header, sizes: Container[int], data: bytes = b"") -> bytes:
        answer = await self._bus.ask(Message(self._address, HOST, header, data), sizes)
        if answer.header == Header.NAK:
            detail = f"{self.place} refuses header {header}; it is not the hopper that these settings describe"
            raise ReturnFault(FaultKind.GARBLED, detail)
        return answer.data
