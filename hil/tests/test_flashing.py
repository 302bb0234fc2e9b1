"""Flashing as technicians do it: with systemctl and one file."""

from hil.broker_and_meter import BrokerAndMeter
from hil.image import versions
from hil.operator import END_OF_ROUND, TableOperator
from hil.rig import Rig
from hil.tests.dealing import deal
from hil.tests.flashing import flash, leftovers, running
from hil.tests.guest_bench import GuestBench


def test_a_flash_changes_the_version_and_nothing_else(table: TableOperator, rig: Rig) -> None:
    """A later version runs, answers and takes wagers on the same journal."""
    this, later, _ = versions()
    table.open()
    assert table.tell("close", by="Sue", reason="a flash")
    before = table.until(lambda state: state["phase"] == "closed", "not closed")
    assert running(rig) == this
    assert flash(rig, later) == 0, rig.must(
        "journalctl", "-b", "-u", f"pitlink-flash@{later}", "--no-pager", "-n", "40"
    )
    assert running(rig) == later
    assert leftovers(rig) == []
    after = table.until(lambda state: not state["link"]["reason"], "not up", 300)
    assert after["round"] == before["round"]
    table.open()
    assert table.insert_chip(2)
    table.until(lambda state: state["lights"] == 1, "no wager")
    assert later in rig.must("/opt/pitlink/current/bin/pitlink", "verify", within_s=300)


def test_a_version_that_does_not_start_goes_back_by_itself(table: TableOperator, rig: Rig) -> None:
    """The old version is in force again, its table up, and the unit says why."""
    this, _, broken = versions()
    table.until(lambda state: not state["link"]["reason"], "no link")
    assert flash(rig, broken) != 0
    assert running(rig) == this
    assert leftovers(rig) == []
    table.until(lambda state: not state["link"]["reason"], "the old version is not up", 300)
    assert "broken on purpose" in rig.must("journalctl", "-b", "-u", "pitlink*", "--no-pager", "-n", "200")
    table.open()
    assert table.insert_chip(2)
    table.until(lambda state: state["lights"] == 1, "no wager")


def test_another_board_takes_the_table_over_and_the_old_one_stays_locked(
    table: TableOperator, bench: GuestBench, house: BrokerAndMeter
) -> None:
    """Identity, journal and settings go over in one file; nothing is counted twice, the old board opens no more."""
    rig = bench.rig
    table.open()
    deal(table, 3, 4)
    table.press(END_OF_ROUND)
    table.until(lambda state: (state["round"], state["phase"]) == (2, "open"), "no second round")
    assert table.tell("close", by="Sue", reason="a swap")
    table.until(lambda state: state["phase"] == "closed", "not closed")
    rig.must("systemctl", "stop", "pitlink-table")
    rig.booted.order("write", path="/run/passphrase", text="a long passphrase of the workshop\n")
    swap = ("/opt/pitlink/current/bin/pitlink", "swap")
    rig.must(*swap, "export", "/run/table.swap", "--passphrase-file", "/run/passphrase", within_s=300)
    swap_file = rig.must("base64", "-w0", "/run/table.swap")
    rig.run("systemctl", "start", "pitlink-table", within_s=400)
    assert not table.tell("open", by="Sue"), "the old board opens although its table was handed over"
    bench.rig.enter(house)
    rig.must("systemctl", "stop", "pitlink-table")
    rig.must("rm", "-r", "/var/lib/pitlink/T1")  # a spare board was no table before
    rig.must("sh", "-c", "base64 -d >/run/table.swap", stdin=swap_file)
    rig.booted.order("write", path="/run/passphrase", text="a long passphrase of the workshop\n")
    rig.must(*swap, "import", "/run/table.swap", "--passphrase-file", "/run/passphrase", within_s=300)
    rig.must("systemctl", "start", "pitlink-table", within_s=400)
    table.open()
    deal(table, 1)
    assert house.pot().in_cents == 3_00
