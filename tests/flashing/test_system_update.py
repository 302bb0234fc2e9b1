"""pitlink-system-update: in which order a board's system is updated, and what is refused; every program is played."""

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "flashing/recipe/system-update"
PLAYED = ("mount", "dpkg", "apt-get", "sync")


class PlayedBoard:
    """Programs that write down how they were called, and fail where they should."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.calls = folder, folder / "calls"
        self._play("id", "echo 0")
        self._play("systemctl", "exit 3")  # the table is not active
        for name in PLAYED:
            self.plays(name, "exit 0")

    def plays(self, name: str, words: str) -> None:
        """What a program does after it has written down its call."""
        self._play(name, f'echo "{name} $*" >>{self.calls}\n{words}')

    def update(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        """Runs the script among these programs."""
        environ = {"PATH": f"{self._folder}:/usr/bin:/bin"}
        return subprocess.run([SCRIPT, *words], env=environ, capture_output=True, text=True, check=False)

    def done(self) -> list[str]:
        """The first two words of each call, in order."""
        lines = self.calls.read_text().splitlines() if self.calls.exists() else []
        return [" ".join(line.split()[:3]) for line in lines]

    def _play(self, name: str, words: str) -> None:
        place = self._folder / name
        place.write_text(f"#!/bin/sh\n{words}\n")
        place.chmod(0o755)


@pytest.fixture
def board(tmp_path: Path) -> PlayedBoard:
    (tmp_path / "bin").mkdir()
    return PlayedBoard(tmp_path / "bin")


def test_a_half_done_run_is_finished_first_and_the_root_is_shut_last(board: PlayedBoard) -> None:
    """Writable, mended, updated, synced, read-only."""
    assert board.update().returncode == 0
    assert board.done() == [
        "mount -o remount,rw",
        "dpkg --configure -a",
        "apt-get -q update",
        "apt-get upgrade -q",
        "apt-get clean",
        "sync",
        "mount -o remount,ro",
    ]


def test_packages_of_a_folder_need_no_sources(board: PlayedBoard, tmp_path: Path) -> None:
    """They are named with their whole path, and nothing is fetched before."""
    (tmp_path / "stick").mkdir()
    (tmp_path / "stick/openssh_2_arm64.deb").touch()
    assert board.update(tmp_path / "stick").returncode == 0
    assert "apt-get -q update" not in board.done()
    assert f" {tmp_path}/stick/openssh_2_arm64.deb" in board.calls.read_text()


def test_a_failed_update_leaves_a_root_that_is_only_read(board: PlayedBoard) -> None:
    """Whatever went wrong on the way, and the run says that it failed."""
    board.plays("apt-get", "exit 100")
    failed = board.update()
    assert failed.returncode == 100
    assert "done" not in failed.stderr
    assert board.done()[-1] == "mount -o remount,ro"


def test_a_table_that_runs_is_left_alone(board: PlayedBoard, tmp_path: Path) -> None:
    """Nothing is touched; the words say how it is stopped."""
    (tmp_path / "bin/systemctl").write_text("#!/bin/sh\nexit 0\n")
    refused = board.update()
    assert refused.returncode == 1
    assert "the table runs: close it" in refused.stderr
    assert board.done() == []


def test_an_empty_folder_is_refused(board: PlayedBoard, tmp_path: Path) -> None:
    """Before the root is opened."""
    (tmp_path / "stick").mkdir()
    refused = board.update(tmp_path / "stick")
    assert refused.returncode == 1
    assert f"no packages (.deb) in {tmp_path}/stick" in refused.stderr
    assert board.done() == []
