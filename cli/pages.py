"""pitlink pages: the process that serves a daemon's pages to the network."""

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Final

from msgspec import Struct

from common.log import adopt_libraries, open_log
from common.pages.server import PagesServer
from common.settings import SettingsError, SettingsFault, open_settings
from common.supervision import ServiceManager, run_all
from common.tls import PagesTls, read_tls
from common.unix_http import PAGES
from controller.settings.table import PANEL_TLS_PORT, state_dir_of
from meter.settings import FLOOR_TLS_PORT, folder_of

BAD_SETTINGS: Final = 2
CANNOT_START: Final = 3


class Served(Struct, frozen=True):
    """What is served, from which socket; shared is the stream of the signs, if there is one."""

    tls: PagesTls
    upstream: Path
    shared: str


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help="the table's or meter's settings")


def run(args: argparse.Namespace) -> int:
    """Serves until SIGTERM (0); settings faults give 2, a server that cannot start 3."""
    try:
        served = read_served(args.config)
    except SettingsError as error:
        print(error, file=sys.stderr)
        return BAD_SETTINGS
    try:
        return asyncio.run(_serve(served))
    except OSError as fault:
        print(f"pages cannot start: {fault}", file=sys.stderr)
        return CANNOT_START


def read_served(path: Path) -> Served:
    """Reads only what the pages need: this process may not look at the daemon's keys."""
    file = open_settings(path)
    is_table = file.root.has("table")
    section = file.root.section("panel" if is_table else "floor")
    tls = read_tls(section, port=PANEL_TLS_PORT if is_table else FLOOR_TLS_PORT)
    if file.faults:
        raise SettingsError(file.faults)
    if tls is None:
        key = "panel.tls" if is_table else "floor.tls"
        raise SettingsError([SettingsFault(str(path), key, "missing; nothing is served to the network without it")])
    folder = state_dir_of(path) if is_table else folder_of(path)
    return Served(tls, folder / PAGES, "/sign/stream" if is_table else "")


async def _serve(served: Served) -> int:
    log, tls = open_log(), served.tls
    adopt_libraries(log)
    async with PagesServer(tls, served.upstream, shared=served.shared) as pages:
        log.info("pages_started", host=tls.host, port=pages.port, upstream=str(served.upstream))
        return await run_all(log=log, manager=ServiceManager(), ready=f"pages on {tls.host}:{pages.port}")
