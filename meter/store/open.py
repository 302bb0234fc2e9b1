"""Which store an address in the settings means, opened for booking or only to be read."""

from pathlib import Path

from meter.settings_part import is_postgres
from meter.store.base import OpenStore, StoreFault
from meter.store.sqlite import SqliteStore


def open_store(address: str, *, reading: bool = False) -> OpenStore:
    """Opens a PostgreSQL database (postgresql://…) or a SQLite file (anything else); a reader disturbs nobody."""
    if not is_postgres(address):
        return SqliteStore(Path(address), reading=reading)
    try:
        from meter.store.postgres import PostgresStore
    except ImportError as error:
        raise StoreFault(f"a PostgreSQL store needs its driver ({error}); install pitlink[postgres]") from error
    return PostgresStore(address, reading=reading)
