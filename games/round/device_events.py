"""What a table notices of its devices, its link and its people, whatever its round is doing."""

from typing import Final, TypeAlias

from msgspec import Struct

NOT_YET: Final = "the meter has not answered yet"
"""Why a table that wakes up has no link: nobody knows whether its meter is lost, or refuses it."""


class Fact(Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """What every event shares: its class name is its tag in the journal."""


class SupervisorKeyTurned(Fact, frozen=True):
    """The supervisor's key was turned on or off."""

    on: bool


class DeviceFaulted(Fact, frozen=True, omit_defaults=True):
    """A device is wrong; seat 0 means the whole table, wager the sensor of this one wager at the seat."""

    device: str
    kind: str
    detail: str
    seat: int = 0
    wager: str = ""


class DeviceMended(Fact, frozen=True, omit_defaults=True):
    """A fault's cause was tested again and is gone; proof is what the test showed, where it is worth telling.

    chips_out came out of the return device in this test and are in no count.
    """

    device: str
    proof: str = ""
    chips_out: int = 0


class LinkLost(Fact, frozen=True, omit_defaults=True):
    """The meter cannot be reached, or (refused) it is there and does not let this table play."""

    reason: str
    refused: bool = False


class LinkRestored(Fact, frozen=True):
    """The meter answers again."""


class AwardsHeld(Fact, frozen=True):
    """The meter holds percentage awards until management has put the tables that claim them in order."""

    reason: str


class AwardsFreed(Fact, frozen=True):
    """The meter holds nothing of this table's any more."""


class PanelUsed(Fact, frozen=True):
    """Somebody did something at the table that is no business of the round: signed in, tested a device, …"""

    by: str
    action: str
    detail: str = ""


Notice: TypeAlias = (
    SupervisorKeyTurned | DeviceFaulted | DeviceMended | LinkLost | LinkRestored | AwardsHeld | AwardsFreed | PanelUsed
)
