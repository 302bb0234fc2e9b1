"""The pitlink command: which command lives where, and nothing else."""

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final, Protocol

from common.log import open_log
from flashing.errors import FlashError
from flashing.paths import BoardPaths, is_whole

ALTERED: Final = 4
CHECKED: Final = frozenset({"table", "meter", "pages"})


def own_program(args: argparse.Namespace, prefix: Path = Path(sys.prefix)) -> str:
    """Version and hash of this program, checked where it came from a bundle; raises FlashError naming what is altered.

    The keys to believe lie beside the settings, or where boards have them. A developer's checkout has nothing to
    compare with, and says so.
    """
    if not is_whole(prefix):
        return f"{version('pitlink')} (not from a bundle)"
    from flashing.keys import Trust
    from flashing.program_hashes import check_program

    beside = args.config.parent / "trust"
    program = check_program(prefix, Trust.of(beside if beside.is_dir() else BoardPaths().trust))
    counts = {"signed": program.signed, "made_here": program.made_here}
    open_log().info("program_checked", version=program.version, program=program.hash, **counts)
    return f"{program.version} {program.hash}"


def checked(args: argparse.Namespace) -> int:
    """Notes in args which program runs, for those who write it down; 4 with the reason if it must not."""
    try:
        args.program = own_program(args)
    except FlashError as fault:
        print(f"this program must not run: {fault}", file=sys.stderr)
        return ALTERED
    return 0


SUMMARIES: Final = {
    "table": "run a table",
    "meter": "run the linked meter",
    "pages": "serve a table's or meter's pages to the network",
    "kiosk": "keep a browser on a table's sign",
    "broker": "settings and access list for Mosquitto, from a meter's settings",
    "backup": "copy a meter's ledger while it runs, or restore it",
    "decide": "two persons' decision about a link, or what waits for one",
    "ledger": "the meter's statement, proof, award reports and export",
    "demo": "broker, meter and simulated tables in one command",
    "dealer": "tell a running table what hardware does not say",
    "journal": "show, verify, copy or archive a table's journal",
    "staff": "who the house's people are: their numbers, roles, PINs and badges, at the meter",
    "dispute": "one round of a table as one file, with its hash",
    "odds": "exact odds of a wager",
    "settle": "settle a round given as JSON",
    "showdown": "divide a pot or settle a base game given as JSON",
    "poker-room": "the page of a poker table: who opens, who wins which part of the pot, the deck's clocks",
    "check": "check settings against the rules",
    "wiring": "the pin list of a table, its header as a drawing, and its commissioning sheet",
    "cctalk": "what answers on a ccTalk wire, and what a table would do with it",
    "service": "a technician's tests of a closed table: pins live, one lamp, gate, motor, chip or passage",
    "selftest": "whether a board can serve its table: journal, pins, wire, clock",
    "bundle": "build and sign the file that boards are flashed with",
    "image": "the card of a new board, from a Raspberry Pi OS image",
    "flash": "install a signed bundle beside the running version, and switch or go back",
    "fleet": "which boards run what, and a new version for all of them in stages",
    "migrate": "settings and journal between versions; a flash runs it",
    "swap": "one board takes over the table of another",
    "verify": "every program file against its signed hash",
    "rules": "the rule book: where each row lives and what proves it",
}

VERSION: Final = version("pitlink")
NOT_TEXT: Final = 2
NOT_INSTALLED: Final = 3


class Command(Protocol):
    """What a command's module offers."""

    def arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; 2 for a word that is no text, 3 where what it needs is missing."""
    words = list(sys.argv[1:] if argv is None else argv)
    odd = next((word for word in words if not _is_text(word)), None)
    if odd is not None:  # no ledger, page or file of ours could hold it
        print(f"{odd!a} is not UTF-8 text; write it anew, or give that file another name", file=sys.stderr)
        return NOT_TEXT
    try:
        return _run(words)
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in {"cryptography", "packaging"}:
            raise
        print("needs pitlink[bundle]: pip install 'pitlink[bundle]'", file=sys.stderr)
        return NOT_INSTALLED


def _command(name: str) -> Command:  # noqa: C901, PLR0912, PLR0915  one case for each command
    """The module of a command: only the one that runs is imported, so that a small one starts at once."""
    match name:
        case "table":
            from cli import table

            return table
        case "meter":
            from cli import meter

            return meter
        case "kiosk":
            from cli import kiosk

            return kiosk
        case "broker":
            from cli import broker

            return broker
        case "pages":
            from cli import pages

            return pages
        case "backup":
            from cli import backup

            return backup
        case "decide":
            from cli import decide

            return decide
        case "ledger":
            from cli import ledger

            return ledger
        case "poker-room":
            from cli import poker_room

            return poker_room
        case "demo":
            from cli import demo

            return demo
        case "dealer":
            from cli import dealer

            return dealer
        case "journal":
            from cli import journal

            return journal
        case "staff":
            from cli import staff

            return staff
        case "dispute":
            from cli import dispute

            return dispute
        case "odds":
            from cli.calculators import odds

            return odds
        case "settle":
            from cli.calculators import settle

            return settle
        case "showdown":
            from cli.calculators import showdown

            return showdown
        case "check":
            from cli.calculators import check

            return check
        case "cctalk":
            from cli import cctalk

            return cctalk
        case "wiring":
            from cli import wiring

            return wiring
        case "service":
            from cli import service

            return service
        case "selftest":
            from cli import selftest

            return selftest
        case "bundle":
            from cli import bundle

            return bundle
        case "image":
            from cli import image

            return image
        case "flash":
            from cli import flash

            return flash
        case "fleet":
            from cli import fleet

            return fleet
        case "migrate":
            from cli import migrate

            return migrate
        case "swap":
            from cli import swap

            return swap
        case "verify":
            from cli import verify

            return verify
        case "rules":
            from cli.calculators import rules

            return rules
        case _:
            raise ValueError(name)


def _loaded(name: str) -> Command:
    """A command's module; nobody looks for garbage while it loads, nor ever in what a daemon is made of."""
    gc.disable()
    try:
        command = _command(name)
    finally:
        gc.enable()
    if name in CHECKED:
        gc.freeze()
    return command


def _is_text(word: str) -> bool:
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _run(words: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="pitlink", description="Casino table controller and linked progressive meter."
    )
    parser.add_argument("--version", action="version", version=f"pitlink {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    chosen = next((word for word in words if not word.startswith("-")), None)
    for name, summary in SUMMARIES.items():
        part = commands.add_parser(name, help=summary, description=summary)
        if name == chosen:
            command = _loaded(name)
            command.arguments(part)
            part.set_defaults(run=command.run)
    args = parser.parse_args(words)
    try:
        code = (checked(args) if args.command in CHECKED else 0) or int(args.run(args))
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read us has seen enough; nothing is left to say, not even at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return code


if __name__ == "__main__":
    sys.exit(main())
