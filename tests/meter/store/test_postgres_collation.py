"""Names in a PostgreSQL store sort by their bytes, in whatever language the server was set up."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from meter.store.audit import audited
from tests.support.meter.meter_bench import MeterBench, envelope, link, wagers
from tests.support.meter.postgres_bench import PostgresServer, active_store

PROPERTY = Path(__file__).parents[3] / "config" / "property"
COLLATIONS = """
SELECT DISTINCT collname FROM pg_collation, (
    SELECT attcollation AS used FROM pg_attribute, pg_class
    WHERE attrelid = pg_class.oid AND relnamespace = 'public'::regnamespace
    UNION SELECT unnest(indcollation) FROM pg_index, pg_class
    WHERE indexrelid = pg_class.oid AND relnamespace = 'public'::regnamespace
) AS ours WHERE pg_collation.oid = used
"""


@pytest.fixture
def english(postgres: PostgresServer) -> Iterator[str]:
    """A database that sorts as English does: a before B."""
    with psycopg.connect(postgres.admin, autocommit=True) as admin:
        admin.execute("CREATE DATABASE english LOCALE_PROVIDER icu ICU_LOCALE 'en-US' TEMPLATE template0")
    address = postgres.admin.replace("/postgres?", "/english?")
    with psycopg.connect(address) as look:
        assert look.execute("SELECT 'a' < 'B'").fetchone() == (True,)
    yield address
    with psycopg.connect(postgres.admin, autocommit=True) as admin:
        admin.execute("DROP DATABASE english WITH (FORCE)")


def collations(address: str) -> list[str]:
    """Those of every column and index of a store."""
    with psycopg.connect(address) as look:
        return [row[0] for row in look.execute(COLLATIONS.encode())]


def play(address: str) -> dict[str, bytes]:
    """A round at a link whose name sorts otherwise in English; the last seal of each link."""
    store = active_store(address)
    meter = MeterBench(store, link(name="a"), link(), link(name="B"))
    meter.join()
    meter.say(envelope(1, wagers()))
    seals = {name: audited(store, name).head.seal for name in store.links()}
    store.close()
    return seals


def test_a_new_store_sorts_by_bytes_in_any_database(english: str) -> None:
    """An index that sorts as a language does is broken by the next version of that language."""
    assert list(play(english)) == ["B", "a", "main"]
    assert collations(english) == ["C"]


def test_the_shipped_database_sorts_by_bytes(postgres: PostgresServer) -> None:
    """Whatever the server's own language is."""
    postgres.run_script(PROPERTY / "database.sql")
    with psycopg.connect(postgres.admin, autocommit=True) as admin:
        found = admin.execute("SELECT datcollate, datctype FROM pg_database WHERE datname = 'pitlink'").fetchone()
        admin.execute("DROP DATABASE pitlink")
        admin.execute("DROP ROLE pitlink")
    assert found == ("C", "C")
    assert "LC_COLLATE 'C' LC_CTYPE 'C'" in (PROPERTY / "database.sql").read_text(encoding="utf-8")
