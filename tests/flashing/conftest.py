"""A board to flash, for whoever asks for one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.flash.flash_bench import FlashBench, Workshop, make_bundles


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return make_bundles(tmp_path_factory.mktemp("workshop"))


@pytest.fixture
def bench(folder: Path, workshop: Workshop) -> Iterator[FlashBench]:
    bench = FlashBench(folder / "board", workshop)
    bench.begin()
    yield bench
    bench.kill_table()
