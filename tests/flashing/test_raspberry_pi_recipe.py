"""The recipe's part for a Raspberry Pi: what the firmware reads afterwards, whatever stood there before."""

import subprocess
from pathlib import Path

import pytest

RECIPE = Path(__file__).parents[2] / "flashing" / "recipe" / "raspberry-pi"
CONFIG = """\
dtparam=audio=on
camera_auto_detect=1
arm_64bit=1
enable_uart=1

[cm4]
otg_mode=1

[pi5]
dtparam=watchdog=off
"""
CMDLINE = "console=serial0,115200 console=tty1 root=PARTUUID=4e639091-02 rootfstype=ext4 fsck.repair=yes rootwait\n"
OURS = {"dtparam=strict_gpiod", "dtparam=watchdog=on", "enable_uart=0"}


def prepare(boot: Path) -> None:
    subprocess.run([RECIPE, boot], check=True)


@pytest.fixture
def boot(tmp_path: Path) -> Path:
    (tmp_path / "config.txt").write_text(CONFIG)
    (tmp_path / "cmdline.txt").write_text(CMDLINE)
    return tmp_path


def test_every_model_gets_our_lines_last(boot: Path) -> None:
    """The file ends in a section for one model: ours must not belong to it."""
    prepare(boot)
    config = (boot / "config.txt").read_text()
    assert config.startswith(CONFIG)
    section = config.removeprefix(CONFIG).split("[all]\n")
    assert section[0] == "\n"
    assert {line for line in section[1].splitlines() if not line.startswith("#")} == OURS


def test_the_kernel_says_nothing_on_our_pins(boot: Path) -> None:
    """The console of the screen stays, and so does everything else."""
    prepare(boot)
    assert (boot / "cmdline.txt").read_text() == CMDLINE.removeprefix("console=serial0,115200 ")


@pytest.mark.parametrize("word", ["resize", "init=/usr/lib/raspberrypi-sys-mods/firstboot"])
@pytest.mark.parametrize("rest", ["", " quiet"])
def test_the_root_is_not_made_as_large_as_the_card(boot: Path, word: str, rest: str) -> None:
    """Behind it lie the table's own partitions; Raspberry Pi OS of two years says it in two ways."""
    (boot / "cmdline.txt").write_text(f"console=tty1 root=PARTUUID=4e639091-02 rootwait {word}{rest}\n")
    prepare(boot)
    assert (boot / "cmdline.txt").read_text() == f"console=tty1 root=PARTUUID=4e639091-02 rootwait{rest}\n"


def test_a_second_time_changes_nothing(boot: Path) -> None:
    """The recipe may be run again."""
    prepare(boot)
    before = [(boot / name).read_text() for name in ("config.txt", "cmdline.txt")]
    prepare(boot)
    assert [(boot / name).read_text() for name in ("config.txt", "cmdline.txt")] == before


def test_another_machine_is_left_alone(tmp_path: Path) -> None:
    """No such firmware: nothing to do, nothing made."""
    prepare(tmp_path)
    assert list(tmp_path.iterdir()) == []
