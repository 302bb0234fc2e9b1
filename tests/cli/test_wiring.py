"""pitlink wiring: the pin list and the drawing say what the settings say."""

import re
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from cli.main import main
from controller.settings.pins import pins
from controller.settings.table import load
from controller.settings.wiring_drawing import drawing
from controller.settings.wiring_plan import wired_lines
from drivers.gpio.header import contact_of

EXAMPLE = Path(__file__).parents[2] / "config" / "table.toml"
_SVG = "{http://www.w3.org/2000/svg}"


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


def test_the_drawing_is_sound_and_names_every_line(tmp_path: Path) -> None:
    """Forty contacts, and each wired one says what hangs on it."""
    target = tmp_path / "table.svg"
    assert main(["wiring", "--config", str(EXAMPLE), "--svg", str(target)]) == 0
    root = ElementTree.fromstring(target.read_text())
    words = "\n".join(text.text or "" for text in root.iter(f"{_SVG}text"))
    assert len(list(root.iter(f"{_SVG}circle"))) == 40
    for line in wired_lines(load(EXAMPLE)):
        assert line.device in words


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
