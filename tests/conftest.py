"""What every test shares."""

import logging
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.meter.postgres_bench import postgres  # noqa: F401  a fixture for whoever asks for it

# A property is no stopwatch: on a busy machine an example may take its time. The same commit is judged by the same
# examples everywhere; whoever wants others asks for them: pytest --hypothesis-profile=search.
ANY_PACE = (HealthCheck.too_slow, HealthCheck.function_scoped_fixture)
settings.register_profile("pitlink", deadline=None, derandomize=True, suppress_health_check=ANY_PACE)
settings.register_profile("search", deadline=None, derandomize=False, suppress_health_check=ANY_PACE)
settings.load_profile("pitlink")


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    """A daemon started inside a test adopts the libraries' logging; the next test must not log into its stream."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
def folder() -> Iterator[Path]:
    """In memory where there is such a place: hundreds of boards are made and thrown away."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="board-", dir=memory if memory.is_dir() else None) as name:
        yield Path(name)
