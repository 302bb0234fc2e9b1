"""The pins of a board through gpiod (libgpiod 2): the kernel's own time stamps and pulls, and no debounce."""

import errno
import os
import select
import threading
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Self

import gpiod
from gpiod.line import Bias, Direction, Edge, Value
from gpiozero import (
    GPIOZeroError,
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinSetInput,
)
from gpiozero.pins.pi import PiFactory, PiPin

from drivers.gpio.expander import expander_pin
from drivers.gpio.header import HEADER_REVISION, ExpanderLine, Pin, pin_name
from drivers.gpio.labels import BOARD, BoardChips, line_offered, sysfs_devices
from drivers.gpio.pins import LineHeld
from drivers.gpio.settings import GpioSettings, HeaderLine
from drivers.ports import PinFault

_CONSUMER: Final = "pitlink"
_PULLS: Final = {"floating": Bias.DISABLED, "up": Bias.PULL_UP, "down": Bias.PULL_DOWN}
_PULL_NAMES: Final = {bias: name for name, bias in _PULLS.items()}
_EDGES: Final = {"both": Edge.BOTH, "rising": Edge.RISING, "falling": Edge.FALLING}
_EDGE_NAMES: Final = {edge: name for name, edge in _EDGES.items()}
_VALUES: Final = {False: Value.INACTIVE, True: Value.ACTIVE}


class GpiodPins(PiFactory):  # type: ignore[misc]  # gpiozero ships no types
    """The header's pins, on one chip or on several; the gates of each chip are held by one request, low."""

    def __init__(self, settings: GpioSettings, gates: Collection[int], dev: Path) -> None:
        super().__init__()
        self.pin_class = GpiodPin
        self._settings, self._lock = settings, threading.RLock()
        self._groups: dict[tuple[gpiod.Chip, int], LineGroup] = {}
        self._users: dict[tuple[gpiod.Chip, int], Pin] = {}
        with ExitStack() as opened:
            self._found, self._board_chips = _open_chips(dev, opened)
            self._header = self._chip(settings.chip)
            self._offsets = {gpio: self._offset(line) for gpio, line in settings.lines.items()}
            self.listener = opened.enter_context(EdgeListener(self._lock))
            opened.callback(self._release)
            self._hold_together(gates)
            self._opened = opened.pop_all()

    def close(self) -> None:
        """Puts every output to its safe level and gives all lines back."""
        super().close()
        self._opened.close()

    def pin(self, name: Any) -> "GpiodPin":
        """A pin of the header, or a line of an expander."""
        if isinstance(name, ExpanderLine) and name not in self.pins:
            self.pins[name] = GpiodPin(self, expander_pin(name), line=name)
        pin: GpiodPin = self.pins[name] if isinstance(name, ExpanderLine) else super().pin(name)
        return pin

    def lower(self, pins: Iterable["GpiodPin"]) -> None:
        """Takes these outputs low: all those of one request in one system call."""
        levels: dict[LineGroup, dict[int, bool]] = {}
        for pin in pins:
            levels.setdefault(pin.lines, {})[pin.offset] = False
        for lines, wanted in levels.items():
            lines.put(wanted)

    def lines_of(self, pin: Pin) -> tuple["LineGroup", int]:
        """The request that has this pin's line, made or yet to be made, and the line's offset in its chip."""
        chip, offset = place = self._place(pin)
        if self._users.setdefault(place, pin) != pin:
            raise GPIOZeroError(f"its line is {pin_name(self._users[place])} already; correct [gpio.lines]")
        if place not in self._groups:
            self._groups[place] = LineGroup(chip, {offset: gpiod.LineSettings()}, self._lock)
        return self._groups[place], offset

    @staticmethod
    def ticks() -> float:
        """Now, on the clock that the kernel stamps edges with."""
        return time.monotonic()

    @staticmethod
    def ticks_diff(later: float, earlier: float) -> float:
        """Seconds between two times."""
        return later - earlier

    def _get_revision(self) -> int:
        return HEADER_REVISION

    def _hold_together(self, gates: Collection[int]) -> None:
        low = gpiod.LineSettings(direction=Direction.OUTPUT)
        numbers: dict[gpiod.Chip, dict[int, int]] = {}
        for gpio in gates:
            try:
                chip, offset = self._place(gpio)
            except GPIOZeroError as error:
                raise PinFault(BOARD, f"GPIO{gpio} for a gate cannot be used: {error}") from error
            numbers.setdefault(chip, {})[offset] = gpio
        for chip, offsets in numbers.items():
            lines = LineGroup(chip, dict.fromkeys(offsets, low), self._lock)
            self._groups.update({(chip, offset): lines for offset in offsets})
            try:
                lines.hold()
            except LineHeld as held:
                raise PinFault(BOARD, f"GPIO{offsets[held.offset]} for a gate {held}") from held

    def _place(self, pin: Pin) -> tuple[gpiod.Chip, int]:
        if isinstance(pin, ExpanderLine):
            chip, offset = self._chip(pin.chip), pin.line
        elif pin in self._offsets:
            return self._chip_of(self._settings.lines[pin]), self._offsets[pin]
        else:
            chip, offset = self._header, pin
        info = chip.get_info()
        if offset >= info.num_lines:
            raise GPIOZeroError(f"{info.label} ends at line {info.num_lines - 1}; correct [gpio]")
        return chip, offset

    def _chip(self, label: str | None) -> gpiod.Chip:
        return self._found[self._board_chips.named(label)]

    def _chip_of(self, line: HeaderLine) -> gpiod.Chip:
        return self._header if line.chip is None else self._chip(line.chip)

    def _offset(self, wanted: HeaderLine) -> int:
        chip = self._chip_of(wanted)
        info = chip.get_info()
        names = [chip.get_line_info(offset).name for offset in range(info.num_lines)]
        return line_offered(wanted.line, names, f"{info.name} ({info.label})")

    def _release(self) -> None:
        for lines in self._groups.values():
            lines.release()


class GpiodPin(PiPin):  # type: ignore[misc]  # gpiozero ships no types
    """One line; an output that is closed keeps its safe level, the one it began with, for as long as we live."""

    def __init__(self, factory: GpiodPins, info: Any, line: ExpanderLine | None = None) -> None:
        super().__init__(factory, info)
        self.lines, self.offset = factory.lines_of(line or self._number)
        self._edges, self._safe = Edge.BOTH, False

    def close(self) -> None:
        """Leaves an output at its safe level; gives an input's line back."""
        self.when_changed = None
        if self._get_function() == "output":
            self.lines.put({self.offset: self._safe})
        else:
            self.lines.release()

    def output_with_state(self, state: bool) -> None:
        """Becomes an output that has this level from its first moment on, and when it is closed."""
        self._safe = bool(state)
        self.lines.configure(self.offset, direction=Direction.OUTPUT, bias=Bias.AS_IS, output_value=_VALUES[self._safe])

    def _get_function(self) -> str:
        return "output" if self.lines.settings[self.offset].direction is Direction.OUTPUT else "input"

    def _set_function(self, value: str) -> None:
        if value == "output":
            self.output_with_state(self._get_state())
        elif value == "input" and not self.lines.is_joint:
            self.lines.configure(self.offset, direction=Direction.INPUT, bias=Bias.DISABLED)
        else:
            raise PinInvalidFunction(f"{self!r} cannot be an {value}")

    def _get_state(self) -> bool:
        return self.lines.level(self.offset)

    def _set_state(self, value: float) -> None:
        if self._get_function() == "input":
            raise PinSetInput(f"{self!r} is an input and has no level of ours")
        self.lines.put({self.offset: bool(value)})

    def _get_pull(self) -> str:
        return _PULL_NAMES.get(self.lines.settings[self.offset].bias, "floating")

    def _set_pull(self, value: str) -> None:
        if self._get_function() != "input" or self.info.pull not in (value, ""):
            raise PinFixedPull(f"{self!r} has a pull of its own")
        if value not in _PULLS:
            raise PinInvalidPull(f"{self!r} cannot be pulled {value}")
        self.lines.configure(self.offset, direction=Direction.INPUT, bias=_PULLS[value])

    def _get_bounce(self) -> None:
        return None

    def _set_bounce(self, value: float | None) -> None:
        if value is not None:
            raise PinInvalidBounce(f"{self!r} reports every edge; debounce is for who listens")

    def _get_edges(self) -> str:
        return _EDGE_NAMES[self._edges]

    def _set_edges(self, value: str) -> None:
        if value not in _EDGES:
            raise PinInvalidEdges(f"{self!r} cannot report {value} edges")
        self._edges = _EDGES[value]
        if self._when_changed is not None:
            self._enable_event_detect()

    def _enable_event_detect(self) -> None:
        self.lines.configure(self.offset, edge_detection=self._edges)
        self.factory.listener.add(self.lines.request, self._changed)

    def _disable_event_detect(self) -> None:
        self.factory.listener.remove(self.lines.request)
        self.lines.configure(self.offset, edge_detection=Edge.NONE)
        self.lines.forget_edges()

    def _changed(self, event: gpiod.EdgeEvent) -> None:
        """Runs in the listener's thread."""
        with self._when_changed_lock:
            if self._when_changed is not None:
                is_rising = event.event_type is gpiod.EdgeEvent.Type.RISING_EDGE
                self._call_when_changed(event.timestamp_ns / 1e9, int(is_rising))


class LineGroup:
    """Lines of one chip that share a request; it is made when one of them is first used."""

    def __init__(self, chip: gpiod.Chip, settings: dict[int, gpiod.LineSettings], lock: threading.RLock) -> None:
        self._chip, self._lock = chip, lock
        self._request: gpiod.LineRequest | None = None
        self.settings = settings
        self.is_joint = len(settings) > 1

    @property
    def request(self) -> gpiod.LineRequest:
        """The kernel's promise that nobody else has these lines."""
        return self._request or self.hold()

    def hold(self) -> gpiod.LineRequest:
        """Asks the kernel for the lines; LineHeld says who has one of them already."""
        with self._lock:
            self._request = self._ask(self.settings)
            return self._request

    def configure(self, offset: int, **changes: Any) -> None:
        """Changes one line and leaves the others as they are."""
        with self._lock:
            settings = {**self.settings, offset: replace(self.settings[offset], **changes)}
            if self._request is None:
                self._request = self._ask(settings)
            else:
                self._request.reconfigure_lines(dict(settings.items()))
            self.settings = settings

    def level(self, offset: int) -> bool:
        """The level of a line at this moment."""
        with self._lock:
            return self.request.get_value(offset) is Value.ACTIVE

    def put(self, levels: dict[int, bool]) -> None:
        """Sets outputs, all of them in one system call."""
        with self._lock:
            values = {offset: _VALUES[level] for offset, level in levels.items()}
            self.request.set_values(dict(values.items()))
            changed = {offset: replace(self.settings[offset], output_value=value) for offset, value in values.items()}
            self.settings = self.settings | changed

    def forget_edges(self) -> None:
        """Throws away the edges that wait to be read."""
        with self._lock:
            while self.request.wait_edge_events(0):
                self.request.read_edge_events()

    def release(self) -> None:
        """Gives the lines back; the next use asks for them as they are then."""
        with self._lock:
            if self._request is not None:
                self._request.release()
            self._request = None
            self.settings = dict.fromkeys(self.settings, gpiod.LineSettings())

    def _ask(self, settings: dict[int, gpiod.LineSettings]) -> gpiod.LineRequest:
        try:
            return self._chip.request_lines(dict(settings.items()), consumer=_CONSUMER)
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise
            infos = [self._chip.get_line_info(offset) for offset in settings]
            held = next((info for info in infos if info.used), infos[0])  # it may have been let go of just now
            raise LineHeld(held.offset, held.consumer) from error


class EdgeListener:
    """One thread that waits for the edges of all requests and hands each to its pin."""

    def __init__(self, lock: threading.RLock) -> None:
        self._lock, self._poll, self._stop = lock, select.epoll(), os.eventfd(0)
        self._heard: dict[int, tuple[gpiod.LineRequest, Callable[[gpiod.EdgeEvent], None]]] = {}
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self._poll.register(self._stop, select.EPOLLIN)
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread is not None:
            os.eventfd_write(self._stop, 1)
            self._thread.join()
        self._poll.close()
        os.close(self._stop)

    def add(self, request: gpiod.LineRequest, heard: Callable[[gpiod.EdgeEvent], None]) -> None:
        """From now on these edges are heard."""
        with self._lock:
            if request.fd not in self._heard:
                self._poll.register(request.fd, select.EPOLLIN)
            self._heard[request.fd] = request, heard
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="gpio edges", daemon=True)
            self._thread.start()

    def remove(self, request: gpiod.LineRequest) -> None:
        """From now on they are not."""
        with self._lock:
            if self._heard.pop(request.fd, None):
                self._poll.unregister(request.fd)

    def _run(self) -> None:
        while True:
            for fd, _ in self._poll.poll():
                if fd == self._stop:
                    return
                for heard, event in self._read(fd):
                    heard(event)

    def _read(self, fd: int) -> list[tuple[Callable[[gpiod.EdgeEvent], None], gpiod.EdgeEvent]]:
        with self._lock:
            # The line may have been closed since, and its number may be another's now: reading must never wait.
            request, heard = self._heard.get(fd, (None, None))
            if request is None or heard is None or not request.wait_edge_events(0):
                return []
            return [(heard, event) for event in request.read_edge_events()]


def _open_chips(dev: Path, opened: ExitStack) -> tuple[dict[str, gpiod.Chip], BoardChips]:
    """Every chip of the board by its name, and what the kernel calls them."""
    found: dict[str, gpiod.Chip] = {}
    denied: list[str] = []
    for place in sorted(place for place in dev.glob("gpiochip*") if not place.is_symlink()):
        try:
            found[place.name] = opened.enter_context(gpiod.Chip(str(place)))
        except PermissionError:
            denied.append(place.name)
        except OSError as error:
            raise PinFault(BOARD, f"{place} cannot be opened: {error.strerror}; look at dmesg") from error
    labels = {name: chip.get_info().label for name, chip in found.items()}
    return found, BoardChips(labels, sysfs_devices(found, dev), denied)
