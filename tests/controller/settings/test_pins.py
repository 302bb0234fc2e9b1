"""Pins that cannot do what a table asks of them are refused before any pin is touched."""

from pathlib import Path

import pytest

from common.settings import SettingsError
from controller.settings.seats import SlotSettings
from controller.settings.table import load
from controller.settings.wiring_plan import plan
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
    found = faults(tmp_path, (f" = {pin}", " = 14"), ("gate = 9", f"gate = {pin}"))
    assert "pulled up from power-on" in found["seat[1].gate"]


@pytest.mark.parametrize("pin", [14, 15])
def test_a_gate_or_motor_is_never_on_the_serial_console(tmp_path: Path, pin: int) -> None:
    """The console idles high while the board boots."""
    found = faults(tmp_path, ("beams = [15]", "beams = [9]"), ("gate = 9", f"gate = {pin}"))
    assert "serial console" in found["seat[1].gate"]


def test_a_soldered_pull_up_cannot_be_switched_off(tmp_path: Path) -> None:
    """Inputs without a pull-up go elsewhere; lights do not care."""
    found = faults(tmp_path, ("[lock_out]", "[levels]\npull_up = false\n[lock_out]"))
    assert set(found) == {"supervisor.key", "end_of_round.button"}


def test_more_lines_than_the_header_has_are_refused_with_the_way_out(tmp_path: Path) -> None:
    """Seven seats with two beams each do not fit; a serial wire does."""
    second_beams = [(f"beams = [{pin}]", f"beams = [{pin}, {pin + 7}]") for pin in BEAMS]
    found = faults(tmp_path, *second_beams)
    assert f"needs 33 lines of the header, which has {len(USABLE)}; put beams, sensors" in found["gpio"]
    assert "on an expander (MCP23017 at 0x20, 16 lines" in found["gpio"]
    assert 'acceptor = "cctalk"' in found["gpio"]


def test_a_key_that_is_wrong_already_is_not_blamed_twice(tmp_path: Path) -> None:
    """What stands in for a missing pin is no pin."""
    assert list(faults(tmp_path, ("lamp = 26", "lamp = -1"))) == ["lock_out.lamp"]


EXPANDER = '[[gpio.expander]]\nchip = "mcp23017"\ninterrupt = 4\n[lock_out]'
BEAMS = (15, 24, 4, 5, 6, 7, 8)


def with_expander() -> list[tuple[str, str]]:
    """The example with two beams a seat on an expander; key and end of round leave I2C for lines that are free now."""
    beams = [
        (f"beams = [{old}]", f"beams = [{_line(2 * seat)}, {_line(2 * seat + 1)}]") for seat, old in enumerate(BEAMS)
    ]
    return [("[lock_out]", EXPANDER), *beams, ("key = 2", "key = 15"), ("button = 3", "button = 24")]


def _line(line: int, chip: str = "mcp23017") -> str:
    return f'{{ chip = "{chip}", line = {line} }}'


def test_two_beams_at_each_of_seven_seats_fit_with_an_expander(tmp_path: Path) -> None:
    """Fourteen beams on its sixteen lines; gates, lights and buttons on the header."""
    text = EXAMPLE.read_text()
    for old, new in with_expander():
        text = text.replace(old, new, 1)
    path = tmp_path / "table.toml"
    path.write_text(text)
    settings = load(path)
    assert len({beam for seat in settings.seats if isinstance(seat, SlotSettings) for beam in seat.beams}) == 14
    assert "14 of 16 lines of mcp23017 in use; config.txt: dtoverlay=mcp23017,addr=0x20,gpiopin=4" in plan(settings)


def test_what_moves_is_never_on_an_expander(tmp_path: Path) -> None:
    """It keeps its outputs when the program dies, and no cable tells it otherwise."""
    found = faults(tmp_path, *with_expander(), ("gate = 9", f"gate = {_line(3)}"))
    assert "keeps its outputs as they were when the program dies" in found["seat[1].gate"]


def test_the_lines_of_an_expander_are_checked_like_others(tmp_path: Path) -> None:
    """One that is declared nowhere, one that serves twice, one past the last."""
    found = faults(tmp_path, *with_expander(), ("lamp = 26", f"lamp = {_line(3)}"))
    assert "mcp23017 line 3 for the lock-out button's lamp already serves the seat 2" in found["lock_out.lamp"]
    found = faults(tmp_path, ("lamp = 26", f"lamp = {_line(3)}"))
    assert 'is on no expander of this table; add [[gpio.expander]] chip = "mcp23017"' in found["lock_out.lamp"]
    assert "line = 0 to 15" in faults(tmp_path, ("lamp = 26", f"lamp = {_line(16)}"))["lock_out.lamp"]


def test_an_expander_takes_i2c_and_its_interrupt_from_the_header(tmp_path: Path) -> None:
    """Whatever else is on those lines goes elsewhere."""
    found = faults(tmp_path, ("[lock_out]", EXPANDER.replace("= 4", "= 25")))
    assert (
        "GPIO3 for the I2C wires of expanders already serves the end-of-round button" in found["gpio.expander[1].chip"]
    )
    assert "GPIO25 for the interrupt of expander mcp23017 already serves the" in found["gpio.expander[1].interrupt"]


def test_two_expanders_have_names_and_addresses_of_their_own(tmp_path: Path) -> None:
    """They share a label, and the kernel tells them apart by their devices."""
    twice = EXPANDER.replace("[lock_out]", EXPANDER.replace("= 4", "= 5"))
    found = faults(tmp_path, *with_expander(), (EXPANDER, twice))
    assert 'such as "1-0020" and "1-0021"' in found["gpio.expander[2].chip"]
    assert "0x20 is the address of another expander" in found["gpio.expander[2].address"]
