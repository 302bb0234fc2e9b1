"""pitlink bundle key|build|permit|show: signed files with which technicians flash boards (docs/flashing.md)."""

import argparse
import sys
from pathlib import Path
from typing import Final

from flashing.build import BuildOrder, build
from flashing.bundle import Manifest, open_bundle, permit_downgrade
from flashing.errors import FlashError, flash_errors
from flashing.keys import Trust, make_key, read_private
from flashing.versions import MACHINES, PYTHONS

FAILED: Final = 1


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    key = actions.add_parser("key", help="make a key pair: NAME.key for the safe, NAME.pub for the boards")
    key.add_argument("name")
    key.add_argument("--role", choices=["release", "downgrade"], default="release", help="what it may sign")
    key.add_argument("--folder", type=Path, default=Path(), help="where to put both (default: here)")
    maker = actions.add_parser("build", help="build and sign a bundle of this project")
    maker.add_argument("--platform", choices=MACHINES, required=True, help="the board's machine")
    maker.add_argument(
        "--python", choices=PYTHONS, default=PYTHONS[0], help="Debian 12: 3.11 (default), Debian 13: 3.13"
    )
    maker.add_argument("--out", type=Path, required=True, metavar="FILE", help="the bundle, VERSION.pitlink")
    maker.add_argument("--project", type=Path, default=Path(), help="the project's folder (default: here)")
    maker.add_argument(
        "--extras", default="board", help="what to bring along (default: board; a meter: board,postgres)"
    )
    maker.add_argument("--wheels", type=Path, metavar="FOLDER", help="take wheels from here and none from the network")
    maker.add_argument("--key", type=Path, required=True, help="the release key")
    permit = actions.add_parser("permit", help="sign a second time: boards may go back to this version")
    permit.add_argument("file", type=Path)
    permit.add_argument("--key", type=Path, required=True, help="the downgrade key")
    for part in (key, maker, permit):
        part.add_argument("--passphrase-file", type=Path, metavar="FILE", help="what locks the key, if anything")
    show = actions.add_parser("show", help="check a bundle as a board would, and say what it is")
    show.add_argument("file", type=Path)
    show.add_argument("--trust", type=Path, default=Path("/etc/pitlink/trust"), help="the folder of trusted keys")


def run(args: argparse.Namespace) -> int:
    """Exit 0, or 1 with what is wrong."""
    try:
        return _act(args)
    except FlashError as fault:
        print(fault, file=sys.stderr)
        return FAILED


def _act(args: argparse.Namespace) -> int:
    match args.action:
        case "key":
            private, public = make_key(args.folder, args.name, args.role, _passphrase(args))
            print(f"{private}: keep it off every network\n{public}: copy it to /etc/pitlink/trust of every board")
        case "build":
            what = BuildOrder(args.project, args.platform, args.python, args.extras, args.wheels)
            manifest = build(what, args.out, key=read_private(args.key, _passphrase(args)))
            print(f"{args.out}: {_words(manifest)}")
        case "permit":
            permit_downgrade(args.file, read_private(args.key, _passphrase(args)))
            print(f"{args.file}: boards that trust this key may go back to it")
        case _:
            with open_bundle(args.file, Trust.of(args.trust)) as bundle:
                more = ", downgrade permitted" if bundle.release.permits_downgrade else ""
                print(f"{args.file}: {_words(bundle.manifest)}{more}")
    return 0


def _words(manifest: Manifest) -> str:
    size = sum(part.size for part in manifest.parts) // 1024
    files = f"{len(manifest.parts)} parts, {size:,} kB, {len(manifest.program):,} program files"
    return f"version {manifest.version} for {manifest.platform}, {files}, program {manifest.program_hash}"


def _passphrase(args: argparse.Namespace) -> bytes | None:
    path: Path | None = args.passphrase_file
    if path is None:
        return None
    with flash_errors(path):
        return path.read_bytes().strip()
