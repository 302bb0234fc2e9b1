"""The circuits between a table's lines and its metal: parts with values, supplies with fuses, a power budget."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from common.columns import columns
from controller.settings.seats import CcTalkSeatSettings
from controller.settings.table import TableSettings
from controller.settings.wiring_plan import NO_RESISTOR, WiredLine, wired_lines
from drivers.cctalk.settings import HopperSettings
from drivers.gpio.header import ExpanderLine, Pin
from drivers.gpio.return_device import GpioReturnSettings

HEADER_MA: Final = 50  # what all outputs of the header may give together
SOLENOID_MA, HOPPER_MA, HOPPER_START_MA, EMITTER_MA, LIGHT_MA, BOARD_MA = 500, 1000, 3000, 25, 4, 3000
_RESERVE: Final = 1.25
_FUSES_A: Final = (1, 1.6, 2, 3.15, 4, 6.3, 8, 10, 12.5, 16, 20)
_MOSFET: Final = "logic-level N-MOSFET, 60 V, 5 A"


class Circuit(Struct, frozen=True):
    """A chain of parts from a line to a supply, built once for each of its lines."""

    name: str
    lines: tuple[Pin, ...]
    chain: tuple[str, ...]
    beside: tuple[str, ...] = ()  # what hangs on the chain: pull-downs, diodes, surge protection


class Supply(Struct, frozen=True):
    """A supply, what protects it, and what is drawn from it at most."""

    name: str
    protection: str
    loads: tuple[tuple[str, int], ...]

    @property
    def most_ma(self) -> int:
        """Everything at once."""
        return sum(milliamps for _, milliamps in self.loads)

    @property
    def rated_a(self) -> float:
        """What to buy: a quarter more, in steps of half an ampere."""
        return -(-self.most_ma * _RESERVE // 500) / 2


_BEAM: Final = Circuit(
    "beam receiver",
    (),
    ("1 kΩ in series", "phototransistor to GND, up to 1 m of cable"),
    ("ESD diode array 3.3 V at the connector",),
)
_OUTLET_BEAM: Final = Circuit("return device's beam", (), _BEAM.chain, _BEAM.beside)
_BUTTON: Final = Circuit(
    "button or key",
    (),
    ("220 Ω in series", "contact to GND"),
    ("100 nF to GND", "ESD diode array 3.3 V"),
)
_LIGHT: Final = Circuit("light", (), ("330 Ω in series", "LED 2.0 V, 4 mA, to GND"))
_EXPANDER: Final = Circuit(
    "expander",
    (),
    ("SDA, SCL and INTA", "MCP23017 at 3V3", "16 lines"),
    ("100 nF at its supply", "RESET to 3V3", "A0 to A2: its address", "at most 0.5 m of cable"),
)
_COIN_PULSE: Final = Circuit(
    "parallel hopper's coin pulse",
    (),
    ("1 kΩ in series", "hopper's open collector to GND"),
    ("ESD diode array 3.3 V; never 24 V on this line",),
)
_CIRCUITS: Final = {
    "gate": Circuit(
        "gate",
        (),
        ("100 Ω in series", _MOSFET, "solenoid 24 V, 0.5 A", "fuse 1 A slow", "24 V"),
        ("SB160 across the solenoid, cathode to supply",),
    ),
    "hit": Circuit(
        "gates' hit supply",
        (),
        ("1 kΩ in series", "N-MOSFET BSS138", "P-MOSFET 60 V, 10 A", "gate rail"),
        ("10 kΩ from P-MOSFET's gate to 24 V, Zener 12 V across it", "9 V hold supply through SB560"),
    ),
    "motor": Circuit(
        "parallel hopper's motor",
        (),
        ("100 Ω in series", _MOSFET, "hopper's motor, 24 V, 1 A, 3 A at start", "fuse 3.15 A slow", "24 V"),
        ("SB560 across the motor, cathode to supply", "470 µF at the hopper"),
    ),
    "beam": _COIN_PULSE,
    "emitters": Circuit(
        "emitters",
        (),
        ("100 Ω in series", _MOSFET, "each beam: infrared LED 1.3 V and 150 Ω, 25 mA", "5 V"),
        (),
    ),
    "interrupt": _EXPANDER,
    "i2c": _EXPANDER,
    "sensor": Circuit("chip sensor", (), ("1 kΩ in series", "open collector to GND"), ("ESD diode array 3.3 V",)),
    "beams": _BEAM,
    "button": _BUTTON,
    "key": _BUTTON,
    "door": Circuit("cabinet door", (), _BUTTON.chain, _BUTTON.beside),
    "clock_battery": Circuit(
        "clock battery's monitor",
        (),
        ("1 kΩ in series", "open collector to GND while the battery is low"),
        ("ESD diode array 3.3 V",),
    ),
    "light": _LIGHT,
    "lamp": _LIGHT,
}


def circuits(settings: TableSettings) -> list[Circuit]:
    """Every circuit of a table with the lines that it serves; the ccTalk adapter has none."""
    lines: dict[str, list[WiredLine]] = {}
    for line in wired_lines(settings):
        lines.setdefault(_CIRCUITS[line.role].name, []).append(line)
    kinds = {circuit.name: circuit for circuit in _CIRCUITS.values()}
    found = [_fitted(settings, circuit, lines[name]) for name, circuit in kinds.items() if name in lines]
    return [*found, *_cctalk(settings)]


def _fitted(settings: TableSettings, circuit: Circuit, lines: Sequence[WiredLine]) -> Circuit:
    """The circuit at these lines, as levels and gates are set, with the resistors of the wiring plan."""
    chain, device = circuit.chain, settings.return_device
    if circuit.name == "gate" and settings.gates.hit is not None:
        chain = (*chain[:-1], "gate rail")
    if circuit is _LIGHT and not settings.levels.lights_active_high:
        chain = (chain[0], "LED 2.0 V, 4 mA, to 3V3")
    if circuit is _COIN_PULSE and isinstance(device, GpioReturnSettings) and device.beam_active_high:
        return _fitted(settings, _OUTLET_BEAM, lines)
    without = [line.pin for line in lines if line.resistor == NO_RESISTOR]
    pulls = dict.fromkeys(line.resistor for line in lines if line.resistor != NO_RESISTOR)
    except_for = f" (not on {line_words(without)})" if without else ""
    beside = (*(f"{pull}{except_for}" for pull in pulls), *circuit.beside)
    return Circuit(circuit.name, tuple(line.pin for line in lines), chain, beside)


def _cctalk(settings: TableSettings) -> Iterator[Circuit]:
    if loads := _cctalk_loads(settings):
        devices = " and ".join(word for word, _ in loads)
        yield Circuit(
            "ccTalk adapter",
            (),
            (
                "USB of the board",
                "adapter: USB to ccTalk, isolated",
                "DATA, open collector, 5 V",
                devices,
                "fuse 3.15 A slow",
                "24 V",
            ),
            ("10 kΩ from DATA to 5 V", "SMAJ5.0A from DATA to GND", "DATA has 5 V: never on the header"),
        )


def _cctalk_loads(settings: TableSettings) -> list[tuple[str, int]]:
    acceptors = sum(isinstance(seat, CcTalkSeatSettings) for seat in settings.seats)
    loads = [("ccTalk hopper", HOPPER_START_MA)] if isinstance(settings.return_device, HopperSettings) else []
    return loads + ([(f"{acceptors} ccTalk acceptors", acceptors * SOLENOID_MA)] if acceptors else [])


def supplies(settings: TableSettings) -> list[Supply]:
    """Every supply with its loads, all of them at once."""
    lines = wired_lines(settings)
    gates, beams = _count(lines, "gate"), _count(lines, "beams")
    on_header = [line for line in lines if line.contact]
    lit, inputs = _count(on_header, "light", "lamp"), sum(not line.is_output for line in on_header)
    motors = _count(lines, "motor")
    at_24 = [(f"{gates} solenoids", gates * SOLENOID_MA)] if gates else []
    at_24 += [("parallel hopper at start", motors * HOPPER_START_MA)] if motors else []
    at_24 += _cctalk_loads(settings)
    at_5 = [("board and its USB", BOARD_MA)]
    at_5 += [(f"{beams} emitters", beams * EMITTER_MA)] if beams else []
    at_3 = [(f"{lit} lights", lit * LIGHT_MA), (f"{inputs} pull-ups", -(-inputs // 3))]
    found = [
        Supply("24 V", f"{_fuse(at_24)}, SMBJ28A across it, 1000 µF", tuple(at_24)),
        Supply("5 V", "the board's own supply, SMBJ5.0A across it", tuple(at_5)),
        Supply("3V3 of the header", f"all outputs together: at most {HEADER_MA} mA", tuple(at_3)),
    ]
    if settings.gates.hit is not None:
        hold = [(f"{gates} solenoids held", gates * SOLENOID_MA * 9 // 24)]
        found.append(Supply("9 V hold", f"{_fuse(hold)}, SMBJ10A across it", tuple(hold)))
    return [supply for supply in found if supply.loads]


def _fuse(loads: Sequence[tuple[str, int]]) -> str:
    most_ma = sum(milliamps for _, milliamps in loads)
    return f"fuse {next(amperes for amperes in _FUSES_A if amperes * 1000 >= most_ma):g} A slow"


def _count(lines: Iterable[WiredLine], *roles: str) -> int:
    return sum(line.role in roles for line in lines)


def line_words(pins: Sequence[Pin]) -> str:
    """Lines as people write them, with neighbours drawn together: GPIO9–13, mcp23017 lines 0–5."""
    header = sorted(pin for pin in pins if isinstance(pin, int))
    words = ["GPIO" + ", ".join(_ranges(header))] if header else []
    for chip in dict.fromkeys(pin.chip for pin in pins if isinstance(pin, ExpanderLine)):
        on_chip = sorted(pin.line for pin in pins if isinstance(pin, ExpanderLine) and pin.chip == chip)
        words.append(f"{chip} {', '.join(_ranges(on_chip))}")
    return "; ".join(words)


def _ranges(numbers: Sequence[int]) -> Iterator[str]:
    ends = [low for low, high in pairwise([*numbers, 1 << 30]) if high != low + 1]
    starts = [numbers[0], *(number for before, number in pairwise(numbers) if number != before + 1)]
    for start, end in zip(starts, ends, strict=True):
        yield str(start) if start == end else f"{start}–{end}"


def electric_plan(settings: TableSettings) -> str:
    """Circuits, supplies and the power budget as text."""
    rows = [("circuit", "lines", "from line to supply; beside it")]
    rows += [
        (circuit.name, line_words(circuit.lines) or "–", " → ".join(circuit.chain) + "; " + ", ".join(circuit.beside))
        for circuit in circuits(settings)
    ]
    budget = [("supply", "at most", "take", "for; protection")]
    budget += [
        (
            supply.name,
            f"{supply.most_ma} mA",
            f"{supply.rated_a:g} A" if supply.most_ma > HEADER_MA else "–",
            ", ".join(f"{load} {milliamps} mA" for load, milliamps in supply.loads) + f"; {supply.protection}",
        )
        for supply in supplies(settings)
    ]
    return "\n".join([*columns(rows, "<<<"), "", *columns(budget, "<<<<")])
