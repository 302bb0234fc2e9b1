"""lgpio as far as gpiozero uses it: chips of Python with names, labels, busy lines and missing permission."""

from types import ModuleType
from typing import Any

_CONSTANTS = {"BOTH_EDGES": 3, "RISING_EDGE": 1, "FALLING_EDGE": 2}
_BIASES = {"SET_PULL_NONE": 128, "SET_PULL_UP": 32, "SET_PULL_DOWN": 64}
_IS_OUT = 2


class LgpioError(Exception):
    """What lgpio raises for everything."""


class FakeLgpioChip:
    """One chip: the names of its lines, who holds them, what they are."""

    def __init__(self, label: str, names: list[str], *, may_open: bool = True) -> None:
        self.label, self.names, self.may_open = label, names, may_open
        self.busy: set[int] = set()
        self.modes: dict[int, int] = {}
        self.levels: dict[int, int] = {}


class FakeLgpio(ModuleType):
    """The module lgpio with these chips."""

    error = LgpioError

    def __init__(self, *chips: FakeLgpioChip) -> None:
        super().__init__("lgpio")
        self.chips = chips
        self.open_handles: list[int] = []
        for name, value in (_CONSTANTS | _BIASES).items():
            setattr(self, name, value)

    def gpiochip_open(self, number: int) -> int:
        if number >= len(self.chips) or not self.chips[number].may_open:
            raise LgpioError("can not open gpiochip")
        self.open_handles.append(number)
        return number

    def gpiochip_close(self, handle: int) -> None:
        self.open_handles.remove(handle)

    def gpio_get_chip_info(self, handle: int) -> list[Any]:
        chip = self.chips[handle]
        return [0, len(chip.names), f"gpiochip{handle}", chip.label]

    def gpio_get_line_info(self, handle: int, line: int) -> list[Any]:
        return [0, line, 0, self.chips[handle].names[line], ""]

    def gpio_claim_input(self, handle: int, line: int, flags: int = 0) -> None:
        self._claim(handle, line, flags)

    def gpio_claim_output(self, handle: int, line: int, level: int = 0) -> None:
        self._claim(handle, line, _IS_OUT)
        self.chips[handle].levels[line] = level

    def gpio_free(self, handle: int, line: int) -> None:
        self.chips[handle].modes.pop(line, None)

    def gpio_get_mode(self, handle: int, line: int) -> int:
        return self.chips[handle].modes[line]

    def gpio_read(self, handle: int, line: int) -> int:
        return self.chips[handle].levels.get(line, 0)

    def gpio_write(self, handle: int, line: int, level: int) -> None:
        self.chips[handle].levels[line] = int(level)

    def _claim(self, handle: int, line: int, mode: int) -> None:
        if line in self.chips[handle].busy:
            raise LgpioError("GPIO busy")
        self.chips[handle].modes[line] = mode
