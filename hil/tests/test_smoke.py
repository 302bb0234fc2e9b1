"""The smoke part: a board boots, deals a round, loses its power in the next one, and stands where it stood."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hil.broker_and_meter import BrokerAndMeter
from hil.laws import holds
from hil.operator import END_OF_ROUND, TableOperator
from hil.rig import Rig, rig_class
from hil.tests.dealing import deal

UP_S = 600


@pytest.fixture
def house(tmp_path: Path) -> Iterator[BrokerAndMeter]:
    with BrokerAndMeter(tmp_path / "house") as house:
        yield house


@pytest.fixture
def rig(tmp_path: Path, house: BrokerAndMeter) -> Iterator[Rig]:
    rig = rig_class()(tmp_path / "rig", house)
    yield rig
    rig.close()


def test_smoke_boot_one_round_one_cut(rig: Rig, house: BrokerAndMeter, tmp_path: Path) -> None:
    """After the cut: same round, same phase, same lights, shut gates, and a meter that agrees to the cent."""
    table = TableOperator(rig, house.hopper)
    rig.put_in()
    table.until(lambda state: not state["link"]["reason"], "not up", UP_S)
    table.open()
    deal(table, 1, 4)
    table.press(END_OF_ROUND)
    table.until(lambda state: (state["round"], state["phase"]) == (2, "open"), "no second round")
    deal(table, 2, 5, 7)
    before = table.state()
    rig.pull()
    rig.put_in()
    after = table.until(lambda state: not state["link"]["reason"], "not up again", UP_S)
    assert before is not None
    assert (after["round"], after["phase"], after["lights"]) == (2, "in play", 3)
    assert table.lit() == {2, 5, 7}
    assert table.open_gates() == set()
    holds(table, house, before, tmp_path)
    assert house.pot().in_cents == 5_00
