"""The settings of the table on the bench: those of config/table.toml, with the simulated header, wire and broker."""

import re
import tomllib
from typing import Final

from hil.image import PROJECT
from hil.machines import Machine
from hil.staff import STAFF_KEY

BROKER: Final = ("10.0.2.100", 1883)  # inside the guest; QEMU carries it to a broker on the host's loopback


# An emulated machine moves a wire tens of milliseconds late: so its chips are large, and their pulses long.
GEOMETRY: Final = "\n[geometry]\ndiameter_mm = 200\ndrop_mm = 1\npush_mm_s = 0\nslowest_fall = 0.9\n"


def table_settings(machine: Machine) -> str:
    """The text of the table.toml of such a guest."""
    text = (PROJECT / "config/table.toml").read_text(encoding="utf-8")
    text = re.sub(r'host = "127.0.0.1"\nport = 1883', f'host = "{BROKER[0]}"\nport = {BROKER[1]}', text, count=1)
    text = re.sub(r'^# staff_key = ".*$', f'staff_key = "{STAFF_KEY}"', text, count=1, flags=re.MULTILINE)
    text = text.replace("/dev/serial/by-id/usb-return-device", machine.hopper_port)
    text = re.sub(r"\[beams\]\nemitters = .*\n", "", text, count=1)  # no wire of the bench follows them
    text += machine.settings + GEOMETRY
    tomllib.loads(text)
    return text
