"""The disk fills up, or turns read-only, in the middle of a real flash: the version that ran runs on, whole."""

import re
import time
from typing import Final

import pytest

from hil.image import versions
from hil.operator import TableOperator
from hil.rig import Rig
from hil.tests.flashing import FLASH_S, leftovers, running

FILL: Final = """
fallocate -l $(($(df --output=avail -B1M /data | tail -n 1) - 32))M /data/filler
for size in 16M 1M 64K 4K; do # sixteen of each: more would eat, crumb by crumb, what the flash gives back when it fails
    for number in $(seq 16); do fallocate -l $size /data/filler.$size.$number 2>/dev/null || break; done
done
"""
TURN_READ_ONLY: Final = "echo u >/proc/sysrq-trigger"
MEND: Final = "mount -o remount,rw /data && rm -f /data/filler*"


def flash_up_to(rig: Rig, version: str, step: str) -> None:
    """Begins a flash and returns when it is at this step."""
    rig.must("cp", f"/opt/bench/{version}.pitlink", "/var/lib/pitlink-flash/bundles/")
    rig.must("systemctl", "start", "--no-block", f"pitlink-flash@{version}")
    until = time.monotonic() + FLASH_S
    while f"flash of {version}: {step}" not in said(rig, version):
        assert time.monotonic() < until, said(rig, version)
        time.sleep(1)


def said(rig: Rig, version: str) -> str:
    """What the flash has said."""
    return rig.run("journalctl", "-b", "-u", f"pitlink-flash@{version}", "--no-pager", "-o", "cat").out


def wait_until_ended(rig: Rig, version: str) -> None:
    """Returns when the flash's unit is done, which it must be with a failure."""
    show = ("systemctl", "show", f"pitlink-flash@{version}", "--property=ActiveState", "--value")
    until = time.monotonic() + FLASH_S
    while (state := rig.must(*show).strip()) != "failed":
        assert state != "inactive", said(rig, version)
        assert time.monotonic() < until, said(rig, version)
        time.sleep(2)


@pytest.mark.parametrize(
    ("step", "fault", "words"),
    [
        ("install", FILL, "disk is full|No space left on device"),
        ("copy", FILL, "disk is full"),
        ("install", TURN_READ_ONLY, "read-only"),
    ],
)
def test_a_disk_that_fails_in_a_flash_leaves_the_version_that_ran(
    table: TableOperator, rig: Rig, step: str, fault: str, words: str
) -> None:
    """The unit fails and says why; with the disk mended nothing is left of the flash, and the table plays."""
    this, later, _ = versions()
    table.until(lambda state: not state["link"]["reason"], "no link")
    flash_up_to(rig, later, step)
    rig.must("sh", "-c", fault)
    wait_until_ended(rig, later)
    assert running(rig) == this
    assert re.search(words, said(rig, later))
    rig.must("sh", "-c", MEND)
    rig.must("systemctl", "start", "pitlink-flash-resume", within_s=300)
    assert leftovers(rig) == []
    assert rig.must("ls", "/opt/pitlink/versions").split() == [this]
    rig.run("systemctl", "start", "pitlink-table", within_s=400)
    table.open()
    assert table.insert_chip(2)
    table.until(lambda state: state["lights"] == 1, "no wager")
