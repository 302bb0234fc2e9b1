"""pitlink selftest: what a board must be able to do before its table starts (docs/units.md)."""

import argparse
import asyncio
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Final

from common.board_health import BoardFiles
from common.settings import SettingsError
from controller.devices.board_check import findings
from controller.journal.file import JournalFault, hold
from controller.settings.table import TableSettings, load
from drivers.gpio.chip import open_metal

FAULTY: Final = 1
BAD_SETTINGS: Final = 2
IN_USE: Final = 3


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help="the table's settings (TOML)")


def run(args: argparse.Namespace) -> int:
    """Prints one line for each part; 0 if all are well, 1 if one is not, 2 for bad settings, 3 while the table runs."""
    try:
        settings = load(args.config)
        print(f"ok     settings: table {settings.table}, {len(settings.seats)} seats", flush=True)
        with _table_kept_away(Path(settings.state_dir) / "journal.db"):
            return asyncio.run(_test(settings))
    except SettingsError as error:
        print(error, file=sys.stderr)
        return BAD_SETTINGS
    except (JournalFault, OSError) as fault:
        print(f"no self-test now: {fault}", file=sys.stderr)
        return IN_USE


def _table_kept_away(journal: Path) -> AbstractContextManager[object]:
    """A running table would lose its pins and its wire to us; where none has ever run, nothing is left behind."""
    return hold(journal) if journal.with_suffix(".lock").exists() else nullcontext()


async def _test(settings: TableSettings) -> int:
    is_well = True
    async for finding in findings(settings, open_metal, BoardFiles()):
        print(finding, flush=True)
        is_well = is_well and finding.is_well
    return 0 if is_well else FAULTY
