"""All gates shut: how often the kernel is called for it, on the board's own character device."""

from typing import Final

import pytest

from hil.rig import Rig

_COUNT: Final = "/opt/pitlink/current/bin/python /opt/bench/gate_calls.py"


@pytest.mark.parametrize(("how", "calls"), [("", 1), ("--apart", 7)])
def test_all_gates_shut_in_one_system_call(rig: Rig, how: str, calls: int) -> None:
    """Seven gates under one request fall in one call; the same gates apart show that the count counts."""
    rig.must("systemctl", "stop", "pitlink-table")
    said = rig.must("sh", "-c", f"{_COUNT} {how}").splitlines()
    print(said)
    assert said == [f"open{' 1' * 7}", f"calls{' ioctl' * calls}", f"shut{' 0' * 7}"]
