"""A gate's solenoid: a strong hit to pull it, a weak hold to keep it, and rest before it gets too hot."""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from common.clock import Timer
from drivers.gpio.pins import PinRegistry

HIT: Final = "gates' hit supply"


class GateSettings(Struct, frozen=True):
    """How the solenoids of a table are driven; nothing said: at one strength, and for as long as anybody wants."""

    hit: int | None = None  # the line that raises the supply of all gates
    hit_ms: float = 80.0
    duty: float = 1.0  # which part of the time a solenoid may be held
    longest_hold_s: float | None = None


class HoldBudget:
    """How long a solenoid may still be held; pure, time is an argument.

    Held, it gains heat; shut, it loses heat: so that in the long run it is held for no more than its duty.
    """

    def __init__(self, duty: float, longest_hold_s: float) -> None:
        self._duty, self._most = duty, longest_hold_s * (1 - duty)
        self._heat, self._at, self._is_held = 0.0, 0.0, False

    def hold(self, is_held: bool, at: float) -> None:
        """The solenoid is held from now on, or is not."""
        self._heat, self._at, self._is_held = self._heat_at(at), at, is_held

    def rest_due(self) -> float:
        """When it must be let go, if it is held until then."""
        return self._at + max(0.0, self._most - self._heat) / (1 - self._duty)

    def rested_at(self) -> float:
        """When it may be held again after it got too hot: when half of its heat is gone."""
        return self._at + max(0.0, self._heat - self._most / 2) / self._duty

    def _heat_at(self, at: float) -> float:
        rate = 1 - self._duty if self._is_held else -self._duty
        return max(0.0, self._heat + rate * (at - self._at))


class HitSupply:
    """One output that raises the supply of every gate for a moment."""

    def __init__(self, board: PinRegistry, pin: int, hit_ms: float) -> None:
        self._board, self._clock, self._pin, self._hit_s = board, board.clock, pin, hit_ms / 1000
        self._supply = board.output(HIT, pin)
        self._timer: Timer | None = None

    def hit(self) -> None:
        """Raises the supply; another hit meanwhile makes it longer."""
        self._cancel()
        self._supply.on()
        self._timer = self._clock.call_at(self._clock.now() + self._hit_s, self._supply.off)

    def close(self) -> None:
        """Lowers the supply and gives the pin back."""
        self._cancel()
        self._supply.close()
        self._board.release(self._pin)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


class GateDrive(Struct, frozen=True):
    """What drives every gate of a table."""

    settings: GateSettings = GateSettings()
    supply: HitSupply | None = None


class Gate:
    """One gate, always active high, so that low and dead are shut; moved hears whether it is open, and since when."""

    def __init__(
        self,
        board: PinRegistry,
        device: str,
        pin: int,
        *,
        moved: Callable[[bool, float], None],
        drive: GateDrive,
    ) -> None:
        self._board, self._clock, self._pin = board, board.clock, pin
        self._moved, self._supply = moved, drive.supply
        self._solenoid = board.output(device, pin)
        limit = drive.settings.longest_hold_s
        self._budget = None if limit is None else HoldBudget(drive.settings.duty, limit)
        self._timer: Timer | None = None
        self._is_hot = False

    @property
    def is_open(self) -> bool:
        """Whether chips can pass."""
        return bool(self._solenoid.value)

    @property
    def is_resting(self) -> bool:
        """Whether it is shut for a while, and opens by itself."""
        return not self.is_open and self._timer is not None

    def open(self) -> None:
        """Opens now, or when the solenoid has cooled."""
        at = self._clock.now()  # before the gate moves: a chip's edges have the kernel's time
        if self.is_open or self.is_resting:
            return
        if self._budget is not None and self._is_hot and at < self._budget.rested_at():
            self._timer = self._clock.call_at(self._budget.rested_at(), self._rested)
            return
        self._is_hot = False
        self._solenoid.on()
        if self._supply is not None:
            self._supply.hit()
        self._moved(True, at)
        if self._budget is not None:
            self._budget.hold(True, at)
            self._timer = self._clock.call_at(self._budget.rest_due(), self._rest)

    def shut(self) -> None:
        """Shuts, whatever it waits for."""
        self._cancel()
        self._let_go()

    def close(self) -> None:
        """Shuts for good and gives the pin back."""
        self._cancel()
        self._solenoid.close()
        self._board.release(self._pin)

    def _rest(self) -> None:
        assert self._budget is not None
        self._is_hot = True
        self._let_go()
        self._timer = self._clock.call_at(self._budget.rested_at(), self._rested)

    def _rested(self) -> None:
        self._timer = None
        self.open()

    def _let_go(self) -> None:
        self._solenoid.off()
        at = self._clock.now()
        if self._budget is not None:
            self._budget.hold(False, at)
        self._moved(False, at)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
