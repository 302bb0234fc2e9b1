"""Broker settings: the [broker] part of a settings file, TLS included."""

import re
import ssl
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from common.settings import Section

_PLACE: Final = "{identity}"
_OTHERS: Final = {r"meter-": "a link's meter", r"bridge-": "the broker of a branch", r"observer\Z": "an observer"}


class Tls(Struct, frozen=True):
    """Certificate files: whom we trust and who we are; read again at every connection, so that they can be changed."""

    ca: str
    certificate: str
    key: str


class BrokerSettings(Struct, frozen=True):
    """Where the broker is and how we show ourselves to it."""

    host: str
    port: int = 1883
    keepalive_s: int = 5
    tls: Tls | None = None
    username: str | None = None
    password_file: str | None = None

    @property
    def address(self) -> str:
        """How people write it."""
        return f"{self.host}:{self.port}"

    @property
    def password(self) -> str | None:
        """As it stands in its file now."""
        return Path(self.password_file).read_text(encoding="utf-8").strip() if self.password_file else None

    def known_as(self, identity: str) -> "BrokerSettings":
        """The same broker for one of several connections: {identity} in a path becomes its name."""
        tls = self.tls and Tls(
            *(path.replace(_PLACE, identity) for path in (self.tls.ca, self.tls.certificate, self.tls.key))
        )
        return replace(self, tls=tls, password_file=self.password_file and self.password_file.replace(_PLACE, identity))


def refuse_names_of_others(section: Section, key: str, tables: Sequence[str]) -> None:
    """No table is called what the broker's access list calls somebody else: it would have his rights (R45)."""
    for name, who in [(name, who) for name in tables for start, who in _OTHERS.items() if re.match(start, name)]:
        problem = f'"{name}" is {who} to the broker, and a table of that name would have its rights; name it otherwise'
        section.fault(key, problem, "R45")


def read_broker(section: Section, *, identities: Sequence[str] = ("",)) -> BrokerSettings:
    """Reads [broker]; every file must be there for everyone who will connect."""
    has_tls = section.has("tls")
    broker = BrokerSettings(
        host=section.text("host", "127.0.0.1", pattern=r"[A-Za-z0-9.:_-]+", meaning="a host name or address"),
        port=section.whole("port", 8883 if has_tls else 1883, low=1, high=65_535),
        keepalive_s=section.whole("keepalive_s", 5, low=1, high=60),
        tls=_read_tls(section.section("tls"), identities) if has_tls else None,
        username=section.optional_text("username", meaning="the name the broker knows us by"),
        password_file=_file(section, "password_file", identities) if section.has("password_file") else None,
    )
    if broker.password_file and broker.username is None:
        section.fault("username", 'missing beside password_file; add username = "…"')
    return broker


def tls_context(tls: Tls) -> ssl.SSLContext:
    """The certificates as they are on disk now."""
    context = ssl.create_default_context(ssl.Purpose.SERVER_AUTH, cafile=tls.ca)
    context.load_cert_chain(tls.certificate, tls.key)
    return context


def _read_tls(section: Section, identities: Sequence[str]) -> Tls:
    return Tls(*(_file(section, key, identities) for key in ("ca", "certificate", "key")))


def _file(section: Section, key: str, identities: Sequence[str]) -> str:
    template = section.text(key, meaning="the path of a file")
    for path in dict.fromkeys(template.replace(_PLACE, identity) for identity in identities):
        if path and not Path(path).is_file():
            section.fault(key, f"there is no file {path}; write the path of an existing one")
    return template
