"""The link to the meter as people see it."""

from msgspec import Struct

from games.money import Cents


class LinkView(Struct, frozen=True):
    """What people may see of the link."""

    name: str
    up: bool
    reason: str
    amount_cents: Cents
    notice: str
    waiting: int
    detail: str  # what the network said, for technicians
