"""pitlink journal show|verify|backup: read a table's journal, or copy it while the table works."""

import argparse
import sys
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from controller.journal import Journal
from controller.journal_backup import back_up
from controller.journal_file import JournalFault
from controller.journal_rows import Line
from controller.settings import load
from controller.wording import with_rule
from house.settings import SettingsError

BAD_REQUEST = 2


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("what", choices=["show", "verify", "backup"], help="print, check or copy the events")
    parser.add_argument("journal", type=Path, help="the journal file, the table's state directory or its settings")
    parser.add_argument("folder", type=Path, nargs="?", help="backup: where the copies are")
    parser.add_argument("--keep", type=int, default=24, help="backup: how many copies stay (default: 24)")
    parser.add_argument("--round", type=int, help="only this round")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace) -> int:
    """Exit 0, 1 with the first damaged event or what else went wrong, 2 if it is not clear what to do."""
    try:
        path = _file(args.journal)
        if args.what == "backup":
            return _back_up(path, args.folder, args.keep)
        journal = Journal.look(path)
        with ExitStack() as stack:
            stack.callback(journal.abandon)
            if args.what == "verify":
                _verify(journal)
            else:
                _show(journal, args.round, as_json=args.json)
    except (JournalFault, SettingsError) as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def _file(given: Path) -> Path:
    if given.suffix == ".toml":
        return Path(load(given).state_dir) / "journal.db"
    return given / "journal.db" if given.is_dir() else given


def _back_up(path: Path, folder: Path | None, keep: int) -> int:
    if folder is None or keep < 1:
        print("name the folder of the copies, and keep at least one", file=sys.stderr)
        return BAD_REQUEST
    copy, last = back_up(path, folder, datetime.now(UTC), keep=keep)
    print(f"{copy}: {last} events, chain whole")
    return 0


def _verify(journal: Journal) -> None:
    count, digest = journal.audit()
    print(f"{journal.path}: {count} events, chain whole, head {digest}")
    print(f"journal {journal.id}: {journal.boot} starts, {journal.unclean_stops} unclean stops")
    for ran in journal.programs():
        print(f"pitlink {ran.program}: from start {ran.run} on, after event {ran.after}")
    print(f"{journal.waiting_in_all()} entries wait for the meter")


def _show(journal: Journal, only_round: int | None, *, as_json: bool) -> None:
    for line in journal.lines():
        if only_round is None or line.round == only_round:
            print(msgspec.json.encode(line).decode() if as_json else _readable(line))


def _readable(line: Line) -> str:
    at = datetime.fromtimestamp(line.moment.at_ms / 1000, UTC).isoformat(timespec="milliseconds")
    body = msgspec.to_builtins(line.event)
    name = body.pop("type")
    details = " ".join(f"{key}={value}" for key, value in body.items())
    refused = f"  REFUSED: {with_rule(line.refusal.reason, line.refusal.rule)}" if line.refusal else ""
    mark = {True: "", False: "~", None: "?"}[line.moment.synced]
    return f"{line.number:6} {at}{mark} round {line.round} {name} {details}{refused}"
