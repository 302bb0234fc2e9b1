"""The simulated hopper behaves like the one in the manual, where the driver would not notice the difference."""

import os
import select
import time
from collections.abc import Iterator
from contextlib import contextmanager

from drivers.cctalk.commands import HopperFlag
from drivers.simulated.hopper import SimulatedHopper
from drivers.simulated.hopper_mechanics import HopperMechanics, Jam
from tests.support.drivers.return_rigs import hopper_board

POLL = bytes.fromhex("03 00 01 FE FE")
ACK = bytes.fromhex("01 00 03 00 FC")


@contextmanager
def wire(bench: SimulatedHopper) -> Iterator[int]:
    """The bare far end of the wire."""
    with bench:
        port = os.open(bench.port, os.O_RDWR | os.O_NOCTTY)
        yield port
        os.close(port)


def listen(port: int, size: int, patience: float = 60.0) -> bytes:
    """What is heard until so many bytes came, or none for a while."""
    heard = b""
    while len(heard) < size and select.select([port], [], [], patience)[0]:
        heard += os.read(port, 512)
    return heard


def test_a_pause_ends_half_a_frame() -> None:
    """The hopper forgets what it half heard, and hears the next frame whole."""
    with wire(SimulatedHopper(hopper_board(), echo=True)) as port:
        os.write(port, POLL[:3])
        assert listen(port, 3) == POLL[:3]
        os.write(port, POLL)
        assert listen(port, 10) == POLL + ACK


def test_a_frame_for_somebody_else_is_not_answered() -> None:
    """The wire echoes it, the hopper stays silent."""
    other = bytes.fromhex("04 00 01 FE FD")
    with wire(SimulatedHopper(hopper_board(), echo=True)) as port:
        os.write(port, other)
        assert listen(port, 5) == other
        assert listen(port, 1, patience=0.1) == b""


def test_an_unknown_header_is_not_answered() -> None:
    """As the standard wants it."""
    with wire(SimulatedHopper(hopper_board(), echo=False)) as port:
        os.write(port, bytes.fromhex("03 00 01 70 8C"))
        os.write(port, POLL)
        assert listen(port, 5) == ACK


def test_a_real_wire_takes_its_time() -> None:
    """Ten bytes at 9600 baud are more than ten milliseconds, with an echo or without."""
    for echo in (True, False):
        with wire(SimulatedHopper(hopper_board(), echo=echo, baud=9600)) as port:
            start = time.monotonic()
            os.write(port, POLL)
            expected = POLL + ACK if echo else ACK
            assert listen(port, len(expected)) == expected
            assert time.monotonic() - start >= 0.009


def test_chips_come_at_the_pace_of_the_disc() -> None:
    """Each chip when it is due, the timeout after the last, all in the hands of whoever moves the time."""
    metal = HopperMechanics(chip_ms=100)
    metal.load(2, 0.0)
    metal.start(255, 0.0, timeout=10.0)
    given = []
    for now in (0.05, 0.1, 0.15, 0.2, 10.1):
        metal.advance(now)
        given.append((metal.given, metal.due is not None))
    assert given == [(0, True), (1, True), (1, True), (2, True), (2, True)]
    metal.advance(10.2)
    assert (metal.due, metal.flags, metal.unpaid) == (None, HopperFlag.PAYOUT_TIMEOUT, 253)


def test_a_payout_that_is_complete_ends_without_a_flag() -> None:
    """As many as were ordered, and the rest stays inside."""
    metal = HopperMechanics(chip_ms=0)
    metal.load(5, 0.0)
    metal.start(3, 0.0, timeout=10.0)
    assert (metal.given, metal.stock, metal.paid, metal.unpaid, metal.flags) == (3, 2, 3, 0, HopperFlag(0))


def test_a_bridge_lets_the_disc_turn_in_vain() -> None:
    """Chips are left, and the flag is the one of an empty hopper."""
    metal = HopperMechanics(chip_ms=0)
    metal.load(5, 0.0)
    metal.jam, metal.jam_after = Jam.BRIDGE, 2
    metal.start(255, 0.0, timeout=1.0)
    metal.advance(1.0)
    assert (metal.given, metal.stock, metal.flags) == (2, 3, HopperFlag.PAYOUT_TIMEOUT)


def test_a_slow_device_answers_late() -> None:
    """The wire's echo comes at once, the answer after the device has thought about it."""
    bench = SimulatedHopper(hopper_board(), echo=True)
    bench.slow_s = 0.05
    with wire(bench) as port:
        start = time.monotonic()
        os.write(port, POLL)
        assert listen(port, 10) == POLL + ACK
        assert time.monotonic() - start >= 0.05
