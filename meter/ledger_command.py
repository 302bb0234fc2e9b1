"""pitlink ledger: statement, proof, award reports and export, read from the store alone while the meter may run."""

import argparse
import csv
import sys
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Final

import msgspec

from house.settings import SettingsError
from meter.audit import audited
from meter.award_report import award_reports
from meter.bookkeeper import lost_links
from meter.floor_book import all_lines, first_bad_line
from meter.ledger_pages import Row, award_row, award_text, export_rows, statement_rows, statement_text
from meter.replay import told
from meter.settings import MeterSettings, read_meter_settings
from meter.statement import gaming_day, statements
from meter.store import OpenStore, Saved, StoreFault
from meter.stores import open_store

WRONG: Final = 1
BAD_REQUEST: Final = 2
NO_BOOKS: Final = 3


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help="the meter's settings")
    parser.add_argument("--link", default="", metavar="NAME", help="one link only")
    parser.add_argument("--format", choices=("text", "json", "csv"), default="text")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    statement = actions.add_parser("statement", help="the gaming days, reconciled")
    statement.add_argument("--day", type=date.fromisoformat, metavar="YYYY-MM-DD", help="one day only")
    actions.add_parser("verify", help="every seal and every figure again; names the first bad record")
    award = actions.add_parser("award", help="how an award was arrived at")
    award.add_argument("number", type=int, nargs="?", metavar="N", help="the award's number; without it: all of them")
    actions.add_parser("export", help="every record and posting")


def run(args: argparse.Namespace) -> int:
    """Exit 0 if everything agrees, 1 if something does not, 2 for a bad request, 3 for books nobody can open."""
    try:
        settings = read_meter_settings(args.config)
    except SettingsError as error:
        print(error, file=sys.stderr)
        return BAD_REQUEST
    try:
        store = open_store(settings.store, reading=True)
    except StoreFault as fault:
        print(fault, file=sys.stderr)
        return NO_BOOKS
    try:
        return _act(args, settings, store)
    finally:
        store.close()


def _act(args: argparse.Namespace, settings: MeterSettings, store: OpenStore) -> int:
    known = store.links()
    if args.link and args.link not in known:
        print(f"there is no link {args.link}; there are {', '.join(known) or 'none'}", file=sys.stderr)
        return BAD_REQUEST
    links = (args.link,) if args.link else known
    if args.action == "verify":
        lost = _verify_settings(settings, store, known)
        return max((*(_verify(store, link) for link in links), lost, _verify_floor_book(store)))
    try:
        return _ACTIONS[args.action](args, settings, store, links)
    except (StoreFault, msgspec.DecodeError) as fault:
        print(fault, file=sys.stderr)
        return WRONG


def _verify(store: OpenStore, link: str) -> int:
    try:
        book = audited(store, link, _snapshot(store, link))
    except StoreFault as fault:
        print(f"link {link}: {fault}")
        return WRONG
    print(f"link {link}: {book.head.number} records are sound; last seal {book.head.seal.hex()}")
    return 0


def _verify_settings(settings: MeterSettings, store: OpenStore, known: Sequence[str]) -> int:
    """A link of the settings without books is a new one, or has lost them; in an empty store all are new."""
    names = [link.name for link in settings.links]
    lost = lost_links(store, names)
    new = [name for name in names if known and name not in (*known, *lost)]
    for name in lost:
        print(f"link {name}: its books are gone, and the floor's book knows it; restore a backup")
    for name in new:
        print(f"link {name}: it has no books here, and other links have: was it ever opened?")
    return WRONG if lost or new else 0


def _verify_floor_book(store: OpenStore) -> int:
    """Alarms, acknowledgements and actions are sealed like the ledger's records."""
    end = store.floor_end()
    # Read again if in doubt: a running meter may close an alarm between two of our questions.
    bad = first_bad_line(all_lines(store), end) and first_bad_line(all_lines(store), end)
    print(f"the floor's book is damaged at line {bad}" if bad else "the floor's book is sound")
    return WRONG if bad else 0


def _snapshot(store: OpenStore, link: str) -> Saved | None:
    """Where a running meter stands now, so that what it books meanwhile is no difference."""
    try:
        return store.load(link)
    except StoreFault:
        return None  # the audit will name the first bad record


def _statement(args: argparse.Namespace, settings: MeterSettings, store: OpenStore, links: Sequence[str]) -> int:
    day_of = gaming_day(settings.day_starts)
    found = [
        statement
        for link in links
        for statement in statements(told(store, link), day_of)
        if args.day in (None, statement.day)
    ]
    match args.format:
        case "json":
            _print_json(found)
        case "csv":
            _print_csv(row for statement in found for row in statement_rows(statement))
        case _:
            print("\n\n".join(map(statement_text, found)))
    return WRONG if any(statement.variance_units for statement in found) else 0


def _award(args: argparse.Namespace, _settings: MeterSettings, store: OpenStore, links: Sequence[str]) -> int:
    found = [
        report for link in links for report in award_reports(told(store, link)) if args.number in (None, report.number)
    ]
    if not found and args.number is not None:
        print(f"there is no award {args.number}", file=sys.stderr)
        return BAD_REQUEST
    match args.format:
        case "json":
            _print_json(found)
        case "csv":
            _print_csv(map(award_row, found))
        case _:
            print("\n\n".join(map(award_text, found)))
    return 0 if all(report.is_reproduced for report in found) else WRONG


def _export(args: argparse.Namespace, _settings: MeterSettings, store: OpenStore, links: Sequence[str]) -> int:
    if args.format == "json":  # as it stands in the store, one record a line, with its seal
        for link in links:
            for row in store.records(link):
                print(f'{{"seal":"{row.seal.hex()}","record":{row.body.decode()}}}')
        return 0
    _print_csv(row for link in links for row in export_rows(told(store, link)))
    return 0


def _print_json(values: object) -> None:
    print(msgspec.json.format(msgspec.json.encode(values), indent=2).decode())


def _print_csv(rows: Iterable[Row]) -> None:
    writer: csv.DictWriter[str] | None = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(sys.stdout, list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow(row)


_ACTIONS: Final = {"statement": _statement, "award": _award, "export": _export}
