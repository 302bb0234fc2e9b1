"""The settings of the table on the bench: those of config/table.toml, with the simulated header, wire and broker."""

import re
import tomllib
from typing import Final

from hil.image import PROJECT

BROKER: Final = ("10.0.2.100", 1883)  # inside the guest; QEMU carries it to a broker on the host's loopback


def table_settings() -> str:
    """The text of the guest's table.toml."""
    text = (PROJECT / "config/table.toml").read_text(encoding="utf-8")
    text = re.sub(r'host = "127.0.0.1"\nport = 1883', f'host = "{BROKER[0]}"\nport = {BROKER[1]}', text, count=1)
    text = text.replace("/dev/serial/by-id/usb-return-device", "/dev/ttyS1")
    text += '\n[gpio]\nchip = "bench-header"\n'
    tomllib.loads(text)
    return text
