"""pitlink broker: files for Mosquitto from a meter's settings, and whether those that are there still fit."""

from pathlib import Path

import pytest

from cli.main import main

CONFIG = Path(__file__).parents[2] / "config"
PIT = str(CONFIG / "pit" / "meter.toml")
PROPERTIES = str(CONFIG / "properties" / "meter.toml")


def made(folder: Path, *words: str) -> tuple[str, str]:
    """mosquitto.conf and mosquitto.acl as the command writes them."""
    assert main(["broker", "config", *words, "--out", str(folder)]) == 0
    return (folder / "mosquitto.conf").read_text(), (folder / "mosquitto.acl").read_text()


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("mosquitto.conf", "mosquitto.acl"), ("--config", PIT)),
        (
            ("properties/main.conf", "properties/main.acl"),
            ("--config", PROPERTIES, "--bridge", "branch1=B1"),
        ),
        (
            ("properties/branch.conf", "properties/branch.acl"),
            (
                *("--config", PROPERTIES, "--bridge", "branch1=B1"),
                *("--branch", "branch1", "--main-broker", "broker.main.example:8883"),
            ),
        ),
    ],
)
def test_the_examples_are_what_the_command_makes(
    tmp_path: Path, names: tuple[str, str], words: tuple[str, ...]
) -> None:
    assert made(tmp_path, *words) == tuple((CONFIG / name).read_text() for name in names)


def test_mosquitto_2_1_gets_no_option_that_it_deprecates(tmp_path: Path) -> None:
    """The access list is the same; it is read by a plugin."""
    old, new = (made(tmp_path, "--config", PIT, "--mosquitto", version) for version in ("2.0", "2.1"))
    options = {line.split()[0] for line in new[0].splitlines() if line and not line.startswith("#")}
    assert not options & {"acl_file", "per_listener_settings", "password_file"}
    assert {"plugin", "plugin_opt_acl_file"} <= options
    assert "acl_file" in {line.split()[0] for line in old[0].splitlines() if line}
    assert old[1] == new[1]


@pytest.mark.parametrize("option", ["max_connections", "memory_limit", "message_size_limit", "max_packet_size"])
def test_every_broker_has_limits(tmp_path: Path, option: str) -> None:
    settings, _ = made(tmp_path, "--config", PIT)
    (line,) = [line for line in settings.splitlines() if line.startswith(f"{option} ")]
    assert int(line.split()[1]) > 0


def test_no_line_of_the_access_list_leaves_the_link_open(tmp_path: Path) -> None:
    """A table writes to named topics only: no wild card, no other link."""
    _, access = made(tmp_path, "--config", PIT)
    tables = [block for block in access.split("\n\n") if block.startswith("user T")]
    assert len(tables) == 4
    writes = [line for block in tables for line in block.splitlines() if " write " in line]
    assert writes
    assert not [line for line in writes if "+" in line or "#" in line or "/main/" not in line]
    assert "pattern" not in access


def test_files_that_no_longer_fit_are_named_line_by_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A table joined the link since: its block is missing."""
    made(tmp_path, "--config", PIT)
    assert main(["broker", "config", "--config", PIT, "--check", str(tmp_path)]) == 0
    text = (tmp_path / "mosquitto.acl").read_text()
    (tmp_path / "mosquitto.acl").write_text(text.replace("\nuser T4\n", "\nuser T5\n"))
    capsys.readouterr()
    assert main(["broker", "config", "--config", PIT, "--check", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert "mosquitto.acl is not what these settings ask for" in said.out
    assert "-user T5\n+user T4" in said.out
    assert "--out" in said.err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--bridge", "branch1"), "write NAME=TABLE"),
        (("--bridge", "branch1=T9"), "no link of these settings has a table T9"),
        (("--branch", "branch1"), "needs --bridge branch1=TABLE"),
        (("--bridge", "branch1=T1", "--branch", "branch1"), "needs --main-broker"),
    ],
)
def test_words_that_make_no_sense_are_refused(
    words: tuple[str, ...], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["broker", "config", "--config", PIT, *words]) == 2
    assert reason in capsys.readouterr().err


def test_bad_settings_and_a_missing_folder_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "meter.toml"
    bad.write_text(Path(PIT).read_text().replace('"T2"', '"meter-main"'))
    assert main(["broker", "config", "--config", str(bad)]) == 2
    assert "meter-main" in capsys.readouterr().err
    assert main(["broker", "config", "--config", PIT, "--out", str(tmp_path / "nowhere")]) == 3
    assert "nowhere" in capsys.readouterr().err
