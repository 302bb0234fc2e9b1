"""pitlink migrate: settings and journal between versions; a flash runs it, with the program of each version."""

import argparse
import sys
from pathlib import Path
from typing import Final

from common.settings import SettingsError
from controller.journal.file import JournalFault
from controller.journal.migration import migrate, schema_of
from controller.journal.rollback_copy import keep_copy, settle
from controller.settings.migration import migrated

FAILED: Final = 1


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    settings = actions.add_parser("settings", help="print a settings file as this version writes it")
    settings.add_argument("file", type=Path)
    for name, summary in (
        ("copy", "keep a copy of a stopped table's journal"),
        ("back", "give a journal the schema of its copy again"),
        ("settle", "go on with the journal if this version can, with the copy if not"),
    ):
        part = actions.add_parser(name, help=summary)
        part.add_argument("journal", type=Path)
        part.add_argument("copy", type=Path)
    actions.add_parser("forward", help="give a journal this version's schema").add_argument("journal", type=Path)


def run(args: argparse.Namespace) -> int:
    """Exit 0, or 1 with what stands in the way."""
    try:
        _act(args)
    except (JournalFault, SettingsError, OSError) as fault:
        print(fault, file=sys.stderr)
        return FAILED
    return 0


def _act(args: argparse.Namespace) -> None:
    match args.action:
        case "settings":
            print(migrated(args.file), end="")
        case "copy":
            print(f"{args.copy}: {keep_copy(args.journal, args.copy)} events, chain whole")
        case "forward":
            begun, ended = migrate(args.journal)
            print(f"{args.journal}: schema {begun} to {ended}")
        case "back":
            begun, ended = migrate(args.journal, schema_of(args.copy))
            print(f"{args.journal}: schema {begun} to {ended}")
        case _:
            print(settle(args.journal, args.copy))
