"""What every test shares."""

import logging
from collections.abc import Iterator

import pytest
from hypothesis import settings
from postgres_bench import postgres  # noqa: F401  a fixture for whoever asks for it

# A property is no stopwatch: on a busy machine an example may take its time.
settings.register_profile("pitlink", deadline=None)
settings.load_profile("pitlink")


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    """A daemon started inside a test adopts the libraries' logging; the next test must not log into its stream."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
