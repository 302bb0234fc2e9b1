"""Opens the store that an address in the settings means, for booking, reading or one command."""

from pathlib import Path

from meter.settings import is_postgres
from meter.store.base import InUse, OpenStore, StoreFault
from meter.store.sqlite import SqliteStore
from meter.store.standby import Shared


def own(store: OpenStore) -> None:
    """Makes the books ours alone until the store is closed; raises InUse if a meter has them.

    A SQLite file is ours from the moment it is open; a database belongs to whoever holds its lock.
    """
    if isinstance(store, Shared) and not store.became_active(0.0):
        raise InUse("a meter has these books; stop it, or tell it by pitlink decide where it runs")


def open_store(address: str, *, reading: bool = False) -> OpenStore:
    """Opens a PostgreSQL database (postgresql://…) or a SQLite file (anything else); a reader disturbs nobody."""
    if not is_postgres(address):
        return SqliteStore(Path(address), reading=reading)
    try:
        from meter.store.postgres import PostgresStore
    except ImportError as error:
        raise StoreFault(f"a PostgreSQL store needs its driver ({error}); install pitlink[postgres]") from error
    return PostgresStore(address, reading=reading)
