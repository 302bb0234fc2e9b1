"""Buttons, keys and sensors on simulated metal."""

import pytest

from drivers.gpio.acceptor import SensorAcceptor
from drivers.gpio.button import Button, KeySwitch
from drivers.gpio.pins import InputWiring, contact
from drivers.ports import ButtonPressed, ChipEntered, ChipTaken, FaultCleared, FaultKind, FaultReported, KeyTurned
from drivers.simulated.contacts import ButtonModel, Contact, SensorModel
from tests.support.drivers.bench_rig import BenchRig, all_of, rig_under_test

LOCK_OUT, KEY = "lock-out button", "supervisor key"


class Touches:
    """A lock-out button and what it set going."""

    def __init__(self, rig: BenchRig, wire: InputWiring) -> None:
        self.heard: list[str] = []
        self.model = ButtonModel(rig.pins, wire)
        self.button = Button(
            rig.board,
            LOCK_OUT,
            wire,
            on_touch=lambda: self.heard.append("touch"),
            on_false_touch=lambda: self.heard.append("noise"),
        )


@pytest.fixture
async def rig() -> BenchRig:
    return rig_under_test()


@pytest.mark.parametrize(
    "wire", [contact(5), InputWiring(5, active_high=True), InputWiring(5, active_high=True, pull_up=False)]
)
async def test_a_press_is_touched_before_any_time_has_passed(rig: BenchRig, wire: InputWiring) -> None:
    """However it is wired: touch at the first edge, press once it stood, one of each."""
    touches = Touches(rig, wire)
    touches.model.press()
    await rig.wait(0)
    assert (touches.heard, rig.said) == (["touch"], [])
    await rig.wait(100)
    touches.model.release()
    await rig.wait(100)
    assert [type(signal) for signal in rig.said] == [ButtonPressed]
    assert touches.heard == ["touch"]
    touches.button.close()


async def test_worn_contacts_press_once(rig: BenchRig) -> None:
    """Bounce is our own business, the mock does not filter it."""
    touches = Touches(rig, contact(5))
    touches.model.bounce(edges=21)
    await rig.wait(200)
    assert touches.heard == ["touch"]
    assert [signal.name for signal in all_of(ButtonPressed, rig.said)] == [LOCK_OUT]
    touches.button.close()


async def test_a_spike_on_the_cable_is_a_touch_taken_back(rig: BenchRig) -> None:
    """The gates that were closed for it can open again."""
    touches = Touches(rig, contact(5))
    touches.model.contact.glitch(3)
    await rig.wait(200)
    assert (touches.heard, rig.said) == (["touch", "noise"], [])
    touches.button.close()


async def test_a_button_held_down_is_stuck_and_mended_by_a_retest(rig: BenchRig) -> None:
    """Released alone it stays a fault; released and tested it presses again."""
    touches = Touches(rig, contact(5))
    touches.model.press()
    await rig.wait(11_000)
    touches.model.release()
    await rig.wait(1000)
    assert [type(signal) for signal in rig.said] == [ButtonPressed, FaultReported]
    touches.button.retest()
    await rig.wait(500)
    touches.model.press()
    await rig.wait(100)
    assert [type(signal) for signal in rig.said[2:]] == [FaultCleared, ButtonPressed]
    touches.button.close()


async def test_a_button_gone_wild_no_longer_reaches_the_loop(rig: BenchRig) -> None:
    """After the fault its edges are not even heard; looks go on and the retest listens again."""
    touches = Touches(rig, contact(5))
    touches.model.contact.chatter(edges=400, every_ms=0.5)
    await rig.wait(300)
    assert [signal.kind for signal in rig.said if isinstance(signal, FaultReported)] == [FaultKind.CHATTER]
    assert [line.is_deaf for line in touches.button._watch._lines] == [True]
    touches.button.retest()
    await rig.wait(500)
    assert rig.said[-1] == FaultCleared(LOCK_OUT)
    touches.model.press()
    await rig.wait(100)
    assert touches.heard == ["touch", "touch"]
    assert [type(signal) for signal in rig.said] == [FaultReported, FaultCleared, ButtonPressed]
    touches.button.close()


async def test_a_key_tells_its_positions(rig: BenchRig) -> None:
    """On, off; and on at the start."""
    model = Contact(rig.pins, contact(5))
    model.set(True)
    key = KeySwitch(rig.board, KEY, contact(5))
    await rig.wait(100)
    model.set(False)
    await rig.wait(100)
    model.set(True)
    await rig.wait(100)
    assert [signal.on for signal in all_of(KeyTurned, rig.said)] == [True, False, True]
    key.close()


async def test_a_key_is_well_in_any_position(rig: BenchRig) -> None:
    """A retest wants it still, not off."""
    Contact(rig.pins, contact(5)).set(True)
    key = KeySwitch(rig.board, KEY, contact(5))
    key.retest()
    await rig.wait(500)
    assert rig.said[-1] == FaultCleared(KEY)
    key.close()


async def test_a_chip_laid_on_a_shut_sensor_is_told_for_the_table_to_refuse(rig: BenchRig) -> None:
    """Nothing stands in its way, so somebody must say that it is late (S-28)."""
    model = SensorModel(rig.pins, contact(5))
    acceptor = SensorAcceptor(rig.board, "seat 2 acceptor", channel=2, sensor=contact(5))
    acceptor.open()
    acceptor.shut()
    model.place()
    await rig.wait(100)
    model.lift()
    await rig.wait(100)
    assert [type(signal) for signal in rig.said] == [ChipEntered, ChipTaken]
    acceptor.close()


async def test_a_chip_of_before_the_restart_is_neither_new_nor_a_fault(rig: BenchRig) -> None:
    """What the journal knows rests there still."""
    SensorModel(rig.pins, contact(5)).place()
    acceptor = SensorAcceptor(rig.board, "seat 2 acceptor", channel=2, sensor=contact(5), has_chip=True)
    await rig.wait(500)
    assert rig.said == []
    acceptor.close()
