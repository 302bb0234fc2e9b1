"""Messages between a board and the fleet server; the board always speaks first."""

from typing import Final

from msgspec import Struct

from common.board_health import BoardHealth

REPORT_PATH: Final = "/fleet/report"
BUNDLE_PATH: Final = "/fleet/bundle"
LOGS_PATH: Final = "/fleet/logs"
MOST_REPORT_BYTES: Final = 65_536
MOST_LOG_BYTES: Final = 8 * 2**20


class BoardReport(Struct, frozen=True):
    """What a board says of itself.

    flashing is the version of a flash under way, at_step its step. order is the last order that the board has acted
    on, problem why that failed; trouble is what it tries again by itself.
    """

    board: str
    version: str
    platform: str
    program_hash: str = ""
    settings_hash: str = ""
    phase: str = ""
    is_well: bool = True
    health: BoardHealth = BoardHealth()
    flashing: str = ""
    at_step: str = ""
    last_flash: str = ""
    order: int = 0
    problem: str = ""
    trouble: str = ""


class FlashOrder(Struct, frozen=True):
    """What a board is to run, and the file it comes in; another try has another number."""

    number: int
    version: str
    size: int
    sha256: str


class FleetReply(Struct, frozen=True):
    """The server's answer to a report."""

    order: FlashOrder | None = None
    wants_logs: bool = False
