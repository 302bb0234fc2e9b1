"""What the self-test says of pins that a kernel refuses: a technician reads it and knows what to do."""

import re
from typing import Final

from hil.rig import Rig

_CONFIG: Final = "/run/bench-table.toml"
_TEST: Final = f"/opt/pitlink/current/bin/pitlink selftest --config {_CONFIG}"
_HOLD: Final = """
import signal, sys, gpiod
with gpiod.request_lines(sys.argv[1], {(25,): None}, "bench-holder"):
    signal.pause()
"""


def said_of_pins(rig: Rig, *, chip: str = "", before: str = "") -> str:
    """The line of the self-test on a table like the board's own, whose journal is elsewhere."""
    text = rig.must("cat", "/etc/pitlink/table.toml").replace("/var/lib/pitlink/", "/run/bench-state/")
    if chip:
        text = re.sub(r"\n\[gpio\]\nchip = .*\n", "\n", text) + f'\n[gpio]\nchip = "{chip}"\n'
    rig.must("sh", "-c", f"cat >{_CONFIG}", stdin=text)
    rig.must("systemctl", "stop", "pitlink-table")
    said = rig.run("sh", "-c", f"{before} {_TEST}")
    print(said.out, said.err)
    return next(line for line in said.out.splitlines() if " pins: " in line)


def test_every_line_can_be_had(rig: Rig) -> None:
    """The table's own pins, on this board."""
    assert re.fullmatch(r"ok +pins: \d+ lines can be had", said_of_pins(rig))


def test_a_wrong_chip_is_named_with_those_that_are_there(rig: Rig) -> None:
    """Labels, and their names of today."""
    words = r"FAULT  pins: board: there is no chip labelled 'no-such-chip'; the board has \S+ \(gpiochip\d\); correct.*"
    assert re.fullmatch(words, said_of_pins(rig, chip="no-such-chip"))


def test_a_busy_line_is_named_with_its_holder(rig: Rig) -> None:
    """Another program has the line of the lock-out button."""
    chip = f"/dev/{rig.must('readlink', '/run/bench-lines').strip().rsplit('/', 1)[-1]}"
    rig.must("systemctl", "stop", "pitlink-table")
    rig.must("systemd-run", "-q", "--unit=bench-holder", "/opt/pitlink/current/bin/python", "-c", _HOLD, chip)
    seen = "for _ in $(seq 100); do grep -q bench-holder /sys/kernel/debug/gpio && exit 0; sleep 0.3; done; exit 1"
    rig.must("sh", "-c", f"mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug; {seen}")
    words = "FAULT  pins: lock-out button: GPIO25 is held by 'bench-holder'; see gpioinfo, then stop that program"
    assert said_of_pins(rig).startswith(words)


def test_a_chip_without_permission_asks_for_the_group(rig: Rig) -> None:
    """Whoever is not in the group gpio."""
    nobody = "setpriv --reuid=nobody --regid=nogroup --clear-groups"
    words = r"FAULT  pins: board: gpiochip\d may not be opened; join the group gpio: adduser pitlink-table gpio"
    assert re.fullmatch(words, said_of_pins(rig, before=nobody))
