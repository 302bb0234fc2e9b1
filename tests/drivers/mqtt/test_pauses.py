"""How long a pipe waits before it tries again."""

from hypothesis import given
from hypothesis import strategies as st

from drivers.mqtt.client import LONGEST_PAUSE_S, pause_s


@given(failures=st.integers(0, 10_000), client_id=st.text(max_size=30))
def test_a_pause_is_bounded_and_the_first_is_short(failures: int, client_id: str) -> None:
    """A broker that was away for an hour is found within seconds, a blip within a fraction of one."""
    assert 0 < pause_s(failures, client_id) <= 1.25 * LONGEST_PAUSE_S
    assert pause_s(0, client_id) < 0.2


@given(failures=st.integers(0, 50), client_id=st.text(max_size=30))
def test_a_pause_never_shrinks_while_the_broker_is_away(failures: int, client_id: str) -> None:
    """Trying gets rarer, never more frequent."""
    assert pause_s(failures, client_id) <= pause_s(failures + 1, client_id)


def test_a_floor_does_not_come_back_in_one_heap() -> None:
    """A hundred tables that lost the same broker do not all knock at the same moment."""
    assert len({pause_s(5, f"table-{number}") for number in range(100)}) > 30
