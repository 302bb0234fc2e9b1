"""Pins through gpiod: chips by label, gates under one request, safe levels, the kernel's times; what can be wrong."""

import asyncio
import errno
import importlib
import os
import queue
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import gpiod
import pytest
from gpiod.line import Bias, Direction
from gpiozero import (
    GPIOZeroError,
    InputDevice,
    OutputDevice,
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinSetInput,
)

from common.clock import ManualClock
from drivers.gpio.chip import open_metal
from drivers.gpio.gpiod_factory import GpiodPins
from drivers.gpio.header import ExpanderLine
from drivers.gpio.light import GpioLight
from drivers.gpio.pins import PinRegistry
from drivers.gpio.settings import GpioSettings, HeaderLine
from drivers.ports import PinFault
from tests.support.drivers.fake_gpiod import FakeBoard, FakeGpiodChip
from tests.support.drivers.line_rig import SUITES

PROJECT = Path(__file__).parents[3]
LATEST_S = 30


class Bench:
    """A board with a chip for sound, a header and an expander; whatever is opened on it is closed at the end."""

    def __init__(self, dev: Path, *chips: FakeGpiodChip) -> None:
        self.board = FakeBoard(dev, *chips)
        self.header, self.expander = chips[1], chips[2]
        self.opened: list[GpiodPins] = []

    def pins(self, settings: GpioSettings | None = None, gates: tuple[int, ...] = ()) -> GpiodPins:
        """What a table on this board is handed."""
        with mock.patch.object(gpiod, "Chip", self.board.open):
            pins: GpiodPins = open_metal(settings or GpioSettings(), gates, self.board.dev).pins
        self.opened.append(pins)
        return pins


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    sound = FakeGpiodChip("soc-audio", ["", "", ""])
    header = FakeGpiodChip("pinctrl-rp1", [f"PIN_{line}" for line in range(54)])
    bench = Bench(tmp_path, sound, header, FakeGpiodChip("1-0020", [f"P{line}" for line in range(16)]))
    yield bench
    for pins in bench.opened:
        pins.close()
    assert [chip.times_open for chip in bench.board.chips] == [0, 0, 0]
    assert not any(line.holder for chip in bench.board.chips for line in chip.lines)


@pytest.mark.parametrize("rig", ["gpiod_rig", "expander_rig"])
def test_every_contract_holds_on_gpiod(rig: str) -> None:
    """The suites of simulated pins, through gpiozero and our factory, on a chip of Python and on an expander's."""
    environ = {**os.environ, "PITLINK_RIG": f"tests.support.drivers.gpiod_rig:{rig}"}
    words = ("-q", "-p", "no:cacheprovider", "-k", "not ccTalk", *SUITES)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words], cwd=PROJECT, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert re.search(rf"\b\d+ passed, {sum(SUITES.values())} skipped", done.stdout)


def test_all_gates_close_in_one_system_call(bench: Bench) -> None:
    """They are low from the moment that the board is opened, and never asked for one by one."""
    pins = bench.pins(gates=(9, 10, 11))
    assert [bench.header.lines[line].settings.direction for line in (9, 10, 11)] == [Direction.OUTPUT] * 3
    gates = [OutputDevice(pin, initial_value=False, pin_factory=pins) for pin in (9, 10, 11)]
    light = OutputDevice(12, initial_value=True, pin_factory=pins)
    for gate in gates:
        gate.on()
    assert [bench.header.lines[line].level for line in (9, 10, 11, 12)] == [True, True, True, True]
    bench.header.calls.clear()
    pins.lower([gate.pin for gate in gates])
    assert [bench.header.lines[line].level for line in (9, 10, 11, 12)] == [False, False, False, True]
    assert bench.header.calls == ["set values"]
    light.close()


def test_gates_on_two_chips_close_in_one_call_for_each(bench: Bench) -> None:
    """An expander is a chip like any other, found by its label."""
    lines = {10: HeaderLine(3, "1-0020"), 11: HeaderLine("P4", "1-0020")}
    pins = bench.pins(GpioSettings(lines=lines), gates=(9, 10, 11))
    gates = [OutputDevice(pin, initial_value=False, pin_factory=pins) for pin in (9, 10, 11)]
    for gate in gates:
        gate.on()
    assert [bench.header.lines[9].level, *(line.level for line in bench.expander.lines[3:5])] == [True] * 3
    bench.header.calls.clear()
    bench.expander.calls.clear()
    pins.lower([gate.pin for gate in gates])
    assert [bench.header.lines[9].level, *(line.level for line in bench.expander.lines[3:5])] == [False] * 3
    assert (bench.header.calls, bench.expander.calls) == (["set values"], ["set values"])


@pytest.mark.parametrize("gates", [(), (9, 10)])
@pytest.mark.parametrize("active_high", [True, False])
def test_a_closed_output_keeps_its_safe_level(bench: Bench, gates: tuple[int, ...], active_high: bool) -> None:
    """It stays an output that is off; only the end of the factory gives the line back."""
    pins, line = bench.pins(gates=gates), bench.header.lines[9]
    output = OutputDevice(9, active_high=active_high, initial_value=False, pin_factory=pins)
    output.on()
    output.close()
    assert (line.holder, line.settings.direction, line.level) == ("pitlink", Direction.OUTPUT, not active_high)


def test_an_output_has_its_level_from_its_first_moment_on(bench: Bench) -> None:
    """One call asks for the line and says its level: nothing flickers."""
    pins = bench.pins()
    light = OutputDevice(12, active_high=False, initial_value=False, pin_factory=pins)
    assert (bench.header.calls, bench.header.lines[12].level) == (["request"], True)
    light.close()


def test_a_closed_input_gives_its_line_back(bench: Bench) -> None:
    """The self-test looks at every line and leaves no trace."""
    pins, line = bench.pins(), bench.header.lines[5]
    button = InputDevice(5, pull_up=True, pin_factory=pins)
    assert (line.holder, line.settings.bias, button.pull_up, button.value) == ("pitlink", Bias.PULL_UP, True, 0)
    button.close()
    assert line.holder == ""
    probe = InputDevice(5, pull_up=None, active_state=True, pin_factory=pins)
    assert (probe.pull_up, line.settings.bias) == (None, Bias.DISABLED)
    probe.close()


class Listener:
    """An input, and what is heard of it."""

    def __init__(self, pins: GpiodPins, gpio: int, edges: str = "both") -> None:
        self._heard: queue.Queue[tuple[float, int]] = queue.Queue()
        self._device = InputDevice(gpio, pull_up=False, pin_factory=pins)
        self.pin = self._device.pin
        self.pin.edges = edges
        self.pin.when_changed = self._hear

    def next(self) -> tuple[float, int]:
        """The time of the next edge, and the level after it."""
        return self._heard.get(timeout=LATEST_S)

    def is_all(self) -> bool:
        """Whether nothing more was heard."""
        return self._heard.empty()

    def close(self) -> None:
        self._device.close()

    def _hear(self, ticks: float, state: int) -> None:
        self._heard.put((ticks, state))


def test_edges_have_the_kernels_time(bench: Bench) -> None:
    """On the clock that the loop has."""
    listener = Listener(bench.pins(), 5)
    before = time.monotonic()
    bench.header.drive(5, True)
    bench.header.drive(5, False)
    (rise, high), (fall, low) = listener.next(), listener.next()
    assert (high, low) == (1, 0)
    assert before <= rise <= fall <= time.monotonic()
    listener.close()


def test_edges_can_be_chosen_while_somebody_listens(bench: Bench) -> None:
    """And a listener that is gone hears nothing more."""
    pins = bench.pins()
    listener = Listener(pins, 5, "rising")
    assert listener.pin.edges == "rising"
    for edges, level in (("rising", 1), ("falling", 0)):
        listener.pin.edges = edges
        bench.header.drive(5, True)
        bench.header.drive(5, False)
        assert listener.next()[1] == level
    listener.pin.when_changed = None
    bench.header.drive(5, True)
    other = Listener(pins, 6)
    bench.header.drive(6, True)
    assert other.next()[1] == 1
    assert listener.is_all()
    listener.close()
    other.close()


def test_edges_of_a_listener_that_left_are_not_the_next_ones(bench: Bench) -> None:
    """Edges that nobody has read go when their listener goes."""
    pins = bench.pins()
    listener = Listener(pins, 5)
    request = bench.header.lines[5].request
    assert request is not None
    with mock.patch.object(pins.listener, "_read", return_value=[]):  # a thread that has no time
        bench.header.drive(5, True)
        assert request.wait_edge_events(0)
        listener.pin.when_changed = None
    assert not request.wait_edge_events(0)
    listener.close()


@pytest.mark.parametrize(
    ("misuse", "error"),
    [
        (lambda pin: setattr(pin, "bounce", 0.02), PinInvalidBounce),
        (lambda pin: setattr(pin, "edges", "all"), PinInvalidEdges),
        (lambda pin: setattr(pin, "pull", "sideways"), PinInvalidPull),
        (lambda pin: setattr(pin, "function", "spi"), PinInvalidFunction),
        (lambda pin: setattr(pin, "state", True), PinSetInput),
    ],
)
def test_what_a_pin_cannot_do_is_refused(
    bench: Bench, misuse: Callable[[object], None], error: type[Exception]
) -> None:
    """Debounce above all: every edge is reported, and ours is elsewhere."""
    device = InputDevice(5, pull_up=True, pin_factory=bench.pins())
    assert device.pin.bounce is None
    with pytest.raises(error):
        misuse(device.pin)


def test_pulls_are_for_inputs_and_not_against_a_resistor(bench: Bench) -> None:
    """GPIO2 has a pull-up soldered to it."""
    pins = bench.pins(gates=(9, 10))
    gate = OutputDevice(9, initial_value=False, pin_factory=pins)
    for pin, pull in ((gate.pin, "up"), (pins.pin(2), "down")):
        with pytest.raises(PinFixedPull):
            pin.pull = pull
    with pytest.raises(PinInvalidFunction):
        gate.pin.function = "input"


def test_an_output_made_of_what_is_there_keeps_its_level(bench: Bench) -> None:
    """gpiozero may ask for no level of its own."""
    bench.header.drive(12, True)
    output = OutputDevice(12, initial_value=None, pin_factory=bench.pins())
    assert (output.value, bench.header.lines[12].level) == (1, True)
    output.close()


@pytest.mark.parametrize("label", ["pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"])
def test_the_header_of_a_raspberry_pi_is_known_by_its_label(bench: Bench, label: str) -> None:
    """Whatever its number is, and though the kernel has an old name for it besides."""
    bench.header.label = label
    (bench.board.dev / "gpiochip4").symlink_to("gpiochip1")
    light = OutputDevice(12, initial_value=True, pin_factory=bench.pins())
    assert bench.header.lines[12].level
    light.close()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (
            GpioSettings(chip="pinctrl-x"),
            r"labelled 'pinctrl-x'; the board has soc-audio \(gpiochip0\), pinctrl-rp1",
        ),
        (GpioSettings(lines={17: HeaderLine(1, "1-0021")}), r"no chip labelled '1-0021'"),
        (
            GpioSettings(lines={17: HeaderLine("PIN_99")}),
            r"'PIN_99': gpiochip1 \(pinctrl-rp1\) has lines 0 to 53",
        ),
        (
            GpioSettings(lines={17: HeaderLine(16, "1-0020")}),
            r"no line 16: gpiochip2 \(1-0020\) has lines 0 to 15, ",
        ),
    ],
)
def test_a_chip_or_line_that_is_not_there_is_named_with_those_that_are(
    bench: Bench, settings: GpioSettings, words: str
) -> None:
    """The technician reads the right name in the message."""
    with pytest.raises(PinFault, match=words):
        bench.pins(settings)


def test_a_board_that_is_no_raspberry_pi_is_asked_which_chip(bench: Bench) -> None:
    """It has labels that we do not know."""
    bench.header.label = "gpio-meson"
    with pytest.raises(PinFault, match=r"no chip is a Raspberry Pi's header; say in \[gpio\] chip which.*gpio-meson"):
        bench.pins()


def test_two_chips_of_one_label_are_both_named(bench: Bench) -> None:
    """No chip is taken by chance."""
    bench.expander.label = "pinctrl-rp1"
    with pytest.raises(PinFault, match="gpiochip1 and gpiochip2 are both labelled"):
        bench.pins()


def test_a_line_of_an_expander_is_a_pin_like_any_other(bench: Bench) -> None:
    """Found by the chip's label, with the kernel's pull; edges come as from the header."""
    bench.expander.label = "mcp23017"
    pins, heard = bench.pins(), queue.Queue[int]()
    light = OutputDevice(ExpanderLine("mcp23017", 15), initial_value=True, pin_factory=pins)
    beam = InputDevice(ExpanderLine("mcp23017", 0), pull_up=True, pin_factory=pins)
    beam.pin.edges = "both"

    def hear(_stamp: float, state: int) -> None:
        heard.put(state)

    beam.pin.when_changed = hear  # gpiozero keeps no hold of it
    bench.expander.drive(0, False)
    assert heard.get(timeout=LATEST_S) == 0
    assert (bench.expander.lines[15].level, bench.expander.lines[0].settings.bias) == (True, Bias.PULL_UP)
    assert pins.pin(ExpanderLine("mcp23017", 15)) is light.pin
    with pytest.raises(GPIOZeroError, match=r"mcp23017 ends at line 15; correct \[gpio\]"):
        pins.pin(ExpanderLine("mcp23017", 16))
    with pytest.raises(PinFault, match="there is no chip labelled 'mcp23018'; the board has soc-audio"):
        pins.pin(ExpanderLine("mcp23018", 0))


def test_two_expanders_are_told_apart_by_their_devices(tmp_path: Path) -> None:
    """Every MCP23017 has the same label; the I2C address is in the device's name."""
    header, *expanders = chips = [FakeGpiodChip(label, [""] * 28) for label in ("pinctrl-rp1", "mcp23017", "mcp23017")]
    (dev := tmp_path / "dev").mkdir()
    bench = Bench(dev, *chips)
    places = tmp_path / "sys/bus/gpio/devices"
    places.mkdir(parents=True)
    for number, device in enumerate(("soc", "1-0020", "1-0021")):
        (real := tmp_path / "sys/devices" / device / f"gpiochip{number}").mkdir(parents=True)
        (places / real.name).symlink_to(real)
    pins = bench.pins()
    OutputDevice(ExpanderLine("1-0021", 3), initial_value=True, pin_factory=pins)
    assert [chip.lines[3].level for chip in (header, *expanders)] == [False, False, True]
    with pytest.raises(PinFault, match='both labelled mcp23017; name each by its device instead: chip = "1-0020" or'):
        pins.pin(ExpanderLine("mcp23017", 3))
    pins.close()


def test_a_machine_without_chips_says_so(tmp_path: Path) -> None:
    """A bench, or a unit that hides its devices."""
    with pytest.raises(PinFault, match="there is no GPIO chip in /dev; this machine has no pins, or the unit hides"):
        open_metal(dev=tmp_path)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.EACCES, "gpiochip1 may not be opened; join the group gpio: adduser pitlink-table gpio"),
        (errno.EPERM, "gpiochip1 may not be opened; join the group gpio"),
        (errno.ENODEV, "gpiochip1 cannot be opened: No such device; look at dmesg"),
    ],
)
def test_a_chip_that_cannot_be_opened_says_why(bench: Bench, code: int, words: str) -> None:
    """Missing permission is told apart from a missing chip."""
    bench.header.refuses_with = code
    with pytest.raises(PinFault, match=words):
        bench.pins()


def test_a_gate_that_somebody_holds_is_named_with_its_holder(bench: Bench) -> None:
    """The kernel does not say which of the lines is busy; we look."""
    bench.header.lines[8].holder = "spi0 CS0"
    with pytest.raises(PinFault, match=r"board: GPIO8 for a gate is held by 'spi0 CS0'; see gpioinfo.*dtoverlay"):
        bench.pins(gates=(9, 8))
    bench.header.lines[8].holder = ""


@pytest.mark.parametrize(("holder", "words"), [("spi0 CS0", "'spi0 CS0'"), ("", "another program or the kernel")])
async def test_a_line_that_somebody_holds_is_named_with_its_holder(bench: Bench, holder: str, words: str) -> None:
    """Device, pin, holder and what to do; a holder that has just left cannot be named."""
    pins, line = bench.pins(), bench.header.lines[8]
    loop = asyncio.get_running_loop()
    board = PinRegistry(pins, clock=ManualClock(), loop=loop, report=lambda _: None, pin_errors=(OSError,))
    busy = OSError(errno.EBUSY, os.strerror(errno.EBUSY))
    line.holder = holder
    with (
        mock.patch.object(bench.header, "request_lines", side_effect=busy),
        pytest.raises(PinFault, match=f"seat 1 light: GPIO8 is held by {words}; see gpioinfo"),
    ):
        GpioLight(board, "seat 1 light", 8)
    line.holder = ""


async def test_an_error_of_the_kernel_is_a_fault_of_the_pin(bench: Bench) -> None:
    """Whatever it is, it has the device's name."""
    loop = asyncio.get_running_loop()
    board = PinRegistry(bench.pins(), clock=ManualClock(), loop=loop, report=lambda _: None, pin_errors=(OSError,))
    failure = OSError(errno.EIO, os.strerror(errno.EIO))
    with (
        mock.patch.object(bench.header, "request_lines", side_effect=failure),
        pytest.raises(PinFault, match=r"seat 1 light: GPIO8 cannot be used: .*Input/output error"),
    ):
        GpioLight(board, "seat 1 light", 8)


def test_a_chip_too_small_for_a_header_is_named(bench: Bench) -> None:
    """The wrong chip was written down: the table does not start, and the self-test names every device."""
    with pytest.raises(PinFault, match=r"board: GPIO17 for a gate cannot be used: 1-0020 ends at line 15; correct"):
        bench.pins(GpioSettings(chip="1-0020"), gates=(9, 17))
    with pytest.raises(GPIOZeroError, match=r"1-0020 ends at line 15; correct \[gpio\]"):
        bench.pins(GpioSettings(chip="1-0020")).pin(17)


def test_two_pins_on_one_line_are_refused(bench: Bench) -> None:
    """Two devices would answer each other."""
    pins = bench.pins(GpioSettings(lines={17: HeaderLine(18)}))
    light = OutputDevice(17, pin_factory=pins)
    with pytest.raises(GPIOZeroError, match=r"its line is GPIO17 already; correct \[gpio.lines\]"):
        OutputDevice(18, pin_factory=pins)
    light.close()


def test_a_machine_without_gpiod_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A bench has none."""
    monkeypatch.setattr(importlib, "import_module", mock.Mock(side_effect=ImportError))
    with pytest.raises(PinFault, match=r"gpiod is not installed; install pitlink\[board\]"):
        open_metal(dev=tmp_path)


def test_times_are_those_of_the_loop(bench: Bench) -> None:
    """gpiozero measures how long a button was held by the factory's clock."""
    pins = bench.pins()
    before = pins.ticks()
    assert 0 <= pins.ticks_diff(pins.ticks(), before) < LATEST_S
