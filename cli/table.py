"""pitlink table: the daemon of one table."""

import argparse
import asyncio
import sys
import time
from pathlib import Path

import msgspec
from msgspec.structs import replace

from common.board_health import BoardFiles
from common.clock import RealClock
from common.log import adopt_libraries, open_log
from common.settings import SettingsError
from common.supervision import ServiceManager, run_all
from controller.assembly import Assembly
from controller.journal.file import JournalFault
from controller.settings.pins import gates
from controller.settings.table import TableSettings, load
from controller.table.last_failure import LastFailure
from controller.table.loop import TableLoop
from drivers.gpio.chip import open_metal, outputs_outlive_us
from drivers.ports import PinFault

BAD_SETTINGS = 2
CANNOT_START = 3


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--config", type=Path, required=True, help="the table's settings (TOML)")
    parser.add_argument("--print-config", action="store_true", help="print what is in force and stop")


def run(args: argparse.Namespace) -> int:
    """Runs until SIGTERM (0); settings faults give 2, a table that cannot start 3, a part that died 1."""
    try:
        settings = load(args.config)
        if args.print_config:
            hidden = replace(settings.link, staff_key="given, and secret" if settings.link.staff_key else "")
            told = msgspec.to_builtins(replace(settings, link=hidden), enc_hook=str)
            shown = {"config_hash": settings.config_hash, **told}
            print(msgspec.json.format(msgspec.json.encode(shown), indent=2).decode())
            return 0
    except SettingsError as error:
        print(error, file=sys.stderr)
        return BAD_SETTINGS
    try:
        return asyncio.run(_serve(settings, args.program))
    except (JournalFault, PinFault, OSError) as fault:
        print(f"table cannot start: {fault}", file=sys.stderr)
        _note(settings, f"cannot start: {fault}")
        return CANNOT_START


def _note(settings: TableSettings, reason: str) -> None:
    """Leaves the reason for whoever comes to the panel; where even that fails, it is said beside the reason."""
    try:
        LastFailure(Path(settings.state_dir)).note(reason, time.time_ns() // 1_000_000)
    except OSError as error:
        print(f"the reason could not be kept: {error}", file=sys.stderr)


async def _serve(settings: TableSettings, program: str) -> int:
    log = open_log()
    adopt_libraries(log)
    manager, deaths = ServiceManager(), list[str]()
    if outputs_outlive_us():
        raise PinFault("board", "this kernel keeps gates open when the program dies; set dtparam=strict_gpiod")
    metal = open_metal(settings.gpio, gates(settings))
    assembly = Assembly(settings, metal, clock=RealClock(asyncio.get_running_loop()), log=log, board=BoardFiles())
    try:
        assembly.table.journal.keep_program(program)
        await assembly.start()
        assembly.table.watch(lambda _event, _step: manager.status(_status(assembly)))
        starts = assembly.table.journal.boot
        log.info("table_started", table=settings.table, port=assembly.port, starts=starts, program=program)
        ready = f"table {settings.table}: {_status(assembly)}"
        return await run_all(
            *assembly.parts(),
            _lengthen_log(assembly.table),
            log=log,
            manager=manager,
            ready=ready,
            wind_down=assembly.wind_down,
            on_death=deaths.append,
        )
    finally:
        if deaths:
            _note(settings, "; ".join(deaths))
        await assembly.stop()
        log.info("table_stopped", table=settings.table)


async def _lengthen_log(table: TableLoop) -> None:
    """Makes writes quicker once the table is ready; like every part of a daemon it does not end by itself."""
    await table.on_journal(table.journal.lengthen_log)
    await asyncio.Event().wait()


def _status(assembly: Assembly) -> str:
    """What the table waits for; then, for who is sent to mend it, every fault, and why its program last stopped."""
    failure, seen = assembly.web_server.last_failure.known, assembly.look()
    faults = (f"{device}: {detail}" for device, detail in seen.faults.items())
    return " | ".join((seen.next_step, *faults, *([str(failure)] if failure else [])))
