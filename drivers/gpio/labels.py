"""Which GPIO chip carries the header: found by its label, because kernels number their chips as they come."""

from collections.abc import Mapping, Sequence
from typing import Final

from drivers.ports import PinFault

BOARD: Final = "board"
PI_HEADERS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""A Raspberry Pi 5, a 4, and those before them."""


def chip_named(label: str | None, found: Sequence[tuple[str, str]], denied: Sequence[str]) -> str:
    """The name of the chip with this label, or without one of a Raspberry Pi's header; PinFault if it is not there.

    found has the name and the label of every chip that could be opened; denied has the names of the others.
    """
    wanted = PI_HEADERS if label is None else (label,)
    fitting = [name for name, its_label in found if its_label in wanted]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        problem = f"{' and '.join(fitting)} are both labelled {label or 'as a header'}"
        raise PinFault(BOARD, f"{problem}; take one of them out: a label must name one chip")
    raise PinFault(BOARD, _missing(label, dict(found), denied))


def _missing(label: str | None, found: Mapping[str, str], denied: Sequence[str]) -> str:
    if denied:
        return f"{', '.join(denied)} may not be opened; join the group gpio: adduser pitlink gpio"
    if not found:
        return "there is no GPIO chip in /dev; this machine has no pins, or the unit hides them"
    offer = ", ".join(f"{its_label} ({name})" for name, its_label in found.items())
    if label is None:
        return f"no chip is a Raspberry Pi's header; say in [gpio] chip which one has it; the board has {offer}"
    return f"there is no chip labelled {label!r}; the board has {offer}; correct [gpio]"


def line_offered(wanted: int | str, names: Sequence[str | None], chip: str) -> int:
    """The number of a line given by number or name, among those of a chip; PinFault if it has no such line."""
    if isinstance(wanted, str) and wanted in names:
        return names.index(wanted)
    if isinstance(wanted, int) and wanted < len(names):
        return wanted
    known = ", ".join(name for name in names if name)
    offer = f"lines 0 to {len(names) - 1}" + (f", named {known}" if known else " without names")
    raise PinFault(BOARD, f"there is no line {wanted!r}: {chip} has {offer}; correct [gpio.lines]")
