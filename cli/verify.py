"""pitlink verify: every program file of the running version against its signed hash."""

import argparse
import sys
from pathlib import Path
from typing import Final

from flashing.errors import FlashError
from flashing.keys import Trust
from flashing.paths import BoardPaths
from flashing.program_hashes import check_program

NOTHING: Final = 2
ALTERED: Final = 4


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "--root", type=Path, default=BoardPaths().opt, help="where versions are (default: /opt/pitlink)"
    )
    parser.add_argument("--version", metavar="VERSION", help="look at this version (default: the one that runs)")
    parser.add_argument("--trust", type=Path, default=BoardPaths().trust, help="the folder of trusted keys")


def run(args: argparse.Namespace) -> int:
    """Exit 0 with version and hash, 4 naming the files that differ, 2 if there is no version."""
    places = BoardPaths(opt=args.root)
    version = args.version or places.running()
    if not version:
        print(f"{places.current}: no version was installed from a bundle here", file=sys.stderr)
        return NOTHING
    try:
        program = check_program(places.version(version), Trust.of(args.trust))
    except FlashError as fault:
        print(fault, file=sys.stderr)
        return ALTERED
    counts = f"{program.signed:,} files as signed, {program.made_here:,} as made here by the installation (not signed)"
    print(f"version {program.version}: {counts}, program {program.hash}")
    return 0
