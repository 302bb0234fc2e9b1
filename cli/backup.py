"""pitlink backup: a copy of the ledger and of the staff from a running meter, and its restore."""

import argparse
import socket
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from common.settings import SettingsError
from games.money import dollars
from meter.daemon import BAD_SETTINGS, BAD_STORE
from meter.ledger.link_state import Head
from meter.settings import read_meter_settings
from meter.staff.backup import back_up_staff, restore_staff
from meter.store.backup import back_up, back_up_into, restore
from meter.store.base import StoreFault


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("action", choices=["make", "restore"], help="from the meter's store into FILE, or back")
    parser.add_argument("file", type=Path, metavar="FILE", help="the backup")
    parser.add_argument("--keep", type=int, metavar="COPIES", help="make: FILE is a folder, so many copies stay in it")
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help="the meter's settings")


def run(args: argparse.Namespace) -> int:
    """Makes or restores a backup, every record audited; 2 for bad settings, 3 if it cannot be done."""
    try:
        settings = read_meter_settings(args.config)
        if args.action == "make":
            file, heads = _make(settings.store, args.file, args.keep)
            staff = back_up_staff(settings.folder, file)
        else:
            heads = _restore(args.file, settings.store)
            staff = restore_staff(args.file, settings.folder)
    except SettingsError as error:
        print(error, file=sys.stderr)
        return BAD_SETTINGS
    except StoreFault as fault:
        print(f"not done: {fault}", file=sys.stderr)
        return BAD_STORE
    _report(heads)
    print(staff)
    return 0


def _make(address: str, file: Path, keep: int | None) -> tuple[Path, dict[str, Head]]:
    if keep is None:
        return file, back_up(address, file)
    if keep < 1:
        raise StoreFault("keep at least one copy")
    return back_up_into(address, file, datetime.now(UTC), keep=keep)


def _restore(file: Path, address: str) -> dict[str, Head]:
    return restore(file, address, datetime.now(UTC), machine=socket.gethostname(), program=version("pitlink"))


def _report(heads: Mapping[str, Head]) -> None:
    for link, head in heads.items():
        amount = dollars(head.pot.amount_cents)
        print(f"link {link}: {head.number} records, each audited; meter {amount}; last seal {head.seal.hex()}")
        if head.stopped:
            print(f"link {link} is stopped until two persons decide Reopen: {head.stopped}")
