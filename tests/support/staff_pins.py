"""A staff with PINs, one person for each role, for the pages of tables and of the meter."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from common.auth.pins import Staff
from common.auth.roles import Role

PINS = {
    Role.DEALER: ("Dan", "2468"),
    Role.SUPERVISOR: ("Sue", "1357"),
    Role.TECHNICIAN: ("Tim", "9753"),
    Role.ACCOUNTING: ("Ann", "8642"),
}


@cache
def staff_file() -> bytes:
    """The PINs, hashed once: it takes its time on purpose."""
    with TemporaryDirectory() as folder:
        staff = Staff(Path(folder) / "staff.json")
        for role, (name, pin) in PINS.items():
            staff.set(role, name, pin)
        return staff.path.read_bytes()
