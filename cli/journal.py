"""pitlink journal show|verify|backup|archive: read a table's journal, copy it, or archive what is old of it."""

import argparse
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec

from common.settings import SettingsError
from controller.journal.archive import archive
from controller.journal.backup import back_up
from controller.journal.file import JournalFault
from controller.journal.joined_volumes import JournalPart, join, read_part
from controller.journal.journal import Journal, looked_at
from controller.journal.records import WrittenEvent
from controller.journal.volumes import having
from controller.settings.table import load
from controller.web.text import told, with_rule

BAD_REQUEST: Final = 2


class BadRequest(Exception):  # noqa: N818  the words say what is wanted
    """It is not clear what to do."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("what", choices=sorted(_ACTS), help="print, check, copy or archive the events")
    parser.add_argument("journal", type=Path, help="the journal file, the table's state directory or its settings")
    parser.add_argument(
        "more",
        type=Path,
        nargs="*",
        metavar="FOLDER|FILE",
        help="backup, archive: where copies or volumes are; verify: further parts of the same journal, in any order",
    )
    parser.add_argument("--keep", type=int, default=24, help="backup: how many copies stay (default: 24)")
    parser.add_argument("--keep-days", type=int, default=30, help="archive: how many days stay (default: 30)")
    parser.add_argument("--round", type=int, help="only this round")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace) -> int:
    """Exit 0, 1 with the first damaged event or what else went wrong, 2 if it is not clear what to do."""
    try:
        _ACTS[args.what](args)
    except BadRequest as words:
        print(words, file=sys.stderr)
        return BAD_REQUEST
    except (JournalFault, SettingsError) as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def _file(given: Path) -> Path:
    if given.suffix == ".toml":
        return Path(load(given).state_dir) / "journal.db"
    return given / "journal.db" if given.is_dir() else given


def _back_up(args: argparse.Namespace) -> None:
    if len(args.more) != 1 or args.keep < 1:
        raise BadRequest("name the folder of the copies, and keep at least one")
    copy, last = back_up(_file(args.journal), args.more[0], datetime.now(UTC), keep=args.keep)
    with looked_at(copy) as look:
        begin = look.archived()
    print(f"{copy}: {last - begin.until} events, chain whole")
    if begin.until:
        print(f"events 1 to {begin.until} are in volumes, the last in {begin.file}")


def _archive(args: argparse.Namespace) -> None:
    if len(args.more) != 1 or args.keep_days < 1:
        raise BadRequest("name the folder of the volumes, and keep at least one day")
    journal, now = _file(args.journal), datetime.now(UTC)
    before = now - timedelta(days=args.keep_days)
    before_ms, now_ms = (int(moment.timestamp() * 1000) for moment in (before, now))
    with looked_at(journal) as look:
        is_in_use = look.is_in_use(before_ms, now_ms)
    if not is_in_use:
        print(f"nothing to archive: nothing happened here from {before:%Y-%m-%d} to {now:%Y-%m-%d}, if that is today")
        return
    made = archive(journal, args.more[0], before_ms, now_ms=now_ms)
    for volume in made:
        print(f"{volume.file}: events {volume.first} to {volume.until}, chain whole; the journal goes on from there")
    if not made:
        _tell_nothing(journal, before_ms, now_ms)


def _tell_nothing(journal: Path, before_ms: int, now_ms: int) -> None:
    with looked_at(journal) as look:
        reason = look.overdue(before_ms, now_ms)
    if reason:
        raise JournalFault(f"{journal}: its oldest events cannot be archived: {reason}")
    before = datetime.fromtimestamp(before_ms / 1000, UTC)
    print(f"nothing to archive: no round from before {before:%Y-%m-%d} that is over, booked and can be cut off")


def _verify(args: argparse.Namespace) -> None:
    parts = [read_part(_file(path)) for path in (args.journal, *args.more)]
    for part in parts:
        print(f"{part.path}: {part.last - part.begin.until} events, chain whole, head {part.head}")
    ordered = join(parts)
    if len(ordered) > 1:
        print(f"events {ordered[0].first} to {ordered[-1].last} join without a gap")
    _tell_missing(ordered[0])
    with looked_at(ordered[-1].path) as look:
        print(f"journal {look.id}, {look.mode}: {look.boot} starts, {look.unclean_stops} unclean stops")
        for ran in look.programs():
            print(f"pitlink {ran.program}: from start {ran.run} on, after event {ran.after}")
        print(f"{look.waiting_in_all()} entries wait for the meter")


def _tell_missing(first: JournalPart) -> None:
    """Where the events are that nobody has looked at now."""
    with looked_at(first.path) as look:
        for volume in look.volumes():
            print(f"{volume}{'' if Path(volume.file).is_file() else ', which is not there now'}; not looked at")


def _show(args: argparse.Namespace) -> None:
    if args.more:
        raise BadRequest("show reads one file")
    with looked_at(_file(args.journal)) as journal:
        _point_to_volumes(journal, args.round)
        for line in journal.lines():
            if args.round is None or line.round == args.round:
                print(msgspec.json.encode(line).decode() if args.json else _readable(line))


def _point_to_volumes(journal: Journal, only_round: int | None) -> None:
    volumes = journal.volumes()
    if only_round is None:
        for volume in volumes:
            print(volume, file=sys.stderr)
    elif (found := having(volumes, round_number=only_round)) is not None:
        raise BadRequest(f"round {only_round} is archived in {found.file}")


def _readable(line: WrittenEvent) -> str:
    at = datetime.fromtimestamp(line.moment.at_ms / 1000, UTC).isoformat(timespec="milliseconds")
    body = msgspec.to_builtins(line.event)
    name = body.pop("type")
    details = " ".join(f"{key}={value}" for key, value in body.items())
    refused = f"  REFUSED: {with_rule(told(line.refusal).reason, line.refusal.rule)}" if line.refusal else ""
    mark = {True: "", False: "~", None: "?"}[line.moment.synced]
    return f"{line.number:6} {at}{mark} round {line.round} {name} {details}{refused}"


_ACTS: Final[dict[str, Callable[[argparse.Namespace], None]]] = {
    "show": _show,
    "verify": _verify,
    "backup": _back_up,
    "archive": _archive,
}
