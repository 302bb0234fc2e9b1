"""The tls part of a daemon's settings: where its pages, and only its pages, are served to other machines."""

import ssl
from pathlib import Path
from typing import Final

from msgspec import Struct

from common.settings import Section

LOOPBACK: Final = ("127.0.0.1", "::1")
MOST_SIGNS: Final = 64
_ADDRESS: Final = r"[0-9a-fA-F.:]+"


class PagesTls(Struct, frozen=True):
    """Where other machines find the pages."""

    host: str
    port: int
    certificate: str
    key: str
    signs: tuple[str, ...] = ()
    """Addresses of players' signs, which have places of their own."""

    def context(self) -> ssl.SSLContext:
        """TLS 1.2 or newer with our certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self.certificate, self.key)
        return context


def read_tls(section: Section, *, port: int) -> PagesTls | None:
    """Reads the section's tls part, if it has one; a certificate that does not go with its key is a fault."""
    return _read(section.section("tls"), port) if section.has("tls") else None


def _read(section: Section, port: int) -> PagesTls:
    tls = PagesTls(
        host=section.text("host", pattern=r"[A-Za-z0-9.:_-]+", meaning="the address to listen on, such as 0.0.0.0"),
        port=section.whole("port", port, low=0, high=65_535),
        certificate=_file(section, "certificate"),
        key=_file(section, "key"),
        signs=section.texts("signs", pattern=_ADDRESS, meaning="an address such as 10.0.4.21", most=MOST_SIGNS)
        if section.has("signs")
        else (),
    )
    if section.is_sound("certificate") and section.is_sound("key"):
        _check(section, tls)
    return tls


def _check(section: Section, tls: PagesTls) -> None:
    try:
        tls.context()
    except PermissionError:
        return  # only the process of network pages may read the key
    except (ssl.SSLError, OSError) as error:
        section.fault("certificate", f"does not go with its key ({error}); write the paths of a pair in PEM form")


def _file(section: Section, key: str) -> str:
    path = section.text(key, meaning="the path of a PEM file")
    try:
        is_missing = bool(path) and not Path(path).is_file()
    except PermissionError:
        is_missing = False  # only the process of network pages may look there
    if is_missing:
        section.fault(key, f"there is no file {path}; write the path of an existing one")
    return path
