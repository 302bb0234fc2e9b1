"""Remedies: what a person at the table does about a fault, in words."""

from collections.abc import Mapping
from typing import Final

from controller.settings.device_names import RETURN_DEVICE
from games.round.state import Fault

_AT_SEAT: Final[Mapping[str, str]] = {
    "stuck": "Take out what is in the slot of seat {seat}, then test again; the seat plays without progressive.",
    "chatter": "Clean the sensor of seat {seat}, then test again; if it comes back, call a technician.",
    "spurious": "Something was seen where nothing can be: look at seat {seat}, then test again.",
    "out of order": "A chip went the wrong way: settle it with the player of seat {seat}, then test again.",
}
_AT_RETURN: Final[Mapping[str, str]] = {
    "jam": "Open the return device, clear the chips, put them back in, then count again. Do not deal.",
    "silent": "Check that the return device has power and its cable is in; it is asked again by itself.",
    "missing": "The adapter of the return device is not there: plug it in; it is asked again by itself.",
    "garbled": "The cable of the return device is loose or disturbed: check it; it is asked again by itself.",
    "reset": "The return device lost power while it counted: count again and compare by hand.",
    "stopped": "The return device was told to stand still: count again.",
}
_ANY: Final = "Call a technician, then test again."


def remedy(device: str, fault: Fault) -> str:
    """What to do about this fault of this device."""
    if fault.seat:
        return _AT_SEAT.get(fault.kind, _ANY).format(seat=fault.seat)
    return _AT_RETURN.get(fault.kind, _ANY) if device == RETURN_DEVICE else _ANY
