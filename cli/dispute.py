"""pitlink dispute: one round of a table as one self-contained HTML file, with its hash."""

import argparse
import hashlib
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from common.settings import SettingsError
from controller.journal.file import JournalFault
from controller.journal.journal import looked_at
from controller.settings.table import TableSettings, load
from controller.web.dispute import dispute_html, read_dispute
from controller.web.replay import NoSuchRound

SETTINGS: Final = Path("/etc/pitlink")
DAMAGED: Final = 1
BAD_REQUEST: Final = 2


class StrangeJournal(Exception):  # noqa: N818  it says what was named
    """The named file is not of this table."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("table", help=f"its settings file, or its id ({SETTINGS}/ID.toml or table.toml)")
    parser.add_argument("round", type=int, help="which round")
    parser.add_argument("--journal", type=Path, help="a copy or an archived volume instead of the table's own journal")
    parser.add_argument("--out", type=Path, help="where to write it (TABLE-round-ROUND.html)")


def run(args: argparse.Namespace) -> int:
    """Exit 0 with the file's name and hash; 1 for a damaged journal; 2 for settings, a round or a file of no use."""
    try:
        print(_export(_settings(args.table), args.round, args.journal, args.out))
    except (SettingsError, NoSuchRound, StrangeJournal, OSError) as problem:
        print(problem, file=sys.stderr)
        return BAD_REQUEST
    except JournalFault as fault:
        print(fault, file=sys.stderr)
        return DAMAGED
    return 0


def _settings(table: str) -> TableSettings:
    """Those of a file; or of an id: the file of that name, else the board's own if that is its table."""
    if Path(table).suffix == ".toml":
        return load(Path(table))
    named, own = SETTINGS / f"{table}.toml", SETTINGS / "table.toml"
    if own.exists() and not named.exists() and (settings := load(own)).table == table:
        return settings
    return load(named)


def _export(settings: TableSettings, number: int, copy: Path | None, out: Path | None) -> str:
    own = Path(settings.state_dir) / "journal.db"
    journal = copy or own
    _require_same_table(settings.table, own, journal)
    content = dispute_html(read_dispute(journal, settings.table, settings.rules, number)).encode()
    path = out or Path(f"{settings.table}-round-{number}.html")
    path.write_bytes(content)
    return f"{hashlib.sha256(content).hexdigest()}  {path}"


def _require_same_table(table: str, own: Path, named: Path) -> None:
    """The page would carry this table's name; where the table's own journal cannot be read, nobody can tell."""
    ids = {}
    for path in {own, named}:
        with suppress(JournalFault), looked_at(path) as look:
            ids[path] = look.id
    if len(set(ids.values())) > 1:
        raise StrangeJournal(
            f"{named}: is of journal {ids[named]}, but table {table} has journal {ids[own]}; name that table's settings"
        )
