"""pitlink broker: settings and access list for Mosquitto, made from the meter's settings, or compared with them."""

import argparse
import sys
import sysconfig
from difflib import unified_diff
from pathlib import Path
from typing import Final

from common.settings import SettingsError, open_settings
from meter.broker_files import VERSIONS, Bridge, BrokerPlan, LinkTables, access_list, broker_settings
from meter.settings import survey

DIFFERENT: Final = 1
BAD_SETTINGS: Final = 2
CANNOT_WRITE: Final = 3
_MOST_LINES: Final = 20


class _Wrong(Exception):  # noqa: N818  what somebody wrote
    """Arguments that make no sense together; the message says what to write."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    things = parser.add_subparsers(dest="thing", required=True, metavar="THING")
    config = things.add_parser("config", help="mosquitto.conf and mosquitto.acl for the links of a meter")
    config.add_argument("--config", type=Path, required=True, metavar="FILE", help="the meter's settings (TOML)")
    config.add_argument("--mosquitto", choices=VERSIONS, default=VERSIONS[0], help="version of the broker (2.0)")
    config.add_argument(
        "--bridge", action="append", default=[], metavar="NAME=TABLE,…", help="tables that stand at another property"
    )
    config.add_argument("--branch", metavar="NAME", help="the files for that property's broker (one of --bridge)")
    config.add_argument("--main-broker", metavar="HOST:PORT", help="for --branch: the broker beside the meter")
    config.add_argument("--folder", default="/etc/mosquitto/pitlink", help="where the broker finds its files")
    config.add_argument("--plugins", default=_plugin_folder(), help="for 2.1: where mosquitto_acl_file.so lies")
    config.add_argument("--port", type=int, default=8883, help="where the broker listens (8883)")
    where = config.add_mutually_exclusive_group()
    where.add_argument("--out", type=Path, metavar="FOLDER", help="write both files there instead of printing them")
    where.add_argument("--check", type=Path, metavar="FOLDER", help="say whether the files there are still right")


def run(args: argparse.Namespace) -> int:
    """Prints, writes or compares; 1 if files differ, 2 for bad settings, 3 if a file cannot be read or written."""
    try:
        plan = _plan(args)
    except (SettingsError, _Wrong) as error:
        print(error, file=sys.stderr)
        return BAD_SETTINGS
    files = {"mosquitto.conf": broker_settings(plan), "mosquitto.acl": access_list(plan)}
    try:
        if args.check is not None:
            return _compare(args.check, files)
        if args.out is not None:
            for name, text in files.items():
                (args.out / name).write_text(text, encoding="utf-8")
                print(f"wrote {args.out / name}")
            return 0
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return CANNOT_WRITE
    for name, text in files.items():
        print(f"#### {name}\n{text}")
    return 0


def _compare(folder: Path, files: dict[str, str]) -> int:
    """Says which lines differ, those that are missing with a plus."""
    found = 0
    for name, text in files.items():
        there = (folder / name).read_text(encoding="utf-8")
        lines = list(unified_diff(there.splitlines(), text.splitlines(), lineterm="", n=0))[2:]
        if lines:
            found = DIFFERENT
            shown = "\n".join(line for line in lines[:_MOST_LINES] if not line.startswith("@@"))
            print(f"{folder / name} is not what these settings ask for (- is there, + should be):\n{shown}")
        else:
            print(f"{folder / name} is right")
    if found:
        print("make them anew with --out, then restart the broker", file=sys.stderr)
    return found


def _plan(args: argparse.Namespace) -> BrokerPlan:
    file = open_settings(args.config)
    settings = survey(file)
    faults = [fault for fault in file.faults if fault.key.startswith("link")]  # certificates may lie elsewhere
    if faults:
        raise SettingsError(faults)
    links = tuple(LinkTables(link.name, link.tables) for link in settings.links)
    bridges = tuple(_bridge(said, links) for said in args.bridge)
    branch = next((bridge for bridge in bridges if bridge.name == args.branch), None)
    if args.branch and branch is None:
        raise _Wrong(f"--branch {args.branch} needs --bridge {args.branch}=TABLE,… that names its tables")
    if args.branch and not args.main_broker:
        raise _Wrong("--branch needs --main-broker HOST:PORT, where the broker beside the meter listens")
    return BrokerPlan(
        links,
        bridges,
        branch,
        args.main_broker or "",
        version=args.mosquitto,
        folder=args.folder,
        plugins=args.plugins,
        port=args.port,
    )


def _bridge(said: str, links: tuple[LinkTables, ...]) -> Bridge:
    name, _, tables = said.partition("=")
    bridge = Bridge(name, tuple(filter(None, tables.split(","))))
    if not name.isalnum() or not bridge.tables:
        raise _Wrong(f"--bridge {said}: write NAME=TABLE,… such as branch1=B1,B2")
    known = {table for each in links for table in each.tables}
    if unknown := [table for table in bridge.tables if table not in known]:
        raise _Wrong(f"--bridge {said}: no link of these settings has a table {', '.join(unknown)}")
    return bridge


def _plugin_folder() -> str:
    """Where Debian keeps a broker's plugins on a machine like this one."""
    return f"/usr/lib/{sysconfig.get_config_var('MULTIARCH') or 'mosquitto'}"
