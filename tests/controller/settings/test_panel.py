"""Every fault of [panel]."""

from pathlib import Path

import pytest

from common.settings import SettingsError
from controller.settings.table import PanelSettings
from demo.table import bench_settings
from tests.support.web.panel_page import certificate


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
        ({"remote_validation": "yes"}, "panel.remote_validation"),
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


def test_what_is_left_out_is_loopback_with_pins(tmp_path: Path) -> None:
    """The safe way is the default one."""
    assert panel(tmp_path) == PanelSettings("127.0.0.1", 8080)


@pytest.mark.parametrize("key", ["", "ab", "a" * 64, "g" * 128, 3])
def test_a_staff_key_is_128_hexadecimal_digits(tmp_path: Path, key: object) -> None:
    """As pitlink staff key prints it at the meter."""
    with pytest.raises(SettingsError, match=r"link\.staff_key"):
        bench_settings("T1", tmp_path, link={"name": "demo", "staff_key": key})
