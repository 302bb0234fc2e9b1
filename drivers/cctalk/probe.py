"""A look at a ccTalk wire: who answers, what it can do, and what a table would do with it; no chip moves."""

from collections.abc import Container
from typing import Final

from msgspec import Struct

from drivers.cctalk.bus import Bus, BusSettings
from drivers.cctalk.commands import ENCRYPTION_QUESTION, LATCHED, PAYOUT, Header, HopperFlag, Level, named
from drivers.cctalk.credits import COIN_ACCEPTOR, AcceptorHeader, self_check
from drivers.cctalk.frame import HOST, CcTalkMessage, Checksum
from drivers.ports import FaultKind, ReturnFault

USUAL: Final = range(2, 18)
"""Where the standard puts coin acceptors and payout devices; asked even if nobody answers a poll of all addresses."""
_COINS: Final = 16
_ENCRYPTED: Final = ("SCH2",)  # the plain version says SCH2-NOENCRYPT
_NAMES: Final = {
    "maker": Header.REQUEST_MANUFACTURER_ID,
    "product": Header.REQUEST_PRODUCT_CODE,
    "build": Header.REQUEST_BUILD_CODE,
    "software": Header.REQUEST_SOFTWARE_REVISION,
}


class ProbedDevice(Struct, frozen=True):
    """One device: what it says of itself, whether a table can use it and why not, and the settings for it."""

    address: int
    category: str
    facts: dict[str, str]
    verdict: str
    is_usable: bool
    settings: tuple[str, ...] = ()


class ProbedWire(Struct, frozen=True):
    """How the port is to be spoken to."""

    port: str
    checksum: Checksum
    has_echo: bool
    addresses: tuple[int, ...]
    polled_only: tuple[int, ...]  # heard in the poll of all addresses, and then never again


async def find(bus: Bus, settings: BusSettings) -> ProbedWire:
    """Which addresses answer: those that an address poll names and the usual ones, each asked by itself."""
    poll = await bus.poll_addresses()
    there = [address for address in sorted({*poll.addresses, *USUAL}) if await Asker(bus, address).is_there()]
    polled_only = tuple(address for address in poll.addresses if address not in there)
    return ProbedWire(settings.port, settings.checksum, poll.has_echo, tuple(there), polled_only)


async def look(bus: Bus, wire: ProbedWire, address: int) -> ProbedDevice:
    """What one device says of itself, and what a table would do with it."""
    asker = Asker(bus, address)
    category = await asker.text(Header.REQUEST_EQUIPMENT_CATEGORY_ID) or "nothing"
    facts = {word: said for word, header in _NAMES.items() if (said := await asker.text(header)) is not None}
    facts |= await _numbers(asker)
    match category:
        case str() if category == PAYOUT:
            return await _HopperLook(asker, wire, facts).result()
        case str() if category == COIN_ACCEPTOR:
            return await _look_at_acceptor(asker, facts)
        case _:
            verdict = f"not used: it calls itself {category!r}; tables use {PAYOUT!r} and {COIN_ACCEPTOR!r}"
            return ProbedDevice(address, category, facts, verdict, is_usable=False)


class Asker:
    """Puts questions that a device may not know: silence and refusals are answers, too."""

    def __init__(self, bus: Bus, address: int) -> None:
        self.address = address
        self._bus = bus

    async def data(self, header: int, data: bytes = b"", sizes: Container[int] = range(256)) -> bytes | None:
        """The answer, asked for twice at most, or None; a port that is gone is a fault."""
        for _ in range(2):
            try:
                answer = await self._bus.ask_when_free(CcTalkMessage(self.address, HOST, header, data), sizes)
            except ReturnFault as fault:
                if fault.kind is FaultKind.MISSING:
                    raise
            else:
                return answer.data if answer.header == Header.REPLY else None
        return None

    async def text(self, header: int, data: bytes = b"") -> str | None:
        """The answer as a name."""
        said = await self.data(header, data)
        return None if said is None else said.decode("ascii", errors="replace").strip("\0 ")

    async def is_there(self) -> bool:
        """Whether anybody answers a simple poll."""
        return await self.data(Header.SIMPLE_POLL, sizes=(0,)) is not None


async def _numbers(asker: Asker) -> dict[str, str]:
    serial = await asker.data(Header.REQUEST_SERIAL_NUMBER, sizes=(3, 4))
    revision = await asker.data(Header.REQUEST_COMMS_REVISION, sizes=(3,))
    mode = await asker.data(Header.REQUEST_ADDRESS_MODE, sizes=(1,))
    told = {
        "serial number": None if serial is None else str(int.from_bytes(serial, "little")),
        "ccTalk": None if revision is None else f"level {revision[0]}, issue {revision[1]}.{revision[2]}",
        "address mode": None if mode is None else f"{mode[0]:08b}",
    }
    return {word: said for word, said in told.items() if said is not None}


class _HopperLook:
    """What a hopper can do; the answers decide step by step whether a table can use it."""

    def __init__(self, asker: Asker, wire: ProbedWire, facts: dict[str, str]) -> None:
        self._asker, self._wire, self._facts = asker, wire, facts
        self._needs_pin = False

    async def result(self) -> ProbedDevice:
        why_not = await self._why_not()
        verdict = f"not usable: {why_not}" if why_not else "usable as the return device"
        settings = () if why_not else await self._settings()
        return ProbedDevice(self._asker.address, PAYOUT, self._facts, verdict, not why_not, settings)

    async def _why_not(self) -> str:
        status = await self._asker.data(Header.REQUEST_HOPPER_STATUS, sizes=(4,))
        count = await self._asker.data(Header.REQUEST_HOPPER_DISPENSE_COUNT, sizes=(3,))
        flags = await self._flags()
        if count is not None:
            self._facts["dispense count"] = str(int.from_bytes(count, "little"))
        if coin := await self._asker.text(Header.REQUEST_HOPPER_COIN):
            self._facts["coin"] = coin
        if await self._asker.data(Header.REQUEST_HOPPER_POLLING_VALUE, sizes=(7,)) and status is None:
            return "it pays amounts (header 134), not chips; set it to count coins"
        encryption = await self._asker.data(Header.REQUEST_ENCRYPTION_SUPPORT, ENCRYPTION_QUESTION)
        if encryption and len(encryption) > 1 and encryption[1]:
            return f"its commands are encrypted (header 111, level {encryption[1]})"
        if HopperFlag.ENCRYPTION_REQUIRED in flags or self._facts.get("product") in _ENCRYPTED:
            return "its orders are encrypted, and the algorithm is its maker's secret; take the version without"
        if status is None or count is None:
            missing = " and ".join(str(number) for number, said in ((166, status), (168, count)) if said is None)
            return f"it does not answer header {missing}, whose counters a table needs"
        if HopperFlag.MEMORY_ERROR in flags:
            return "its count is not to be believed (memory error); empty it by hand, then pitlink cctalk reset"
        return ""

    async def _flags(self) -> HopperFlag:
        registers = await self._asker.data(Header.TEST_HOPPER, sizes=range(1, 5))
        flags = HopperFlag(int.from_bytes(registers or b"", "little"))
        self._facts["status"] = named(flags) or "no flag is set"
        if flags & LATCHED:
            self._facts["before a payout"] = f"it will be reset because of: {named(flags & LATCHED)}"
        self._needs_pin = bool(flags & HopperFlag.PIN_NEEDED)
        return flags

    async def _settings(self) -> tuple[str, ...]:
        key = await self._asker.data(Header.REQUEST_CIPHER_KEY, sizes=(8,))
        level = await self._asker.data(Header.REQUEST_PAYOUT_HIGH_LOW_STATUS, sizes=(1,))
        security = "cipher" if key else "serial"
        lines = [
            "[return_device]",
            'kind = "cctalk"',
            f'port = "{self._wire.port}"',
            f"address = {self._asker.address}",
            f'checksum = "{self._wire.checksum.value}"',
            f"echo = {str(self._wire.has_echo).lower()}",
            f'security = "{security}"' + ("" if key else '  # it has no cipher key; if it refuses, try "none"'),
        ]
        if self._needs_pin:
            lines.append('pin = "…"  # its four bytes, in eight hexadecimal digits')
        if level and Level.LOW_FITTED in Level(level[0]):
            lines.append("level_sensor = true")
        return tuple(lines)


async def _look_at_acceptor(asker: Asker, facts: dict[str, str]) -> ProbedDevice:
    buffer = await asker.data(AcceptorHeader.READ_BUFFERED_CREDIT_OR_ERROR_CODES, sizes=(11,))
    check = await asker.data(AcceptorHeader.PERFORM_SELF_CHECK, sizes=range(1, 4))
    master = await asker.data(AcceptorHeader.REQUEST_MASTER_INHIBIT_STATUS, sizes=range(1, 256))
    mask = await asker.data(AcceptorHeader.REQUEST_INHIBIT_STATUS, sizes=range(1, 256))
    coins = await _coins(asker)
    trouble = self_check(check[0]) if check else None
    facts["self-check"] = "not known" if check is None else f"{check[0]}: {trouble[1] if trouble else 'well'}"
    facts["coins"] = ", ".join(f"{number} {name}" for number, name in coins.items()) or "none has a name"
    facts["lock-out"] = (
        "header 228" if master else "header 231, coin by coin" if mask else "neither 227 nor 230 answers"
    )
    why_not = ""
    if buffer is None:
        why_not = "it does not answer header 229, which tells its chips"
    elif trouble is not None:
        why_not = f"{trouble[1]} (self-check {check[0] if check else 0}); mend it and probe again"
    elif master is None and mask is None:
        why_not = "it answers neither 227 nor 230: whether it can be locked out is not known; see its manual"
    verdict = f"not usable: {why_not}" if why_not else "usable as the acceptor of a seat"
    return ProbedDevice(
        asker.address, COIN_ACCEPTOR, facts, verdict, not why_not, () if why_not else _seat(asker, coins)
    )


async def _coins(asker: Asker) -> dict[int, str]:
    names = {}
    for number in range(1, _COINS + 1):
        name = await asker.text(AcceptorHeader.REQUEST_COIN_ID, bytes((number,)))
        if name is None:  # it does not know the question, or no such coin
            break
        if name.strip("."):
            names[number] = name
    return names


def _seat(asker: Asker, coins: dict[int, str]) -> tuple[str, ...]:
    positions = ", ".join(str(number) for number in coins) or "1"
    hint = "  # only the position that was taught the chip" if len(coins) != 1 else ""
    return ("[[seat]]", 'acceptor = "cctalk"', f"address = {asker.address}", f"coins = [{positions}]{hint}")
