"""pitlink panel pin: names, roles and PINs from a shell, and every fault of [panel]."""

import io
import sys
import time
from pathlib import Path

import pytest

from cli.main import main
from common.auth.lockout import OWN_SCREEN, LockOut
from common.auth.pins import Staff
from common.auth.roles import Role
from common.settings import SettingsError
from controller.settings.table import PanelSettings
from demo.table import bench_settings
from tests.support.panel_page import certificate

ROOT = Path(__file__).parents[2]
NOW = 1_800_000_000_000


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """The settings of a table whose state is in a folder that is not there yet."""
    text = (ROOT / "config" / "table.toml").read_text(encoding="utf-8")
    config = tmp_path / "T1.toml"
    config.write_text(text.replace("/var/lib/pitlink/T1", str(tmp_path / "state" / "T1")), encoding="utf-8")
    return config


def pin(config: Path, *words: str) -> int:
    """Runs pitlink panel pin."""
    return main(["panel", "pin", *words, "--config", str(config)])


def says(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """What a script writes to stdin."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def staff_of(config: Path) -> Staff:
    return Staff(config.parent / "state" / "T1" / "staff.json")


def test_somebody_gets_a_pin_is_listed_and_loses_it(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From a script: the PIN on stdin, never an argument; the folder is made; what it says names no PIN."""
    says(monkeypatch, "1357\n")
    assert pin(config, "set", "supervisor", "Sue") == 0
    says(monkeypatch, "2468")
    assert pin(config, "set", "accounting", "Ann") == 0
    person = staff_of(config).check("Sue", "1357")
    assert person is not None
    assert person.role is Role.SUPERVISOR
    assert pin(config, "list") == 0
    assert pin(config, "remove", "sue") == 0
    said = capsys.readouterr().out
    assert "Sue is supervisor now\n" in said
    assert "accounting  Ann\n" in said
    assert "1357" not in said
    assert staff_of(config).check("Sue", "1357") is None


def test_a_person_is_asked_twice(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """At a terminal; two that differ change nothing."""
    typed = iter(["1357", "1357", "2468", "2469"])
    monkeypatch.setattr("getpass.getpass", lambda _prompt: next(typed))
    monkeypatch.setattr(sys, "stdin", Terminal())
    assert pin(config, "set", "dealer", "Dan") == 0
    assert pin(config, "set", "dealer", "Dan") == 2
    assert "the two PINs differ" in capsys.readouterr().err
    assert staff_of(config).check("Dan", "1357") is not None


class Terminal(io.StringIO):
    """A person sits there."""

    def isatty(self) -> bool:
        return True


def test_unlock_lets_somebody_try_again(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After wrong PINs, at once."""
    says(monkeypatch, "1357")
    assert pin(config, "set", "supervisor", "Sue") == 0
    file = config.parent / "state" / "T1" / "attempts.json"
    daemon = LockOut(file, time.monotonic)
    for _ in range(5):
        daemon.begin("Sue", OWN_SCREEN)
    assert daemon.wait_s("Sue", OWN_SCREEN) > 0
    assert pin(config, "unlock", "Sue") == 0
    assert daemon.wait_s("Sue", OWN_SCREEN) == 0


@pytest.mark.parametrize(
    ("words", "typed", "reason"),
    [
        (("set", "dealer", "Dan"), "1111", "too easy"),
        (("set", "dealer", "Dan"), "", "4 to 12 digits"),
        (("set", "dealer", ""), "1357", "name"),
        (("remove", "Eve"), "", "nobody"),
        (("unlock", "Eve"), "", "nobody"),
    ],
)
def test_what_will_not_do_ends_with_2_and_a_reason(
    config: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    typed: str,
    reason: str,
) -> None:
    """A sentence, and nobody has got or lost a PIN."""
    says(monkeypatch, typed)
    assert pin(config, *words) == 2
    assert reason in capsys.readouterr().err
    assert staff_of(config).everybody() == ()


def test_an_empty_list_says_how_to_begin(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not silence."""
    assert pin(config, "list") == 0
    assert capsys.readouterr().out == "no PINs set; pitlink panel pin set ROLE NAME sets one\n"


def test_without_settings_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which file it looked for."""
    assert pin(tmp_path / "none.toml", "list") == 2
    assert "none.toml" in capsys.readouterr().err


@pytest.mark.parametrize("words", [("set", "boss", "Sue"), ("set",), ("open", "Sue"), ()])
def test_a_typing_error_ends_with_2(config: Path, words: tuple[str, ...]) -> None:
    """argparse says what there is."""
    with pytest.raises(SystemExit) as ended:
        pin(config, *words)
    assert ended.value.code == 2


def panel(tmp_path: Path, **parts: object) -> PanelSettings:
    """These [panel] settings, read."""
    return bench_settings("T1", tmp_path, panel=parts).panel


@pytest.mark.parametrize(
    ("parts", "key"),
    [
        ({"host": "0.0.0.0"}, "panel.host"),
        ({"host": 5}, "panel.host"),
        ({"port": -1}, "panel.port"),
        ({"port": 65_536}, "panel.port"),
        ({"port": "8080"}, "panel.port"),
        ({"staff": 3}, "panel.staff"),
        ({"supervisor": "badge"}, "panel.supervisor"),
        ({"pin": "1357"}, "panel.pin"),
        ({"tls": {}}, "panel.tls.host"),
        ({"tls": {"host": "no such host!"}}, "panel.tls.host"),
        ({"tls": {"host": "0.0.0.0", "port": 70_000}}, "panel.tls.port"),
        ({"tls": {"host": "0.0.0.0"}}, "panel.tls.certificate"),
        ({"tls": {"host": "0.0.0.0", "certificate": "/none.pem"}}, "panel.tls.certificate"),
        ({"tls": {"host": "0.0.0.0", "key": "/none.key"}}, "panel.tls.key"),
        ({"tls": {"ciphers": "all"}}, "panel.tls.ciphers"),
        ({"tls": True}, "panel.tls"),
    ],
)
def test_every_fault_of_the_panel_settings_names_its_key(tmp_path: Path, parts: dict[str, object], key: str) -> None:
    """One line for the key that is wrong, with what to write instead."""
    with pytest.raises(SettingsError) as faults:
        panel(tmp_path, **parts)
    assert any(f"{key}:" in line for line in str(faults.value).splitlines()), str(faults.value)


def test_a_certificate_without_its_key_is_a_fault(tmp_path: Path) -> None:
    """Found when the settings are read, not when the first browser comes."""
    other = tmp_path / "other"
    other.mkdir()
    files = certificate(tmp_path) | {"key": certificate(other)["key"]}
    with pytest.raises(SettingsError, match="does not go with its key"):
        panel(tmp_path, tls={"host": "0.0.0.0", **files})


def test_a_key_that_is_not_fitted_makes_no_supervisor(tmp_path: Path) -> None:
    """supervisor = "key" needs [supervisor] key."""
    with pytest.raises(SettingsError, match="no key switch is fitted"):
        bench_settings("T1", tmp_path, panel={"supervisor": "key"}, supervisor={})


def test_what_is_left_out_is_loopback_with_pins(tmp_path: Path) -> None:
    """The safe way is the default one; a staff file elsewhere is taken from there."""
    assert panel(tmp_path) == PanelSettings("127.0.0.1", 8080)
    assert panel(tmp_path).staff_file("/state") == Path("/state/staff.json")
    assert panel(tmp_path, staff="/etc/staff.json").staff_file("/state") == Path("/etc/staff.json")
