"""What tests of accounting need: a meter whose calendar the test moves, books on disk, the command that reads them."""

import sqlite3
from datetime import UTC
from pathlib import Path

import pytest
from msgspec.structs import replace

from cli.main import main
from meter.ledger import contributions as entries
from meter.ledger.accounts import UNITS_PER_CENT
from meter.ledger.balances import Booking, LinkBalances, LinkTerms, booked, contribute
from meter.reports.award import AwardReport, award_reports
from meter.reports.gaming_day import Calendar
from meter.reports.statement import AccountTotals, DayStatement, statements
from meter.settings import Link, read_meter_settings
from meter.store.replay import replayed
from meter.store.sqlite import SqliteStore
from tests.support.meter.meter_bench import (
    NOW_MS,
    TERMS,
    MemoryStore,
    MeterBench,
    envelope,
    link,
    payout,
    royal,
    wagers,
)
from tests.support.meter.meter_settings import GOOD

DAY_MS = 86_400_000
SIX = 6 * 3_600_000


def house(*links: Link) -> MeterBench:
    """A meter on the first morning of 1970, with three tables at its first link."""
    meter = MeterBench(MemoryStore(), *(links or (link(replace(TERMS, reset_rate_bp=500)),)), now_ms=SIX)
    meter.join()
    return meter


def days(meter: MeterBench, link: str = "main") -> list[DayStatement]:
    """Its statements; the days begin at six, UTC."""
    return statements(replayed(meter.store, link), Calendar("06:00", UTC))


def moved(statement: DayStatement) -> dict[str, AccountTotals]:
    """What each figure did; a transfer's has the other link's name behind it."""
    return {f"{line.figure} {line.other_link}".strip(): line.units for line in statement.movements}


def adds_up_by_account(statement: DayStatement) -> bool:
    """Whether opening + movements = closing on every account and together, by the lines that are printed."""
    return all(
        getattr(statement.opening_units, account) + sum(getattr(line.units, account) for line in statement.movements)
        == getattr(statement.closing_units, account)
        for account in ("meter", "reset_meter", "overflow", "awards", "together")
    )


def reports(meter: MeterBench) -> list[AwardReport]:
    """Its award reports."""
    return award_reports(replayed(meter.store, "main"))


def books_on_disk(folder: Path, *, rate_bp: int = 7_000, seats: tuple[int, ...] = (1, 2, 3)) -> Path:
    """A ledger with a day's play, and the settings that name it."""
    path = folder / "meter.toml"
    settings = GOOD.replace("ledger.sqlite", str(folder / "ledger.sqlite"))
    path.write_text(settings.replace("rate_bp = 7000", f"rate_bp = {rate_bp}"))
    store = SqliteStore(folder / "ledger.sqlite")
    meter = MeterBench(store, *read_meter_settings(path).links)
    meter.join("T1", "T2")
    meter.say(envelope(1, wagers(*seats)), envelope(2, royal()), envelope(3, payout(2)))
    store.close()
    return path


def two_links(folder: Path) -> Path:
    """Main has records on one day and three days later; side was opened on the day after the first, and rests since."""
    config = books_on_disk(folder)
    main_only = config.read_text()
    _, _, link = main_only.partition("[[link]]")
    side = link.replace("main", "side").replace('["T1", "T2"]', '["T3"]')
    config.write_text(f"{main_only}[[link]]{side}")
    store = SqliteStore(folder / "ledger.sqlite")
    meter = MeterBench(store, *read_meter_settings(config).links, now_ms=NOW_MS + DAY_MS)
    meter.now_ms = NOW_MS + 3 * DAY_MS
    meter.say(envelope(4, wagers()))
    store.close()
    return config


def round_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on this program drops what is below a cent of each contribution, when it books and when it audits."""

    def rounding(pot: LinkBalances, terms: LinkTerms, *, stake_cents: int, chips: int, coupons: int) -> Booking:
        exact = contribute(pot, terms, stake_cents=stake_cents, chips=chips, coupons=coupons)
        cents = [replace(each, units=each.units // UNITS_PER_CENT * UNITS_PER_CENT) for each in exact.postings]
        return booked(replace(exact.pot, balances=pot.balances, explained=pot.explained), cents)

    monkeypatch.setattr(entries, "contribute", rounding)


def ledger(config: Path, *words: str) -> int:
    """Runs pitlink ledger on these books."""
    return main(["ledger", "--config", str(config), *words])


def spoil(ledger: Path, *orders: str) -> None:
    """Changes a ledger behind the meter's back."""
    database = sqlite3.connect(ledger)
    with database:
        for order in orders:
            database.execute(order)
    database.close()
