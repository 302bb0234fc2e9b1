"""pitlink wiring: the pin list of a table, its circuits and power budget, a drawing, and the commissioning sheet."""

import argparse
import sys
from pathlib import Path
from typing import Final

from cli.commissioning_sheet import write_sheet
from common.settings import SettingsError
from controller.settings.circuits import electric_plan
from controller.settings.table import load
from controller.settings.wiring_drawing import drawing
from controller.settings.wiring_plan import plan

BAD_SETTINGS: Final = 2
CANNOT_WRITE: Final = 3


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help="the table's settings (TOML)")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw header, circuits and supplies into this file")
    parser.add_argument("--sheet", type=Path, metavar="FILE", help="write the commissioning sheet (PDF) into this file")


def run(args: argparse.Namespace) -> int:
    """Prints the pin list; 2 for bad settings, 3 if the drawing or the sheet cannot be written."""
    try:
        settings = load(args.config)
        if args.svg is not None:
            args.svg.write_text(drawing(settings), encoding="utf-8")
        if args.sheet is not None:
            with args.sheet.open("wb") as target:
                write_sheet(target, settings, args.config)
    except SettingsError as error:
        print(error, file=sys.stderr)
        return BAD_SETTINGS
    except OSError as error:
        print(f"{error.filename} cannot be written: {error.strerror}", file=sys.stderr)
        return CANNOT_WRITE
    print(plan(settings))
    print()
    print(electric_plan(settings))
    return 0
