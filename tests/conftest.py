"""What every test shares."""

import logging
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.memory import quick_place
from tests.support.meter.postgres_bench import postgres  # noqa: F401  a fixture for whoever asks for it

# Where pytest's tmp_path goes: a sync of a file takes milliseconds on a disk, and tests make some hundred thousand.
os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(quick_place()))

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
    """A folder of its own with a short name, gone after the test: hundreds of boards are made and thrown away."""
    with tempfile.TemporaryDirectory(prefix="board-", dir=quick_place()) as name:
        yield Path(name)
