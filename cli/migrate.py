"""pitlink migrate: settings and journal between versions; a flash runs it, with the program of each version."""

import argparse
import sys
import tomllib
from pathlib import Path
from typing import Final

from common.settings import SETTINGS_VERSION, SettingsError, SettingsFault
from controller.journal.file import JournalFault
from controller.journal.journal import looked_at
from controller.journal.rollback_copy import keep_copy, settle
from controller.journal.schema import SCHEMA

FAILED: Final = 1


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    settings = actions.add_parser("settings", help="print a settings file as this version writes it")
    settings.add_argument("file", type=Path)
    for name, summary in (
        ("copy", "keep a copy of a stopped table's journal"),
        ("back", "check a journal for going back; there is one schema so far"),
        ("settle", "go on with the journal if this version can, with the copy if not"),
    ):
        part = actions.add_parser(name, help=summary)
        part.add_argument("journal", type=Path)
        part.add_argument("copy", type=Path)
    actions.add_parser("forward", help="check a journal for this version; there is one schema so far").add_argument(
        "journal", type=Path
    )


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
            print(_settings(args.file), end="")
        case "copy":
            print(f"{args.copy}: {keep_copy(args.journal, args.copy)} events, chain whole")
        case "forward" | "back":
            with looked_at(args.journal) as look:
                events = look.audit()[0]
            print(f"{args.journal}: schema {SCHEMA}, {events} events, chain whole; there is nothing to migrate")
        case _:
            print(settle(args.journal, args.copy))


def _settings(path: Path) -> str:
    """The text of a settings file, which has this version's form already; raises SettingsError if it has another."""
    try:
        text = path.read_bytes().decode("utf-8")
        version = tomllib.loads(text).get("settings_version", SETTINGS_VERSION)
    except (OSError, ValueError) as error:
        raise SettingsError([SettingsFault(str(path), "file", f"cannot be read: {error}")]) from error
    if version != SETTINGS_VERSION:
        problem = f"{version!r} is not this version's, {SETTINGS_VERSION}; install the Pitlink that it was written for"
        raise SettingsError([SettingsFault(str(path), "settings_version", problem)])
    return text
