"""pitlink swap export|import|replace: a table's board is exchanged in five minutes (docs/flashing.md)."""

import argparse
import getpass
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from common.settings import SettingsError
from controller.board_swap import at_rest, lock_board, make_parcel, replace_lost, take_parcel, unlock_board
from controller.journal.file import JournalFault
from controller.journal.journal import looked_at
from controller.journal.records import Waiting
from controller.settings.table import load
from flashing.errors import FlashError, flash_errors
from flashing.files import SyncedFiles, kept_open
from flashing.swap_file import decode, encode, require_inside, seal, unseal, without_strange_keys

FAILED: Final = 1
_STATE: Final = Path("/var/lib/pitlink")
_BACK: Final = "export to another stick; to unlock this board, import that here"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    away = actions.add_parser("export", help="hand this board's table over: one file, and this board stays locked")
    here = actions.add_parser("import", help="take a table over from a swap file")
    dead = actions.add_parser("replace", help="begin a new journal for a table whose board is dead")
    for part in (away, here):
        part.add_argument("file", type=Path)
        part.add_argument("--passphrase-file", type=Path, metavar="FILE", help="instead of asking for the passphrase")
    for part in (away, here, dead):
        part.add_argument("--config", type=Path, default=Path("/etc/pitlink/table.toml"), help="the table's settings")
    here.add_argument(
        "--also", type=Path, action="append", default=[], metavar="FOLDER", help="files may go there, too"
    )
    here.add_argument("--trust-keys", action="store_true", help="take release keys that this board does not have yet")
    dead.add_argument("--backup", type=Path, required=True, metavar="FILE", help="the newest copy of the old journal")


def run(args: argparse.Namespace) -> int:
    """Exit 0, or 1 with what stands in the way; then nothing has changed, unless it says that the board is locked."""
    try:
        {"export": _export, "import": _import, "replace": _replace}[args.action](args)
    except (FlashError, JournalFault, SettingsError) as fault:
        print(fault, file=sys.stderr)
        return FAILED
    return 0


def _export(args: argparse.Namespace) -> None:
    """The lock is on disk before the file is: whoever has the file has the only board that starts."""
    passphrase = _passphrase(args, twice=True)
    with kept_open(args.file.parent) as folder, at_rest(args.config) as journal:
        sealed = seal(encode(make_parcel(args.config, args.config.parent / "trust")), passphrase)
        with looked_at(journal) as look:
            volumes = look.volumes()
        was_free = lock_board(journal, datetime.now(UTC), args.file)
        try:
            SyncedFiles().write(args.file, sealed, mode=0o600)
        except FlashError as fault:
            _withdraw(args.file, folder, fault)
            if not was_free:
                raise FlashError(f"{fault}\nthis board was locked before and stays so; {_BACK}") from fault
            unlock_board(journal)
            raise
    print(f"{args.file}: table {load(args.config).table} is in it; this board is locked until it is imported back")
    for volume in volumes:
        print(f"not in it: {volume}; copy that to the new board, or keep it elsewhere")


def _withdraw(file: Path, folder: int, fault: FlashError) -> None:
    """A file that may be somewhere keeps this board locked."""
    try:
        SyncedFiles().withdraw(file, folder)
    except FlashError as second:
        raise FlashError(f"{fault}\n{second}\n{file} may be there, so this board stays locked; {_BACK}") from fault


def _import(args: argparse.Namespace) -> None:
    with flash_errors(args.file):
        sealed = args.file.read_bytes()
    swap_file = decode(unseal(sealed, _passphrase(args, twice=False)))
    require_inside(swap_file, [args.config.parent, _STATE, *args.also])
    known, strange = without_strange_keys(swap_file, args.config.parent / "trust")
    take_parcel(swap_file if args.trust_keys else known, SyncedFiles())
    for key in () if args.trust_keys else strange:
        print(f"{key}: left out, this board does not trust it; if it is the house's, import again with --trust-keys")
    print(f"this board is table {swap_file.table} now, with journal {swap_file.journal_id}; destroy {args.file}, then")
    print("systemctl enable --now pitlink-table pitlink-backup.timer pitlink-archive.timer")


def _replace(args: argparse.Namespace) -> None:
    settings = load(args.config)
    done = replace_lost(args.config, args.backup)
    decision = {
        "type": "SwapBoard",
        "table": settings.table,
        "old_journal": done.old_journal,
        "new_journal": done.new_journal,
    }
    print(f"table {settings.table} begins journal {done.new_journal} at round {done.round + 1}")
    if done.in_hand:
        print("a round was in hand when the copy was made: look at its lights and slips with accounting")
    _tell_waiting(done.waiting)
    print("two persons lock the old board out, at the meter:")
    print(f"pitlink decide {settings.link.name} '{json.dumps(decision)}' --by … --and-by … --reason …")


def _tell_waiting(waiting: tuple[Waiting, ...]) -> None:
    """Nobody sends these any more: accounting must see each of them."""
    if waiting:
        print(
            f"when the copy was made: {len(waiting)} entries waited for the meter; the new journal does not send them."
        )
        print("accounting looks each up in the ledger, and enters (Correct) what is not there:")
    for one in waiting:
        body = json.loads(msgspec.json.encode(one.entry))
        print(f"  entry {one.seq}: {body.pop('type')} {' '.join(f'{key}={value}' for key, value in body.items())}")


def _passphrase(args: argparse.Namespace, *, twice: bool) -> str:
    if args.passphrase_file is not None:
        path: Path = args.passphrase_file
        with flash_errors(path):
            return path.read_text(encoding="utf-8").strip()
    first = getpass.getpass("passphrase: ")
    if twice and getpass.getpass("again: ") != first:
        raise FlashError("these were two passphrases; try again")
    return first
