"""The round of Texas hold 'em bonus, clause by clause: from the chip to the meter."""

import pytest

from games.round.effects import AddWagers, Collect, Light, OpenNextRound
from games.round.events import (
    ChipLifted,
    ChipPlaced,
    ChipsCounted,
    CollectionStarted,
    CouponAccepted,
    CouponRedeemed,
    CouponReturned,
    EndOfRoundPressed,
    HandClaimed,
    LockOutPressed,
    MismatchExplained,
    RecountAsked,
    WagersRegistered,
)
from games.round.state import Phase
from tests.support.games.pit import FLOP, FLUSH, PaperTable


@pytest.fixture
def table() -> PaperTable:
    return PaperTable()


def test_1_13q_e_1_a_light_confirms_each_accepted_chip(table: PaperTable) -> None:
    """Insertion and acceptance light the seat; the others stay open to wager."""
    table.must(ChipPlaced(3))
    assert table.lights[3] is Light.LIT
    assert table.lights[4] is Light.OPEN
    assert table.open_gates == [1, 2, 4, 5, 6, 7]


def test_1_13q_e_3_lock_out_shuts_every_gate(table: PaperTable) -> None:
    """Once pressed, no player can deposit a chip."""
    table.must(ChipPlaced(3), LockOutPressed())
    assert table.open_gates == []
    assert table.lights == {3: Light.LIT}


def test_28_6_b_a_chip_after_lock_out_stays_dark(table: PaperTable) -> None:
    """Nothing becomes a wager once the dealer has pressed lock-out; the seat is flagged."""
    table.must(ChipPlaced(3), LockOutPressed())
    assert table.refusal(ChipPlaced(4)).rule == "28.6(b)"
    assert table.lit == [3]
    assert table.state.flagged == (4,)


def test_28_6_c_one_wager_a_seat(table: PaperTable) -> None:
    """A second chip at a lit seat is no wager (S-15)."""
    table.must(ChipPlaced(3))
    assert table.refusal(ChipPlaced(3)).rule == "28.6(c)"
    assert table.refusal(CouponRedeemed(3, "C-1")).rule == "28.6(c)"
    assert len(table.state.wagers) == 1


def test_28_6_c_a_coupon_is_a_wager_counted_apart(table: PaperTable) -> None:
    """A coupon lights its seat and goes to the meter, but no chip is expected for it (S-15)."""
    table.must(ChipPlaced(3), CouponRedeemed(5, "C-1"), CouponAccepted(1), LockOutPressed(), ChipsCounted(1))
    assert table.lit == [3, 5]
    assert table.entries[-1].entry == AddWagers(1, 100, (3, 5), (5,))


def test_28_6_c_the_same_coupon_cannot_lie_at_two_seats(table: PaperTable) -> None:
    """A serial number wagers once (S-15)."""
    table.must(CouponRedeemed(5, "C-1"))
    assert "C-1" in table.refusal(CouponRedeemed(6, "C-1")).reason
    assert table.refusal(CouponRedeemed(6, " ")).reason


def test_a_coupon_can_be_taken_back_before_lock_out_only(table: PaperTable) -> None:
    """Withdrawn before lock-out it leaves no trace; afterwards it stays."""
    table.must(CouponRedeemed(5, "C-1"), CouponReturned(5))
    assert table.lit == []
    table.must(CouponRedeemed(5, "C-1"), CouponAccepted(3), LockOutPressed())
    assert table.refusal(CouponReturned(5)).rule == "28.6(b)"


def test_a_chip_lifted_from_a_sensor_before_lock_out_withdraws_the_wager(table: PaperTable) -> None:
    """After lock-out lifting changes nothing but is flagged."""
    table.must(ChipPlaced(3), ChipLifted(3))
    assert table.lit == []
    table.must(ChipPlaced(3), LockOutPressed(), ChipLifted(3))
    assert table.lit == [3]
    assert table.state.flagged == (3,)


def test_28_7_b_2_chips_must_equal_lights(table: PaperTable) -> None:
    """A differing count stands still, with nothing on the meter, until a supervisor has explained it."""
    table.must(ChipPlaced(3), ChipPlaced(5), LockOutPressed())
    assert table.refusal(ChipsCounted(1)).rule == "28.7(b)2"
    assert (table.phase, table.entries) == (Phase.LOCKED, [])
    assert table.refusal(EndOfRoundPressed())
    table.must(MismatchExplained("Sue", "chip stuck in the throat of seat 5, found and racked"))
    assert table.phase is Phase.COUNTED
    assert table.entries[-1].entry == AddWagers(1, 100, (3, 5), ())


def test_28_7_b_2_a_false_light_goes_dark_when_explained(table: PaperTable) -> None:
    """A seat that made no wager after all is not registered and cannot win."""
    table.must(ChipPlaced(3), ChipPlaced(5), LockOutPressed())
    table.do(ChipsCounted(1))
    table.must(MismatchExplained("Sue", "seat 5 took his chip back", (5,)))
    assert table.lit == [3]
    assert table.entries[-1].entry == AddWagers(1, 100, (3,), ())
    assert table.refusal(HandClaimed(5, FLUSH, FLOP)).rule == "28.10(h)4ii(2)"


def test_28_7_b_2_an_explanation_needs_a_count_a_reason_and_lit_seats(table: PaperTable) -> None:
    """Nobody can explain away what is not there."""
    table.must(ChipPlaced(3), LockOutPressed())
    assert "not counted" in table.refusal(MismatchExplained("Sue", "early")).reason
    table.do(ChipsCounted(2))
    assert table.refusal(MismatchExplained("Sue", " ")).reason
    assert "seat 4" in table.refusal(MismatchExplained("Sue", "who knows", (4,))).reason


def test_a_recount_runs_the_return_device_again(table: PaperTable) -> None:
    """After clearing a jam the count goes on from the same counter."""
    table.must(ChipPlaced(3), ChipPlaced(5), LockOutPressed(), CollectionStarted("hopper", 100))
    table.do(ChipsCounted(1))
    table.must(RecountAsked("Dan"), CollectionStarted("hopper", 101))
    assert table.state.collection is not None
    assert table.state.collection.count == 100
    assert table.orders.count(Collect()) == 2
    table.must(ChipsCounted(2))


def test_a_collection_in_a_new_epoch_carries_what_was_counted_before(table: PaperTable) -> None:
    """A counter that restarted does not lose the chips it had counted."""
    table.must(ChipPlaced(3), ChipPlaced(5), LockOutPressed(), CollectionStarted("run 1", 7))
    table.do(ChipsCounted(1))
    table.must(RecountAsked("Dan"), CollectionStarted("run 2", 0))
    assert table.state.collection is not None
    assert table.state.collection.carried == 1


def test_a_lock_out_without_wagers_is_an_ordinary_round(table: PaperTable) -> None:
    """Nothing is registered; two presses end it."""
    table.must(LockOutPressed(), ChipsCounted(0), EndOfRoundPressed())
    assert table.entries == []
    assert table.orders[-1] == OpenNextRound()
    table.next_round()
    assert (table.state.round, table.phase) == (2, Phase.OPEN)


def test_the_meter_moves_once_at_registration_and_never_at_insertion(table: PaperTable) -> None:
    """One entry carries a whole round's wagers."""
    table.must(ChipPlaced(3), ChipPlaced(5), LockOutPressed())
    assert table.entries == []
    table.must(ChipsCounted(2))
    assert [(order.seq, order.entry) for order in table.entries] == [(1, AddWagers(1, 100, (3, 5), ()))]
    table.must(WagersRegistered(1))
    assert table.refusal(WagersRegistered(1))
    assert table.phase is Phase.IN_PLAY
