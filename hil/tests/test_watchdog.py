"""A board that hangs as a whole: nobody pets the hardware watchdog any more, and it resets the machine."""

import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from hil.broker_and_meter import BrokerAndMeter
from hil.laws import holds
from hil.operator import END_OF_ROUND, TableOperator
from hil.tests.dealing import deal
from hil.tests.guest_bench import GuestBench
from hil.vm import Guest

RESET_S: Final = 600
LOOK_S: Final = 20
BY_WATCHDOG: Final = "32"  # WDIOF_CARDRESET


def freeze(guest: Guest) -> None:
    """The kernel itself stops for ever: no program runs, no interrupt is served, nothing reboots by itself."""
    assert guest.must("cat", "/proc/sys/kernel/panic").strip() == "0"
    with suppress(TimeoutError):
        guest.order("run", LOOK_S, argv=["sh", "-c", "echo c >/proc/sysrq-trigger"])
        raise AssertionError("it did not freeze")


def boot(guest: Guest) -> str:
    """Which boot this is; empty while nobody answers."""
    with suppress(TimeoutError):
        return str(guest.order("run", LOOK_S, argv=["cat", "/proc/sys/kernel/random/boot_id"])["out"])
    return ""


def test_a_frozen_board_is_reset_and_the_table_stands_where_it_stood(
    table: TableOperator, bench: GuestBench, house: BrokerAndMeter, tmp_path: Path
) -> None:
    """In the second round, with three wagers: same phase, same lights, shut gates, and a meter that agrees."""
    guest = bench.rig.booted
    table.open()
    deal(table, 1, 4)
    table.press(END_OF_ROUND)
    table.until(lambda state: (state["round"], state["phase"]) == (2, "open"), "no second round")
    deal(table, 2, 5, 7)
    before, first_boot = table.state(), boot(guest)
    freeze(guest)
    until = time.monotonic() + RESET_S
    while boot(guest) in ("", first_boot):
        assert time.monotonic() < until, "nobody reset the board"
    assert guest.must("cat", "/sys/class/watchdog/watchdog0/bootstatus").strip() == BY_WATCHDOG
    after = table.until(lambda state: not state["link"]["reason"], "not up again", RESET_S)
    assert (after["round"], after["phase"], after["lights"]) == (2, "in play", 3)
    assert table.lit() == {2, 5, 7}
    assert table.open_gates() == set()
    holds(table, house, before, tmp_path)
    assert house.pot().in_cents == 5_00
