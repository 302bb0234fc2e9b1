"""What the panel offers now, and what it says beside it."""

from controller.web.actions import table_offers
from games.round.events import HandClaimed, PayoutConfirmed
from tests.support.games.pit import PaperTable, table_rules


def notes_of_payments(table: PaperTable) -> dict[int, str]:
    """What stands beside each payment that is offered, by seat."""
    return {offer.seat: offer.note for offer in table_offers(table.rules, table.state) if offer.action == "pay"}


def test_20_10_c_a_rack_win_out_of_order_is_offered_with_a_warning() -> None:
    """The meter does not depend on it, so that it is no refusal; the first in order has none."""
    table = PaperTable(table_rules("A", name="three-card-poker"))
    table.deal(2, 6)
    table.must(HandClaimed(2, ("4s", "5h", "6d")), HandClaimed(6, ("9s", "9h", "9d")))
    assert notes_of_payments(table) == {6: "from the rack", 2: "out of order: seat 6 comes first"}
    table.must(PayoutConfirmed(6, "Dan"))
    assert notes_of_payments(table) == {2: "from the rack"}
