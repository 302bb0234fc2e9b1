"""pitlink wiring: the pin list and the drawing say what the settings say."""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from cli.main import main
from controller.settings.circuits import HEADER_MA, circuits, line_words, supplies
from controller.settings.pins import pins
from controller.settings.table import TableSettings, load
from controller.settings.wiring_drawing import drawing
from controller.settings.wiring_plan import wired_lines
from drivers.gpio.header import ExpanderLine, contact_of

EXAMPLE = Path(__file__).parents[2] / "config" / "table.toml"
_SVG = "{http://www.w3.org/2000/svg}"
_HOPPER = 'kind = "gpio"\nmotor = 25\nbeam = 6\nbeam_active_high = false\nlongest_pulse_ms = 65'


def _line(line: int) -> str:
    return f'{{ chip = "mcp23017", line = {line} }}'


def test_every_pin_in_use_is_listed_once_with_contact_and_resistor(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is left for the technician to guess."""
    assert main(["wiring", "--config", str(EXAMPLE)]) == 0
    listed = capsys.readouterr().out
    for pin, _, device in pins(load(EXAMPLE)):
        assert isinstance(pin, int)
        assert re.search(rf"^{contact_of(pin)} +GPIO{pin} +(in|out) +{re.escape(device)}", listed, re.MULTILINE)
    assert "26 of 26 lines in use" in listed


def test_every_gate_and_motor_is_pulled_down() -> None:
    """Shut and still without a program, by a resistor."""
    gates = [line for line in wired_lines(load(EXAMPLE)) if line.role == "gate"]
    assert len(gates) == 7
    assert {line.resistor for line in gates} == {"10 kΩ to GND"}


def test_lights_rest_dark_and_inputs_rest_as_their_pull_says(tmp_path: Path) -> None:
    """Resistors follow the levels in the settings."""
    path = tmp_path / "table.toml"
    path.write_text(EXAMPLE.read_text() + "\n[levels]\nlights_active_high = false\n")
    found = {line.device: line.resistor for line in wired_lines(load(path))}
    assert found["seat 1 light"] == "10 kΩ to 3V3"
    assert found["supervisor key"] == "none"
    assert found["seat 1 acceptor's beam"] == "10 kΩ to 3V3"


def test_two_beams_are_told_apart(tmp_path: Path) -> None:
    """The outer one comes first in the settings."""
    path = tmp_path / "table.toml"
    path.write_text(EXAMPLE.read_text().replace("emitters = 14", "").replace("beams = [15]", "beams = [15, 14]"))
    found = {line.pin: line.device for line in wired_lines(load(path))}
    assert (found[15], found[14]) == ("seat 1 acceptor's outer beam", "seat 1 acceptor's inner beam")


def test_contacts_of_the_cabinet_are_wired_and_drawn_like_others(tmp_path: Path) -> None:
    """Door and battery of the clock, on the lines that two beams of the example leave free."""
    path = tmp_path / "table.toml"
    text = (
        EXAMPLE.read_text().replace("emitters = 14", "").replace("[end_of_round]", "[cabinet]\nclock_battery = 14\n#")
    )
    path.write_text(text.replace("button = 3\n", "door = 3\n"))
    settings = load(path)
    found = {line.device: line for line in wired_lines(settings)}
    assert (found["cabinet door"].resistor, found["clock battery"].resistor) == ("none", "10 kΩ to 3V3")
    assert {"cabinet door", "clock battery's monitor"} <= {circuit.name for circuit in circuits(settings)}
    assert "cabinet door" in drawing(settings)


def test_the_drawing_is_sound_and_names_every_line(tmp_path: Path) -> None:
    """Forty contacts, and each wired one says what hangs on it."""
    target = tmp_path / "table.svg"
    assert main(["wiring", "--config", str(EXAMPLE), "--svg", str(target)]) == 0
    root = ElementTree.fromstring(target.read_text())
    words = "\n".join(text.text or "" for text in root.iter(f"{_SVG}text"))
    assert len(list(root.iter(f"{_SVG}circle"))) == 40
    for line in wired_lines(load(EXAMPLE)):
        assert line.device in words


FULL = [
    ("[lock_out]", '[[gpio.expander]]\nchip = "mcp23017"\ninterrupt = 4\n[gates]\nhit = 24\n[lock_out]'),
    ('kind = "cctalk"\nport = "/dev/serial/by-id/usb-return-device"\naddress = 3\nchecksum = "simple"', _HOPPER),
    ("button = 25", "button = 7"),
    ("key = 2", "key = 15"),
    ("button = 3", "button = 5"),
    *(
        (f"beams = [{old}]", f"beams = [{_line(2 * seat)}, {_line(2 * seat + 1)}]")
        for seat, old in enumerate((15, 24, 4, 5, 6, 7, 8))
    ),
]


def tables(tmp_path: Path) -> Iterator[TableSettings]:
    """The example, one with an expander, hit and hold and a parallel hopper, and one with ccTalk acceptors."""
    yield load(EXAMPLE)
    full = EXAMPLE.read_text()
    for old, new in FULL:
        assert old in full, old
        full = full.replace(old, new, 1)
    slots = re.compile(r'number = (\d+)\nacceptor = "slot"\nbeams = .*\ngate = \d+')
    on_a_wire = slots.sub(r'number = \1\nacceptor = "cctalk"\naddress = 1\1', EXAMPLE.read_text())
    for text in (full, full + "\n[levels]\nlights_active_high = false\n", on_a_wire):
        path = tmp_path / "table.toml"
        path.write_text(text)
        yield load(path)


def test_every_line_of_the_plan_has_one_circuit_and_its_resistor(tmp_path: Path) -> None:
    """No line is left for the technician to guess, none is wired twice."""
    for settings in tables(tmp_path):
        plans = circuits(settings)
        wired = [pin for plan in plans for pin in plan.lines]
        assert sorted(map(str, wired)) == sorted(str(line.pin) for line in wired_lines(settings))
        for line in wired_lines(settings):
            (plan,) = [plan for plan in plans if line.pin in plan.lines]
            pulls = [part for part in plan.beside if part.startswith("10 kΩ to ")]
            assert line.resistor == "none" or any(part.startswith(line.resistor) for part in pulls)


def test_the_drawing_shows_every_circuit_and_every_supply_of_the_plan(tmp_path: Path) -> None:
    """Each part with its value, each line where the plan has it, and no more boxes than parts."""
    for settings in tables(tmp_path):
        root = ElementTree.fromstring(drawing(settings))
        words = [text.text or "" for text in root.iter(f"{_SVG}text")]
        shown = " ".join(words)
        boxes = [box for box in root.iter(f"{_SVG}rect") if box.get("stroke")]
        assert len(boxes) == sum(len(plan.chain) for plan in circuits(settings))
        for plan in circuits(settings):
            assert any(word.endswith(plan.name) for word in words)
            assert line_words(plan.lines) in words
            assert all(part in shown for part in (*plan.chain, *plan.beside))
        for supply in supplies(settings):
            assert {supply.name, f"{supply.most_ma} mA", supply.protection} <= set(words)


def test_everything_that_moves_has_a_diode_and_a_fuse_and_rests_low(tmp_path: Path) -> None:
    """A solenoid without one destroys its driver; a driver without a pull-down opens a gate."""
    for settings in tables(tmp_path):
        for plan in (plan for plan in circuits(settings) if plan.name in {"gate", "parallel hopper's motor"}):
            assert "10 kΩ to GND" in plan.beside
            assert any("cathode to supply" in part for part in plan.beside)
            assert any("fuse" in part for part in plan.chain)


def test_the_power_budget_holds(tmp_path: Path) -> None:
    """Every load at once, with a reserve; the header's outputs give no more than they may."""
    full = list(tables(tmp_path))[1]
    found = {supply.name: (supply.most_ma, supply.rated_a) for supply in supplies(full)}
    assert found == {
        "24 V": (6500, 8.5),
        "5 V": (3350, 4.5),
        "3V3 of the header": (35, 0.5),
        "9 V hold": (1312, 2.0),
    }
    for settings in tables(tmp_path):
        assert next(supply for supply in supplies(settings) if "3V3" in supply.name).most_ma <= HEADER_MA


def test_lines_are_drawn_together_as_people_write_them() -> None:
    """Neighbours as a range, each chip by itself."""
    assert line_words([9, 10, 11, 13, 16]) == "GPIO9–11, 13, 16"
    assert line_words([ExpanderLine("mcp23017", 0), ExpanderLine("mcp23017", 1), 4]) == "GPIO4; mcp23017 0–1"
    assert line_words([]) == ""


def test_a_name_with_markup_in_it_stays_a_name() -> None:
    """What stands in the settings never becomes part of the drawing's own code."""
    settings = msgspec.structs.replace(load(EXAMPLE), table='<T&"1">')
    ElementTree.fromstring(drawing(settings))


def test_bad_settings_and_a_place_that_cannot_be_written_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit codes 2 and 3, each with its reason."""
    bad = tmp_path / "bad.toml"
    bad.write_text(EXAMPLE.read_text().replace("gate = 11", "gate = 0"))
    assert main(["wiring", "--config", str(bad)]) == 2
    assert "EEPROM" in capsys.readouterr().err
    assert main(["wiring", "--config", str(EXAMPLE), "--svg", str(tmp_path / "no" / "w.svg")]) == 3
    assert "cannot be written: No such file" in capsys.readouterr().err
