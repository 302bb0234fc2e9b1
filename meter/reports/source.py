"""Source of a report: the store of a meter's settings, or a ledger file alone."""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from common.paper_settings import PaperSettings
from common.settings import SettingsError, open_settings
from meter.settings import DAY_STARTS, is_postgres, survey
from meter.store.base import OpenStore, StoreFault
from meter.store.open import open_store


class Books(Struct, frozen=True):
    """A store to be read, when its gaming day begins, and what its papers are headed with."""

    store: str
    day_starts: str = DAY_STARTS
    papers: PaperSettings = PaperSettings()


def read_books(path: Path) -> Books:
    """The books of a settings file; raises SettingsError with every fault of its own keys, unknown ones included.

    Whoever reads the books neither speaks to a broker nor serves a page: certificates and links are not looked at.
    """
    file = open_settings(path)
    file.expect("store", not_other="table", advice="this looks like a table's settings; the books are a meter's")
    settings = survey(file)
    try:
        file.finish()
    except SettingsError as error:
        own = [fault for fault in error.faults if "." not in fault.key]
        if own:
            raise SettingsError(own) from error
    return Books(settings.store, settings.day_starts, settings.papers)


@contextmanager
def open_books(address: str) -> Iterator[OpenStore]:
    """The store, to be read; raises StoreFault if it cannot be opened.

    SQLite writes beside what it reads: a lone file where nobody may write is read from a copy.
    """
    with ExitStack() as after:
        try:
            store = open_store(address, reading=True)
        except StoreFault:
            if not _is_lone_and_shut(address):
                raise
            store = open_store(_copied(Path(address), after), reading=True)
        after.callback(store.close)
        yield store


def _is_lone_and_shut(address: str) -> bool:
    """Whether this is a file that no meter uses now and that we could not write."""
    file = Path(address)
    try:
        if is_postgres(address) or not file.is_file() or Path(f"{file}-wal").exists():
            return False
    except OSError:  # a name that no file can have
        return False
    return not all(os.access(place, os.W_OK, effective_ids=True) for place in (file, file.parent))


def _copied(file: Path, after: ExitStack) -> str:
    """A copy that is gone afterwards."""
    try:
        folder = after.enter_context(TemporaryDirectory(prefix="pitlink-"))
        return str(shutil.copyfile(file, Path(folder) / file.name))
    except OSError as error:
        raise StoreFault(f"{file} can be read from a copy only, and there is none: {error.strerror}") from error
