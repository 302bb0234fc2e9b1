"""Real brokers for the tests of the link."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from link_bench import BrokerProcess, plain_mosquitto
from meter_process import MeterProcess


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
