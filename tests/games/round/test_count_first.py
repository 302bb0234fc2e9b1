"""Count, then close: the order of three card poker (20.13(b)) and blackjack (2.19(b)), by return device and by eye."""

import pytest

from games.round.effects import AddWagers, Collect, Light
from games.round.events import (
    ChipLifted,
    ChipPlaced,
    ChipsAttested,
    ChipsCounted,
    CloseAsked,
    CollectionStarted,
    CouponAccepted,
    CouponRedeemed,
    CouponReturned,
    EndOfRoundPressed,
    HandClaimed,
    IrregularityNoted,
    LockOutPressed,
    MismatchExplained,
    RecountAsked,
    RefundsConfirmed,
    SeatFolded,
    TableClosed,
    WagersRegistered,
)
from games.round.phases import PHASE_TABLES, Order, diagram
from games.round.state import Phase
from games.round.step import at_boot
from games.round.table_rules import TableRules
from tests.support.games.pit import PaperTable, table_rules

THREE_CARD = table_rules("A", name="three-card-poker")
BLACKJACK = table_rules("base", name="blackjack")
BY_EYE = table_rules("A", name="three-card-poker", by_eye=True)


@pytest.fixture(params=[THREE_CARD, BLACKJACK], ids=["three-card-poker", "blackjack"])
def table(request: pytest.FixtureRequest) -> PaperTable:
    """An open table of either game, with a return device."""
    return PaperTable(request.param)


def counts_clause(rules: TableRules) -> str:
    """The clause that asks for the count first."""
    return {"three-card-poker": "20.13(b)", "blackjack": "2.19(b)"}[rules.game.name]


def test_20_13_b_nothing_is_registered_before_the_count_agrees(table: PaperTable) -> None:
    """The button has the chips counted; only a count that equals the lights closes and registers the wagers (S-33)."""
    table.must(ChipPlaced(3), ChipPlaced(5), LockOutPressed())
    assert (table.phase, table.orders[-1], table.entries) == (Phase.COUNTING, Collect(), [])
    table.must(ChipsCounted(2))
    assert table.phase is Phase.COUNTED
    assert table.entries[-1].entry == AddWagers(1, 100, (3, 5), ())
    assert table.open_gates == []


def test_20_13_b_until_then_a_wager_may_still_be_made_and_the_count_begins_again(table: PaperTable) -> None:
    """Gates stay open while chips are counted; a count that a wager overtook is not the count of the round (S-33)."""
    table.must(ChipPlaced(3), LockOutPressed(), CollectionStarted("hopper", 7))
    assert table.open_gates == [1, 2, 4, 5, 6, 7]
    before = table.state.counts
    table.must(ChipPlaced(5))
    assert table.lit == [3, 5]
    assert table.phase is Phase.COUNTING
    assert table.state.counts == before + 1
    assert table.orders[-1] == Collect()
    assert table.state.collection is not None
    assert table.state.collection.count == 7, "chips are counted from where this round's first count began"
    table.must(ChipsCounted(2))
    assert table.entries[-1].entry == AddWagers(1, 100, (3, 5), ())


def test_20_13_b_a_wager_withdrawn_while_chips_are_counted_leaves_no_trace(table: PaperTable) -> None:
    """A chip lifted from its sensor before the close is no wager, and is not registered (S-33)."""
    table.must(ChipPlaced(3), ChipPlaced(5), LockOutPressed(), ChipLifted(3))
    assert table.lit == [5]
    assert table.orders.count(Collect()) == 2
    table.must(ChipsCounted(1))
    assert table.entries[-1].entry == AddWagers(1, 100, (5,), ())


def test_a_lift_where_no_wager_lies_does_not_disturb_the_count(table: PaperTable) -> None:
    """Only what changes the lights makes the count begin again."""
    table.must(ChipPlaced(3), LockOutPressed(), ChipLifted(5))
    assert table.orders.count(Collect()) == 1


def test_20_13_b_coupons_come_and_go_until_the_count_agrees() -> None:
    """A coupon lights its seat and is counted apart, also while chips are counted (S-33)."""
    table = PaperTable(THREE_CARD)
    table.must(ChipPlaced(3), LockOutPressed(), CouponRedeemed(5, "C-1"), CouponRedeemed(6, "C-2"))
    table.must(CouponAccepted(1), CouponAccepted(2), CouponReturned(6))
    table.must(ChipsCounted(1))
    assert table.entries[-1].entry == AddWagers(1, 100, (3, 5), (5,))


def test_20_6_d_a_chip_after_no_more_bets_stays_dark_and_is_flagged() -> None:
    """The sensor saw it, the table did not recognise it (1.10A(d)2)."""
    table = PaperTable(THREE_CARD)
    table.must(ChipPlaced(3), LockOutPressed(), ChipsCounted(1))
    assert table.refusal(ChipPlaced(4)).rule == "20.6(d)"
    assert table.refusal(CouponRedeemed(4, "C-1")).rule == "20.6(d)"
    assert table.lit == [3]
    assert table.state.flagged == (4,)


def test_2_19_b_a_chip_after_no_more_bets_stays_dark_and_is_flagged() -> None:
    """Blackjack closes its wagers with the same count (S-53)."""
    table = PaperTable(BLACKJACK)
    table.must(ChipPlaced(3), LockOutPressed(), ChipsCounted(1))
    assert table.refusal(ChipPlaced(4)).rule == "2.19(b)"
    assert table.state.flagged == (4,)


def test_2_19_b_blackjack_takes_no_coupons() -> None:
    """The rule knows only a one dollar chip in the acceptor (S-53)."""
    assert PaperTable(BLACKJACK).refusal(CouponRedeemed(3, "C-1")).rule == "2.19(b)"


def test_a_chip_lifted_after_the_close_changes_nothing_but_is_flagged(table: PaperTable) -> None:
    """20.6(d): no wager is withdrawn after no more bets."""
    table.must(ChipPlaced(3), LockOutPressed(), ChipsCounted(1), ChipLifted(3))
    assert table.lit == [3]
    assert table.state.flagged == (3,)


def test_20_13_b_a_differing_count_stands_still_until_it_is_explained(table: PaperTable) -> None:
    """Chips and lights differ: no wager comes in until the supervisor's explanation closes the wagers (S-33)."""
    table.must(ChipPlaced(3), ChipPlaced(5), LockOutPressed())
    clause = counts_clause(table.rules)
    assert table.refusal(ChipsCounted(1)).rule == clause
    assert table.phase is Phase.COUNTING
    assert table.open_gates == []
    assert table.refusal(ChipPlaced(6)).rule == clause
    assert table.refusal(EndOfRoundPressed()).rule == clause
    assert table.entries == []
    table.must(MismatchExplained("Sue", "seat 5 had nothing in his slot", (5,)))
    assert table.entries[-1].entry == AddWagers(1, 100, (3,), ())


def test_20_13_b_a_recount_or_a_withdrawal_settles_a_differing_count(table: PaperTable) -> None:
    """Cleared and run again, or taken back by the player: the gates are open while chips are counted again (S-33)."""
    table.must(ChipPlaced(3), ChipPlaced(5), LockOutPressed())
    table.do(ChipsCounted(1))
    table.must(RecountAsked("Dan"))
    assert table.open_gates == [1, 2, 4, 6, 7]
    table.do(ChipsCounted(1))
    table.must(ChipLifted(5))
    table.must(ChipsCounted(1))


def test_the_table_wakes_up_counting(table: PaperTable) -> None:
    """After a power cut the count goes on; one that differed waits for people."""
    table.must(ChipPlaced(3), LockOutPressed())
    assert Collect() in at_boot(table.rules, table.state)
    table.do(ChipsCounted(0))
    assert Collect() not in at_boot(table.rules, table.state)


def test_hands_cannot_fall_before_the_count(table: PaperTable) -> None:
    """What was not dealt cannot win, fold or end."""
    table.must(ChipPlaced(3), LockOutPressed())
    for event in (HandClaimed(3, hand="straight"), SeatFolded(3), EndOfRoundPressed(), LockOutPressed()):
        table.refusal(event)
    assert table.phase is Phase.COUNTING


def test_a_jammed_count_can_be_voided_and_refunded(table: PaperTable) -> None:
    """Nothing was registered, and everybody gets his chip back."""
    table.must(ChipPlaced(3), LockOutPressed(), IrregularityNoted("misdeal", "Sue"))
    assert table.open_gates == []
    table.must(RefundsConfirmed("Dan"), EndOfRoundPressed())
    assert table.entries == []


def test_a_table_that_is_to_close_takes_no_more_chips_while_it_counts(table: PaperTable) -> None:
    """The round in hand is finished first."""
    table.must(ChipPlaced(3), LockOutPressed(), CloseAsked("Sue", "night"))
    assert table.open_gates == []
    table.must(ChipsCounted(1), EndOfRoundPressed(), TableClosed("Sue", "night"))
    assert table.phase is Phase.CLOSED


def test_a_losing_round_costs_two_presses(table: PaperTable) -> None:
    """Count, end of round; without wagers just the same."""
    table.must(LockOutPressed(), ChipsCounted(0), EndOfRoundPressed())
    table.next_round()
    table.must(ChipPlaced(2), LockOutPressed(), ChipsCounted(1), EndOfRoundPressed())
    assert len(table.entries) == 1


def test_20_13_b_by_eye_the_dealers_press_is_his_word_and_closes_the_wagers() -> None:
    """No machine counted, and the book says so; two presses still make a round (S-33)."""
    table = PaperTable(BY_EYE)
    table.must(ChipPlaced(3), ChipPlaced(5), CouponRedeemed(6, "C-1"), CouponAccepted(1))
    assert table.lights[4] is Light.OPEN
    table.must(ChipsAttested(2))
    assert table.phase is Phase.COUNTED
    assert (table.state.counted, table.state.by_eye) == (2, True)
    assert table.entries[-1].entry == AddWagers(1, 100, (3, 5, 6), (6,))
    assert Collect() not in table.orders
    table.must(WagersRegistered(2), EndOfRoundPressed())
    table.next_round()
    assert not table.state.by_eye


def test_20_13_b_by_eye_means_one_chip_at_each_light() -> None:
    """A word that does not fit the lights is refused, and nothing is registered (S-33)."""
    table = PaperTable(BY_EYE)
    table.must(ChipPlaced(3))
    assert table.refusal(ChipsAttested(2)).rule == "20.13(b)"
    assert table.phase is Phase.OPEN
    assert table.entries == []


def test_a_table_with_a_return_device_takes_no_word_and_one_without_no_count() -> None:
    """Each table closes its wagers in one way only."""
    PaperTable(THREE_CARD).refusal(ChipsAttested(0))
    PaperTable(table_rules()).refusal(ChipsAttested(0))
    PaperTable(BY_EYE).refusal(LockOutPressed())


@pytest.mark.parametrize(
    ("order", "way"),
    [
        ("lock_then_count", "OPEN --> LOCKED: LockOutPressed"),
        ("count_then_lock", "OPEN --> COUNTING: LockOutPressed"),
        ("by_eye", "OPEN --> COUNTED: ChipsAttested"),
    ],
)
def test_each_order_has_its_own_diagram(order: Order, way: str) -> None:
    """Only the phases that such a table knows are drawn."""
    drawn = {name: diagram(table) for name, table in PHASE_TABLES.items()}
    assert [name for name, picture in drawn.items() if way in picture] == [order]
    assert ("COUNTING" in drawn[order]) == (order == "count_then_lock")
    assert ("LOCKED" in drawn[order]) == (order == "lock_then_count")
    assert "OPEN --> VOIDED: RoundVoided" in drawn[order]
    assert "COUNTED --> VOIDED" not in drawn[order], "what is registered is settled"
