"""pitlink ledger: statement, proof, awards, liability and export, read from the store alone while the meter may run."""

import argparse
import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from common.settings import SettingsError
from meter.reports.award import award_reports, award_rows, award_text
from meter.reports.export import ExportRange, export_rows, export_text
from meter.reports.formatting import Row, write_csv
from meter.reports.gaming_day import Calendar
from meter.reports.liability import liability, liability_rows, liability_text
from meter.reports.source import Books, open_books, read_books
from meter.reports.statement import StatementDays, days_of, newest_day, statements
from meter.reports.statement_text import statement_rows, statement_text
from meter.reports.verification import lost_ledgers, verified_floor_book, verified_ledgers, verified_row, verified_seals
from meter.settings import CLOCK, DAY_STARTS
from meter.store.base import OpenStore, StoreFault
from meter.store.replay import replayed

WRONG: Final = 1
BAD_REQUEST: Final = 2
NO_BOOKS: Final = 3
WEEK: Final = 7  # days: how often the funds behind a meter are deposited at the latest (R75)

Found = TypeVar("Found")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes; what concerns every action may stand before it or behind it."""
    _common(parser)
    parser.set_defaults(config=None, store=None, day_starts=None, link="", format="text", first=1, last=None)
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    statement = actions.add_parser("statement", help="the gaming days, reconciled")
    statement.add_argument("--day", type=date.fromisoformat, metavar="YYYY-MM-DD", help="one day only")
    begin = f"when the day begins, with --store; {DAY_STARTS} if not said"
    statement.add_argument("--day-starts", type=_clock, default=argparse.SUPPRESS, metavar="HH:MM", help=begin)
    statement.add_argument("--pdf", type=Path, metavar="FILE", help="instead: a paper to sign, into this file")
    verify = actions.add_parser("verify", help="every seal and every figure again; names the first bad record")
    noted = "a seal that was noted earlier: one of the records must have it still; may be given several times"
    verify.add_argument("--seal", action="append", type=_seal, default=[], metavar="HEX", help=noted)
    award = actions.add_parser("award", help="how an award was arrived at")
    award.add_argument("number", type=int, nargs="?", metavar="N", help="the award's number; without it: all of them")
    owed = actions.add_parser("liability", help="what is owed to the players, and what of it has accrued")
    owed.add_argument("--since", type=date.fromisoformat, metavar="YYYY-MM-DD", help="since this day (default: a week)")
    owed.add_argument("--day-starts", type=_clock, default=argparse.SUPPRESS, metavar="HH:MM", help=begin)
    export = actions.add_parser("export", help="every record and posting, or those of a range")
    absent = argparse.SUPPRESS
    export.add_argument("--from", dest="first", type=_record, default=absent, metavar="N", help="from this record on")
    export.add_argument("--to", dest="last", type=_record, default=absent, metavar="N", help="up to this record")
    for action in (statement, verify, award, owed, export):
        _common(action)


def _common(parser: argparse.ArgumentParser) -> None:
    """Absent behind the action, an option is what it was before it."""
    absent = argparse.SUPPRESS
    parser.add_argument("--config", type=Path, default=absent, metavar="FILE", help="the meter's settings")
    parser.add_argument(
        "--store", default=absent, metavar="FILE", help="instead: a ledger, or a backup of one, or postgresql://…"
    )
    parser.add_argument("--link", default=absent, metavar="NAME", help="one link only")
    parser.add_argument(
        "--format", choices=("text", "json", "csv"), default=absent, help="text unless replayed otherwise"
    )


def run(args: argparse.Namespace) -> int:
    """Exit 0 if everything agrees, 1 if something does not, 2 for a bad request, 3 for books nobody can open."""
    refusal = _refusal(args)
    if refusal:
        print(refusal, file=sys.stderr)
        return BAD_REQUEST
    try:
        books = read_books(args.config) if args.config else Books(args.store, args.day_starts or DAY_STARTS)
    except SettingsError as error:
        print(error, file=sys.stderr)
        return BAD_REQUEST
    try:
        with open_books(books.store) as store:
            return _act(args, books, store)
    except StoreFault as fault:
        print(fault, file=sys.stderr)
        return NO_BOOKS


def _clock(word: str) -> str:
    if not re.fullmatch(CLOCK, word):
        raise argparse.ArgumentTypeError("write a time such as 06:00")
    return word


def _record(word: str) -> int:
    if not re.fullmatch("[1-9][0-9]{0,17}", word):
        raise argparse.ArgumentTypeError("write the number of a record; the first is 1")
    return int(word)


def _seal(word: str) -> bytes:
    if not re.fullmatch("[0-9a-fA-F]{64}", word):
        raise argparse.ArgumentTypeError("write the 64 hexadecimal digits that verify printed")
    return bytes.fromhex(word)


def _refusal(args: argparse.Namespace) -> str | None:
    """Why nobody knows which books or which records are meant, or None."""
    if args.config is None and args.store is None:
        return "name the books: --config FILE (the meter's settings) or --store FILE (a ledger, or a backup of one)"
    if args.config is not None and args.store is not None:
        return "--config and --store both name the books; write one of them"
    if args.config is not None and args.day_starts is not None:
        return "--day-starts goes with --store; with --config it is the settings' day_starts"
    if args.last is not None and args.first > args.last:
        return f"--from {args.first} is after --to {args.last}"
    return None


def _act(args: argparse.Namespace, books: Books, store: OpenStore) -> int:
    known = store.links()
    if args.link and args.link not in known:
        print(f"there is no link {args.link}; there are {', '.join(known) or 'none'}", file=sys.stderr)
        return BAD_REQUEST
    links = (args.link,) if args.link else known
    try:
        return _ACTIONS[args.action](args, books, store, links)
    except (StoreFault, msgspec.DecodeError) as fault:
        print(fault, file=sys.stderr)
        return WRONG
    except OSError as fault:
        print(f"{fault.filename} cannot be written: {fault.strerror}", file=sys.stderr)
        return BAD_REQUEST


def _verify(args: argparse.Namespace, _books: Books, store: OpenStore, links: Sequence[str]) -> int:
    ledgers = verified_ledgers(store, links)
    sound = [ledger.link for ledger in ledgers if ledger.is_sound and ledger.link]
    lost = [] if args.link else lost_ledgers(store)
    found = [*ledgers, *lost, verified_floor_book(store), *verified_seals(store, sound, args.seal)]
    _show(args.format, found, lambda verified: verified.words, lambda verified: [verified_row(verified)], between="\n")
    return 0 if all(verified.is_sound for verified in found) else WRONG


def _statement(args: argparse.Namespace, books: Books, store: OpenStore, links: Sequence[str]) -> int:
    calendar = Calendar(books.day_starts)
    stated = {link: statements(replayed(store, link), calendar) for link in links}
    until = newest_day(store, calendar)
    days = {link: days_of(parts, until) for link, parts in stated.items()}
    found = [part for each in days.values() for part in (each.of(args.day, calendar) if args.day else each.found)]
    if args.day:
        _name_days(days, args.day)
        if not found:
            return BAD_REQUEST
    if args.pdf is not None:
        from meter.reports.statement_pdf import statement_pdf  # its library takes longer to load than all else here

        args.pdf.write_bytes(statement_pdf(found, books.papers, datetime.now(UTC)))
        print(f"wrote {args.pdf}")
    else:
        _show(args.format, found, statement_text, statement_rows)
    return 0 if all(statement.is_reconciled for statement in found) else WRONG


def _name_days(books: Mapping[str, StatementDays], day: date) -> None:
    """Says of each link that has not got this day which days it has."""
    for link, days in books.items():
        if not days.first <= day <= days.last:
            print(f"link {link} has no gaming day {day}; it has {days.first} to {days.last}", file=sys.stderr)
    if not books:
        print("there is no link in these books", file=sys.stderr)


def _award(args: argparse.Namespace, _books: Books, store: OpenStore, links: Sequence[str]) -> int:
    found = [
        report
        for link in links
        for report in award_reports(replayed(store, link))
        if args.number in (None, report.number)
    ]
    if not found and args.number is not None:
        print(f"there is no award {args.number}", file=sys.stderr)
        return BAD_REQUEST
    _show(args.format, found, award_text, award_rows)
    return 0 if all(report.is_reproduced for report in found) else WRONG


def _liability(args: argparse.Namespace, books: Books, store: OpenStore, links: Sequence[str]) -> int:
    calendar = Calendar(books.day_starts)
    now = calendar.day_of(time.time_ns() // 1_000_000)
    since, today = args.since or now - timedelta(days=WEEK), max(now, newest_day(store, calendar))
    found = [owed for link in links if (owed := liability(replayed(store, link), calendar.day_of, since, today=today))]
    _show(args.format, found, liability_text, liability_rows)
    return 0


def _export(args: argparse.Namespace, _books: Books, store: OpenStore, links: Sequence[str]) -> int:
    parts = [ExportRange(link, replayed(store, link), args.first, args.last) for link in links]
    history = (entry for part in parts for entry in part.entries())
    match args.format:
        case "json":  # as it stands in the store, one record a line, with its seal
            for entry in history:
                print(f'{{"seal":"{entry.sealed.seal.hex()}","record":{entry.sealed.body.decode()}}}')
        case "csv":
            write_csv((row for entry in history for row in export_rows(entry)), sys.stdout)
        case _:
            for entry in history:
                print(export_text(entry))
    for part in parts:
        if part.left_out:
            print(part.left_out, file=sys.stderr)
    return 0 if not parts or any(part.is_there for part in parts) else BAD_REQUEST


def _show(
    form: str,
    found: Sequence[Found],
    text: Callable[[Found], str],
    rows: Callable[[Found], Iterable[Row]],
    *,
    between: str = "\n\n",
) -> None:
    """The same findings for people, for programs and for spreadsheets."""
    match form:
        case "json":
            print(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
        case "csv":
            write_csv((row for value in found for row in rows(value)), sys.stdout)
        case _:
            print(between.join(map(text, found)))


_ACTIONS: Final = {
    "statement": _statement,
    "verify": _verify,
    "award": _award,
    "liability": _liability,
    "export": _export,
}
