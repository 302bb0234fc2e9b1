"""pitlink image --base FILE …: the card of one table, from Raspberry Pi OS Lite (docs/technician.md)."""

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from ipaddress import ip_address, ip_interface
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from zoneinfo import available_timezones

from common.settings import SettingsError
from controller.settings.table import TableSettings, load
from flashing.bundle import open_bundle
from flashing.card.image import CardOrder, make_card
from flashing.card.layout import CardLayout
from flashing.card.root import DATA_LABEL, PROGRAM_LABEL, Recipe
from flashing.errors import FlashError, flash_errors
from flashing.keys import Trust

FAILED: Final = 1
SMALLEST_CARD: Final = 8
_ETC: Final = "/etc/pitlink/"
_OF_A_CARD: Final = 95  # per cent of the gigabytes printed on a card are there on every card
_NAME: Final = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    needed = parser.add_argument_group("what the card is made of")
    needed.add_argument(
        "--base", type=Path, required=True, metavar="FILE", help="Raspberry Pi OS Lite, .img or .img.xz"
    )
    needed.add_argument("--bundle", type=Path, required=True, metavar="FILE", help="the program, VERSION.pitlink")
    needed.add_argument("--trust", type=Path, required=True, metavar="KEY.pub", help="the release key of the house")
    needed.add_argument("--settings", type=Path, required=True, metavar="FILE", help="the table's settings")
    needed.add_argument("--files", type=Path, metavar="FOLDER", help=f"what the settings name below {_ETC}")
    needed.add_argument("--out", type=Path, required=True, metavar="FILE", help="the image; it holds the table's keys")
    needed.add_argument(
        "--card", type=int, default=SMALLEST_CARD, metavar="GB", help="the size of the card (default: %(default)s)"
    )
    needed.add_argument("--project", type=Path, default=Path(), help="the project's folder (default: here)")
    board = parser.add_argument_group("what the board is told")
    board.add_argument("--hostname", help="its name (default: that of the table)")
    board.add_argument("--address", help="a fixed address, such as 10.0.4.11/24 (default: by DHCP)")
    board.add_argument("--gateway", help="the network's gateway, with --address")
    board.add_argument("--dns", help="the network's name server, with --address")
    board.add_argument("--time-server", help="who knows the time (default: by DHCP)")
    board.add_argument("--timezone", help="the house's, such as America/New_York (default: that of the image)")
    board.add_argument("--technician", type=Path, metavar="KEY.pub", help="an SSH key that may log in as `technician`")
    board.add_argument("--kiosk", action="store_true", help="the sign on the board's own screen; fetches a browser")


def run(args: argparse.Namespace) -> int:
    """Exit 0, or 1 with what is wrong; no half image is left."""
    try:
        order = _order(args)
        card = make_card(order, lambda words: print(words, file=sys.stderr, flush=True))
    except (FlashError, SettingsError) as fault:
        print(fault, file=sys.stderr)
        return FAILED
    print(_words(args.out, card))
    return 0


def _order(args: argparse.Namespace) -> CardOrder:
    """Everything that can be looked over before the long work begins."""
    _require_files(args)
    settings = _settings(args.settings, args.files)
    with open_bundle(args.bundle, Trust.only(args.trust)) as bundle:
        platform = bundle.manifest.platform
    files = {"bundle": args.bundle, "trust": args.trust, "settings": args.settings}
    if args.files is not None:
        files["files"] = args.files
    if args.technician is not None:
        _require_public(args.technician)
        files["technician"] = args.technician
    recipe = Recipe(files, tuple(_options(args, settings)))
    return CardOrder(
        args.base, args.out, args.project, args.card * 10**7 * _OF_A_CARD, platform, recipe, has_kiosk=args.kiosk
    )


def _settings(path: Path, files: Path | None) -> TableSettings:
    """The table's settings, read as the board will read them, with its files in their folder here."""
    if files is None:
        return load(path)
    with TemporaryDirectory() as scratch, flash_errors(path):
        copy = Path(scratch) / path.name
        copy.write_text(path.read_text(encoding="utf-8").replace(f'"{_ETC}', f'"{files.absolute()}/'), encoding="utf-8")
        return load(copy)


def _options(args: argparse.Namespace, settings: TableSettings) -> Iterator[str]:
    hostname = args.hostname or re.sub(r"[^a-z0-9]+", "-", settings.table.lower()).strip("-")
    if not _NAME.fullmatch(hostname):
        raise FlashError(f"--hostname {hostname}: a name has small letters, digits and hyphens; choose another")
    yield from ("--data", DATA_LABEL, "--program", PROGRAM_LABEL, "--hostname", hostname)
    if settings.panel.tls is not None:
        yield from ("--pages-key", settings.panel.tls.key.replace(f"{args.files.absolute()}/", _ETC))
    if args.address is not None:
        yield from ("--address", _address(args.address))
    for option in ("gateway", "dns"):
        value = getattr(args, option)
        if value is not None and args.address is None:
            raise FlashError(f"--{option} needs --address: with DHCP the network says both")
        if value is not None:
            yield from (f"--{option}", _plain_address(option, value))
    if args.time_server is not None:
        if not re.fullmatch(r"[A-Za-z0-9.:-]+", args.time_server):
            raise FlashError(f"--time-server {args.time_server}: write an address or a name")
        yield from ("--time-server", args.time_server)
    if args.timezone is not None:
        if args.timezone not in available_timezones():
            raise FlashError(f"--timezone {args.timezone}: there is no such zone; write it as America/New_York")
        yield from ("--timezone", args.timezone)
    if args.kiosk:
        yield "--kiosk"


def _address(words: str) -> str:
    try:
        found = ip_interface(words)
    except ValueError as error:
        raise FlashError(f"--address {words}: {error}; write it as 10.0.4.11/24") from error
    if "/" not in words:
        raise FlashError(f"--address {words}: how large is the network? Write it as {found.ip}/24")
    return str(found)


def _plain_address(option: str, words: str) -> str:
    try:
        return str(ip_address(words))
    except ValueError as error:
        raise FlashError(f"--{option} {words}: {error}") from error


def _require_files(args: argparse.Namespace) -> None:
    """What the settings name below /etc/pitlink must be there: a card without a key is found out too late."""
    with flash_errors(args.settings):
        text = args.settings.read_text(encoding="utf-8")
    try:
        named = sorted(set(_named(tomllib.loads(text))))
    except tomllib.TOMLDecodeError as error:
        raise FlashError(f"{args.settings}: {error}; pitlink check says more") from error
    missing = [name for name in named if args.files is None or not (args.files / name).exists()]
    if missing:
        where = args.files or "a folder given with --files"
        places = ", ".join(f"{name} (named as {_ETC}{name})" for name in missing)
        raise FlashError(f"{args.settings} names files that are missing: put {places} into {where}")


def _named(value: Any) -> Iterator[str]:
    match value:
        case str() if value.startswith(_ETC):
            yield value.removeprefix(_ETC)
        case Mapping():
            for part in value.values():
                yield from _named(part)
        case list():
            for part in value:
                yield from _named(part)


def _require_public(key: Path) -> None:
    with flash_errors(key):
        words = key.read_text(encoding="utf-8", errors="replace")
    if not words.startswith(("ssh-", "ecdsa-", "sk-")):
        raise FlashError(f"{key}: not the public half of an SSH key; take the .pub file of ssh-keygen")


def _words(out: Path, card: CardLayout) -> str:
    parts = {"boot": card.boot, "system": card.root, "programs": card.program, "data": card.data}
    sizes = ", ".join(f"{name} {part.size // 2**20} MB" for name, part in parts.items())
    return f"{out}: {sizes}; it holds the table's keys: write it to one card, then delete it"
