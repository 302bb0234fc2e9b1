"""pitlink fleet: which boards run what, and a new version for all of them in stages; boards pull (docs/fleet.md)."""

import argparse
import asyncio
import getpass
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from common.board_health import BoardFiles, BoardHealth, alarms
from common.log import adopt_libraries, open_log
from common.settings import SettingsError
from common.supervision import ServiceManager, run_all
from common.unix_http import CONTROL
from controller.settings.table import TableSettings, load
from drivers.mqtt.settings import tls_context
from flashing.errors import FlashError
from flashing.fleet.board import FleetBoard, FleetUnreachable, HttpsFleetLink
from flashing.fleet.messages import MOST_LOG_BYTES
from flashing.fleet.rollout import BoardStage, Rollout, halted, left_out, planned, resumed
from flashing.fleet.server import FleetServer
from flashing.fleet.settings import FleetSettings, read_fleet_settings
from flashing.fleet.store import FleetStore, KnownBoard
from flashing.keys import Trust
from flashing.paths import BoardPaths
from flashing.systemd import FlashUnitStarter
from flashing.table_api import TableApiClient
from flashing.versions import order

REFUSED: Final = 1
BAD_SETTINGS: Final = 2
CANNOT_START: Final = 3
UNREACHABLE: Final = 4
_LOG_LINES: Final = 20_000
_JOURNALCTL: Final = ("journalctl", "--no-pager", "--output=short-iso", f"--lines={_LOG_LINES}", "--unit=pitlink-*")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    deeds = parser.add_subparsers(dest="deed", required=True, metavar="DEED")
    deeds.add_parser("serve", help="answer the boards, until SIGTERM")
    deeds.add_parser(
        "pull", help="at a board: report once, and do what is ordered; its timer does so every five minutes"
    )
    deeds.add_parser("add", help="keep a signed bundle for the boards").add_argument("bundle", type=Path)
    out = deeds.add_parser("roll-out", help="one board first, then groups; stops at the first failure")
    out.add_argument("version")
    out.add_argument("--first", metavar="BOARD", help="the board that is flashed alone (default: the first named)")
    out.add_argument("--group-size", type=int, default=5, metavar="N", help="boards that flash at a time (default: 5)")
    out.add_argument("--watch-s", type=float, default=300, help="how long a finished group is watched (default: 300)")
    out.add_argument("--silent-s", type=float, default=1800, help="how long a board may be silent (default: 1800)")
    status = deeds.add_parser("status", help="every board, and how far the rollout is")
    status.add_argument("--json", action="store_true", help="the same for programs")
    deeds.add_parser("halt", help="order nothing more; a flash that has begun goes on")
    deeds.add_parser("resume", help="go on, and try boards that have failed again")
    deeds.add_parser("leave-out", help="a board that is switched off or away").add_argument("board")
    deeds.add_parser("logs", help="have a board send its logs, or print the newest").add_argument("board")
    deeds.add_parser("history", help="what happened, a line each")
    for name, deed in deeds.choices.items():
        usual = "table.toml" if name == "pull" else "fleet.toml"
        deed.add_argument("--config", type=Path, default=Path("/etc/pitlink") / usual, metavar="FILE", help="settings")


def run(args: argparse.Namespace) -> int:
    """Exit 0 if done, 1 if refused, 2 for bad settings, 3 if nothing can be served, 4 if the server is out of reach."""
    try:
        return _pull(args.config) if args.deed == "pull" else _at_server(args, read_fleet_settings(args.config))
    except SettingsError as error:
        print(error, file=sys.stderr)
        return BAD_SETTINGS
    except FleetUnreachable as error:
        print(f"the fleet server is out of reach ({error}); the next pull tries again", file=sys.stderr)
        return UNREACHABLE
    except FlashError as fault:
        print(fault, file=sys.stderr)
        return REFUSED


def _at_server(args: argparse.Namespace, settings: FleetSettings) -> int:
    store = FleetStore(settings.folder)
    match args.deed:
        case "serve":
            return _serve(settings, store)
        case "add":
            print(f"kept {store.add_bundle(args.bundle, Trust.of(settings.trust))}")
        case "roll-out":
            _roll_out(args, settings, store)
        case "status":
            print(_status_json(store) if args.json else _status(settings, store))
        case "logs":
            _logs(_known(args.board, settings), store)
        case "history":
            print(store.history(), end="")
        case deed:
            _change(deed, getattr(args, "board", ""), store)
    return 0


def _serve(settings: FleetSettings, store: FleetStore) -> int:
    try:
        return asyncio.run(_answer(settings, store))
    except OSError as fault:
        print(f"the fleet server cannot start: {fault}", file=sys.stderr)
        return CANNOT_START


async def _answer(settings: FleetSettings, store: FleetStore) -> int:
    log = open_log()
    adopt_libraries(log)
    async with FleetServer(settings, store) as server:
        log.info("fleet_started", host=settings.host, port=server.port, boards=len(settings.boards))
        return await run_all(server.run(), log=log, manager=ServiceManager(), ready=f"{len(settings.boards)} boards")


def _roll_out(args: argparse.Namespace, settings: FleetSettings, store: FleetStore) -> None:
    order(args.version)
    first = _known(args.first or settings.boards[0], settings)
    if args.group_size < 1:
        raise FlashError("--group-size must be 1 or more")
    _require_bundles(args.version, settings, store)
    with store.changing() as change:
        before = change.rollout
        if before is not None and not (before.is_done or before.halted):
            raise FlashError(f"the rollout of {before.version} is under way; `pitlink fleet halt` ends it first")
        change.rollout = planned(
            args.version,
            settings.boards,
            first=first,
            group_size=args.group_size,
            silent_s=args.silent_s,
            watch_s=args.watch_s,
            orders=before.orders if before else 0,
        )
    store.note(f"{args.version}: rollout begun by {_who()}, first {first}, groups of {args.group_size}")
    print(f"{args.version} goes to {first} with its next report; `pitlink fleet status` tells how far it is")


def _require_bundles(version: str, settings: FleetSettings, store: FleetStore) -> None:
    """A board that has reported needs a bundle for its platform; others are judged when they do."""
    boards, there = store.boards(), store.platforms(version)
    needed = {board: boards[board].report.platform for board in settings.boards if board in boards}
    lacking = {board: platform for board, platform in needed.items() if platform not in there}
    if lacking or not there:
        words = "; ".join(f"{board} is {platform}" for board, platform in lacking.items()) or "none was added at all"
        raise FlashError(f"a bundle of {version} is missing ({words}); build it, then `pitlink fleet add FILE`")


def _change(deed: str, board: str, store: FleetStore) -> None:
    with store.changing() as change:
        rollout = change.rollout
        if rollout is None:
            raise FlashError("there is no rollout; `pitlink fleet roll-out VERSION` begins one")
        if board and board not in rollout.boards:
            raise FlashError(f"{board} is not in this rollout: it has {', '.join(rollout.boards)}")
        match deed:
            case "halt":
                change.rollout = halted(rollout, f"by {_who()}")
            case "resume":
                change.rollout = resumed(rollout)
            case _:
                change.rollout = left_out(rollout, board, time.time())
    store.note(f"{rollout.version}: {deed} {board}".rstrip() + f", by {_who()}")
    print("done; `pitlink fleet status` tells how it stands")


def _logs(board: str, store: FleetStore) -> None:
    store.ask_for_logs(board)
    newest = next(reversed(store.logs(board)), None)
    print(f"{board} sends its logs with its next report")
    if newest is not None:
        print(f"the newest that came is {newest}")


def _status(settings: FleetSettings, store: FleetStore) -> str:
    boards, rollout, now_s = store.boards(), store.rollout(), time.time()
    rows = [("board", "version", "settings", "table", "heard", "rollout", "")]
    rows += [_row(board, boards.get(board), rollout, now_s) for board in settings.boards]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([*lines, "", *_rollout_lines(rollout)])


def _row(
    board: str, known: KnownBoard | None, rollout: Rollout | None, now_s: float
) -> tuple[str, str, str, str, str, str, str]:
    progress = rollout.boards.get(board) if rollout else None
    stage = str(progress.stage) if progress else ""
    if known is None:
        return board, "", "", "", "never", stage, "has never reported; look at its pitlink-fleet-pull.timer"
    report = known.report
    words = [f"{alarm.part}: {alarm.words}" for alarm in alarms(report.health)]
    words += [word for word in (progress.why if progress else "", report.trouble) if word]
    if report.flashing:
        words.append(f"flash of {report.flashing} is at step {report.at_step}")
    phase = report.phase or ("does not answer" if not report.is_well else "none")
    return (
        board,
        report.version or "none",
        report.settings_hash[:8],
        phase,
        _ago(now_s - known.heard_s),
        stage,
        "; ".join(words),
    )


def _rollout_lines(rollout: Rollout | None) -> Iterator[str]:
    if rollout is None:
        yield "no rollout"
        return
    stages = [progress.stage for progress in rollout.boards.values()]
    counts = ", ".join(f"{stages.count(stage)} {stage}" for stage in BoardStage if stage in stages)
    yield f"rollout of {rollout.version}: {counts}"
    if rollout.halted:
        yield f"HALTED: {rollout.halted}"
        yield "Mend the cause, then `pitlink fleet resume`, or `pitlink fleet leave-out BOARD` first."


def _status_json(store: FleetStore) -> str:
    return msgspec.json.encode({"boards": store.boards(), "rollout": store.rollout()}).decode()


def _ago(seconds: float) -> str:
    return f"{seconds:.0f} s ago" if seconds < 120 else f"{seconds / 60:.0f} min ago"


def _known(board: str, settings: FleetSettings) -> str:
    if board not in settings.boards:
        raise FlashError(f"{board} is no board of this fleet; its settings name {', '.join(settings.boards)}")
    return board


def _who() -> str:
    return os.environ.get("SUDO_USER") or getpass.getuser()


def _pull(config: Path) -> int:
    settings = load(config)
    if settings.fleet is None or settings.broker.tls is None:
        print(f'{config}: [fleet] is missing; add host = "…", the fleet server', file=sys.stderr)
        return BAD_SETTINGS
    tls = settings.broker.known_as(settings.table).tls
    assert tls is not None
    board = FleetBoard(
        settings.table,
        BoardPaths(),
        TableApiClient(Path(settings.state_dir) / CONTROL),
        FlashUnitStarter(),
        health=lambda: _health(settings),
        logs=_own_logs,
    )
    print(board.pull(HttpsFleetLink(settings.fleet, tls_context(tls))))
    return 0


def _health(settings: TableSettings) -> BoardHealth:
    return BoardFiles().read(Path(settings.state_dir))


def _own_logs() -> bytes:
    """What the units of this board have said; journalctl itself says why there is nothing."""
    try:
        done = subprocess.run(_JOURNALCTL, capture_output=True, check=False, timeout=60)  # noqa: S603  our own words
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"journalctl: {error}\n".encode()
    return (done.stdout or done.stderr)[-MOST_LOG_BYTES:]
