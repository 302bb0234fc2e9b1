"""What must be known of a hopper before it can be spoken to."""

from enum import Enum

from msgspec import Struct

from drivers.cctalk.bus import BusSettings
from drivers.cctalk.frame import Checksum


class Security(Enum):
    """What a hopper wants to see in a dispense command."""

    CIPHER = "cipher"  # eight bytes of any kind, but its cipher key must have been asked for just before
    SERIAL = "serial"  # its own serial number


class HopperSettings(Struct, frozen=True):
    """One hopper on one port."""

    port: str
    address: int = 3
    checksum: Checksum = Checksum.SIMPLE
    echo: bool = True
    baud: int = 9600
    security: Security = Security.CIPHER
    level_sensor: bool = False  # a low-level plate is fitted: it tells a bridge of chips from an empty hopper
    payout_timeout_ms: int = 0  # how long the hopper turns in vain before it gives up; 0 leaves its own value
    poll_ms: int = 200
    reply_timeout_ms: int = 250
    gap_ms: int = 50
    retries: int = 3
    restart_ms: int = 500  # from a reset until its exit has been tested again
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
        )
