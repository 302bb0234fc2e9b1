"""What faults, logs and people call the devices of a table."""

from typing import Final

LOCK_OUT: Final = "lock-out button"
LOCK_OUT_LAMP: Final = "lock-out button's lamp"
END_OF_ROUND: Final = "end-of-round button"
BONUS_BUTTON: Final = "bonus button"
SUPERVISOR_KEY: Final = "supervisor key"
RETURN_DEVICE: Final = "return device"
JOURNAL: Final = "journal"


def wager_device(seat: int, wager: str) -> str:
    """The sensor of a side wager at a seat."""
    return f"seat {seat} {wager.replace('_', ' ')} sensor"


def seat_device(seat: int) -> str:
    """A seat's acceptor."""
    return f"seat {seat} acceptor"
