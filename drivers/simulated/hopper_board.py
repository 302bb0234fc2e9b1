"""The command board of a simulated hopper, after the documented behaviour of a Money Controls SCH2."""

from typing import Final, TypeAlias

from drivers.cctalk.commands import DAZZLED, ENABLE_CODE, JAMMED, PAYOUT, Header, HopperFlag, Level, next_event
from drivers.cctalk.frame import CcTalkMessage
from drivers.cctalk.settings import Security
from drivers.simulated.hopper_mechanics import HopperMechanics, Jam

Answer: TypeAlias = tuple[Header, bytes]
_ACK: Final[Answer] = (Header.REPLY, b"")
_NAK: Final[Answer] = (Header.NAK, b"")
_FACTORY_VARIABLES: Final = bytes((34, 0, 30))  # current limit 2 A, stop delay 0 ms, payout timeout 10 s
_MEASURED: Final = bytes((0, 188, 0))  # largest current, 24 V supply, connector address
_TIMEOUT_UNIT: Final = 1 / 3
_CIPHER_KEY: Final = bytes.fromhex("69 EE 8F 1C 25 FA AB 08")
_SEEN_IDLE: Final[dict[Jam | None, HopperFlag]] = {
    Jam.EXIT: HopperFlag.EXIT_BLOCKED_IDLE,
    Jam.LIGHT: HopperFlag.EXIT_DAZZLED_IDLE,
}


class HopperBoard:
    """Answers commands, keeps the event counter, forgets on a restart what the real one forgets."""

    def __init__(
        self,
        metal: HopperMechanics,
        *,
        security: Security = Security.CIPHER,
        serial: int = 12_345_678,
        low_level: int | None = None,
        time_factor: float = 1.0,
    ) -> None:
        self.metal = metal
        self.category, self.maker, self.product = PAYOUT, "Pitlink", "Bench hopper"
        self.security, self.serial = security, serial
        self.orders = 0  # dispense commands that were obeyed
        self._low_level = low_level
        self._time_factor = time_factor
        self._event = 0
        self._is_enabled = self._is_key_out = False
        self._is_fresh = True
        self._variables = _FACTORY_VARIABLES

    def advance(self, now: float) -> None:
        """Lets the metal do what is due; a power cut on the way is a restart."""
        self.metal.advance(now)
        if self.metal.cut_after == 0:
            self.metal.cut_after = None
            self.restart(by_power=True)

    def restart(self, *, by_power: bool) -> None:
        """Loses the enable state, the event counter and a running payout; chip counters stay."""
        self.metal.halt()
        self.metal.flags = HopperFlag(0)
        self._event = 0
        self._is_enabled = self._is_key_out = False
        self._is_fresh = by_power
        self._variables = _FACTORY_VARIABLES

    def answer(self, message: CcTalkMessage, now: float) -> Answer | None:
        """What it says to a command, after doing it; silence to a command that it does not know."""
        self.advance(now)
        answer = self._act(message, now)
        self.advance(now)
        return answer

    def _act(self, message: CcTalkMessage, now: float) -> Answer | None:
        match message.header:
            case Header.RESET_DEVICE:
                self.restart(by_power=False)
                return _ACK
            case Header.ENABLE_HOPPER:
                self._is_enabled = message.data == bytes((ENABLE_CODE,))
                return _ACK
            case Header.MODIFY_VARIABLE_SET:
                self._variables = message.data[:3]
                return _ACK
            case Header.REQUEST_CIPHER_KEY:
                self._is_key_out = True
                return Header.REPLY, _CIPHER_KEY
            case Header.DISPENSE_HOPPER_COINS:
                return self._dispense(message.data, now)
            case Header.EMERGENCY_STOP:
                return self._stop()
            case _:
                return self._tell(message.header)

    def _tell(self, header: int) -> Answer | None:
        metal = self.metal
        told: dict[int, bytes] = {
            Header.SIMPLE_POLL: b"",
            Header.REQUEST_EQUIPMENT_CATEGORY_ID: self.category.encode("ascii"),
            Header.REQUEST_MANUFACTURER_ID: self.maker.encode("ascii"),
            Header.REQUEST_PRODUCT_CODE: self.product.encode("ascii"),
            Header.REQUEST_SERIAL_NUMBER: self._serial_bytes(),
            Header.REQUEST_VARIABLE_SET: self._variables + _MEASURED,
            Header.REQUEST_HOPPER_STATUS: bytes((self._event, metal.remaining, metal.paid, metal.unpaid)),
            Header.REQUEST_HOPPER_DISPENSE_COUNT: metal.lifetime.to_bytes(3, "little"),
            Header.TEST_HOPPER: self._flags().to_bytes(2, "little"),
            Header.REQUEST_PAYOUT_HIGH_LOW_STATUS: bytes((self._level(),)),
        }
        data = told.get(header)
        return None if data is None else (Header.REPLY, data)

    def _dispense(self, data: bytes, now: float) -> Answer:
        """Every sound dispense command moves the event counter, a refused one too."""
        self._event = next_event(self._event)
        may_pay = self._is_unlocked(data[:-1]) and self._is_enabled and self.metal.due is None
        self._is_key_out = False
        if not may_pay or self._flags() & (JAMMED | DAZZLED):
            return _NAK
        self.orders += 1
        self.metal.start(data[-1], now, self._variables[2] * _TIMEOUT_UNIT * self._time_factor)
        return Header.REPLY, bytes((self._event,))

    def _is_unlocked(self, security: bytes) -> bool:
        match self.security:
            case Security.CIPHER:
                return self._is_key_out and len(security) == len(_CIPHER_KEY)
            case Security.SERIAL:
                return security == self._serial_bytes()

    def _stop(self) -> Answer:
        """Counts as a restart if the motor ran."""
        remaining = self.metal.remaining
        if self.metal.due is not None:
            self.restart(by_power=False)
        return Header.REPLY, bytes((remaining,))

    def _flags(self) -> HopperFlag:
        flags = self.metal.flags
        if self._is_fresh:
            flags |= HopperFlag.POWER_UP
        if not self._is_enabled:
            flags |= HopperFlag.DISABLED
        if self.metal.is_stuck and self.metal.due is None:
            flags |= _SEEN_IDLE.get(self.metal.jam, HopperFlag(0))
        return flags

    def _level(self) -> Level:
        if self._low_level is None:
            return Level(0)
        return Level.LOW_FITTED | (Level.LOW if self.metal.stock < self._low_level else Level(0))

    def _serial_bytes(self) -> bytes:
        return self.serial.to_bytes(3, "little")
