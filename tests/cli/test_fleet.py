"""pitlink fleet: the commands at the server's machine, and the pull of a board."""

import json
from pathlib import Path

import pytest

from cli.main import main
from common.board_health import BoardHealth, Occurred
from flashing.fleet.messages import BoardReport
from flashing.fleet.store import FleetStore
from flashing.versions import this_platform
from tests.support.flash.flash_bench import NEW, OLD, make_bundles
from tests.support.flash.fleet_certificates import Authority

EXAMPLE = Path(__file__).parents[2] / "config"


class Console:
    """A shell at the fleet server's machine."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        authority = Authority(folder / "authority", "house")
        certificate, key = authority.issue("fleet")
        (folder / "trust").mkdir()
        self.workshop = make_bundles(folder / "trust")
        self.config = folder / "fleet.toml"
        self.config.write_text(
            f'folder = "{folder}/server"\nca = "{authority.file}"\ncertificate = "{certificate}"\nkey = "{key}"\n'
            f'trust = "{folder}/trust"\nboards = ["T1", "T2"]\n'
        )
        self.store = FleetStore(folder / "server")

    def run(self, *words: str) -> tuple[int, str]:
        """A command's exit code, and what it said."""
        code = main(["fleet", *words, "--config", str(self.config)])
        said = self._capsys.readouterr()
        return code, said.out + said.err

    def row(self, board: str) -> list[str]:
        """The words of a board's line."""
        return next(line.split() for line in self.run("status")[1].splitlines() if line.startswith(board))

    def hear(self, board: str, **what: object) -> None:
        """A board has reported."""
        values = {"version": OLD, "platform": this_platform(), "phase": "open", **what}
        self.store.take(BoardReport(board, **values))  # type: ignore[arg-type]  # of any field


@pytest.fixture
def console(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Console:
    return Console(tmp_path, capsys)


def test_a_rollout_from_the_bundle_to_the_order(console: Console) -> None:
    """Bundle, rollout, the first board's report, halt and resume, each in plain words."""
    console.hear("T2")
    assert console.run("roll-out", NEW) == (
        1,
        f"a bundle of {NEW} is missing (T2 is {this_platform()}); build it, then `pitlink fleet add FILE`\n",
    )
    code, said = console.run("add", str(console.workshop.folder / f"{NEW}.pitlink"))
    assert (code, said) == (0, f"kept {NEW} for {this_platform()}\n")
    assert console.run("roll-out", NEW, "--first", "T2")[0] == 0
    console.hear("T2")
    assert console.row("T2")[:5] == ["T2", OLD, "open", "0", "s"]
    assert "ordered" in console.row("T2")
    assert "under way; `pitlink fleet halt` ends it first" in console.run("roll-out", NEW)[1]
    assert console.run("halt")[0] == 0
    said = console.run("status")[1]
    assert "HALTED: by " in said
    assert "pitlink fleet resume" in said
    assert console.run("resume")[0] == 0
    assert console.run("leave-out", "T1")[0] == 0
    assert console.run("leave-out", "T9") == (1, "T9 is not in this rollout: it has T1, T2\n")
    history = console.run("history")[1]
    assert f"{NEW}: rollout begun by " in history
    assert f"{NEW}: T1 is left out" in history


def test_a_board_in_trouble_is_named_with_what_is_wrong(console: Console) -> None:
    """Health stands in the line of the board; one that never reported says what to look at."""
    console.hear("T1", health=BoardHealth(undervoltage=Occurred.NOW), settings_hash="abcdef0123")
    said = console.run("status")[1]
    assert "supply voltage: too low (now)" in said
    assert "abcdef01" in said
    assert console.row("T2")[:2] == ["T2", "never"]
    assert "look at its pitlink-fleet-pull.timer" in said
    boards = json.loads(console.run("status", "--json")[1])["boards"]
    assert boards["T1"]["report"]["health"]["undervoltage"] == "now"


def test_a_bundle_that_nobody_trusts_is_not_kept(console: Console, tmp_path: Path) -> None:
    """The boards would refuse it one after another."""
    (tmp_path / "elsewhere").mkdir()
    other = make_bundles(tmp_path / "elsewhere")
    code, said = console.run("add", str(other.folder / f"{NEW}.pitlink"))
    assert code == 1
    assert "which this board does not trust" in said
    assert not console.store.platforms(NEW)


def test_logs_are_asked_for_and_then_named(console: Console) -> None:
    """A name that the settings do not have is refused."""
    assert console.run("logs", "T9")[0] == 1
    assert console.run("logs", "T1") == (0, "T1 sends its logs with its next report\n")
    path = console.store.keep_logs("T1", b"x")
    assert str(path) in console.run("logs", "T1")[1]


def test_faults_in_the_settings_are_named(console: Console) -> None:
    """Each with its key, all at once."""
    console.config.write_text('ca = "/nowhere/ca.crt"\nboards = ["T 1"]\n')
    code, said = console.run("status")
    assert code == 2
    for words in ("ca: there is no file /nowhere/ca.crt", "certificate: missing", "boards: ['T 1'] will not do"):
        assert words in said


def test_a_board_without_a_server_says_what_to_add(console: Console, tmp_path: Path) -> None:
    """And one without a certificate cannot show who it is."""
    console.config.write_text((EXAMPLE / "table.toml").read_text())
    code, said = console.run("pull")
    assert (code, "[fleet] is missing" in said) == (2, True)
    console.config.write_text((EXAMPLE / "table.toml").read_text() + '\n[fleet]\nhost = "localhost"\n')
    code, said = console.run("pull")
    assert (code, "fleet: needs the board's certificate; add [broker.tls]" in said) == (2, True)


def test_the_example_is_whole_but_for_its_certificates(console: Console) -> None:
    """config/fleet.toml names files that only a house has."""
    console.config.write_text((EXAMPLE / "fleet.toml").read_text())
    code, said = console.run("status")
    assert code == 2
    assert {line.split(": ")[1] for line in said.splitlines()} == {"ca", "certificate", "key"}
