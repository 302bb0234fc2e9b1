"""Which device has which pin, and what is wrong with that before any pin is touched."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from common.settings import Section
from controller.settings.device_names import END_OF_ROUND, LOCK_OUT, RETURN_DEVICE, SUPERVISOR_KEY, seat_device
from drivers.gpio.header import EEPROM, FIXED_PULL_UP, HIGH_AT_POWER_ON, LINES, UART, USABLE
from drivers.gpio.return_device import GpioReturnSettings

if TYPE_CHECKING:
    from controller.settings.table import TableSettings

MOVING: Final = frozenset({"gate", "motor"})
"""What must be shut or still without a program."""
OUTPUTS: Final = MOVING | {"light", "lamp"}


def check_pins(root: Section, settings: "TableSettings") -> None:
    """Faults for pins that cannot do it, for two devices on one pin and for more lines than the header has."""
    taken: dict[int, str] = {}
    used = [(pin, key, device) for pin, key, device in pins(settings) if root.is_sound(key)]
    for pin, key, device in used:
        problem = _problem(pin, role(key), settings)
        if problem:
            root.fault(key, f"GPIO{pin} for the {device} {problem}")
        elif pin in taken:
            root.fault(key, f"GPIO{pin} for the {device} already serves the {taken[pin]}; take another pin")
        else:
            taken[pin] = device
    if len(used) > len(USABLE):
        problem = f"this table needs {len(used)} lines and the header has {len(USABLE)}"
        advice = 'take one beam a seat, or seats with acceptor = "cctalk" on one serial wire'
        root.fault("gpio", f"{problem}; {advice}", value=len(used))


def pins(settings: "TableSettings") -> Iterator[tuple[int, str, str]]:
    """Every pin in use, with its key in the settings and its device."""
    for number, seat in enumerate(settings.seats, start=1):
        key, device = f"seat[{number}]", seat_device(seat.seat)
        if seat.kind == "sensor":
            yield seat.sensor, f"{key}.sensor", device
        elif seat.kind == "slot":
            yield from ((beam, f"{key}.beams", device) for beam in seat.beams)
            yield seat.gate, f"{key}.gate", f"{device}'s gate"
        yield seat.light, f"{key}.light", f"seat {seat.seat} light"
    yield settings.lock_out, "lock_out.button", LOCK_OUT
    yield settings.lock_out_lamp, "lock_out.lamp", f"{LOCK_OUT}'s lamp"
    if settings.end_of_round is not None:
        yield settings.end_of_round, "end_of_round.button", END_OF_ROUND
    if settings.supervisor_key is not None:
        yield settings.supervisor_key, "supervisor.key", SUPERVISOR_KEY
    if isinstance(settings.return_device, GpioReturnSettings):
        yield settings.return_device.motor, "return_device.motor", f"{RETURN_DEVICE}'s motor"
        yield settings.return_device.beam, "return_device.beam", f"{RETURN_DEVICE}'s beam"


def gates(settings: "TableSettings") -> tuple[int, ...]:
    """The pins of all gates: low is shut."""
    return tuple(pin for pin, key, _ in pins(settings) if role(key) == "gate")


def role(key: str) -> str:
    """What a pin does, from its key: beams, gate, light, button and so on."""
    return key.rsplit(".", maxsplit=1)[-1]


def _problem(pin: int, does: str, settings: "TableSettings") -> str:
    """Why this pin cannot do this, and what to take instead; nothing if it can."""
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
