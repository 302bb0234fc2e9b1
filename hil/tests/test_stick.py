"""A stick in the board's socket: the kernel finds it, udev's rule notices it, and its bundle is flashed or refused."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from flashing.bundle import open_bundle, write_bundle
from flashing.keys import Trust, make_key, read_private
from hil.image import bundles, keys, versions
from hil.machines import chosen, chosen_release
from hil.operator import TableOperator
from hil.rig import Rig
from hil.tests.flashing import FLASH_S, leftovers, running
from hil.tests.guest_bench import GuestBench

NOTICED_S = 300


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """The bundle of a later version, alone in a folder."""
    name = f"{versions()[1]}.pitlink"
    (tmp_path / "later").mkdir()
    place = tmp_path / "later" / name
    place.symlink_to(bundles(chosen(), chosen_release()) / name)
    return place


@pytest.fixture
def strange(later: Path, tmp_path: Path) -> Path:
    """The same bundle, signed by a key that no board of this house trusts."""
    (tmp_path / "strange").mkdir()
    place, parts = tmp_path / "strange" / later.name, tmp_path / "parts"
    key = read_private(make_key(tmp_path, "somebody", "release", None)[0], None)
    with open_bundle(later, Trust.of(keys())) as bundle, place.open("wb") as target:
        bundle.unpack(parts)
        write_bundle(target, bundle.manifest, parts, release=key)
    return place


def fat_stick(folder: Path) -> str:
    """A stick as shops sell them, one partition with FAT, that holds the files of a folder."""
    return f"driver=vvfat,dir={folder},label=PITLINK,fat-type=16,read-only=on"


def ext4_stick(folder: Path, place: Path) -> str:
    """A stick without a partition table, ext4 on the whole of it."""
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-L", "PITLINK", "-d", str(folder), str(place), "64M"], check=True)
    return f"file={place},format=raw,read-only=on"


def said(rig: Rig) -> str:
    """Everything that the units of sticks have said since the boot."""
    return rig.run("journalctl", "-b", "-u", "pitlink-stick@*", "--no-pager", "-o", "cat").out


def until(is_so: Callable[[], bool], within_s: float, what: Callable[[], str]) -> None:
    """Waits, not for ever, until something is so."""
    deadline = time.monotonic() + within_s
    while not is_so():
        assert time.monotonic() < deadline, what()
        time.sleep(2)


def test_a_stick_with_a_signed_bundle_flashes_the_table(table: TableOperator, bench: GuestBench, later: Path) -> None:
    """Nobody types anything: the stick is put in, pulled when it is let go, and the later version runs."""
    rig, version = bench.rig, later.stem
    table.until(lambda state: not state["link"]["reason"], "no link")
    rig.plug_in_stick(fat_stick(later.parent))
    until(lambda: f"flash of {version} begins; pull the stick" in said(rig), NOTICED_S, lambda: said(rig))
    rig.pull_stick()
    flash = ("systemctl", "show", f"pitlink-flash@{version}", "--property=ActiveState,Result", "--value")
    until(lambda: "activating" not in rig.must(*flash), FLASH_S, lambda: rig.must(*flash))
    assert rig.must(*flash).split() == ["success", "inactive"]
    assert running(rig) == version
    assert leftovers(rig) == []
    table.open()
    assert table.insert_chip(2)
    table.until(lambda state: state["lights"] == 1, "no wager")


def test_a_stick_of_somebody_elses_changes_nothing_and_says_why(
    table: TableOperator, bench: GuestBench, later: Path, strange: Path, tmp_path: Path
) -> None:
    """File and key are named, the table plays on, and the right stick is taken from the same socket."""
    rig, this = bench.rig, versions()[0]
    table.open()
    rig.plug_in_stick(ext4_stick(strange.parent, tmp_path / "stick.raw"))
    until(
        lambda: "which this board does not trust for a release; it trusts bench" in said(rig),
        NOTICED_S,
        lambda: said(rig),
    )
    assert f"{strange.name}: signed by key" in said(rig)
    until(
        lambda: "pitlink-stick@sda.service" in rig.must("systemctl", "--failed", "--plain"),
        NOTICED_S,
        lambda: said(rig),
    )
    rig.pull_stick()
    assert rig.must("find", "/var/lib/pitlink-flash/bundles", "-type", "f").split() == [
        f"/var/lib/pitlink-flash/bundles/{this}.pitlink"
    ]
    assert running(rig) == this
    assert leftovers(rig) == []
    assert table.insert_chip(2)
    table.until(lambda state: state["lights"] == 1, "no wager")
    rig.plug_in_stick(fat_stick(later.parent))
    until(lambda: f"flash of {later.stem} begins; pull the stick" in said(rig), NOTICED_S, lambda: said(rig))
