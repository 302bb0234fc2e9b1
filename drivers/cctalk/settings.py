"""A ccTalk wire and its hopper and acceptors, as a table's settings name them."""

from collections.abc import Mapping
from enum import Enum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from common.settings import Section
from drivers.cctalk.acceptor import AcceptorAddress
from drivers.cctalk.bus import BusSettings
from drivers.cctalk.frame import Checksum


class Security(Enum):
    """What a hopper wants to see in a dispense command."""

    CIPHER = "cipher"  # eight bytes of any kind, but its cipher key must have been asked for just before
    SERIAL = "serial"  # its own serial number
    NONE = "none"  # eight bytes of any kind, and it has no cipher key to be asked for


class HopperSettings(Struct, frozen=True):
    """One hopper on one port."""

    port: str
    address: int = 3
    checksum: Checksum = Checksum.SIMPLE
    echo: bool = True
    baud: int = 9600
    security: Security = Security.CIPHER
    pin: str = ""  # four bytes in hexadecimal that unlock a hopper with a PIN, after each restart
    level_sensor: bool = False  # a low-level plate is fitted: it tells a bridge of chips from an empty hopper
    payout_timeout_ms: int = 0  # how long the hopper turns in vain before it gives up; 0 leaves its own value
    poll_ms: int = 200
    reply_timeout_ms: int = 250
    gap_ms: int = 50
    retries: int = 3
    busy_ms: int = 3000
    restart_ms: int = 1500  # from a reset until it hears again and its exit has been tested
    stall_ms: int = 15_000  # a payout that stands still for longer than any hopper's own timeout

    @property
    def wire(self) -> BusSettings:
        """The part that the wire needs."""
        return BusSettings(
            port=self.port,
            baud=self.baud,
            checksum=self.checksum,
            echo=self.echo,
            reply_timeout_ms=self.reply_timeout_ms,
            gap_ms=self.gap_ms,
            retries=self.retries,
            busy_ms=self.busy_ms,
        )


_PIN: Final = "four bytes in eight hexadecimal digits, such as 31323334 for 1234 in ASCII"
_PORT: Final = "a serial port such as /dev/serial/by-id/…"


def read_hopper(section: Section) -> HopperSettings:
    """Reads [return_device] of kind cctalk."""
    return HopperSettings(
        port=section.text("port", meaning=_PORT),
        address=_address(section, 3),
        checksum=_checksum(section, Checksum.SIMPLE),
        echo=section.flag("echo", default=True),
        baud=_baud(section, 9600),
        security=Security(section.choice("security", tuple(kind.value for kind in Security), Security.CIPHER.value)),
        pin=section.optional_text("pin", pattern="[0-9A-Fa-f]{8}", meaning=_PIN) or "",
        level_sensor=section.flag("level_sensor", default=False),
        payout_timeout_ms=section.whole("payout_timeout_ms", 0, low=0, high=85_000),
        poll_ms=section.whole("poll_ms", 200, low=1, high=2000),
        reply_timeout_ms=section.whole("reply_timeout_ms", 250, low=10, high=5000),
        gap_ms=section.whole("gap_ms", 50, low=5, high=1000),
        retries=section.whole("retries", 3, low=0, high=10),
        busy_ms=section.whole("busy_ms", 3000, low=0, high=60_000),
        restart_ms=section.whole("restart_ms", 1500, low=0, high=10_000),
        stall_ms=section.whole("stall_ms", 15_000, low=1000, high=120_000),
    )


def read_acceptor(section: Section) -> AcceptorAddress:
    """Reads a [[seat]] whose acceptor is cctalk."""
    return AcceptorAddress(
        address=section.whole("address", low=2, high=255), coins=section.wholes("coins", (1,), low=1, high=16, most=16)
    )


def read_wire(section: Section, hopper: BusSettings | None) -> BusSettings:
    """Reads [acceptors]; what is left out is as on the return device's wire, where there is one."""
    usual = hopper or BusSettings(port="")
    port = section.text("port", usual.port, meaning=_PORT) if hopper else section.text("port", meaning=_PORT)
    wire = replace(
        usual,
        port=port,
        baud=_baud(section, usual.baud),
        checksum=_checksum(section, usual.checksum),
        echo=section.flag("echo", default=usual.echo),
    )
    if hopper is not None and wire.port == hopper.port and wire != hopper:
        section.fault("port", f"{port} is the return device's wire, too; leave out what differs from [return_device]")
    return wire


def check_addresses(root: Section, addresses: Mapping[str, int]) -> None:
    """Faults for two devices of one wire with one address; addresses by their keys in the settings."""
    taken: dict[int, str] = {}
    for key, address in addresses.items():
        if address in taken:
            root.fault(key, f"address {address} is that of {taken[address]}, too; give one of them another address")
        else:
            taken[address] = key.rpartition(".")[0]


def _address(section: Section, usual: int) -> int:
    return section.whole("address", usual, low=2, high=255)


def _checksum(section: Section, usual: Checksum) -> Checksum:
    return Checksum(section.choice("checksum", tuple(kind.value for kind in Checksum), usual.value))


def _baud(section: Section, usual: int) -> int:
    return section.whole("baud", usual, low=4800, high=115_200)
