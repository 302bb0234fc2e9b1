"""gpiod's public interface as far as our factory uses it: chips of Python, with wires that a test can drive."""

import errno
import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, Self

import gpiod
from gpiod.line import Bias, Direction, Edge, Value

_RISING, _FALLING = gpiod.EdgeEvent.Type.RISING_EDGE, gpiod.EdgeEvent.Type.FALLING_EDGE
_WANTED: Final = {Edge.NONE: (), Edge.BOTH: (_RISING, _FALLING), Edge.RISING: (_RISING,), Edge.FALLING: (_FALLING,)}


class FakeBoard:
    """A machine with these chips in its /dev."""

    def __init__(self, dev: Path, *chips: "FakeGpiodChip") -> None:
        self.dev, self.chips = dev, chips
        for number, chip in enumerate(chips):
            chip.name = f"gpiochip{number}"
            (dev / chip.name).touch()

    def open(self, path: str) -> "FakeGpiodChip":
        """Stands in for gpiod.Chip."""
        chip = self.chips[int(Path(path).name.removeprefix("gpiochip"))]
        if chip.refuses_with:
            raise OSError(chip.refuses_with, os.strerror(chip.refuses_with), path)
        chip.times_open += 1
        return chip


class FakeGpiodChip:
    """One chip: what drives its lines from outside, who holds them, and every call that a kernel would get."""

    def __init__(self, label: str, names: list[str], *, refuses_with: int = 0) -> None:
        self.label, self.name, self.refuses_with, self.times_open = label, "", refuses_with, 0
        self.lines = [FakeLine(offset, name) for offset, name in enumerate(names)]
        self.calls: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.times_open -= 1

    def get_info(self) -> Any:
        return SimpleNamespace(name=self.name, label=self.label, num_lines=len(self.lines))

    def get_line_info(self, offset: int) -> Any:
        line = self.lines[offset]
        return SimpleNamespace(offset=offset, name=line.name, used=bool(line.holder), consumer=line.holder)

    def request_lines(self, config: Mapping[int, gpiod.LineSettings], consumer: str) -> "FakeRequest":
        self.calls.append("request")
        if any(self.lines[offset].holder for offset in config):
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        return FakeRequest(self, config, consumer)

    def drive(self, offset: int, level: bool) -> None:
        """Something outside puts this level on the wire."""
        self.lines[offset].change(outside=level)


class FakeLine:
    """One line: an output beats what drives it from outside, and that beats the pull."""

    def __init__(self, offset: int, name: str) -> None:
        self.offset, self.name, self.holder = offset, name, ""
        self.settings, self.outside = gpiod.LineSettings(), None
        self.request: FakeRequest | None = None

    @property
    def level(self) -> bool:
        if self.settings.direction is Direction.OUTPUT:
            return self.settings.output_value is Value.ACTIVE
        return self.settings.bias is Bias.PULL_UP if self.outside is None else self.outside

    def change(self, **changes: Any) -> None:
        """Takes new settings, or another level from outside; an edge is told if somebody asked for it."""
        before = self.level
        for name, value in changes.items():
            setattr(self, name, value)
        if self.request is not None and self.level is not before:
            self.request.edge(self, _RISING if self.level else _FALLING)


class FakeRequest:
    """Lines under one request, with the file descriptor that is readable while edges wait."""

    def __init__(self, chip: FakeGpiodChip, config: Mapping[int, gpiod.LineSettings], consumer: str) -> None:
        self._chip, self._lines, self._lock = chip, {offset: chip.lines[offset] for offset in config}, threading.Lock()
        self._edges: list[gpiod.EdgeEvent] = []
        self.fd = os.eventfd(0, os.EFD_NONBLOCK)
        for line in self._lines.values():
            line.holder, line.request = consumer, self
        self._configure(config)

    def reconfigure_lines(self, config: Mapping[int, gpiod.LineSettings]) -> None:
        self._chip.calls.append("reconfigure")
        assert config.keys() == self._lines.keys()  # a line left out would get gpiod's own settings
        self._configure(config)

    def get_value(self, offset: int) -> Value:
        return Value.ACTIVE if self._lines[offset].level else Value.INACTIVE

    def set_values(self, values: Mapping[int, Value]) -> None:
        self._chip.calls.append("set values")
        for offset, value in values.items():
            line = self._lines[offset]
            assert line.settings.direction is Direction.OUTPUT
            line.settings.output_value = value

    def wait_edge_events(self, timeout: float) -> bool:
        assert timeout == 0
        return bool(self._edges)

    def read_edge_events(self) -> list[gpiod.EdgeEvent]:
        with self._lock:
            assert self._edges, "a kernel would wait here"
            os.eventfd_read(self.fd)
            edges, self._edges = self._edges, []
            return edges

    def release(self) -> None:
        os.close(self.fd)
        for line in self._lines.values():
            line.holder, line.request, line.settings = "", None, gpiod.LineSettings()

    def edge(self, line: FakeLine, kind: gpiod.EdgeEvent.Type) -> None:
        """The kernel saw one, now."""
        if kind in _WANTED[line.settings.edge_detection]:
            with self._lock:
                self._edges.append(gpiod.EdgeEvent(kind.value, time.monotonic_ns(), line.offset, 1, 1))
                os.eventfd_write(self.fd, 1)

    def _configure(self, config: Mapping[int, gpiod.LineSettings]) -> None:
        for offset, settings in config.items():
            self._lines[offset].settings = gpiod.LineSettings(**vars(settings))
