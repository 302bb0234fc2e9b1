"""pitlink flash VERSION: a signed bundle becomes the version that runs, or everything stays as it was."""

import argparse
import os
import sys
from pathlib import Path
from typing import Final

from common.settings import SettingsError
from common.supervision import ServiceManager
from common.unix_http import CONTROL
from controller.settings.table import TableSettings, load
from flashing.errors import FlashError
from flashing.files import SyncedFiles
from flashing.flash import Flash, Patience
from flashing.paths import BoardPaths
from flashing.rollback import CUT_OFF, FlashTools
from flashing.state import FlashNotes, LastFlash
from flashing.systemd import InstalledPrograms, Systemctl, flash_unit, start_soon
from flashing.table_api import TableApiClient
from flashing.usb_stick import take_from_stick

WENT_BACK: Final = 1
REFUSED: Final = 3
CUT_OFFS: Final = 2


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    usual = BoardPaths()
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("version", nargs="?", help="flash the bundle of this version")
    what.add_argument("--stick", type=Path, metavar="DEVICE", help="take the bundle from this stick and flash it")
    what.add_argument("--resume", action="store_true", help="end a flash that was cut off: finish it or go back")
    what.add_argument("--status", action="store_true", help="say how far a flash is, or how the last one ended")
    parser.add_argument("--live", action="store_true", help="with --resume: stop and start units, too")
    parser.add_argument("--opt", type=Path, default=usual.opt, help="where versions are")
    parser.add_argument("--state", type=Path, default=usual.state, help="where bundles and the flash's state are")
    parser.add_argument("--settings", type=Path, default=usual.settings, help="where settings and trusted keys are")
    parser.add_argument("--units", type=Path, default=usual.units, help="where unit files are")
    parser.add_argument("--wait-s", type=float, default=Patience().closing_s, help="how long to wait for a round's end")
    parser.add_argument("--healthy-s", type=float, default=Patience().healthy_s, help="how long a new version may take")
    parser.add_argument("--steady-s", type=float, default=Patience().steady_s, help="how long it must then stay well")


def run(args: argparse.Namespace) -> int:
    """Exit 0 if the version runs now, 1 if the board went back, 3 if nothing was begun."""
    os.umask(0o022)  # whatever the shell's: the table's user must be able to read his program
    places = BoardPaths(*(folder.absolute() for folder in (args.opt, args.state, args.settings, args.units)))
    try:
        return _act(args, places)
    except (FlashError, SettingsError) as fault:
        print(fault, file=sys.stderr)
        return REFUSED


def _act(args: argparse.Namespace, places: BoardPaths) -> int:
    if args.status:
        return _status(places)
    if args.stick is not None:
        return _from_stick(args.stick, places)
    if args.resume:
        last = _flash(args, places, None).resume(live=args.live)
        print(last or "no flash was under way")
        return 0
    config = places.settings / "table.toml"
    settings = load(config) if config.is_file() else None
    return _code(_flash(args, places, settings).run(args.version))


def _from_stick(device: Path, places: BoardPaths) -> int:
    """A stick that is left in must not flash again at every boot: not what runs, nor what has failed here."""
    version = take_from_stick(device, places, SyncedFiles())
    if version == places.running():
        print(f"{version} is what runs already; pull the stick")
        return 0
    last = FlashNotes(places, SyncedFiles()).read_last()
    if last is not None and last.version == version and _has_failed(last):
        raise FlashError(f"{last}; to try again all the same, systemctl start pitlink-flash@{version}")
    problem = start_soon(flash_unit(version))
    print(problem or f"flash of {version} begins; pull the stick, and read `systemctl status pitlink-flash@{version}`")
    return REFUSED if problem else 0


def _has_failed(last: LastFlash) -> bool:
    """A plug that was pulled may be pulled once; a version that is cut off again and again resets the board itself."""
    return last.went_back and (last.why != CUT_OFF or last.cut_offs >= CUT_OFFS)


def _flash(args: argparse.Namespace, places: BoardPaths, settings: TableSettings | None) -> Flash:
    manager = ServiceManager()

    def say(words: str) -> None:
        print(words, flush=True)
        manager.status(words)

    hands = FlashTools(places, SyncedFiles(), Systemctl(), InstalledPrograms(), say)
    journal = Path(settings.state_dir) / "journal.db" if settings else None
    table = TableApiClient(Path(settings.state_dir) / CONTROL if settings else None)
    patience = Patience(closing_s=args.wait_s, healthy_s=args.healthy_s, steady_s=args.steady_s)
    return Flash(hands, table, journal, patience=patience)


def _status(places: BoardPaths) -> int:
    notes = FlashNotes(places, SyncedFiles())
    state, last = notes.read(), notes.read_last()
    if state is not None:
        print(f"flash of {state.version} is at step {state.step}; {state.old or 'nothing'} ran before")
    print(last or "no flash has ended on this board yet")
    return _code(last) if last else 0


def _code(last: LastFlash) -> int:
    return WENT_BACK if last.went_back else 0
