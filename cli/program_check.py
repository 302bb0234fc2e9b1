"""The program looks at its own files before it runs a table or a meter: what is altered does not start."""

import argparse
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Final

from common.log import open_log
from flashing.errors import BoardFault
from flashing.paths import Places, is_whole

ALTERED: Final = 4
CHECKED: Final = frozenset({"table", "meter"})


def own_program(args: argparse.Namespace, prefix: Path = Path(sys.prefix)) -> str:
    """Version and hash of this program, checked where it came from a bundle; raises BoardFault naming what is altered.

    The keys to believe lie beside the settings, or where boards have them. A developer's checkout has nothing to
    compare with, and says so.
    """
    if not is_whole(prefix):
        return f"{version('pitlink')} (not from a bundle)"
    from flashing.keys import Trust
    from flashing.program_hashes import check_program

    beside = args.config.parent / "trust"
    program = check_program(prefix, Trust.of(beside if beside.is_dir() else Places().trust))
    counts = {"signed": program.signed, "made_here": program.made_here}
    open_log().info("program_checked", version=program.version, program=program.hash, **counts)
    return f"{program.version} {program.hash}"


def checked(args: argparse.Namespace) -> int:
    """Notes in args which program runs, for those who write it down; 4 with the reason if it must not."""
    try:
        args.program = own_program(args)
    except BoardFault as fault:
        print(f"this program must not run: {fault}", file=sys.stderr)
        return ALTERED
    return 0
