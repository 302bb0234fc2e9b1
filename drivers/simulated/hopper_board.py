"""The command board of a simulated hopper, after the manual of the SCH2 and the standard's appendix 13."""

from typing import Final, TypeAlias

from drivers.cctalk.commands import ENABLE_CODE, PAYOUT, REFUSING, Header, HopperFlag, Level, next_event
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
_SIZES: Final[dict[int, range]] = {
    Header.REQUEST_ENCRYPTION_SUPPORT: range(6, 7),
    Header.DISPENSE_HOPPER_VALUE: range(10, 11),
    Header.PUMP_RNG: range(8, 9),
    Header.ENABLE_HOPPER: range(1, 2),
    Header.MODIFY_VARIABLE_SET: range(3, 256),
    Header.DISPENSE_HOPPER_COINS: range(1, 256),
    Header.REQUEST_PAYOUT_HIGH_LOW_STATUS: range(2),
    Header.ENTER_PIN_NUMBER: range(4, 5),
}
_BY_COINS: Final = (Header.REQUEST_HOPPER_STATUS, Header.DISPENSE_HOPPER_COINS, Header.REQUEST_HOPPER_DISPENSE_COUNT)
_BY_VALUE: Final = (Header.REQUEST_HOPPER_POLLING_VALUE, Header.DISPENSE_HOPPER_VALUE)


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
        self.serial_size = 3
        self.pin: bytes | None = None  # four bytes, wanted after each restart
        self.latches_power_loss = False  # remembers a power loss while paying, and refuses until it is reset
        self.is_single = False  # pays one chip an order
        self.is_encrypted = False  # wants a key that only its maker can work out
        self.pays_by_value = False  # an accumulator hopper: an amount, never a number of coins
        self.says_what_remains = True  # in its answer to a stop
        self.wake_s = 0.0  # how long it is deaf after a restart
        self.orders = 0  # dispense commands that were obeyed
        self._low_level = low_level
        self._time_factor = time_factor
        self._event = 0
        self._is_enabled = self._is_key_out = self._is_pin_in = False
        self._is_fresh = True
        self._kept = HopperFlag(0)  # what it remembers without power
        self._variables = _FACTORY_VARIABLES
        self._wakes_at: float | None = None

    def advance(self, now: float) -> None:
        """Lets the metal do what is due; a power cut on the way is a restart."""
        self.metal.advance(now)
        if self.metal.cut_after == 0:
            self.metal.cut_after = None
            self.restart(by_power=True, now=now, is_written=not self.metal.cuts_a_write)

    def restart(self, *, by_power: bool, now: float = 0.0, is_written: bool = True) -> None:
        """Loses the enable state, the event counter and a running payout; chip counters stay.

        A power loss in the middle of a write to its memory (is_written=False) costs the count of the last chip.
        """
        if by_power and self.latches_power_loss and self.metal.due is not None:
            self._kept |= HopperFlag.POWER_LOST_PAYING
        if by_power and not is_written:
            self._kept |= HopperFlag.MEMORY_ERROR
            self.metal.forget_a_chip()
        if not by_power:
            self._kept = HopperFlag(0)
        self.metal.halt()
        self.metal.flags = HopperFlag(0)
        self._event = 0
        self._is_enabled = self._is_key_out = self._is_pin_in = False
        self._is_fresh = by_power
        self._variables = _FACTORY_VARIABLES
        self._wakes_at = now + self.wake_s

    def answer(self, message: CcTalkMessage, now: float) -> Answer | None:
        """What it says to a command, after doing it; silence to a command that it does not know."""
        self.advance(now)
        if self._wakes_at is not None and now < self._wakes_at:
            return None
        if message.header in (_BY_COINS if self.pays_by_value else _BY_VALUE):
            return None
        if len(message.data) not in _SIZES.get(message.header, range(256)):
            return _NAK
        answer = self._act(message, now)
        self.advance(now)
        return answer

    def _act(self, message: CcTalkMessage, now: float) -> Answer | None:
        match message.header:
            case Header.RESET_DEVICE:
                self.restart(by_power=False, now=now)
                return _ACK
            case Header.ENABLE_HOPPER:
                self._is_enabled = message.data == bytes((ENABLE_CODE,))
                return _ACK
            case Header.MODIFY_VARIABLE_SET:
                self._variables = message.data[:3]
                return _ACK
            case Header.ENTER_PIN_NUMBER:
                self._is_pin_in = message.data == self.pin
                return _ACK
            case Header.REQUEST_CIPHER_KEY:
                self._is_key_out = True
                return None if self.security is Security.NONE else (Header.REPLY, _CIPHER_KEY)
            case Header.DISPENSE_HOPPER_COINS | Header.DISPENSE_HOPPER_VALUE:
                return self._dispense(message.data, now)
            case Header.EMERGENCY_STOP:
                return self._stop()
            case _:
                return self._tell(message.header)

    def _tell(self, header: int) -> Answer | None:
        metal = self.metal
        told: dict[int, bytes] = {
            Header.SIMPLE_POLL: b"",
            Header.PUMP_RNG: b"",
            Header.REQUEST_COMMS_REVISION: bytes((1, 4, 7)),
            Header.REQUEST_ENCRYPTION_SUPPORT: bytes(17),
            Header.REQUEST_HOPPER_POLLING_VALUE: bytes(
                (self._event, metal.remaining, 0, metal.paid, 0, metal.unpaid, 0)
            ),
            Header.REQUEST_ADDRESS_MODE: bytes((1 << 3,)),
            Header.REQUEST_HOPPER_COIN: b"TK100A",
            Header.REQUEST_BUILD_CODE: b"bench",
            Header.REQUEST_DATA_STORAGE_AVAILABILITY: bytes(5),
            Header.REQUEST_SOFTWARE_REVISION: b"1.0",
            Header.REQUEST_EQUIPMENT_CATEGORY_ID: self.category.encode("ascii"),
            Header.REQUEST_MANUFACTURER_ID: self.maker.encode("ascii"),
            Header.REQUEST_PRODUCT_CODE: self.product.encode("ascii"),
            Header.REQUEST_SERIAL_NUMBER: self._serial_bytes(),
            Header.REQUEST_VARIABLE_SET: self._variables + _MEASURED,
            Header.REQUEST_HOPPER_STATUS: bytes((self._event, metal.remaining, metal.paid, metal.unpaid)),
            Header.REQUEST_HOPPER_DISPENSE_COUNT: metal.lifetime.to_bytes(3, "little"),
            Header.TEST_HOPPER: self._registers(),
            Header.REQUEST_PAYOUT_HIGH_LOW_STATUS: bytes((self._level(),)),
        }
        data = told.get(header)
        return None if data is None else (Header.REPLY, data)

    def _dispense(self, data: bytes, now: float) -> Answer:
        """Every sound dispense command moves the event counter, a refused one too."""
        self._event = next_event(self._event)
        size = 2 if self.pays_by_value else 1  # of the amount, in the value of one chip, or of the number
        security, chips = data[:-size], min(255, int.from_bytes(data[-size:], "little"))
        may_pay = self._is_unlocked(security) and self._is_enabled and self.metal.due is None
        self._is_key_out = False
        if self.pin is not None and not self._is_pin_in:
            self.metal.flags |= HopperFlag.PIN_WRONG
        if self.is_encrypted:
            self.metal.flags |= HopperFlag.CIPHER_WRONG
        if not may_pay or self._flags() & REFUSING or (self.is_single and chips != 1):
            return _NAK
        self.orders += 1
        self.metal.start(chips, now, self._variables[2] * _TIMEOUT_UNIT * self._time_factor)
        return Header.REPLY, bytes((self._event,))

    def _is_unlocked(self, security: bytes) -> bool:
        match self.security:
            case Security.CIPHER:
                return self._is_key_out and len(security) == len(_CIPHER_KEY)
            case Security.SERIAL:
                return security == self._serial_bytes()
            case Security.NONE:
                return len(security) == len(_CIPHER_KEY)

    def _stop(self) -> Answer:
        """Counts as a restart if the motor ran."""
        remaining = self.metal.remaining
        if self.metal.due is not None:
            self.restart(by_power=False)
        return Header.REPLY, bytes((remaining,)) if self.says_what_remains else b""

    def _registers(self) -> bytes:
        """Two registers, as the SCH2 has them; three where the third has something to say."""
        flags = self._flags()
        return flags.to_bytes(max(2, (flags.bit_length() + 7) // 8), "little")

    def _flags(self) -> HopperFlag:
        flags = self.metal.flags | self._kept
        states = {
            HopperFlag.POWER_UP: self._is_fresh,
            HopperFlag.DISABLED: not self._is_enabled,
            HopperFlag.SINGLE_CHIP_MODE: self.is_single,
            HopperFlag.PIN_NEEDED: self.pin is not None,
            HopperFlag.ENCRYPTION_REQUIRED: self.is_encrypted,
        }
        for flag, is_set in states.items():
            flags |= flag if is_set else HopperFlag(0)
        if self.metal.is_stuck and self.metal.due is None:
            flags |= _SEEN_IDLE.get(self.metal.jam, HopperFlag(0))
        return flags

    def _level(self) -> Level:
        if self._low_level is None:
            return Level(0)
        return Level.LOW_FITTED | (Level.LOW if self.metal.stock < self._low_level else Level(0))

    def _serial_bytes(self) -> bytes:
        return self.serial.to_bytes(self.serial_size, "little")


def _values(metal: HopperMechanics) -> bytes:
    return b"".join(value.to_bytes(2, "little") for value in (metal.remaining, metal.paid, metal.unpaid))
