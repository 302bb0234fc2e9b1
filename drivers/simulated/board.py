"""A simulated board: the kernel's files of health in a folder, and a disk of a given size."""

import time
from pathlib import Path
from typing import Final

from common.board_health import BoardFiles

_MB: Final = 2**20


class SimulatedBoard:
    """A Raspberry Pi 5 in good health, until somebody spoils it."""

    def __init__(self, root: Path, *, model: str = "Raspberry Pi 5 Model B Rev 1.0") -> None:
        self._root = root
        self.disk_mb = 28_000
        self.free_mb = 20_000
        self._write("sys/firmware/devicetree/base/model", model + "\0")
        self.set_throttled(0)
        self.set_temperature(48.3)
        self.set_card_life(1)
        self._write("sys/fs/ext4/mmcblk0p3/lifetime_write_kbytes", f"{12 * 2**20}\n")
        self.set_battery_clock(ticks=True)
        self.hear_time_server()

    @property
    def files(self) -> BoardFiles:
        """What reads this board."""
        return BoardFiles(self._root, lambda _: (self.disk_mb * _MB, 0, self.free_mb * _MB))

    def set_throttled(self, bits: int) -> None:
        """The firmware's word: bit 0 undervoltage, bits 1 to 3 slowed down, and 16 higher the same since boot."""
        self._write("sys/devices/platform/soc@107c000000/soc@107c000000:firmware/get_throttled", f"{bits:x}\n")

    def set_temperature(self, celsius: float) -> None:
        """The processor is as hot as this."""
        self._write("sys/class/thermal/thermal_zone0/temp", f"{round(celsius * 1000)}\n")

    def set_card_life(self, tenths: int) -> None:
        """So many tenths of the card's life are used."""
        self._write("sys/block/mmcblk0/device/life_time", f"0x{tenths:02x} 0x01\n")

    def set_battery_clock(self, *, ticks: bool) -> None:
        """The clock on the board kept the time without power, or did not."""
        self._write("sys/class/rtc/rtc0/since_epoch", f"{round(time.time()) if ticks else 42}\n")

    def hear_time_server(self) -> None:
        """The house's time server has just answered."""
        self._write("run/systemd/timesync/synchronized", "")

    def lose_time_server(self) -> None:
        """No time server was ever heard."""
        (self._root / "run/systemd/timesync/synchronized").unlink(missing_ok=True)

    def _write(self, name: str, text: str) -> None:
        path = self._root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
