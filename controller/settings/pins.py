"""Which device has which pin, and what is wrong with that before any pin is touched."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from common.settings import Section
from controller.settings.cabinet import CABINET_DOOR, CLOCK_BATTERY
from controller.settings.device_names import (
    BONUS_BUTTON,
    END_OF_ROUND,
    LOCK_OUT,
    RETURN_DEVICE,
    SUPERVISOR_KEY,
    seat_device,
    wager_device,
)
from drivers.gpio.beam_proof import EMITTERS
from drivers.gpio.expander import EXPANDER_LINES, FIRST_ADDRESS, LAST_ADDRESS, ExpanderSettings
from drivers.gpio.gate import HIT
from drivers.gpio.header import (
    EEPROM,
    FIXED_PULL_UP,
    HIGH_AT_POWER_ON,
    I2C,
    LINES,
    UART,
    USABLE,
    ExpanderLine,
    Pin,
    pin_name,
)
from drivers.gpio.return_device import GpioReturnSettings

if TYPE_CHECKING:
    from controller.settings.table import TableSettings

MOVING: Final = frozenset({"gate", "motor", "hit"})
"""What must be shut or still without a program."""
OUTPUTS: Final = MOVING | {"light", "lamp", "emitters"}


def check_pins(root: Section, settings: "TableSettings") -> None:
    """Faults for pins that cannot do it, for two devices on one pin and for more lines than there are."""
    taken: dict[Pin, str] = {}
    used = [(pin, key, device) for pin, key, device in pins(settings) if root.is_sound(key)]
    used += [(line, key, device) for line, key, device in _expander_lines(settings) if root.is_sound(key)]
    for pin, key, device in used:
        problem = _problem(pin, role(key), settings)
        if problem:
            root.fault(key, f"{pin_name(pin)} for the {device} {problem}")
        elif pin in taken and device != taken[pin]:
            root.fault(key, f"{pin_name(pin)} for the {device} already serves the {taken[pin]}; take another pin")
        else:
            taken[pin] = device
    _check_expanders(root, settings.gpio.expanders)
    _check_number(root, [pin for pin, _, _ in used if isinstance(pin, int)], settings.gpio.expanders)


def _expander_lines(settings: "TableSettings") -> Iterator[tuple[Pin, str, str]]:
    """The lines of the header that expanders take: the two of I2C, and the interrupt of each."""
    for number, expander in enumerate(settings.gpio.expanders, start=1):
        key = f"gpio.expander[{number}]"
        yield from ((pin, f"{key}.chip", "I2C wires of expanders") for pin in sorted(I2C))
        yield expander.interrupt, f"{key}.interrupt", f"interrupt of expander {expander.chip}"


def _check_expanders(root: Section, expanders: Sequence[ExpanderSettings]) -> None:
    for number, expander in enumerate(expanders, start=1):
        others = expanders[: number - 1]
        if expander.chip in {other.chip for other in others}:
            advice = 'name each by its device, such as "1-0020" and "1-0021": they share a label'
            root.fault(f"gpio.expander[{number}].chip", f"{expander.chip} stands there twice; {advice}")
        if expander.address in {other.address for other in others}:
            problem = f"{expander.address:#x} is the address of another expander; wire A0 to A2 otherwise"
            root.fault(f"gpio.expander[{number}].address", problem)


def _check_number(root: Section, on_header: Sequence[int], expanders: Sequence[ExpanderSettings]) -> None:
    """Too many lines are a fault, which names the expanders that would carry what the header cannot."""
    if len(on_header) > len(USABLE):
        problem = f"this table needs {len(on_header)} lines of the header, which has {len(USABLE)}"
        more = _expanders_for(len(on_header) - len(USABLE), has_bus=bool(expanders))
        taken = {expander.address for expander in expanders}
        free = [address for address in range(FIRST_ADDRESS, LAST_ADDRESS + 1) if address not in taken][:more]
        at = ", ".join(f"{address:#x}" for address in free)
        one = "an expander" if more == 1 else f"{more} expanders"
        advice = f"put beams, sensors and lights on {one} (MCP23017 at {at}, {EXPANDER_LINES} lines: docs/wiring.md)"
        wire = 'take one beam a seat, or seats with acceptor = "cctalk" on one serial wire'
        root.fault("gpio", f"{problem}; {advice}, {wire}", value=len(on_header))


def _expanders_for(too_many: int, *, has_bus: bool) -> int:
    """How many expanders carry so many lines: each takes an interrupt of the header, the first one I2C besides."""
    bus = 0 if has_bus else len(I2C)
    return math.ceil((too_many + bus) / (EXPANDER_LINES - 1))


def pins(settings: "TableSettings") -> Iterator[tuple[Pin, str, str]]:
    """Every pin in use, with its key in the settings and its device."""
    for number, seat in enumerate(settings.seats, start=1):
        key, device = f"seat[{number}]", seat_device(seat.seat)
        if seat.kind == "sensor":
            yield seat.sensor, f"{key}.sensor", device
        elif seat.kind == "slot":
            yield from ((beam, f"{key}.beams", device) for beam in seat.beams)
            yield seat.gate, f"{key}.gate", f"{device}'s gate"
        yield seat.light, f"{key}.light", f"seat {seat.seat} light"
        for place, side in enumerate(seat.side_wagers, start=1):
            device = wager_device(seat.seat, side.wager)
            yield side.sensor, f"{key}.side_wager[{place}].sensor", device
            yield side.light, f"{key}.side_wager[{place}].light", f"{device}'s light"
    yield settings.lock_out, "lock_out.button", LOCK_OUT
    yield settings.lock_out_lamp, "lock_out.lamp", f"{LOCK_OUT}'s lamp"
    if settings.end_of_round is not None:
        yield settings.end_of_round, "end_of_round.button", END_OF_ROUND
    if settings.bonus_display is not None:
        yield settings.bonus_display.button, "bonus_display.button", BONUS_BUTTON
    if settings.supervisor_key is not None:
        yield settings.supervisor_key, "supervisor.key", SUPERVISOR_KEY
    if settings.cabinet.door is not None:
        yield settings.cabinet.door, "cabinet.door", CABINET_DOOR
    if settings.cabinet.clock_battery is not None:
        yield settings.cabinet.clock_battery, "cabinet.clock_battery", CLOCK_BATTERY
    if settings.gates.hit is not None:
        yield settings.gates.hit, "gates.hit", HIT
    if settings.emitters is not None:
        yield settings.emitters, "beams.emitters", EMITTERS
    if isinstance(settings.return_device, GpioReturnSettings):
        yield settings.return_device.motor, "return_device.motor", f"{RETURN_DEVICE}'s motor"
        yield settings.return_device.beam, "return_device.beam", f"{RETURN_DEVICE}'s beam"


def gates(settings: "TableSettings") -> tuple[int, ...]:
    """The pins of all gates: low is shut."""
    return tuple(pin for pin, key, _ in pins(settings) if role(key) == "gate" and isinstance(pin, int))


def role(key: str) -> str:
    """What a pin does, from its key: beams, gate, light, button and so on."""
    return key.rsplit(".", maxsplit=1)[-1]


def _problem(pin: Pin, does: str, settings: "TableSettings") -> str:
    """Why this pin cannot do this, and what to take instead; nothing if it can."""
    if isinstance(pin, ExpanderLine):
        known = {expander.chip for expander in settings.gpio.expanders}
        return (
            "" if pin.chip in known else f'is on no expander of this table; add [[gpio.expander]] chip = "{pin.chip}"'
        )
    if pin not in LINES:
        return f"is not on the header; take one from 2 to {max(LINES)}"
    if pin in EEPROM:
        return f"is reserved for the EEPROM of a plug-on board; take one from 2 to {max(LINES)}"
    if does in MOVING and pin in UART:
        return "is driven by the serial console while the board boots; take one from 9 to 13 or from 16 to 27"
    if does in MOVING and pin in HIGH_AT_POWER_ON:
        return "is pulled up from power-on, and up is open; take one from 9 to 13 or from 16 to 27"
    if does not in OUTPUTS and pin in FIXED_PULL_UP and not settings.levels.pull_up:
        return "has a pull-up soldered to it; set levels.pull_up = true or take another pin"
    return ""
