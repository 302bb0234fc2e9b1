"""A whole round on a board, dealt through pins and serial only."""

from hil.broker_and_meter import BrokerAndMeter
from hil.operator import BEAMS, END_OF_ROUND, GATES, KEY, LOCK_OUT, TableOperator
from hil.tests.dealing import deal

FLUSH, FLOP = ["2h", "3h"], ["Th", "Jh", "Qh"]
QUICK_MS = 45


def test_a_round_with_a_win_through_pins_and_serial(table: TableOperator, house: BrokerAndMeter) -> None:
    """Three chips, lock-out, a count, a flush paid from the meter, and the next round: to the cent and the chip."""
    table.open()
    assert table.open_gates() == set(range(1, 8))
    deal(table, 2, 5, 7)
    assert table.lit() == {2, 5, 7}
    assert table.open_gates() == set()
    assert table.tell("claim", seat=5, cards=FLUSH, community=FLOP)
    assert table.tell("no-win", seats=[7], by="Dan")
    table.until(lambda state: state["claims"][0]["state"] == "waiting for the supervisor", "not fixed")
    assert table.tell("validate", seat=5, by="Sue")
    assert table.tell("pay", seat=5, by="Dan")
    table.press(END_OF_ROUND)
    table.until(lambda state: (state["round"], state["phase"]) == (2, "open"), "no next round")
    pot = house.pot()
    assert (pot.in_cents, pot.contribution_cents, pot.deducted_cents) == (3_00, 2_10, 50_00)
    assert (house.metal.given, house.metal.stock) == (3, 0)


def test_a_chip_after_lock_out_finds_a_shut_gate(table: TableOperator) -> None:
    """No pin that a chip could pass is high between lock-out and the next round."""
    table.open()
    deal(table, 1)
    assert not table.insert_chip(4)
    assert table.lit() == {1}


def test_no_chip_is_lost_on_a_machine_without_time(table: TableOperator) -> None:
    """Three programs that take all they can get beside it: both edges of a chip are often heard at once."""
    table.open()
    for number in range(3):
        table.rig.must("systemd-run", f"--unit=spinner-{number}", "sh", "-c", "while :; do :; done")
    for _ in range(3):
        table.until(lambda _: table.open_gates() == set(GATES), "a gate stays shut")
        deal(table, *GATES)
        table.press(END_OF_ROUND)
        state = table.until(lambda state: state["phase"] == "open", "no next round")
        assert state["faults"] == {}


def test_a_bouncing_button_is_pressed_once(table: TableOperator) -> None:
    """Twenty edges within a finger's bounce are one lock-out, and nothing is wrong with the button."""
    table.open()
    assert table.insert_chip(3)
    table.until(lambda state: state["lights"] == 1, "no wager")
    bounce = [(LOCK_OUT, bool(number % 2), 1.0) for number in range(19)]
    table.rig.play([*bounce, (LOCK_OUT, False, 200.0), (LOCK_OUT, True, 50.0)])
    state = table.until(lambda state: state["phase"] == "in play", "not locked")
    assert state["faults"] == {}
    assert state["round"] == 1


def test_a_beam_gone_wild_leaves_its_neighbours_playing(table: TableOperator) -> None:
    """One seat's cable flickers as fast as it can: that seat is faulted and shut, every other plays on."""
    table.open()
    table.rig.play([(BEAMS[3], number % 2 == 0, 0.0) for number in range(1000)])
    table.until(lambda state: "seat 3 acceptor" in state["faults"], "nobody noticed")
    assert table.open_gates() == {1, 2, 4, 5, 6, 7}
    for seat in (2, 4):
        assert table.insert_chip(seat)
    # Seat 3 may have a wager, too: on a slow machine one flicker lasts as long as a chip, and the count will tell.
    table.until(lambda state: {2, 4} <= {seat["seat"] for seat in state["seats"] if seat["light"] == "lit"}, "deaf")
    assert {2, 4} <= table.lit()


def test_the_input_opened_last_gone_wild_leaves_the_dealer_his_buttons(table: TableOperator) -> None:
    """The key's cable flickers: every seat is shut, quick presses are heard by their edges, not found by looking."""
    table.open()
    assert table.insert_chip(2)
    table.until(lambda state: state["lights"] == 1, "no wager")
    table.rig.play([(KEY, number % 2 == 0, 0.0) for number in range(1000)])
    table.until(lambda state: "supervisor key" in state["faults"], "nobody noticed")
    assert table.open_gates() == set()
    for locked in ("in play", "counted", "counted"):  # the seats are shut: nobody wagers in the next rounds
        press_quickly(table, LOCK_OUT, then=locked)
        press_quickly(table, END_OF_ROUND, then="open")


def press_quickly(table: TableOperator, button: int, *, then: str) -> None:
    """Too short for three of four looks, 100 ms apart, to find it standing for the 20 ms that make a press."""
    table.rig.play([(button, False, QUICK_MS), (button, True, QUICK_MS)])
    table.until(lambda state: state["phase"] == then, f"deaf: it is not {then}")
