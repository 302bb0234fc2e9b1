"""The [panel] part of a table's settings: where the pages are served and how supervisors show themselves."""

from pathlib import Path

from msgspec import Struct

from common.settings import Section
from common.tls import LOOPBACK, PagesTls, read_tls


class PanelSettings(Struct, frozen=True):
    """Where the control interface and the pages listen: on loopback, and elsewhere only with TLS."""

    host: str
    port: int
    staff: str = ""
    supervisor: str = "pin"
    tls: PagesTls | None = None

    def staff_file(self, state_dir: str) -> Path:
        """Where names and PINs are."""
        return Path(self.staff) if self.staff else Path(state_dir) / "staff.json"


def read_panel(section: Section, *, key_fitted: bool) -> PanelSettings:
    """Reads [panel]; a key that is not fitted cannot stand for a supervisor."""
    settings = PanelSettings(
        host=section.choice("host", LOOPBACK, LOOPBACK[0]),
        port=section.whole("port", 8080, low=0, high=65_535),
        staff=section.optional_text("staff", meaning="the path of the staff file") or "",
        supervisor=section.choice("supervisor", ("pin", "key"), "pin"),
        tls=read_tls(section, port=8443),
    )
    if settings.supervisor == "key" and not key_fitted:
        section.fault("supervisor", 'no key switch is fitted; write "pin", or name the pin of [supervisor] key')
    return settings
