"""When a table may say that nothing is in hand: nobody's wager, claim, envy or refund is open, and none can come."""

import pytest

from games.round.events import (
    ChipPlaced,
    ChipsCounted,
    EndOfRoundPressed,
    HandClaimed,
    IrregularityNoted,
    LinkLost,
    LinkRestored,
    LockOutPressed,
    RefundsConfirmed,
    TableClosed,
    WagersRegistered,
)
from games.round.outputs import is_at_rest
from tests.support.games.pit import FLOP, FLUSH, PaperTable, table_rules


def rests(table: PaperTable) -> bool:
    """Whether this table is at rest."""
    return is_at_rest(table.rules, table.state)


def test_a_round_is_in_hand_from_its_first_chip_to_its_end() -> None:
    """Lost link or not: whoever has a light has something to win."""
    table = PaperTable()
    table.must(LinkLost("the link is stopped"))
    assert rests(table)
    table.must(LinkRestored(), ChipPlaced(3), LinkLost("the link is stopped"))
    assert not rests(table)
    for event in (LockOutPressed(), ChipsCounted(1), WagersRegistered(1), HandClaimed(3, FLUSH, FLOP)):
        table.must(event)
        assert not rests(table)


@pytest.mark.parametrize(("queues", "refused"), [(False, False), (False, True), (True, False), (True, True)])
def test_a_table_without_wagers_rests_only_while_it_takes_none(queues: bool, refused: bool) -> None:
    """One that may play on without its meter rests only where the meter is there and does not let it play."""
    table = PaperTable(table_rules(queue_when_link_lost=queues))
    assert not rests(table)
    table.must(LinkLost("the link is stopped", refused=refused))
    assert rests(table) is (refused or not queues)
    table.must(TableClosed("Ann", "the link ends"))
    assert rests(table) is (refused or not queues)


def test_a_round_that_is_over_rests() -> None:
    """What it registered may still wait for the meter; its number tells."""
    table = PaperTable()
    table.deal(3)
    table.must(LinkLost("the link is stopped"))
    assert not rests(table)
    table.must(EndOfRoundPressed())
    assert rests(table)


def test_refunds_that_are_due_are_in_hand() -> None:
    """A void round is over for its players when they have their chips back."""
    table = PaperTable()
    table.deal(3)
    table.must(LinkLost("the link is stopped"), IrregularityNoted("misdeal", by="Sue"))
    assert not rests(table)
    table.must(RefundsConfirmed("Sue"), EndOfRoundPressed())
    assert rests(table)
