"""A journal from one schema to the next, or back: whole, in one transaction, or not at all."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from msgspec import Struct

from controller.journal import SCHEMA, Journal
from controller.journal_file import JournalFault, faults, hold


class SchemaStep(Struct, frozen=True):
    """What leads to one schema from the one before it, and what undoes that; events and their hashes stay."""

    schema: int
    forward: Callable[[sqlite3.Connection], None]
    back: Callable[[sqlite3.Connection], None]


STEPS: Final[tuple[SchemaStep, ...]] = ()
"""In the order of their schemas; the first schema is 1 and needs none."""


def schema_of(path: Path) -> int:
    """The schema that a journal's file says it has."""
    with faults(path), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
        row = database.execute("SELECT value FROM facts WHERE name = 'schema'").fetchone()
    return int(row[0]) if row else 1


def migrate(path: Path, to: int = SCHEMA, steps: Sequence[SchemaStep] = STEPS) -> tuple[int, int]:
    """Brings a journal that nobody has open to another schema; returns the schema it had and the one it has."""
    with hold(path), faults(path), closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA synchronous=FULL")
        begun = schema_of(path)
        acts = _acts(path, begun, to, steps)
        database.execute("BEGIN IMMEDIATE")
        try:
            for act in acts:
                act(database)
            database.execute("INSERT OR REPLACE INTO facts VALUES('schema', ?)", (str(to),))
        except sqlite3.Error:
            database.execute("ROLLBACK")
            raise
        database.execute("COMMIT")
    if to >= begun:
        _check(path)  # an older schema is looked at by the older version, when it settles
    return begun, to


def _acts(path: Path, begun: int, to: int, steps: Sequence[SchemaStep]) -> list[Callable[[sqlite3.Connection], None]]:
    known = {step.schema: step for step in steps}
    wanted = range(begun + 1, to + 1) if to >= begun else range(begun, to, -1)
    missing = [schema for schema in wanted if schema not in known]
    if missing:
        raise JournalFault(
            f"{path}: this version knows no way from schema {begun} to {to}; install the one that wrote it"
        )
    return [known[schema].forward if to >= begun else known[schema].back for schema in wanted]


def _check(path: Path) -> None:
    """Every event is still there, and its chain whole."""
    journal = Journal.look(path)
    try:
        for _ in journal.lines():
            pass
    finally:
        journal.abandon()
