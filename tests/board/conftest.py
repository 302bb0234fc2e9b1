"""A board to flash, for whoever asks for one."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from flash_bench import FlashBench, Workshop, make_bundles


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return make_bundles(tmp_path_factory.mktemp("workshop"))


@pytest.fixture
def folder() -> Iterator[Path]:
    """In memory where there is such a place: hundreds of boards are made and thrown away."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="board-", dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


@pytest.fixture
def bench(folder: Path, workshop: Workshop) -> Iterator[FlashBench]:
    bench = FlashBench(folder / "board", workshop)
    bench.begin()
    yield bench
    bench.kill_table()
