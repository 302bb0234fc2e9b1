"""Pins that cannot do what a table asks of them are refused before any pin is touched."""

from pathlib import Path

import pytest

from common.settings import SettingsError
from controller.settings.table import load
from drivers.gpio.header import CONTACTS, LINES, USABLE, contact_of

EXAMPLE = Path(__file__).parents[3] / "config" / "table.toml"


def faults(tmp_path: Path, *replacements: tuple[str, str]) -> dict[str, str]:
    """What is wrong with the example once some of its text is replaced, by key."""
    text = EXAMPLE.read_text()
    for old, new in replacements:
        assert old in text, old
        text = text.replace(old, new, 1)
    path = tmp_path / "table.toml"
    path.write_text(text)
    with pytest.raises(SettingsError) as caught:
        load(path)
    return {fault.key: fault.problem for fault in caught.value.faults}


def test_the_header_has_forty_contacts_and_each_line_once() -> None:
    """Where GPIO17 and its neighbours are on every Pi-class board."""
    assert len(CONTACTS) == 40
    assert frozenset(range(28)) == LINES
    assert [contact_of(line) for line in (2, 14, 17, 27, 21)] == [3, 8, 11, 13, 40]
    assert [CONTACTS.count(word) for word in ("3V3", "5V", "GND")] == [2, 2, 8]


@pytest.mark.parametrize("pin", [0, 1])
@pytest.mark.parametrize(("key", "old"), [("seat[3].gate", "gate = 11"), ("lock_out.lamp", "lamp = 26")])
def test_the_eeprom_lines_serve_nothing(tmp_path: Path, pin: int, key: str, old: str) -> None:
    """The firmware talks on them at power-on."""
    found = faults(tmp_path, (old, f"{old.split(maxsplit=1)[0]} = {pin}"))
    assert list(found) == [key]
    assert "EEPROM" in found[key]


@pytest.mark.parametrize("pin", [4, 5, 6, 7, 8])
def test_a_gate_is_never_on_a_line_that_is_up_at_power_on(tmp_path: Path, pin: int) -> None:
    """Up is open, and no program has said so."""
    found = faults(tmp_path, (f"beams = [{pin}]", "beams = [14]"), ("gate = 9", f"gate = {pin}"))
    assert "up is open; take one from 9 to 13 or from 16 to 27" in found["seat[1].gate"]


@pytest.mark.parametrize("pin", [2, 3])
def test_a_gate_is_never_on_a_line_with_a_soldered_pull_up(tmp_path: Path, pin: int) -> None:
    """1.8 kΩ beat every pull-down a technician fits."""
    found = faults(tmp_path, (f"beams = [{pin}]", "beams = [14]"), ("gate = 9", f"gate = {pin}"))
    assert "pulled up from power-on" in found["seat[1].gate"]


@pytest.mark.parametrize("pin", [14, 15])
def test_a_gate_or_motor_is_never_on_the_serial_console(tmp_path: Path, pin: int) -> None:
    """The console idles high while the board boots."""
    found = faults(tmp_path, ("key = 15", "key = 9"), ("gate = 9", f"gate = {pin}"))
    assert "serial console" in found["seat[1].gate"]


def test_a_soldered_pull_up_cannot_be_switched_off(tmp_path: Path) -> None:
    """Inputs without a pull-up go elsewhere; lights do not care."""
    found = faults(tmp_path, ("[lock_out]", "[levels]\npull_up = false\n[lock_out]"))
    assert set(found) == {"seat[1].beams", "seat[2].beams"}


def test_more_lines_than_the_header_has_are_refused_with_the_way_out(tmp_path: Path) -> None:
    """Seven seats with two beams each do not fit; a serial wire does."""
    second_beams = [(f"beams = [{pin}]", f"beams = [{pin}, {pin + 7}]") for pin in range(2, 9)]
    found = faults(tmp_path, *second_beams)
    assert f"needs 32 lines and the header has {len(USABLE)}" in found["gpio"]
    assert 'acceptor = "cctalk"' in found["gpio"]


def test_a_key_that_is_wrong_already_is_not_blamed_twice(tmp_path: Path) -> None:
    """What stands in for a missing pin is no pin."""
    assert list(faults(tmp_path, ("lamp = 26", "lamp = -1"))) == ["lock_out.lamp"]
