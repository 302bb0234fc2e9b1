"""pitlink floor pin: who may use a meter's floor page, and with which PIN."""

import argparse
import sys
from typing import Final

from cli.pin_command import do, pin_arguments
from common.auth.pins import Staff, StaffFault
from common.settings import SettingsError
from meter.settings import read_meter_settings

BAD_REQUEST: Final = 2


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    pin_arguments(parser, of="those who look after a meter", settings="the meter's settings")


def run(args: argparse.Namespace) -> int:
    """Exit 0, or 2 with what will not do."""
    try:
        settings = read_meter_settings(args.config)
        floor = settings.floor
        do(args, Staff(floor.staff_file(settings.store)), floor.attempts_file(settings.store))
    except (SettingsError, StaffFault, OSError) as problem:
        print(problem, file=sys.stderr)
        return BAD_REQUEST
    return 0
