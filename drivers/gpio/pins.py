"""The board: what every pin driver is handed, and the register of who has which pin."""

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import Any, Final

from gpiozero import GPIOPinInUse, GPIOZeroError, InputDevice, OutputDevice, PinFixedPull, PinInvalidPin
from msgspec import Struct

from common.clock import Clock
from drivers.gpio.beat import Beat
from drivers.gpio.header import FIXED_PULL_UP, Pin, pin_name
from drivers.ports import PinFault, Report

_TRIES: Final = 100
_MOMENT_S: Final = 0.01
_LATEST_S: Final = 60.0  # no edge takes longer from the kernel to us


class LineHeld(GPIOZeroError):  # type: ignore[misc]  # noqa: N818  gpiozero ships no types; a fact, like PinFault
    """Somebody else has this line of the chip."""

    def __init__(self, offset: int, holder: str) -> None:
        who = f"{holder!r}" if holder else "another program or the kernel"
        super().__init__(f"is held by {who}; see gpioinfo, then stop that program or take out its dtoverlay")
        self.offset = offset


class InputWiring(Struct, frozen=True):
    """How an input is wired: the pin, the level that means active, the board's own resistor."""

    pin: Pin
    active_high: bool
    pull_up: bool = True


def beam(pin: Pin) -> InputWiring:
    """A receiver that holds the line low while it sees light: a cut cable reads as broken, and the seat closes."""
    return InputWiring(pin, active_high=True)


def contact(pin: Pin) -> InputWiring:
    """A switch, or a sensor's open collector, that closes to ground."""
    return InputWiring(pin, active_high=False)


class PinRegistry:
    """One table's pins, its clock, its loop and where its devices report."""

    def __init__(
        self,
        pins: Any,  # a gpiozero pin factory; gpiozero ships no types
        *,
        clock: Clock,
        loop: asyncio.AbstractEventLoop,
        report: Report,
        pin_errors: tuple[type[Exception], ...] = (),
    ) -> None:
        self._pins, self._pin_errors = pins, (GPIOZeroError, *pin_errors)
        self.clock, self.loop, self.report = clock, loop, report
        self._owners: dict[Pin, str] = {}
        self._outputs: dict[Pin, Any] = {}
        self._beats: dict[float, Beat] = {}

    def beat(self, pace_s: float) -> Beat:
        """The one timer of all watches that look at this pace."""
        return self._beats.setdefault(pace_s, Beat(self.loop, self.clock, pace_s))

    def output(self, device: str, pin: Pin, *, active_high: bool = True) -> Any:
        """A gpiozero output that starts inactive."""
        self._outputs[pin] = self._claim(
            device, pin, lambda: OutputDevice(pin, active_high=active_high, initial_value=False, pin_factory=self._pins)
        )
        return self._outputs[pin]

    def lower(self, pins: Iterable[Pin]) -> None:
        """Takes these outputs low, in one system call where the factory can; what is not open is left alone."""
        self._pins.lower([self._outputs[pin].pin for pin in pins if pin in self._outputs])

    def input(self, device: str, wire: InputWiring) -> Any:
        """A gpiozero input whose pin reports both edges, unfiltered."""
        return self._claim(device, wire.pin, lambda: self._open_input(wire))

    def probe(self, device: str, pin: Pin) -> None:
        """Takes a pin and gives it back, as an input without a pull: nothing that hangs on it moves."""
        pull: dict[str, Any] = {"pull_up": True} if pin in FIXED_PULL_UP else {"pull_up": None, "active_state": True}
        opened = self._claim(device, pin, lambda: InputDevice(pin, pin_factory=self._pins, **pull))
        opened.close()
        self.release(pin)

    def quieten(self, device: str, wire: InputWiring, pin: Any) -> None:
        """Takes the listener off an input's pin."""
        # lgpio 0.2.2 gives its reading thread 2 ms to let go of the line and asks the kernel for it again at once; on a
        # loaded machine the thread still has it, and the line is busy (2 of 80 on the bench). A moment later it is not.
        for tries_left in reversed(range(_TRIES)):
            try:
                pin.when_changed = None
            except self._pin_errors as error:
                if not tries_left or "busy" not in str(error):
                    raise PinFault(device, _words(wire.pin, error)) from error
                time.sleep(_MOMENT_S)  # nothing tells when that thread has let go
            else:
                return

    def time_of(self, stamp: float) -> float:
        """When the edge was that the kernel stamped so: a busy machine hears it late, and two of them at once."""
        # The loop's clock is the one that the kernel stamps with. A kernel before 5.7 stamps with the calendar, and a
        # simulated clock runs by itself: such a stamp says nothing, and the edge was now.
        now = self.clock.now()
        return stamp if now - _LATEST_S <= stamp <= now else now

    def release(self, pin: Pin) -> None:
        """The pin's device has closed it."""
        self._owners.pop(pin, None)
        self._outputs.pop(pin, None)

    def _open_input(self, wire: InputWiring) -> Any:
        device = InputDevice(wire.pin, pull_up=wire.pull_up, pin_factory=self._pins)
        device.pin.bounce = None
        device.pin.edges = "both"
        return device

    def _claim(self, device: str, pin: Pin, open_pin: Callable[[], Any]) -> Any:
        if pin in self._owners:
            raise PinFault(
                device, f"{pin_name(pin)} already serves the {self._owners[pin]}; give one of them another pin"
            )
        try:
            opened = open_pin()
        except self._pin_errors as error:
            raise PinFault(device, _words(pin, error)) from error
        self._owners[pin] = device
        return opened


def _words(pin: Pin, error: Exception) -> str:
    name = pin_name(pin)
    match error:
        case PinInvalidPin():
            return f"this board has no {name}; give it a pin that exists"
        case PinFixedPull():
            return f"{name} has a fixed resistor on the board; set pull_up to match it or take another pin"
        case GPIOPinInUse():
            return f"{name} is in use already; give it another pin"
        case LineHeld():
            return f"{name} {error}"
        case _ if "busy" in str(error):  # in lgpio's words, which do not say whose it is
            return f"{name} {LineHeld(0, '')}"
        case _:
            return f"{name} cannot be used: {error}"
