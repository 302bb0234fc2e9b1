"""A table's settings: a frozen value, or everything that is wrong at once."""

from pathlib import Path
from typing import Any

import pytest

from cli import table as table_command
from common.settings import SettingsError
from controller.settings.seats import SlotSettings
from controller.settings.table import load
from drivers.cctalk.settings import HopperSettings
from drivers.gpio.return_device import GpioReturnSettings
from drivers.gpio.settings import GpioSettings, HeaderLine
from drivers.recognise.chip_outlet import OutletTimings

_CCTALK = 'kind = "cctalk"\nport = "/dev/serial/by-id/usb-return-device"\naddress = 3\nchecksum = "simple"'
_END_OF_ROUND = (
    "[end_of_round]                       # leave this part out, and lock-out ends the round, too\nbutton = 3"
)
_ANOTHER_BEAM = ("beams = [24]", "beams = [14]")
_NO_EMITTERS = ("emitters = 14", "")
EXAMPLE = Path(__file__).parents[3] / "config" / "table.toml"


def faults(tmp_path: Path, text: str) -> dict[str, str]:
    """What is wrong with a settings file, by key."""
    path = tmp_path / "table.toml"
    path.write_text(text)
    with pytest.raises(SettingsError) as caught:
        load(path)
    assert all(fault.file == str(path) for fault in caught.value.faults)
    return {fault.key: fault.problem for fault in caught.value.faults}


def changed(*replacements: tuple[str, str]) -> str:
    """The example with some of its text replaced."""
    text = EXAMPLE.read_text()
    for old, new in replacements:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def test_the_example_is_a_whole_table() -> None:
    """What we ship can be loaded, and means what it says."""
    settings = load(EXAMPLE)
    assert settings.rules.seats == (1, 2, 3, 4, 5, 6, 7)
    assert settings.rules.pay_table.name == "A"
    assert isinstance(settings.return_device, HopperSettings)
    assert settings.seats[0] == SlotSettings(1, (15,), 9, 18)


def test_a_meters_settings_are_known_as_such() -> None:
    """One line that says which command wants them, not a fault for each key."""
    with pytest.raises(SettingsError) as caught:
        load(EXAMPLE.with_name("meter.toml"))
    assert [fault.problem for fault in caught.value.faults] == ["this looks like a meter's settings; use pitlink meter"]


def test_ten_faults_are_reported_at_once_with_file_key_and_remedy(tmp_path: Path) -> None:
    """Nobody mends a file one message at a time."""
    found = faults(
        tmp_path,
        changed(
            ('id = "T1"', 'id = "T 1/#"'),
            ('pay_table = "A"', 'pay_table = "E"'),
            ("stake_cents = 100", "stake_cents = 500"),
            ("loss_s = 5.0", 'loss_s = "soon"'),
            ('when_lost = "close"', 'when_lost = "panic"'),
            ('kind = "cctalk"', 'kind = "cctalk"\naddres = 3'),
            ("address = 3", "address = 0"),
            ("lamp = 26", ""),
            ("beams = [24]", "beams = []"),
            ("gate = 11", "gate = 10"),
            ("number = 7", "number = 8"),
            ('host = "127.0.0.1"\nport = 8080', 'host = "0.0.0.0"\nport = 8080'),
        ),
    )
    assert set(found) >= {
        "table.id",
        "table.pay_table",
        "table.stake_cents",
        "link.loss_s",
        "link.when_lost",
        "return_device.addres",
        "return_device.address",
        "lock_out.lamp",
        "seat[2].beams",
        "seat[7].number",
        "panel.host",
    }
    assert '"base", "A", "B", "C", "D"' in found["table.pay_table"]
    assert "write 100" in found["table.stake_cents"]
    assert "missing" in found["lock_out.lamp"]
    assert "unknown key" in found["return_device.addres"]


@pytest.mark.parametrize("name", ["observer", "meter-main", "bridge-branch1"])
def test_r45_a_table_is_not_called_what_another_is_to_the_broker(tmp_path: Path, name: str) -> None:
    """Its certificate would have that one's rights."""
    found = faults(tmp_path, changed(('id = "T1"', f'id = "{name}"')))
    assert found.keys() == {"table.id"}
    assert "to the broker, and a table of that name would have its rights" in found["table.id"]


def test_two_devices_on_one_pin_are_named_both(tmp_path: Path) -> None:
    """The second one is told which device has the pin."""
    found = faults(tmp_path, changed(("gate = 11", "gate = 10")))
    words = "GPIO10 for the seat 3 acceptor's gate already serves the seat 2 acceptor's gate; take another pin"
    assert found == {"seat[3].gate": words}


def test_a_pin_the_header_does_not_have_is_refused(tmp_path: Path) -> None:
    """GPIO28 and up are not on the 40-pin header."""
    assert "not on the header" in faults(tmp_path, changed(("gate = 11", "gate = 41")))["seat[3].gate"]


def test_1_13q_a_more_than_seven_seats_are_refused_with_the_clause(tmp_path: Path) -> None:
    """Seven positions at most."""
    extra = '\n[[seat]]\nnumber = 7\nacceptor = "slot"\nbeams = [0]\ngate = 1\nlight = 14\n'
    found = faults(tmp_path, EXAMPLE.read_text() + extra)
    assert "at most 7" in found["seat"]
    assert "more than once" in found["seat[7].number"]


def test_a_board_that_is_no_pi_says_which_chip_and_lines(tmp_path: Path) -> None:
    """The numbers of the header stay; [gpio] says what they are on this board."""
    path = tmp_path / "table.toml"
    path.write_text(EXAMPLE.read_text() + '\n[gpio]\nchip = "pinctrl-x"\n[gpio.lines]\n17 = "PIN_11"\n')
    assert load(path).gpio == GpioSettings("pinctrl-x", {17: HeaderLine("PIN_11")})
    assert load(EXAMPLE).gpio == GpioSettings()


def test_timings_that_would_lose_chips_are_refused(tmp_path: Path) -> None:
    """A settle time longer than a chip sees no chip."""
    found = faults(tmp_path, EXAMPLE.read_text() + "\n[timing.slot]\nsettle_ms = 50\n")
    assert "a flat chip is not seen" in found["timing.slot.settle_ms"]


def test_a_gpio_return_device_and_a_single_button_can_be_chosen(tmp_path: Path) -> None:
    """The second kind of return device, and lock-out as the only button."""
    text = changed(
        (
            _CCTALK,
            'kind = "gpio"\nmotor = 24\nbeam = 3',
        ),
        (_END_OF_ROUND, ""),
        _ANOTHER_BEAM,
        _NO_EMITTERS,
    )
    path = tmp_path / "table.toml"
    path.write_text(text)
    settings = load(path)
    assert isinstance(settings.return_device, GpioReturnSettings)
    assert (settings.return_device.motor, settings.return_device.beam) == (24, 3)
    assert settings.end_of_round is None


def test_everything_about_a_gpio_return_device_can_be_set(tmp_path: Path) -> None:
    """Levels and times of the beam; the motor stays active high, so that dead is still."""
    said = (
        'kind = "gpio"\nmotor = 24\nbeam = 3\nbeam_active_high = false\npull_up = false\nsettle_ms = 1.5\n'
        "longest_pulse_ms = 65\njam_ms = 700\nempty_ms = 900\nmost_chips = 40\nreread_ms = 20"
    )
    path = tmp_path / "table.toml"
    path.write_text(changed((_CCTALK, said), (_END_OF_ROUND, ""), _ANOTHER_BEAM, _NO_EMITTERS))
    assert load(path).return_device == GpioReturnSettings(
        24,
        3,
        beam_active_high=False,
        pull_up=False,
        timings=OutletTimings(
            settle_ms=1.5, longest_pulse_ms=65, jam_ms=700, empty_ms=900, most_chips=40, reread_ms=20
        ),
    )
    found = faults(
        tmp_path,
        changed((_CCTALK, f"{said}\nmotor_active_high = false"), (_END_OF_ROUND, ""), _ANOTHER_BEAM, _NO_EMITTERS),
    )
    assert "return_device.motor_active_high" in found
    found = faults(tmp_path, changed((_CCTALK, said.replace("reread_ms = 20", "reread_ms = 10").replace("1.5", "10"))))
    assert "must exceed settle_ms" in found["return_device.reread_ms"]


def test_everything_about_a_hopper_can_be_set(tmp_path: Path) -> None:
    """Every key of docs/cctalk.md arrives at the hopper."""
    said = {
        "level_sensor": True,
        "payout_timeout_ms": 2000,
        "poll_ms": 50,
        "reply_timeout_ms": 300,
        "gap_ms": 40,
        "retries": 2,
        "restart_ms": 600,
        "stall_ms": 20_000,
    }
    lines = "\n".join(f"{key} = {str(value).lower()}" for key, value in said.items())
    path = tmp_path / "table.toml"
    path.write_text(changed((_CCTALK, f"{_CCTALK}\n{lines}")))
    hopper = load(path).return_device
    assert isinstance(hopper, HopperSettings)
    assert {key: getattr(hopper, key) for key in said} == said


@pytest.mark.parametrize("text", ["[table", "id = \x00", "seat = 3\ntable = []\n"])
def test_a_file_that_is_no_settings_file_is_refused(tmp_path: Path, text: str) -> None:
    """Broken TOML and wrong shapes are faults, not tracebacks."""
    assert faults(tmp_path, text)


def test_a_missing_file_is_a_fault() -> None:
    """The message names the file."""
    with pytest.raises(SettingsError, match=r"nowhere\.toml: file: cannot be read"):
        load(Path("nowhere.toml"))


def test_print_config_shows_what_is_in_force(capsys: pytest.CaptureFixture[str]) -> None:
    """Values that the file leaves out are shown, too."""
    assert table_command.run(_arguments(EXAMPLE, print_config=True)) == 0
    assert '"keepalive_s": 5' in capsys.readouterr().out


def test_print_config_keeps_the_key_of_the_directory_to_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It opens the seal of everybody's PIN checks, and what is printed gets sent around."""
    path = tmp_path / "table.toml"
    path.write_text(changed(('# staff_key = "…"', f'staff_key = "{"ab" * 64}"')))
    assert table_command.run(_arguments(path, print_config=True)) == 0
    assert '"staff_key": "given, and secret"' in capsys.readouterr().out


def test_bad_settings_end_the_command_with_2_and_the_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """systemd and people see the same list."""
    path = tmp_path / "table.toml"
    path.write_text(changed(("gate = 11", "gate = 10"), ("lamp = 26", "lamp = 260")))
    assert table_command.run(_arguments(path)) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 2


def test_a_machine_without_pins_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A laptop is no board: the message says what to do."""
    path = tmp_path / "table.toml"
    path.write_text(changed(("/var/lib/pitlink/T1", str(tmp_path / "T1"))))
    assert table_command.run(_arguments(path)) == 3
    assert "table cannot start: board" in capsys.readouterr().err


def _arguments(config: Path, *, print_config: bool = False) -> Any:
    from argparse import Namespace

    return Namespace(config=config, print_config=print_config, program="as installed")


def test_timings_follow_from_the_geometry(tmp_path: Path) -> None:
    """A heavier, larger chip in a longer chute; nobody writes down how long it takes."""
    path = tmp_path / "table.toml"
    path.write_text(EXAMPLE.read_text() + "\n[geometry]\ndiameter_mm = 43\ndrop_mm = 80\n")
    larger, usual = load(path).timing.slot, load(EXAMPLE).timing.slot
    assert (usual.min_chip_ms, usual.max_chip_ms, usual.flat_chip_ms) == (24.22, 46.68, 2.24)
    assert (larger.min_chip_ms, larger.max_chip_ms, larger.flat_chip_ms) == (24.32, 45.45, 2.02)
    found = faults(tmp_path, EXAMPLE.read_text() + "\n[timing.slot]\nmax_chip_ms = 500\n")
    assert "unknown key" in found["timing.slot.max_chip_ms"]


@pytest.mark.parametrize(
    ("line", "key", "words"),
    [
        ("drop_mm = 5", "drop_mm", "two fast ones edge to edge"),
        ("push_mm_s = 2000", "drop_mm", "fit a second beam, or let chips fall more alike"),
        ("chute_mm = 7", "chute_mm", "two chips of 3.3 mm pass side by side as one"),
        ("chute_mm = 3", "chute_mm", "jams in it"),
        ("beam_offset_mm = 15", "beam_offset_mm", "move it towards the middle"),
        ("beam_gap_mm = 45", "beam_gap_mm", "bring the beams closer together"),
        ("diameter_mm = 5", "diameter_mm", "from 15 to 200"),
    ],
)
def test_a_slot_that_cannot_count_is_refused(tmp_path: Path, line: str, key: str, words: str) -> None:
    """Before a chip is lost in it."""
    assert words in faults(tmp_path, f"{EXAMPLE.read_text()}\n[geometry]\n{line}\n")[f"geometry.{key}"]


@pytest.mark.parametrize(
    ("lines", "key", "words"),
    [
        ("duty = 0.25", "duty", "add longest_hold_s"),
        ("longest_hold_s = 60", "longest_hold_s", "may be held for ever; write the solenoid"),
        ("hit = 4", "hit", "pulled up from power-on"),
        ("duty = 2", "duty", "from 0.05 to 1"),
    ],
)
def test_gates_that_would_burn_or_twitch_are_refused(tmp_path: Path, lines: str, key: str, words: str) -> None:
    """A solenoid has a duty, and its supply is low without a program."""
    text = EXAMPLE.read_text().replace("emitters = 14", "").replace("beams = [4]", "beams = [14]")
    assert words in faults(tmp_path, f"{text}\n[gates]\n{lines}\n")[f"gates.{key}"]


def test_a_coin_hopper_too_small_for_the_chips_is_refused(tmp_path: Path) -> None:
    """Casino chips have 39 mm; most coin hoppers end at 33 mm."""
    small = ('checksum = "simple"', 'checksum = "simple"\nlargest_chip_mm = 33')
    assert "chips of 39 mm jam in it" in faults(tmp_path, changed(small))["return_device.largest_chip_mm"]
    path = tmp_path / "table.toml"
    path.write_text(changed((small[0], small[1].replace("33", "40"))))
    load(path)


def test_a_coin_pulse_is_shorter_than_a_jam(tmp_path: Path) -> None:
    """Otherwise two chips behind each other would be one."""
    said = 'kind = "gpio"\nmotor = 24\nbeam = 3\njam_ms = 200\nlongest_pulse_ms = 300'
    found = faults(tmp_path, changed((_CCTALK, said), (_END_OF_ROUND, ""), _ANOTHER_BEAM, _NO_EMITTERS))
    assert "must not exceed jam_ms (200)" in found["return_device.longest_pulse_ms"]
