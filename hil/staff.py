"""Staff of the bench: the demo's people, signed with a key that the settings of every guest name."""

from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from common.auth.directory import table_key
from common.files import write_privately
from demo.floor import staff_book
from meter.staff.keeper import KEY_FILE, STAFF_FILE, StaffKeeper

_KEY: Final = Ed25519PrivateKey.from_private_bytes(b"\x02" * 32)
STAFF_KEY: Final = table_key(_KEY)
"""What a guest's table.toml names."""


def give_staff(folder: Path) -> None:
    """The meter with this folder knows the demo's people by their PINs."""
    write_privately(folder / KEY_FILE, _KEY.private_bytes_raw().hex().encode())
    write_privately(folder / STAFF_FILE, StaffKeeper(folder, lambda: 0).content(staff_book()))
