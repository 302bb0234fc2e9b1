"""The wait after wrong PINs: apart for persons, places and addresses, by the monotonic clock, across restarts."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.auth.lockout import MOST_ADDRESSES, OWN_SCREEN, QUIET_S, LockOut, source_of

FAR = "203.0.113.7"


class Time:
    """A clock to move by hand."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def lock(tmp_path: Path, time: Time) -> LockOut:
    return LockOut(tmp_path / "attempts.json", time)


def test_wrong_pins_at_the_own_screen_cost_more_each_time_and_at_most_a_minute(lock: LockOut, time: Time) -> None:
    """A right one clears the slate, and nobody else waits."""
    waits = []
    for _ in range(8):
        lock.begin("2001", OWN_SCREEN)
        waits.append(lock.wait_s("2001", OWN_SCREEN))
        time.now += waits[-1]
    assert waits == [1, 2, 5, 15, 30, 60, 60, 60]
    lock.begin("2001", OWN_SCREEN)
    assert lock.wait_s("1001", OWN_SCREEN) == 0
    lock.succeed("2001", OWN_SCREEN)
    assert lock.wait_s("2001", OWN_SCREEN) == 0


def test_tries_over_the_network_slow_the_network_only(lock: LockOut) -> None:
    """That person's too; the own screen takes the right PIN at once."""
    for _ in range(26):
        lock.begin("2001", FAR)
    assert lock.wait_s("2001", FAR) == 3600
    assert lock.wait_s("2001", "203.0.113.8") == 3600
    assert lock.wait_s("1001", FAR) == 900
    assert lock.wait_s("1001", "203.0.113.8") == 0
    assert lock.wait_s("2001", OWN_SCREEN) == 0
    assert lock.wait_s("2001", FAR, stops=True) == 0


def test_tries_at_the_own_screen_wait_there_only(lock: LockOut) -> None:
    """A dealer who mistypes does not keep the supervisor from the floor's page."""
    for _ in range(26):
        lock.begin("2001", OWN_SCREEN)
    assert lock.wait_s("2001", FAR) == 0


def test_a_right_pin_forgives_the_address_only_its_own_try(lock: LockOut) -> None:
    """One who knows one PIN gains no free tries for others."""
    for _ in range(8):
        lock.begin("", FAR)
    lock.begin("1001", FAR)
    lock.succeed("1001", FAR)
    assert lock.wait_s("1001", FAR) == 0
    lock.begin("", FAR)
    assert lock.wait_s("", FAR) == 900


def test_a_restart_shortens_no_wait(tmp_path: Path, time: Time) -> None:
    """The next process waits the whole time anew, though its clock begins elsewhere."""
    file = tmp_path / "attempts.json"
    before = LockOut(file, time)
    for _ in range(7):
        before.begin("2001", FAR)
    time.now += 3000
    left = before.wait_s("2001", FAR)
    assert left == 600
    assert LockOut(file, lambda: 3.0).wait_s("2001", FAR) >= left


def test_nothing_is_forgotten_before_a_quiet_day(lock: LockOut, time: Time) -> None:
    """Whoever waits for a new count tries less often than the longest wait allows."""
    for _ in range(8):
        lock.begin("2001", FAR)
    time.now += QUIET_S - 1
    lock.begin("2001", FAR)
    assert lock.wait_s("2001", FAR) == 3600
    time.now += QUIET_S + 1
    lock.begin("2001", FAR)
    assert lock.wait_s("2001", FAR) == 1


def test_strangers_fill_neither_memory_nor_disk(tmp_path: Path, lock: LockOut, time: Time) -> None:
    """Unknown numbers count for their address only, and of addresses the latest are kept."""
    for number in range(MOST_ADDRESSES + 100):
        time.now += 0.001
        lock.begin("", f"10.0.{number // 250}.{number % 250}")
    assert len(lock._known) == MOST_ADDRESSES
    assert (tmp_path / "attempts.json").stat().st_size < 20_000
    lock.begin("", OWN_SCREEN)
    assert lock.wait_s("", OWN_SCREEN) == 0


def test_unlock_by_a_command_counts_at_once_in_the_daemon(tmp_path: Path, time: Time) -> None:
    """And the daemon does not write the lock back with its next try."""
    file = tmp_path / "attempts.json"
    daemon, command = LockOut(file, time), LockOut(file, time)
    for _ in range(8):
        daemon.begin("2001", FAR)
    command.unlock("2001")
    assert daemon.wait_s("2001", "203.0.113.8") == 0
    daemon.begin("1001", OWN_SCREEN)
    assert command.wait_s("2001", "203.0.113.8") == 0


def test_a_spoiled_file_is_read_as_none(tmp_path: Path, time: Time) -> None:
    """Nobody is kept out by it, and the next try writes it anew."""
    file = tmp_path / "attempts.json"
    file.write_bytes(b"{")
    lock = LockOut(file, time)
    assert lock.wait_s("2001", OWN_SCREEN) == 0
    lock.begin("2001", OWN_SCREEN)
    assert LockOut(file, time).wait_s("2001", OWN_SCREEN) == 1


@pytest.mark.parametrize(
    ("address", "source"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
    ],
)
def test_an_ipv6_network_is_one_source(address: str, source: str) -> None:
    """Its owner has 2 ** 64 addresses of it."""
    assert source_of(address) == source


@given(st.lists(st.sampled_from(["2001", "2002", ""]), max_size=60), st.integers(0, 20))
def test_a_person_over_the_network_is_tried_at_most_thirty_one_times_a_day(
    tmp_path_factory: pytest.TempPathFactory, persons: list[str], addresses: int
) -> None:
    """From however many addresses: six digits last for more than a year."""
    time = Time()
    lock = LockOut(tmp_path_factory.mktemp("lock") / "attempts.json", time)
    tries = 0
    while time.now < 86_400:
        source = f"10.0.0.{tries % (addresses + 1)}"
        wait_s = lock.wait_s("2001", source)
        if wait_s:
            time.now += wait_s
            continue
        lock.begin("2001", source)
        tries += 1
        for person in persons[:3]:
            lock.begin(person and "2002", source)
    assert tries <= 31
    assert 10**6 / (366 * tries) > 80, "years until every PIN of six digits was tried"
