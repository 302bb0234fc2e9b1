"""The card that `pitlink image` has made: it boots, deals a round, survives a cut, and takes security updates."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hil.broker_and_meter import BrokerAndMeter
from hil.card import PACKAGE, UPDATES, card
from hil.image import versions
from hil.laws import holds
from hil.machines import chosen, chosen_release
from hil.operator import END_OF_ROUND, TableOperator
from hil.settings import table_settings
from hil.tests.dealing import deal
from hil.virtual import VirtualRig

UP_S = 600
_UPDATE = ("pitlink-system-update", UPDATES)


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[VirtualRig]:
    image = card(chosen(), chosen_release(), table_settings(chosen()))
    with (
        BrokerAndMeter(tmp_path / "house") as house,
        closing(VirtualRig(tmp_path / "rig", house, card=image)) as rig,
    ):
        rig.put_in()
        yield rig


def installed(rig: VirtualRig) -> str:
    """State and version of the package, as dpkg has it."""
    return rig.must("dpkg-query", "-W", "-f", "${db:Status-Abbrev} ${Version}", PACKAGE)


def is_read_only(rig: VirtualRig, place: str) -> bool:
    """Whether nothing can be written there."""
    return rig.run("touch", f"{place}/x").code != 0


def test_a_new_card_boots_deals_a_round_and_takes_an_update_of_its_system(rig: VirtualRig, tmp_path: Path) -> None:
    """A round, then an update that is cut off in the middle and completed; the next round goes on where it stood."""
    house = rig.house
    table = TableOperator(rig, house.hopper)
    table.until(lambda state: not state["link"]["reason"], "not up", UP_S)
    mounts = dict(line.split()[1:3] for line in rig.must("cat", "/proc/mounts").splitlines())
    assert {mounts[place] for place in ("/", "/data", "/program")} == {"ext4"}
    assert is_read_only(rig, "/usr")
    assert is_read_only(rig, "/boot/firmware")
    assert rig.must("systemctl", "--failed", "--no-legend", "--plain").strip() == ""
    assert rig.must("hostname").strip() == "t1"
    assert rig.must("ls", "/program/opt/versions").split() == [versions()[0]]
    table.open()
    deal(table, 1, 4)
    table.press(END_OF_ROUND)
    table.until(lambda state: (state["round"], state["phase"]) == (2, "open"), "no second round")
    deal(table, 2)
    before = table.state()
    assert before is not None

    refused = rig.run(*_UPDATE)
    assert refused.code == 1
    assert "the table runs: close it" in refused.err
    rig.must("systemctl", "stop", "pitlink-table")
    assert installed(rig) == "ii  1.0"
    rig.must("systemd-run", "-q", "--unit=bench-update", *_UPDATE)
    until = time.monotonic() + UP_S
    while installed(rig) == "ii  1.0":  # dpkg has not begun to unpack
        assert time.monotonic() < until, rig.must("journalctl", "-u", "bench-update", "--no-pager")
    rig.pull()
    rig.put_in()
    assert is_read_only(rig, "/usr")
    table.until(lambda state: not state["link"]["reason"], "not up after half an update", UP_S)
    holds(table, house, before, tmp_path)

    rig.must("systemctl", "stop", "pitlink-table")
    rig.must(*_UPDATE, within_s=600)
    assert installed(rig) == "ii  1.1"
    assert is_read_only(rig, "/usr")
    rig.must("systemctl", "start", "pitlink-table", within_s=400)
    after = table.until(lambda state: not state["link"]["reason"], "not up with the update", UP_S)
    assert (after["round"], after["phase"], after["lights"]) == (2, "in play", 1)
    holds(table, house, before, tmp_path)
