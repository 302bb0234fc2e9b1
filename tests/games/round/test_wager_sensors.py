"""Side wagers with a sensor of their own: a light says that the wager counts, and no tap lays or takes it back."""

import pytest

from games.round.effects import FlashRefusal, Light, SetLight
from games.round.events import (
    BaseWagerMissed,
    ChipPlaced,
    ChipsCounted,
    CloseAsked,
    DeviceFaulted,
    DeviceMended,
    EndOfRoundPressed,
    HandClaimed,
    IrregularityNoted,
    LockOutPressed,
    PayoutConfirmed,
    RefundsConfirmed,
    RoundOpened,
    SeatFolded,
    SideChipLifted,
    SideChipPlaced,
    WagerPlaced,
    WagersRegistered,
    WagersRepeated,
    WagerTakenBack,
)
from games.round.outputs import outputs
from tests.support.games.pit import PaperTable, table_rules

SENSORS = ((2, "pair_plus"), (2, "six_card_bonus"), (3, "pair_plus"))


@pytest.fixture
def table() -> PaperTable:
    rules = table_rules(name="three-card-poker", offers=("six_card_bonus",), sensors=SENSORS)
    return PaperTable(rules)


def lit(table: PaperTable) -> set[tuple[int, str]]:
    """The side wagers whose light says that they count."""
    shown = outputs(table.rules, table.state).wager_lights
    return {at for at, light in shown.items() if light is Light.LIT}


def test_1_13q_e_1_a_sensor_lights_its_wager_and_the_count_knows_nothing_of_it(table: PaperTable) -> None:
    """A chip that rests on a sensor entered no acceptor: chips are counted against the acceptors' lights alone."""
    table.must(SideChipPlaced(2, "pair_plus"), WagerPlaced(4, "pair_plus", 5_00), ChipPlaced(3))
    assert SetLight(2, Light.LIT, "pair_plus") in table.orders
    assert lit(table) == {(2, "pair_plus")}, "a tapped wager has no light"
    assert table.lit == [3]
    assert table.state.side[2].amounts == {"pair_plus": 1_00}
    table.must(LockOutPressed(), ChipsCounted(1), WagersRegistered(1))
    assert lit(table) == {(2, "pair_plus")}


def test_20_12a_b_a_chip_without_what_it_needs_stays_dark(table: PaperTable) -> None:
    """The six card bonus needs pair plus beside it; the light flashes, and the chip may come again."""
    refused = table.refusal(SideChipPlaced(2, "six_card_bonus"))
    assert "needs pair plus beside it" in refused.reason
    assert table.orders[-1] == FlashRefusal(2, "six_card_bonus")
    table.must(SideChipPlaced(2, "pair_plus"), SideChipPlaced(2, "six_card_bonus"))
    assert "already; one a round" in table.refusal(SideChipPlaced(2, "pair_plus")).reason
    table.must(SideChipLifted(2, "pair_plus"))
    assert lit(table) == set(), "what needs the lifted wager goes with it"
    assert 2 not in table.state.side


def test_a_tap_says_only_how_much_lies_on_a_sensor(table: PaperTable) -> None:
    """It lays nothing there and takes nothing back, unless the sensor is broken."""
    assert "its sensor sees no pair plus chip" in table.refusal(WagerPlaced(2, "pair_plus", 5_00)).reason
    table.must(SideChipPlaced(2, "pair_plus"), WagerPlaced(2, "pair_plus", 25_00))
    assert table.state.side[2].amounts == {"pair_plus": 25_00}
    assert "the player lifts it" in table.refusal(WagerTakenBack(2, "pair_plus")).reason
    table.must(DeviceFaulted("seat 3 pair plus sensor", "stuck", "covered", 3, "pair_plus"))
    table.must(WagerPlaced(3, "pair_plus", 5_00), ChipPlaced(3))
    assert table.lit == [3], "the seat's own acceptor is well"
    assert lit(table) == {(2, "pair_plus")}
    assert outputs(table.rules, table.state).wager_lights[3, "pair_plus"] is Light.LOOK
    table.must(DeviceMended("seat 3 pair plus sensor"))
    assert table.state.side[3].amounts == {"pair_plus": 5_00}, "what was tapped stands"


def test_20_6_d_after_no_more_bets_a_chip_neither_comes_nor_goes(table: PaperTable) -> None:
    """A late chip stays dark and is flagged; a lifted one changes nothing and is flagged."""
    table.must(SideChipPlaced(2, "pair_plus"), ChipPlaced(3), LockOutPressed(), ChipsCounted(1), WagersRegistered(1))
    refused = table.refusal(SideChipPlaced(3, "pair_plus"))
    assert (refused.reason, refused.rule) == (
        "seat 3: pair plus chip after lock-out; give it back to the player",
        table.rules.clause("late"),
    )
    table.must(SideChipLifted(2, "pair_plus"))
    assert lit(table) == {(2, "pair_plus")}
    assert table.state.flagged == (2, 3)


def test_a_light_goes_out_when_its_wager_is_paid_folded_or_refunded(table: PaperTable) -> None:
    """As the progressive's light does; the round's end puts out the rest."""
    table.must(SideChipPlaced(2, "pair_plus"), SideChipPlaced(2, "six_card_bonus"), SideChipPlaced(3, "pair_plus"))
    table.deal(2)
    dealer = ("2c", "3c", "7d")
    table.must(HandClaimed(2, ("9s", "9h", "9d"), wager="six_card_bonus", dealer=dealer))
    table.must(PayoutConfirmed(2, "Dan", "six_card_bonus"))
    assert lit(table) == {(2, "pair_plus"), (3, "pair_plus")}
    table.must(SeatFolded(3))
    assert lit(table) == {(2, "pair_plus")}
    table.must(IrregularityNoted("misdeal_at_seats", "Sue", (2,)))
    assert "pair_plus" in table.state.refunds_due[2]
    assert lit(table) == {(2, "pair_plus")}
    table.must(RefundsConfirmed("Sue"))
    assert lit(table) == set()


def test_the_last_round_is_repeated_only_where_no_sensor_looks(table: PaperTable) -> None:
    """A sensor says anew what lies there; its usual amount is the last round's."""
    table.must(SideChipPlaced(2, "pair_plus"), WagerPlaced(2, "pair_plus", 25_00), WagerPlaced(4, "pair_plus", 5_00))
    table.must(LockOutPressed(), ChipsCounted(0), EndOfRoundPressed(), RoundOpened())
    assert lit(table) == set(), "the same chip is no wager of the next round"
    table.must(SideChipPlaced(3, "pair_plus"), WagersRepeated("Dan"))
    assert {seat: dict(side.amounts) for seat, side in table.state.side.items()} == {
        3: {"pair_plus": 1_00},
        4: {"pair_plus": 5_00},
    }
    table.must(SideChipPlaced(2, "pair_plus"))
    assert table.state.side[2].amounts == {"pair_plus": 25_00}


def test_a_seat_that_does_not_play_lights_no_side_wager(table: PaperTable) -> None:
    """Without its base wager a seat has none; a closing table takes none; an unknown sensor is refused."""
    rules = table_rules("base", name="blackjack", offers=("bonus",), decks=6, sensors=((2, "bonus"),))
    blackjack = PaperTable(rules)
    blackjack.must(SideChipPlaced(2, "bonus"), BaseWagerMissed(2, "Dan"))
    assert lit(blackjack) == set()
    assert "needs blackjack beside it" in blackjack.refusal(SideChipPlaced(2, "bonus")).reason
    assert "no sensor" in table.refusal(SideChipPlaced(5, "pair_plus")).reason
    table.must(ChipPlaced(3), CloseAsked("Sue", "night"))
    assert "the table is closing" in table.refusal(SideChipPlaced(2, "pair_plus")).reason
