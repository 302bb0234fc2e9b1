"""After "No more bets" nothing becomes a wager and nothing ends one, in every game and every phase that follows."""

import pytest

from games.catalogue import GAMES
from games.round.effects import AddWagers
from games.round.events import (
    ChipLifted,
    ChipPlaced,
    ChipsCounted,
    CouponAccepted,
    CouponRedeemed,
    CouponReturned,
    DeviceFaulted,
    EndOfRoundPressed,
    IrregularityNoted,
    LockOutPressed,
    WagersRegistered,
)
from games.round.state import Phase
from tests.support.games.pit import PaperTable, table_rules

LOCK_THEN_COUNT = [name for name, game in GAMES.items() if game.order == "lock_then_count"]
COUNT_THEN_LOCK = [name for name, game in GAMES.items() if game.order == "count_then_lock"]


def a_table(name: str, coupon_seat: int = 5) -> PaperTable:
    """A table with a chip at seat 3 and, where the game takes them, a coupon at another."""
    wager = GAMES[name].progressive
    assert wager is not None
    table = PaperTable(table_rules(wager.pay_table_names[0], name=name))
    table.must(ChipPlaced(3))
    if GAMES[name].coupons:
        table.must(CouponRedeemed(coupon_seat, "C-1"), CouponAccepted(1))
    return table


def assert_nothing_comes_or_goes(table: PaperTable) -> None:
    """Late chips and coupons are refused by the game's clause; what lies there stays; the meter hears nothing."""
    lit, wagers, entries = table.lit, dict(table.state.wagers), len(table.entries)
    late = table.rules.clause("late")
    assert table.open_gates == []
    assert table.refusal(ChipPlaced(4)).rule == late
    if table.rules.game.coupons:
        assert table.refusal(CouponRedeemed(4, "C-2")).rule == late
        assert table.refusal(CouponReturned(5)).rule == late
    table.do(ChipLifted(3))
    assert (table.lit, table.state.wagers, len(table.entries)) == (lit, wagers, entries)
    assert table.state.flagged == (3, 4)


@pytest.mark.parametrize("name", LOCK_THEN_COUNT)
def test_28_6_b_11_7_c_the_lock_out_ends_all_wagers(name: str) -> None:
    """Nothing is made, raised or taken back from the press on, counted or not (S-16, S-84)."""
    table = a_table(name)
    table.must(LockOutPressed())
    assert_nothing_comes_or_goes(table)


@pytest.mark.parametrize("name", [*LOCK_THEN_COUNT, *COUNT_THEN_LOCK])
@pytest.mark.parametrize("phase", [Phase.COUNTED, Phase.IN_PLAY, Phase.VOIDED, Phase.ENDED])
def test_28_6_b_11_7_c_20_6_d_nothing_comes_or_goes_in_any_later_phase(name: str, phase: Phase) -> None:
    """Counted, dealt, void or ended: a late wager is not recognized (S-16, S-28, S-34, S-84)."""
    table = a_table(name)
    table.must(LockOutPressed())
    table.must(IrregularityNoted("misdeal", "Sue") if phase is Phase.VOIDED else ChipsCounted(1))
    if phase not in (Phase.COUNTED, Phase.VOIDED):
        table.must(WagersRegistered(table.state.wagers_seq))
    if phase is Phase.ENDED:
        table.must(EndOfRoundPressed())
    assert table.phase is phase
    assert_nothing_comes_or_goes(table)


@pytest.mark.parametrize("name", COUNT_THEN_LOCK)
def test_20_13_b_2_19_b_until_the_count_agrees_wagers_may_come_and_go(name: str) -> None:
    """The announcement follows the count; a wager in between makes the count begin anew (S-33, S-53)."""
    table = a_table(name)
    table.must(LockOutPressed(), ChipPlaced(4))
    assert 4 in table.lit
    assert table.refusal(ChipsCounted(1)).rule == table.rules.clause("count")
    table.must(ChipLifted(4), ChipsCounted(1))
    assert table.phase is Phase.COUNTED


@pytest.mark.parametrize("name", GAMES)
def test_28_6_c_a_light_says_of_its_own_seat_alone_that_a_wager_counts(name: str) -> None:
    """Lit from the chip on until the round is over; no other seat, fault or refusal has a bearing on it (S-17)."""
    table = a_table(name)
    lit = table.lit
    assert set(lit) == set(table.state.wagers)
    for event in (ChipPlaced(3), DeviceFaulted("acceptor 3", "jam", "a chip is stuck", 3), ChipPlaced(99)):
        table.do(event)
        assert table.lit == lit
    table.must(LockOutPressed())
    table.do(ChipsCounted(7))
    assert table.lit == lit
    table.must(ChipsCounted(1))
    table.must(WagersRegistered(table.state.wagers_seq))
    assert table.lit == lit
    table.must(EndOfRoundPressed())
    assert table.lit == []


@pytest.mark.parametrize("name", GAMES)
def test_2_19_b_20_13_b_the_meter_hears_of_wagers_once_they_are_registered(name: str) -> None:
    """Chips that came, went and came again leave no trace; one entry has all seats of the round (S-62)."""
    table = a_table(name)
    table.must(ChipPlaced(1), ChipLifted(1), ChipPlaced(2), LockOutPressed())
    assert not any(isinstance(sent.entry, AddWagers) for sent in table.entries)
    table.must(ChipsCounted(2))
    seats = tuple(sorted(table.state.wagers))
    assert 1 not in seats
    registered = [sent.entry for sent in table.entries if isinstance(sent.entry, AddWagers)]
    assert registered == [AddWagers(1, 100, seats, table.state.coupons)]
