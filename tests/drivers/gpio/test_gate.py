"""Gates: how long a solenoid may be held."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.gpio.gate import Gate, GateDrive, GateSettings, HitSupply, HoldBudget
from tests.support.drivers.bench_rig import BenchRig, rig_under_test

HIT = 20


@pytest.fixture
async def rig() -> BenchRig:
    return rig_under_test()


@given(
    duty=st.floats(0.1, 0.9), longest=st.floats(1.0, 600.0), spans=st.lists(st.tuples(st.booleans(), st.floats(0, 900)))
)
def test_no_solenoid_is_held_for_more_than_its_duty(
    duty: float, longest: float, spans: list[tuple[bool, float]]
) -> None:
    """Whatever is wanted: held time stays below duty times all time, and one longest hold at the start."""
    budget, now, held = HoldBudget(duty, longest), 0.0, 0.0
    is_hot = False
    for wants, length in spans:
        end = now + length
        while now < end:
            if wants and not (is_hot and now < budget.rested_at()):
                budget.hold(True, now)
                until = min(end, budget.rest_due())
                held, is_hot = held + until - now, until < end
                budget.hold(False, until)
            else:
                until = min(end, budget.rested_at()) if wants else end
            now = max(until, now + 1e-6)
            assert held <= duty * now + longest * (1 - duty) + 1e-3


async def test_a_gate_shut_while_it_is_hot_stays_shut_until_it_has_rested(rig: BenchRig) -> None:
    """Another order to open does not heat it further."""
    moves: list[bool] = []
    drive = GateDrive(GateSettings(duty=0.5, longest_hold_s=4))
    gate = Gate(rig.board, "seat 1 acceptor", rig.output, moved=lambda is_open, _at: moves.append(is_open), drive=drive)
    gate.open()
    await rig.wait(4001)
    assert (moves, gate.is_open, gate.is_resting) == ([True, False], False, True)
    gate.shut()
    gate.open()
    await rig.wait(1000)
    assert (rig.read(rig.output), gate.is_resting) == (False, True)
    await rig.wait(1001)
    assert (rig.read(rig.output), gate.is_resting) == (True, False)
    gate.shut()
    await rig.wait(10_000)
    assert rig.read(rig.output) is False
    gate.close()


async def test_a_hit_lasts_as_long_as_it_must(rig: BenchRig) -> None:
    """A second gate that opens meanwhile gets its own whole hit."""
    supply = HitSupply(rig.board, HIT, 60)
    assert rig.read(HIT) is False
    supply.hit()
    await rig.wait(40)
    supply.hit()
    await rig.wait(59)
    assert rig.read(HIT) is True
    await rig.wait(2)
    assert rig.read(HIT) is False
    supply.hit()
    supply.close()
    assert rig.read(HIT) is False
