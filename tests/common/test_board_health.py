"""Health of the board: what the kernel's files say, and what a technician must act on."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.board_health import BoardFiles, BoardHealth, ClockSource, Occurred, alarms, health_words
from drivers.simulated.board import SimulatedBoard


@pytest.fixture
def board(tmp_path: Path) -> SimulatedBoard:
    return SimulatedBoard(tmp_path)


def read(board: SimulatedBoard) -> BoardHealth:
    return board.files.read(Path("/var/lib/pitlink/T1"))


def parts(board: SimulatedBoard) -> list[str]:
    return [alarm.part for alarm in alarms(read(board))]


def test_a_board_in_good_health_raises_no_alarm(board: SimulatedBoard) -> None:
    """Every value is read, and none is beyond its limit."""
    assert read(board) == BoardHealth(
        model="Raspberry Pi 5 Model B Rev 1.0",
        undervoltage=Occurred.NEVER,
        throttling=Occurred.NEVER,
        temperature_c=48.3,
        disk_free_mb=20_000,
        disk_total_mb=28_000,
        card_worn_percent=10,
        written_gb=12.0,
        clock=ClockSource.TIME_SERVER,
    )
    assert parts(board) == []
    assert "48 °C, 20000 of 28000 MB free" in health_words(read(board))


@pytest.mark.parametrize(
    ("bits", "undervoltage", "throttling"),
    [
        (0x0, Occurred.NEVER, Occurred.NEVER),
        (0x1, Occurred.NOW, Occurred.NEVER),
        (0x50005, Occurred.NOW, Occurred.NOW),
        (0x50000, Occurred.EARLIER, Occurred.EARLIER),
        (0x80000, Occurred.NEVER, Occurred.EARLIER),
        (0x8, Occurred.NEVER, Occurred.NOW),
    ],
)
def test_the_firmware_s_bits_say_now_and_since_boot(
    board: SimulatedBoard, bits: int, undervoltage: Occurred, throttling: Occurred
) -> None:
    """Bits 0 to 3 are now, 16 to 19 the same since the board has booted."""
    board.set_throttled(bits)
    health = read(board)
    assert (health.undervoltage, health.throttling) == (undervoltage, throttling)
    assert ("supply voltage" in parts(board)) is (undervoltage is not Occurred.NEVER)
    assert ("processor" in parts(board)) is (throttling is not Occurred.NEVER)


@pytest.mark.parametrize(
    ("celsius", "free_mb", "tenths", "expected"),
    [
        (79.9, 256, 7, []),
        (80.0, 256, 7, ["temperature"]),
        (79.9, 255, 7, ["disk"]),
        (79.9, 256, 8, ["card"]),
        (85.0, 10, 11, ["temperature", "disk", "card"]),
    ],
)
def test_a_limit_raises_its_own_alarm(
    board: SimulatedBoard, celsius: float, free_mb: int, tenths: int, expected: list[str]
) -> None:
    """At the limit there is an alarm, just below it there is none."""
    board.set_temperature(celsius)
    board.free_mb = free_mb
    board.set_card_life(tenths)
    assert parts(board) == expected


def test_a_battery_clock_stands_in_for_the_time_server(board: SimulatedBoard) -> None:
    """Without both, the calendar is nobody's."""
    board.lose_time_server()
    assert read(board).clock is ClockSource.BATTERY
    board.set_battery_clock(ticks=False)
    assert read(board).clock is ClockSource.NONE
    assert parts(board) == ["clock"]


def test_the_voltage_sensor_of_older_kernels_counts(tmp_path: Path) -> None:
    """Without the firmware's file the hwmon sensor says whether the voltage is too low."""
    hwmon = tmp_path / "sys/class/hwmon/hwmon1"
    hwmon.mkdir(parents=True)
    (hwmon / "name").write_text("rpi_volt\n")
    (hwmon / "in0_lcrit_alarm").write_text("1\n")
    assert BoardFiles(tmp_path).read(tmp_path).undervoltage is Occurred.NOW


def test_a_machine_that_says_nothing_is_unknown_not_well(tmp_path: Path) -> None:
    """Missing files are no good news: the values say so."""
    health = BoardFiles(tmp_path).read(tmp_path / "not there")
    assert health == BoardHealth()
    assert [alarm.part for alarm in alarms(health)] == ["clock"]


@given(st.binary(max_size=40))
def test_odd_bytes_in_the_kernel_s_files_break_nothing(
    tmp_path_factory: pytest.TempPathFactory, garbage: bytes
) -> None:
    """A file that makes no sense counts as missing."""
    root = tmp_path_factory.mktemp("board")
    SimulatedBoard(root)
    for name in ("thermal/thermal_zone0/temp", "rtc/rtc0/since_epoch"):
        (root / "sys/class" / name).write_bytes(garbage)
    (root / "sys/block/mmcblk0/device/life_time").write_bytes(garbage)
    BoardFiles(root).read(root)
