"""Which store an address in the settings means, opened for booking or only to be read."""

from pathlib import Path
from typing import Final

from meter.sqlite_store import SqliteStore
from meter.store import OpenStore, StoreFault

_POSTGRES: Final = ("postgresql://", "postgres://")


def open_store(address: str, *, reading: bool = False) -> OpenStore:
    """Opens a PostgreSQL database (postgresql://…) or a SQLite file (anything else); a reader disturbs nobody."""
    if not is_postgres(address):
        return SqliteStore(Path(address), reading=reading)
    try:
        from meter.postgres_store import PostgresStore
    except ImportError as error:
        raise StoreFault(f"a PostgreSQL store needs its driver ({error}); install pitlink[postgres]") from error
    return PostgresStore(address, reading=reading)


def is_postgres(address: str) -> bool:
    """Whether this is the address of a database and not a path."""
    return address.startswith(_POSTGRES)
