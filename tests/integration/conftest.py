"""Real brokers for the tests of the link."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.meter.link_bench import BrokerProcess, plain_mosquitto
from tests.support.meter.meter_process import MeterProcess
from tests.support.meter.setup_bench import Setup, make_keys


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[BrokerProcess]:
    """A running Mosquitto on a free loopback port, without persistence."""
    process = plain_mosquitto(tmp_path)
    process.start()
    yield process
    process.close()


@pytest.fixture
def meter(tmp_path: Path, broker: BrokerProcess) -> Iterator[MeterProcess]:
    """A meter on that broker, not yet started."""
    process = MeterProcess(tmp_path, broker.port)
    yield process
    process.close()


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Certificates for everybody of any set-up."""
    folder = tmp_path_factory.mktemp("keys")
    make_keys(folder)
    return folder


@pytest.fixture
def setup(tmp_path: Path, keys: Path) -> Iterator[Setup]:
    """An empty house."""
    house = Setup(tmp_path, keys)
    yield house
    house.close()
