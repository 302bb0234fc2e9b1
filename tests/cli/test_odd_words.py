"""Odd words on the command line of the meter, and odd answers to it: each is told in words, none by a traceback."""

import errno
import os
import socketserver
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cli.main import main
from common.unix_http import CONTROL
from meter.settings import read_meter_settings
from meter.store.sqlite import SqliteStore
from tests.support.meter.meter_bench import MeterBench
from tests.support.meter.meter_settings import GOOD

SIGNED = ("--by", "Ann", "--and-by", "Ben", "--reason", "drill")
STOP = '{"type": "Stop"}'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where we stand: the settings and the books of a meter that does not run."""
    monkeypatch.chdir(tmp_path)
    Path("meter.toml").write_text(GOOD)
    store = SqliteStore(Path("ledger.sqlite"))
    MeterBench(store, *read_meter_settings(Path("meter.toml")).links)
    store.close()
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["decide", "main", STOP, *SIGNED[:-1], b"caf\xe9"],
        ["decide", b"caf\xe9"],
        ["meter", "--apply-terms", *SIGNED, "--given-up", b"\xff"],
        ["backup", "restore", b"b\xff.ledger"],
        ["ledger", "verify", "--link", b"\xff"],
    ],
)
def test_bytes_that_are_no_text_are_named(folder: Path, words: list[str | bytes]) -> None:
    """As a shell in another encoding hands them over; nothing is written."""
    before = (folder / "ledger.sqlite").read_bytes()
    command = [sys.executable, "-m", "cli.main", *words, "--config", "meter.toml"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.endswith("is not UTF-8 text; write it anew, or give that file another name\n")
    assert ended.stderr.count("\n") == 1
    assert (folder / "ledger.sqlite").read_bytes() == before


@pytest.mark.parametrize("decision", ["[" * 100_000, '{"a":' * 100_000, '{"type": "Stop", "x": ' + "[" * 100_000])
@pytest.mark.usefixtures("folder")
def test_a_decision_that_is_nested_too_deeply_is_none(decision: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Like any other that cannot be read."""
    assert main(["decide", "main", decision, *SIGNED, "--config", "meter.toml"]) == 2
    assert capsys.readouterr().err == "the decision is nested too deeply\n"


@pytest.mark.parametrize("link", ["m\u00e4in", "x/../main", "a b", "\u2028"])
def test_a_link_of_any_name_is_asked_for(folder: Path, capsys: pytest.CaptureFixture[str], link: str) -> None:
    """Also by a command that would ask a running meter for it first."""
    assert main(["decide", link, "--config", "meter.toml"]) == 2
    assert "there is no link" in capsys.readouterr().out


def test_a_program_on_the_socket_that_is_no_meter_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What it answers is no JSON."""

    class Other(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.rfile.readline()
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>")

    (folder / "meter.toml").write_text(GOOD)
    with socketserver.ThreadingUnixStreamServer(str(folder / CONTROL), Other) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        assert main(["decide", "main", "--config", "meter.toml"]) == 3
        server.shutdown()
    assert "the meter does not answer at control.sock" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("", "is a folder; name a file"),
        ("/", "is a folder; name a file"),
        ("..", "is a folder; name a file"),
        ("meter.toml/x", "meter.toml/x: Not a directory; check the folder"),
        ("x" * 300, "File name too long; check the folder"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_backup_that_can_have_no_such_name_says_so(capsys: pytest.CaptureFixture[str], file: str, words: str) -> None:
    """Before a record is read."""
    assert main(["backup", "make", file, "--config", "meter.toml"]) == 3
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("store", ["", "/", "x" * 300, "postgresql://.", "meter.toml/x"])
@pytest.mark.usefixtures("folder")
def test_books_that_can_have_no_such_name_say_so(capsys: pytest.CaptureFixture[str], store: str) -> None:
    """For every reader."""
    assert main(["ledger", "verify", "--store", store]) == 3
    assert capsys.readouterr().err.count("\n") == 1


def without_links(monkeypatch: pytest.MonkeyPatch, meanwhile: bytes = b"") -> None:
    """Lets the disk say what a FAT stick says, after somebody else has perhaps been faster."""

    def link(part: Path, file: Path) -> None:
        if meanwhile:
            file.write_bytes(meanwhile)
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), str(part), None, str(file))

    monkeypatch.setattr(os, "link", link)


def test_a_stick_without_links_takes_a_backup(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ended in a traceback, after the whole audit."""
    without_links(monkeypatch)
    assert main(["backup", "make", "night.backup", "--config", "meter.toml"]) == 0
    assert [path.name for path in folder.glob("night*")] == ["night.backup"]
    assert main(["ledger", "verify", "--store", "night.backup"]) == 0


def test_nothing_is_written_over_on_a_stick(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever was faster keeps his file."""
    without_links(monkeypatch, b"somebody's own")
    assert main(["backup", "make", "night.backup", "--config", "meter.toml"]) == 3
    assert "somebody else has made night.backup meanwhile" in capsys.readouterr().err
    assert [path.name for path in folder.glob("night*")] == ["night.backup"]
    assert (folder / "night.backup").read_bytes() == b"somebody's own"
