"""pitlink panel pin: who may use a table's panel, and with which PIN."""

import argparse
import sys
from pathlib import Path
from typing import Final

from cli.pin_command import do, pin_arguments
from common.auth.pins import Staff, StaffFault
from common.settings import SettingsError
from controller.settings.table import load

BAD_REQUEST: Final = 2


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    pin_arguments(parser, of="a table's staff", settings="the table's settings")


def run(args: argparse.Namespace) -> int:
    """Exit 0, or 2 with what will not do."""
    try:
        settings = load(args.config)
        staff = Staff(settings.panel.staff_file(settings.state_dir))
        do(args, staff, Path(settings.state_dir) / "attempts.json")
    except (SettingsError, StaffFault, OSError) as problem:
        print(problem, file=sys.stderr)
        return BAD_REQUEST
    return 0
