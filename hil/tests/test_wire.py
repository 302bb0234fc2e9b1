"""The ccTalk wire outside the board: a cut cable, a lost USB adapter, and coin acceptors beside the hopper."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest

from drivers.simulated.acceptor_board import AcceptorBoard
from hil.broker_and_meter import BrokerAndMeter
from hil.machines import chosen
from hil.operator import LOCK_OUT, TableOperator
from hil.tests.guest_bench import GuestBench
from hil.virtual import VirtualRig

NOTICED_S = 300
SETTINGS = "/etc/pitlink/table.toml"
BY_COIN = {1: 11, 2: 12}
"""Seats with an acceptor on the wire, and its address."""
_SEAT = r'acceptor = "slot"\nbeams = \[\d+\]\ngate = \d+\n'


@pytest.fixture
def rig(bench: GuestBench, house: BrokerAndMeter) -> VirtualRig:  # noqa: ARG001  the house stands before anybody touches the rig
    return bench.rig


@pytest.fixture
def acceptors(house: BrokerAndMeter) -> dict[int, AcceptorBoard]:
    """On the hopper's own wire, by seat."""
    boards = {seat: AcceptorBoard() for seat in BY_COIN}
    with house.hopper.hands_on():
        house.hopper.wire.neighbours = {address: [boards[seat]] for seat, address in BY_COIN.items()}
    return boards


def restart_with(rig: VirtualRig, change: Callable[[str], str]) -> None:
    """Changes the table's settings and starts it anew."""
    rig.must("systemctl", "stop", "pitlink-table")
    rig.must("sh", "-c", f"cat >{SETTINGS}", stdin=change(rig.must("cat", SETTINGS)))
    rig.must("systemctl", "start", "pitlink-table", within_s=400)


def lock_out_while(table: TableOperator, break_it: Callable[[], None]) -> None:
    """Two chips, lock-out, and the wire breaks: nothing is dealt, and the fault is named."""
    table.open()
    for seat in (5, 6):
        assert table.insert_chip(seat)
    table.until(lambda state: state["lights"] == 2, "no wagers")
    break_it()
    table.press(LOCK_OUT)
    state = table.until(lambda state: "return device" in state["faults"], "nobody noticed", NOTICED_S)
    assert state["phase"] == "locked"


def test_a_cut_cable_stops_the_count_and_a_mended_one_ends_it(
    table: TableOperator, rig: VirtualRig, house: BrokerAndMeter
) -> None:
    """It is asked again by itself; every chip is counted once."""
    lock_out_while(table, rig.cut_hoppers_cable)
    rig.connect_hopper()
    state = table.until(lambda state: state["phase"] == "in play", "not counted", NOTICED_S)
    assert (state["lights"], house.metal.given, house.metal.stock) == (2, 2, 0)
    assert table.lit() == {5, 6}


def test_a_usb_adapter_that_is_lost_comes_back_by_its_socket(
    table: TableOperator, rig: VirtualRig, house: BrokerAndMeter
) -> None:
    """Pulled before the count and put back: the name is that of the socket, and the table finds it without a person."""
    rig.plug_in_adapter()
    names = "for _ in $(seq 200); do ls /dev/pitlink/serial-* 2>/dev/null && exit; sleep 0.3; done; exit 1"
    place = rig.must("sh", "-c", names).split()[0]
    restart_with(rig, lambda text: text.replace(chosen().hopper_port, place))
    lock_out_while(table, rig.pull_adapter)
    rig.plug_in_adapter()
    state = table.until(lambda state: state["phase"] == "in play", "not counted", NOTICED_S)
    assert (state["lights"], house.metal.given, house.metal.stock) == (2, 2, 0)
    assert rig.must("sh", "-c", names).split() == [place]


def insert_coin(house: BrokerAndMeter, acceptor: AcceptorBoard) -> bool:
    """One coin, tried for a while: an acceptor that an emulated board polls too slowly shuts itself in between."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with house.hopper.hands_on():
            if acceptor.insert(1, time.monotonic()):
                return True
        time.sleep(0.05)
    return False


def are_mended(table: TableOperator, state: dict[str, Any]) -> bool:
    """Tests again whatever is faulty."""
    for device in state["faults"]:
        table.tell("retest", device=device)
    return not state["faults"]


def test_coin_acceptors_on_the_hoppers_wire_light_seats_and_close_with_it(
    table: TableOperator, rig: VirtualRig, house: BrokerAndMeter, acceptors: dict[int, AcceptorBoard]
) -> None:
    """Coins become wagers; lock-out and a cut cable shut every acceptor; the round ends to the chip."""

    def by_coin(text: str) -> str:
        for address in BY_COIN.values():
            text = re.sub(_SEAT, f'acceptor = "cctalk"\naddress = {address}\ncoins = [1]\n', text, count=1)
        return text

    restart_with(rig, by_coin)
    table.open()
    for acceptor in acceptors.values():
        assert insert_coin(house, acceptor)
        table.chip_fell()
    assert table.insert_chip(5)
    table.until(lambda state: state["lights"] == 3, "no wagers")
    assert table.lit() == {1, 2, 5}
    rig.cut_hoppers_cable()
    table.until(lambda state: {"seat 1 acceptor", "seat 2 acceptor"} <= set(state["faults"]), "not noticed", NOTICED_S)
    with house.hopper.hands_on():
        assert not any(acceptor.is_open(time.monotonic()) for acceptor in acceptors.values())
    rig.connect_hopper()
    table.until(lambda state: are_mended(table, state), "not mended", NOTICED_S)
    table.press(LOCK_OUT)
    state = table.until(lambda state: state["phase"] == "in play", "not counted", NOTICED_S)
    with house.hopper.hands_on():
        assert not any(acceptor.insert(1, time.monotonic()) for acceptor in acceptors.values())
    assert (state["lights"], house.metal.given) == (3, 3)
