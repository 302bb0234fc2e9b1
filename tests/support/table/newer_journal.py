"""A journal as a later version of the program would have it: another schema, with one more column."""

import sqlite3
from contextlib import closing
from pathlib import Path

from controller.journal.file import journal_faults
from controller.journal.schema import SCHEMA

NEWER = SCHEMA + 1


def to_newer(path: Path) -> None:
    """What a later version does to a journal when it is flashed."""
    _change(path, NEWER, "ALTER TABLE slips ADD COLUMN note TEXT NOT NULL DEFAULT ''")


def to_ours(path: Path) -> None:
    """What it does when the flash goes back."""
    _change(path, SCHEMA, "ALTER TABLE slips DROP COLUMN note")


def _change(path: Path, schema: int, order: str) -> None:
    uri = f"{path.absolute().as_uri()}?mode=rw"
    with journal_faults(path), closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as database:
        (now,) = database.execute("SELECT value FROM facts WHERE name = 'schema'").fetchone()
        if int(now) != schema:
            database.execute("BEGIN IMMEDIATE")
            database.execute(order)
            database.execute("UPDATE facts SET value = ? WHERE name = 'schema'", (str(schema),))
            database.execute("COMMIT")
