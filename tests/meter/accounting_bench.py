"""What tests of accounting need: a meter whose calendar the test moves, books on disk, the command that reads them."""

import sqlite3
from datetime import UTC
from pathlib import Path

from meter_bench import TERMS, MemoryStore, MeterBench, envelope, link, payout, royal, wagers
from msgspec.structs import replace
from test_meter_settings import GOOD

from controller.command_line import main
from meter.award_report import AwardReport, award_reports
from meter.gaming_day import Calendar
from meter.replay import told
from meter.settings import Link, read_meter_settings
from meter.sqlite_store import SqliteStore
from meter.statement import DayStatement, statements

DAY_MS = 86_400_000
SIX = 6 * 3_600_000


def house(*links: Link) -> MeterBench:
    """A meter on the first morning of 1970, with three tables at its first link."""
    meter = MeterBench(MemoryStore(), *(links or (link(replace(TERMS, reset_rate_bp=500)),)), now_ms=SIX)
    meter.join()
    return meter


def days(meter: MeterBench, link: str = "main") -> list[DayStatement]:
    """Its statements; the days begin at six, UTC."""
    return list(statements(told(meter.store, link), Calendar("06:00", UTC)))


def reports(meter: MeterBench) -> list[AwardReport]:
    """Its award reports."""
    return list(award_reports(told(meter.store, "main")))


def books_on_disk(folder: Path) -> Path:
    """A ledger with a day's play, and the settings that name it."""
    path = folder / "meter.toml"
    path.write_text(GOOD.replace("ledger.sqlite", str(folder / "ledger.sqlite")))
    store = SqliteStore(folder / "ledger.sqlite")
    meter = MeterBench(store, *read_meter_settings(path).links)
    meter.join("T1", "T2")
    meter.say(envelope(1, wagers(1, 2, 3)), envelope(2, royal()), envelope(3, payout(2)))
    store.close()
    return path


def ledger(config: Path, *words: str) -> int:
    """Runs pitlink ledger on these books."""
    return main(["ledger", "--config", str(config), *words])


def spoil(config: Path, *orders: str) -> None:
    """Changes the ledger behind the meter's back."""
    database = sqlite3.connect(config.parent / "ledger.sqlite")
    with database:
        for order in orders:
            database.execute(order)
    database.close()
