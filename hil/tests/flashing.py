"""What a technician does to flash the bench's board, and what he looks at afterwards."""

from hil.rig import Rig

FLASH_S = 1500


def running(rig: Rig) -> str:
    """The version in force."""
    return rig.must("readlink", "/opt/pitlink/current").strip().rpartition("/")[2]


def flash(rig: Rig, version: str) -> int | None:
    """Brings a bundle to the board and flashes it; how the unit ended."""
    rig.must("cp", f"/opt/bench/{version}.pitlink", "/var/lib/pitlink-flash/bundles/")
    return rig.run("systemctl", "start", f"pitlink-flash@{version}.service", within_s=FLASH_S).code


def leftovers(rig: Rig) -> list[str]:
    """Everything below /opt/pitlink that is not there at rest."""
    return [name for name in rig.must("ls", "/opt/pitlink").split() if name not in {"versions", "current"}]
