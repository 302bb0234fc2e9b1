"""Settings of a fleet: the server's file, and where a board finds the server."""

import ssl
from pathlib import Path
from typing import Final

from msgspec import Struct

from common.settings import Section, open_settings

FLEET_PORT: Final = 8494
MOST_BOARDS: Final = 2_000
_NAME: Final = r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}"


class FleetAddress(Struct, frozen=True):
    """Where a board finds the fleet server."""

    host: str
    port: int = FLEET_PORT


class FleetSettings(Struct, frozen=True):
    """Everything a fleet server is told; boards are the names in the boards' certificates."""

    folder: Path
    host: str
    port: int
    ca: str
    certificate: str
    key: str
    trust: Path
    boards: tuple[str, ...]

    def context(self) -> ssl.SSLContext:
        """TLS for boards with a certificate of the house's authority, and for nobody else."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=self.ca)
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_cert_chain(self.certificate, self.key)
        return context


def read_address(section: Section) -> FleetAddress:
    """Reads a board's [fleet]."""
    return FleetAddress(
        host=section.text("host", pattern=r"[A-Za-z0-9.:_-]+", meaning="the fleet server's name or address"),
        port=section.whole("port", FLEET_PORT, low=1, high=65_535),
    )


def read_fleet_settings(path: Path) -> FleetSettings:
    """Reads a fleet server's file; raises SettingsError with every fault in it."""
    file = open_settings(path)
    root = file.root
    settings = FleetSettings(
        folder=Path(root.text("folder", "/var/lib/pitlink-fleet", meaning="a folder for reports, bundles and logs")),
        host=root.text("host", "0.0.0.0", pattern=r"[A-Za-z0-9.:_-]+", meaning="the address to listen on"),  # noqa: S104  boards come from other machines
        port=root.whole("port", FLEET_PORT, low=0, high=65_535),
        ca=_file(root, "ca"),
        certificate=_file(root, "certificate"),
        key=_file(root, "key"),
        trust=Path(root.text("trust", "/etc/pitlink/trust", meaning="the folder of the keys that boards trust")),
        boards=root.texts("boards", pattern=_NAME, meaning="a board's name, such as T1", most=MOST_BOARDS),
    )
    file.finish()
    return settings


def _file(section: Section, key: str) -> str:
    path = section.text(key, meaning="the path of a PEM file")
    if path and not Path(path).is_file():
        section.fault(key, f"there is no file {path}; write the path of an existing one")
    return path
