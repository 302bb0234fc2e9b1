"""The [floor] part of a meter's settings: who may use its page, and where other machines find it."""

from pathlib import Path
from typing import Final

from msgspec import Struct

from common.settings import Section
from common.tls import PagesTls, read_tls

_WITHOUT_A_FILE: Final = Path("/var/lib/pitlink/meter")  # of the meter's unit


class FloorSettings(Struct, frozen=True):
    """What the floor's page is told; on this machine it is served on the meter's control_port."""

    staff: str = ""
    tls: PagesTls | None = None

    def staff_file(self, store: str) -> Path:
        """Where names and PINs are: beside the ledger, unless told otherwise."""
        beside = _WITHOUT_A_FILE if is_postgres(store) else Path(store).parent
        return Path(self.staff) if self.staff else beside / "staff.json"

    def attempts_file(self, store: str) -> Path:
        """Where wrong PINs are counted."""
        return self.staff_file(store).with_name("attempts.json")


def read_floor(section: Section) -> FloorSettings:
    """Reads [floor]."""
    staff = section.optional_text("staff", meaning="the path of the staff file") or ""
    return FloorSettings(staff, read_tls(section, port=8493))


_POSTGRES: Final = ("postgresql://", "postgres://")


def is_postgres(address: str) -> bool:
    """Whether this is the address of a database and not a path."""
    return address.startswith(_POSTGRES)
