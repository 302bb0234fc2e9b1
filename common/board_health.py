"""Health of the board: voltage, throttling, temperature, disk, card and clock, read from the kernel's files."""

import shutil
import time
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Final

from msgspec import Struct

from common.clock import synchronised_at

HOTTEST_C: Final = 80.0
"""A Raspberry Pi slows itself down from here on."""
LEAST_FREE_MB: Final = 256
"""Twice what a backup leaves free: the journal itself must still be written."""
MOST_WORN_PERCENT: Final = 80
_MB: Final = 2**20
_UNDERVOLTAGE: Final = 1 << 0
_SLOWED: Final = (1 << 1) | (1 << 2) | (1 << 3)  # frequency capped, throttled, soft temperature limit
_EARLIER: Final = 16  # the same bits, since the board has booted
_PLAUSIBLE_S: Final = 1_735_689_600  # 2025: a clock without a battery begins at 1970 or at its maker's date


class Occurred(StrEnum):
    """Whether something bad happens on this board."""

    NOW = "now"
    EARLIER = "since boot"
    NEVER = "never"
    UNKNOWN = "unknown"


class ClockSource(StrEnum):
    """Where the calendar comes from."""

    TIME_SERVER = "time server"
    BATTERY = "battery clock"
    NONE = "none"


class BoardHealth(Struct, frozen=True):
    """How a board is; None and unknown where the board cannot say."""

    model: str = ""
    undervoltage: Occurred = Occurred.UNKNOWN
    throttling: Occurred = Occurred.UNKNOWN
    temperature_c: float | None = None
    disk_free_mb: int | None = None
    disk_total_mb: int | None = None
    card_worn_percent: int | None = None
    written_gb: float | None = None
    clock: ClockSource = ClockSource.NONE


class HealthAlarm(Struct, frozen=True):
    """Something about the board that a person must act on."""

    part: str
    words: str
    advice: str


class BoardFiles(Struct, frozen=True):
    """Where health is read; a folder with the same files is a simulated board."""

    root: Path = Path("/")
    disk_usage: Callable[[Path], tuple[int, int, int]] = shutil.disk_usage

    def read(self, state_dir: Path) -> BoardHealth:
        """The health of the board whose state directory this is; a file that is missing or odd says nothing."""
        free, total = self._disk(state_dir)
        bits = self._throttled()
        return BoardHealth(
            model=self._text("sys/firmware/devicetree/base/model").rstrip("\0"),
            undervoltage=self._undervoltage(bits),
            throttling=Occurred.UNKNOWN if bits is None else _occurred(bits, _SLOWED),
            temperature_c=max(
                (value / 1000 for value in self._numbers("sys/class/thermal/thermal_zone*/temp")), default=None
            ),
            disk_free_mb=free,
            disk_total_mb=total,
            card_worn_percent=max(self._card_wear(), default=None),
            written_gb=self._written_gb(),
            clock=self._clock(),
        )

    def _throttled(self) -> int | None:
        """The firmware's word, written in hexadecimal digits: 50005 is undervoltage and throttling, now and before."""
        words = [self._text(path) for path in self._found("sys/devices/platform/soc*/soc*firmware/get_throttled")]
        return next((_number(word, 16) for word in words), None)

    def _undervoltage(self, bits: int | None) -> Occurred:
        if bits is not None:
            return _occurred(bits, _UNDERVOLTAGE)
        for name in self._found("sys/class/hwmon/hwmon*/name"):
            if self._text(name) == "rpi_volt":
                alarm = self._text(name.with_name("in0_lcrit_alarm"))
                return {"0": Occurred.NEVER, "1": Occurred.NOW}.get(alarm, Occurred.UNKNOWN)
        return Occurred.UNKNOWN

    def _card_wear(self) -> Iterator[int]:
        """An eMMC's own estimate, in tenths of its life for two kinds of memory; plain SD cards keep none."""
        for path in self._found("sys/block/mmcblk*/device/life_time"):
            tenths = [_number(word, 16) for word in self._text(path).split()]
            yield from (10 * value for value in tenths if value)  # zero is: not defined

    def _written_gb(self) -> float | None:
        """What was written to the board's ext4 file systems in their lives."""
        kilobytes = list(self._numbers("sys/fs/ext4/*/lifetime_write_kbytes"))
        return round(sum(kilobytes) / 2**20, 1) if kilobytes else None

    def _disk(self, state_dir: Path) -> tuple[int | None, int | None]:
        try:
            total, _, free = self.disk_usage(state_dir)
        except OSError:
            return None, None
        return free // _MB, total // _MB

    def _clock(self) -> ClockSource:
        if synchronised_at(self.root / "run/systemd/timesync/synchronized", time.time()):
            return ClockSource.TIME_SERVER
        kept = any(value > _PLAUSIBLE_S for value in self._numbers("sys/class/rtc/rtc*/since_epoch"))
        return ClockSource.BATTERY if kept else ClockSource.NONE

    def _numbers(self, pattern: str) -> Iterator[int]:
        found = (_number(self._text(path), 10) for path in self._found(pattern))
        return (number for number in found if number is not None)

    def _found(self, pattern: str) -> list[Path]:
        return sorted(self.root.glob(pattern))

    def _text(self, path: Path | str) -> str:
        try:
            return (self.root / path).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return ""


def alarms(health: BoardHealth) -> tuple[HealthAlarm, ...]:
    """Everything that a technician must act on, in the order of urgency."""
    return tuple(_alarms(health))


def _alarms(health: BoardHealth) -> Iterator[HealthAlarm]:
    if health.undervoltage in (Occurred.NOW, Occurred.EARLIER):
        advice = (
            "Check the power supply and its cable; a board that drops out stops the table in the middle of a round."
        )
        yield HealthAlarm("supply voltage", f"too low ({health.undervoltage})", advice)
    if health.throttling in (Occurred.NOW, Occurred.EARLIER):
        advice = "Check supply, fan and vents: the board slows itself down."
        yield HealthAlarm("processor", f"slowed down ({health.throttling})", advice)
    if health.temperature_c is not None and health.temperature_c >= HOTTEST_C:
        advice = "Check fan and vents of the cabinet."
        yield HealthAlarm("temperature", f"{health.temperature_c:.0f} °C, limit {HOTTEST_C:.0f} °C", advice)
    if health.disk_free_mb is not None and health.disk_free_mb < LEAST_FREE_MB:
        advice = "Remove old bundles, copy volumes of the archive elsewhere, journalctl --vacuum-size=50M."
        yield HealthAlarm("disk", f"{health.disk_free_mb} MB free, at least {LEAST_FREE_MB} MB are needed", advice)
    if health.card_worn_percent is not None and health.card_worn_percent >= MOST_WORN_PERCENT:
        advice = "Swap the board or its card before it fails (docs/flashing.md)."
        yield HealthAlarm("card", f"{health.card_worn_percent} % of its life is used", advice)
    if health.clock is ClockSource.NONE:
        advice = "Check the house's time server and the board's clock battery; events are marked until then."
        yield HealthAlarm("clock", "neither a time server nor a battery clock keeps the calendar", advice)


def health_words(health: BoardHealth) -> str:
    """One line for people."""
    known = (
        health.model,
        f"undervoltage {health.undervoltage}",
        f"throttling {health.throttling}",
        "" if health.temperature_c is None else f"{health.temperature_c:.0f} °C",
        "" if health.disk_free_mb is None else f"{health.disk_free_mb} of {health.disk_total_mb} MB free",
        "" if health.card_worn_percent is None else f"card {health.card_worn_percent} % worn",
        "" if health.written_gb is None else f"{health.written_gb:g} GB written",
        f"clock: {health.clock}",
    )
    return ", ".join(word for word in known if word)


def _occurred(bits: int, mask: int) -> Occurred:
    if bits & mask:
        return Occurred.NOW
    return Occurred.EARLIER if bits >> _EARLIER & mask else Occurred.NEVER


def _number(word: str, base: int) -> int | None:
    try:
        return int(word, base)
    except ValueError:
        return None
