"""Schema migration of a journal, forward or back, in one transaction."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from msgspec import Struct

from controller.journal.file import VOLUMES, JournalFault, hold, journal_faults
from controller.journal.journal import Journal
from controller.journal.schema import SCHEMA, begin_mode, end_mode


class SchemaStep(Struct, frozen=True):
    """What leads to one schema from the one before it, and what undoes that; events and their hashes stay."""

    schema: int
    forward: Callable[[sqlite3.Connection], None]
    back: Callable[[sqlite3.Connection], None]


def _begin_archive(database: sqlite3.Connection) -> None:
    database.execute(VOLUMES)


def _end_archive(database: sqlite3.Connection) -> None:
    """A version that knows no volumes would look for the first event: it gets only a journal that still has it."""
    (until,) = database.execute("SELECT max(until) FROM volumes").fetchone()
    if until is not None:
        raise JournalFault(f"events 1 to {until} are in an archive, which older versions do not know; install this one")
    database.execute("DROP TABLE volumes")


STEPS: Final[tuple[SchemaStep, ...]] = (
    SchemaStep(2, forward=_begin_archive, back=_end_archive),
    SchemaStep(3, forward=begin_mode, back=end_mode),
)
"""In the order of their schemas; the first schema is 1 and needs none."""


def schema_of(path: Path) -> int:
    """The schema that a journal's file says it has."""
    with journal_faults(path), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
        row = database.execute("SELECT value FROM facts WHERE name = 'schema'").fetchone()
    return int(row[0]) if row else 1


def migrate(path: Path, to: int = SCHEMA, steps: Sequence[SchemaStep] = STEPS) -> tuple[int, int]:
    """Brings a journal that nobody has open to another schema; returns the schema it had and the one it has."""
    with hold(path), journal_faults(path), closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA synchronous=FULL")
        begun = schema_of(path)
        acts = _acts(path, begun, to, steps)
        database.execute("BEGIN IMMEDIATE")
        try:
            for act in acts:
                act(database)
            database.execute("INSERT OR REPLACE INTO facts VALUES('schema', ?)", (str(to),))
        except (sqlite3.Error, JournalFault):
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
