"""The bench for a test: one rig for all, put back to the same moment, and a house of its own for each."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from demo.broker import free_port
from hil.broker_and_meter import BrokerAndMeter
from hil.operator import TableOperator
from hil.rig import Rig
from hil.tests.guest_bench import GuestBench
from hil.virtual import VirtualRig


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GuestBench]:
    folder, port = tmp_path_factory.mktemp("bench"), free_port()
    house = BrokerAndMeter(folder / "first", port)
    with closing(VirtualRig(folder / "rig", house, can_go_back=True)) as rig:
        with house:
            rig.put_in()
            TableOperator(rig, house.hopper).until(lambda state: not state["faults"], "the table does not start", 600)
        rig.booted.save()
        yield GuestBench(rig, folder, port)


@pytest.fixture
def house(bench: GuestBench) -> Iterator[BrokerAndMeter]:
    with bench.house() as house:
        bench.rig.enter(house)
        yield house


@pytest.fixture
def rig(bench: GuestBench, house: BrokerAndMeter) -> Rig:  # noqa: ARG001  the house stands before anybody touches the rig
    return bench.rig


@pytest.fixture
def table(rig: Rig, house: BrokerAndMeter) -> TableOperator:
    return TableOperator(rig, house.hopper)
